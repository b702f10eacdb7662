package reserve

import (
	"bytes"
	"reflect"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/record"
)

// A packed record is unpacked as it was, and what is no packed record is refused.
func TestPack(t *testing.T) {
	r := record.Record{HasLabel: true, Positive: true, Label: -2.5, Weight: 3, Attributes: []record.Value{{Text: []byte("m")}, {Missing: true}},
		Features: []record.Field{
			{Name: "age", ID: record.NoName, Text: []byte("39"), Hash: record.Hash([]byte("39"))}, {Name: "work", ID: record.NoName, Missing: true},
			{Name: "town", ID: record.NoName, Text: []byte{}, Hash: record.Hash(nil)},
		}}
	for _, brings := range []control.Brings{control.Both, control.Itself, control.Label} {
		r.HasLabel = brings != control.Itself
		packed := pack(nil, &r, brings)
		got := record.Record{Attributes: make([]record.Value, 2)}
		if read, ok := unpack(&got, packed, map[string]string{}); !ok || read != brings || !reflect.DeepEqual(got, r) {
			t.Errorf("%+v became %+v", r, got)
		}
		if got := pack(nil, &got, brings); !bytes.Equal(got, packed) {
			t.Error("packed again, a record is another")
		}
		for end := range packed {
			var cut record.Record
			cut.Attributes = make([]record.Value, 2)
			if read, ok := unpack(&cut, packed[:end], map[string]string{}); ok && !bytes.Equal(pack(nil, &cut, read), packed[:end]) {
				t.Errorf("%d of %d bytes are a record", end, len(packed))
			}
		}
		for _, at := range []int{0, 8, 16} { // no truth value, label and weight beyond bounds
			wrong := slices.Clone(packed)
			wrong[at] = 0xff
			if _, ok := unpack(&got, wrong, map[string]string{}); ok {
				t.Errorf("with byte %d damaged it is a record", at)
			}
		}
	}
}
