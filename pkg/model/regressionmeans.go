package model

// sideMean is the mean of the feature vectors of one side of an enforced comparison, the newest records
// weighing most:
//
//	S = Σ γ^age ω φ,  N = Σ γ^age ω,  with γ = 1 − 2/(window+1)
//
// whose effective size is that of a window of equal weights. A linear model's mean prediction on the side
// is w⋅S/N: exact for the weights of this moment, however old the records, without keeping any of them.
//
// S itself is spread over the weights (see regressionModel); here are its products with them, which
// change with each record by what that record touches. Rounding errors fade like everything else.
type sideMean struct {
	keep    float64 // γ
	scale   float64 // S_j = scale · (the number stored with weight j)
	weight  float64 // N
	squared float64 // Σ (γ^age ω)²
	// iterate and lag are, for each model, w⋅S and r⋅S: see regressionModel for r.
	iterate, lag []float64

	shown    float64 // mean of the predictions before learning
	variance float64 // and their variance
	claimed  float64 // mean prediction of the side, when the pressures were last chosen
	excess   float64 // mean of shown − claimed
	claims   float64 // weight of the records since the first choice, faded
}

func newSideMean(window, models int) sideMean {
	return sideMean{keep: 1 - 2/(float64(window)+1), scale: 1, iterate: make([]float64, models), lag: make([]float64, models)}
}

// effective is Kish's effective number of records.
func (s *sideMean) effective() float64 {
	if s.squared == 0 {
		return 0
	}
	return s.weight * s.weight / s.squared
}

// fade makes room for a record of this weight, with the products of its row with all models. The caller
// adds weight/scale times the row to the stored numbers.
func (s *sideMean) fade(weight float64, raw, lags []float64) {
	s.scale *= s.keep
	s.weight = float64(s.weight*s.keep) + weight
	s.squared = float64(s.squared*float64(s.keep*s.keep)) + float64(weight*weight)
	for k := range s.iterate {
		s.iterate[k] = float64(s.iterate[k]*s.keep) + float64(weight*raw[k])
		s.lag[k] = float64(s.lag[k]*s.keep) + float64(weight*lags[k])
	}
}

// observe takes note of what was predicted before learning, and, once pressures were chosen, of how far
// that is from what was claimed then.
func (s *sideMean) observe(prediction, weight float64, chosen bool) {
	share := weight / s.weight
	d := prediction - s.shown
	s.shown += float64(d * share)
	s.variance += float64((float64(d*(prediction-s.shown)) - s.variance) * share)
	if chosen {
		s.claims = float64(s.claims*s.keep) + weight
		s.excess += float64((prediction - s.claimed - s.excess) * (weight / s.claims))
	}
}

// mean is the mean prediction of the averages of model k.
func (s *sideMean) mean(k int, decay float64) float64 {
	return (s.iterate[k] - float64(decay*s.lag[k])) / s.weight
}
