package seen

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/inspect/words"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
)

// group counts the record on its side of every comparison.
func (r *Records) group(positive bool) {
	for a := range r.levels {
		if value := r.rec.Attributes[a]; value.Missing {
			r.levels[a] = fairness.MissingLevel
		} else {
			r.levels[a] = r.Grouper.Level(a, value.Text)
		}
	}
	r.Grouper.Sides(r.sides, r.levels, positive)
	r.within()
	for c, side := range r.sides {
		counts := &r.counts[c]
		if r.rec.Positive && side == fairness.Unknown {
			counts.UnknownPositive++
		} else if r.rec.Positive && side != fairness.Excluded {
			counts.KnownPositive++
		}
		switch side {
		case fairness.Group:
			counts.Group++
			if r.rec.Positive {
				counts.GroupPositive++
			}
		case fairness.Versus:
			counts.Versus++
			if r.rec.Positive {
				counts.VersusPositive++
			}
		case fairness.Neither:
			counts.Neither++
		case fairness.Unknown:
			counts.Unknown++
			if counts.Strata != "" && r.hasAll(counts.Comparison) {
				counts.NoStratum++
				if r.rec.Positive {
					counts.NoStratumPositive++
				}
			}
		case fairness.Excluded:
			counts.Excluded++
		}
	}
}

// within counts the present record in its strata.
func (r *Records) within() {
	if r.Strata == nil {
		return
	}
	r.Grouper.Strata(r.strataOf, r.levels)
	r.Grouper.Members(r.members, r.levels)
	for c := range r.Strata {
		if side := r.members[c]; r.counts[c].Strata != "" && r.sides[c] != fairness.Excluded && (side == fairness.Group || side == fairness.Versus) {
			r.Strata[c].add(r.strataOf[c], side)
		}
	}
}

// hasAll says whether the record has every attribute of a comparison.
func (r *Records) hasAll(c fairness.Comparison) bool {
	return !slices.ContainsFunc(c.Group, func(term fairness.Term) bool {
		at := slices.Index(r.Attributes, term.Attribute)
		return at < 0 || r.rec.Attributes[at].Missing
	})
}

// Evidence are the labels of the records, without those of copies.
func (r *Records) Evidence() *Labels {
	if copies, _ := r.Copies.Found(); copies > 0 {
		return &r.original
	}
	return &r.Sequence
}

// Known is how many records have a label, and Positive how many of them a positive one; Unlabelled have none.
func (r *Records) Known() int64 { return r.Sequence.Known }

// Positive is how many records have the positive label.
func (r *Records) Positive() int64 { return r.Sequence.Positive }

// Unlabelled is how many records have no label.
func (r *Records) Unlabelled() int64 { return r.missing }

// Snapshot returns how many of the records were rows of a snapshot by Debezium.
func (r *Records) Snapshot() int64 { return r.snapshot }

// Numbers describes labels that are numbers.
func (r *Records) Numbers() fairness.Moments { return r.numbers }

// Counts returns one entry for each comparison whose groups are known, equalized odds split.
func (r *Records) Counts() (known []Counts) {
	for k, comparison := range r.Grouper.Comparisons() {
		if comparison.Known() {
			counts := r.counts[k]
			counts.Comparison = comparison
			if comparison.Best {
				counts.Versus, counts.VersusPositive = r.highest(comparison.Name, comparison.Criterion)
			}
			known = append(known, counts)
		}
	}
	return known
}

// highest is the group of a constraint of each that has the highest rate of positive labels: probably the one that will be
// treated best.
func (r *Records) highest(name string, criterion fairness.Criterion) (records, positive int64) {
	most := -1.0
	for k, comparison := range r.Grouper.Comparisons() {
		counts := &r.counts[k]
		if comparison.Name != name || comparison.Criterion != criterion || counts.Group == 0 {
			continue
		}
		if lo, _ := fairness.Wilson(float64(counts.GroupPositive)/float64(counts.Group), float64(counts.Group), fairness.DefaultLevel); lo > most {
			most, records, positive = lo, counts.Group, counts.GroupPositive
		}
	}
	return records, positive
}

// Columns describes every field of the records, whatever the configuration makes of it.
func (r *Records) Columns() []profile.Column { return r.Profile.Columns() }

// IsFeature says whether a field of the records is a feature.
func (r *Records) IsFeature(name string) bool {
	if r.Known()+r.Unlabelled() > 0 {
		return r.Features[name]
	}
	schema, err := r.Config.Schema() // every record was rejected
	return err == nil && schema.Feature(name)
}

// LeftOut lists the features that a learner would leave out, after the same records in the same order.
func (r *Records) LeftOut() (names []string) {
	if r.isTold {
		return r.leftOut
	}
	for _, c := range r.heldBack.NoFeatures() {
		if !r.Config.Declares(c.Name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// ValuesOf lists the values of a field with their counts, in words that go on a sentence; empty unless the field has
// few, short values that repeat.
func (r *Records) ValuesOf(field string) string {
	for _, c := range r.Columns() {
		if c.Name == field {
			return words.Seen(&c)
		}
	}
	return ""
}

// RejectedTotal is how many records were rejected.
func (r *Records) RejectedTotal() (total int64) {
	for _, n := range r.Rejected {
		total += n
	}
	return total
}

// Reach is the half-width of the interval that a comparison's difference will have with so many records on
// each side, as the learner measures it: the least tau for which the verdict can be met, if the difference is 0. The
// rate of positive decisions is taken to be that of positive labels, or 1/2 among the records of a condition; the
// predictions of a regression to vary as its labels do. It is NaN without records on a side, and while all
// labels are alike. Of an impact ratio it is how far below 1 the interval of equal rates reaches.
func (r *Records) Reach(c Counts) float64 {
	group, versus := r.Config.Decisions(c.Group), r.Config.Decisions(c.Versus)
	alike := r.Sequence.Positive == 0 || r.Sequence.Positive == r.Sequence.Known
	if group == 0 || versus == 0 || alike && !c.Criterion.OfMeans() {
		return math.NaN()
	}
	level := r.Config.Learner.Level
	if c.Criterion.OfMeans() {
		return fairness.NormalQuantile((1+level)/2) * math.Sqrt(r.numbers.Variance()*(1/group+1/versus))
	}
	rate := .5
	if c.Criterion.Condition() == fairness.AnyLabel {
		rate = float64(r.Sequence.Positive) / float64(r.Sequence.Known)
	}
	if c.Criterion.OfRatio() {
		return 1 - fairness.NewRatio(rate, group, rate, versus, level).Lo
	}
	lo, hi := fairness.Newcombe(rate, group, rate, versus, level)
	return (hi - lo) / 2
}

// Fields is how many fields the record had that was added last.
func (r *Records) Fields() int { return len(r.whole.Features) }

// Record is the record that was added last, as the configuration reads it. It is valid until the next one is added.
func (r *Records) Record() *record.Record { return &r.rec }

// Whole are all its fields.
func (r *Records) Whole() []record.Field { return r.whole.Features }
