package stream

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

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

// seal writes a header and a body.
func (f sealedFormat) seal(header any, body ...[]byte) ([]byte, error) {
	text, err := json.Marshal(header)
	if err != nil {
		return nil, fmt.Errorf("stream: %s: %w", f.What, err)
	}
	size := f.Overhead() + headerLength + len(text)
	for _, piece := range body {
		size += len(piece)
	}
	sealed := f.Begin(make([]byte, 0, size))
	sealed = binary.LittleEndian.AppendUint32(sealed, uint32(len(text)))
	sealed = append(sealed, text...)
	for _, piece := range body {
		sealed = append(sealed, piece...)
	}
	return envelope.Seal(sealed, 0), nil
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
	return append(binary.LittleEndian.AppendUint64(dst, uint64(len(piece))), piece...)
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
