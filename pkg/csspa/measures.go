package csspa

// Mean is E v.
func Mean[S any](v Variable[S]) Statistic[S] {
	return Statistic[S]{
		followed: 1,
		inner:    func(dst, x []float64, s S) { dst[0] = v.Value(x, s) },
		addInner: func(dst, x, weights []float64, s S) { v.AddGradient(dst, weights[0], x, s) },
		outer:    func(u []float64) float64 { return u[0] },
		addOuter: func(dst, _ []float64, weight float64) { dst[0] += weight },
	}
}

// Variance is E v² - (E v)².
func Variance[S any](v Variable[S]) Statistic[S] {
	return Statistic[S]{
		followed: 2,
		inner: func(dst, x []float64, s S) {
			value := v.Value(x, s)
			dst[0], dst[1] = value, value*value
		},
		addInner: func(dst, x, weights []float64, s S) {
			v.AddGradient(dst, weights[0]+2*weights[1]*v.Value(x, s), x, s)
		},
		outer: func(u []float64) float64 { return u[1] - u[0]*u[0] },
		addOuter: func(dst, u []float64, weight float64) {
			dst[0] -= 2 * weight * u[0]
			dst[1] += weight
		},
	}
}

// Ratio is E numerator / E denominator, with the paper's Huber approximation where
// the denominator is below floor (see Reciprocal). floor must be positive; choose it
// below every E denominator that matters, and as large as that allows.
func Ratio[S any](numerator, denominator Variable[S], floor float64) Statistic[S] {
	return Statistic[S]{
		followed: 2,
		inner: func(dst, x []float64, s S) {
			dst[0], dst[1] = denominator.Value(x, s), numerator.Value(x, s)
		},
		addInner: func(dst, x, weights []float64, s S) {
			denominator.AddGradient(dst, weights[0], x, s)
			numerator.AddGradient(dst, weights[1], x, s)
		},
		outer: func(u []float64) float64 {
			reciprocal, _ := Reciprocal(u[0], floor)
			return u[1] * reciprocal
		},
		addOuter: func(dst, u []float64, weight float64) {
			reciprocal, slope := Reciprocal(u[0], floor)
			dst[0] += weight * u[1] * slope
			dst[1] += weight * reciprocal
		},
	}
}

// ConditionalMean is E[v | event] = E 1{event} v / E 1{event}, with floor as in
// Ratio: choose it below the event's probability.
func ConditionalMean[S any](v Variable[S], event func(s S) bool, floor float64) Statistic[S] {
	during := Variable[S]{
		Value: func(x []float64, s S) float64 {
			if event(s) {
				return v.Value(x, s)
			}
			return 0
		},
		AddGradient: func(dst []float64, scale float64, x []float64, s S) {
			if event(s) {
				v.AddGradient(dst, scale, x, s)
			}
		},
	}
	return Ratio(during, Constant(func(s S) float64 {
		if event(s) {
			return 1
		}
		return 0
	}), floor)
}

// CVaR is the conditional value at risk of a loss at a level in (0, 1), the mean of
// the worst 1 - level of it. It needs a variable of its own, component threshold of
// x, on which the loss must not depend:
//
//	x_threshold + E max(0, loss - x_threshold) / (1 - level)
//
// whose minimum over x_threshold is the risk, reached at the loss's quantile (the
// value at risk). Rockafellar, Uryasev, "Optimization of conditional value-at-risk",
// Journal of Risk 2 (2000), Theorem 1.
func CVaR[S any](loss Variable[S], level float64, threshold int) Statistic[S] {
	if !(level > 0 && level < 1) {
		panic("csspa: the level of CVaR must be in (0, 1)")
	}
	tail := 1 / (1 - level)
	return Mean(Variable[S]{
		Value: func(x []float64, s S) float64 {
			return x[threshold] + tail*max(0, loss.Value(x, s)-x[threshold])
		},
		AddGradient: func(dst []float64, scale float64, x []float64, s S) {
			dst[threshold] += scale
			if loss.Value(x, s) > x[threshold] {
				loss.AddGradient(dst, scale*tail, x, s)
				dst[threshold] -= scale * tail
			}
		},
	})
}

// Norm is the Euclidean length of the vector of means, √(Σ_k (E v_k)² + ε²) - ε, with
// its corner at 0 smoothed by ε = smoothing > 0.
func Norm[S any](smoothing float64, vector ...Variable[S]) Statistic[S] {
	square := func(u []float64) float64 {
		sum := 0.0
		for _, v := range u {
			sum += v * v
		}
		return sum
	}
	return Statistic[S]{
		followed: len(vector),
		inner: func(dst, x []float64, s S) {
			for k, v := range vector {
				dst[k] = v.Value(x, s)
			}
		},
		addInner: func(dst, x, weights []float64, s S) {
			for k, v := range vector {
				v.AddGradient(dst, weights[k], x, s)
			}
		},
		outer: func(u []float64) float64 {
			length, _ := Root(square(u), smoothing)
			return length
		},
		addOuter: func(dst, u []float64, weight float64) {
			_, slope := Root(square(u), smoothing)
			for k, v := range u {
				dst[k] += weight * slope * 2 * v
			}
		},
	}
}
