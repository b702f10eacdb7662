package model

import (
	"math"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// The multipliers of enforced mean differences are chosen here.
//
// Published is, as with the classifier,
//
//	w = w_free + Σ_k pressure_k (w_pressed_k − w_free)
//
// For a squared loss under constraints that are linear in the weights this is no approximation: the
// solution of the saddle point moves in a straight line with each multiplier, so there is a pressure at
// which w is the solution of the constrained problem itself, with multiplier_k = pressure_k × reference.
//
// The difference of the means at w is linear in the pressures as well,
//
//	D_i(pressure) = D_i(w_free) + Σ_k pressure_k M_ik,  M_ik = D_i(w_pressed_k) − D_i(w_free)
//
// and the pressures are those of least loss at which every |D_i| is within its aim. For one comparison that
// is (± aim − D(w_free))/M; for several it is a quadratic program in the multipliers, solved coordinate by
// coordinate (Hildreth, Naval Research Logistics Quarterly 4, 1957, pp. 79–85).
//
// The aim is tau less theta, the allowance for sampling error, and optimism, by how much unseen records
// differed more than had been claimed: as in pressure.go.

const (
	// choiceInterval is how many records pass between choices. A choice costs O(K²).
	choiceInterval = 64
	// mostRegressionPressure bounds the pressures: far out on the line the noise of both models is magnified.
	mostRegressionPressure = 8.0
	// sweeps of the coordinates are enough for more comparisons than anybody has.
	sweeps = 50
)

// regressionPressure is the state of one enforced comparison.
type regressionPressure struct {
	tau       float64
	value     float64 // of the pressure: 0 is the free model, 1 the pressed one
	theta     float64 // allowance for sampling error, last time
	optimism  float64 // allowance for optimism, last time
	chosen    bool    // a pressure has been chosen before
	reachable bool    // some pressure reached the aim, last time

	measured bool    // scratch: both sides have enough records
	free     float64 // scratch: D(w_free)
}

// target is the absolute difference to aim at.
func (p *regressionPressure) target() float64 { return target(p.tau, p.theta, p.optimism) }

// difference is D_i of the average of a model.
func (m *regressionModel) difference(i, model int) float64 {
	sides := &m.sides[i]
	return sides[0].mean(model, m.decay) - sides[1].mean(model, m.decay)
}

// choose sets the pressures.
func (m *regressionModel) choose() {
	for i := range m.pressures {
		p := &m.pressures[i]
		sides := &m.sides[i]
		p.measured = sides[0].effective() >= m.minimum && sides[1].effective() >= m.minimum
		if !p.measured {
			p.value = 0
			continue
		}
		p.free = m.difference(i, 0)
		m.allow(i)
	}
	for range sweeps {
		largest := 0.0
		for i := range m.pressures {
			largest = max(largest, m.improve(i))
		}
		if largest == 0 {
			break
		}
	}
	for i := range m.pressures {
		if p := &m.pressures[i]; p.measured {
			p.chosen = true
			p.reachable = math.Abs(m.expected(i)) <= p.target()*(1+1e-9)
			for side := range m.sides[i] {
				m.sides[i][side].claimed = m.claim(i, side)
			}
		}
	}
}

// allow sets theta and optimism.
func (m *regressionModel) allow(i int) {
	p := &m.pressures[i]
	variance := 0.0
	for side := range m.sides[i] {
		s := &m.sides[i][side]
		variance += m.aim.sideError(s.variance, s.effective(), 1, m.shares[i][side])
	}
	p.theta = m.aim.theta(p.tau, variance)
	excess := m.sides[i][0].excess - m.sides[i][1].excess
	if p.free < 0 {
		excess = -excess
	}
	p.optimism = min(p.tau, max(0, excess))
}

// improve sets the pressure of one comparison given the others, and returns how much it changed.
func (m *regressionModel) improve(i int) (change float64) {
	p := &m.pressures[i]
	if !p.measured {
		return 0
	}
	slope := m.difference(i, i+1) - p.free
	rest := m.expected(i) - float64(p.value*slope)
	value := 0.0
	if aim := p.target(); math.Abs(rest) > aim {
		// A model that is pressed lowers the difference, once it has learnt to.
		value = mostRegressionPressure
		if slope < 0 {
			value = min(value, (math.Abs(rest)-aim)/-slope)
		}
		if rest < 0 {
			value = -value
		}
	}
	change = math.Abs(value - p.value)
	p.value = value
	return change
}

// expected is D_i at the present pressures.
func (m *regressionModel) expected(i int) float64 {
	d := m.pressures[i].free
	for k := range m.pressures {
		if m.pressures[k].value != 0 {
			d += float64(m.pressures[k].value * (m.difference(i, k+1) - m.pressures[i].free))
		}
	}
	return d
}

// claim is the mean prediction of a side at the present pressures.
func (m *regressionModel) claim(i, side int) float64 {
	s := &m.sides[i][side]
	free := s.mean(0, m.decay)
	mean := free
	for k := range m.pressures {
		mean += float64(m.pressures[k].value * (s.mean(k+1, m.decay) - free))
	}
	return mean
}

// control reports how each enforced constraint is kept.
func (m *regressionModel) control(comparisons []fairness.Comparison) []document.Control {
	var controls []document.Control
	for k, i := range m.enforced {
		p := &m.pressures[k]
		controls = append(controls, document.Control{Name: comparisons[i].Name, Criterion: comparisons[i].Criterion,
			Multiplier: p.value * pressing, Target: p.target(), Theta: p.theta, Optimism: p.optimism, Reachable: p.reachable})
	}
	return controls
}
