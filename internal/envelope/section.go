package envelope

import (
	"encoding/binary"
	"errors"
)

// ErrShort says that bytes end before what they announce.
var ErrShort = errors.New("it ends too early")

const sectionLength = 8

// AppendSection appends a section to dst: the length of piece (uint64, little-endian), then piece.
func AppendSection(dst, piece []byte) []byte {
	return append(append(dst, SectionHead(piece)...), piece...)
}

// SectionHead is what stands before a section of these pieces.
func SectionHead(pieces ...[]byte) []byte {
	length := 0
	for _, piece := range pieces {
		length += len(piece)
	}
	return binary.LittleEndian.AppendUint64(nil, uint64(length))
}

// Section takes the first section of body: its bytes, which are part of body, and what follows. Its error is ErrShort.
func Section(body []byte) (piece, rest []byte, err error) {
	if len(body) < sectionLength {
		return nil, nil, ErrShort
	}
	length := binary.LittleEndian.Uint64(body)
	if body = body[sectionLength:]; length > uint64(len(body)) {
		return nil, nil, ErrShort
	}
	return body[:length:length], body[length:], nil
}
