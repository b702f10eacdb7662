package owner

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/modeltopic"
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
	// Process is the same in the claims of one process for its jobs; empty if it does not share jobs with others.
	Process string `json:"process,omitempty"`
	// BeatMillis is how often the owner gives a sign of life, in milliseconds; 0 if it gives none.
	BeatMillis int64 `json:"beat_ms,omitempty"`
}

const claimVersion = 1

// MostClaimed is the highest term that a claim may jump to; above it terms go up one by one. It lies above what is believed of the model topic
// (modeltopic.MostBelieved) and of the history (history.Most), because an owner claims a term above those.
const MostClaimed = modeltopic.MostTerm - 1<<9

// writtenClaim is a claim as written.
type writtenClaim struct {
	Version int `json:"format_version"`
	Claim
}

func (c Claim) encode() []byte { return written(writtenClaim{claimVersion, c}) }

// written is JSON of a struct of texts, numbers and times of a clock, which always becomes JSON.
func written(plain any) []byte {
	text, _ := json.Marshal(plain)
	return text
}

func (c Claim) key(attempt int) []byte {
	return fmt.Appendf(nil, "%s/%s/%d/%s/%d", c.Job, claimKind, c.Term, c.Owner, attempt)
}

// newerClaim is a claim of a later format version: the job may belong to a newer program.
type newerClaim struct{ version int }

func (e *newerClaim) Error() string {
	return fmt.Sprintf("state topic: a claim of format version %d, and this program reads version %d: use the program that wrote it, or a newer one", e.version, claimVersion)
}

func decodeClaim(data []byte) (Claim, error) {
	var c writtenClaim
	if err := json.Unmarshal(data, &c); err != nil {
		return Claim{}, fmt.Errorf("state topic: not a claim: %w", err)
	}
	if c.Version > claimVersion {
		return Claim{}, &newerClaim{c.Version}
	}
	if c.Version != claimVersion {
		return Claim{}, fmt.Errorf("state topic: not a claim: format version %d", c.Version)
	}
	return c.Claim, nil
}

// Superseded says that another process owns the job now. This one must not write for it any more.
type Superseded struct {
	Job      string
	Ours, By Claim
}

func (e *Superseded) Error() string {
	return fmt.Sprintf("job %s was taken over by another process (on host %s, at %s, term %d; ours was %d): one process at a time may learn for a job. "+
		"If both are meant to run, give one of them another job name", e.Job, e.By.Host, e.By.At.Format(time.RFC3339), e.By.Term, e.Ours.Term)
}

// beat is a sign of life. A standby takes any record of the owner for one; a beat comes while nothing is saved. A request is answered by a beat at
// once, so whoever asks knows that there is an owner.
type beat struct {
	Owner string `json:"owner"`
	Term  int64  `json:"term"`
	// Leaving is the last: everything is saved, and the job is free.
	Leaving bool `json:"leaving,omitempty"`
	// At is when it left; nil of other beats.
	At *time.Time `json:"at,omitempty"`
}

// beatsPerTimeout is how many beats a standby must miss.
const beatsPerTimeout = 4

func (c Claim) beatKey() []byte { return fmt.Appendf(nil, "%s/%s/%s", c.Job, beatKind, c.Owner) }

func (c Claim) beat(leaving bool) []byte {
	b := beat{Owner: c.Owner, Term: c.Term, Leaving: leaving}
	if leaving {
		at := time.Now().UTC().Truncate(time.Second)
		b.At = &at
	}
	return written(b)
}

func decodeBeat(value []byte) (b beat, err error) {
	if err = json.Unmarshal(value, &b); err != nil {
		err = fmt.Errorf("state topic: not a beat: %w", err)
	}
	return b, err
}

// silence is how long the owner of a claim may be silent, to whom waits for timeout. An owner that was configured with a longer one gives signs
// less often.
func (c Claim) silence(timeout time.Duration) time.Duration {
	return max(timeout, beatsPerTimeout*time.Duration(c.BeatMillis)*time.Millisecond)
}
