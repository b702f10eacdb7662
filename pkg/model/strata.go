package model

import (
	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// strata are how many records of each side there are in each stratum of each comparison, the older ones faded. They make
// records of both sides comparable as they arrive: see fairness.PairCounts.Standardized.
type strata struct {
	fading float64 // records after which the counts are halved

	weights [][][2]float64 // by comparison and stratum: of the group and of versus; nil without strata
}

func newStrata(comparisons []fairness.Comparison, forgetting int) *strata {
	s := &strata{fading: float64(forgetting), weights: make([][][2]float64, len(comparisons))}
	for i := range comparisons {
		if comparisons[i].Strata != "" {
			s.weights[i] = make([][2]float64, 0, fairness.MostFound)
		}
	}
	return s
}

// observe takes in a record, and writes by how much its weight is multiplied in each comparison: by the share of the other
// side in its stratum. A comparison without strata has 1.
func (s *strata) observe(factors []float64, sides []fairness.Side, at []int, weight float64) {
	for i, stratum := range at {
		factors[i] = 1
		side := sides[i]
		if stratum < 0 || side != fairness.Group && side != fairness.Versus {
			continue
		}
		for len(s.weights[i]) <= stratum {
			s.weights[i] = append(s.weights[i], [2]float64{})
		}
		w := &s.weights[i][stratum]
		own, other := 0, 1
		if side == fairness.Versus {
			own, other = 1, 0
		}
		w[own] += weight
		factors[i] = max(leastFactor, w[other]/(w[own]+w[other]))
		if w[0]+w[1] > s.fading {
			w[0], w[1] = w[0]/2, w[1]/2
		}
	}
}

// leastFactor keeps weights above 0: the first record of a stratum has no other beside it.
const leastFactor = 1e-6

func (s *strata) fields(c *codec.Coder) {
	c.Section(func() {
		for i := range s.weights {
			codec.Slice(c, &s.weights[i], 16, func(w *[2]float64) {
				c.Sum(&w[0])
				c.Sum(&w[1])
			})
		}
	})
}
