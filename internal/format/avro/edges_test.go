package avro

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/sr"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/format/registry"
	"github.com/fairstream/fairstream/internal/kafka"
	fields "github.com/fairstream/fairstream/pkg/record"
)

// linesOf reads a part of a container.
func linesOf(parts ...any) *Lines {
	var b []byte
	for _, part := range parts {
		switch p := part.(type) {
		case int:
			b = binary.AppendVarint(b, int64(p))
		case string:
			b = append(binary.AppendVarint(b, int64(len(p))), p...)
		case []byte:
			b = append(b, p...)
		}
	}
	return &Lines{source: bufio.NewReader(bytes.NewReader(b))}
}

// TestTheHeadOfAContainer: its map may have its sizes before its entries, as many bytes as are allowed, and no end that is missing.
func TestTheHeadOfAContainer(t *testing.T) {
	const key = "avro.schema"
	rest := strings.Repeat("x", maxMetadata-len(key)-1)
	for name, c := range map[string]struct {
		lines *Lines
		says  string // empty: it is read
	}{
		"no entry":         {linesOf(0), ""},
		"an entry":         {linesOf(1, key, "{}", 0), ""},
		"sizes":            {linesOf(-1, 14, key, "{}", 0), ""},
		"no size":          {linesOf(-1), "EOF"},
		"the most":         {linesOf(1, key, rest, 0), ""},
		"one more":         {linesOf(2, key, rest, "", "", 0), "more than"},
		"no end":           {linesOf(1, key, "{}"), "EOF"},
		"no value":         {linesOf(1, key), "EOF"},
		"a length below 0": {linesOf(1, -1), "a length of -1 bytes"},
		"a long name":      {linesOf(1, strings.Repeat("x", maxEntryName), "", 0), ""},
		"a longer name":    {linesOf(1, strings.Repeat("x", maxEntryName+1), "", 0), "more than the limit"},
	} {
		all, err := c.lines.metadata()
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %d entries, %v", name, len(all), err)
		}
	}
	if all, err := linesOf(-1, 14, key, "{}", 1, "a", "b", 0).metadata(); err != nil || len(all) != 2 || string(all[key]) != "{}" || string(all["a"]) != "b" {
		t.Errorf("%q, %v", all, err)
	}
	end := make([]byte, syncBytes)
	for count, says := range map[int]string{0: "", maxBlock: "", maxBlock + 1: "the number of its records", -1: "the number of its records"} {
		l := linesOf(count, "", end)
		l.unpack = func(b []byte) ([]byte, error) { return b, nil }
		if err := l.next(); (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%d records: %v", count, err)
		}
	}
}

// closing is a file that says how often it was closed, and with what.
type closing struct {
	io.Reader
	times int
	err   error
}

func (c *closing) Close() error {
	c.times++
	return c.err
}

// TestAContainerIsClosed once it has ended: that this fails counts only if it ended early.
func TestAContainerIsClosed(t *testing.T) {
	failed := errors.New("it cannot be closed")
	for name, c := range map[string]struct {
		lines *Lines
		want  error
	}{"whole": {linesOf(), io.EOF}, "damaged": {linesOf(-1), failed}} {
		file := &closing{err: failed}
		c.lines.closer = file
		for range 2 {
			if _, err := c.lines.Read(make([]byte, 9)); !errors.Is(err, c.want) || c.want == io.EOF && errors.Is(err, failed) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if file.times != 1 {
			t.Errorf("%s: closed %d times", name, file.times)
		}
	}
	directory := t.TempDir()
	if _, err := OpenFile(filepath.Join(directory, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	path := filepath.Join(directory, "text")
	if err := os.WriteFile(path, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if l, err := OpenFile(path); err == nil || !strings.HasPrefix(err.Error(), path+": ") || l != nil {
		t.Errorf("%v", err)
	}
}

// TestNumbersAreCut at the end of what there is, with an error that says whether more would help.
func TestNumbersAreCut(t *testing.T) {
	for _, c := range []struct {
		n    int64
		want error
	}{{0, nil}, {3, nil}, {4, errShort}, {math.MaxInt32, errShort}, {math.MaxInt32 + 1, errLength}, {-1, errLength}} {
		in := &input{data: []byte("abcd"), at: 1}
		if got, err := in.cut(c.n); !errors.Is(err, c.want) || err == nil && (len(got) != int(c.n) || in.at != 1+int(c.n)) {
			t.Errorf("%d of 3 bytes: %q, %v", c.n, got, err)
		}
	}
	for text, want := range map[string]error{"": errShort, "\x80": errShort, strings.Repeat("\xff", 11): errVarint, "\x02a": nil, "\x04a": errShort} {
		if got, err := (&input{data: []byte(text)}).text(); !errors.Is(err, want) || want == nil && string(got) != "a" {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

// TestPrintedValuesAreBounded by their number and their bytes, up to the bound.
func TestPrintedValuesAreBounded(t *testing.T) {
	s := &shape{kind: null}
	for _, c := range []struct {
		steps, bytes int
		good         bool
	}{{1, 0, true}, {0, 0, false}, {1, maxLine, true}, {1, maxLine + 1, false}} {
		p := &printer{steps: c.steps}
		if _, err := p.value(make([]byte, c.bytes), s); (err == nil) != c.good {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestTheHeadOfASingleObject: they are told by their first bytes, and known by their fingerprint; without a schema, or with one that is none, there are none.
func TestTheHeadOfASingleObject(t *testing.T) {
	if _, err := Single(); !errors.Is(err, errNoSchema) {
		t.Error(err)
	}
	if _, err := Single(`{"type":"record"`); err == nil {
		t.Error("a schema that is none")
	}
	object := append([]byte{firstMark, secondMark}, 1, 2, 3, 4, 5, 6, 7, 8)
	s := single{}
	for _, c := range []struct {
		value []byte
		want  string
	}{{object, "0807060504030201"}, {object[:singleBytes-1], ""}, {append([]byte{0}, object[1:]...), ""}, {nil, ""}, {append(object[:singleBytes:singleBytes], 9), "0807060504030201"}} {
		message := &kafka.Record{Value: c.value}
		if got := s.SchemaOf(message); got != c.want || s.Name(message) != "the schema with the fingerprint "+c.want {
			t.Errorf("%x: %q", c.value, got)
		}
	}
	if _, at, err := s.Find(&kafka.Record{}); err == nil || at != 0 {
		t.Errorf("no value: %d, %v", at, err)
	}
}

// TestSchemasOfARegistry: of another type none is read, those that it refers to are, and a registry may be unreachable by its own settings.
func TestSchemasOfARegistry(t *testing.T) {
	const text = `{"type":"record","name":"a","fields":[{"name":"b","type":"b"}]}`
	if _, err := compile(registry.Schema{Type: sr.TypeJSON, Text: `"null"`}); err == nil || !strings.Contains(err.Error(), "record.format is avro") {
		t.Error(err)
	}
	if _, err := compile(registry.Schema{Type: sr.TypeAvro, Text: text}); err == nil || !strings.Contains(err.Error(), "b") {
		t.Errorf("a type that nothing defines: %v", err)
	}
	if f, err := Registry(registry.Config{URLs: []string{"https://localhost"}, CAFile: "/absent"}); f != nil || err == nil || !strings.Contains(err.Error(), "registry.ca_file") {
		t.Errorf("%v, %v", f, err)
	}
	with := registry.Schema{Type: sr.TypeAvro, Text: text}
	with.References = append(with.References, registry.Reference{Text: `{"type":"fixed","name":"b","size":3}`})
	if s, err := compile(with); err != nil || len(s.fields) != 1 {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestUnionsSay what their branches have in common: symbols beside other texts are texts, and one that is null alone may be missing.
func TestUnionsSay(t *testing.T) {
	for union, want := range map[string]format.Kind{
		`["null",{"type":"enum","name":"e","symbols":["x"]}]`: format.Symbol, `[{"type":"enum","name":"e","symbols":["x"]},{"type":"record","name":"r","fields":[]}]`: format.Text,
		`["int","double"]`: format.Number, `["int","string"]`: format.Text, `["null","long"]`: format.Integer,
	} {
		s, err := parse(`{"type":"record","name":"a","fields":[{"name":"u","type":` + union + `}]}`)
		if err != nil {
			t.Fatal(union, err)
		}
		d := &format.Described{}
		describe(d, s, format.Field{})
		if at := len(d.Fields) - 1; at < 0 || d.Fields[at].Kind != want || d.Fields[at].Name != "u" {
			t.Errorf("%s: %+v", union, d.Fields)
		}
	}
}

// TestAMessageIsForgotten when the memory of a large delivery is given back.
func TestAMessageIsForgotten(t *testing.T) {
	d := decoderOf(t, `{"type":"record","name":"r","fields":[{"name":"y","type":"int"}]}`, schemaOf(t, fields.Config{})).(*decoder)
	var r fields.Record
	if err := d.Decode(&r, &kafka.Record{Value: []byte{2}}); err != nil || d.in.data == nil {
		t.Fatalf("%v, %v", err, d.in)
	}
	if d.Forget(); d.in.data != nil {
		t.Error("the decoder refers to the message still")
	}
}
