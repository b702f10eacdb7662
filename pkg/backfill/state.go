package backfill

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/envelope"
)

// stateFormat is that of the file which a backfill writes and a job begins from:
//
//	envelope "FSBACKFL" 1 { section: Provenance, JSON | section: learner }
//
// The learner's bytes are those of model.Learner.AppendState.
var stateFormat = envelope.Format{Magic: "FSBACKFL", Version: 1, What: "a state of fairstream backfill"}

// Provenance says what a state was learnt from.
type Provenance struct {
	// Program is the version of the program, Finished when it ended.
	Program  string    `json:"program,omitempty"`
	Finished time.Time `json:"finished"`
	// Files are in their order; Rejected counts their records that were not good, by reason.
	Files    []File           `json:"files"`
	Rejected map[string]int64 `json:"rejected,omitempty"`
	// TimeField is by what records were ordered; empty for file and position.
	TimeField string `json:"time_field,omitempty"`
	Survey    Survey `json:"survey"`
	// Version is the number of records that the learner was given, Weights that of each of its models.
	Version int64 `json:"version"`
	Weights int   `json:"weights"`
	// Rounds is how many passes the sums took, Unfinished that the objective might have fallen further.
	Rounds     int  `json:"rounds"`
	Unfinished bool `json:"unfinished,omitempty"`
	// Measured is what the records that were held out said at the end of the rounds.
	Measured []Measured `json:"measured,omitempty"`
}

// File is one file of a history.
type File struct {
	Name    string `json:"name"`
	Bytes   int64  `json:"bytes"`
	Records int64  `json:"records"`
	SHA256  string `json:"sha256"`
}

// State is what a backfill leaves in a file.
type State struct {
	Provenance
	// Learner is the state of the learner.
	Learner []byte
}

// Provenance adds to that of the files what the backfill found.
func (r *Result) Provenance(of Provenance) Provenance {
	of.Survey, of.Version, of.Weights = r.Survey, r.Learner.Version(), r.Weights
	of.Rounds, of.Unfinished, of.Measured = r.Rounds.Passes, r.Rounds.Unfinished, r.Rounds.Measured
	return of
}

// Append appends the state to dst.
func (s *State) Append(dst []byte) ([]byte, error) {
	provenance, err := json.Marshal(s.Provenance)
	if err != nil {
		return nil, fmt.Errorf("backfill: %w", err)
	}
	start := len(dst)
	dst = envelope.AppendSection(stateFormat.Begin(dst), provenance)
	return envelope.Seal(envelope.AppendSection(dst, s.Learner), start), nil
}

// Open reads a state.
func Open(data []byte) (*State, error) {
	body, err := stateFormat.Open(data)
	if err != nil {
		return nil, fmt.Errorf("backfill: %w", err)
	}
	provenance, body, err := envelope.Section(body)
	if err != nil {
		return nil, fmt.Errorf("backfill: %w", err)
	}
	var s State
	if err := json.Unmarshal(provenance, &s.Provenance); err != nil {
		return nil, fmt.Errorf("backfill: %w", err)
	}
	if s.Learner, _, err = envelope.Section(body); err != nil {
		return nil, fmt.Errorf("backfill: %w", err)
	}
	return &s, nil
}
