package monitor

import (
	"math"
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// Decision is one decision of a subject.
type Decision struct {
	// Levels are those of the record's attributes, in the order of Grouper.Attributes.
	Levels []fairness.Level
	// Positive is whether the decision is positive.
	Positive bool
	// Score is the probability of a positive label by the model, in [0, 1]; NaN if it has none. Only calibration uses it.
	Score float64
	// Labelled is whether the label is known. Label is then whether it is positive.
	Labelled bool
	Label    bool
	// Weight is for how many decisions a labelled one stands: 1 unless labels come of some records rather than others. 0 says that this is not known:
	// it stands for 1 as long as all do, and is left out of weighed numbers.
	Weight float64
	// Time is the event time of the record; zero if it has none.
	Time time.Time
	// Person is a hash of what names the person, or the household, that the decision is about; 0 if that is unknown. Only a monitor with
	// Config.Cluster uses it.
	Person uint64
	// Content and Identity are hashes of all that is read of the record, and of its identifier or the key of its message; 0 for none. Copies are
	// recognized by them. They are needed only if Monitor.WantsMarks returns true.
	Content, Identity uint64
}

// Apart counts the decisions of a monitor with Config.Cluster that do not count for sequences and detectors.
type Apart struct {
	// Repeated are those about a person who was met before and is remembered.
	Repeated int64
	// Unknown lack the key that names the person. Each counts as one about somebody else.
	Unknown int64
}

// Repeats says what share of the decisions that count repeats one of the up to 31 before it, beyond chance.
type Repeats struct {
	// Found says that there are too many for independent decisions. They have the same identifier or key if ByIdentity, else the same content.
	Found      bool
	ByIdentity bool
	Share      float64 // in [0, 1]
}

// weighs says whether the decision stands for more or fewer decisions than itself.
func (d *Decision) weighs() bool { return d.Labelled && d.Weight != 0 && d.Weight != 1 }

// calibrated says whether the decision has a label and a score in [0, 1].
func (d *Decision) calibrated() bool {
	return d.Labelled && d.Score >= 0 && d.Score <= 1 && !math.IsNaN(d.Score)
}

// Subject is the model whose decisions are monitored.
type Subject struct {
	// ID is short, for programs; Title is for people.
	ID    string
	Title string
	Kind  Kind
}

// Kind is the kind of a subject.
type Kind string

// The kinds.
const (
	// AsMade are the decisions of a learner, each by the weights at that time, before they learnt from the record. Numbers about
	// them are means over versions.
	AsMade Kind = "as_made"
	// External is a model that fairstream does not learn.
	External Kind = "external"
	// Version is one version of a learner's weights.
	Version Kind = "version"
)
