package protobuf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/sr"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/format/registry"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestIndexesOfTypes: as many as types may be inside each other are read, one more and fewer than none are not; what follows them is the message.
func TestIndexesOfTypes(t *testing.T) {
	indexes := func(count int64, given int) []byte {
		b := binary.AppendVarint(nil, count)
		for range given {
			b = binary.AppendVarint(b, 1)
		}
		return b
	}
	for _, c := range []struct {
		bytes []byte
		size  int // 0: an error
	}{{indexes(maxIndexes, maxIndexes), 2 + maxIndexes}, {indexes(maxIndexes+1, maxIndexes+1), 0}, {indexes(-1, 0), 0}, {indexes(0, 0), 1}, {append(indexes(1, 1), 9), 2}, {indexes(2, 1), 0}, {nil, 0}} {
		if _, size, err := typeIndexes(c.bytes); size != c.size || (err == nil) != (c.size > 0) {
			t.Errorf("%x: %d bytes, %v", c.bytes, size, err)
		}
	}
	whole := &shape{}
	f := &file{types: map[string]made{"\x00": {shape: whole}}}
	for at, want := range map[int]int{0: 0, 5: 6} { // in a header of Kafka, or in the value
		if s, begins, err := f.find(format.Named{Rest: []byte{0}, At: at}); s != whole || begins != want || err != nil {
			t.Errorf("at %d: the message begins at %d, %v", at, begins, err)
		}
	}
	_, _, err := f.find(format.Named{Rest: []byte{2, 2}, At: 5})
	rejected(t, err, record.UnfitSchema, "has no type with the indexes of the message")
}

// unknown is a source that knows no schema.
type unknown struct{ fixed }

var errUnknown = errors.New("unknown")

func (unknown) Find(*kafka.Record) (*shape, int, error) { return nil, 0, errUnknown }

// TestMessagesWithoutASchema: whoever needs it is told.
func TestMessagesWithoutASchema(t *testing.T) {
	f := protobuf{unknown{}}
	if dst, err := f.AppendJSON([]byte("before"), nil); !errors.Is(err, errUnknown) || string(dst) != "before" {
		t.Errorf("%s, %v", dst, err)
	}
	if d, err := f.Describe(nil); !errors.Is(err, errUnknown) || d != nil {
		t.Errorf("%+v, %v", d, err)
	}
	if descriptor("AAAA", "p.proto") != nil || descriptor("", "p.proto") != nil || descriptor("%", "p.proto") != nil {
		t.Error("a text that is no descriptor is one")
	}
}

// TestPrintedRecordsAreBounded by their values and their bytes, up to the bound.
func TestPrintedRecordsAreBounded(t *testing.T) {
	for steps, good := range map[int]bool{1: true, 0: false} {
		if p := (&printer{steps: steps}); (p.step(nil) == nil) != good {
			t.Errorf("of %d values that are left, one: %v", steps, !good)
		}
	}
	for bytes, good := range map[int]bool{maxLine: true, maxLine + 1: false} {
		if p := (&printer{steps: 9}); (p.step(make([]byte, bytes)) == nil) != good {
			t.Errorf("%d bytes: %v", bytes, !good)
		}
	}
	s := parsed(t, `syntax = "proto3"; message A { string a = 1; repeated int32 b = 2; map<string, int32> c = 3; }`)
	entry := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), "k")
	data := protowire.AppendBytes(protowire.AppendTag(nil, 3, protowire.BytesType), protowire.AppendVarint(protowire.AppendTag(entry, 2, protowire.VarintType), 7))
	data = append(data, 1<<3|2, 1, 'x', 2<<3|2, 2, 5, 6)
	least := 0
	for steps := range 20 {
		text, err := (&printer{steps: steps}).members(nil, s, data)
		if err == nil {
			least = steps
			if string(text) != `{"a":"x","b":[5,6],"c":{"k":7}}` {
				t.Errorf("%s", text)
			}
			break
		}
		if !errors.Is(err, errTooMany) {
			t.Fatal(err)
		}
	}
	if least != 3+1+2+1 { // fields, and values of each
		t.Errorf("%d values are enough", least)
	}
	if _, err := (&printer{steps: 3}).members(nil, s, nil); err == nil {
		t.Error("a text that is not there is a value")
	}
	lists := parsed(t, `syntax = "proto3"; message A { repeated int32 a = 1; repeated int32 b = 2; }`)
	for steps, good := range map[int]bool{2: true, 1: false} { // each field counts, although none has a value
		if _, err := (&printer{steps: steps}).members(nil, lists, nil); (err == nil) != good {
			t.Errorf("two empty lists where %d values are left: %v", steps, err)
		}
	}
	if text, err := (&printer{steps: 4}).members(nil, s, nil); err != nil || string(text) != `{"a":""}` {
		t.Errorf("%s, %v", text, err)
	}
}

// TestNumbersOfFields on both sides of those that have a place of their own.
func TestNumbersOfFields(t *testing.T) {
	places := len(shape{}.small)
	for _, number := range []int{1, places - 1, places, places + 1, 1 << 28} {
		s := parsed(t, fmt.Sprintf(`syntax = "proto3"; message A { int32 before = %d; int32 a = %d; }`, number%places+2, number))
		values := make([]value, len(s.fields))
		data := protowire.AppendVarint(protowire.AppendTag(nil, protowire.Number(number), protowire.VarintType), 7)
		if err := scan(s, data, values); err != nil || values[1].number != 7 || values[0].times != 0 {
			t.Errorf("field %d: %+v, %v", number, values, err)
		}
	}
}

// TestPathsBelowAType: through messages; in a list or a map only messages show what there is, and in a time there is nothing.
func TestPathsBelowAType(t *testing.T) {
	s := parsed(t, `syntax = "proto3"; import "google/protobuf/timestamp.proto";
		message A { M m = 1; repeated M list = 2; map<string, M> map = 3; google.protobuf.Timestamp at = 4; string mx = 5; }
		message M { string a = 1; M2 m2 = 2; } message M2 { int32 b = 1; }`)
	for path, want := range map[string]string{"m": "m", "m.a": "a", "m.m2.b": "b", "list": "list", "list.a": "list dynamic", "map.k": "map dynamic", "at.seconds": "", "mx": "mx", "mx.a": "", "none": "", "m.none": ""} {
		f, dynamic := s.below(path)
		got := ""
		if f != nil {
			got = string(f.key)
		}
		if dynamic {
			got += " dynamic"
		}
		if got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// TestTypesThatCouldBe a label or a group: decimals and numbers that read as one, times any text, and what scores alone needs neither.
func TestTypesThatCouldBe(t *testing.T) {
	const text = `syntax = "proto3"; import "google/protobuf/timestamp.proto"; import "confluent/type/decimal.proto";
		message A { confluent.type.Decimal d = 1; google.protobuf.Timestamp at = 2; double x = 3; bool b = 4; bytes raw = 5; }`
	s := parsed(t, text)
	for i, c := range []map[string]bool{{"": true, "1.5": true, "yes": false}, {"": false, "yes": true}, {"": true, "1e3": true, "yes": false}, {"true": true, "false": true, "": false}, {"": false, "yes": true}} {
		for wanted, could := range c {
			if couldBe(&s.fields[i], wanted) != could {
				t.Errorf("%s could be %q: %v", s.fields[i].key, wanted, !could)
			}
		}
	}
	schema := schemaOf(t, record.Config{}, "sex")
	if err := unfit(s, schema); err == nil {
		t.Error("a schema without label and attribute fits")
	}
	if err := unfit(s, schema.Scored()); err != nil {
		t.Errorf("what is only scored needs neither: %v", err)
	}
	f, err := compile(registry.Schema{Type: sr.TypeProtobuf, Text: `syntax = "proto3"; message A { int32 y = 1; double sex = 2; }`})
	if err != nil {
		t.Fatal(err)
	}
	if err := unfit(f.types["\x00"].shape, schemaOf(t, record.Config{}, "sex")); err != nil {
		t.Errorf("an attribute whose groups are its values: %v", err)
	}
	if err := unfit(f.types["\x00"].shape, schemaOf(t, record.Config{}, "sex").WithGroups(map[string][]string{"sex": {"M"}})); err == nil || !strings.Contains(err.Error(), "its groups") {
		t.Errorf("%v", err)
	}
}

// TestARegistryThatCannotBeUsed by its own settings is none.
func TestARegistryThatCannotBeUsed(t *testing.T) {
	if f, err := Registry(registry.Config{URLs: []string{"https://localhost"}, CAFile: "/absent"}); f != nil || err == nil || !strings.Contains(err.Error(), "registry.ca_file") {
		t.Errorf("%v, %v", f, err)
	}
}

// TestElementsThatAreIgnored are passed over, and those beside them are not; what was read is forgotten with the memory of a large delivery.
func TestElementsThatAreIgnored(t *testing.T) {
	d := decoderOf(t, `syntax = "proto3"; message M { int32 y = 1; repeated int64 list = 2; map<string, int64> more = 3; }`, schemaOf(t, record.Config{Ignore: []string{"list.1", "more.b"}}))
	var r record.Record
	message := []byte{8, 1, 0x12, 3, 5, 6, 7, 0x1a, 5, 0x0a, 1, 'a', 0x10, 8, 0x1a, 5, 0x0a, 1, 'b', 0x10, 9}
	if err := d.Decode(&r, &kafka.Record{Value: append([]byte{0, 0, 0, 0, 7, 0}, message...)}); err != nil || withoutMissing(&r) != "list.0=5 list.2=7 more.a=8" {
		t.Errorf("%v: %s", err, withoutMissing(&r))
	}
	if d.Forget(); slices.ContainsFunc(d.values[:cap(d.values)], func(v value) bool { return v.times != 0 || v.bytes != nil }) {
		t.Error("the decoder refers to the message still")
	}
}
