package input

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// InMemory is a source of a text.
func inMemory(text string, format record.Format) Source {
	return Source{Name: "memory", Open: func(as record.Config) (Rows, error) {
		return record.NewReader(strings.NewReader(text), format, as.Limits)
	}}
}

// read returns the rows of a source, and its rejections.
func read(t *testing.T, s Source) (rows []string, rejected []*record.Rejection) {
	t.Helper()
	reader, err := s.Open(record.Config{})
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
			if read, total := reader.Progress(); s.InMemory() && read != total {
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
		rows, _ := read(t, Shuffle(inMemory(text, format), seed))
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
			source := Shuffle(inMemory(test.text, test.format), 5)
			s := source.memory.(*shuffled)
			for range 2 { // it can be read again
				got, late := read(t, source)
				if len(late) > 0 || !reflect.DeepEqual(s.rejected, bad) {
					t.Errorf("rejected %v and later %v, of the file %v", s.rejected, late, bad)
				}
				back := make([]string, len(got))
				for n, place := range s.order() {
					back[place] = got[n]
				}
				if len(got) != len(want) || len(want) > 0 && !slices.Equal(back, want) {
					t.Errorf("rows %q, of the file %q", back, want)
				}
				for n, row := range got {
					if at := slices.Index(want, row); s.rows[at].place != s.place(n) {
						t.Errorf("row %q is said to be of line %d", row, s.place(n).line)
					}
				}
			}
		})
	}
}

func TestAShuffledSourceIsBounded(t *testing.T) {
	s := &shuffled{from: inMemory("a\n"+strings.Repeat("1\n", 1000), record.CSV), most: 1000 * (keptRowBytes + len("1"+rowEnd))}
	if _, err := s.open(record.Config{}); err != nil {
		t.Errorf("as much as is allowed: %v", err)
	}
	s = &shuffled{from: s.from, most: s.most - 1}
	if _, err := s.open(record.Config{}); err == nil || !strings.Contains(err.Error(), "--shuffle keeps the records in memory") {
		t.Errorf("more than is allowed: %v", err)
	}
}
