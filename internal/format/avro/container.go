package avro

import (
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/twmb/avro/ocf"
)

// Bounds on what a container file may make a process allocate.
const (
	maxMetadata  = 16 << 20
	maxBlock     = 64 << 20 // as it is in the file, and unpacked
	maxEntryName = 1 << 10
)

const (
	magic     = "Obj\x01"
	syncBytes = 16
)

// Lines are the records of an Avro container file as lines of JSON, one object a record: an io.Reader, which closes the file at its end.
// Packed with null, deflate, snappy or zstandard.
type Lines struct {
	source *bufio.Reader
	closer io.Closer
	shape  *shape
	unpack func([]byte) ([]byte, error)
	sync   [syncBytes]byte

	block  []byte // as it is in the file
	in     printer
	left   int64 // records of the block
	blocks int64 // read so far
	text   []byte
	from   int
	ended  error
}

// OpenFile opens a container file. The error says what is wrong with it.
func OpenFile(path string) (*Lines, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	l, err := NewLines(file)
	if err != nil {
		_ = file.Close() // it was only read
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	l.closer = file
	return l, nil
}

// NewLines reads what a container file says of itself.
func NewLines(from io.Reader) (*Lines, error) {
	l := &Lines{source: bufio.NewReaderSize(from, 1<<16)}
	var start [len(magic)]byte
	if _, err := io.ReadFull(l.source, start[:]); err != nil || string(start[:]) != magic {
		return nil, errors.New("is not an Avro container file: it does not begin with Obj and 1")
	}
	metadata, err := l.metadata()
	if err == nil {
		_, err = io.ReadFull(l.source, l.sync[:])
	}
	if err != nil {
		return nil, fmt.Errorf("is a damaged or incomplete Avro container file: its header: %w", err)
	}
	if l.shape, err = parse(string(metadata["avro.schema"])); err != nil {
		return nil, err
	}
	l.unpack, err = unpacker(string(metadata["avro.codec"]))
	return l, err
}

// bounded is a codec of the library that unpacks no more than it is asked for, as all of its own do.
type bounded interface {
	DecompressBounded(block []byte, most int64) ([]byte, error)
}

// unpacker returns what undoes a codec.
func unpacker(name string) (func([]byte) ([]byte, error), error) {
	var codec ocf.Codec
	switch name {
	case "", "null":
		return func(block []byte) ([]byte, error) { return block, nil }, nil
	case "deflate":
		codec = ocf.DeflateCodec(flate.DefaultCompression)
	case "snappy":
		codec = ocf.SnappyCodec()
	case "zstandard":
		var err error
		if codec, err = ocf.ZstdCodec(nil, nil); err != nil {
			return nil, err
		}
	}
	c, known := codec.(bounded)
	if !known {
		return nil, fmt.Errorf("is compressed with the codec %q; fairstream reads null, deflate, snappy and zstandard", name)
	}
	return func(block []byte) ([]byte, error) { return c.DecompressBounded(block, maxBlock) }, nil
}

// metadata reads the map in the header.
func (l *Lines) metadata() (map[string][]byte, error) {
	all, size := map[string][]byte{}, 0
	for {
		count, err := binary.ReadVarint(l.source)
		if err != nil || count == 0 {
			return all, err
		}
		if count < 0 {
			count = -count
			if _, err := binary.ReadVarint(l.source); err != nil { // the size of the block
				return nil, err
			}
		}
		for ; count != 0; count-- {
			key, err := l.bytes(maxEntryName)
			if err != nil {
				return nil, err
			}
			value, err := l.bytes(maxMetadata)
			if err != nil {
				return nil, err
			}
			if size += len(key) + len(value) + 1; size > maxMetadata {
				return nil, fmt.Errorf("more than %d bytes", maxMetadata)
			}
			all[string(key)] = value
		}
	}
}

// bytes reads bytes whose length comes first.
func (l *Lines) bytes(most int64) ([]byte, error) {
	n, err := binary.ReadVarint(l.source)
	if err != nil {
		return nil, err
	}
	if n < 0 || n > most {
		return nil, fmt.Errorf("a length of %d bytes, more than the limit of %d", n, most)
	}
	var b bytes.Buffer // grows with what there is, not with what is stated
	_, err = io.CopyN(&b, l.source, n)
	return b.Bytes(), err
}

// Read reads the next bytes of the lines.
func (l *Lines) Read(p []byte) (int, error) {
	for l.from == len(l.text) {
		if l.ended != nil {
			return 0, l.ended
		}
		l.text, l.from = l.text[:0], 0
		if err := l.fill(); err != nil {
			l.ended = err
			if l.closer != nil {
				if failed := l.closer.Close(); err != io.EOF {
					l.ended = errors.Join(err, failed)
				}
				l.closer = nil
			}
		}
	}
	n := copy(p, l.text[l.from:])
	l.from += n
	return n, nil
}

// fill makes the next line.
func (l *Lines) fill() error {
	for l.left == 0 {
		if l.in.in.at < len(l.in.in.data) {
			return l.damaged(errors.New("bytes follow its records"))
		}
		if err := l.next(); err != nil {
			return err
		}
	}
	l.left--
	l.in.steps = maxSteps
	line, err := l.in.value(l.text, l.shape)
	if err != nil {
		return l.damaged(err)
	}
	l.text = append(line, '\n')
	return nil
}

// next reads the next block; io.EOF is the end of the file.
func (l *Lines) next() error {
	if _, err := l.source.Peek(1); err != nil {
		return err
	}
	l.blocks++
	count, err := binary.ReadVarint(l.source)
	if err == nil && (count < 0 || count > maxBlock) {
		err = errors.New("the number of its records is below 0, or above 67,108,864")
	}
	if err != nil {
		return l.damaged(err)
	}
	if l.block, err = l.bytes(maxBlock); err != nil {
		return l.damaged(err)
	}
	var end [syncBytes]byte
	if _, err := io.ReadFull(l.source, end[:]); err != nil {
		return l.damaged(err)
	}
	if end != l.sync {
		return l.damaged(errors.New("its sync marker is wrong"))
	}
	data, err := l.unpack(l.block)
	if err != nil {
		return l.damaged(err)
	}
	l.in.in, l.left = input{data: data}, count
	return nil
}

// damaged says in which block a file cannot be read further. A file that ends there is not whole.
func (l *Lines) damaged(err error) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the file ends within it")
	}
	return fmt.Errorf("block %d of the Avro container file is damaged: %w", l.blocks, err)
}
