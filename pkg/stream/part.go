package stream

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/envelope"
	"github.com/fairstream/fairstream/internal/modeltopic"
)

// Keys of the state topic. A job's name holds no slash.
//
//	<job>/claim/<term>/<owner>/<attempt>                  a Claim, JSON
//	<job>/state/<owner>/<sequence>/<part>/<attempt>       a part of a snapshot
//
// Every attempt to write has a key of its own, so that a late copy never replaces anything, and no
// key that was deleted comes back (rule "keys" in doc.go).
const (
	claimKind = "claim"
	stateKind = "state"
)

// partBytes of a snapshot go into one message; with its envelope and key it stays below the default
// max.message.bytes.
const (
	partBytes    = 768 << 10
	partOverhead = 64 << 10
)

// Claim is how an owner takes over a job.
type Claim struct {
	Job   string `json:"job"`
	Owner string `json:"owner"`
	// Term counts owners. The first claim of the highest term is in force.
	Term int64 `json:"term"`
	// Host, Program and At are for people.
	Host    string    `json:"host,omitempty"`
	Program string    `json:"program,omitempty"`
	At      time.Time `json:"at"`
	// BeatMillis is how often the owner gives a sign of life (beat.go), in milliseconds; 0 if it gives none.
	BeatMillis int64 `json:"beat_ms,omitempty"`
}

const claimVersion = 1

// mostClaimed is the highest term that a claim may jump to; above it terms go up one by one. It lies above what is believed of the model topic
// (modeltopic.MostBelieved) and of the history (history.Most), because an owner claims a term above those.
const mostClaimed = modeltopic.MostTerm - 1<<9

// writtenClaim is a claim as written.
type writtenClaim struct {
	Version int `json:"format_version"`
	Claim
}

func (c Claim) encode() ([]byte, error) { return json.Marshal(writtenClaim{claimVersion, c}) }

func decodeClaim(data []byte) (Claim, error) {
	var c writtenClaim
	if err := json.Unmarshal(data, &c); err != nil {
		return Claim{}, fmt.Errorf("stream: not a claim: %w", err)
	}
	if c.Version > claimVersion {
		return Claim{}, &newerClaim{c.Version}
	}
	if c.Version != claimVersion {
		return Claim{}, fmt.Errorf("stream: not a claim: format version %d", c.Version)
	}
	return c.Claim, nil
}

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

func decodePart(data []byte) (partHeader, []byte, error) {
	var h partHeader
	body, err := partEnvelope.open(data, &h)
	if err == nil && (h.Parts < 1 || h.Parts > largestParts || h.Part < 0 || h.Part >= h.Parts || h.Sequence < 1 || h.Sequence > modeltopic.MostBelieved) {
		err = fmt.Errorf("stream: a part of a snapshot is damaged: part %d of %d, sequence %d", h.Part, h.Parts, h.Sequence)
	}
	return h, body, err
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

func claimKey(c Claim, attempt int) []byte {
	return fmt.Appendf(nil, "%s/%s/%d/%s/%d", c.Job, claimKind, c.Term, c.Owner, attempt)
}

func partKey(h partHeader, attempt int) []byte {
	return fmt.Appendf(nil, "%s/%s/%s/%d/%d/%d", h.Job, stateKind, h.Owner, h.Sequence, h.Part, attempt)
}

// kindOf tells what a key of the job stands for; ours is false for one of another job.
func kindOf(job string, key []byte) (kind string, ours bool) {
	rest, ours := strings.CutPrefix(string(key), job+"/")
	kind, _, _ = strings.Cut(rest, "/")
	return kind, ours
}
