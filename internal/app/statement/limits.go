package statement

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/chance"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
)

// mostLimits is how many constraints are put in words.
const mostLimits = 4

// wideTau is a difference of shares that hardly anybody means to allow.
const wideTau = .25

// limits say what each constraint allows, and what the labels are like.
func (s *Sample) limits() (said []string) {
	more := 0
	for k, c := range s.grouper.Comparisons() {
		if !c.Known() {
			continue
		}
		if len(said) == mostLimits {
			more++
			continue
		}
		said = append(said, s.limit(k, c))
	}
	if more > 0 {
		said = append(said, english.Counted(more, "more comparison")+" not shown.")
	}
	if len(said) == 0 {
		said = append(said, "none is set, so the decisions are not constrained.")
	}
	return said
}

func (s *Sample) limit(k int, c fairness.Comparison) string {
	group, versus := quoted(c.GroupLabel()), quoted(c.VersusLabel())
	among, what := "", "the shares of "+group+" and of "+versus+" that get a positive decision"
	switch c.Criterion.Parts()[0] {
	case fairness.EqualOpportunity:
		among = "of the records with a positive label, "
	case fairness.PredictiveEquality:
		among = "of the records with a negative label, "
	case fairness.MeanDifference:
		what = "the mean predictions for " + group + " and for " + versus
	}
	text := among + what + " may differ by " + english.Number(c.Tau)
	switch {
	case c.Criterion.OfRatio():
		text = among + "the smaller of " + what + " is to be at least " + english.Number(c.Tau) + " of the larger"
	case !c.Criterion.OfMeans():
		text = among + what + " may differ by " + english.Number(100*c.Tau) + " points"
	}
	if c.Strata != "" {
		text += ", within each value of " + quoted(c.Strata)
	}
	if !c.Enforce {
		text += ", which is measured but not enforced"
	}
	text += "."
	var n, positive [2]int
	outside, unknown := 0, 0
	for r, of := range s.rows {
		at := 0
		switch s.sides[k][r] {
		case fairness.Versus:
			at = 1
		case fairness.Group:
		case fairness.Neither:
			outside++
			continue
		default:
			unknown++
			continue
		}
		if of.labelled {
			n[at]++
			if of.positive {
				positive[at]++
			}
		}
	}
	if c.Criterion.OfMeans() {
		text += s.ofSpread(c.Tau)
	}
	if n[0] > 0 && n[1] > 0 && s.config.Learner.Task == model.Classification {
		text += english.Sprintf(" Of the labels, %s are positive for %s (%d records) and %s for %s (%d).", english.Percent(float64(positive[0])/float64(n[0])), group, n[0],
			english.Percent(float64(positive[1])/float64(n[1])), versus, n[1])
	}
	if of := len(s.rows); outside > 0 {
		text += fmt.Sprintf(" In neither group: %s of the records%s.", english.Share(outside, of), s.valuesOn(k, c, fairness.Neither))
	}
	if c.Rest {
		text += fmt.Sprintf(" The rest is%s.", strings.TrimPrefix(cmp.Or(s.valuesOn(k, c, fairness.Versus), ", everybody else"), ","))
	}
	if of := len(s.rows); unknown > 0 {
		text += fmt.Sprintf(" Without %s: %s.", attributes(c), english.Share(unknown, of))
	}
	if c.Criterion == fairness.DemographicParity && n[0] > 0 && n[1] > 0 {
		switch p, q := float64(positive[0])/float64(n[0]), float64(positive[1])/float64(n[1]); {
		case c.Tau >= max(p, q):
			text += " Both shares are below this limit, so it has almost no effect. Did you mean a ratio (impact-ratio) or a smaller tau?"
		case c.Tau >= wideTau && c.Tau >= 2*math.Abs(p-q):
			text += " The labels differ by far less, so this limit has almost no effect. Did you mean a smaller tau?"
		}
	}
	return text + s.gaps(k)
}

// valuesOn lists the values of the attribute of a comparison on one side, with their records, the most frequent first; nothing if there are many.
func (s *Sample) valuesOn(k int, c fairness.Comparison, side fairness.Side) string {
	if len(c.Group) != 1 {
		return ""
	}
	of := s.names.Of(c.Group[0].Attribute)
	if of == nil || of.texts == nil {
		return ""
	}
	rows := map[uint64]int{}
	for r, is := range s.sides[k] {
		if is == side {
			rows[of.hashes[r]]++
		}
	}
	hashes := slices.SortedFunc(maps.Keys(rows), func(a, b uint64) int {
		return cmp.Or(cmp.Compare(rows[b], rows[a]), cmp.Compare(of.texts[a], of.texts[b]))
	})
	var words []string
	for _, hash := range hashes {
		words = append(words, english.Sprintf("%s (%d)", quoted(of.texts[hash]), rows[hash]))
	}
	if len(words) == 0 {
		return ""
	}
	return ", " + some(words, mostValuesShown)
}

// mostValuesShown is how many values of a side are named.
const mostValuesShown = 5

// gaps are the differences between the groups in each quarter of the records, if one of them is unlike the others by more than chance.
func (s *Sample) gaps(k int) string {
	var n, positive [quarters][2]float64
	for r, of := range s.rows {
		side := s.sides[k][r]
		if !of.labelled || side != fairness.Group && side != fairness.Versus {
			continue
		}
		q, at := quarters*r/len(s.rows), 0
		if side == fairness.Versus {
			at = 1
		}
		n[q][at]++
		if of.positive {
			positive[q][at]++
		}
	}
	difference := func(n, positive [2]float64) (gap, variance float64) {
		p, q := positive[0]/n[0], positive[1]/n[1]
		return p - q, p*(1-p)/n[0] + q*(1-q)/n[1]
	}
	var said []string
	unlike := false
	for q := range quarters {
		var others, positiveOthers [2]float64
		for o := range quarters {
			for at := range 2 {
				if o != q {
					others[at], positiveOthers[at] = others[at]+n[o][at], positiveOthers[at]+positive[o][at]
				}
			}
		}
		if min(n[q][0], n[q][1], others[0], others[1]) < leastOfClass {
			return ""
		}
		gap, variance := difference(n[q], positive[q])
		rest, varianceOfRest := difference(others, positiveOthers)
		said = append(said, fmt.Sprintf("%.0f", 100*gap))
		if deviation := math.Sqrt(variance + varianceOfRest); deviation > 0 {
			unlike = unlike || chance.Tail(math.Abs(gap-rest)/deviation) >= beyondChance
		}
	}
	if !unlike {
		return ""
	}
	return fmt.Sprintf(" In the four quarters of the records that difference is %s points.", english.And(said))
}

// ofSpread says what a bound of means is beside the spread of the labels.
func (s *Sample) ofSpread(tau float64) string {
	n, mean, squares := 0., 0., 0.
	for _, of := range s.rows {
		if of.labelled {
			n++
			off := of.label - mean
			mean += off / n
			squares += off * (of.label - mean)
		}
	}
	if n < 2 || squares == 0 {
		return ""
	}
	return fmt.Sprintf(" That is %s of their standard deviation, %s.", english.FourDigits(tau/math.Sqrt(squares/n)), english.FourDigits(math.Sqrt(squares/n)))
}

func attributes(c fairness.Comparison) string {
	var names []string
	for _, term := range c.Group {
		names = append(names, quoted(term.Attribute))
	}
	return english.And(names)
}
