package protobuf

import (
	"fmt"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestTypesInTurn: messages of two types by turns, and a flood of keys for which a decoder forgets the names that it knew, change no record.
func TestTypesInTurn(t *testing.T) {
	schema := schemaOf(t, record.Config{Label: record.Label{Field: "y", Positive: "1"}, Limits: record.Limits{Fields: 5000}})
	const types = `syntax = "proto3"; message A { int32 y = 1; string a = 2; map<string, int32> m = 3; } message B { string b = 1; int32 y = 2; }`
	d := decoderOf(t, types, schema)
	number := func(data []byte, field protowire.Number, value uint64) []byte {
		return protowire.AppendVarint(protowire.AppendTag(data, field, protowire.VarintType), value)
	}
	text := func(data []byte, field protowire.Number, value string) []byte {
		return protowire.AppendString(protowire.AppendTag(data, field, protowire.BytesType), value)
	}
	decoded := func(value []byte, want string) {
		t.Helper()
		var r record.Record
		if err := d.Decode(&r, &kafka.Record{Value: value}); err != nil || !r.Positive || flatten(&r) != want {
			t.Fatalf("%v, %v: %s in place of %s", err, r.Positive, flatten(&r), want)
		}
	}
	alternate := func() {
		t.Helper()
		for range 3 {
			decoded(text(number([]byte{0, 0, 0, 0, 7, 0}, 1, 1), 2, "x"), "a=x")
			decoded(number(text([]byte{0, 0, 0, 0, 7, 2, 2}, 1, "z"), 2, 1), "b=z")
		}
	}
	alternate()
	for i := range 2 * record.MaxNames / 4000 {
		flood := number([]byte{0, 0, 0, 0, 7, 0}, 1, 1)
		for k := range 4000 {
			flood = text(flood, 3, string(text(nil, 1, fmt.Sprint(i, "-", k))))
		}
		var r record.Record
		if err := d.Decode(&r, &kafka.Record{Value: flood}); err != nil || len(r.Features) != 4001 {
			t.Fatal(len(r.Features), err)
		}
		if decoded(text(number([]byte{0, 0, 0, 0, 7, 0}, 1, 1), 2, "x"), "a=x"); !d.Bound() {
			t.Fatal("nodes that were forgotten are in use")
		}
	}
	alternate()
}
