package linear

// sum is a sum of rows, the newest weighing most:
//
//	S = Σ γ^age ω φ,  N = Σ γ^age ω,  with γ = 1 − 2/(window+1)
//
// whose effective size is that of a window of equal weights. A linear model's mean margin on these rows
// is w⋅S/N: exact for the weights of this moment, however old the rows, without keeping any of them.
//
// S itself is spread over the weights (see Models); here are its products with the models, which
// change with each step by what that step touches. Rounding errors fade like everything else.
type sum struct {
	keep    float64 // γ
	scale   float64 // S_j = scale · (the number stored with weight j)
	weight  float64 // N
	squared float64 // Σ (γ^age ω)²
	// iterate and lag are, for each model, w⋅S and r⋅S: see Models for r.
	iterate, lag []float64
}

// Keep is the factor by which what came before fades with each row of a sum over a window.
func Keep(window int) float64 { return 1 - 2/(float64(window)+1) }

func newSum(window, models int) sum {
	return sum{keep: Keep(window), scale: 1, iterate: make([]float64, models), lag: make([]float64, models)}
}

// fade makes room for a row of this weight and of these margins. The caller adds weight/scale times the row to the
// stored numbers.
func (s *sum) fade(weight float64, at *Margins) {
	s.scale *= s.keep
	s.weight = float64(s.weight*s.keep) + weight
	s.squared = float64(s.squared*float64(s.keep*s.keep)) + float64(weight*weight)
	for k := range s.iterate {
		s.iterate[k] = float64(s.iterate[k]*s.keep) + float64(weight*at.Iterate[k])
		s.lag[k] = float64(s.lag[k]*s.keep) + float64(weight*at.lag[k])
	}
}
