package fairness

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/goldentest"
)

// wholeGrouper has comparisons of every kind: of values, ranges, two attributes, each value against the rest, a value and the best one, and within strata.
func wholeGrouper(t *testing.T) *Grouper {
	t.Helper()
	twenty, forty := 20.0, 40.0
	value := func(attribute, text string) []Term { return []Term{Is(attribute, text)} }
	g, err := NewGrouper([]Comparison{
		{Name: "sex", Criterion: DemographicParity, Tau: .05, Group: value("sex", "f"), Versus: value("sex", "m"), Enforce: true},
		{Name: "odds", Criterion: EqualizedOdds, Tau: .1, Group: value("race", "a"), Rest: true},
		{Name: "ratio", Criterion: ImpactRatio, Tau: .8, Group: value("sex", "f"), Rest: true},
		{Name: "age", Criterion: PredictiveEquality, Tau: .1, Rest: true, Group: []Term{{Attribute: "age", Members: Members{Range: &Range{From: &twenty, Below: &forty}}}}},
		{Name: "both", Criterion: EqualOpportunity, Tau: .1, Rest: true, Group: []Term{Is("sex", "f"), Is("race", "b")}},
		{Name: "each", Criterion: DemographicParity, Tau: .05, Each: true, Rest: true, Group: []Term{{Attribute: "region"}}},
		{Name: "best", Criterion: ImpactRatio, Tau: .8, Each: true, Best: true, Group: []Term{{Attribute: "race"}}},
		{Name: "within", Criterion: DemographicParity, Tau: .05, Group: value("sex", "f"), Rest: true, Strata: "branch"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestTheWholeOfAStream compares everything that is measured of a stream, in two halves that are combined, with a file: by comparisons of every kind, of
// decisions and of predictions, with weights, missing attributes, labels that never come, and detectors.
func TestTheWholeOfAStream(t *testing.T) {
	g := wholeGrouper(t)
	names, comparisons := g.Attributes(), len(g.Comparisons())
	random := rand.New(rand.NewPCG(20, 26))
	values := map[string][]string{"sex": {"f", "m", "m", ""}, "race": {"a", "b", "c"}, "age": {"15", "20", "39.5", "40", "old", ""}, "region": {"n", "s", "e", "w"}, "branch": {"x", "y", ""}}
	tallies, means := [2]*Tally{NewTally(comparisons), NewTally(comparisons)}, [2]*RegressionTally{NewRegressionTally(comparisons), NewRegressionTally(comparisons)}
	selections, absences := [2]*Selection{NewSelection(comparisons), NewSelection(comparisons)}, [2]Absence{}
	var trials [2]Trials
	var detector Detector
	var meanDetector MeanDetector
	levels, sides, strata, given := make([]Level, len(names)), make([]Side, comparisons), make([]int, comparisons), make([]bool, comparisons)
	for i := range g.Comparisons() {
		given[i] = g.Comparisons()[i].Criterion.NeedsLabel()
	}
	var text strings.Builder
	for n := range 1600 {
		for k, name := range names {
			of := values[name][random.IntN(len(values[name]))]
			if levels[k] = MissingLevel; of != "" {
				levels[k] = g.Level(k, []byte(of))
			}
		}
		label := random.IntN(3) > 0
		g.Sides(sides, levels, label)
		g.Strata(strata, levels)
		margin := random.NormFloat64()
		if label {
			margin++
		}
		if sides[0] == Group {
			margin -= .4
		}
		weight, half := .5+random.Float64(), n/800
		known := random.IntN(4) > 0
		tallies[half].AddWithin(label, margin > 0, margin, weight, sides, strata)
		means[half].Add(3*margin, margin+random.NormFloat64(), .2, weight, sides)
		decided := map[bool]float64{true: 1}[margin > 0]
		selections[half].Add(known, decided, 1/(1+margin*margin), weight, sides)
		selections[half].Expect(known, [2]float64{.5 + .1*decided, .4 + .2*decided}, weight, 2*weight)
		if known {
			selections[half].Weigh(2*weight, n%7 == 0, sides, given)
		}
		absences[half].Add(levels[0] == MissingLevel, map[bool]float64{true: 1}[label], decided, weight)
		switch sides[0] {
		case Group:
			trials[0].Add(margin > 0)
		case Versus:
			trials[1].Add(margin > 0)
		}
		detector.Add(sides[0], margin > 0, &g.Comparisons()[0])
		meanDetector.Add(sides[0], margin, .2)
		if n == 400 || n == 1599 {
			all, allMeans, selection, absence := NewTally(comparisons), NewRegressionTally(comparisons), NewSelection(comparisons), Absence{}
			for half := range 2 {
				all.Combine(tallies[half])
				allMeans.Combine(means[half])
				selection.Combine(selections[half])
				absence.Combine(absences[half])
			}
			show := func(name string, value any) {
				text.WriteString(goldentest.Print(fmt.Sprintf("%s after %d", name, n+1), value))
			}
			show("decisions", all)
			show("estimates", all.Estimates(g.Comparisons(), DefaultOptions()))
			show("rescored", all.Estimates(g.Comparisons(), Options{Level: .9, MinimumRecords: 100, Inflation: 1.5}))
			show("predictions", allMeans)
			show("squared error", []Measure{allMeans.Errors.MSE(.95), allMeans.Errors.ConstantMSE(.95), allMeans.Errors.RSquared(.95)})
			mean := Comparison{Name: "mean", Criterion: MeanDifference, Tau: .5, Group: []Term{Is("sex", "f")}, Rest: true}
			show("means", mean.EstimateMeans(allMeans.Comparisons[0], DefaultOptions()))
			show("selection", selection)
			show("dependence", selection.Dependence())
			labels, decisions := absence.Biased()
			show("absence", []any{absence, absence.Share(), labels, decisions, absence.Shift(.3, .1)})
			c := &g.Comparisons()[0]
			show("sequences", []Sequence{c.Sequence(trials[0], trials[1], SequenceOptions{Level: .95}), c.Sequence(trials[0], trials[1], SequenceOptions{Level: .95, Exact: true}),
				c.AtEqualTime(&detector.Differences, trials[0], trials[1], SequenceOptions{Level: .95}),
				c.WeighedSequence(all.Comparisons[0].Group, all.Comparisons[0].Versus, SequenceOptions{Level: .95})})
			show("detectors", []any{detector, detector.Evidence(), meanDetector, meanDetector.Evidence()})
			show("collapse", DetectCollapse(all.Confusion, .95, DefaultCollapseOptions()))
		}
	}
	rates := map[int]float64{}
	g.Choose(func(comparison int) (float64, bool) {
		rates[comparison] = float64(comparison%5) / 10
		return rates[comparison], true
	})
	text.WriteString(goldentest.Print("found", g.Found()))
	goldentest.Compare(t, "whole.txt", text.String())
}

// TestTheWholeOfPlans compares with a file how many records a verdict and an alarm need, and intervals of ratios, rates and means.
func TestTheWholeOfPlans(t *testing.T) {
	var text strings.Builder
	for _, n := range []Needs{{.3, .3, .5, .05}, {.3, .3, .1, .05}, {.5, .2, .3, .1}, {.2, .5, .7, .1}, {.3, .25, .5, .05}, {0, .3, .5, .05}, {.9, .6, .01, .2}} {
		text.WriteString(goldentest.Print(fmt.Sprint(n), []float64{n.Verdict(.95), n.Verdict(.99), n.HalfWidth(100, .95), n.HalfWidth(10_000, .95), n.Alarm(1000), n.Alarm(50_000)}))
	}
	for _, c := range [][4]float64{{.3, 100, .5, 80}, {0, 50, .2, 60}, {.2, 60, 0, 50}, {0, 50, 0, 60}, {1, 40, 1, 30}, {1, 40, .5, 30}, {.01, 3000, .02, 200}, {.7, 31.5, .69, 1000}} {
		lo, hi := Koopman(c[0], c[1], c[2], c[3], .95)
		from, to := Newcombe(c[0], c[1], c[2], c[3], .95)
		least, most := Wilson(c[0], c[1], .9)
		low, high := Welch(c[0], .5, c[1], c[2], .25, c[3], .95)
		text.WriteString(goldentest.Print(fmt.Sprint(c), []any{lo, hi, NewRatio(c[0], c[1], c[2], c[3], .95), from, to, least, most, low, high}))
	}
	goldentest.Compare(t, "plans.txt", text.String())
}

// TestTheWholeOfSequences compares with a file what sequences say of trials of all sizes, of differences and of ratios, asymptotic and exact, and what detectors
// have come to after streams whose rates or means part: of decisions by difference and by ratio, and of predictions.
func TestTheWholeOfSequences(t *testing.T) {
	var text strings.Builder
	trials := func(of *[2]Trials, random *rand.Rand, n int, rates [2]float64) {
		for range n {
			side := random.IntN(2)
			of[side].Add(random.Float64() < rates[side])
		}
	}
	random := rand.New(rand.NewPCG(31, 5))
	for _, rates := range [][2]float64{{.5, .5}, {.1, .3}, {.9, .2}, {.02, .03}, {0, .4}, {1, .6}} {
		var of [2]Trials
		for _, n := range []int{30, 200, 3000} {
			trials(&of, random, n, rates)
			for _, c := range []Comparison{{Criterion: DemographicParity, Tau: .05}, {Criterion: ImpactRatio, Tau: .8}} {
				for _, o := range []SequenceOptions{{Level: .95}, {Level: .99, Exact: true}} {
					s := c.Sequence(of[0], of[1], o)
					text.WriteString(goldentest.Print(fmt.Sprint(rates, " ", n, " ", c.Criterion, " ", o), []any{s.Value, s.Lo, s.Hi, s.Status}))
				}
			}
		}
	}
	for _, c := range []Comparison{{Criterion: DemographicParity, Tau: .05}, {Criterion: ImpactRatio, Tau: .8}} {
		for _, rates := range [][2]float64{{.5, .5}, {.2, .45}, {.45, .2}} {
			var d Detector
			for i := range 4000 {
				side := random.IntN(3) / 2
				if d.Add([2]Side{Group, Versus}[side], random.Float64() < rates[side], &c); i%1000 == 999 {
					text.WriteString(goldentest.Print(fmt.Sprint("detector ", c.Criterion, rates, i+1), []any{d.Evidence(), d.Differences}))
				}
			}
		}
	}
	for _, apart := range []float64{0, .3, -.3, 50} {
		var d MeanDetector
		for i := range 4000 {
			side := random.IntN(2)
			if d.Add([2]Side{Group, Versus}[side], random.NormFloat64()+apart*float64(side), .1); i%1000 == 999 {
				text.WriteString(goldentest.Print(fmt.Sprint("means ", apart, i+1), []any{d.Evidence(), d.Ended, d.Mean, d.Variance}))
			}
		}
	}
	goldentest.Compare(t, "sequences.txt", text.String())
}
