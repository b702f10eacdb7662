package input

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// Rows that are decoded ahead come in the same order, with the same texts and rejections, as one by one: good and bad ones, more than
// a batch holds, and longer than a batch is.
func TestRowsDecodedAheadAreTheSame(t *testing.T) {
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "y", Positive: "1"}, ID: "id"}, []string{"sex"})
	if err != nil {
		t.Fatal(err)
	}
	var csv, lines strings.Builder
	csv.WriteString("id,sex,text,y\n")
	for i := range 5*batchRows + 7 {
		text := strings.Repeat("x", []int{3, 40, 3000, batchBytes / 3}[i%97%4*(i%97/93)])
		switch {
		case i%11 == 3:
			csv.WriteString("too,few\n")
			lines.WriteString("{\"y\": 1,\n")
		case i%13 == 5:
			fmt.Fprintf(&csv, "%d,,%s,\n", i, text)
			fmt.Fprintf(&lines, "{\"id\": \"%d\", \"text\": %q}\n", i, text)
		default:
			fmt.Fprintf(&csv, "%d,%d,\"%s\",%d\n", i, i%2, text, i%3%2)
			fmt.Fprintf(&lines, "{\"id\": \"%d\", \"sex\": \"\\u006d%d\", \"text\": %q, \"y\": \"%d\"}\n", i, i%2, text, i%3%2)
		}
	}
	for format, text := range map[record.Format]string{record.CSV: csv.String(), record.JSONLines: lines.String()} {
		seen := func(processors int) (rows []string) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
			p := &Pass{Schema: schema, Labelled: true, Source: Source{Name: "memory", Open: func(as record.Config) (Rows, error) {
				return record.NewReader(strings.NewReader(text), format, as.Limits)
			}},
				Each: func(r *record.Record) {
					row := fmt.Sprintf("%s %v %v", r.ID, r.Positive, r.Attributes)
					for _, f := range r.Features {
						row += fmt.Sprintf(" %s=%s", f.Name, f.Text)
					}
					rows = append(rows, row)
				},
				Reject: func(r *record.Rejection) {
					rows = append(rows, fmt.Sprintf("%s %s line %d", r.Reason, r.Field, r.Line))
				},
			}
			if err := errors.Join(p.Open(), p.Run(t.Context())); err != nil {
				t.Fatal(err)
			}
			return rows
		}
		one, two := seen(1), seen(2)
		if !slices.Equal(one, two) {
			t.Errorf("%s: %d rows one by one, %d ahead, and they differ", format, len(one), len(two))
		}
		if rejected := len(slices.DeleteFunc(slices.Clone(one), func(row string) bool { return !strings.Contains(row, " line ") })); rejected < 80 || len(one)-rejected < 400 {
			t.Errorf("%s: %d of %d rows are rejected: the test looks at nothing", format, rejected, len(one))
		}
	}
}

// An error of the source comes after the rows before it.
func TestReadingAheadTellsErrors(t *testing.T) {
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "y", Positive: "1"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	count, broken := 0, errors.New("the disk is gone")
	p := &Pass{Schema: schema, Source: Source{Name: "memory", Open: func(as record.Config) (Rows, error) {
		return record.NewReader(io.MultiReader(strings.NewReader("x,y\n"+strings.Repeat("1,1\n", 1000)), failing{broken}), record.CSV, as.Limits)
	}}, Each: func(*record.Record) { count++ }, Reject: func(r *record.Rejection) { t.Error(r) }}
	if err := errors.Join(p.Open(), p.Run(t.Context())); !errors.Is(err, broken) || count != 1000 {
		t.Errorf("%d rows, then %v", count, err)
	}
}

// failing is a source that cannot be read.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// A pass that is told to decode row by row reads none ahead, on however many processors.
func TestOneByOne(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "y", Positive: "1"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, oneByOne := range []bool{true, false} {
		rows, before := int64(0), int64(0)
		p := &Pass{Schema: schema, OneByOne: oneByOne, Source: Source{Name: "memory", Open: func(as record.Config) (Rows, error) {
			return record.NewReader(strings.NewReader("x,y\n"+strings.Repeat("1,1\n", 1000)), record.CSV, as.Limits)
		}}, Reject: func(r *record.Rejection) { t.Error(r) }}
		p.Each = func(*record.Record) {
			if rows++; rows == 1 && oneByOne {
				before = p.Reader.Line()
			}
		}
		if err := errors.Join(p.Open(), p.Run(t.Context())); err != nil || rows != 1000 {
			t.Fatalf("%d rows, then %v", rows, err)
		}
		if before > 3 {
			t.Errorf("at the first row, line %d was read", before)
		}
	}
}
