package linear

import (
	"github.com/fairstream/fairstream/internal/refine"
	"github.com/fairstream/fairstream/pkg/features"
)

const (
	// adaptRecords is the least number of records between two choices of the precisions. With many weights it is
	// adaptPerWeight of theirs, so that the cost per record has a bound.
	adaptRecords   = 2048
	adaptPerWeight = .02
	// leastNoise bounds σ² away from 0.
	leastNoise = 1e-6
)

// Grow makes room for the weights of an encoder.
func (m *Models) Grow(e *features.Frozen) {
	size := int(e.Size())
	for len(m.values) < size*m.stride {
		start := len(m.values)
		m.values = append(m.values, make([]float64, m.stride)...)
		m.values[start+curvatureAt] = startCurvature
		if start > int(features.Intercept)*m.stride { // the intercept has no prior
			m.values[start+precisionAt] = m.constants.StartPrecision
		}
	}
	m.own(e)
}

// own finds the owners of new weights: the columns that they belong to.
func (m *Models) own(e *features.Frozen) {
	if m.settings.Sparsity == 0 || len(m.owners) == int(e.Size()) {
		return
	}
	m.owners = e.Owners(m.owners)
	for _, owner := range m.owners {
		for int(owner) >= len(m.norms) {
			m.norms = append(m.norms, make([]float64, m.count))
		}
	}
}

// noise is the variance of the labels that the models do not explain, in the unit of the loss.
func (m *Models) noise() float64 {
	if m.curvature == 0 {
		return 1
	}
	return max(m.squaredError, leastNoise)
}

// Adapt chooses the precisions again, when it is time to.
func (m *Models) Adapt(e *features.Frozen) {
	p := &m.prior
	p.records++
	if m.settings.Without.Has(refine.Prior) {
		return
	}
	if p.records < max(adaptRecords, int64(adaptPerWeight*float64(e.Size()))) || !(m.loss.Unit() > 0) {
		return
	}
	p.records = 0
	noise, unit := m.noise(), m.loss.Unit()
	p.choose(e, m.constants, noise, func(j int) (information, weight float64) {
		return (m.values[j*m.stride+curvatureAt] - startCurvature) / float64(noise*noise), m.Weight(j, nil) / unit
	})
	e.Groups(func(group int, from, to int32) {
		for j := int(from); j < int(to); j++ {
			m.values[j*m.stride+precisionAt] = p.precisions[group]
		}
	})
}

// InUse is how many weights the records determine rather than the prior, and how many records they determine them from: of
// those learnt, as many as forgetting leaves. A weight counts by known (prior.go), so the sum is MacKay's number of
// well-determined parameters. Both are 0 until the precisions are chosen for the first time. It touches every weight.
func (m *Models) InUse() (weights, records float64) {
	if len(m.prior.precisions) == 0 {
		return 0, 0
	}
	noise := m.noise()
	for at := 0; at < len(m.values); at += m.stride {
		if information := (m.values[at+curvatureAt] - startCurvature) / float64(noise*noise); information > 0 {
			weights += information / (information + m.values[at+precisionAt])
		}
	}
	return weights, min(m.memory.Records, m.memory.Forgetting)
}
