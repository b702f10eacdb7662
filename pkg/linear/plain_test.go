package linear

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/refine"
	"github.com/fairstream/fairstream/pkg/features"
)

// plainModels is Models written down plainly from its documentation: dense vectors, an average of each that is updated at every
// record, sums that keep their rows. It shares the loss's own numbers and the tuned constants with Models.
type plainModels struct {
	settings           Settings
	loss               Loss
	constants          Constants
	iterates, averages [][]float64 // by model
	curvature          []float64
	precision          []float64
	records, mean      float64
	error, bounded     float64
	adapted            int
	few                []int32 // the weights of columns with few levels, at the last choice
	told, squared      float64 // how well these have told labels since
	chosen             bool
	sums               [][]plainRow
	norms              [][]float64 // by owner, by model
	owners             []int32
}

type plainRow struct {
	x      []float64
	weight float64
}

func newPlainModels(settings Settings, loss Loss, e *features.Frozen) *plainModels {
	size := int(e.Size())
	p := &plainModels{settings: settings, loss: loss, constants: loss.Constants(), bounded: 1, owners: e.Owners(nil)}
	p.iterates, p.averages = [][]float64{make([]float64, size)}, [][]float64{make([]float64, size)}
	p.curvature, p.precision = slices.Repeat([]float64{2}, size), slices.Repeat([]float64{p.constants.StartPrecision}, size)
	p.precision[0], p.error = 0, p.constants.StartError
	for range int(slices.Max(p.owners)) + 1 {
		p.norms = append(p.norms, []float64{0})
	}
	return p
}

func dot(a, b []float64) (sum float64) {
	for j := range a {
		sum += a[j] * b[j]
	}
	return sum
}

func (p *plainModels) join() {
	p.iterates, p.averages = append(p.iterates, slices.Clone(p.iterates[0])), append(p.averages, slices.Clone(p.averages[0]))
	for range p.settings.Sums {
		p.sums = append(p.sums, nil)
	}
	for i := range p.norms {
		p.norms[i] = append(p.norms[i], p.norms[i][0])
	}
}

func (p *plainModels) leave(model int) {
	p.iterates, p.averages = slices.Delete(p.iterates, model, model+1), slices.Delete(p.averages, model, model+1)
	p.sums = slices.Delete(p.sums, p.settings.Sums*(model-1), p.settings.Sums*model)
	for i := range p.norms {
		p.norms[i] = slices.Delete(p.norms[i], model, model+1)
	}
}

func (p *plainModels) settle(model int) {
	for j := range p.curvature {
		p.averages[model][j] = p.averages[0][j] + p.iterates[model][j] - p.iterates[0][j]
	}
}

func (p *plainModels) reflect(model int) {
	for j := range p.curvature {
		p.iterates[model][j] = 2*p.iterates[0][j] - p.iterates[model][j]
		p.averages[model][j] = 2*p.averages[0][j] - p.averages[model][j]
	}
}

func (p *plainModels) count(weight float64) float64 {
	p.records++
	p.mean += (weight - p.mean) * max(1/p.records, 1/p.settings.Forgetting)
	return min(100, weight/p.mean)
}

func (p *plainModels) noise() float64 {
	if p.loss.Curvature() == 0 {
		return 1
	}
	return max(p.error, 1e-6)
}

// sizes are the steps and the pulls of the weights of a row, bounded by the row's leverage.
func (p *plainModels) sizes(x []float64, touched []int32, square float64) (steps, pulls []float64, share float64) {
	steps, pulls = make([]float64, len(x)), make([]float64, len(x))
	length, leverage, n := 0.0, 0.0, p.noise()
	for _, j := range touched {
		v := x[j]
		p.curvature[j] = p.curvature[j]*(1-1/p.settings.Forgetting) + square*v*v
		root := math.Sqrt(p.curvature[j])
		if p.settings.Without.Has(refine.PreconditionedSteps) {
			root = math.Sqrt(1 + min(p.records, p.settings.Forgetting))
		}
		slow := p.curvature[j] / (p.curvature[j] + n*n*max(0, p.precision[j]-p.constants.StartPrecision))
		step := p.settings.Step * p.constants.Step * slow / root
		pulls[j] = p.settings.Regularization + n*p.precision[j]*square*v*v/p.curvature[j]
		steps[j] = step / (1 + step*pulls[j])
		length += steps[j] * v * v
		leverage += n * v * v / (p.curvature[j] + n*n*p.precision[j])
	}
	share = min(1, min(mostMove, max(leastMove, movePerLeverage*leverage))/length)
	if p.settings.Without.Has(refine.BoundedSteps) {
		share = 1
	}
	for j := range steps {
		steps[j] *= share
	}
	return steps, pulls, share
}

// step takes one step of every model, implicit in the loss's curvature, and updates every average.
func (p *plainModels) step(x []float64, touched []int32, push []float64, label, weight float64) (gradients []float64) {
	p.loss.Observe(label, weight, &Memory{Records: p.records, Forgetting: p.settings.Forgetting})
	gradients = make([]float64, len(p.iterates))
	if unit := p.loss.Unit(); unit > 0 {
		p.foretell(x, label, weight)
		slopes, square := make([]float64, len(p.iterates)), 0.0
		fade := max(1/(1000+p.records), 1./5000)
		for k, w := range p.iterates {
			slopes[k] = p.loss.Gradient(dot(w, x), label)
			square += math.Pow(weight*(slopes[k]+push[k]), 2) / float64(len(p.iterates))
		}
		p.error += (slopes[0]*slopes[0] - p.error) * fade
		steps, pulls, share := p.sizes(x, touched, square)
		p.bounded += (share - p.bounded) * fade
		length := 0.0
		for j := range steps {
			length += p.loss.Curvature() * weight * steps[j] * x[j] * x[j]
		}
		for k := range p.iterates {
			// r' = r − length (r' + push): the residual after the step.
			gradients[k] = weight * ((slopes[k]-length*push[k])/(1+length) + push[k])
			penalties := p.penalties(k, x, touched, steps, unit)
			for _, j := range touched {
				p.iterates[k][j] -= steps[j] * ((gradients[k]+penalties[j])*x[j]*unit + pulls[j]*p.iterates[k][j])
			}
		}
	}
	share := max(2/p.settings.Forgetting, 1/(1+p.records/4))
	for k, w := range p.iterates {
		for j := range w {
			p.averages[k][j] += share * (w[j] - p.averages[k][j])
		}
	}
	return gradients
}

// foretell compares labels with what columns with few levels make of records that are not learnt yet.
func (p *plainModels) foretell(x []float64, label, weight float64) {
	part := 0.0
	for _, j := range p.few {
		part += p.averages[0][j] * x[j] / p.loss.Unit()
	}
	g := p.loss.Gradient(dot(p.averages[0], x), label)
	curvature := p.loss.Curvature()
	if curvature == 0 {
		odds := math.Exp(dot(p.averages[0], x))
		curvature = odds / (1 + odds) / (1 + odds)
	}
	p.told -= weight * g * part
	p.squared += weight * curvature * part * part
}

// penalties are the gradients of the penalty in what each column of a row adds to the margin, by weight.
func (p *plainModels) penalties(k int, x []float64, touched []int32, steps []float64, unit float64) []float64 {
	penalties := make([]float64, len(x))
	for owner := range p.norms {
		h, length, met := 0.0, 0.0, false
		for _, j := range touched {
			if int(p.owners[j]) == owner {
				h, length, met = h+p.iterates[k][j]*x[j]/unit, length+steps[j]*x[j]*x[j], true
			}
		}
		if !met || p.settings.Sparsity == 0 {
			continue
		}
		h = min(10, max(-10, h))
		v := &p.norms[owner][k]
		*v += (h*h - *v) * max(1/p.records, 1/p.settings.Forgetting)
		slope := p.settings.Sparsity / math.Sqrt(*v+.02*.02)
		for _, j := range touched {
			if int(p.owners[j]) == owner {
				penalties[j] = slope * h / (1 + length*slope)
			}
		}
	}
	return penalties
}

// press takes a step of each model along a gradient in its margin. Nothing is pulled to 0, and no average ages.
func (p *plainModels) press(x []float64, touched []int32, gradients []float64) {
	square := 0.0
	for _, g := range gradients {
		square += g * g / float64(len(p.iterates))
	}
	if square == 0 || p.loss.Unit() == 0 {
		return
	}
	steps, _, _ := p.sizes(x, touched, square)
	for k, w := range p.iterates {
		for _, j := range touched {
			w[j] -= steps[j] * gradients[k] * x[j] * p.loss.Unit()
		}
	}
}

// meanOf is the mean margin of a sum's rows under a model, and their total and effective weights.
func (p *plainModels) meanOf(sum, model int) (mean, total, effective float64) {
	squared, fade := 0.0, 1.0
	for i := len(p.sums[sum]) - 1; i >= 0; i-- {
		r := p.sums[sum][i]
		mean += fade * r.weight * dot(r.x, p.averages[model])
		total += fade * r.weight
		squared += math.Pow(fade*r.weight, 2)
		fade *= 1 - 2/(float64(p.settings.Window)+1)
	}
	return mean / total, total, total * total / squared
}

// adapt takes a step of the fixed point of every group's precision. Those of few levels, if there are 32 or more, have that
// of weights that are as known as on average, of which the slope of their part of the margins is true.
func (p *plainModels) adapt(e *features.Frozen) {
	if p.adapted++; p.adapted < max(2048, int(.02*float64(e.Size()))) || p.loss.Unit() == 0 || p.settings.Without.Has(refine.Prior) {
		return
	}
	p.adapted, p.chosen = 0, true
	members := map[int][]int32{}
	e.Groups(func(group int, from, to int32) {
		for j := from; j < to; j++ {
			members[group] = append(members[group], j)
		}
	})
	var few []int32
	for group, weights := range members {
		if group%features.GroupKinds == features.LevelKind && len(weights) <= 2 {
			few = append(few, weights...)
			delete(members, group)
		}
	}
	members[-1] = few
	precision := slices.Clone(p.precision)
	for group, weights := range members {
		known, squared := 0.0, 0.0
		for _, j := range weights {
			information := p.information(int(j))
			known += information / (information + p.precision[j])
			squared += math.Pow(p.averages[0][j]/p.loss.Unit(), 2)
		}
		for _, j := range weights {
			if group == -1 && len(weights) >= 32 && squared > 0 {
				share := known / float64(len(weights))
				slope := max(.25, 1+p.told/(p.noise()+p.squared))
				precision[j] = min(p.constants.MostPrecision, max(p.constants.LeastPrecision, share*share*float64(len(weights))/(slope*slope*squared)))
			} else if squared > 0 {
				precision[j] = min(p.constants.MostPrecision, max(p.constants.LeastPrecision, known/squared))
			}
		}
	}
	p.precision, p.few, p.told, p.squared = precision, few, 0, 0
}

func (p *plainModels) information(j int) float64 {
	return (p.curvature[j] - 2) / (p.noise() * p.noise())
}

// inUse is MacKay's number of well-determined parameters.
func (p *plainModels) inUse() (weights, records float64) {
	if !p.chosen {
		return 0, 0
	}
	for j := range p.curvature {
		if information := p.information(j); information > 0 {
			weights += information / (information + p.precision[j])
		}
	}
	return weights, min(p.records, p.settings.Forgetting)
}

// influence is Σ_j x_j²·s/√(v·G_j)·(taken + tail·y)/(1 + y + y²/2), all but 1/√v at the middle of an interval of √v, for a curvature.
func (p *plainModels) influence(x []float64, touched []int32, before, curvature, square float64) (sum float64) {
	v := math.Pow((math.Floor(32*math.Sqrt(before))+.5)/32, 2)
	q := max(1, math.Round(p.records*max(2/p.settings.Forgetting, 1/(1+p.records/4))))
	taken := 1 - math.Pow(v, q)
	mean := q/(q+.5)*(1-math.Pow(v, q+.5))/taken - math.Sqrt(v) // of √u − √v
	tail := q * math.Pow(v, q) / math.Sqrt(v) * mean
	squares := p.error + square
	for _, j := range touched {
		g, n := p.curvature[j], p.noise()
		s := p.settings.Step * p.constants.Step * p.bounded * g / (g + n*n*max(0, p.precision[j]-p.constants.StartPrecision))
		y := 2 * s * (together*g*curvature/squares + p.precision[j]) / math.Sqrt(g) * mean
		if more := math.Sqrt(p.records/p.settings.Forgetting) / 2; more > 1 {
			y *= 1 + (more-1)*min(1, g/(squares*p.settings.Forgetting))
		}
		sum += x[j] * x[j] * s / math.Sqrt(before*g) * (taken + tail*y) / (1 + y + y*y/2)
	}
	return sum
}
