package board

import (
	"cmp"
	"encoding/json"
	"math"
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// Schema is the version of the JSON. It changes when a field changes its meaning or goes away, and not when one is added.
const Schema = 1

// Number is a number that may be unknown: NaN in Go, null in JSON.
type Number float64

// Unknown is the number that is not known.
func Unknown() Number { return Number(math.NaN()) }

// Known says whether the number is known.
func (n Number) Known() bool { return !math.IsNaN(float64(n)) && !math.IsInf(float64(n), 0) }

// MarshalJSON writes null for what is not known.
func (n Number) MarshalJSON() ([]byte, error) {
	if !n.Known() {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Unknown()
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}

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

// Constraint is a row as the command line prints it, and what the page says of it besides.
type Constraint struct {
	Name      string             `json:"name"`
	Criterion fairness.Criterion `json:"criterion"`
	Group     string             `json:"group"`
	Versus    string             `json:"versus"`
	Tau       float64            `json:"tau"`
	Enforced  bool               `json:"enforced"`
	// Value, Lo and Hi are the pointwise estimate at Level, and Status is the verdict of that interval. Of an impact ratio, Value is the
	// lower rate over the higher one, and Tau its least allowed value.
	Value   Number          `json:"value"`
	Lo      Number          `json:"lo"`
	Hi      Number          `json:"hi"`
	Level   float64         `json:"level"`
	NGroup  int64           `json:"n_group"`
	NVersus int64           `json:"n_versus"`
	Status  fairness.Status `json:"status"`

	// GroupMeasure and VersusMeasure are the rates, in a regression the means, of both sides.
	GroupMeasure  Number `json:"group_measure"`
	VersusMeasure Number `json:"versus_measure"`
	// Reason says why it is not estimable, or how many more records an inconclusive verdict needs; empty otherwise.
	Reason string `json:"reason"`
	// Subject is the id of what is judged.
	Subject string `json:"subject"`
	// Sentence is the verdict in plain words: that of the sequence if there is one. See Sentence.
	Sentence string `json:"sentence"`
	// RecordsNeeded is about how many more records a verdict needs at the present rates; nil if it has one or that is not known.
	RecordsNeeded *int64 `json:"records_needed"`
	// Sequence holds however often one looks; nil if there is none.
	Sequence *Sequence `json:"sequence"`
	// Alarm is the change detector; nil if there is none.
	Alarm *Alarm `json:"alarm"`
	// ImpactRatio is the lower rate over the higher one; nil if it is not known or not of rates.
	ImpactRatio *Interval `json:"impact_ratio"`
}

// Sequence is an anytime-valid confidence sequence at its present end, and the verdict of that interval.
type Sequence struct {
	Value Number  `json:"value"`
	Lo    Number  `json:"lo"`
	Hi    Number  `json:"hi"`
	Level float64 `json:"level"`
	// N is how many records it rests on, and Since the number of the record that it begins at.
	N     int64 `json:"n"`
	Since int64 `json:"since"`
	// Subject is the id of what is judged.
	Subject string          `json:"subject"`
	Status  fairness.Status `json:"status"`
}

// Alarm is a change detector. It is raised when Evidence reaches Threshold.
type Alarm struct {
	Evidence  Number `json:"evidence"`
	Threshold Number `json:"threshold"`
	// RunLength is the least mean number of records between false alarms.
	RunLength Number `json:"run_length"`
	Raised    bool   `json:"raised"`
	// Since is when it was raised; nil if it is not.
	Since *Moment `json:"since"`
}

// Moment is a place in the stream. Time is that of the record, nil if records carry none.
type Moment struct {
	Record int64      `json:"record"`
	Time   *time.Time `json:"time"`
}

// Interval is a number and its interval.
type Interval struct {
	Value Number `json:"value"`
	Lo    Number `json:"lo"`
	Hi    Number `json:"hi"`
}

// Subject is what is judged: the decisions as they were made, another model, or a version.
type Subject struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// Kind is as_made, external or version.
	Kind    string `json:"kind"`
	Records int64  `json:"records"`
	// Since is the number of the record that it begins at.
	Since int64 `json:"since"`
}

// Group counts the decisions on one group or intersection. Members maps each attribute to the group's value of it.
type Group struct {
	Subject   string            `json:"subject"`
	Attribute string            `json:"attribute"`
	Group     string            `json:"group"`
	Members   map[string]string `json:"members"`
	Records   int64             `json:"records"`
	// Share of all records of the attribute whose group is known.
	Share    Number `json:"share"`
	Positive int64  `json:"positive"`
	// Rate is the share of positive decisions, Lo and Hi its pointwise interval.
	Rate Number `json:"rate"`
	Lo   Number `json:"lo"`
	Hi   Number `json:"hi"`
	// ImpactRatio is Rate divided by the highest rate of the attribute's groups.
	ImpactRatio Number `json:"impact_ratio"`
	Labelled    int64  `json:"labelled"`
	TP          int64  `json:"tp"`
	FP          int64  `json:"fp"`
	FN          int64  `json:"fn"`
	TN          int64  `json:"tn"`
	Unlabelled  int64  `json:"unlabelled"`
	// UnlabelledPositive and UnlabelledNegative are Unlabelled by decision.
	UnlabelledPositive int64 `json:"unlabelled_positive"`
	UnlabelledNegative int64 `json:"unlabelled_negative"`
	// Unknown is true of the records whose attribute is missing: they enter no comparison.
	Unknown bool `json:"unknown"`
	// Reason says why Rate is not known; empty if it is.
	Reason string `json:"reason"`
}

// Gap is the difference of a measure between two groups.
type Gap struct {
	Subject string `json:"subject"`
	// Measure is selection_rate, tpr, fpr, ppv or accuracy.
	Measure string `json:"measure"`
	Group   string `json:"group"`
	Versus  string `json:"versus"`
	// Constraint is the name of the constraint whose groups these are.
	Constraint string `json:"constraint"`
	Value      Number `json:"value"`
	Lo         Number `json:"lo"`
	Hi         Number `json:"hi"`
	// Tau is that of the constraint if it bounds this measure, else null.
	Tau    Number          `json:"tau"`
	Status fairness.Status `json:"status"`
	Reason string          `json:"reason"`
}

// Calibration is how well scores of a group match its labels.
type Calibration struct {
	Subject string `json:"subject"`
	Group   string `json:"group"`
	// SignedError is the mean of score minus label.
	SignedError Number `json:"signed_error"`
	Bins        []Bin  `json:"bins"`
}

// Bin holds the records whose score is from From up to To.
type Bin struct {
	From      float64 `json:"from"`
	To        float64 `json:"to"`
	Records   int64   `json:"records"`
	MeanScore Number  `json:"mean_score"`
	// Rate is the share of positive labels, Lo and Hi its interval.
	Rate Number `json:"rate"`
	Lo   Number `json:"lo"`
	Hi   Number `json:"hi"`
}

// Driver is a column and what it adds to the difference of a constraint's groups.
type Driver struct {
	Constraint string `json:"constraint"`
	Group      string `json:"group"`
	Versus     string `json:"versus"`
	Column     string `json:"column"`
	// Contribution is the mean contribution of the column to the margin in group minus that in versus.
	Contribution Number `json:"contribution"`
	// Importance is the standard deviation of what the column contributes to the margin.
	Importance Number `json:"importance"`
	// Share is the absolute contribution as a share of that of all columns.
	Share Number `json:"share"`
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

// Version is a set of published weights with its evidence.
type Version struct {
	Term          int64        `json:"term"`
	Version       int64        `json:"version"`
	WeightsSHA256 string       `json:"weights_sha256"`
	Published     time.Time    `json:"published"`
	Alias         []string     `json:"alias"`
	Constraints   []Constraint `json:"constraints"`
	// Changes are those of the configuration since the version before.
	Changes []Change `json:"changes"`
	// Who published it; nil until the history has told it.
	Who *Who `json:"who"`
}

// Who is responsible for an entry of the history: a command on a host, and the actor and reason that it was given.
type Who struct {
	Service string `json:"service"`
	Host    string `json:"host"`
	Actor   string `json:"actor"`
	Reason  string `json:"reason"`
}

// MostHappenings bounds Status.History.
const MostHappenings = 50

// Happening is an entry of the history that is no publication: a change of owner, configuration or verdict, an alarm, a
// loss of data, a reset.
type Happening struct {
	// Sequence is that of the entry.
	Sequence int64     `json:"sequence"`
	Time     time.Time `json:"time"`
	Term     int64     `json:"term"`
	// Kind is that of the entry: owner, configuration, decisions, data_loss, reset and others.
	Kind string `json:"kind"`
	// Text is what happened, in words.
	Text string `json:"text"`
	Who  Who    `json:"who"`
}

// Change of one key of the configuration.
type Change struct {
	Path   string `json:"path"`
	From   string `json:"from"`
	To     string `json:"to"`
	Actor  string `json:"actor"`
	Reason string `json:"reason"`
}

// Condition is a fact that a person should know; docs/metrics.md explains the codes.
type Condition struct {
	Code       string `json:"code"`
	Constraint string `json:"constraint"`
	Detail     string `json:"detail"`
}

// NewConstraint takes over what an estimate says, as a judgement of a subject.
func NewConstraint(e fairness.Estimate, subject string) Constraint {
	c := Constraint{
		Name: e.Name, Criterion: e.Criterion, Group: e.Group, Versus: e.Versus, Tau: e.Tau, Enforced: e.Enforced,
		Value: Number(e.Value), Lo: Number(e.Lo), Hi: Number(e.Hi), Level: e.Level,
		NGroup: e.NGroup, NVersus: e.NVersus, Status: e.Status,
		GroupMeasure: Unknown(), VersusMeasure: Unknown(), Reason: cmp.Or(e.Reason, e.Need()), Subject: subject,
	}
	if e.RateSides != nil {
		c.GroupMeasure, c.VersusMeasure = Number(e.RateGroup), Number(e.RateVersus)
		if r := e.ImpactRatio; !math.IsNaN(r.Value) {
			c.ImpactRatio = &Interval{Number(r.Value), Number(r.Lo), Number(r.Hi)}
		}
	} else if e.MeanSides != nil {
		c.GroupMeasure, c.VersusMeasure = Number(e.MeanGroup), Number(e.MeanVersus)
	}
	if more := e.MoreGroup + e.MoreVersus; more > 0 {
		c.RecordsNeeded = &more
	}
	c.Sentence = Sentence(&c)
	return c
}

// complete returns the status with empty lists where there are none: a reader need not expect null.
func (s Status) complete() *Status {
	list(&s.Constraints)
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
	list(&s.Conditions)
	s.Release.complete()
	return &s
}

func list[T any](l *[]T) {
	if *l == nil {
		*l = []T{}
	}
}
