package csspa_test

import (
	"slices"
	"testing"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// scaled is c(x; s) = (k x_0, k s x_0²).
func scaled(k float64) csspa.Function[float64] {
	return csspa.Func[float64]{
		In: 1, Len: 2,
		Value:    func(dst, x []float64, s float64) { dst[0], dst[1] = k*x[0], k*s*x[0]*x[0] },
		Gradient: func(dst, x, w []float64, s float64) { dst[0] += k*w[0] + k*s*2*x[0]*w[1] },
	}
}

// product is l(u) = u_0 u_1.
func product() csspa.Function[float64] {
	return csspa.Func[float64]{
		In: 2, Len: 1,
		Value: func(dst, u []float64, _ float64) { dst[0] = u[0] * u[1] },
		Gradient: func(dst, u, w []float64, _ float64) {
			dst[0] += w[0] * u[1]
			dst[1] += w[0] * u[0]
		},
	}
}

func TestStack(t *testing.T) {
	h, l := csspa.Stack(
		csspa.Constraint[float64]{H: scaled(1), L: product()},
		csspa.Constraint[float64]{H: scaled(10), L: csspa.Identity[float64](2)},
	)
	if h.Outputs() != 4 || l.Outputs() != 3 {
		t.Fatalf("outputs are %d and %d, want 4 and 3", h.Outputs(), l.Outputs())
	}
	u, values := make([]float64, 4), make([]float64, 3)
	h.Evaluate(u, []float64{2}, 3)
	if want := []float64{2, 12, 20, 120}; !slices.Equal(u, want) {
		t.Errorf("h is %v, want %v", u, want)
	}
	l.Evaluate(values, u, 3)
	if want := []float64{24, 20, 120}; !slices.Equal(values, want) {
		t.Errorf("l is %v, want %v", values, want)
	}
	p := csspa.Problem[float64]{N: 1, G: scaled(1), F: product(), H: h, L: l}
	if err := p.Verify([]float64{2}, 3, 1e-7); err != nil {
		t.Error(err)
	}
	if h, l := csspa.Stack[float64](); h != nil || l != nil {
		t.Error("an empty stack is not nil")
	}
}
