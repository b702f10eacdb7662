package csspa_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/pkg/csspa"
)

var orthant = csspa.Box{Lower: []float64{0}, Upper: []float64{math.Inf(1)}}

func TestProjectionValues(t *testing.T) {
	for _, c := range []struct {
		name    string
		set     csspa.Projection
		x, want []float64
	}{
		{"ball, outside", csspa.Ball{Radius: 5}, []float64{6, 8}, []float64{3, 4}},
		{"ball, inside", csspa.Ball{Radius: 5}, []float64{1, -2}, []float64{1, -2}},
		{"ball with a centre", csspa.Ball{Radius: 1, Center: []float64{1, 1}}, []float64{1, 4}, []float64{1, 2}},
		{"box", csspa.Box{Lower: []float64{0}, Upper: []float64{1, 2}}, []float64{-3, 5}, []float64{0, 2}},
		{"half-open box", csspa.Box{Lower: []float64{math.Inf(-1)}, Upper: []float64{1}}, []float64{-3, 5}, []float64{-3, 1}},
		{"orthant", orthant, []float64{-3, 5}, []float64{0, 5}},
		{"product", csspa.Product{{2, csspa.Simplex{Total: 1}}, {1, nil}, {1, csspa.Ball{Radius: 1}}}, []float64{3, 0, 9, -4}, []float64{1, 0, 9, -1}},
		{"simplex, interior", csspa.Simplex{Total: 1}, []float64{0.5, 0.5}, []float64{0.5, 0.5}},
		{"simplex, edge", csspa.Simplex{Total: 1}, []float64{1, 0.5, -1}, []float64{0.75, 0.25, 0}},
		{"simplex, vertex", csspa.Simplex{Total: 2}, []float64{9, 1, -3}, []float64{2, 0, 0}},
	} {
		if err := c.set.Check(len(c.x)); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		got := slices.Clone(c.x)
		c.set.Project(got)
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 1e-15 {
				t.Errorf("%s: projection of %v is %v, want %v", c.name, c.x, got, c.want)
			}
		}
	}
}

// TestProjectionProperties checks what characterises the nearest point p of a
// convex set: p is in the set (projecting again does not move it), the map is
// nonexpansive, and (x-p)·(q-p) <= 0 for every q of the set.
func TestProjectionProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const n = 5
	random := func() []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = 4 * rng.NormFloat64()
		}
		return x
	}
	for name, set := range map[string]csspa.Projection{
		"ball":    csspa.Ball{Radius: 2, Center: []float64{1, 0, 0, 0, -1}},
		"box":     csspa.Box{Lower: []float64{-1}, Upper: []float64{2}},
		"orthant": orthant,
		"product": csspa.Product{{3, csspa.Simplex{Total: 1}}, {2, csspa.Ball{Radius: 1}}},
		"simplex": csspa.Simplex{Total: 3},
	} {
		project := func(x []float64) []float64 {
			p := slices.Clone(x)
			set.Project(p)
			return p
		}
		for range 500 {
			x, z := random(), random()
			p, q := project(x), project(z)
			if again := project(p); distance(again, p) > 1e-14 {
				t.Fatalf("%s: projecting twice moves %v to %v", name, p, again)
			}
			if distance(p, q) > distance(x, z)+1e-12 {
				t.Fatalf("%s: expands %v, %v", name, x, z)
			}
			inner := 0.0
			for i := range x {
				inner += (x[i] - p[i]) * (q[i] - p[i])
			}
			if inner > 1e-12 {
				t.Fatalf("%s: %v is not the nearest point to %v: %v is nearer", name, p, x, q)
			}
		}
	}
}

func distance(x, y []float64) float64 {
	sum := 0.0
	for i := range x {
		sum += (x[i] - y[i]) * (x[i] - y[i])
	}
	return math.Sqrt(sum)
}

func TestProjectionErrors(t *testing.T) {
	for name, set := range map[string]csspa.Projection{
		"zero radius":     csspa.Ball{},
		"infinite radius": csspa.Ball{Radius: math.Inf(1)},
		"NaN radius":      csspa.Ball{Radius: math.NaN()},
		"short centre":    csspa.Ball{Radius: 1, Center: []float64{0}},
		"no bounds":       csspa.Box{},
		"short bound":     csspa.Box{Lower: []float64{0, 0}, Upper: []float64{1}},
		"crossed bounds":  csspa.Box{Lower: []float64{2}, Upper: []float64{1}},
		"NaN bound":       csspa.Box{Lower: []float64{math.NaN()}, Upper: []float64{1}},
		"empty simplex":   csspa.Simplex{},
	} {
		if set.Check(3) == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// FuzzSimplex: for any finite coordinates the result is non-negative and sums to
// the total, up to rounding relative to the largest coordinate.
func FuzzSimplex(f *testing.F) {
	f.Add(1.0, 2.0, 3.0, 1.0)
	f.Add(-1e9, 1e9, 0.0, 1e-9)
	f.Add(5e-324, 0.0, math.Copysign(0, -1), 1.0)
	f.Fuzz(func(t *testing.T, a, b, c, total float64) {
		set := csspa.Simplex{Total: total}
		if set.Check(3) != nil {
			return
		}
		x := []float64{a, b, c}
		scale := total
		for _, v := range x {
			if math.IsNaN(v) || math.Abs(v) > 1e150 {
				return
			}
			scale = max(scale, math.Abs(v))
		}
		set.Project(x)
		sum := 0.0
		for _, v := range x {
			if !(v >= 0) {
				t.Fatalf("%v is negative", v)
			}
			sum += v
		}
		if math.Abs(sum-total) > 1e-14*scale {
			t.Fatalf("the projection of (%v, %v, %v) sums to %v, want %v", a, b, c, sum, total)
		}
	})
}
