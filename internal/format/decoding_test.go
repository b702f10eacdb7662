package format

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// numbered is a source of schemas that are numbers: the first byte of a message.
type numbered struct {
	Local
	prepared int
}

func (*numbered) Find(message *kafka.Record) (int, int, error) {
	if len(message.Value) == 0 {
		return 0, 0, &record.Rejection{Reason: record.Tombstone, Offset: -1}
	}
	return int(message.Value[0]), 1, nil
}

func (n *numbered) PrepareFor(*kafka.Record) { n.prepared++ }

func (*numbered) Name(message *kafka.Record) string { return fmt.Sprint("schema ", message.Value[0]) }

func (*numbered) SchemaOf(*kafka.Record) string { return "" }

func plainSchema(t *testing.T) *record.Schema {
	t.Helper()
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "y", Positive: "1"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// TestSchemasAreJudgedOnce: a schema that is unfit rejects each of its messages, by its name, and is looked at once; what is remembered is bounded.
func TestSchemasAreJudgedOnce(t *testing.T) {
	looks := map[int]int{}
	source := &numbered{}
	d := NewDecoding(plainSchema(t), source, func(s int, _ *record.Schema) error {
		if looks[s]++; s == 7 {
			return errors.New("has no field y")
		}
		return nil
	})
	for i, c := range []struct {
		value []byte
		want  record.Reason
		looks int
	}{{[]byte{1, 2}, "", 1}, {[]byte{1}, "", 1}, {[]byte{7}, record.UnfitSchema, 1}, {[]byte{7}, record.UnfitSchema, 1}, {[]byte{1}, "", 1}, {[]byte{2}, "", 1}, {nil, record.Tombstone, 0}} {
		s, at, err := d.Find(&kafka.Record{Value: c.value})
		rejection, _ := errors.AsType[*record.Rejection](err)
		if (rejection == nil) != (c.want == "") || rejection != nil && rejection.Reason != c.want || len(c.value) > 0 && (looks[int(c.value[0])] != c.looks || c.want == "" && (s != int(c.value[0]) || at != 1)) {
			t.Errorf("message %d: schema %d at %d, %v; looked at %v", i, s, at, err, looks)
		}
		if c.want == record.UnfitSchema && rejection.Detail != "schema 7 has no field y" {
			t.Errorf("%q", rejection.Detail)
		}
	}
	if d.Prepare(&kafka.Record{}); source.prepared != 1 {
		t.Errorf("prepared %d times", source.prepared)
	}
	for s := range maxJudged + 10 {
		d.judged[1000+s] = nil
		if len(d.judged) > maxJudged {
			delete(d.judged, 1000+s)
			break
		}
	}
	if _, _, err := d.Find(&kafka.Record{Value: []byte{9}}); err != nil || len(d.judged) != 1 {
		t.Errorf("%v, %d schemas are remembered", err, len(d.judged))
	}
}

// TestNodesAreBound to the fields of a schema, in their order, until another one comes.
func TestNodesAreBound(t *testing.T) {
	d := NewDecoding(plainSchema(t), &numbered{}, func(int, *record.Schema) error { return nil })
	if err := d.Bind(1, []string{"a", "b"}); err != nil || len(d.Nodes) != 2 || d.Nodes[0] == d.Nodes[1] || !d.Bound() {
		t.Fatalf("%v, %d nodes", err, len(d.Nodes))
	}
	first := d.Nodes[0]
	if err := d.Bind(1, nil); err != nil || len(d.Nodes) != 2 {
		t.Errorf("the same schema is bound again: %v, %d nodes", err, len(d.Nodes))
	}
	if err := d.Bind(2, []string{"b", "c", "a"}); err != nil || len(d.Nodes) != 3 || d.Nodes[2] != first {
		t.Errorf("%v, %d nodes", err, len(d.Nodes))
	}
}

// TestOneSchema is that of every message with a value.
func TestOneSchema(t *testing.T) {
	o := One[int]{Schema: 5}
	if s, at, err := o.Find(&kafka.Record{Value: []byte{}}); s != 5 || at != 0 || err != nil {
		t.Errorf("%d at %d, %v", s, at, err)
	}
	if rejection, ok := errors.AsType[*record.Rejection](errorOfFind(o)); !ok || rejection.Reason != record.Tombstone || rejection.Offset != -1 {
		t.Errorf("%v", rejection)
	}
	m := &kafka.Record{Value: []byte("x")}
	if o.SchemaOf(m) != "" || o.Name(m) != "the schema of record.schema" || string(o.Whole(m)) != "x" || o.Waits() != nil {
		t.Error("one schema is more")
	}
	o.PrepareFor(m)
	o.Close()
}

func errorOfFind(o One[int]) error {
	if _, at, err := o.Find(&kafka.Record{}); at == 0 {
		return err
	}
	return nil
}

// TestDescribedIsBounded: so many steps, so many fields, and names of a bounded length.
func TestDescribedIsBounded(t *testing.T) {
	d := &Described{}
	for i := range 4 * MaxFields {
		if !d.Step("a") {
			t.Fatalf("step %d is too many", i)
		}
	}
	if d.Step("a") {
		t.Error("one step more")
	}
	if !(&Described{}).Step(strings.Repeat("n", longestName)) || (&Described{}).Step(strings.Repeat("n", longestName+1)) {
		t.Error("the length of a name")
	}
	if full := (&Described{Fields: make([]Field, MaxFields)}); full.Step("a") || !(&Described{Fields: make([]Field, MaxFields-1)}).Step("a") {
		t.Error("the number of fields")
	}
	d = &Described{Fields: []Field{{Name: "after.a"}, {Name: "after.b.c"}, {Name: "after"}, {Name: "afterwards.d"}}}
	if all := d.Within(nil); len(all) != 4 {
		t.Errorf("%v", all)
	}
	if inside := d.Within([]string{"after"}); len(inside) != 2 || inside[0].Name != "a" || inside[1].Name != "b.c" || d.Fields[0].Name != "after.a" {
		t.Errorf("%v of %v", inside, d.Fields)
	}
	if inside := d.Within([]string{"after", "b"}); len(inside) != 1 || inside[0].Name != "c" {
		t.Errorf("%v", inside)
	}
}

// TestTextsAsJSON are what a decoder of JSON reads: of bytes that are no UTF-8 what could be confused with the end of the text is left out.
func TestTextsAsJSON(t *testing.T) {
	for text, want := range map[string]string{"": `""`, "a b": `"a b"`, "a\"b": `"a\"b"`, `a\b`: `"a\\b"`, "a\nb": `"a\nb"`, "é": `"é"`, "\x7f": "\"\x7f\"", " ": `" "`, "\x1f": `"\u001f"`} {
		if got := string(AppendQuoted([]byte("x"), []byte(text))); got != "x"+want {
			t.Errorf("%q becomes %s, want %s", text, got, want)
		}
		var back string
		if err := json.Unmarshal(AppendQuoted(nil, []byte(text)), &back); err != nil || back != text {
			t.Errorf("%q is read as %q, %v", text, back, err)
		}
	}
	if got := string(AppendQuoted(nil, []byte("a\xff\"\\\n b"))); got != "\"a\xff b\"" {
		t.Errorf("%q", got)
	}
	for x, want := range map[float64]string{1.5: "1.5", math.Inf(1): `"+Inf"`, math.Inf(-1): `"-Inf"`} {
		if got := string(AppendFloat(nil, x, 64)); strings.Trim(got, `"`) == got != (want[0] != '"') {
			t.Errorf("%v becomes %s", x, got)
		}
	}
	if got := string(AppendFloat(nil, math.NaN(), 64)); got != `"NaN"` {
		t.Error(got)
	}
}

// TestPendingNamesItsSchema: a record that waits says for what.
func TestPendingNamesItsSchema(t *testing.T) {
	if p := (&Pending{Schema: "schema id 7"}); p.Error() != "schema id 7 is not known yet" {
		t.Error(p)
	}
}
