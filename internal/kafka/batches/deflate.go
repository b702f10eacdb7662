package batches

import (
	"bytes"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/fairstream/fairstream/internal/kafka/wire"
)

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
	case wire.None:
		return append(into, records...), nil
	case wire.Snappy:
		return append(into, snappy.Encode(nil, records)...), nil
	case wire.Zstd:
		return zstdEncoder().EncodeAll(records, into), nil
	}
	buffer := bytes.NewBuffer(into)
	var stream interface {
		io.WriteCloser
		Reset(io.Writer)
	}
	if codec == wire.Gzip {
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
