package linear

import "slices"

// Given are models that were found by other means than steps, over records that were not learnt one by one.
type Given struct {
	// Records is how many records they were found from, MeanWeight the mean of their weights.
	Records, MeanWeight float64
	// Weights are those of each model, the free one first.
	Weights [][]float64
	// Information is what the records say about each weight: the second derivative of their loss in it. Touched is the sum of its squared values over
	// them: of a column of 0 and 1, how many records have it.
	Information, Touched []float64
}

// Give replaces what has been learnt by given models, of which as many have joined. Precisions of priors stay. Steps of a weight are
// then about as large as after the records that touched it, of which forgetting leaves as many as its length: the models follow what comes as they
// would have.
func (m *Models) Give(g Given) {
	if len(g.Weights) != m.count {
		panic("linear: Give needs the weights of each model")
	}
	m.decay, m.memory.Records, m.meanWeight = 1, g.Records, g.MeanWeight
	for j := range g.Information {
		numbers := m.values[j*m.stride : (j+1)*m.stride]
		left := min(1, m.settings.Forgetting/g.Touched[j]) // steps forget by the records that touch a weight
		numbers[curvatureAt] = startCurvature + float64(left*g.Information[j])
		for k, weights := range g.Weights {
			numbers[modelsAt+2*k], numbers[modelsAt+2*k+1] = weights[j], 0
		}
	}
}

// Penalties are the precisions of the priors of all weights.
func (m *Models) Penalties() []float64 {
	precisions := make([]float64, 0, len(m.values)/m.stride)
	for of := range slices.Chunk(m.values, m.stride) {
		precisions = append(precisions, of[precisionAt])
	}
	return precisions
}
