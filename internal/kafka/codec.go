package kafka

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// Compression codecs, by their number in a batch's attributes.
const (
	codecNone = iota
	codecGzip
	codecSnappy
	codecLZ4
	codecZstd
)

var codecNames = [...]string{"none", "gzip", "snappy", "lz4", "zstd"}

func codecOf(name string) int16 {
	for i, known := range codecNames {
		if name == known {
			return int16(i)
		}
	}
	panic("kafka: unknown codec " + name) // Validate has checked it
}

// maxInflated bounds a decompressed batch. Producers' batches are at most max.message.bytes (1 MiB by default) before
// the broker, so this is a compression of 1:64 and more: beyond it, a batch is an attack or an accident.
const maxInflated = 64 << 20

var errInflated = errors.New("its decompressed size is above the limit (64 MiB)")

// inflate appends the decompressed payload, of at most limit bytes (and never more than maxInflated), to into, whose
// capacity it uses.
func inflate(codec int16, payload, into []byte, limit int) ([]byte, error) {
	switch codec {
	case codecGzip:
		return inflateGzip(payload, into, limit)
	case codecSnappy:
		return inflateSnappy(payload, into, limit)
	case codecLZ4:
		return inflateLZ4(payload, into, limit)
	case codecZstd:
		return inflateZstd(payload, into, limit)
	}
	panic("kafka: readBatch knows no other codec")
}

// drain reads a stream to its end into a bounded buffer.
func drain(stream io.Reader, into []byte, limit int) ([]byte, error) {
	begin := len(into)
	for {
		if len(into) == cap(into) {
			into = grow(into, max(64<<10, min(len(into), 4<<20)))
		}
		n, err := stream.Read(into[len(into):cap(into)])
		into = into[:len(into)+n]
		if len(into)-begin > limit {
			return into[:begin], errInflated
		}
		if err == io.EOF {
			return into, nil
		}
		if err != nil {
			return into[:begin], err
		}
	}
}

// A stream decompressor with the reader that feeds it, both used again.
type gzipStream struct {
	source bytes.Reader
	gzip.Reader
}

var gzipStreams = sync.Pool{New: func() any { return new(gzipStream) }}

func inflateGzip(payload, into []byte, limit int) ([]byte, error) {
	stream := gzipStreams.Get().(*gzipStream)
	defer gzipStreams.Put(stream)
	stream.source.Reset(payload)
	if err := stream.Reset(&stream.source); err != nil {
		return into, fmt.Errorf("gzip: %w", err)
	}
	into, err := drain(stream, into, limit)
	if err != nil {
		return into, fmt.Errorf("gzip: %w", err)
	}
	return into, nil
}

type lz4Stream struct {
	source bytes.Reader
	*lz4.Reader
}

var lz4Streams = sync.Pool{New: func() any { return &lz4Stream{Reader: lz4.NewReader(nil)} }}

func inflateLZ4(payload, into []byte, limit int) ([]byte, error) {
	stream := lz4Streams.Get().(*lz4Stream)
	defer lz4Streams.Put(stream)
	stream.source.Reset(payload)
	stream.Reset(&stream.source)
	into, err := drain(stream, into, limit)
	if err != nil {
		return into, fmt.Errorf("lz4: %w", err)
	}
	return into, nil
}

// One decoder serves every goroutine: DecodeAll is stateless.
var zstdDecoder = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxInflated), zstd.WithDecoderConcurrency(0),
		zstd.IgnoreChecksum(true)) // the batch's own covers the compressed bytes
	if err != nil {
		panic("kafka: zstd: " + err.Error()) // the options are constants
	}
	return d
})

func inflateZstd(payload, into []byte, limit int) ([]byte, error) {
	begin := len(into)
	into, err := zstdDecoder().DecodeAll(payload, into)
	if errors.Is(err, zstd.ErrDecoderSizeExceeded) || len(into)-begin > limit {
		return into[:begin], errInflated
	}
	if err != nil {
		return into[:begin], fmt.Errorf("zstd: %w", err)
	}
	return into, nil
}

// Snappy as Java writes it: a magic, two versions, then blocks with their length (xerial's framing). Others write one
// bare block. Both say how long they become, so the bound is checked before a byte is allocated.
var xerialMagic = []byte{0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0}

const xerialHeader = 16

func inflateSnappy(payload, into []byte, limit int) ([]byte, error) {
	if !bytes.HasPrefix(payload, xerialMagic) {
		return inflateSnappyBlock(payload, into, limit)
	}
	if len(payload) < xerialHeader {
		return into, errors.New("snappy: the header is truncated")
	}
	begin := len(into)
	for payload = payload[xerialHeader:]; len(payload) > 0; {
		if len(payload) < 4 {
			return into[:begin], errors.New("snappy: the length of a block is truncated")
		}
		size := binary.BigEndian.Uint32(payload)
		payload = payload[4:]
		if uint64(size) > uint64(len(payload)) {
			return into[:begin], errors.New("snappy: a block is truncated")
		}
		var err error
		if into, err = inflateSnappyBlock(payload[:size], into, limit-(len(into)-begin)); err != nil {
			return into[:begin], err
		}
		payload = payload[size:]
	}
	return into, nil
}

func inflateSnappyBlock(block, into []byte, limit int) ([]byte, error) {
	size, err := snappy.DecodedLen(block)
	if err != nil {
		return into, fmt.Errorf("snappy: %w", err)
	}
	if size > limit {
		return into, errInflated
	}
	into = grow(into, size)
	end := len(into) + size
	if _, err := snappy.Decode(into[len(into):end:end], block); err != nil {
		return into, fmt.Errorf("snappy: %w", err)
	}
	return into[:end], nil
}

var (
	gzipWriters = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}
	lz4Writers  = sync.Pool{New: func() any {
		w := lz4.NewWriter(nil)
		// Java's reader wants no checksum of the content, and blocks that do not depend on each other.
		if err := w.Apply(lz4.ChecksumOption(false), lz4.BlockSizeOption(lz4.Block64Kb)); err != nil {
			panic("kafka: lz4: " + err.Error()) // the options are constants
		}
		return w
	}}
	zstdEncoder = sync.OnceValue(func() *zstd.Encoder {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
		if err != nil {
			panic("kafka: zstd: " + err.Error()) // the options are constants
		}
		return e
	})
)

// deflate appends the compressed records to into. A bytes.Buffer never fails to write, so neither do the streams.
func deflate(codec int16, records, into []byte) ([]byte, error) {
	switch codec {
	case codecNone:
		return append(into, records...), nil
	case codecSnappy:
		return append(into, snappy.Encode(nil, records)...), nil
	case codecZstd:
		return zstdEncoder().EncodeAll(records, into), nil
	}
	buffer := bytes.NewBuffer(into)
	var stream interface {
		io.WriteCloser
		Reset(io.Writer)
	}
	if codec == codecGzip {
		writer := gzipWriters.Get().(*gzip.Writer)
		defer gzipWriters.Put(writer)
		stream = writer
	} else {
		writer := lz4Writers.Get().(*lz4.Writer)
		defer lz4Writers.Put(writer)
		stream = writer
	}
	stream.Reset(buffer)
	if _, err := stream.Write(records); err != nil {
		return into, err
	}
	if err := stream.Close(); err != nil {
		return into, err
	}
	return buffer.Bytes(), nil
}
