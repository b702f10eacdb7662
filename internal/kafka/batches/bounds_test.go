package batches

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/kafka/fault"
	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// TestTheHeadOfABatch that is cut at any byte, of formats before and after this one, and of impossible lengths.
func TestTheHeadOfABatch(t *testing.T) {
	head := func(length int32, magic byte) []byte {
		return append(append(binary.BigEndian.AppendUint32(make([]byte, 8), uint32(length)), 0, 0, 0, 0), magic)
	}
	const impossible, unknown, old = "is impossible", "is unknown", "before 0.11"
	for _, c := range []struct {
		bytes []byte
		says  string // empty: the batch is cut
	}{
		{head(batchHeader-batchPrefix, 2), ""}, {head(batchHeader-batchPrefix-1, 2), impossible}, {head(14, 1), old}, {head(13, 1), impossible}, {head(14, 2), impossible}, {head(14, 1)[:batchMagicAt], impossible},
		{head(1000, 1), old}, {head(1000, 2), ""}, {head(1000, 3), unknown}, {head(1000, 3)[:batchMagicAt], ""}, {head(1000, 1)[:batchPrefix], ""}, {head(-1, 2), impossible},
	} {
		_, size, err := readBatch(c.bytes)
		if size != 0 || (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%x: %d, %v", c.bytes, size, err)
		}
	}
	for length, says := range map[int32]string{1000: "ends within its first batch", 1: impossible} {
		if _, _, _, err := scan(head(length, 2)[:batchPrefix], 0, &abortFilter{}, nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("a response that ends behind a length of %d: %v", length, err)
		}
	}
}

// TestChunksAtTheirBounds: as many records, and as many bytes, as a chunk may have are one; a batch of more is one, too.
func TestChunksAtTheirBounds(t *testing.T) {
	of := func(counts ...int32) (all []batch) {
		for i, n := range counts {
			all = append(all, batch{base: int64(1000 * i), lastDelta: 9, count: n, inflated: int(n), epoch: int32(i)})
		}
		return all
	}
	for _, c := range []struct {
		batches []batch
		most    int
		part    int
	}{
		{of(chunkRecords-1, 1, 1), math.MaxInt, 2}, {of(chunkRecords, 1), math.MaxInt, 1}, {of(chunkRecords+1, 1), math.MaxInt, 1}, {of(3, 4, 1), 7, 2}, {of(3, 4, 1), 6, 1}, {of(9), 1, 1},
	} {
		part, next, epoch := cut(c.batches, c.most)
		if len(part) != c.part || next != int64(1000*(c.part-1)+10) || epoch != int32(c.part-1) {
			t.Errorf("of %d batches within %d bytes: %d up to %d in epoch %d, want %d", len(c.batches), c.most, len(part), next, epoch, c.part)
		}
	}
	if c := (&Chunk{batches: of(3, 4)}); c.Size() != 7 {
		t.Errorf("%d records", c.Size())
	}
	loss := &fault.DataLoss{Topic: "t", Partition: 3, Offset: 7, Resume: 20, Bounds: fault.Bounds{Start: 20, End: 30}}
	c := LossChunk(wire.TopicID{1}, loss)
	if c.Topic != "t" || c.Partition != 3 || c.First != 7 || c.Next != 20 || c.Loss != loss || c.Epoch != -1 || c.HighWatermark != 30 || c.LastStable != 30 || c.LogStart != 20 || c.ID != (wire.TopicID{1}) || c.Size() != 0 {
		t.Errorf("%+v", c)
	}
}

// recordOf is a record of an offset, without key and value, whose headers are the bytes.
func recordOf(offset int64, headers ...byte) []byte {
	body := binary.AppendVarint([]byte{0, 0}, offset) // attributes, and the time
	body = append(body, 1, 1)                         // no key, no value
	body = append(body, headers...)
	return append(binary.AppendVarint(nil, int64(len(body))), body...)
}

// TestRecordsAtTheirBounds: the largest offset in a batch, a count of no headers however it is written, and more headers than bytes can be.
func TestRecordsAtTheirBounds(t *testing.T) {
	for _, c := range []struct {
		bytes   []byte
		problem string
		headers int32
	}{
		{recordOf(math.MaxInt32, 0), "", 0}, {recordOf(math.MaxInt32+1, 0), "the offset cannot be read", 0}, {recordOf(0, 0), "", 0}, {recordOf(-1, 0), "the offset cannot be read", 0},
		{recordOf(5, 0x80, 0), "", 0}, {recordOf(5, 1), "the headers cannot be counted", 0}, {recordOf(5, 2, 0, 1), "", 1}, {recordOf(5, 2, 0), "the headers cannot be counted", 0}, {recordOf(5, 4, 0, 1), "the headers cannot be counted", 0},
	} {
		var r Record
		if rest, problem := decodeRecord(c.bytes, &batch{}, &r); problem != c.problem || problem == "" && (len(rest) != 0 || r.HeaderCount != c.headers) {
			t.Errorf("%x: %q, %d headers, %d bytes are left", c.bytes, problem, r.HeaderCount, len(rest))
		}
	}
	for _, c := range []struct {
		bytes []byte
		value int64
		size  int
	}{{nil, 0, 0}, {[]byte{0x80}, 0, 0}, {[]byte{0x7f}, -64, 1}, {[]byte{0x80, 0x01}, 64, 2}, {[]byte{0xff, 0x7f}, -8192, 2}, {[]byte{0x80, 0x80, 0x01}, 8192, 3}, {bytes.Repeat([]byte{0xff}, 11), 0, 0}} {
		if value, size := varint(c.bytes); size != c.size || size > 0 && value != c.value {
			t.Errorf("%x: %d in %d bytes", c.bytes, value, size)
		}
	}
}

// TestMemoryOfDecodedRecords: what is used counts, and all of an exceptional array does.
func TestMemoryOfDecodedRecords(t *testing.T) {
	for room, want := range map[int]int{keepInflated: 3, keepInflated + 1: keepInflated + 1} {
		d := &decoded{inflated: make([]byte, 3, room), moved: 5, records: make([]Record, 2)}
		if got := d.size(); got != int64(want+5+2*recordBytes) {
			t.Errorf("with room for %d: %d bytes", room, got)
		}
		if large := (&Chunk{decoded: d}).Large(); large != (room > keepInflated) {
			t.Errorf("with room for %d: large %v", room, large)
		}
	}
	if (&Chunk{}).Large() {
		t.Error("a chunk that is not decoded is large")
	}
	d := &decoded{inflated: make([]byte, 10)}
	if d.reserve(100, 200); d.moved != 10 || cap(d.inflated)-len(d.inflated) < 100+inflateSlack {
		t.Errorf("%d were moved, and there is room for %d", d.moved, cap(d.inflated)-len(d.inflated))
	}
	d = &decoded{inflated: make([]byte, 10, 110+inflateSlack)}
	if d.reserve(100, 200); d.moved != 0 {
		t.Error("there was just enough room")
	}
}

// TestBuffersAreUsedAgain when the last user lets go, unless they are exceptionally large.
func TestBuffersAreUsedAgain(t *testing.T) {
	again := func(size, users int) (same bool) {
		for range 50 { // the pool may drop one
			var p Buffers
			b := p.Get(0)
			b.Bytes = make([]byte, 0, size)
			for range users - 1 {
				b.share()
			}
			b.Release()
			same = same || p.Get(0) == b
			if size > keepBytes {
				return same
			}
		}
		return same
	}
	if !again(10, 1) || again(10, 2) || again(keepBytes+1, 1) {
		t.Errorf("%v, %v, %v", again(10, 1), again(10, 2), again(keepBytes+1, 1))
	}
}

// zipped are members of gzip, one behind the other.
func zipped(t *testing.T, texts ...string) []byte {
	t.Helper()
	var all bytes.Buffer
	for _, text := range texts {
		w := gzip.NewWriter(&all)
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return all.Bytes()
}

// TestDecompressedBehindOthers: the limit is of the payload alone, whatever stands before it; what is cut off, or no payload at all, is an error, and leaves nothing.
func TestDecompressedBehindOthers(t *testing.T) {
	text := strings.Repeat("fair stream ", 100)
	before := bytes.Repeat([]byte("before"), 1000)
	for _, codec := range []int16{wire.Gzip, wire.Snappy, wire.LZ4, wire.Zstd} {
		payload, err := deflate(codec, []byte(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := inflate(codec, payload, bytes.Clone(before), len(text))
		if err != nil || string(got) != string(before)+text {
			t.Errorf("codec %d: %d bytes, %v", codec, len(got), err)
		}
		if got, err := inflate(codec, payload, bytes.Clone(before), len(text)-1); !errors.Is(err, errInflated) || len(got) != len(before) {
			t.Errorf("codec %d, beyond the limit: %d bytes, %v", codec, len(got), err)
		}
		for name, broken := range map[string][]byte{"cut off": payload[:len(payload)/2], "no payload": []byte("this is nothing that was compressed")} {
			if got, err := inflate(codec, broken, bytes.Clone(before), len(text)); err == nil || len(got) != len(before) || !strings.Contains(err.Error(), wire.CodecNames[codec]) {
				t.Errorf("codec %d, %s: %d bytes, %v", codec, name, len(got), err)
			}
		}
	}
	defer func() {
		if why, _ := recover().(string); !strings.HasPrefix(why, "kafka: ") {
			t.Errorf("an unknown codec: %q", why)
		}
	}()
	_, _ = inflate(7, nil, nil, 0)
}

// TestMembersOfGzip: the last one says its own length, so all are measured, and the budget is charged for what was not known.
func TestMembersOfGzip(t *testing.T) {
	first, last := strings.Repeat("a", 70_000), "the last"
	payload := zipped(t, first, last)
	b := &batch{attributes: wire.Gzip, payload: payload, inflated: inflatedSize(wire.Gzip, payload)}
	if b.inflated != len(last) {
		t.Fatalf("the last member says %d", b.inflated)
	}
	for _, budget := range []*Budget{nil, NewBudget(1 << 30)} {
		c := &Chunk{budget: budget}
		got, err := c.inflate(t.Context(), b, &decoded{}, b.inflated)
		if err != nil || string(got) != first+last {
			t.Errorf("%d bytes, %v", len(got), err)
		}
		if want := int64(len(first)); budget != nil && c.account.decoded != want {
			t.Errorf("the budget is charged for %d, want %d", c.account.decoded, want)
		}
	}
	c, older := &Chunk{budget: NewBudget(1000)}, &account{}
	c.budget.give(older)
	c.budget.give(&c.account)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := c.inflate(ctx, b, &decoded{}, b.inflated); !errors.Is(err, context.Canceled) || got != nil {
		t.Errorf("without room: %d bytes, %v", len(got), err)
	}
}

// TestSizesAtTheirBounds: of a payload that ends with what tells its size.
func TestSizesAtTheirBounds(t *testing.T) {
	little := binary.LittleEndian
	lz4Head := append(little.AppendUint32(nil, 0x184d2204), 0x40, 4<<4, 0)
	for _, c := range []struct {
		name    string
		codec   int16
		payload []byte
		want    int
	}{
		{"gzip of four bytes", wire.Gzip, little.AppendUint32(nil, 5), 5}, {"gzip of three", wire.Gzip, make([]byte, 3), 3}, {"snappy that is none", wire.Snappy, bytes.Repeat([]byte{0xff}, 20), 20},
		{"zstd that ends with its header", wire.Zstd, []byte{0x28, 0xb5, 0x2f, 0xfd, 0x20, 9}, 0}, {"lz4 that ends with a length", wire.LZ4, little.AppendUint32(bytes.Clone(lz4Head), 10|1<<31), 10},
		{"lz4 that ends within one", wire.LZ4, append(bytes.Clone(lz4Head), 10, 0, 0), 0}, {"nothing", wire.None, make([]byte, 9), 0},
	} {
		if got := inflatedSize(c.codec, c.payload); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// TestBytesWithALength: as many as follow, and not one more.
func TestBytesWithALength(t *testing.T) {
	for text, want := range map[string]string{"\x02ab": "a", "\x04ab": "ab", "\x00ab": "", "\x06ab": "none", "\x08ab": "none", "\x03ab": "none", "": "none"} {
		value, rest, ok := sized([]byte(text))
		if ok != (want != "none") || ok && (string(value) != want || string(rest) != text[1+len(want):]) {
			t.Errorf("%q: %q and %q, %v", text, value, rest, ok)
		}
	}
}

// TestTimesOfABatch: a message without a time, as 0 or less, has that at which its batch was begun; each other keeps its own.
func TestTimesOfABatch(t *testing.T) {
	before := time.Now().UnixMilli()
	for first, given := range map[int64]bool{-1: false, 0: false, 1: true} {
		b := NewBuilder()
		b.Add(&Message{Timestamp: first})
		base := b.baseTime
		if given && base != first || !given && (base < before || base > time.Now().UnixMilli()) {
			t.Errorf("a message of time %d begins a batch of time %d", first, base)
		}
		b.Add(&Message{Timestamp: 1})
		b.Add(&Message{})
		if b.baseTime != base || b.maxTime != b.now || b.now < before || !given && b.now != base {
			t.Errorf("a batch begun at %d has the times %d to %d, and now %d", base, b.baseTime, b.maxTime, b.now)
		}
		b.Add(&Message{Timestamp: math.MaxInt64})
		if b.maxTime != math.MaxInt64 || b.Len() != 4 {
			t.Errorf("the latest of %d messages is of %d", b.Len(), b.maxTime)
		}
	}
}
