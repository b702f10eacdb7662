package batches

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/fairstream/fairstream/internal/kafka/wire"
)

var errInflated = errors.New("its decompressed size is above the limit (64 MiB)")

// inflateSlack is room behind the decompressed bytes: of a block in the making (zstd), and to read the end of a stream.
const inflateSlack = zstdBlock + 64

// inflate appends the decompressed payload, of at most limit bytes, to into. It allocates only if into has no room for
// limit and inflateSlack bytes more.
func inflate(codec int16, payload, into []byte, limit int) (_ []byte, err error) {
	begin := len(into)
	into = wire.Grow(into, limit+inflateSlack)
	switch codec {
	case wire.Gzip:
		err = gzipStreamOf(payload, func(stream io.Reader) error { into, err = drain(stream, into, limit); return err })
	case wire.Snappy:
		into, err = inflateSnappy(payload, into, limit)
	case wire.LZ4:
		err = lz4StreamOf(payload, func(stream io.Reader) error { into, err = drain(stream, into, limit); return err })
	case wire.Zstd:
		into, err = inflateZstd(payload, into, limit)
	default:
		panic("kafka: readBatch knows no other codec")
	}
	if err != nil && !errors.Is(err, errInflated) {
		err = fmt.Errorf("%s: %w", wire.CodecNames[codec], err)
	}
	if err != nil {
		into = into[:begin]
	}
	return into, err
}

// measure is the exact size of a payload that becomes longer than inflatedSize took from its header: of gzip in several
// members, or a header that lies. It keeps nothing of what it decompresses.
func measure(codec int16, payload []byte) (size int, err error) {
	count := func(stream io.Reader) error {
		n, err := io.Copy(io.Discard, io.LimitReader(stream, MaxInflated+1))
		size = int(n)
		return err
	}
	switch codec {
	case wire.Gzip:
		err = gzipStreamOf(payload, count)
	case wire.LZ4:
		err = lz4StreamOf(payload, count)
	default:
		return MaxInflated, nil // their blocks say how long they become at most: only the limit cut that
	}
	if err == nil && size > MaxInflated {
		err = errInflated
	}
	return size, err
}

// drain reads a stream to its end into a buffer that has the room.
func drain(stream io.Reader, into []byte, limit int) ([]byte, error) {
	for begin := len(into); ; {
		n, err := stream.Read(into[len(into):cap(into)])
		into = into[:len(into)+n]
		if len(into)-begin > limit {
			return into, errInflated
		}
		if err == io.EOF {
			return into, nil
		}
		if err != nil {
			return into, err
		}
	}
}

// A stream decompressor with the reader that feeds it, both used again.
type gzipStream struct {
	source bytes.Reader
	gzip.Reader
}

var gzipStreams = sync.Pool{New: func() any { return new(gzipStream) }}

func gzipStreamOf(payload []byte, use func(io.Reader) error) error {
	stream := gzipStreams.Get().(*gzipStream)
	defer gzipStreams.Put(stream)
	stream.source.Reset(payload)
	if err := stream.Reset(&stream.source); err != nil {
		return err
	}
	return use(stream)
}

type lz4Stream struct {
	source bytes.Reader
	*lz4.Reader
}

var lz4Streams = sync.Pool{New: func() any { return &lz4Stream{Reader: lz4.NewReader(nil)} }}

func lz4StreamOf(payload []byte, use func(io.Reader) error) error {
	stream := lz4Streams.Get().(*lz4Stream)
	defer lz4Streams.Put(stream)
	stream.source.Reset(payload)
	stream.Reset(&stream.source)
	return use(stream)
}

// One decoder serves every goroutine: DecodeAll is stateless.
var zstdDecoder = sync.OnceValue(func() *zstd.Decoder { return newZstdDecoder(0) })

// newZstdDecoder makes a decoder for so many calls at a time, 0 being one a processor. It writes no more than its
// destination has room for.
func newZstdDecoder(concurrency int) *zstd.Decoder {
	// The batch's own checksum covers the compressed bytes. An error would be one of the options, which are constants.
	d, _ := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(MaxInflated+inflateSlack), zstd.WithDecoderConcurrency(concurrency),
		zstd.WithDecodeAllCapLimit(true), zstd.IgnoreChecksum(true))
	return d
}

func inflateZstd(payload, into []byte, limit int) ([]byte, error) {
	decoder := zstdDecoder()
	if limit > chunkBytes { // until it is used again, a decoder refers to what it wrote last
		decoder = newZstdDecoder(1)
		defer decoder.Close()
	}
	begin := len(into)
	end := begin + limit + inflateSlack
	inflated, err := decoder.DecodeAll(payload, into[:begin:end])
	if errors.Is(err, zstd.ErrDecoderSizeExceeded) || len(inflated)-begin > limit {
		return into, errInflated
	}
	if err != nil {
		return into, err
	}
	return into[:len(inflated)], nil
}

func inflateSnappy(payload, into []byte, limit int) ([]byte, error) {
	most := len(into) + limit
	err := snappyBlocks(payload, func(block []byte) error {
		size, err := snappy.DecodedLen(block)
		if err != nil {
			return err
		}
		end := len(into) + size
		if end > most {
			return errInflated
		}
		_, err = snappy.Decode(into[len(into):end:end], block)
		into = into[:end]
		return err
	})
	return into, err
}
