package record_test

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// put walks over decoded JSON as a format does over its own bytes.
func put(d *record.Decoder, n *record.Node, value any) error {
	switch v := value.(type) {
	case nil:
		return d.PutNull(n, -1)
	case bool:
		return d.PutBool(n, v, -1)
	case string:
		return d.Put(n, []byte(v), -1)
	case json.Number:
		return d.PutScratch(n, append(d.Scratch(), v...), -1)
	}
	if into, err := d.Open(n); err != nil || !into {
		return err
	}
	if err := putInside(d, n, value); err != nil {
		return err
	}
	d.Close()
	return nil
}

func putInside(d *record.Decoder, n *record.Node, value any) error {
	inside := n.Inside()
	if elements, ok := value.([]any); ok {
		for _, element := range elements {
			next, err := d.NextElement(&inside)
			if err == nil {
				err = put(d, next, element)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	for _, key := range keys(value.(map[string]any)) {
		next, err := d.Next(&inside, []byte(key))
		if err == nil {
			err = put(d, next, value.(map[string]any)[key])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// keys are sorted, as json.Marshal writes them.
func keys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// TestAWalkGivesTheRecordOfTheJSON: the oracle is DecodeJSON, of the same members in the same order, good and bad.
func TestAWalkGivesTheRecordOfTheJSON(t *testing.T) {
	t.Parallel()
	walker, parser := fullSchema(t).NewDecoder(), fullSchema(t).NewDecoder()
	for _, text := range []string{
		`{"a":1,"b":"x","c":null,"sex":"F","y":1,"w":0.5,"at":1700000000,"id":"r"}`,
		`{"a":{"b":1,"group":"g"},"c":[1,2,{"d":[]}],"w":1,"y":1}`,
		`{"a":{"b":true},"a.b":1,"y":1,"w":1}`,
		`{"a":"?","y":null,"w":1}`,
		`{"y":[1],"w":1}`,
		`{"sex":{"x":1},"y":1,"w":1}`,
		`{"id":[1],"y":1,"w":1}`,
		`{"w":-1,"y":1}`,
		`{"at":"x","w":1,"y":1}`,
		`{"a":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]],"w":1,"y":1}`,
		`{}`,
	} {
		var value any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&value); err != nil {
			t.Fatal(err)
		}
		sorted, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		var got, want record.Record
		wantErr := parser.DecodeJSON(&want, sorted)
		gotErr := walker.Begin(&got, len(sorted))
		if gotErr == nil {
			gotErr = putInside(walker, walker.Root(), value)
		}
		if gotErr == nil {
			gotErr = walker.End()
		}
		if wantErr != nil {
			expected, found := errors.AsType[*record.Rejection](wantErr)
			actual, ok := errors.AsType[*record.Rejection](gotErr)
			if !found || !ok || actual.Reason != expected.Reason || actual.Field != expected.Field {
				t.Errorf("%s: %v in place of %v", text, gotErr, wantErr)
			}
			continue
		}
		if gotErr != nil || !sameRecord(&got, &want) {
			t.Errorf("%s: %+v in place of %+v (%v)", text, got, want, gotErr)
		}
	}
}

func sameRecord(a, b *record.Record) bool {
	if len(a.Features) != len(b.Features) {
		return false
	}
	for i := range a.Features {
		x, y := a.Features[i], b.Features[i]
		if x.Name != y.Name || x.Missing != y.Missing || x.Hash != y.Hash || string(x.Text) != string(y.Text) {
			return false
		}
	}
	return reflect.DeepEqual(a.Attributes, b.Attributes) && string(a.ID) == string(b.ID) && string(a.Key) == string(b.Key) &&
		a.Time.Equal(b.Time) && a.HasLabel == b.HasLabel && a.Positive == b.Positive && a.Label == b.Label && a.Weight == b.Weight && a.Size == b.Size
}

// TestNumbersAreWrittenAsJSONHasThem: encoding/json writes floats as ECMAScript does, but for -0.
func TestNumbersAreWrittenAsJSONHasThem(t *testing.T) {
	t.Parallel()
	for _, x := range []float64{1, -1, 39, 0.1, 1e-7, 1.5e-9, 1e-10, 1e20, 1e21, 123456789e15, 1 << 53, 1<<53 + 2, -2.5, math.MaxFloat64, math.SmallestNonzeroFloat64, 1e-6} {
		want, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		if got := record.AppendNumber(nil, x, 64); string(got) != string(want) {
			t.Errorf("%v: %s in place of %s", x, got, want)
		}
		narrow := float32(x)
		if math.IsInf(float64(narrow), 0) {
			continue
		}
		if want, err = json.Marshal(narrow); err != nil {
			t.Fatal(err)
		}
		got := record.AppendNumber(nil, float64(narrow), 32)
		if narrow != 0 && string(got) != string(want) {
			t.Errorf("float32 %v: %s in place of %s", narrow, got, want)
		}
		if back, err := strconv.ParseFloat(string(got), 32); err != nil || float32(back) != narrow {
			t.Errorf("float32 %v is %v when it is read back (%v)", narrow, back, err)
		}
	}
	for x, want := range map[float64]string{math.Copysign(0, -1): "0", math.Inf(1): "Infinity", math.Inf(-1): "-Infinity"} {
		if got := record.AppendNumber(nil, x, 64); string(got) != want {
			t.Errorf("%s in place of %s", got, want)
		}
	}
	if got := record.AppendNumber(nil, math.NaN(), 64); string(got) != "NaN" {
		t.Errorf("%s in place of NaN", got)
	}
}

// TestAWalkRefusesWhatIsNotText: names and texts come from messages, and are shown to people.
func TestAWalkRefusesWhatIsNotText(t *testing.T) {
	t.Parallel()
	d := fullSchema(t).NewDecoder()
	var r record.Record
	if err := d.Begin(&r, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Member(d.Root(), "\xff"); err == nil {
		t.Error("a name that is not UTF-8 was taken")
	}
	inside := d.Root().Inside()
	if _, err := d.Next(&inside, []byte{0xff}); err == nil {
		t.Error("a key that is not UTF-8 was taken")
	}
	n, err := d.Member(d.Root(), "b")
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Put(n, []byte{0xff}, 7); err == nil || err.(*record.Rejection).Offset != 7 {
		t.Errorf("a text that is not UTF-8: %v", err)
	}
}

// TestAWalkAllocatesNothing: a format resolves its nodes once, and its records cost no memory.
func TestAWalkAllocatesNothing(t *testing.T) {
	d := fullSchema(t).NewDecoder()
	var nodes [4]*record.Node
	for i, name := range []string{"a", "b", "y", "w"} {
		n, err := d.Member(d.Root(), name)
		if err != nil {
			t.Fatal(err)
		}
		nodes[i] = n
	}
	var r record.Record
	text := []byte("x")
	if n := testing.AllocsPerRun(100, func() {
		err := d.Begin(&r, 20)
		for _, put := range []func() error{
			func() error { return d.PutFloat(nodes[0], 0.1, 64, -1) },
			func() error { return d.Put(nodes[1], text, -1) },
			func() error { return d.PutInt(nodes[2], 1, -1) },
			func() error { return d.PutInt(nodes[3], 1, -1) },
		} {
			if err == nil {
				err = put()
			}
		}
		if err == nil {
			err = d.End()
		}
		if err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations a record", n)
	}
}

// TestAFieldIsOpenedOnce: an object that comes twice is refused as a text would be, and one that is ignored is not gone into.
func TestAFieldIsOpenedOnce(t *testing.T) {
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "y", Positive: "1"}, Ignore: []string{"out", "out2"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := schema.NewDecoder()
	var r record.Record
	if err := d.Begin(&r, 10); err != nil {
		t.Fatal(err)
	}
	if into, err := d.Open(d.Root()); !into || err != nil {
		t.Fatal(into, err)
	}
	inside := d.Root().Inside()
	open := func(key string) (bool, error) {
		n, err := d.Next(&inside, []byte(key))
		if err != nil {
			t.Fatal(err)
		}
		return d.Open(n)
	}
	put := func(key string) error {
		n, err := d.Next(&inside, []byte(key))
		if err != nil {
			t.Fatal(err)
		}
		return d.Put(n, []byte("text"), -1)
	}
	if err := errors.Join(put("out2"), put("b")); err != nil || len(r.Features) != 1 || r.Features[0].Name != "b" {
		t.Errorf("of an ignored field and another one: %v, %+v", err, r.Features)
	}
	if again, ok := errors.AsType[*record.Rejection](put("b")); !ok || again.Reason != record.DuplicateField || len(r.Features) != 1 {
		t.Errorf("the same field again: %v, %+v", again, r.Features)
	}
	if into, err := open("out"); into || err != nil {
		t.Errorf("an ignored field is gone into: %t, %v", into, err)
	}
	if into, err := open("a"); !into || err != nil {
		t.Errorf("an object is not gone into: %t, %v", into, err)
	}
	d.Close()
	into, err := open("a")
	if r, ok := errors.AsType[*record.Rejection](err); into || !ok || r.Reason != record.DuplicateField {
		t.Errorf("the same object again: %t, %v", into, err)
	}
}
