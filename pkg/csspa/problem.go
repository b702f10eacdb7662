package csspa

import (
	"errors"
	"fmt"
)

// Function is a random vector function c(x; s) with its derivative: the paper's
// g, h (inner functions of x) and f, l (outer functions of a followed
// expectation). Its methods must not keep or change x, weights or s, and must be
// deterministic. They must return finite values wherever the method takes them:
// on X for inner functions, on all of R^m or R^d for outer functions. A followed
// value need not be a value that the inner function can take, so continue an
// outer function such as 1/u below a small u (see Reciprocal).
//
// A function may also have a method Inputs() int, the number of components of x
// that it takes, at least 1. Check compares it with the function before it. Func
// and Identity have the method.
type Function[S any] interface {
	// Outputs returns the number of components of c, at least 1.
	Outputs() int

	// Evaluate stores c(x; s) in dst, whose length is Outputs.
	Evaluate(dst, x []float64, s S)

	// AddGradient adds to dst the gradient in x of Σ_j weights_j c_j(x; s), that
	// is ∇c(x; s) weights in the paper's notation ([∇c]_ij = ∂c_j/∂x_i). The
	// length of dst is that of x, the length of weights is Outputs. At a kink any
	// element of the subdifferential serves.
	AddGradient(dst, x, weights []float64, s S)
}

// Problem is problem (P). H and L are both nil for a problem without
// constraints; X is nil for X = R^n (the theorems ask for a bounded X).
type Problem[S any] struct {
	N int         // n, the number of variables
	G Function[S] // inner function of the objective, n -> m
	F Function[S] // outer function of the objective, m -> 1
	H Function[S] // inner function of the constraints, n -> d
	L Function[S] // outer functions of the constraints, d -> J
	X Projection

	// FixedOuter says that f and l do not depend on the sample: ζ and ψ do not
	// occur, the usual case. CSSPA makes no use of it. Means over data then
	// evaluate them once instead of once a sample, and the penalty methods need it.
	FixedOuter bool
}

// Constraints returns J, the number of constraints.
func (p Problem[S]) Constraints() int {
	if p.L == nil {
		return 0
	}
	return p.L.Outputs()
}

// Check reports the first way in which p is not a well-formed problem: a missing
// function, a set of another dimension, a Func without In, or a function whose
// number of inputs is not the number of outputs of the function before it. Only a
// function without a method Inputs is not compared.
func (p Problem[S]) Check() error {
	switch {
	case p.N < 1:
		return fmt.Errorf("csspa: Problem.N is %d: it must be the number of variables, at least 1", p.N)
	case p.G == nil || p.F == nil:
		return errors.New("csspa: Problem.G and Problem.F must both be set (use Identity for F if F(x) is a plain expectation)")
	case p.F.Outputs() != 1:
		return fmt.Errorf("csspa: Problem.F has %d outputs: the objective must have exactly 1", p.F.Outputs())
	case (p.H == nil) != (p.L == nil):
		return errors.New("csspa: Problem.H and Problem.L must be set together, or both left nil")
	}
	for _, c := range p.chains() {
		for _, f := range []struct {
			name     string
			function Function[S]
			inputs   int
			source   string
		}{
			{c.names[:1], c.inner, p.N, "the problem has %d variables"},
			{c.names[1:], c.outer, c.inner.Outputs(), "Problem." + c.names[:1] + " has %d outputs"},
		} {
			if n := f.function.Outputs(); n < 1 {
				return fmt.Errorf("csspa: Problem.%s has %d outputs: it must have at least 1", f.name, n)
			}
			if err := checkInputs(f.function, f.inputs, f.source); err != nil {
				return fmt.Errorf("csspa: Problem.%s %w", f.name, err)
			}
		}
	}
	if p.X != nil {
		return p.X.Check(p.N)
	}
	return nil
}

// composed is an inner and an outer function, and the names of their fields.
type composed[S any] struct {
	names        string
	inner, outer Function[S]
}

// chains returns the compositions of p: the objective and, if there are any, the constraints.
func (p Problem[S]) chains() []composed[S] {
	all := []composed[S]{{"GF", p.G, p.F}}
	if p.H != nil {
		all = append(all, composed[S]{"HL", p.H, p.L})
	}
	return all
}

// checkInputs compares the inputs that a function states with those that it gets.
func checkInputs[S any](f Function[S], inputs int, source string) error {
	if stacked, ok := f.(interface{ checkInputs(int, string) error }); ok {
		return stacked.checkInputs(inputs, source)
	}
	sized, ok := f.(sized)
	switch {
	case !ok:
		return nil
	case sized.Inputs() < 1:
		return fmt.Errorf("does not state its number of inputs (set Func.In): "+source, inputs)
	case sized.Inputs() != inputs:
		return fmt.Errorf("takes %d inputs, but "+source, sized.Inputs(), inputs)
	}
	return nil
}

// sized is a function that states how many inputs it takes.
type sized interface{ Inputs() int }

func (p Problem[S]) project(x []float64) {
	if p.X != nil {
		p.X.Project(x)
	}
}

// inner returns the numbers of outputs m and d of G and H.
func (p Problem[S]) inner() (m, d int) {
	if p.H != nil {
		d = p.H.Outputs()
	}
	return p.G.Outputs(), d
}
