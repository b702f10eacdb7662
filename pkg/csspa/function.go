package csspa

import "fmt"

// Func makes a Function of two plain functions, as http.HandlerFunc does for
// handlers. See Function for what each must do.
type Func[S any] struct {
	In       int // number of inputs, at least 1
	Len      int // number of outputs, at least 1
	Value    func(dst, x []float64, s S)
	Gradient func(dst, x, weights []float64, s S)
}

// Inputs returns In.
func (f Func[S]) Inputs() int { return f.In }

// Outputs returns Len.
func (f Func[S]) Outputs() int { return f.Len }

// Evaluate calls Value.
func (f Func[S]) Evaluate(dst, x []float64, s S) { f.Value(dst, x, s) }

// AddGradient calls Gradient.
func (f Func[S]) AddGradient(dst, x, weights []float64, s S) { f.Gradient(dst, x, weights, s) }

// Identity is c(x) = x: the outer function of an objective or a constraint that
// is a plain expectation. Its value is the number of components.
type Identity[S any] int

// Inputs returns the number of components.
func (n Identity[S]) Inputs() int { return int(n) }

// Outputs returns the number of components.
func (n Identity[S]) Outputs() int { return int(n) }

// Evaluate copies x.
func (Identity[S]) Evaluate(dst, x []float64, _ S) { copy(dst, x) }

// AddGradient adds the weights.
func (Identity[S]) AddGradient(dst, _, weights []float64, _ S) {
	for i, w := range weights {
		dst[i] += w
	}
}

// Constraint is a group of constraints that shares an inner function: L has as
// many inputs as H has outputs.
type Constraint[S any] struct {
	H, L Function[S]
}

// Stack joins groups of constraints into one pair (H, L) for a Problem: the
// inner outputs are concatenated in order, and each group's outer functions see
// their own part of them. Without groups both results are nil.
func Stack[S any](groups ...Constraint[S]) (h, l Function[S]) {
	if len(groups) == 0 {
		return nil, nil
	}
	inner, outer := &stackedInner[S]{}, &stackedOuter[S]{}
	for _, group := range groups {
		d, j := group.H.Outputs(), group.L.Outputs()
		inner.parts = append(inner.parts, part[S]{group.H, inner.len, inner.len + d})
		outer.parts = append(outer.parts, part[S]{group.L, outer.len, outer.len + j})
		outer.inputs = append(outer.inputs, span{inner.len, inner.len + d})
		inner.len += d
		outer.len += j
	}
	return inner, outer
}

type span struct{ from, to int }

// part is a function and the place of its outputs in the whole.
type part[S any] struct {
	function Function[S]
	from, to int
}

type stackedInner[S any] struct {
	parts []part[S]
	len   int
}

func (f *stackedInner[S]) Outputs() int { return f.len }

func (f *stackedInner[S]) checkInputs(inputs int, source string) error {
	for i, p := range f.parts {
		if err := checkInputs(p.function, inputs, source); err != nil {
			return fmt.Errorf("(group %d of Stack) %w", i+1, err)
		}
	}
	return nil
}

func (f *stackedInner[S]) Evaluate(dst, x []float64, s S) {
	for _, p := range f.parts {
		p.function.Evaluate(dst[p.from:p.to:p.to], x, s)
	}
}

func (f *stackedInner[S]) AddGradient(dst, x, weights []float64, s S) {
	for _, p := range f.parts {
		p.function.AddGradient(dst, x, weights[p.from:p.to:p.to], s)
	}
}

type stackedOuter[S any] struct {
	parts  []part[S]
	inputs []span
	len    int
}

func (f *stackedOuter[S]) Outputs() int { return f.len }

// Inputs is the number of outputs of the inner functions of all groups.
func (f *stackedOuter[S]) Inputs() int { return f.inputs[len(f.inputs)-1].to }

func (f *stackedOuter[S]) checkInputs(inputs int, source string) error {
	if n := f.Inputs(); n != inputs {
		return fmt.Errorf("takes %d inputs, but "+source, n, inputs)
	}
	for i, p := range f.parts {
		own := f.inputs[i]
		if err := checkInputs(p.function, own.to-own.from, "its H has %d outputs"); err != nil {
			return fmt.Errorf("(group %d of Stack) %w", i+1, err)
		}
	}
	return nil
}

func (f *stackedOuter[S]) Evaluate(dst, u []float64, s S) {
	for i, p := range f.parts {
		in := f.inputs[i]
		p.function.Evaluate(dst[p.from:p.to:p.to], u[in.from:in.to:in.to], s)
	}
}

func (f *stackedOuter[S]) AddGradient(dst, u, weights []float64, s S) {
	for i, p := range f.parts {
		in := f.inputs[i]
		p.function.AddGradient(dst[in.from:in.to:in.to], u[in.from:in.to:in.to], weights[p.from:p.to:p.to], s)
	}
}
