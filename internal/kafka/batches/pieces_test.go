package batches

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// TestABatchIsLaidOut as Kafka's protocol has it (KIP-98): its sizes, attributes, times, producer and checksum, before and after it is stamped.
func TestABatchIsLaidOut(t *testing.T) {
	b := NewBuilder()
	b.Add(&Message{Key: []byte("k"), Value: []byte("first"), Timestamp: 1000})
	b.Add(&Message{Value: []byte("second"), Timestamp: 900})
	b.Add(&Message{Value: []byte("third"), Timestamp: 1500})
	if b.Len() != 3 || b.Size() == 0 || b.Room() < b.Size() {
		t.Errorf("%d messages of %d bytes in %d", b.Len(), b.Size(), b.Room())
	}
	size := b.Size()
	framed, err := b.Framed([]byte("before"), wire.None)
	if err != nil || string(framed[:10]) != "before\x00\x00\x00\x00" || len(framed) != 10+batchHeader+size {
		t.Fatalf("%d bytes, %v", len(framed), err)
	}
	batch, big := framed[10:], binary.BigEndian
	check := func(attributes uint16, producer int64, epoch int16, sequence int32) {
		t.Helper()
		if got := big.Uint32(batch[8:]); got != uint32(len(batch)-batchPrefix) {
			t.Errorf("the size is %d", got)
		}
		if got := big.Uint32(batch[17:]); got != crc32.Checksum(batch[21:], crc32.MakeTable(crc32.Castagnoli)) {
			t.Errorf("the checksum is %x", got)
		}
		if batch[16] != 2 || big.Uint32(batch[12:]) != 0xffffffff || big.Uint16(batch[21:]) != attributes || big.Uint32(batch[23:]) != 2 || big.Uint64(batch[27:]) != 1000 || big.Uint64(batch[35:]) != 1500 ||
			int64(big.Uint64(batch[43:])) != producer || int16(big.Uint16(batch[51:])) != epoch || int32(big.Uint32(batch[53:])) != sequence || big.Uint32(batch[57:]) != 3 {
			t.Errorf("%x", batch[:batchHeader])
		}
	}
	check(0, -1, -1, -1)
	Stamp(batch, 1<<40+7, 12, 1<<30+5)
	check(transactional, 1<<40+7, 12, 1<<30+5)
	room := b.Room()
	if b.Reset(); b.Len() != 0 || b.Size() != 0 || b.Room() != room {
		t.Errorf("emptied, it has %d messages of %d bytes in %d", b.Len(), b.Size(), b.Room())
	}
	if empty, err := b.Framed(nil, wire.None); err != nil || big.Uint32(empty[4+23:]) != 0 || big.Uint32(empty[4+57:]) != 0 {
		t.Errorf("an empty batch: %x, %v", empty, err)
	}
}

// lz4Frame is a frame with flags, of blocks that are compressed or not, with what flags say stands behind the header and each block.
func lz4Frame(flags, code byte, header, trailer int, blocks ...int) []byte {
	frame := append(binary.LittleEndian.AppendUint32(nil, 0x184d2204), flags, code<<4, 0)
	frame = append(frame, make([]byte, header)...)
	for _, block := range blocks {
		stored := uint32(max(block, -block))
		length := stored
		if block < 0 { // not compressed
			length |= 1 << 31
		}
		frame = append(binary.LittleEndian.AppendUint32(frame, length), make([]byte, int(stored)+trailer)...)
	}
	return append(frame, 0, 0, 0, 0)
}

// TestSizesOfFrames are those of their blocks: never less than what they become.
func TestSizesOfFrames(t *testing.T) {
	const checksums, contentSize, dictionary = 1 << 4, 1 << 3, 1
	for _, c := range []struct {
		name  string
		frame []byte
		want  int
	}{
		{"plain", lz4Frame(0, 4, 0, 0, 10, -7), 2550 + 7}, {"largest blocks", lz4Frame(0, 4, 0, 0, 1000, 1000), 2 * 64 << 10}, {"blocks of 256 kB", lz4Frame(0, 5, 0, 0, 2000), 256 << 10}, {"blocks of 4 MB", lz4Frame(0, 7, 0, 0, 2000), 2000 * 255},
		{"checksums", lz4Frame(checksums, 4, 0, 4, 10, -7), 2550 + 7}, {"a size", lz4Frame(contentSize, 4, 8, 0, 10), 2550}, {"a dictionary", lz4Frame(dictionary, 4, 4, 0, 10), 2550}, {"all of them", lz4Frame(checksums|contentSize|dictionary, 4, 12, 4, 10, 10), 5100},
		{"no block", lz4Frame(0, 4, 0, 0), 0}, {"seven bytes", lz4Frame(0, 4, 0, 0)[:7], 0}, {"six bytes", lz4Frame(0, 4, 0, 0)[:6], 6}, {"another magic", []byte("xxxxxxxxxx"), 10}, {"a code that is none", lz4Frame(0, 3, 0, 0, 10), 7 + 4 + 10 + 4}, {"cut off", lz4Frame(0, 4, 0, 0, -9)[:14], 9},
	} {
		if got := inflatedSize(wire.LZ4, c.frame); got != c.want {
			t.Errorf("lz4, %s: %d, want %d", c.name, got, c.want)
		}
	}
	text := []byte(strings.Repeat("fairstream ", 50_000)) // 550,000 bytes: five blocks
	for name, options := range map[string][]zstd.EOption{"plain": nil, "without a checksum": {zstd.WithEncoderCRC(false)}, "one segment": {zstd.WithSingleSegment(true)}} {
		writer, err := zstd.NewWriter(nil, options...)
		if err != nil {
			t.Fatal(err)
		}
		frame := writer.EncodeAll(text, nil)
		skipped := append([]byte{0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 'a', 'b', 'c'}, frame...)
		for what, payload := range map[string][]byte{"a frame": frame, "behind one to skip": skipped} {
			if got := inflatedSize(wire.Zstd, payload); got != len(text) {
				t.Errorf("zstd, %s, %s: %d", name, what, got)
			}
		}
		if got := inflatedSize(wire.Zstd, append(bytes.Clone(frame), frame...)); got != 2*len(text) {
			t.Errorf("zstd, %s, two frames: %d", name, got)
		}
	}
	block := func(size, kind, last uint32) []byte {
		h := size<<3 | kind<<1 | last
		return []byte{byte(h), byte(h >> 8), byte(h >> 16)}
	}
	head := []byte{0x28, 0xb5, 0x2f, 0xfd, 0, 0} // of a frame that does not say its size
	for name, c := range map[string]struct {
		payload []byte
		want    int
	}{
		"a byte repeated":                   {join(head, block(1000, 1, 1), []byte{7}), 1000},
		"as it is":                          {join(head, block(5, 0, 1), []byte("bytes")), 5},
		"compressed":                        {join(head, block(5, 2, 1), []byte("bytes")), zstdBlock},
		"three blocks":                      {join(head, block(5, 0, 0), []byte("bytes"), block(9, 1, 0), []byte{7}, block(5, 2, 1), []byte("bytes")), 5 + 9 + zstdBlock},
		"a byte less than a head":           {join(head, block(5, 0, 0), []byte("bytes"), []byte{1, 2}), 5},
		"cut off behind the head":           {join(head, block(1000, 0, 1)), 1000},
		"frames beyond the limit":           {slices.Repeat(join(head, slices.Repeat(join(block(zstdBlock, 1, 0), []byte{7}), 400), block(1, 1, 1), []byte{7}), 3), MaxInflated},
		"what cannot be read, behind frame": {join(head, block(1000, 1, 1), []byte{7}, []byte("no frame")), 1000},
	} {
		if got := inflatedSize(wire.Zstd, c.payload); got != c.want {
			t.Errorf("zstd, %s: %d, want %d", name, got, c.want)
		}
	}
	if got := inflatedSize(wire.Zstd, []byte("no frame")); got != 8 {
		t.Errorf("zstd, no frame: %d", got)
	}
	if got := inflatedSize(wire.Gzip, []byte("x\x10\x20\x00\x00")); got != 0x2010 {
		t.Errorf("gzip: %d", got)
	}
	if got := inflatedSize(wire.Gzip, []byte("\x10\x20\x00")); got != 3 {
		t.Errorf("gzip of three bytes: %d", got)
	}
	if inflatedSize(wire.None, text) != 0 {
		t.Error("what is not compressed stays where it is")
	}
}

// TestBlocksOfSnappy as Java frames them, and one bare block; what is cut off is an error.
func TestBlocksOfSnappy(t *testing.T) {
	framed := append(append(bytes.Clone(xerialMagic), make([]byte, 8)...), "\x00\x00\x00\x02ab\x00\x00\x00\x01c"...)
	blocks := func(payload []byte) (all []string, err error) {
		err = snappyBlocks(payload, func(block []byte) error {
			all = append(all, string(block))
			return nil
		})
		return all, err
	}
	if all, err := blocks(framed); err != nil || strings.Join(all, " ") != "ab c" {
		t.Errorf("%q, %v", all, err)
	}
	if all, err := blocks([]byte("bare")); err != nil || strings.Join(all, " ") != "bare" {
		t.Errorf("%q, %v", all, err)
	}
	if all, err := blocks(framed[:xerialHeader]); err != nil || all != nil {
		t.Errorf("no block: %q, %v", all, err)
	}
	for _, n := range []int{xerialHeader - 1, xerialHeader + 3, xerialHeader + 5, len(framed) - 1, len(framed) - 2} {
		if _, err := blocks(framed[:n]); err == nil || !strings.Contains(err.Error(), "truncated") {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	stop := errors.New("stop")
	if err := snappyBlocks(framed, func([]byte) error { return stop }); !errors.Is(err, stop) {
		t.Error(err)
	}
}

// TestABudgetIsShared: a fetch begins while there is room, the oldest chunk is always decoded, and whoever waits goes on when bytes are given back.
func TestABudgetIsShared(t *testing.T) {
	b := NewBudget(100)
	soon := func(f func(ctx context.Context) error) error {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		return f(ctx)
	}
	if b.charge(99); soon(b.Room) != nil {
		t.Error("there is room for one byte")
	}
	if b.charge(1); soon(b.Room) == nil {
		t.Error("there is no room")
	}
	waits := make(chan error)
	go func() { waits <- b.Room(t.Context()) }()
	for waiting := 0; waiting == 0; time.Sleep(time.Millisecond) {
		b.mutex.Lock()
		waiting = b.waiting
		b.mutex.Unlock()
	}
	b.charge(-100)
	if err := <-waits; err != nil {
		t.Error(err)
	}
	var first, second account
	b.give(&first)
	b.give(&second)
	decode := func(a *account, n int64) error {
		return soon(func(ctx context.Context) error { return b.decode(ctx, a, n) })
	}
	if err := decode(&first, 300); err != nil {
		t.Errorf("the oldest is decoded however large it is: %v", err)
	}
	if decode(&second, 1) == nil {
		t.Error("another has to wait")
	}
	b.settle(&first, 30)
	if err := decode(&second, 20); err != nil {
		t.Errorf("half of the budget is for records: %v", err)
	}
	if decode(&second, 1) == nil {
		t.Error("more than half of the budget")
	}
	if used, decoded, given := b.Held(); used != 50 || decoded != 50 || given != 2 {
		t.Errorf("%d, %d, %d", used, decoded, given)
	}
	b.release(&first)
	if used, decoded, given := b.Held(); used != 20 || decoded != 20 || given != 1 {
		t.Errorf("%d, %d, %d", used, decoded, given)
	}
	b.release(&second)
	if used, decoded, given := b.Held(); used != 0 || decoded != 0 || given != 0 {
		t.Errorf("%d, %d, %d", used, decoded, given)
	}
	if got := NewBudget(8 * chunkBytes).chunkBytes(); got != chunkBytes {
		t.Errorf("%d", got)
	}
	if got := NewBudget(80).chunkBytes(); got != 10 {
		t.Errorf("%d", got)
	}
	if got := (*Budget)(nil).chunkBytes(); got != chunkBytes {
		t.Errorf("%d", got)
	}
}
