package csspa

// Variable is a random number that depends on x, such as a portfolio's return or a
// loss: its value at a sample, and its gradient. Both functions must be safe for
// concurrent use if Solve makes several runs at a time, as pure functions are.
type Variable[S any] struct {
	Value func(x []float64, s S) float64
	// AddGradient adds scale times the gradient in x to dst.
	AddGradient func(dst []float64, scale float64, x []float64, s S)
}

// Linear is Σ_i c_i x_i with the coefficients c of a sample, for the first len(c)
// components of x.
func Linear[S any](coefficients func(s S) []float64) Variable[S] {
	return Variable[S]{
		Value: func(x []float64, s S) float64 {
			sum := 0.0
			for i, c := range coefficients(s) {
				sum += float64(c * x[i])
			}
			return sum
		},
		AddGradient: func(dst []float64, scale float64, _ []float64, s S) {
			for i, c := range coefficients(s) {
				dst[i] += float64(scale * c)
			}
		},
	}
}

// Constant is a random number that does not depend on x.
func Constant[S any](value func(s S) float64) Variable[S] {
	return Variable[S]{
		Value:       func(_ []float64, s S) float64 { return value(s) },
		AddGradient: func([]float64, float64, []float64, S) {},
	}
}

// Times returns factor times v.
func (v Variable[S]) Times(factor float64) Variable[S] {
	return Variable[S]{
		Value: func(x []float64, s S) float64 { return factor * v.Value(x, s) },
		AddGradient: func(dst []float64, scale float64, x []float64, s S) {
			v.AddGradient(dst, scale*factor, x, s)
		},
	}
}

// Statistic is a number that depends on x through expectations, r( E c(x; s) ): a
// mean, a variance, a ratio, a risk. Objectives and constraints are made of
// statistics. All of them are safe for concurrent use if their variables are.
type Statistic[S any] struct {
	followed int // number of expectations
	inner    func(dst, x []float64, s S)
	addInner func(dst, x, weights []float64, s S)
	outer    func(u []float64) float64
	addOuter func(dst, u []float64, weight float64)
}

// Times returns factor times the statistic.
func (a Statistic[S]) Times(factor float64) Statistic[S] {
	outer, addOuter := a.outer, a.addOuter
	a.outer = func(u []float64) float64 { return factor * outer(u) }
	a.addOuter = func(dst, u []float64, weight float64) { addOuter(dst, u, factor*weight) }
	return a
}

// Map returns value(r) of the statistic r, an outer function of your own, such as a
// logarithm or a root. slope is its derivative. Both must be finite for every number,
// as a followed statistic may leave its range: go on along a tangent there, as
// Reciprocal and Root do. [Problem.Verify] compares slope with finite differences.
func (a Statistic[S]) Map(value, slope func(r float64) float64) Statistic[S] {
	if value == nil || slope == nil {
		panic("csspa: Map needs a function and its slope")
	}
	outer, addOuter := a.outer, a.addOuter
	a.outer = func(u []float64) float64 { return value(outer(u)) }
	a.addOuter = func(dst, u []float64, weight float64) { addOuter(dst, u, weight*slope(outer(u))) }
	return a
}

// Plus returns the sum of the two statistics.
func (a Statistic[S]) Plus(b Statistic[S]) Statistic[S] { return Sum(a, b) }

// AtMost is the constraint that the statistic is at most bound.
func (a Statistic[S]) AtMost(bound float64) Constraint[S] {
	return Constraint[S]{H: followed[S]{a}, L: a.outerFunction(bound)}
}

// AtLeast is the constraint that the statistic is at least bound.
func (a Statistic[S]) AtLeast(bound float64) Constraint[S] { return a.Times(-1).AtMost(-bound) }

// NewProblem states: minimise a statistic of n variables over the set, subject to
// constraints, one for each statistic.
func NewProblem[S any](n int, objective Statistic[S], set Projection, constraints ...Constraint[S]) Problem[S] {
	p := Problem[S]{N: n, G: followed[S]{objective}, F: objective.outerFunction(0), X: set, FixedOuter: true}
	p.H, p.L = Stack(constraints...)
	return p
}

// followed is the inner function of a statistic. It does not know how many
// variables the problem has, so it is no Func.
type followed[S any] struct{ statistic Statistic[S] }

func (f followed[S]) Outputs() int { return f.statistic.followed }

func (f followed[S]) Evaluate(dst, x []float64, s S) { f.statistic.inner(dst, x, s) }

func (f followed[S]) AddGradient(dst, x, weights []float64, s S) {
	f.statistic.addInner(dst, x, weights, s)
}

func (a Statistic[S]) outerFunction(bound float64) Function[S] {
	return Func[S]{
		In: a.followed, Len: 1,
		Value:    func(dst, u []float64, _ S) { dst[0] = a.outer(u) - bound },
		Gradient: func(dst, u, weights []float64, _ S) { a.addOuter(dst, u, weights[0]) },
	}
}

// Sum is the sum of statistics; their expectations are followed one by one.
func Sum[S any](terms ...Statistic[S]) Statistic[S] {
	total := 0
	from := make([]int, len(terms)+1)
	for i, a := range terms {
		total += a.followed
		from[i+1] = total
	}
	return Statistic[S]{
		followed: total,
		inner: func(dst, x []float64, s S) {
			for i, a := range terms {
				a.inner(dst[from[i]:from[i+1]], x, s)
			}
		},
		addInner: func(dst, x, weights []float64, s S) {
			for i, a := range terms {
				a.addInner(dst, x, weights[from[i]:from[i+1]], s)
			}
		},
		outer: func(u []float64) float64 {
			sum := 0.0
			for i, a := range terms {
				sum += a.outer(u[from[i]:from[i+1]])
			}
			return sum
		},
		addOuter: func(dst, u []float64, weight float64) {
			for i, a := range terms {
				a.addOuter(dst[from[i]:from[i+1]], u[from[i]:from[i+1]], weight)
			}
		},
	}
}
