package input

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/format/registry"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

var errBroken = errors.New("the disk is broken")

// broken are rows whose reading panics or whose closing fails.
type broken struct {
	Rows
	closing bool
}

func (b *broken) Next() error {
	if !b.closing {
		panic("a defect")
	}
	return b.Rows.Next()
}

func (b *broken) Close() error { return errBroken }

func brokenSource(of Source, closing bool) Source {
	open := of.Open
	of.Open = func(as record.Config) (Rows, error) {
		rows, err := open(as)
		return &broken{rows, closing}, err
	}
	return of
}

func passOf(t *testing.T, s Source) *Pass {
	t.Helper()
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "y", Positive: "1"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &Pass{Source: s, Schema: schema.LabelOptional(), Each: func(*record.Record) {}, Reject: func(*record.Rejection) {}}
}

// TestAPassThatFails names its source: one that cannot be opened, that is interrupted, whose reader has a defect, or that cannot be closed.
func TestAPassThatFails(t *testing.T) {
	rows := inMemory("x,y\n1,1\n", record.CSV)
	failing := Source{Open: func(record.Config) (Rows, error) { return nil, errBroken }}
	if err := passOf(t, failing).Open(); !errors.Is(err, errBroken) {
		t.Errorf("opened: %v", err)
	}
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx    context.Context
		source Source
		want   string
	}{
		"interrupted": {interrupted, rows, "interrupted after 0 rows of memory"},
		"a defect":    {t.Context(), brokenSource(rows, false), "memory: a defect of this program stopped it after some 0 rows: a defect: please report it with this stack\ngoroutine "},
		"not closed":  {t.Context(), brokenSource(rows, true), errBroken.Error()},
		"in order":    {t.Context(), InOrder(brokenSource(rows, true), rows), errBroken.Error()},
	} {
		p := passOf(t, c.source)
		if err := p.Open(); err != nil {
			t.Fatal(err)
		}
		if err := p.Run(c.ctx); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestASampleOfAFileThatFails: one that cannot be opened or closed, and an interruption; what was read until then was used.
func TestASampleOfAFileThatFails(t *testing.T) {
	rows := inMemory("x,y\n1,1\n", record.CSV)
	s := newSample(0)
	if err := s.FromFile(t.Context(), brokenSource(rows, true), record.Config{}); !errors.Is(err, errBroken) || s.Read != 1 || !s.Whole {
		t.Errorf("not closed: %v, %d rows", err, s.Read)
	}
	if err := newSample(0).FromFile(t.Context(), Source{Open: func(record.Config) (Rows, error) { return nil, errBroken }}, record.Config{}); !errors.Is(err, errBroken) {
		t.Errorf("not opened: %v", err)
	}
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	if err := newSample(0).FromFile(interrupted, rows, record.Config{}); err == nil || err.Error() != "interrupted after 0 rows of memory" {
		t.Errorf("interrupted: %v", err)
	}
}

// TestLabelsAtTheEnd: records without a label are no defect beside one that has it; labels alone are told of, a single one too.
func TestLabelsAtTheEnd(t *testing.T) {
	p := passOf(t, inMemory("x,y\n", record.CSV))
	if err := p.Open(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		of   labels
		want string // of the error
	}{
		{labels{}, ""}, {labels{some: true, without: 9}, ""}, {labels{alone: 1}, ""}, {labels{without: 1, alone: 1}, "no row of memory has both a record and its label, and in 1 row there is only a label. "},
		{labels{without: 1}, p.NoLabel().Error()},
	} {
		if err := c.of.atEnd(p); (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.of, err)
		}
	}
}

// TestASumOfRows is of all of them, in their places and below their header, whatever blocks they are read in.
func TestASumOfRows(t *testing.T) {
	sum := func(text string, number int64) uint64 {
		p := passOf(t, inMemory(text, record.CSV))
		p.Summed, p.Number = true, number
		if err := errors.Join(p.Open(), p.Run(t.Context())); err != nil {
			t.Fatal(err)
		}
		return p.Sum
	}
	of := sum("x,y\n1,1\n2,0\nbad\n3,1\n", 0)
	if parts := sum("x,y\n1,1\n2,0\n", 0) + sum("x,y\nbad\n3,1\n", 2); parts != of {
		t.Errorf("the sums of two parts are %d, of all %d", parts, of)
	}
	for _, other := range []string{"x,y\n2,0\n1,1\nbad\n3,1\n", "z,y\n1,1\n2,0\nbad\n3,1\n", "x,y\n1,1\n2,0\nbad\n3,0\n", "x,y\n1,1\n2,0\nbad\n", "x,y\n1,1\n2,0\nbed\n3,1\n"} {
		if sum(other, 0) == of {
			t.Errorf("%q has the same sum", other)
		}
	}
	if p := passOf(t, inMemory("x,y\n1,1\n", record.CSV)); errors.Join(p.Open(), p.Run(t.Context())) != nil || p.Sum != 0 {
		t.Errorf("the sum is %d, and nobody asked for it", p.Sum)
	}
}

// TestAShuffledPassTellsRejections that were found when the rows were kept, and the lines of those that are found later. Shuffled again, the rows are kept.
func TestAShuffledPassTellsRejections(t *testing.T) {
	opened := 0
	source := inMemory("x,y\n1,1\n2\n3,maybe\n4,0\n", record.CSV)
	open := source.Open
	source.Open = func(as record.Config) (Rows, error) { opened++; return open(as) }
	source = Shuffle(source, 1)
	for range 2 {
		p, taken := passOf(t, source), 0
		p.Labelled = true
		var rejected []int64
		p.Each = func(*record.Record) { taken++ }
		p.Reject = func(r *record.Rejection) { rejected = append(rejected, r.Line) }
		if err := errors.Join(p.Open(), p.Run(t.Context())); err != nil {
			t.Fatal(err)
		}
		if slices.Sort(rejected); taken < 2 || !slices.Equal(rejected, []int64{3}) && !slices.Equal(rejected, []int64{3, 4}) {
			t.Errorf("%d taken, rejected in lines %v", taken, rejected)
		}
		source = Shuffle(source, 2)
	}
	if s := source.memory.(*shuffled); opened != 1 || s.seed != 2 {
		t.Errorf("opened %d times, the seed is %d", opened, s.seed)
	}
	if _, err := Shuffle(Source{Name: "gone", Open: func(record.Config) (Rows, error) { return nil, errBroken }}, 1).Open(record.Config{}); !errors.Is(err, errBroken) {
		t.Errorf("a source that cannot be opened: %v", err)
	}
	torn := Source{Name: "torn", Open: func(record.Config) (Rows, error) {
		return record.NewReader(io.MultiReader(strings.NewReader("{}\n{}\n"), failing{errBroken}), record.JSONLines, record.Limits{})
	}}
	if _, err := Shuffle(torn, 1).Open(record.Config{}); !errors.Is(err, errBroken) || !strings.Contains(err.Error(), "torn: ") {
		t.Errorf("a source that cannot be read: %v", err)
	}
	if _, err := Shuffle(brokenSource(inMemory("x,y\n1,1\n", record.CSV), true), 1).Open(record.Config{}); !errors.Is(err, errBroken) {
		t.Errorf("a source that cannot be closed: %v", err)
	}
	if n, err := new(rowReader).Read(nil); n != 0 || err != nil {
		t.Errorf("nothing was asked for: %d, %v", n, err)
	}
	if n, err := new(rowReader).Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("at the end: %d, %v", n, err)
	}
	var kept texts
	first := kept.keep(make([]byte, 1<<20))
	if second := kept.keep([]byte("x")); len(first) != 1<<20 || string(second) != "x" || cap(kept.free) != 1<<20 {
		t.Errorf("%d and %q", len(first), second)
	}
}

// TestFieldsOfALateRecord: the fields of JSON are those of the first good record among the first that are looked at.
func TestFieldsOfALateRecord(t *testing.T) {
	for bad, want := range map[int]int{0: 2, watchEvery - 1: 2, watchEvery: 0} {
		p := passOf(t, inMemory(strings.Repeat("{\n", bad)+`{"x":1,"y":0}`+"\n", record.JSONLines))
		if err := errors.Join(p.Open(), p.Run(t.Context())); err != nil || len(p.Fields) != want {
			t.Errorf("after %d bad rows: %q, %v", bad, p.Fields, err)
		}
	}
}

// TestFilesThatCannotBeRead in blocks, in a dialect or at all.
func TestFilesThatCannotBeRead(t *testing.T) {
	directory := t.TempDir()
	gone := filepath.Join(directory, "gone.csv")
	for what, err := range map[string]error{
		"cut":          second(text{gone, record.CSV}.cut(record.Config{}, 1)),
		"opened":       second(text{gone, record.CSV}.open(record.Config{}, whole)),
		"row groups":   second(groups{gone}.cut(record.Config{}, 1)),
		"group opened": second(groups{gone}.open(record.Config{}, whole)),
		"in a dialect": second(openCSV(gone, false, record.Config{CSV: record.Dialect{Separator: ";"}})),
	} {
		if !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", what, err)
		}
	}
	write := func(name, text string) string {
		name = filepath.Join(directory, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	plain, empty := write("plain.csv", "a,b\n1,2\n3,4\n"), write("empty.csv", "")
	semicolons := record.Config{CSV: record.Dialect{Separator: ";"}}
	if _, err := openCSV(plain, true, semicolons); err == nil || !strings.Contains(err.Error(), "plain.csv is not gzip: ") {
		t.Errorf("unpacked: %v", err)
	}
	if _, err := openCSV(empty, false, semicolons); err == nil || !strings.Contains(err.Error(), "empty.csv, read by record.csv: ") {
		t.Errorf("of an empty file: %v", err)
	}
	if _, err := (text{empty, record.CSV}).cut(record.Config{}, -1); err == nil || !strings.Contains(err.Error(), "empty.csv") {
		t.Errorf("an empty file is cut: %v", err)
	}
	for size, want := range map[int64]int{12: 1, 13: 1, 11: 1, 8: 2, 4: 3} {
		if blocks, err := (text{plain, record.CSV}).cut(record.Config{}, size); err != nil || len(blocks) != want || size >= 12 && !blocks[0].IsWhole() {
			t.Errorf("blocks of %d bytes: %+v, %v", size, blocks, err)
		}
	}
	if empty := (&Block{}); empty.IsWhole() {
		t.Error("a block that ends where it begins is whole")
	}
	for name, s := range map[string]Source{"gone": {raw: func() (io.ReadCloser, error) { return nil, errBroken }}, "torn": {raw: func() (io.ReadCloser, error) { return io.NopCloser(failing{errBroken}), nil }}} {
		if _, _, err := s.Dialect(record.Dialect{}); !errors.Is(err, errBroken) {
			t.Errorf("the dialect of a file that is %s: %v", name, err)
		}
	}
	if d, alike, err := (Source{}).Dialect(semicolons.CSV); err != nil || alike != "" || d != (record.Dialect{}) {
		t.Errorf("the dialect of what is no CSV: %+v, %q, %v", d, alike, err)
	}
}

func second[T any](_ T, err error) error { return err }

// TestFilesInOrderOfTwoFormats are refused, and so is a second one that lacks the first column; two of JSON are read one after the other.
func TestFilesInOrderOfTwoFormats(t *testing.T) {
	lines, cells := inMemory("{\"a\":1}\n", record.JSONLines), inMemory("a,b\n1,2\n", record.CSV)
	for name, c := range map[string]struct {
		sources []Source
		want    string
	}{
		"JSON and JSON":    {[]Source{lines, lines}, "EOF"},
		"JSON and CSV":     {[]Source{lines, cells}, "are not both CSV"},
		"CSV and JSON":     {[]Source{cells, lines}, "are not both CSV"},
		"the first column": {[]Source{cells, inMemory("b\n1\n", record.CSV)}, `has no column "a"`},
		"a new first one":  {[]Source{inMemory("b\n1\n", record.CSV), cells}, `has a column "a"`},
	} {
		rows, err := InOrder(c.sources...).Open(record.Config{})
		for err == nil {
			err = rows.Next()
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestBytesOfScripts: at the bounds between the scripts that one byte a character may be of.
func TestBytesOfScripts(t *testing.T) {
	for text, want := range map[string]bool{
		strings.Repeat("\xf8", 5) + strings.Repeat("\xe8", 5): true, strings.Repeat("\xf8", 4) + strings.Repeat("\xe8", 5): false, strings.Repeat("\xf8", 5) + strings.Repeat("\xec", 4): false,
		strings.Repeat("\xc0\xb3\xc0 ", 5): true, strings.Repeat("\xbf\xb3\xc0 ", 5): false, strings.Repeat("a\xb3z ", 5): true, strings.Repeat("`\xb3z ", 5): false, strings.Repeat("a\xb3{ ", 5): false, strings.Repeat("a\xb3z ", 4): false,
	} {
		if got := centralEuropean([]byte(text)); got != want {
			t.Errorf("%q is central European: %v", text, got)
		}
	}
	for text, want := range map[string]bool{strings.Repeat("\xc0\xc0\xc0\xc0 ", 5): true, strings.Repeat("\xc0\xc0\xc0 ", 9): false, strings.Repeat("\xbf\xc0\xc0\xc0 ", 5): false, strings.Repeat("\xc0\xc0\xc0\xc0 ", 4): false, "\x81": true, "\x82": false} {
		if got := otherScript([]byte(text)); got != want {
			t.Errorf("%q is of another script: %v", text, got)
		}
	}
	n := newNumerals(record.Dialect{Decimal: ","})
	for zeros, want := range map[int]string{61: ".5", 62: ",5"} {
		if got := n.plain("1" + strings.Repeat("0", zeros) + ",5"); !strings.HasSuffix(got, want) {
			t.Errorf("a number of %d characters: %s", zeros+3, got)
		}
	}
	var one Rejections
	one.Add(&record.Rejection{Reason: record.MalformedJSON, Offset: -1, Line: 1})
	for rows, want := range map[int64]bool{1: false, 2: false} {
		var text strings.Builder
		if one.Write(&text, rows, "f"); strings.Contains(text.String(), "cut off") != want {
			t.Errorf("of %d records: %s", rows, text.String())
		}
	}
}

// TestARegistryThatKnowsNoSchema: a message of such a schema is rejected at once when it comes again; JSON without a header has none.
func TestARegistryThatKnowsNoSchema(t *testing.T) {
	t.Parallel()
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte(`{"error_code":40403,"message":"Schema not found"}`))
	}))
	defer server.Close()
	opened := func(format record.Encoding) *messages {
		m, err := Topic{Record: record.Config{Format: format}, Registry: registry.Config{URLs: []string{server.URL}, Timeout: time.Minute}}.open()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(m.printer.Close)
		return m
	}
	m, unknown := opened(record.Avro), []byte("\x00\x00\x00\x00\x07\x02")
	for range 2 {
		_, err := m.json(t.Context(), unknown)
		if rejection, is := errors.AsType[*record.Rejection](err); !is || rejection.Reason != record.UnknownSchema || rejection.Detail != "schema id 7: the registry does not know it" {
			t.Errorf("%v", err)
		}
	}
	m.note(&kafka.Record{Value: unknown, Timestamp: 5})
	m.note(&kafka.Record{Value: []byte("older"), Timestamp: 4})
	if described, err := m.described(t.Context()); described != nil || err == nil || !strings.Contains(err.Error(), "does not know it") || asked == 0 {
		t.Errorf("%v, %v", described, err)
	}
	plain := opened("json")
	if described, err := plain.described(t.Context()); described != nil || err != nil {
		t.Errorf("of no message: %v, %v", described, err)
	}
	plain.note(&kafka.Record{Value: []byte(`{"a":1}`)})
	if described, err := plain.described(t.Context()); described != nil || err != nil {
		t.Errorf("without a header: %v, %v", described, err)
	}
	if _, err := (Topic{Record: record.Config{Format: record.AvroBare}}).open(); err == nil {
		t.Error("Avro without a schema is opened")
	}
}
