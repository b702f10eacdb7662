package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// inMemory is a source of a text.
func inMemory(text string, format record.Format) source {
	return source{name: "memory", open: func(limits record.Limits) (*record.Reader, error) {
		return record.NewReader(strings.NewReader(text), format, limits)
	}}
}

// read returns the rows of a source, and its rejections.
func read(t *testing.T, s source) (rows []string, rejected []*record.Rejection) {
	t.Helper()
	reader, err := s.open(record.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for {
		switch err := reader.Next().(type) {
		case nil:
			rows = append(rows, string(reader.Raw()))
		case *record.Rejection:
			rejected = append(rejected, err)
		default:
			if read, total := reader.Progress(); s.shuffled != nil && read != total {
				t.Errorf("%d of %d bytes were read", read, total)
			}
			return rows, rejected
		}
	}
}

// The order of a seed is the same today and tomorrow: results that name a seed stay reproducible.
func TestAnOrderIsOfItsSeedAndTheNumberOfRecords(t *testing.T) {
	s := &shuffled{seed: 7, rows: make([]keptRow, 10)}
	if got, want := s.order(), []int{5, 0, 3, 4, 9, 2, 1, 8, 7, 6}; !slices.Equal(got, want) {
		t.Errorf("the order of seed 7 is %v, and was %v", got, want)
	}
	var csv, lines strings.Builder
	csv.WriteString("n\n")
	for i := range 1000 {
		fmt.Fprintf(&csv, "%d\n", i)
		fmt.Fprintf(&lines, "%d\n", i)
	}
	of := func(text string, format record.Format, seed uint64) []string {
		rows, _ := read(t, shuffle(inMemory(text, format), seed))
		return rows
	}
	if a, b := of(csv.String(), record.CSV, 3), of(lines.String(), record.JSONLines, 3); !slices.Equal(a, b) || len(a) != 1000 {
		t.Error("the order depends on more than the seed and the number of records")
	}
	if slices.Equal(of(csv.String(), record.CSV, 3), of(csv.String(), record.CSV, 4)) {
		t.Error("the seed changes nothing")
	}
}

// Every row of a file is in its random order once, as it was, and knows its line.
func TestAShuffledSourceHasTheSameRows(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	for name, test := range map[string]struct {
		text   string
		format record.Format
	}{
		"quoted":     {"\xef\xbb\xbfa,b\n1,\"two\nlines\"\n\n2,\"\"\"q\"\"\"\r\n3,\"a\r\n\r\nb\"\n4,\r\r\n5,last", record.CSV},
		"bad rows":   {"a,b\n1,2\n1,2,3\n\"open,4\n5,6\n7,8\n\xff,9\n", record.CSV},
		"objects":    {"{\"a\":1}\n\n[1]\n{\"a\":\n{\"a\":2}\r\n \n{\"a\":3}", record.JSONLines},
		"long":       {"a\n" + long + "\nb\n" + long + "y\n", record.CSV},
		"none":       {"a\n", record.CSV},
		"no objects": {"", record.JSONLines},
	} {
		t.Run(name, func(t *testing.T) {
			want, bad := read(t, inMemory(test.text, test.format))
			s := shuffle(inMemory(test.text, test.format), 5)
			for range 2 { // it can be read again
				got, late := read(t, s)
				if len(late) > 0 || !reflect.DeepEqual(s.shuffled.rejected, bad) {
					t.Errorf("rejected %v and later %v, of the file %v", s.shuffled.rejected, late, bad)
				}
				back := make([]string, len(got))
				for n, place := range s.shuffled.order() {
					back[place] = got[n]
				}
				if len(got) != len(want) || len(want) > 0 && !slices.Equal(back, want) {
					t.Errorf("rows %q, of the file %q", back, want)
				}
				for n, row := range got {
					if at := slices.Index(want, row); s.shuffled.rows[at].line != s.shuffled.line(n) {
						t.Errorf("row %q is said to be of line %d", row, s.shuffled.line(n))
					}
				}
			}
		})
	}
}

func TestAShuffledSourceIsBounded(t *testing.T) {
	s := &shuffled{from: inMemory("a\n"+strings.Repeat("1\n", 1000), record.CSV), most: 1000 * (keptRowBytes + len("1"+rowEnd))}
	if _, err := s.open(record.Limits{}); err != nil {
		t.Errorf("as much as is allowed: %v", err)
	}
	s = &shuffled{from: s.from, most: s.most - 1}
	if _, err := s.open(record.Limits{}); err == nil || !strings.Contains(err.Error(), "--shuffle keeps the records in memory") {
		t.Errorf("more than is allowed: %v", err)
	}
}

// What --shuffle learns is what a file in that order teaches, rejected records keep the lines of their file, and
// standard input can be shuffled too.
func TestShuffleIsAFileInThatOrder(t *testing.T) {
	rows := adultLines(t, 3000)
	header, rows := rows[0], rows[1:2501]
	bad := slices.Insert(slices.Clone(rows), 700, "a,row,too,short\n")
	permuted := make([]string, len(rows))
	for n, place := range rand.New(rand.NewPCG(9, 1)).Perm(len(rows)) {
		permuted[n] = rows[place]
	}
	inDirectory(t, map[string]string{"config.yaml": adultConfig, "test.csv": strings.Join(adultLines(t, 500), ""),
		"file.csv": header + strings.Join(bad, ""), "permuted.csv": header + strings.Join(permuted, "")})
	args := []string{"-c", "config.yaml", "--holdout", "test.csv"}
	want := replayed(t, append(args, "-i", "permuted.csv")...)
	code, out, said := fairstream(t, append([]string{"replay", "--json", "--shuffle", "9", "-i", "file.csv"}, args...)...)
	if code != done || !strings.Contains(said, "Rejected 1 of 2,501 records of file.csv") || !strings.Contains(said, "line 702: wrong_field_count") {
		t.Errorf("exit code %d\n%s", code, said)
	}
	got := lines(t, out)[0]
	if hash(t, got) != hash(t, want) || !reflect.DeepEqual(at(t, got, "holdout"), at(t, want, "holdout")) {
		t.Error("--shuffle learns something else than a file in that order")
	}
	if at(t, got, "shuffle") != 9. {
		t.Errorf("the seed is %v", at(t, got, "shuffle"))
	}

	folds := []string{"replay", "-c", "config.yaml", "--json", "--folds", "3", "--shuffle", "9", "--format", "csv", "-i"}
	code, piped, said := fairstreamWith(t, header+strings.Join(rows, ""), append(folds, "-")...)
	if code != done {
		t.Fatal(said)
	}
	one, other := lines(t, piped)[0], lines(t, succeed(t, "replay", "-c", "config.yaml", "--json", "--folds", "3", "-i", "permuted.csv"))[0]
	if !reflect.DeepEqual(one["holdouts"], other["holdouts"]) {
		t.Error("the folds of standard input differ from those of a file in that order")
	}

	saved := append(args, "-i", "file.csv", "--shuffle", "9", "--save", "weights.json")
	fairstream(t, append([]string{"replay"}, saved...)...)
	if text, err := os.ReadFile("weights.json"); err != nil || !bytes.Contains(text, []byte("file.csv in the random order of seed 9")) {
		t.Errorf("the lineage does not say the order (%v)", err)
	}
}

// The bundled records are held out in the random order: other seeds hold others out, and none is lost.
func TestShuffleOfTheBundledRecords(t *testing.T) {
	one, two := replayed(t, "--input", "adult", "--shuffle", "1"), replayed(t, "--input", "adult", "--shuffle", "2")
	for _, got := range []map[string]any{one, two} {
		if at(t, got, "records") != 39074. || at(t, got, "holdout", "records") != 9768. {
			t.Errorf("%v learnt, %v held out", at(t, got, "records"), at(t, got, "holdout", "records"))
		}
	}
	if at(t, one, "holdout", "constant_accuracy") == at(t, two, "holdout", "constant_accuracy") {
		t.Error("both seeds hold out the same records")
	}
}

// --orders is --folds in each order, summed up over all holdouts.
func TestOrdersRepeatTheFolds(t *testing.T) {
	inDirectory(t, map[string]string{"config.yaml": adultConfig, "train.csv": strings.Join(adultLines(t, 2000), "")})
	args := []string{"replay", "-c", "config.yaml", "-i", "train.csv", "--folds", "2", "--tau", ".05,.1"}
	got := lines(t, succeed(t, append(args, "--json", "--shuffle", "4", "--orders", "3")...))
	accuracy := 0.
	for order := range 3 {
		alone := lines(t, succeed(t, append(args, "--json", "--shuffle", fmt.Sprint(4+order))...))
		for i := range alone {
			for fold := range 2 {
				if !reflect.DeepEqual(at(t, got[i], "holdouts", 2*order+fold), at(t, alone[i], "holdouts", fold)) {
					t.Errorf("line %d, order %d, holdout %d differs from that of the order alone", i, order, fold)
				}
			}
			if at(t, got[i], "orders", order, "seed") != float64(4+order) || !reflect.DeepEqual(at(t, got[i], "orders", order, "summary"), at(t, alone[i], "summary")) {
				t.Errorf("line %d: the summary of order %d differs from that of the order alone", i, order)
			}
		}
		accuracy += at(t, alone[0], "summary", "qualities", 0, "mean").(float64) / 3
	}
	if mean := at(t, got[0], "summary", "qualities", 0, "mean").(float64); mean-accuracy > 1e-12 || accuracy-mean > 1e-12 {
		t.Errorf("mean accuracy %v, counted %v", mean, accuracy)
	}
	text := succeed(t, append(args, "--orders", "2")...)
	for _, want := range []string{"in the 2 random orders of seeds 1 to 2,\neach for 1 of 2 holdouts", "On 4 holdouts of 1,000 records each", "tau 0.05: the means of the 2 orders are"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func TestOrdersAreRefused(t *testing.T) {
	for want, args := range map[string][]string{
		"--orders 1: give a number from 2 to 100": {"--folds", "5", "--orders", "1"},
		"--orders 101: ":             {"--folds", "5", "--orders", "101"},
		"--orders is for --folds":    {"--orders", "4"},
		`invalid argument "-1"`:      {"--shuffle", "-1"},
		`invalid argument "monday"`:  {"--shuffle", "monday"},
		"or add --shuffle 1":         {"--input", "-", "--format", "csv", "--folds", "5"},
		"--folds and --holdout are ": {"--folds", "5", "--shuffle", "1", "--holdout", "x.csv"},
	} {
		fails(t, misuse, want, append([]string{"replay", "--input", "adult"}, args...)...)
	}
}
