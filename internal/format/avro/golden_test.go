package avro

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/goldentest"
)

// TestGoldenShapes: of types of every kind, alone and in unions, what is told of them, which values they could have, and where names lead.
func TestGoldenShapes(t *testing.T) {
	types := []string{`"null"`, `"boolean"`, `"int"`, `"long"`, `"float"`, `"double"`, `"string"`, `"bytes"`, `{"type":"string","logicalType":"uuid"}`,
		`{"type":"fixed","name":"f4","size":4}`, `{"type":"enum","name":"e1","symbols":["one","two"]}`, `{"type":"enum","name":"e2","symbols":["two","3"]}`,
		`{"type":"record","name":"r1","fields":[{"name":"x","type":"int","doc":"an x"},{"name":"y","type":["null","string"]}]}`,
		`{"type":"record","name":"r2","fields":[{"name":"x","type":{"type":"array","items":"int"}},{"name":"z","type":"boolean"}]}`,
		`{"type":"array","items":"string"}`, `{"type":"map","values":"double"}`, `{"type":"bytes","logicalType":"decimal","precision":9,"scale":2}`,
		`{"type":"int","logicalType":"date"}`, `{"type":"int","logicalType":"time-millis"}`, `{"type":"long","logicalType":"time-micros"}`,
		`{"type":"long","logicalType":"timestamp-millis"}`, `{"type":"long","logicalType":"local-timestamp-micros"}`, `{"type":"fixed","name":"id","size":16,"logicalType":"uuid"}`,
		`{"type":"fixed","name":"short","size":15,"logicalType":"uuid"}`, `{"type":"fixed","name":"span","size":12,"logicalType":"duration"}`}
	all := append([]string{}, types...)
	for i, a := range types {
		if i > 0 {
			all = append(all, `["null",`+a+`]`)
		}
		for _, b := range types[i+1:] {
			all = append(all, `[`+a+`,`+b+`]`)
		}
	}
	all = append(all, `["null","int","double","string"]`, `["int","double","null"]`, `["int","string","long"]`, `["null"]`)
	var text strings.Builder
	for _, one := range all {
		s, err := parse(`{"type":"record","name":"r","namespace":"n","fields":[{"name":"a","type":` + one + `,"doc":"words"}]}`)
		if err != nil {
			continue // not a union
		}
		d := &format.Described{}
		describe(d, s, format.Field{})
		fmt.Fprintf(&text, "%s: height %d\n", one, s.height)
		for _, f := range d.Fields {
			fmt.Fprintf(&text, "  %s %v %v %q %q\n", f.Name, f.Kind, f.Nullable, f.Symbols, f.Doc)
		}
		a := below(s, "a")
		fmt.Fprintf(&text, "  scalar %v, could be", scalar(a))
		for _, word := range []string{"", "one", "two", "3", "true", "false", "1e3"} {
			if couldBe(a, word) {
				fmt.Fprintf(&text, " %q", word)
			}
		}
		for _, path := range []string{"a.x", "a.y", "a.z", "a.x.0", "b", "a."} {
			if at := below(s, path); at != nil {
				fmt.Fprintf(&text, ", %s %d %v", path, at.kind, scalar(at))
			}
		}
		text.WriteByte('\n')
	}
	goldentest.Compare(t, "shapes.txt", text.String())
}

// TestTextsOfTimes at the ends of what each has: before 1970, with parts of a second, and of days.
func TestTextsOfTimes(t *testing.T) {
	for _, test := range []struct {
		kind  kind
		value int64
		want  string
	}{
		{date, 0, "1970-01-01"}, {date, -1, "1969-12-31"}, {date, 19_723, "2024-01-01"}, {timeMillis, 86_399_999, "23:59:59.999"}, {timeMicros, 86_399_999_999, "23:59:59.999999"},
		{timeMillis, 0, "00:00:00"}, {timestampMillis, 1, "1970-01-01T00:00:00.001Z"}, {timestampMicros, -1, "1969-12-31T23:59:59.999999Z"}, {timestampNanos, 1, "1970-01-01T00:00:00.000000001Z"},
		{localMillis, 1000, "1970-01-01T00:00:01"}, {localMicros, 1, "1970-01-01T00:00:00.000001"}, {localNanos, 1, "1970-01-01T00:00:00.000000001"},
	} {
		if got := string(appendTime([]byte("="), test.kind, test.value)); got != "="+test.want {
			t.Errorf("kind %d, %d: %s, want %s", test.kind, test.value, got, test.want)
		}
	}
	b := make([]byte, 16)
	for i := range b {
		b[i] = byte(i)
	}
	if got := string(appendUUID(nil, b)); got != "00010203-0405-0607-0809-0a0b0c0d0e0f" {
		t.Error(got)
	}
	if got := string(appendDuration(nil, []byte{1, 0, 0, 0, 2, 1, 0, 0, 0xdc, 5, 0, 0})); got != "P1M258DT1.5S" {
		t.Error(got)
	}
}

// TestBoundsOfAPrinter: so many values, each of which is one.
func TestBoundsOfAPrinter(t *testing.T) {
	s, err := parse(`{"type":"record","name":"r","fields":[{"name":"a","type":"null"},{"name":"b","type":"null"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	for steps, whole := range map[int]bool{2: false, 3: true, 4: true} {
		p := printer{steps: steps}
		if text, err := p.value(nil, s); (err == nil) != whole || whole && string(text) != `{"a":null,"b":null}` {
			t.Errorf("%d steps: %s, %v", steps, text, err)
		}
	}
}

// TestHeights of types, and fixed ones whose logical type has another size.
func TestHeights(t *testing.T) {
	for text, want := range map[string]struct {
		height int
		kind   kind
	}{
		`"int"`: {1, integer}, `{"type":"array","items":{"type":"map","values":"int"}}`: {3, array}, `["null",{"type":"array","items":"int"}]`: {3, union},
		`{"type":"fixed","name":"a","size":12,"logicalType":"duration"}`: {1, duration}, `{"type":"fixed","name":"a","size":16,"logicalType":"uuid"}`: {1, fixedUUID},
		`{"type":"record","name":"o","fields":[{"name":"x","type":{"type":"record","name":"i","fields":[{"name":"y","type":"int"}]}},{"name":"z","type":"int"}]}`: {3, record},
	} {
		s, err := parse(`{"type":"record","name":"r","fields":[{"name":"a","type":` + text + `}]}`)
		if err != nil || s.height != want.height || s.fields[0].shape.kind != want.kind {
			t.Errorf("%s: %v, %+v", text, err, s)
		}
	}
}
