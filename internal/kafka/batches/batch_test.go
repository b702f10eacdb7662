package batches

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/kafka/fault"
	"github.com/fairstream/fairstream/internal/kafka/wire"
)

func offsets(records []Record) (all []int64) {
	for i := range records {
		all = append(all, records[i].Offset)
	}
	return all
}

func TestScanGivesWhatIsThere(t *testing.T) {
	for _, test := range []struct {
		name    string
		bytes   []byte
		from    int64
		aborted []wire.Aborted
		want    []int64
		next    int64
	}{
		{name: "nothing", from: 5, next: 5},
		{name: "one batch", bytes: batchOf(t, 5, 3, wire.None), from: 5, want: []int64{5, 6, 7}, next: 8},
		{name: "from within a batch", bytes: batchOf(t, 5, 3, wire.None), from: 7, want: []int64{7}, next: 8},
		{name: "from within a compressed batch", bytes: batchOf(t, 5, 3, wire.LZ4), from: 6, want: []int64{6, 7}, next: 8},
		{name: "a batch wholly before", bytes: join(batchOf(t, 1, 2, wire.None), batchOf(t, 5, 1, wire.None)), from: 5, want: []int64{5}, next: 6},
		{name: "a gap between batches", bytes: join(batchOf(t, 1, 1, wire.None), batchOf(t, 9, 1, wire.None)), from: 1, want: []int64{1, 9}, next: 10},
		{name: "an emptied batch", bytes: emptied(t, 10, 4), from: 10, next: 15},
		{name: "an emptied batch, from within", bytes: emptied(t, 10, 4), from: 12, next: 15},
		{name: "two emptied batches after a record", bytes: join(batchOf(t, 1, 1, wire.None), emptied(t, 2, 0), emptied(t, 3, 6)), from: 1, want: []int64{1}, next: 10},
		{name: "a cleaned tail", bytes: forge{base: 20, producer: 7, lastDelta: 9, deltas: []int64{0, 4},
			messages: []Message{{Value: []byte("a")}, {Value: []byte("b")}}}.bytes(t), from: 20, want: []int64{20, 24}, next: 30},
		{name: "a cleaned tail, compressed", bytes: forge{base: 20, codec: wire.Zstd, producer: 7, lastDelta: 9, deltas: []int64{1},
			messages: []Message{{Value: []byte("a")}}}.bytes(t), from: 20, want: []int64{21}, next: 30},
		{name: "a marker only", bytes: marker(t, 3, 7, commitMarker), from: 3, next: 4},
		{name: "cut in the next batch", bytes: join(batchOf(t, 5, 1, wire.None), batchOf(t, 6, 5, wire.None)[:100]), from: 5, want: []int64{5}, next: 6},
		{name: "cut in the next header", bytes: join(batchOf(t, 5, 1, wire.None), batchOf(t, 6, 5, wire.None)[:14]), from: 5, want: []int64{5}, next: 6},
		{name: "cut in the next length", bytes: join(batchOf(t, 5, 1, wire.None), batchOf(t, 6, 5, wire.None)[:9]), from: 5, want: []int64{5}, next: 6},
		{name: "a corrupt batch after a good one", bytes: join(batchOf(t, 5, 1, wire.None), patch(batchOf(t, 6, 1, wire.None), batchMagicAt, 9)), from: 5, want: []int64{5}, next: 6},
		{name: "delete horizon", bytes: forge{base: 2, producer: 7, attributes: deleteHorizon, messages: []Message{{Timestamp: 44}}}.bytes(t), from: 2, want: []int64{2}, next: 3},
		{name: "the last offset there is", bytes: patch(batchOf(t, 0, 1, wire.None), 0, binary.BigEndian.AppendUint64(nil, math.MaxInt64-1)...),
			from: math.MaxInt64 - 1, want: []int64{math.MaxInt64 - 1}, next: math.MaxInt64},

		{name: "aborted", bytes: join(inTransaction(t, 0, 7), inTransaction(t, 1, 8), marker(t, 2, 7, abortMarker), marker(t, 3, 8, commitMarker)),
			aborted: []wire.Aborted{{Producer: 7, First: 0}}, want: []int64{1}, next: 4},
		{name: "aborted, then committed by the same producer", bytes: join(inTransaction(t, 0, 7), marker(t, 1, 7, abortMarker), inTransaction(t, 2, 7), marker(t, 3, 7, commitMarker)),
			aborted: []wire.Aborted{{Producer: 7, First: 0}}, want: []int64{2}, next: 4},
		{name: "committed, then aborted by the same producer", bytes: join(inTransaction(t, 0, 7), marker(t, 1, 7, commitMarker), inTransaction(t, 2, 7), marker(t, 3, 7, abortMarker)),
			aborted: []wire.Aborted{{Producer: 7, First: 2}}, want: []int64{0}, next: 4},
		{name: "aborted twice", bytes: join(inTransaction(t, 0, 7), marker(t, 1, 7, abortMarker), inTransaction(t, 2, 7), marker(t, 3, 7, abortMarker), inTransaction(t, 4, 7)),
			aborted: []wire.Aborted{{Producer: 7, First: 2}, {Producer: 7, First: 0}}, want: []int64{4}, next: 5},
		{name: "aborted, from within", bytes: join(inTransaction(t, 5, 7), marker(t, 6, 7, abortMarker)), from: 5,
			aborted: []wire.Aborted{{Producer: 7, First: 1}}, next: 7},
		{name: "aborted, the marker in a later response", bytes: inTransaction(t, 5, 7), from: 5, aborted: []wire.Aborted{{Producer: 7, First: 5}}, next: 6},
		{name: "plain records of an aborted producer", bytes: join(inTransaction(t, 0, 7), forge{base: 1, producer: 7, messages: []Message{{}}}.bytes(t)),
			aborted: []wire.Aborted{{Producer: 7, First: 0}}, want: []int64{1}, next: 2},
		{name: "an aborted transaction that begins behind", bytes: inTransaction(t, 5, 7), from: 5, aborted: []wire.Aborted{{Producer: 7, First: 6}}, want: []int64{5}, next: 6},
	} {
		t.Run(test.name, func(t *testing.T) {
			records, next, err := decodeAll(test.bytes, test.from, test.aborted...)
			if err != nil {
				t.Fatal(err)
			}
			if got := offsets(records); !slices.Equal(got, test.want) || next != test.next {
				t.Errorf("offsets %v, next %d; want %v, %d", got, next, test.want, test.next)
			}
		})
	}
}

func TestScanRefusesWhatCannotBe(t *testing.T) {
	good := batchOf(t, 5, 3, wire.None)
	payload := func(bytes ...byte) []byte { return patch(append(good[:batchHeader:batchHeader], bytes...), 0) }
	lengthOf := func(b []byte) []byte { return patch(b, 8, int32Bytes(int32(len(b)-batchPrefix))...) }
	for _, test := range []struct {
		name  string
		bytes []byte
		want  string
	}{
		{"wrong checksum", func() []byte { b := append([]byte(nil), good...); b[len(b)-1] ^= 1; return b }(), "checksum"},
		{"wrong checksum in the header", func() []byte { b := append([]byte(nil), good...); b[60] ^= 1; return b }(), "checksum"},
		{"cut in its first batch", good[:len(good)-1], "ends within its first batch"},
		{"cut in its first header", good[:14], "ends within its first batch"},
		{"cut before its length", good[:9], "ends within its first batch"},
		{"length of 2 GiB", patch(good, 8, int32Bytes(math.MaxInt32)...), "ends within its first batch"},
		{"negative length", patch(good, 8, int32Bytes(-1)...), "length of -1"},
		{"length below the header", patch(good, 8, int32Bytes(48)...), "length of 48"},
		{"magic 0", patch(good, batchMagicAt, 0), "before 0.11"},
		{"magic 1", patch(good, batchMagicAt, 1), "before 0.11"},
		{"magic 1, short", patch(patch(good, batchMagicAt, 1), 8, int32Bytes(30)...), "before 0.11"},
		{"magic 3", patch(good, batchMagicAt, 3), "magic 3"},
		{"codec 5", patch(good, 21, 0, 5), "codec 5"},
		{"negative count", patch(good, 57, int32Bytes(-1)...), "counts -1"},
		{"huge count", patch(good, 57, int32Bytes(math.MaxInt32)...), "counts 2147483647"},
		{"huge count and delta", patch(patch(good, 57, int32Bytes(math.MaxInt32)...), 23, int32Bytes(math.MaxInt32-1)...), "counts 2147483647 records in"},
		{"huge count, compressed", patch(patch(batchOf(t, 5, 3, wire.Gzip), 57, int32Bytes(math.MaxInt32)...), 23, int32Bytes(math.MaxInt32-1)...), "counts 2147483647 records in"},
		{"negative delta", patch(good, 23, int32Bytes(-1)...), "offsets"},
		{"negative offset", patch(good, 0, 0xff), "offsets"},
		{"offsets beyond the last", patch(good, 0, binary.BigEndian.AppendUint64(nil, math.MaxInt64-2)...), "offsets"},
		{"count below the records", patch(good, 57, int32Bytes(2)...), "remain after its last record"},
		{"count above the records", patch(patch(good, 57, int32Bytes(4)...), 23, int32Bytes(3)...), "counts 4 records in 27 bytes"},
		{"delta below the records", patch(patch(good, 23, int32Bytes(1)...), 57, int32Bytes(2)...), "remain after"},
		{"offsets that fall", lengthOf(forge{base: 5, producer: -1, deltas: []int64{1, 0}, messages: []Message{{}, {}}}.bytes(t)), "out of order"},
		{"offsets that repeat", lengthOf(forge{base: 5, producer: -1, lastDelta: 3, deltas: []int64{1, 1}, messages: []Message{{}, {}}}.bytes(t)), "out of order"},
		{"garbage for records", lengthOf(payload(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)), "the length"},
		{"garbage, compressed", lengthOf(patch(payload(1, 2, 3, 4), 21, 0, wire.Zstd)), "zstd"},
	} {
		t.Run(test.name, func(t *testing.T) {
			records, next, err := decodeAll(test.bytes, 5)
			var corrupt *fault.CorruptError
			if !errors.As(err, &corrupt) {
				t.Fatalf("error %v with %d records, next %d; want a CorruptError", err, len(records), next)
			}
			if !strings.Contains(err.Error(), test.want) || corrupt.Offset < 0 || corrupt.Topic != "topic" {
				t.Errorf("error %q does not say %q", err, test.want)
			}
			if fault.ClassOf(err) != fault.Fatal {
				t.Errorf("class %v", fault.ClassOf(err))
			}
		})
	}
}

// Every kind of record cut or bent: the record is built by hand, so that its parts can lie.
func TestRecordsThatLie(t *testing.T) {
	for _, test := range []struct {
		name string
		body []byte // after the length
		want string
	}{
		{"key longer than the record", []byte{0, 0, 0, 40, 1, 1, 0}, "the key"},
		{"key of length -2", []byte{0, 0, 0, 3, 1, 1, 0}, "the key"},
		{"value longer than the record", []byte{0, 0, 0, 1, 40, 1, 0}, "the value"},
		{"no room for the headers' count", []byte{0, 0, 0, 1, 2, 1}, "the headers"},
		{"negative count of headers", []byte{0, 0, 0, 1, 1, 1}, "the headers"},
		{"many headers in few bytes", []byte{0, 0, 0, 1, 1, 40, 0}, "the headers"},
		{"a header with a null key", []byte{0, 0, 0, 1, 1, 2, 1, 1}, "header's key"},
		{"a header's key longer than the record", []byte{0, 0, 0, 1, 1, 2, 20, 1}, "header's key"},
		{"a header's value longer than the record", []byte{0, 0, 0, 1, 1, 2, 0, 20}, "header's value"},
		{"bytes after the headers", []byte{0, 0, 0, 1, 1, 2, 0, 1, 9}, "after the headers"},
		{"a timestamp without end", []byte{0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80}, "timestamp"},
		{"an offset without end", []byte{0, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80}, "offset"},
		{"a negative offset", []byte{0, 0, 1, 1, 1, 0, 0}, "offset"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := NewBuilder()
			b.Add(&Message{})
			b.records = append(binary.AppendVarint(nil, int64(len(test.body))), test.body...)
			bytes, err := b.appendTo(nil, wire.None)
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := decodeAll(bytes, 0); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v does not say %q", err, test.want)
			}
		})
	}
}
