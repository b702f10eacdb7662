package control

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/internal/refine"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/linear"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

const streamColumns = 12

// stream is records of a world. Its taus are no round numbers, so that no difference of counts is equal to a target but for rounding.
type stream struct {
	records, window int
	tau             []float64
	criteria        []fairness.Criterion
	relaxations     []surrogate.Name
	measured        bool // one more comparison is measured only
	factors         bool
	share           float64 // of the group in the first comparison
	bias            func(i int) float64
	missing, burst  func(i int) bool // the attribute is; one group alone comes
	learnable       bool             // a feature tells the groups apart
	late            func(i int) int  // after how many records a label comes, 0 with its record, never if below 0; nil: all with their records
	without         []refine.Name
}

func constantly(bias float64) func(int) float64 { return func(int) float64 { return bias } }

func never(int) bool { return false }

// comparisons lists those of a stream.
func (s *stream) comparisons() (comparisons []fairness.Comparison, relaxations []surrogate.Name) {
	if s.measured {
		comparisons = append(comparisons, fairness.Comparison{Name: "measured", Tau: .05})
		relaxations = append(relaxations, surrogate.Approximation1)
	}
	for k, tau := range s.tau {
		strata := ""
		if s.factors && k == 0 {
			strata = "stratum"
		}
		comparisons = append(comparisons, fairness.Comparison{Name: fmt.Sprint("kept", k), Tau: tau, Enforce: true, Criterion: s.criteria[k], Strata: strata})
	}
	return comparisons, append(relaxations, s.relaxations...)
}

// draw gives the i-th record, without margins.
func (s *stream) draw(random *rand.Rand, i, comparisons int) Record {
	r := Record{Row: &features.Row{}, Weight: 1}
	if s.factors {
		r.Weight = .2 + 2*random.Float64()
	}
	group := random.Float64() < s.share
	if s.burst(i) {
		group = i/600%2 == 0
	}
	other := random.IntN(3) == 0
	score := random.NormFloat64()
	r.Positive = score+random.NormFloat64() > -.3
	if group {
		score -= s.bias(i)
		r.Positive = r.Positive && random.Float64() > .5*s.bias(i)
	} else if s.bias(i) < 0 {
		r.Positive = r.Positive && random.Float64() > -.5*s.bias(i)
	}
	r.Row.Add(0, 1)
	r.Row.Add(int32(1+random.IntN(4)), 1)
	if s.learnable {
		r.Row.Add(5, map[bool]float64{true: 1, false: -1}[group == (random.IntN(8) > 0)])
	}
	if other {
		r.Row.Add(6, 1)
	}
	r.Row.Add(7, score)
	for k := range comparisons {
		member, side := group, fairness.Versus
		if k%2 == 1 {
			member = other
		}
		if member {
			side = fairness.Group
		}
		if s.missing(i) || k > 0 && random.IntN(20) == 0 {
			side = fairness.Unknown
		}
		r.Sides = append(r.Sides, side)
		if s.factors {
			factor := .5 + random.Float64()
			if random.IntN(50) == 0 {
				factor *= 20
			}
			r.Factors = append(r.Factors, factor)
		}
	}
	return r
}

// next gives what comes i-th: a record, with or without its label, or the label of a record of before.
func (s *stream) next(random *rand.Rand, i int, comparisons []fairness.Comparison, waiting map[int]Record) Record {
	r, due := waiting[i]
	if delete(waiting, i); due {
		r.Brings = Label
	} else if r = s.draw(random, i, len(comparisons)); s.late != nil && s.late(i) != 0 {
		r.Brings, r.Number = Itself, int64(i)+1
		at := i + s.late(i)
		for at > i {
			if _, taken := waiting[at]; !taken {
				later := r
				later.Sides = slices.Clone(r.Sides)
				waiting[at] = later
				break
			}
			at++
		}
		r.Positive = false
	}
	if s.late != nil {
		r.Scale = .7
	}
	for k, comparison := range comparisons {
		switch needs := comparison.Criterion.NeedsLabel(); {
		case needs && r.Brings == Itself || !needs && r.Brings == Label:
			r.Sides[k] = fairness.Uncounted
		case needs && !r.Positive:
			r.Sides[k] = fairness.Excluded
		}
	}
	return r
}

func (s *stream) models(t *testing.T) *linear.Models {
	t.Helper()
	models := linear.New(linear.Settings{Most: len(s.tau), Step: 1, Regularization: 1e-4, Forgetting: 700}, linear.NewLogistic())
	e, err := features.NewFrozen(features.Parts{Size: streamColumns})
	if err != nil {
		t.Fatal(err)
	}
	models.Grow(e)
	return models
}

func (s *stream) rates(t *testing.T) (*Rates, *linear.Models) {
	t.Helper()
	without, err := refine.Parse(textsOf(s.without))
	if err != nil {
		t.Fatal(err)
	}
	comparisons, relaxations := s.comparisons()
	models := s.models(t)
	settings := Settings{Aim: NewAim(.95, len(s.tau), 3000, .9), Window: s.window, Minimum: 30, Forgetting: 700, Without: without}
	r, err := NewRates(settings, comparisons, relaxations, models)
	if err != nil {
		t.Fatal(err)
	}
	return r, models
}

func textsOf(names []refine.Name) (texts []string) {
	for _, name := range names {
		texts = append(texts, string(name))
	}
	return texts
}

// restored is a copy by way of a snapshot.
func (s *stream) restored(t *testing.T, r *Rates, models *linear.Models) (*Rates, *linear.Models) {
	t.Helper()
	state := func(r *Rates, models *linear.Models, c *codec.Coder) {
		models.Fields(c, streamColumns)
		r.Fields(c, streamColumns)
	}
	writer := codec.NewWriter(nil)
	state(r, models, writer)
	again, learnt := s.rates(t)
	reader := codec.NewReader(writer.Bytes())
	state(again, learnt, reader)
	if err := reader.End(); err != nil {
		t.Fatal(err)
	}
	e, err := features.NewFrozen(features.Parts{Size: streamColumns})
	if err != nil {
		t.Fatal(err)
	}
	learnt.Grow(e)
	return again, learnt
}

// learn takes the record in by a control and its models, and returns the margin that was published.
func learn(models *linear.Models, r Record, publish func([]float64) float64, push func(*Record) []float64, observe func(*Record, []float64)) float64 {
	r.Margins = models.NewMargins()
	models.Margins(r.Margins, r.Row)
	if r.Published = publish(r.Margins.Average); r.Brings == Itself {
		r.Relative = models.Relative(r.Weight)
		observe(&r, models.Press(r.Row, push(&r), r.Relative))
		return r.Published
	}
	r.Relative = models.Count(r.Weight)
	label := models.Loss().(*linear.Logistic).Label(r.Positive, 0)
	observe(&r, models.Step(r.Row, r.Margins, push(&r), label, r.Relative))
	return r.Published
}

// history is what the streams went through.
type history struct{ changes, idle, entered, left, turned, due, shifted, constant, unreachable, unsteady, negative, moved, doubtful int }

// briefly are the streams of TestRatesAreWhatTheirDocumentationSays that -short leaves, and how many records of them: they compute in one goroutine, which a race
// detector only slows down.
var briefly = map[string]int{"one, of a bias that turns": 2000, "a ratio, missing for a while": 800, "three": 800, "two, of late labels": 1000, "one, of some labels": 900, "one, idle, of records that change": 1700, "two, out of reach": 900}

func TestRatesAreWhatTheirDocumentationSays(t *testing.T) {
	var seen history
	one := []fairness.Criterion{fairness.DemographicParity}
	for name, s := range map[string]*stream{
		"one, of a bias that turns": {records: 4500, window: 300, tau: []float64{.0503}, criteria: one, relaxations: []surrogate.Name{surrogate.Approximation1},
			measured: true, factors: true, share: .4, bias: func(i int) float64 { return []float64{1, -1.4, 1}[i/1600] }, learnable: true},
		"one, of records that change": {records: 3600, window: 640, tau: []float64{.0503}, criteria: one, relaxations: []surrogate.Name{surrogate.Approximation2},
			factors: true, share: .5, bias: func(i int) float64 { return []float64{.2, 1.5, -1.5}[i/1300] }, learnable: true},
		"one, in bursts": {records: 3000, window: 500, tau: []float64{.0503}, criteria: one, relaxations: []surrogate.Name{surrogate.Approximation2},
			share: .3, bias: constantly(.8), burst: func(i int) bool { return i > 1200 }, learnable: true},
		"a ratio, missing for a while": {records: 3000, window: 500, tau: []float64{.7993}, criteria: []fairness.Criterion{fairness.ImpactRatio},
			relaxations: []surrogate.Name{surrogate.Approximation3}, measured: true, factors: true, share: .5, bias: constantly(.7),
			missing: func(i int) bool { return i > 1500 && i < 2100 }, learnable: true},
		"one, that only a shift keeps": {records: 2500, window: 500, tau: []float64{.0503}, criteria: one, relaxations: []surrogate.Name{surrogate.MeanMargin},
			share: .5, bias: constantly(1.2)},
		"one, quiet in the end": {records: 12_310, window: 300, tau: []float64{.0807}, criteria: one, relaxations: []surrogate.Name{surrogate.Sigmoid},
			share: .5, bias: func(i int) float64 { return float64(max(0, 1-i/900)) }, learnable: true},
		"three": {records: 2500, window: 400, tau: []float64{.0503, .1007, .7993},
			criteria: []fairness.Criterion{fairness.DemographicParity, fairness.DemographicParity, fairness.ImpactRatio}, measured: true, factors: true,
			relaxations: []surrogate.Name{surrogate.Approximation1, surrogate.Approximation2, surrogate.Sigmoid}, share: .4, bias: constantly(.8), learnable: true},
		"a rare group": {records: 4000, window: 400, tau: []float64{.1007}, criteria: one, relaxations: []surrogate.Name{surrogate.Approximation1},
			share: .03, bias: constantly(.9), learnable: true},
		"one, idle, of records that change": {records: 2600, window: 640, tau: []float64{.9}, criteria: one, relaxations: []surrogate.Name{surrogate.Approximation1},
			share: .5, bias: func(i int) float64 { return []float64{-.5, 1}[i/1300] }, learnable: true},
		"two, out of reach": {records: 1700, window: 400, tau: []float64{.0503, .0503}, criteria: []fairness.Criterion{fairness.DemographicParity, fairness.ImpactRatio},
			relaxations: []surrogate.Name{surrogate.Approximation1, surrogate.Approximation1}, share: .4, bias: func(i int) float64 { return []float64{5, 1, 5}[i/700] }},
		"one, of some labels": {records: 4000, window: 500, tau: []float64{.0503}, criteria: one, relaxations: []surrogate.Name{surrogate.Approximation1},
			measured: true, factors: true, share: .4, bias: constantly(1), learnable: true, late: func(i int) int { return i%3 - 1 },
			missing: func(i int) bool { return i > 1500 && i < 2100 }},
		"two, of late labels": {records: 5000, window: 400, tau: []float64{.0503, .1007},
			criteria:    []fairness.Criterion{fairness.DemographicParity, fairness.EqualOpportunity},
			relaxations: []surrogate.Name{surrogate.Approximation2, surrogate.Approximation1}, share: .3, bias: constantly(1.2), learnable: true,
			late: func(i int) int { return []int{0, 40, 900, -1, 40}[i/100%5] }},
		"none": {records: 800, window: 300, measured: true, share: .5, bias: constantly(1), learnable: true},
	} {
		if s.missing == nil {
			s.missing = never
		}
		if s.burst == nil {
			s.burst = never
		}
		if testing.Short() {
			s.records = briefly[name]
		}
		if s.records > 0 {
			t.Run(name, func(t *testing.T) { s.hold(t, &seen) })
		}
	}
	if testing.Short() {
		return
	}
	if least := min(seen.changes, seen.idle, seen.entered, seen.left, seen.turned, seen.due, seen.shifted, seen.unreachable, seen.negative, seen.moved, seen.doubtful); least == 0 {
		t.Errorf("the streams go through little: %+v", seen)
	}
}

// Without a refinement the rest is as it was.
func TestRatesWithoutARefinement(t *testing.T) {
	records := 1300
	if testing.Short() {
		records = 650
	}
	for _, name := range []refine.Name{refine.Ascent, refine.Window, refine.ExactStep, refine.Target, refine.Refresh, refine.LeaveOneOut,
		refine.Change, refine.Turn, refine.Reference, refine.Balance, refine.Threshold, refine.ActiveSet} {
		t.Run(string(name), func(t *testing.T) {
			s := &stream{records: records, window: 600, tau: []float64{.0503}, criteria: []fairness.Criterion{fairness.DemographicParity}, without: []refine.Name{name},
				relaxations: []surrogate.Name{surrogate.Approximation1}, share: .4, bias: func(i int) float64 { return float64(1 - 3*(i/500)) },
				missing: func(i int) bool { return i > 500 && i < 560 }, burst: never, learnable: true}
			s.hold(t, &history{})
		})
	}
}

// hold compares Rates with plainRates after each record of a stream. A snapshot now and then makes no difference.
func (s *stream) hold(t *testing.T, seen *history) {
	fast, models := s.rates(t)
	comparisons, relaxations := s.comparisons()
	slow := newPlainRates(fast.settings, comparisons, relaxations, s.models(t))
	random, waiting := rand.New(rand.NewPCG(21, uint64(s.records))), map[int]Record{}
	for i := range s.records {
		if i%397 == 211 {
			fast, models = s.restored(t, fast, models)
		}
		record := s.next(random, i, comparisons, waiting)
		if s.late != nil && record.Brings != Itself && i%5 == 0 {
			record.Labelled = 3 * record.Weight
		}
		same := func(what string, got, want float64) {
			if !(math.Abs(got-want) <= 1e-9*max(1, math.Abs(want))) {
				t.Fatalf("record %d: %s is %v and should be %v", i, what, got, want)
			}
		}
		same("the published margin", learn(models, record, fast.Publish, fast.Push, fast.Observe),
			learn(slow.models, record, slow.publish, slow.pushes, slow.observe))
		same("the shift", fast.Shift(), slow.shift)
		same("the models", float64(models.Models()), float64(slow.models.Models()))
		for k, got := range fast.Reports(comparisons) {
			slow.compareReport(slow.kept[k], got, same)
			if i%50 == 0 {
				same("what moved", got.Moved, slow.moved(slow.kept[k]))
			}
			if got.Moved != 0 {
				seen.moved++
			}
			if got.Unsteady {
				seen.unsteady++
			}
			if !got.Reachable {
				seen.unreachable++
			}
			if got.Multiplier < 0 {
				seen.negative++
			}
		}
		if fast.Constant() != slow.constant {
			t.Fatalf("record %d: constant is %t", i, fast.Constant())
		}
		if i%50 == 0 {
			for k := range comparisons {
				group, versus, inflation, ok := fast.Counts(k)
				want, wantInflation := slow.counts(k)
				if !ok || group != want[0] || versus != want[1] || math.Abs(inflation-wantInflation) > 1e-9*wantInflation {
					t.Fatalf("record %d: comparison %d counts %+v and %+v, inflation %v, and should %+v, %v", i, k, group, versus, inflation, want, wantInflation)
				}
				if inflation > 1.2*Inflation {
					seen.doubtful++
				}
			}
			if fast.Collapse() != slow.collapse() {
				t.Fatalf("record %d: the state is %v and should be %v", i, fast.Collapse(), slow.collapse())
			}
		}
		if slow.shift != 0 {
			seen.shifted++
		}
		if slow.constant {
			seen.constant++
		}
	}
	for _, c := range slow.kept {
		if seen.changes += c.changes; slow.entered == 0 {
			seen.idle += c.changes
		}
	}
	seen.entered, seen.left, seen.turned, seen.due = seen.entered+slow.entered, seen.left+slow.left, seen.turned+slow.turned, seen.due+slow.due
}

// compareReport compares a report with what it is to say.
func (p *plainRates) compareReport(c *plainConstraint, got Report, same func(what string, got, want float64)) {
	truth := func(b bool) float64 { return map[bool]float64{true: 1}[b] }
	same("the comparison", float64(got.Comparison), float64(c.comparison))
	same("tau", got.Tau, c.tau)
	same("theta", got.Theta, c.theta)
	same("the target", got.Target, c.target())
	same("the changes", float64(got.Changes), float64(c.changes))
	same("the rarest share", got.Rarest, min(c.shares[0], c.shares[1]))
	same("reachable", truth(got.Reachable), truth(c.reachable))
	same("at the floor", truth(got.AtFloor), truth(c.chosen && c.theta >= .8*c.tau))
	n := len(c.cuts)
	doublings, twice := math.Ceil(math.Log2(float64(max(1, p.measured)))), false
	if n > 1 && p.records-c.cuts[n-2].records < 40_000 {
		last, before := c.cuts[n-1].by, c.cuts[n-2].by
		sure := math.Sqrt(4.5*4.5 + 2*math.Ln2*doublings)
		twice = last*before > 0 || math.Abs(last) > sure && math.Abs(before) > sure
	}
	same("unsteady", truth(got.Unsteady), truth(twice || n > 2 && p.records-c.cuts[n-3].records < 40_000))
	for i := range 2 {
		same("away", got.Away[i], p.awayFor(c, i))
	}
	difference, constant := c.difference, 0.0
	if c.model > 0 {
		difference = c.ascended()
		if !c.relative {
			constant = c.relaxations[0].EffectiveConstant(c.published, c.tau) + (c.tau-math.Abs(difference))/c.tau
		}
	}
	same("the difference", got.Difference, difference)
	same("the multiplier", got.Multiplier, c.sign*c.value*c.multiplier)
	same("the effective constant", got.EffectiveConstant, constant)
}

// awayFor is for how many records a side has stayed away, if half of the other's steady records have come since.
func (p *plainRates) awayFor(c *plainConstraint, side int) float64 {
	own, other := c.sides[side].newest(), c.sides[1-side].newest()
	if len(own) == 0 || len(other) == 0 {
		return 0
	}
	since := 0
	for _, item := range other {
		if item.came > own[0].came {
			since++
		}
	}
	if away := p.records - own[0].came; since > len(other)/2 && away*c.shares[side] >= 8 {
		return away
	}
	return 0
}
