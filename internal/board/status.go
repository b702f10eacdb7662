package board

import (
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// Schema is the version of the JSON. It changes when a field changes its meaning or goes away, and not when one is added.
const Schema = 1

// Status is how a job stands at a moment: the answer of /api/v1/status, and the event status of /api/v1/events.
type Status struct {
	Schema int    `json:"schema"`
	Job    string `json:"job"`
	// Kind is the command: run learns, monitor watches another model, demo is run on the bundled records.
	Kind Kind `json:"kind"`
	// Role is owner or standby.
	Role string `json:"role"`
	// Phase is starting, standby, learning, monitoring, halted, draining or ended.
	Phase string `json:"phase"`
	// Ready is what /readyz answers. Reason says in words why it is not; empty if it is.
	Ready  bool   `json:"ready"`
	Reason string `json:"reason"`
	// Outage is nil while Kafka answers.
	Outage *Outage `json:"outage"`
	// AsOf is when records last changed what is shown; nil before the first.
	AsOf *time.Time `json:"as_of"`
	// Meaning says in words what is predicted, and what a positive decision is; empty if that is not known.
	Meaning string `json:"meaning"`
	// Deciding is about the decisions that count, with the answers that a person asks for first.
	Deciding Deciding `json:"deciding"`
	// Term is that of the owner. Version is the number of learnt records, in kind monitor of monitored ones.
	Term    int64   `json:"term"`
	Version int64   `json:"version"`
	Records Records `json:"records"`
	// WarmUp is nil once it is over.
	WarmUp *WarmUp `json:"warm_up"`
	// Time is the span of the records' event times; nil if records carry none.
	Time *Span `json:"time"`
	// Confidence is the joint confidence of all sequences: each has the level 1 − (1 − Confidence)/Comparisons.
	Confidence  float64       `json:"confidence"`
	Comparisons int           `json:"comparisons"`
	Constraints []Constraint  `json:"constraints"`
	Subjects    []Subject     `json:"subjects"`
	Groups      []Group       `json:"groups"`
	Gaps        []Gap         `json:"gaps"`
	Calibration []Calibration `json:"calibration"`
	Drivers     []Driver      `json:"drivers"`
	Learner     Learner       `json:"learner"`
	Stream      Stream        `json:"stream"`
	// Release is nil if versions are not released, or another process knows.
	Release *Release `json:"release"`
	// Serving is nil if instances do not report which versions they serve.
	Serving *Serving `json:"serving"`
	// Versions are published weights, the newest first.
	Versions []Version `json:"versions"`
	// History is what else happened to the job, the newest first, at most MostHappenings.
	History    []Happening `json:"history"`
	Conditions []Condition `json:"conditions"`
}

// Kind is the command that serves the status.
type Kind string

// The kinds.
const (
	Run     Kind = "run"
	Monitor Kind = "monitor"
	Demo    Kind = "demo"
)

// Records counts records since the job began. Seen is Learnt and Rejected and those that wait or were dropped.
type Records struct {
	Seen       int64 `json:"seen"`
	Learnt     int64 `json:"learnt"`
	Rejected   int64 `json:"rejected"`
	Labelled   int64 `json:"labelled"`
	Unlabelled int64 `json:"unlabelled"`
	// Waiting for their label now.
	Waiting int64 `json:"waiting"`
}

// WarmUp is how many of the records of the warm-up have come.
type WarmUp struct {
	Records int64 `json:"records"`
	Of      int64 `json:"of"`
}

// Span is a period of event time.
type Span struct {
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
}

// Outage is a time in which Kafka does not do what the job needs.
type Outage struct {
	Since time.Time `json:"since"`
	// Text says it in a sentence.
	Text string `json:"text"`
}

// Learner is the quality of what is learnt, and how constraints are kept.
type Learner struct {
	Measures []Measure `json:"measures"`
	Controls []Control `json:"controls"`
}

// Measure is a measure of quality. Window is all or recent.
type Measure struct {
	Name   string  `json:"name"`
	Window string  `json:"window"`
	Value  Number  `json:"value"`
	Lo     Number  `json:"lo"`
	Hi     Number  `json:"hi"`
	Level  float64 `json:"level"`
	N      int64   `json:"n"`
	// Effective is how many records of equal weights those of N are worth.
	Effective Number `json:"effective_n"`
}

// Control is how one enforced constraint is kept.
type Control struct {
	Name       string             `json:"name"`
	Criterion  fairness.Criterion `json:"criterion"`
	Multiplier Number             `json:"multiplier"`
	Target     Number             `json:"target"`
	Reachable  bool               `json:"reachable"`
}

// Stream is the health of the input and of what is saved.
type Stream struct {
	LagRecords       Number `json:"lag_records"`
	LagSeconds       Number `json:"lag_seconds"`
	RecordsPerSecond Number `json:"records_per_second"`
	// SnapshotAgeSeconds is unknown before the first snapshot.
	SnapshotAgeSeconds Number      `json:"snapshot_age_seconds"`
	KafkaFailures      int64       `json:"kafka_failures"`
	Partitions         []Partition `json:"partitions"`
}

// Partition of the input. End and Lag are unknown until Kafka has told them.
type Partition struct {
	Partition int32  `json:"partition"`
	Next      int64  `json:"next"`
	End       Number `json:"end"`
	Lag       Number `json:"lag"`
}

// Condition is a fact that a person should know; docs/metrics.md explains the codes.
type Condition struct {
	Code       string `json:"code"`
	Constraint string `json:"constraint"`
	// Text says it in a sentence without keys and commands. It is filled in when the status is served.
	Text string `json:"text"`
	// Detail is for those who run the job.
	Detail string `json:"detail"`
}

// complete returns the status with empty lists where there are none: a reader need not expect null.
func (s Status) complete() *Status {
	list(&s.Constraints)
	list(&s.Deciding.Constraints)
	list(&s.Deciding.Alarms)
	list(&s.Subjects)
	list(&s.Groups)
	list(&s.Gaps)
	list(&s.Calibration)
	list(&s.Drivers)
	list(&s.Learner.Measures)
	list(&s.Learner.Controls)
	list(&s.Stream.Partitions)
	list(&s.Versions)
	list(&s.History)
	s.Conditions = append([]Condition{}, s.Conditions...) // the source keeps its own
	for i := range s.Conditions {
		s.Conditions[i].complete()
	}
	s.Release.complete()
	s.Serving.complete()
	return &s
}

func list[T any](l *[]T) {
	if *l == nil {
		*l = []T{}
	}
}
