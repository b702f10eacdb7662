package model

import (
	"math"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/internal/logistic"
	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/csspa/steps"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/linear"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// paper is Algorithm 1 (CSSPA) for the fair classifier, with steps of O(non-zeros):
//
//	F(x) = E ln(1 + exp(−y x⋅φ)) + (mu/2)|x|²   over the ball |x| <= radius
//	L_j  = the outer functions of the enforced constraints' relaxations, both directions of one-sided ones
//
// x, the paper's w, is scale·v, so that the L2 term and the projection change one number. The output
// x̂ = Σ α_t x_t / Σ α_t is (A·v − b) / Σ α_t with A = Σ α_t scale_t: when v changes by d, b changes by A·d,
// and the sum stays what it was. pkg/csspa does the same plainly, on dense vectors; a test holds the two
// together to 1e-10.
type paper struct {
	schedule       steps.PowerLaw
	theta, radius  float64
	regularization float64
	enforced       []int
	parts          []paperPart

	steps      int
	scale      float64
	square     float64   // |v|²
	objective  float64   // y of Algorithm 1
	values     []float64 // v_j, b_j in turn
	weightSum  float64   // Σ α_t
	scaledSum  float64   // A = Σ α_t scale_t
	meanWeight float64

	margins *linear.Margins // scratch
}

// paperPart is one instance of a relaxation, its followed expectations and its multipliers.
type paperPart struct {
	comparison int
	relaxation surrogate.Relaxation
	tracked    [surrogate.MaxInner]float64
	multiplier [surrogate.MaxOuter]float64
}

// foldBelow is where scale is folded into v, before it underflows.
const foldBelow = 1e-100

func newPaper(config LearnerConfig, comparisons []fairness.Comparison, constraints []Constraint) (*paper, error) {
	schedule, err := config.Paper.schedule()
	if err != nil {
		return nil, err
	}
	p := &paper{schedule: schedule, theta: config.Paper.Theta, radius: config.Paper.Radius,
		regularization: config.Regularization, scale: 1, margins: &linear.Margins{Iterate: make([]float64, 1), Average: make([]float64, 1)}}
	for i := range comparisons {
		if !comparisons[i].Enforce {
			continue
		}
		p.enforced = append(p.enforced, i)
		instances, err := surrogate.NewBoth(surrogate.Settings{Name: constraints[i].Relaxation,
			Threshold: constraints[i].Threshold, Epsilon: config.Paper.Epsilon})
		if err != nil {
			return nil, err
		}
		for _, instance := range instances {
			p.parts = append(p.parts, paperPart{comparison: i, relaxation: instance})
		}
	}
	return p, nil
}

func (p *paper) start([]float64) {}

func (p *paper) grow(e *features.Frozen) {
	for len(p.values) < 2*int(e.Size()) {
		p.values = append(p.values, 0, 0)
	}
}

func (p *paper) adapt(*features.Frozen) {}

// forecast is that of x̂; the iterate's margin is that of x_t.
func (p *paper) forecast(row *features.Row) forecast {
	var v, b float64
	for i, j := range row.Index {
		v += float64(p.values[2*j] * row.At(i))
		b += float64(p.values[2*j+1] * row.At(i))
	}
	iterate, average := &p.margins.Iterate[0], &p.margins.Average[0]
	*iterate, *average = p.scale*v, 0
	if p.weightSum != 0 {
		*average = (float64(p.scaledSum*v) - b) / p.weightSum
	}
	return forecast{published: *average, free: *average, margins: p.margins}
}

// learn is one step of Algorithm 1. A record's weight, relative to the mean weight so far, multiplies g and h: the
// values that are followed and their gradients, so that both steps are those of the weighted problem.
func (p *paper) learn(e *example, f forecast) {
	if e.brings == control.Itself {
		return
	}
	weight, raw := e.weight, f.margins.Iterate[0]
	p.steps++
	size := p.schedule.At(p.steps)
	p.weightSum += size.Alpha
	p.scaledSum += float64(size.Alpha * p.scale)
	p.meanWeight += (weight - p.meanWeight) / float64(p.steps)
	weight /= p.meanWeight

	label := -1.0
	if e.positive {
		label = 1
	}
	loss := float64(weight*logistic.Loss(logistic.Probability(label*raw))) + float64(p.regularization/2*float64(p.scale*p.scale*p.square))
	p.objective = float64((1-size.Beta)*p.objective) + float64(size.Beta*loss) // (auxu1)
	gradient := -label * logistic.Probability(-label*raw)
	for i := range p.parts {
		part := &p.parts[i]
		side := e.sides[part.comparison]
		part.relaxation.TrackWeighted(part.tracked[:], size.Beta, weight, side, raw) // (auxu2)
		gradient += part.relaxation.Coefficient(part.tracked[:], part.multiplier[:], side, raw)
	}
	p.descend(&e.row, size.Alpha, weight*gradient) // (primu)
	for i := range p.parts {
		p.parts[i].ascend(size, p.theta) // (duau)
	}
}

func (p *paper) descend(row *features.Row, alpha, gradient float64) {
	p.scale *= 1 - float64(alpha*p.regularization)
	step := -alpha * gradient / p.scale
	for i, j := range row.Index {
		v := p.values[2*j]
		d := float64(step * row.At(i))
		p.values[2*j] = v + d
		p.values[2*j+1] += float64(p.scaledSum * d)
		p.square += float64(d * (2*v + d))
	}
	if norm := p.scale * math.Sqrt(max(0, p.square)); norm > p.radius {
		p.scale *= p.radius / norm
	}
	if p.scale < foldBelow {
		p.fold()
	}
}

// ascend moves the multipliers, and keeps them at least 0.
func (part *paperPart) ascend(size steps.StepSizes, theta float64) {
	var outer [surrogate.MaxOuter]float64
	part.relaxation.Outer(outer[:], part.tracked[:])
	keep := 1 - float64(size.Alpha*size.Alpha*size.Delta)
	for j := range part.relaxation.OuterSize() {
		part.multiplier[j] = max(0, float64(part.multiplier[j]*keep)+float64(size.Alpha*(outer[j]+theta)))
	}
}

// fold sets scale to 1. It touches every weight, and hardly ever happens.
func (p *paper) fold() {
	for j := 0; j < len(p.values); j += 2 {
		p.values[j] *= p.scale
	}
	p.square *= p.scale * p.scale
	p.scaledSum /= p.scale
	p.scale = 1
}

func (p *paper) weight(j int) float64 {
	if p.weightSum == 0 {
		return 0
	}
	return (float64(p.scaledSum*p.values[2*j]) - p.values[2*j+1]) / p.weightSum
}

// weights: the paper learns no model without constraints.
func (p *paper) weights(published, _ []float64, from int) (learnt bool) {
	for i := range published {
		published[i] = p.weight(from + i)
	}
	return false
}

func (p *paper) counts(int) (group, versus fairness.Count, inflation float64, ok bool) {
	return group, versus, 0, false
}

func (p *paper) means(int) (means [2]float64, ok bool) { return means, false }

func (p *paper) inUse() (weights, records float64) { return 0, 0 }

func (p *paper) outlook() outlook { return outlook{collapse: fairness.CollapseNotEstimable} }

// control reports the multipliers; the one that pushes the difference down counts positive.
func (p *paper) control(comparisons []fairness.Comparison) []control.Report {
	var reports []control.Report
	for _, i := range p.enforced {
		c := control.Report{Comparison: i, Name: comparisons[i].Name, Criterion: comparisons[i].Criterion, Group: comparisons[i].GroupLabel(),
			Tau: comparisons[i].Tau, Target: comparisons[i].Tau, Theta: p.theta, Rarest: 1, Reachable: true}
		sign := 1.0
		for k := range p.parts {
			part := &p.parts[k]
			if part.comparison != i {
				continue
			}
			if sign > 0 {
				c.EffectiveConstant = part.relaxation.EffectiveConstant(part.tracked[:], comparisons[i].Tau)
			}
			for j := range part.relaxation.OuterSize() {
				c.Multiplier += float64(sign * part.multiplier[j])
				sign = -sign
			}
		}
		reports = append(reports, c)
	}
	return reports
}

func (p *paper) fields(c *codec.Coder, size int32) {
	c.Section(func() {
		steps := int64(p.steps)
		c.Count(&steps)
		p.steps = int(steps)
		for _, x := range [...]*float64{&p.scale, &p.square, &p.objective, &p.weightSum, &p.scaledSum, &p.meanWeight} {
			c.Float(x)
		}
		c.Floats(&p.values)
		c.Check(len(p.values) == 2*int(size))
		for i := range p.parts {
			part := &p.parts[i]
			for k := range part.tracked {
				c.Float(&part.tracked[k])
			}
			for k := range part.multiplier {
				c.Float(&part.multiplier[k])
			}
		}
	})
}
