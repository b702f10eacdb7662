package control

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/linear"
)

// side is what the mean prediction of one side was before learning, and what it was predicted to be.
type side struct {
	mean     float64 // of the predictions before learning, the older ones faded
	variance float64 // and their variance
	claimed  float64 // mean prediction of the side at the last choice
	excess   float64 // mean of predictions − claimed
	claims   float64 // weight of the records since the first choice, faded
}

// observe takes note of what was predicted before learning, and, once a choice was made, of how far
// that is from what was claimed then. total is the weight of the side's records, this one included; keep is the factor by
// which older ones have faded.
func (s *side) observe(prediction, weight, total, keep float64, chosen bool) {
	share := weight / total
	d := prediction - s.mean
	s.mean += float64(d * share)
	s.variance += float64((float64(d*(prediction-s.mean)) - s.variance) * share)
	if chosen {
		s.claims = float64(s.claims*keep) + weight
		s.excess += float64((prediction - s.claimed - s.excess) * (weight / s.claims))
	}
}

// For a squared loss under constraints that are linear in the weights the secant is no approximation: the
// solution of the saddle point moves in a straight line with each multiplier, so there is an interpolation weight at
// which w is the solution of the constrained problem itself, with multiplier_k = interpolation_k × meanMultiplier.
//
// The difference of the means at w is linear in the interpolation weights as well,
//
//	D_i(w) = D_i(w_free) + Σ_k interpolation_k M_ik,  M_ik = D_i(w_constrained_k) − D_i(w_free)
//
// and the weights are those of least loss at which every |D_i| is within its target. For one comparison that
// is (± target − D(w_free))/M; for several it is a quadratic program in the multipliers, solved coordinate by
// coordinate (Hildreth, Naval Research Logistics Quarterly 4, 1957, pp. 79–85).

const (
	// meanMultiplier is that of a constrained model, in units in which the push has root mean square 1 and
	// the residual one of at most 1. Any would do.
	meanMultiplier = .5
	// meanInterval is how many records pass between choices. A choice costs O(K²).
	meanInterval = 64
	// mostMeanInterpolation bounds the interpolation: far out on the line the noise of both models is magnified.
	mostMeanInterpolation = 8.0
	// meanSweeps of the coordinates are enough for more comparisons than anybody has.
	meanSweeps = 50
)

// Means keeps differences of mean predictions within tau.
type Means struct {
	settings Settings
	sums     Sums
	enforced []int // comparison of each constraint
	measured []int // comparisons that are not enforced

	meansState
	meansScratch
}

// meansState is what a snapshot saves.
type meansState struct {
	records       float64
	untilChoice   int64
	interpolation []float64
	constraints   []meanConstraint
	beside        [][2]linear.RowSum // the rows of the two sides of the comparisons that are not enforced
	late          linear.Late
}

// meansScratch has no meaning between two calls.
type meansScratch struct {
	pushed []float64 // per model
	enough []bool    // by constraint: both sides have enough records
	free   []float64 // by constraint: D(w_free)
}

// meanConstraint is the state of one enforced comparison of means.
type meanConstraint struct {
	tau       float64
	theta     float64 // allowance for sampling error, last time
	gap       float64 // allowance for the generalisation gap, last time
	chosen    bool    // an interpolation has been chosen before
	reachable bool    // some interpolation reached the target, last time
	shares    shares
	sides     [2]side
}

// target is the absolute difference to aim at.
func (c *meanConstraint) target() float64 { return target(c.tau, c.theta, c.gap) }

// NewMeans returns the control of the enforced ones of some comparisons.
func NewMeans(settings Settings, comparisons []fairness.Comparison, sums Sums) *Means {
	m := &Means{settings: settings, sums: sums, enforced: enforcedOf(comparisons)}
	m.untilChoice = meanInterval
	for _, i := range m.enforced {
		sums.Join()
		m.constraints = append(m.constraints, meanConstraint{tau: comparisons[i].Tau, reachable: true})
	}
	for i := range comparisons {
		if !comparisons[i].Enforce {
			m.measured = append(m.measured, i)
			m.beside = append(m.beside, [2]linear.RowSum{linear.NewRowSum(settings.Window), linear.NewRowSum(settings.Window)})
		}
	}
	m.late = linear.NewLate(2*len(comparisons), settings.Window)
	count := len(m.enforced)
	m.interpolation, m.pushed = make([]float64, count), make([]float64, count+1)
	m.enough, m.free = make([]bool, count), make([]float64, count)
	return m
}

// Grow takes note of bins that have come.
func (m *Means) Grow(e *features.Frozen) {
	m.late.Grow(e, func(sum int) float64 {
		if k := sum/2 - len(m.enforced); k >= 0 {
			return m.beside[k][sum%2].Total()
		}
		return m.sums.Total(sum)
	})
}

// Publish is the margin that is published, of those of all models.
func (m *Means) Publish(margins []float64) float64 { return combine(margins, 0, m.interpolation) }

// Interpolation returns the interpolation weights.
func (m *Means) Interpolation() []float64 { return m.interpolation }

// Shift is 0: means need none.
func (m *Means) Shift() float64 { return 0 }

// Push adds the record to the means of the sides that it is on, and returns what the constraints add to the gradient of
// each model: the gradient of the difference of the means in its margin, scaled. It is valid until the next call.
func (m *Means) Push(r *Record) []float64 {
	if r.Brings != Label {
		m.records++
	}
	fade := 1 / min(m.records, m.settings.Forgetting)
	for k, i := range m.enforced {
		m.pushed[k+1] = r.scale() * m.push(k, r.Sides[i], r, fade)
	}
	for k, i := range m.measured {
		switch r.Sides[i] {
		case fairness.Group:
			m.beside[k][0].Add(r.Row, r.Relative)
			m.late.Count(2 * (len(m.enforced) + k))
		case fairness.Versus:
			m.beside[k][1].Add(r.Row, r.Relative)
			m.late.Count(2*(len(m.enforced)+k) + 1)
		}
	}
	return m.pushed
}

func (m *Means) push(k int, on fairness.Side, r *Record, fade float64) float64 {
	if on == fairness.Uncounted {
		return 0
	}
	c := &m.constraints[k]
	c.shares.observe(on, fade)
	at, sign := 0, 1.0
	switch on {
	case fairness.Group:
	case fairness.Versus:
		at, sign = 1, -1
	default:
		return 0
	}
	sum := 2*k + at
	m.sums.Add(sum, r.Row, r.Margins, r.Relative)
	m.late.Count(sum)
	c.sides[at].observe(r.Published, r.Relative, m.sums.Total(sum), linear.Keep(m.settings.Window), c.chosen)
	shares := c.shares
	// Both sides by the same factor, so that what one is pushed down the other is pushed up; by nothing, as long as one has not come.
	norm := max(math.Sqrt(1/shares[0]+1/shares[1]), max(1/shares[0], 1/shares[1])/largestPush)
	return sign * (meanMultiplier / (shares[at] * norm))
}

// Observe takes in that a record was learnt, and chooses again when it is time to.
func (m *Means) Observe(*Record, []float64) {
	if m.untilChoice--; m.untilChoice <= 0 {
		m.untilChoice = meanInterval
		m.choose()
	}
}

// difference is D_i of the average of a model.
func (m *Means) difference(i, model int) float64 {
	return m.sums.Mean(2*i, model) - m.sums.Mean(2*i+1, model)
}

// choose sets the interpolation weights.
func (m *Means) choose() {
	minimum := float64(m.settings.Minimum)
	for i := range m.constraints {
		m.enough[i] = m.sums.Effective(2*i) >= minimum && m.sums.Effective(2*i+1) >= minimum
		if !m.enough[i] {
			m.interpolation[i] = 0
			continue
		}
		m.free[i] = m.difference(i, 0)
		m.allow(i)
	}
	for range meanSweeps {
		largest := 0.0
		for i := range m.constraints {
			largest = max(largest, m.improve(i))
		}
		if largest == 0 {
			break
		}
	}
	for i := range m.constraints {
		if c := &m.constraints[i]; m.enough[i] {
			c.chosen = true
			c.reachable = math.Abs(m.expected(i)) <= c.target()*(1+1e-9)
			for at := range c.sides {
				c.sides[at].claimed = m.claim(2*i + at)
			}
		}
	}
}

// allow sets the two allowances.
func (m *Means) allow(i int) {
	c := &m.constraints[i]
	var v allowance
	for at := range c.sides {
		v.add(&m.settings.Aim, c.sides[at].variance, m.sums.Effective(2*i+at), c.shares[at])
	}
	c.theta = m.settings.Aim.theta(c.tau, v, len(m.constraints))
	c.gap = min(c.tau, max(0, signOf(m.free[i])*(c.sides[0].excess-c.sides[1].excess)))
}

// improve sets one interpolation weight given the others, and returns how much it changed.
func (m *Means) improve(i int) (change float64) {
	if !m.enough[i] {
		return 0
	}
	slope := m.difference(i, i+1) - m.free[i]
	rest := m.expected(i) - float64(m.interpolation[i]*slope)
	value := 0.0
	if aim := m.constraints[i].target(); math.Abs(rest) > aim {
		// A constrained model lowers the difference, once it has learnt to.
		value = mostMeanInterpolation
		if slope < 0 {
			value = min(value, (math.Abs(rest)-aim)/-slope)
		}
		value *= signOf(rest)
	}
	change = math.Abs(value - m.interpolation[i])
	m.interpolation[i] = value
	return change
}

// expected is D_i at the present interpolation weights.
func (m *Means) expected(i int) float64 {
	d := m.free[i]
	for k, value := range m.interpolation {
		if value != 0 {
			d += float64(value * (m.difference(i, k+1) - m.free[i]))
		}
	}
	return d
}

// Counts are none: predictions are not counted.
func (m *Means) Counts(int) (group, versus fairness.Count, inflation float64, ok bool) {
	return group, versus, 0, false
}

// Predicted are the mean predictions that the published model makes of recent records of the two sides of a comparison, less the
// centre of the labels.
func (m *Means) Predicted(comparison int) (means [2]float64, ok bool) {
	if k := slices.Index(m.enforced, comparison); k >= 0 {
		for at := range means {
			sum := 2*k + at
			means[at] = m.claim(sum) + m.late.Missed(sum, m.sums.Total(sum), func(from, to int) float64 { return m.sums.Part(sum, m.interpolation, from, to) })
		}
		return means, m.sums.Total(2*k) > 0 && m.sums.Total(2*k+1) > 0
	}
	k := slices.Index(m.measured, comparison)
	published := func(j int) float64 { return m.sums.Weight(j, m.interpolation) }
	ok = true
	for at := range means {
		s := &m.beside[k][at]
		mean, known := s.Mean(published)
		means[at] = mean + m.late.Missed(2*(len(m.enforced)+k)+at, s.Total(), func(from, to int) float64 { return s.Part(published, from, to) })
		ok = ok && known
	}
	return means, ok
}

// claim is the mean prediction of the rows of a sum at the present interpolation weights.
func (m *Means) claim(sum int) float64 {
	free := m.sums.Mean(sum, 0)
	mean := free
	for k, value := range m.interpolation {
		mean += float64(value * (m.sums.Mean(sum, k+1) - free))
	}
	return mean
}

// Reports says how each enforced constraint is kept.
func (m *Means) Reports(comparisons []fairness.Comparison) (reports []Report) {
	for k, i := range m.enforced {
		c := &m.constraints[k]
		if !comparisons[i].Known() {
			continue
		}
		reports = append(reports, Report{Comparison: i, Name: comparisons[i].Name, Criterion: comparisons[i].Criterion, Group: comparisons[i].GroupLabel(), Tau: c.tau,
			Multiplier: m.interpolation[k] * meanMultiplier, Target: c.target(), Theta: c.theta, Gap: c.gap,
			Difference: m.expected(k), Rarest: 1, Reachable: c.reachable, AtFloor: c.chosen && atFloor(c.tau, c.theta)})
	}
	return reports
}

// Constant is false: a constant prediction is never all that is left.
func (m *Means) Constant() bool { return false }

// Collapse is not estimated: predictions change little by little.
func (m *Means) Collapse() fairness.CollapseState { return fairness.CollapseNotEstimable }
