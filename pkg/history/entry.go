package history

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// FormatVersion is the version of the format of an Entry.
const FormatVersion = 1

// LargestEntry bounds the bytes of an entry. A message of it stays below the limit of Kafka.
const LargestEntry = 768 << 10

// Kind says what an entry tells of.
type Kind string

// The kinds of entries, each with the field of Entry that it fills.
const (
	Owned         Kind = "owner"         // a process took the job over: Owner
	Configuration Kind = "configuration" // the first configuration, or a changed one: Configuration
	Publication   Kind = "publication"   // weights are about to be published: Publication
	DataLoss      Kind = "data_loss"     // records of the input are gone, learning goes on: Loss
	Decisions     Kind = "decisions"     // a verdict on decisions, or an alarm, has changed: Decisions
	Release       Kind = "release"       // aliases of released versions are about to move, or a rule of releases changed: Release
	Reset         Kind = "reset"         // the state is about to be deleted
	Disown        Kind = "disown"        // entries that the owner did not write: Disowned
)

// Entry is one record of the history.
type Entry struct {
	FormatVersion int    `json:"format_version"`
	Job           string `json:"job"`
	// Sequence counts the entries of a job from 1.
	Sequence int64 `json:"sequence"`
	// Previous is the SHA-256, in hexadecimal, of the bytes of the entry before; empty in the first.
	Previous string `json:"previous,omitempty"`
	// ID names what is told: an entry that was written twice has one ID.
	ID   string    `json:"id"`
	Kind Kind      `json:"kind"`
	Time time.Time `json:"time"`
	// Term is that of the owner who wrote the entry.
	Term int64 `json:"term"`
	Who  Who   `json:"who"`
	// ConfigSHA256 is the SHA-256 of the configuration in force, as the last Configuration holds it.
	ConfigSHA256 string `json:"config_sha256,omitempty"`

	Owner         *Owner      `json:"owner,omitempty"`
	Configuration *Configured `json:"configuration,omitempty"`
	Publication   *Published  `json:"publication,omitempty"`
	Loss          *Loss       `json:"loss,omitempty"`
	Decisions     *Judged     `json:"decisions,omitempty"`
	Release       *Released   `json:"release,omitempty"`
	Disowned      *Disowning  `json:"disowned,omitempty"`
}

// SameEvent says whether two entries tell the same, whoever wrote them and when.
func (e *Entry) SameEvent(other *Entry) bool {
	told := func(e *Entry) []byte {
		data, err := json.Marshal([]any{e.ID, e.Kind, e.Owner, e.Configuration, e.Publication, e.Loss, e.Decisions, e.Release, e.Disowned})
		if err != nil {
			panic("history: an entry that was read cannot be written")
		}
		return data
	}
	return bytes.Equal(told(e), told(other))
}

// Who is responsible for an entry.
type Who struct {
	// Service is the command that ran, Program its version, and Host the machine.
	Service string `json:"service"`
	Program string `json:"program,omitempty"`
	Host    string `json:"host"`
	// Actor is the person or system that asked for it, and Reason why: as given on the command line.
	Actor  string `json:"actor,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// Owner tells of a change of the process that owns the job.
type Owner struct {
	// Before is the term of the owner before, 0 if there was none, and HostBefore its machine.
	Before     int64  `json:"before"`
	HostBefore string `json:"host_before,omitempty"`
	// Version is the number of records that were learnt when it took over.
	Version int64 `json:"version"`
	// StartedFrom is the SHA-256 of the file that the state began from (fairstream run --start-from); empty if it began with nothing.
	StartedFrom string `json:"started_from,omitempty"`
	// Left is when the owner before gave the job up, after which nobody learnt and watched until the entry; nil if it did not say so, as one that
	// was killed.
	Left *time.Time `json:"left,omitempty"`
}

// Configured tells of a configuration that came into force.
type Configured struct {
	// Version is the number of records that were learnt before.
	Version int64 `json:"version"`
	// Changes are the keys that differ from the configuration before; none in a job's first.
	Changes []Change `json:"changes,omitempty"`
	// Whole is all that is configured, without secrets.
	Whole json.RawMessage `json:"whole"`
}

// Published tells of weights.
type Published struct {
	Version       int64  `json:"version"`
	WeightsSHA256 string `json:"weights_sha256"`
	// Key is that of the document on the model topic.
	Key         string `json:"key"`
	Rejected    int64  `json:"rejected"`
	Constraints []Row  `json:"constraints"`
}

// Row is the measured difference of one constraint: what the document says of it, in short. Value is nil,
// and Lo and Hi are too, while it cannot be estimated.
type Row struct {
	Name      string   `json:"name"`
	Criterion string   `json:"criterion"`
	Group     string   `json:"group"`
	Versus    string   `json:"versus"`
	Tau       float64  `json:"tau"`
	Enforced  bool     `json:"enforced"`
	Value     *float64 `json:"value"`
	Lo        *float64 `json:"lo"`
	Hi        *float64 `json:"hi"`
	Level     float64  `json:"level"`
	NGroup    int64    `json:"n_group"`
	NVersus   int64    `json:"n_versus"`
	Status    string   `json:"status"`
}

// Loss tells of records that were gone before they were learnt.
type Loss struct {
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`
	// Kind says how they went, as in kafka.LossKind.
	Kind string `json:"kind"`
	// Offset was to be read next, and Resume is where reading goes on.
	Offset int64 `json:"offset"`
	Resume int64 `json:"resume"`
	// Lost is how many offsets were passed over, -1 if that is not known.
	Lost int64 `json:"lost"`
}

// Judged tells what changed in what is known of decisions.
type Judged struct {
	// Subject is whose decisions: as_made for those of the learner as it made them.
	Subject string `json:"subject"`
	// Number counts the changes of a subject since it began.
	Number int64 `json:"number"`
	// Change is verdict, alarm or alarm_ended.
	Change string `json:"change"`
	// Record is the number of records of the job then, EventTime their time.
	Record    int64      `json:"record"`
	EventTime *time.Time `json:"event_time,omitempty"`

	Constraint string  `json:"constraint"`
	Criterion  string  `json:"criterion"`
	Group      string  `json:"group"`
	Versus     string  `json:"versus"`
	Tau        float64 `json:"tau"`
	// From and To are verdicts, and Value, Lo and Hi the confidence sequence, of a verdict.
	From  string   `json:"from,omitempty"`
	To    string   `json:"to,omitempty"`
	Value *float64 `json:"value,omitempty"`
	Lo    *float64 `json:"lo,omitempty"`
	Hi    *float64 `json:"hi,omitempty"`
	// Evidence is that of an alarm.
	Evidence *float64 `json:"evidence,omitempty"`
}

// Encode returns the bytes to write.
func (e *Entry) Encode() ([]byte, error) {
	e.FormatVersion = FormatVersion
	data, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("history: an entry of kind %s: %w", e.Kind, err)
	}
	if len(data) > LargestEntry {
		return nil, fmt.Errorf("history: an entry of kind %s has %d bytes, and at most %d are allowed", e.Kind, len(data), LargestEntry)
	}
	return data, nil
}

// ErrNewer says that an entry was written by a newer program.
var ErrNewer = errors.New("history: an entry of a newer format: use the program that wrote it, or a newer one")

// Decode reads an entry. It checks what an entry must hold, and not whether it continues a chain.
func Decode(data []byte) (*Entry, error) {
	if len(data) > LargestEntry {
		return nil, fmt.Errorf("history: not an entry: %d bytes, and at most %d are allowed", len(data), LargestEntry)
	}
	var e Entry
	if err := json.Unmarshal(data, &e); err != nil {
		// The text of the error may hold a part of the data.
		return nil, errors.New("history: not an entry: not a JSON object of the right form")
	}
	if e.FormatVersion > FormatVersion {
		return nil, ErrNewer
	}
	if problem := e.problem(); problem != "" {
		return nil, fmt.Errorf("history: not an entry: %s", problem)
	}
	return &e, nil
}

// problem says what an entry lacks.
func (e *Entry) problem() string {
	filled := map[Kind]bool{Owned: e.Owner != nil, Configuration: e.Configuration != nil, Publication: e.Publication != nil, DataLoss: e.Loss != nil,
		Decisions: e.Decisions != nil, Release: e.Release != nil, Reset: true, Disown: e.Disowned != nil && len(e.Disowned.Entries) > 0}
	has, known := filled[e.Kind]
	switch {
	case e.FormatVersion < 1:
		return "format_version is missing"
	case !known:
		return "the kind is unknown"
	case !has:
		return "the field of kind " + string(e.Kind) + " is missing"
	case e.Job == "" || e.ID == "" || e.Time.IsZero():
		return "job, id or time is missing"
	case e.Sequence < 1 || e.Term < 1:
		return "sequence or term is below 1"
	case e.Sequence == 1 != (e.Previous == ""):
		return "the first entry, and no other, has no previous"
	}
	return ""
}

// Sum is the SHA-256 of an entry's bytes, in hexadecimal.
func Sum(data []byte) string {
	digest := sha256.Sum256(data)
	return hex.EncodeToString(digest[:])
}
