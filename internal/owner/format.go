package owner

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/envelope"
)

// What stands under the keys of a job on the state topic, which doc.go lists.
const (
	claimKind   = "claim"
	beatKind    = "beat"
	stateKind   = "state"
	requestKind = "request"
	answerKind  = "answer"
	// ReplayKind is that of the notes of `deadletters replay`, which ownership passes over.
	ReplayKind = "replay"
)

// kindOf tells what a key of the job stands for; ours is false for one of another job.
func kindOf(job string, key []byte) (kind string, ours bool) {
	rest, ours := strings.CutPrefix(string(key), job+"/")
	kind, _, _ = strings.Cut(rest, "/")
	return kind, ours
}

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
		return nil, fmt.Errorf("state topic: %s: %w", f.What, err)
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
		return nil, fmt.Errorf("state topic: %w", err)
	}
	if len(content) < headerLength {
		return nil, f.damaged(envelope.ErrShort)
	}
	length, rest := binary.LittleEndian.Uint32(content), content[headerLength:]
	if uint64(length) > uint64(len(rest)) {
		return nil, f.damaged(envelope.ErrShort)
	}
	if err := json.Unmarshal(rest[:length], header); err != nil {
		return nil, fmt.Errorf("state topic: the header of %s: %w", f.What, err)
	}
	return rest[length:], nil
}

func (f sealedFormat) damaged(err error) error {
	return fmt.Errorf("state topic: %s is damaged: %w", f.What, err)
}
