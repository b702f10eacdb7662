package stream

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/fairstream/fairstream/internal/envelope"
)

// A sealed value of the state topic is an envelope (internal/envelope) with this content:
//
//	header length (uint32) | header (JSON) | body
//
// Numbers are little-endian. A version is one for header and body together; a reader refuses versions that it does not
// know.
type sealedFormat struct{ envelope.Format }

const headerLength = 4

// pieces are those of an envelope with a header and a body, in their order. Those of the body are the caller's.
func (f sealedFormat) pieces(header any, body ...[]byte) ([][]byte, error) {
	text, err := json.Marshal(header)
	if err != nil {
		return nil, fmt.Errorf("stream: %s: %w", f.What, err)
	}
	head := append(binary.LittleEndian.AppendUint32(f.Begin(nil), uint32(len(text))), text...)
	pieces := slices.Concat([][]byte{head}, body)
	return append(pieces, envelope.Checksum(pieces...)), nil
}

// seal is an envelope with a header and a body.
func (f sealedFormat) seal(header any, body ...[]byte) ([]byte, error) {
	pieces, err := f.pieces(header, body...)
	return slices.Concat(pieces...), err
}

// open checks an envelope, reads its header and returns its body, which is part of sealed.
func (f sealedFormat) open(sealed []byte, header any) (body []byte, err error) {
	content, err := f.Open(sealed)
	if err != nil {
		return nil, fmt.Errorf("stream: %w", err)
	}
	if len(content) < headerLength {
		return nil, fmt.Errorf("stream: %s is damaged: %w", f.What, errShort)
	}
	length, rest := binary.LittleEndian.Uint32(content), content[headerLength:]
	if uint64(length) > uint64(len(rest)) {
		return nil, fmt.Errorf("stream: %s is damaged: %w", f.What, errShort)
	}
	if err := json.Unmarshal(rest[:length], header); err != nil {
		return nil, fmt.Errorf("stream: the header of %s: %w", f.What, err)
	}
	return rest[length:], nil
}

var errShort = errors.New("it ends too early")

// appendSection and section frame the pieces of a body: length (uint64), bytes.
func appendSection(dst, piece []byte) []byte {
	return append(append(dst, sectionHead(piece)...), piece...)
}

func sectionHead(piece []byte) []byte {
	return binary.LittleEndian.AppendUint64(nil, uint64(len(piece)))
}

func section(body []byte) (piece, rest []byte, err error) {
	if len(body) < 8 {
		return nil, nil, errShort
	}
	length := binary.LittleEndian.Uint64(body)
	if body = body[8:]; length > uint64(len(body)) {
		return nil, nil, errShort
	}
	return body[:length:length], body[length:], nil
}
