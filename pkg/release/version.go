package release

import (
	"strconv"
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// Version names one document: frozen weights. The hash decides whether two are the same.
type Version struct {
	// Term and Version are the key of the document on the model topic.
	Term    int64 `json:"term"`
	Version int64 `json:"version"`
	// SHA256 is the hash of the document's bytes, in hexadecimal digits.
	SHA256 string `json:"sha256"`
}

// IsZero says that there is no version.
func (v Version) IsZero() bool { return v == Version{} }

// sameWeights says whether two versions are one, perhaps under another number.
func (v Version) sameWeights(other Version) bool {
	return v == other || v.SHA256 != "" && v.SHA256 == other.SHA256
}

// String is TERM/VERSION, as in commands.
func (v Version) String() string {
	return strconv.FormatInt(v.Term, 10) + "/" + strconv.FormatInt(v.Version, 10)
}

// Integrity is what was found about a document itself, before any record was decided by it.
type Integrity struct {
	// Problem says what is wrong with the document, such as a weight that is not finite, or a hash that differs. It is empty if nothing is.
	Problem string
	// GoldenRows is how many records were decided by the learner and by the document that was read back, and GoldenEqual how many of
	// these gave the same bits.
	GoldenRows, GoldenEqual int
	// Bytes is the size of the document.
	Bytes int
	// Measured are the document's own measurements. They decide about comparisons within strata, which have no confidence sequence. A
	// comparison that was not measured is not among them.
	Measured []Measured
}

// Measured is the learner's measurement of one comparison, with its pointwise interval.
type Measured struct {
	Comparison    int
	Value, Lo, Hi float64
}

// Record is one record as the machine sees it: its groups, and the decisions of all versions that the machine wants.
type Record struct {
	// Number is the place of the record among all records of the job, from 1 on. Each observed record has a higher one than the last. A
	// label that comes later has the number of its record.
	Number int64
	// Levels are those of the record's attributes, in the order of Grouper.Attributes.
	Levels []fairness.Level
	// Decisions are those of Machine.Wanted, in the same order.
	Decisions []Decision
	// Labelled says whether the label is known. Then Label is whether it is positive, and Target the label of a regression.
	Labelled bool
	Label    bool
	Target   float64
	// Time is the event time; zero if the record has none.
	Time time.Time
}

// Decision is the decision of one version about one record.
type Decision struct {
	// Known is false if the version could not decide, for instance because its document is gone.
	Known bool
	// Positive is the decision of a classifier.
	Positive bool
	// Score is the probability of a positive label, in [0, 1], or the prediction of a regression, in units of the label.
	Score float64
}

// Aliases are the versions behind the names on the model topic. A zero Version stands for none.
type Aliases struct {
	Stable, Candidate, Previous Version
}
