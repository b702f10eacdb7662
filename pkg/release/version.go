package release

import (
	"slices"
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
	// Number counts the records of the job, from 1 on. Each observed record has a higher one than the last. A
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
	// Weight is for how many records the labelled one stands, above 0: 1 unless labels depend on records. 0 says that this is not known: it stands for
	// 1 as long as all do, and its label does not count afterwards.
	Weight float64
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

// former is a version that is or was stable.
type former struct {
	version Version
	// loss is its mean loss above that of the first version of its chain: the sum of the paired differences that were measured at the
	// promotions between them.
	loss float64
	// chain numbers the versions that were compared with one another. A new one begins where a version became stable without such a
	// comparison: the first one, one that replaced an unfair one, and one that a person chose.
	chain int64
	gone  bool // its document is no longer on the topic
}

// line are the last stable versions, the oldest first, the present one last. Withdrawn ones are not among them.
type line []former

// stable is the present one; zero if there is none.
func (l line) stable() Version {
	if len(l) == 0 {
		return Version{}
	}
	return l[len(l)-1].version
}

// previous is the one before.
func (l line) previous() Version {
	if len(l) < 2 {
		return Version{}
	}
	return l[len(l)-2].version
}

// anchor is the best of those in the chain of the present one: the one with the least loss, of equal ones the oldest. So ten versions that
// each lose a little against the one before do not add up. It is zero if no document is left.
func (l line) anchor() former {
	var best former
	for i, f := range l {
		if !f.gone && f.chain == l[len(l)-1].chain && (best.version.IsZero() || f.loss < best.loss) {
			best = l[i]
		}
	}
	return best
}

// earlier are the versions that a withdrawal may return to, at most two: the previous one and the anchor.
func (l line) earlier() []Version {
	var all []Version
	for _, v := range [...]Version{l.previous(), l.anchor().version} {
		if !v.IsZero() && v != l.stable() && (len(all) == 0 || v != all[0]) {
			all = append(all, v)
		}
	}
	return all
}

// push makes a version the stable one, and keeps the newest whose documents are there: nobody can return to another.
func (l line) push(f former, most int) line {
	l = slices.DeleteFunc(l.without(f.version), func(f former) bool { return f.gone })
	l = append(l, f)
	return append(line(nil), l[max(0, len(l)-most):]...)
}

// without leaves a version out.
func (l line) without(v Version) line {
	var kept line
	for _, f := range l {
		if f.version != v {
			kept = append(kept, f)
		}
	}
	return kept
}

// find is the entry of a version; chain 0 if there is none.
func (l line) find(v Version) former {
	for _, f := range l {
		if f.version == v {
			return f
		}
	}
	return former{version: v}
}
