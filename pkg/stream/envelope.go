package stream

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
)

// An envelope is how the state topic's values are written:
//
//	magic (4 bytes) | format version (uint16) | header length (uint32) | header (JSON) | body | CRC-32C (uint32)
//
// Numbers are little-endian. The checksum covers all that comes before it. A version is one for header
// and body together; a reader refuses versions that it does not know.
type envelope struct {
	magic   string
	version uint16
	// what the envelope holds, for messages
	what string
}

const (
	envelopeMagic    = 4
	envelopeHead     = envelopeMagic + 2 + 4
	envelopeChecksum = 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal writes a header and a body.
func (e envelope) seal(header any, body ...[]byte) ([]byte, error) {
	text, err := json.Marshal(header)
	if err != nil {
		return nil, fmt.Errorf("stream: %s: %w", e.what, err)
	}
	size := envelopeHead + len(text) + envelopeChecksum
	for _, piece := range body {
		size += len(piece)
	}
	sealed := make([]byte, 0, size)
	sealed = append(sealed, e.magic...)
	sealed = binary.LittleEndian.AppendUint16(sealed, e.version)
	sealed = binary.LittleEndian.AppendUint32(sealed, uint32(len(text)))
	sealed = append(sealed, text...)
	for _, piece := range body {
		sealed = append(sealed, piece...)
	}
	return checksummed(sealed), nil
}

func checksummed(data []byte) []byte {
	return binary.LittleEndian.AppendUint32(data, crc32.Checksum(data, castagnoli))
}

// open checks an envelope, reads its header and returns its body, which is part of sealed.
func (e envelope) open(sealed []byte, header any) (body []byte, err error) {
	if len(sealed) < envelopeHead+envelopeChecksum || string(sealed[:envelopeMagic]) != e.magic {
		return nil, fmt.Errorf("stream: not %s", e.what)
	}
	version := binary.LittleEndian.Uint16(sealed[envelopeMagic:])
	if version < e.version {
		return nil, fmt.Errorf("stream: %s of the older format version %d, and this program reads version %d: start over with `fairstream state reset`, "+
			"or use the program that wrote it", e.what, version, e.version)
	}
	if version > e.version {
		return nil, fmt.Errorf("stream: %s of format version %d, and this program reads version %d: use the program that wrote it, or a newer one",
			e.what, version, e.version)
	}
	checked := sealed[:len(sealed)-envelopeChecksum]
	if crc32.Checksum(checked, castagnoli) != binary.LittleEndian.Uint32(sealed[len(checked):]) {
		return nil, fmt.Errorf("stream: %s is damaged: its checksum is wrong", e.what)
	}
	rest := checked[envelopeHead:]
	length := binary.LittleEndian.Uint32(sealed[envelopeMagic+2:])
	if uint64(length) > uint64(len(rest)) {
		return nil, fmt.Errorf("stream: %s is damaged: %w", e.what, errShort)
	}
	if err := json.Unmarshal(rest[:length], header); err != nil {
		return nil, fmt.Errorf("stream: the header of %s: %w", e.what, err)
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
