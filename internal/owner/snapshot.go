package owner

import (
	"errors"
	"fmt"

	"github.com/fairstream/fairstream/internal/envelope"
	"github.com/fairstream/fairstream/internal/modeltopic"
)

// Reference names a snapshot.
type Reference struct {
	Owner    string `json:"owner"`
	Term     int64  `json:"term"`
	Sequence int64  `json:"sequence"`
}

var snapshotEnvelope = sealedFormat{envelope.Format{Magic: "FSSN", Version: 5, Oldest: 4, What: "a snapshot"}}

// Snapshot gives the bytes of a snapshot in pieces, in their order: a section may be so large that a second copy matters. The header is written as
// JSON; the sections are opaque, and come in pieces, too.
func Snapshot(header any, sections ...[][]byte) (pieces [][]byte, err error) {
	var body [][]byte
	for _, section := range sections {
		body = append(append(body, envelope.SectionHead(section...)), section...)
	}
	return snapshotEnvelope.pieces(header, body...)
}

// OpenSnapshot reads the header of a snapshot, and its sections, which are part of state. The snapshot must have as many.
func OpenSnapshot(state []byte, header any, sections ...*[]byte) error {
	body, err := snapshotEnvelope.open(state, header)
	if err != nil {
		return err
	}
	for _, section := range sections {
		if *section, body, err = envelope.Section(body); err != nil {
			return snapshotEnvelope.damaged(err)
		}
	}
	if len(body) > 0 {
		return snapshotEnvelope.damaged(fmt.Errorf("%d bytes are left over", len(body)))
	}
	return nil
}

// checkSnapshot says whether a snapshot is damaged. One of another version is not: a start says what to do about it.
func checkSnapshot(state []byte) error {
	var other *envelope.OtherVersion
	if _, err := snapshotEnvelope.Open(state); err != nil && !errors.As(err, &other) {
		return fmt.Errorf("state topic: %w", err)
	}
	return nil
}

// partBytes of a snapshot go into one message; with its envelope and key it stays below the default
// max.message.bytes.
const (
	partBytes    = 768 << 10
	partOverhead = 64 << 10
)

// MostMessageBytes is the size of the largest message of the state topic.
const MostMessageBytes = partBytes + partOverhead

// partHeader is the readable part of a message that holds part of a snapshot:
//
//	envelope "FSPT" 1 { partHeader | bytes of the snapshot }
type partHeader struct {
	Job      string `json:"job"`
	Owner    string `json:"owner"`
	Term     int64  `json:"term"`
	Sequence int64  `json:"sequence"`
	// Part counts from 0 to below Parts.
	Part  int `json:"part"`
	Parts int `json:"parts"`
}

// largestParts bounds what a damaged or hostile header can make a reader hold: 4 GiB.
const largestParts = 4 << 30 / partBytes

var partEnvelope = sealedFormat{envelope.Format{Magic: "FSPT", Version: 1, What: "a part of a snapshot"}}

// reference names the snapshot of which it is a part.
func (h *partHeader) reference() Reference { return Reference{h.Owner, h.Term, h.Sequence} }

func (h *partHeader) key(attempt int) []byte {
	return fmt.Appendf(nil, "%s/%s/%s/%d/%d/%d", h.Job, stateKind, h.Owner, h.Sequence, h.Part, attempt)
}

func decodePart(data []byte) (partHeader, []byte, error) {
	var h partHeader
	body, err := partEnvelope.open(data, &h)
	if err == nil && (h.Parts < 1 || h.Parts > largestParts || h.Part < 0 || h.Part >= h.Parts || h.Sequence < 1 || h.Sequence > modeltopic.MostBelieved) {
		err = fmt.Errorf("state topic: a part of a snapshot is damaged: part %d of %d, sequence %d", h.Part, h.Parts, h.Sequence)
	}
	return h, body, err
}

// Part is a part of a snapshot, to be written as one message.
type Part struct {
	header partHeader
	body   [][]byte
}

// Key is that of an attempt to write the part. Each attempt has a key of its own.
func (p *Part) Key(attempt int) []byte { return p.header.key(attempt) }

// Seal is the value of the message.
func (p *Part) Seal() ([]byte, error) { return partEnvelope.seal(&p.header, p.body...) }

// Parts cuts the pieces of a snapshot into its parts, at least one.
func Parts(job string, r Reference, pieces [][]byte) []Part {
	bodies := splitParts(pieces)
	parts := make([]Part, len(bodies))
	for i, body := range bodies {
		parts[i] = Part{partHeader{Job: job, Owner: r.Owner, Term: r.Term, Sequence: r.Sequence, Part: i, Parts: len(bodies)}, body}
	}
	return parts
}

// splitParts cuts the pieces of a snapshot into bodies of messages, at least one: the pieces of each.
func splitParts(pieces [][]byte) [][][]byte {
	parts, room := [][][]byte{nil}, partBytes
	for _, piece := range pieces {
		for len(piece) > 0 {
			if room == 0 {
				parts, room = append(parts, nil), partBytes
			}
			n := min(room, len(piece))
			last := &parts[len(parts)-1]
			*last = append(*last, piece[:n])
			piece, room = piece[n:], room-n
		}
	}
	return parts
}
