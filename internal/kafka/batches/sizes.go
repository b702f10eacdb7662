package batches

import (
	"bytes"
	"encoding/binary"
	"errors"

	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"

	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// MaxInflated bounds a decompressed batch. Producers' batches are at most max.message.bytes (1 MiB by default) before
// the broker, so this is a compression of 1:64 and more: beyond it, a batch is an attack or an accident.
const MaxInflated = 64 << 20

// chunkRecords and chunkBytes: a response is cut into chunks of whole batches that hold no more records than this and
// become no more bytes, or of one batch. So several goroutines can decode one partition, and a chunk stays a few MB
// however well its batches were compressed.
const (
	chunkRecords = 4096
	chunkBytes   = 8 << 20
)

// zstdBlock is the largest size of a block (RFC 8878, 3.1.1.2.4).
const zstdBlock = 128 << 10

// inflatedSize is how many bytes a payload becomes at most, or MaxInflated if that is less, without decompressing it. It
// is exact for snappy; for zstd and lz4, whose blocks have a largest size, a block a frame too much if the batch is of
// ordinary blocks. What gzip says of itself may be too little, and so is the guess for headers that cannot be read:
// inflate tells, and measure is asked.
func inflatedSize(codec int16, payload []byte) int {
	size := len(payload)
	switch codec {
	case wire.None:
		return 0 // it stays where it is
	case wire.Gzip:
		if len(payload) >= 4 {
			size = int(binary.LittleEndian.Uint32(payload[len(payload)-4:]))
		}
	case wire.Snappy:
		size = 0
		err := snappyBlocks(payload, func(block []byte) error {
			n, err := snappy.DecodedLen(block)
			size = min(size+n, MaxInflated) // or 2^32 empty blocks might add up to nothing
			return err
		})
		if err != nil {
			size = len(payload)
		}
	case wire.LZ4:
		size = lz4Size(payload)
	case wire.Zstd:
		size = zstdSize(payload)
	}
	return min(size, MaxInflated)
}

// Snappy as Java writes it: a magic, two versions, then blocks with their length (xerial's framing). Others write one
// bare block. Both say how long they become.
var xerialMagic = []byte{0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0}

const xerialHeader = 16

// snappyBlocks calls use for each block.
func snappyBlocks(payload []byte, use func(block []byte) error) error {
	if !bytes.HasPrefix(payload, xerialMagic) {
		return use(payload)
	}
	if len(payload) < xerialHeader {
		return errors.New("the header is truncated")
	}
	for payload = payload[xerialHeader:]; len(payload) > 0; {
		if len(payload) < 4 {
			return errors.New("the length of a block is truncated")
		}
		size := binary.BigEndian.Uint32(payload)
		payload = payload[4:]
		if uint64(size) > uint64(len(payload)) {
			return errors.New("a block is truncated")
		}
		if err := use(payload[:size]); err != nil {
			return err
		}
		payload = payload[size:]
	}
	return nil
}

// zstdSize adds up the frames. A frame has a header, which may say the size, and blocks: 3 bytes of size, type (raw, one
// repeated byte, compressed) and whether it is the last one, and the content.
func zstdSize(payload []byte) (size int) {
	for len(payload) > 0 {
		var header zstd.Header
		if header.Decode(payload) != nil || header.HeaderSize > len(payload) {
			return max(size, len(payload)) // the decoder will refuse it
		}
		payload = payload[header.HeaderSize:]
		if header.Skippable {
			payload = payload[min(uint64(header.SkippableSize), uint64(len(payload))):]
			continue
		}
		frame := 0
		for last := false; !last && len(payload) >= 3; {
			h := uint32(payload[0]) | uint32(payload[1])<<8 | uint32(payload[2])<<16
			stored, becomes := int(h>>3), int(h>>3)
			switch last = h&1 != 0; h >> 1 & 3 {
			case 1:
				stored = 1
			case 2:
				becomes = zstdBlock
			}
			payload = payload[min(3+stored, len(payload)):]
			frame = min(frame+becomes, MaxInflated)
		}
		if header.HasFCS {
			frame = int(min(uint64(frame), header.FrameContentSize))
		}
		if header.HasCheckSum {
			payload = payload[min(4, len(payload)):]
		}
		size = min(size+frame, MaxInflated)
	}
	return size
}

// lz4Size adds up the blocks of a frame: magic, flags, block size, at most 13 bytes more; then blocks with their length,
// whose highest bit says that they are not compressed, up to length 0.
func lz4Size(payload []byte) (size int) {
	const (
		checksums, contentSize, dictionary = 1 << 4, 1 << 3, 1
		smallest                           = 64 << 10
		expansion                          = 255 // a byte of a match's length stands for as many
	)
	if len(payload) < 7 || binary.LittleEndian.Uint32(payload) != 0x184d2204 {
		return len(payload)
	}
	flags, code := payload[4], payload[5]>>4&7
	if code < 4 {
		return len(payload)
	}
	largest := smallest << (2 * (code - 4))
	header, trailer := 7, 0
	if flags&contentSize != 0 {
		header += 8
	}
	if flags&dictionary != 0 {
		header += 4
	}
	if flags&checksums != 0 {
		trailer = 4
	}
	for payload = payload[min(header, len(payload)):]; len(payload) >= 4; {
		length := binary.LittleEndian.Uint32(payload)
		stored := int(length &^ (1 << 31))
		if stored == 0 {
			break // a frame behind it is found by inflate
		}
		becomes := stored
		if length>>31 == 0 {
			becomes *= expansion
		}
		size = min(size+min(becomes, largest), MaxInflated)
		payload = payload[min(4+stored+trailer, len(payload)):]
	}
	return size
}
