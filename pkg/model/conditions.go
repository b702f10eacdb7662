package model

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/order"
	"github.com/fairstream/fairstream/internal/rolling"
	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// measurable says of each constraint what the number of its records leaves unknown.
func measurable(m *document.Measurements, a about, learnt method) (conditions []document.Condition) {
	reports := learnt.control(a.comparisons)
	for i := range m.Constraints {
		e := &m.Constraints[i]
		at := slices.IndexFunc(reports, func(r control.Report) bool { return a.row(r.Comparison) == i })
		add := func(code document.ConditionCode, format string, arguments ...any) {
			conditions = append(conditions, document.Condition{Code: code, Constraint: e.Name, Detail: fmt.Sprintf(format, arguments...)})
		}
		half, bound, larger := (e.Hi-e.Lo)/2, e.Bound(), "larger"
		if e.Criterion.OfRatio() {
			larger = "smaller" // the bound of a ratio is from 1 to tau
		}
		switch {
		case e.Status == fairness.NotEstimable:
			add(document.TooFewRecords, "%s", e.Reason)
		case half > bound:
			add(document.Imprecise, "the interval of %s against %s reaches ±%.2g, beyond the bound of %.3g: about %.0f times as many records of both groups are needed, or a %s tau",
				e.Group, e.Versus, half, bound, math.Ceil(half/bound*(half/bound)), larger)
		}
		if at < 0 || e.Status == fairness.NotEstimable {
			continue
		}
		if reports[at].AtFloor {
			add(document.BelowSamplingError, "too few records for a bound of %.3g: sampling error takes four fifths of it or more, so chance alone could push the difference of %d new records beyond it; choose a %s tau, or learn more records",
				bound, a.holdout, larger)
		}
		if reports[at].Rarest < surrogate.DefaultEpsilon {
			add(document.BelowSmoothing, "one of its groups is %.2g %% of the records, less than %v %%, so the multiplier follows a smoothed difference, which is closer to 0 than the true one",
				100*reports[at].Rarest, 100*surrogate.DefaultEpsilon)
		}
		switch moved := reports[at].Moved; {
		case reports[at].Unsteady:
			add(document.Unsteady, "the records changed more than once in the last 40,000, so what holds for the recent ones may not hold for the next")
		case moved != 0:
			add(document.Unsteady, "the difference is moving: on the newest of the records that it is measured on, it is %+.2g off that on the others, more than chance explains, so it may be outside the interval by now", moved)
		}
		for side, away := range reports[at].Away {
			if away > 0 {
				add(document.OneSideAway, "no record of %s is among the last %.0f, half of the records that %s is measured on or more, so the interval compares different times and may be wrong; mix the groups, or wait until both appear again",
					[2]string{e.Group, e.Versus}[side], away, [2]string{e.Versus, e.Group}[side])
			}
		}
	}
	return conditions
}

// certain is the probability below which something is not taken for chance.
const certain = 1e-4

// recentLabels says that all recent labels are the same, which by chance they would not be.
func recentLabels(m *document.Measurements) []document.Condition {
	if m.Recent.Decisions == nil || m.Recent.ConstantAccuracy.Value < 1 {
		return nil
	}
	rarer := m.Prequential.PositiveLabels.Value
	if m.Recent.PositiveLabels.Value == 1 {
		rarer = 1 - rarer
	}
	if math.Pow(1-rarer, m.Recent.PositiveLabels.Effective) > certain {
		return nil
	}
	return []document.Condition{{Code: document.OneLabelRecently, Detail: fmt.Sprintf(
		"the labels of the last %d records are all the same, and earlier ones were not: if the records are sorted by label, shuffle them; if not, labels of one kind may be late", m.Recent.Records)}}
}

// collapsed says that decisions do not depend on the records, or are hardly worth it.
func collapsed(m *document.Measurements, next fairness.CollapseState) []document.Condition {
	state, of := m.Recent.Collapse, ""
	if state != fairness.ConstantDecision && (next == fairness.ConstantDecision || next == fairness.NoBetterThanConstant) {
		// What is measured are the decisions of the models before.
		state, of = next, ", by the present weights"
	}
	switch state {
	case fairness.ConstantDecision:
		words := state.Words() + of
		switch {
		case of != "":
		case m.Recent.PositiveDecisions.Value == 0:
			words = "no recent record got the positive decision"
		case m.Recent.PositiveDecisions.Value == 1:
			words = "all recent records got the positive decision"
		}
		return []document.Condition{{Code: document.Collapsed, Detail: words}}
	case fairness.NoBetterThanConstant:
		return []document.Condition{{Code: document.Useless, Detail: state.Words() + of}}
	}
	return nil
}

const (
	// mostlyMissing is the share of records without an attribute above which what is said is of the others only.
	mostlyMissing = .5
	// leastShift is the share of tau by which a bias has to be able to move a difference.
	leastShift = .2
)

// missing describes the recent records without an attribute, if there are any.
func missing(attributes []string, recent absences, level float64) (rows []document.Missing) {
	for i, name := range attributes {
		if recent[i].Missing.Labels.Records > 0 {
			rows = append(rows, document.NewMissing(name, &recent[i], level))
		}
	}
	return rows
}

// missingConditions says where records without an attribute are so different or so many that what is said of a comparison
// may not hold of all records.
func missingConditions(a about, attributes []string, recent absences, m *document.Measurements) (conditions []document.Condition) {
	words := [2]string{"share of positive labels", "share of positive decisions"}
	if m.Recent.Predictions != nil {
		words = [2]string{"mean label", "mean prediction"}
	}
	type told struct{ constraint, attribute string }
	said := map[told]bool{} // a constraint may have several comparisons
	for i, comparison := range a.comparisons {
		if !comparison.Known() {
			continue
		}
		e := &m.Recent.Constraints[a.row(i)]
		share := float64(min(e.NGroup, e.NVersus)) / float64(max(1, m.Recent.Records-e.NUnknown))
		for _, term := range comparison.Group {
			here := told{comparison.Name, term.Attribute}
			code, detail := missingDetail(term.Attribute, &recent[slices.Index(attributes, term.Attribute)], words, share, comparison.Bound())
			if code != "" && !said[here] {
				said[here] = true
				conditions = append(conditions, document.Condition{Code: code, Constraint: comparison.Name, Detail: detail})
			}
		}
	}
	return conditions
}

func missingDetail(attribute string, a *fairness.Absence, words [2]string, share, tau float64) (document.ConditionCode, string) {
	labels, decided := a.Biased()
	shift := a.Shift(share, max(math.Abs(labels), math.Abs(decided)))
	start := fmt.Sprintf("%.1f %% of the recent records lack the attribute %s", 100*a.Share(), attribute)
	switch {
	case shift > leastShift*tau:
		return document.MissingWithBias, fmt.Sprintf("%s, and they differ from the others: their %s is %s, and their %s %s. "+
			"The difference over all records may be off by up to %.2g. Find out why the attribute is missing", start,
			words[0], against(a.Missing.Labels.Mean, a.Known.Labels.Mean), words[1], against(a.Missing.Decided.Mean, a.Known.Decided.Mean), shift)
	case a.Share() > mostlyMissing:
		return document.MostlyMissing, start + ": the difference is about the other records only. Find out why the attribute is missing"
	}
	return "", ""
}

// against is a number beside the one that it is compared with.
func against(number, other float64) string { return fmt.Sprintf("%.3g instead of %.3g", number, other) }

// unlistedValues is the condition that an attribute has more values than are told apart.
func unlistedValues(grouper *fairness.Grouper) []document.Condition {
	attributes := grouper.Found().Refused
	if len(attributes) == 0 {
		return nil
	}
	return []document.Condition{{Code: document.GroupsIgnored, Detail: fmt.Sprintf(
		"%s: more values than the %d groups of a constraint of each, or the %d strata: later ones are not compared; list the groups that matter, or use a field with fewer values",
		strings.Join(attributes, ", "), fairness.MostEach, fairness.MostFound)}}
}

// columnConditions are what a person should know of the columns: which are left out, and for which there is no room.
func columnConditions(encoder *features.Learning, vocabulary features.VocabularyConfig) (found []document.Condition) {
	add := func(code document.ConditionCode, format string, arguments ...any) {
		found = append(found, document.Condition{Code: code, Detail: fmt.Sprintf(format, arguments...)})
	}
	if left := encoder.LeftOut(); len(left) > 0 {
		add(document.ColumnsLeftOut, "%s left out, because nearly every record has a new value (an identifier, a time or free text): list such columns in record.ignore; record.times makes numbers of a time; to use another, declare its type under learner.columns",
			listed(left))
	}
	if column, levels := encoder.Crowding(); column != "" {
		add(document.VocabularyFull, "the vocabulary is full, and %q has %d of its %d values: list the column in record.ignore, or raise learner.vocabulary.levels; later values share learner.vocabulary.buckets",
			column, levels, vocabulary.Levels)
	}
	if values := encoder.Ignored(); values > 0 {
		add(document.ColumnsIgnored, "%d values were not learnt, because their columns are beyond the first %d: raise learner.vocabulary.columns, or list columns without information in record.ignore",
			values, vocabulary.Columns)
	}
	return found
}

// movedConditions names the attributes and columns whose newest values are unlike those before.
func movedConditions(order *order.Order, attributes []string, encoder *features.Learning) []document.Condition {
	groups, columns := order.Moved()
	var names []string
	for _, i := range groups {
		names = append(names, attributes[i])
	}
	all := encoder.Parts().Columns
	for _, i := range columns {
		names = append(names, all[i].Name)
	}
	if names == nil {
		return nil
	}
	return []document.Condition{{Code: document.FieldsMoved, Detail: fmt.Sprintf(
		"%s other values in the newest 2,000 records than in those before (up to 50,000): what is measured may not hold for the next records; shuffle records that are sorted, find out what changed in their source, or list a column that only grows, such as a date, in record.ignore",
		having(names))}}
}

// oneValueConditions names the columns that have had the same value in all records so far, as they have in the first run of sorted records.
func oneValueConditions(order *order.Order, encoder *features.Learning) []document.Condition {
	of := encoder.OneLevel()
	var names []string
	all := encoder.Parts().Columns
	for _, i := range order.OfOneCell() {
		if slices.Contains(of, i) {
			names = append(names, all[i].Name)
		}
	}
	if names == nil {
		return nil
	}
	return []document.Condition{{Code: document.OneValue, Detail: fmt.Sprintf(
		"%s the same value in all records so far, so nothing is known about records with another one: shuffle records that are sorted, or list a column that always has this value in record.ignore",
		having(names))}}
}

// copiesConditions say that records are copies of each other.
func copiesConditions(order *order.Order) []document.Condition {
	share := order.Copies()
	if share == 0 {
		return nil
	}
	return []document.Condition{{Code: document.RepeatedRecords, Detail: fmt.Sprintf(
		"%.0f %% of the recent records have the same fields and groups as one of the 31 before them, more than chance explains: each counts as an independent record, so intervals are too narrow and the verdict too certain; bring each record once, or of a person who comes several times in a row only one",
		100*share)}}
}

const (
	// jump is the least change of accuracy that is one.
	jump = .02
	// settled is how many records come before prices are compared: those of models that have just begun to learn change.
	settled = 16 * rolling.Block
	// jumpDeviations is how many standard errors a change has to be, by the spread of the blocks on either side of it. With six degrees of
	// freedom, chance exceeds it once in 1,000 times.
	jumpDeviations = 6
	// leastBlocks is how many blocks there are before a change and after it.
	leastBlocks = 2
)

// priceConditions say that the constraints suddenly cost more accuracy, or less, than before: from one of the recent blocks on. There
// are settled records or more.
func priceConditions(published, free *rolling.Measured[*fairness.Tally]) []document.Condition {
	with, without := published.Complete(), free.Complete()
	for at := leastBlocks; at <= len(with)-leastBlocks; at++ {
		var before, now fairness.Moments
		for i := range with {
			price := accuracy(without[i]) - accuracy(with[i])
			if i < at {
				before.Add(price, 1)
			} else {
				now.Add(price, 1)
			}
		}
		m, n := float64(before.Records), float64(now.Records)
		change, variance := math.Abs(now.Mean-before.Mean), (before.Squares+now.Squares)/(m+n-2)
		if change > jump && change > jumpDeviations*math.Sqrt(variance*(1/m+1/n)) {
			return []document.Condition{{Code: document.PriceJumped, Detail: fmt.Sprintf(
				"keeping the constraints cost %.3f of accuracy on about %d records, and %.3f on the %d before them: find out what changed in the records, and compare with the version before",
				now.Mean, now.Records*rolling.Block, before.Mean, before.Records*rolling.Block)}}
		}
	}
	return nil
}

func accuracy(t *fairness.Tally) float64 {
	return (t.Confusion.TruePositive + t.Confusion.TrueNegative) / t.Confusion.Weight()
}

// enoughPerWeight is how many records there should be for each weight in use. With fewer, one pass loses up to 0.02 of accuracy
// to a batch regression, and twice as many records raise it by up to 0.04: research/learner.md, section "Records with many
// columns".
const enoughPerWeight = 15

// crowdedWeights is the condition that there are few records for the weights in use.
func crowdedWeights(learnt method, forgetting int) []document.Condition {
	weights, records := learnt.inUse()
	if records >= enoughPerWeight*weights {
		return nil
	}
	remedy := "accuracy grows with more records; until then, list columns without information in record.ignore"
	if records >= float64(forgetting) {
		remedy = fmt.Sprintf("raise learner.forgetting, which is %d, or list columns without information in record.ignore", forgetting)
	}
	return []document.Condition{{Code: document.FewRecordsPerWeight, Detail: fmt.Sprintf(
		"%.0f weights are in use, and there are %.1f records for each, fewer than %d: %s", weights, records/weights, enoughPerWeight, remedy)}}
}

// listed names columns that are something, having names columns that have something; of many only the first.
func listed(names []string) string { return several(names, "is", "are") }
func having(names []string) string { return several(names, "has", "have") }

func several(names []string, one, many string) string {
	const most = 8
	quoted := make([]string, 0, most)
	for _, name := range names[:min(len(names), most)] {
		quoted = append(quoted, fmt.Sprintf("%q", name))
	}
	words := strings.Join(quoted, ", ")
	switch more := len(names) - most; {
	case more > 0:
		return fmt.Sprintf("%s and %d more columns %s", words, more, many)
	case len(names) == 1:
		return words + " " + one
	}
	return words + " " + many
}
