package surrogate

import (
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// The work of one record for one comparison: track u, then the coefficient.
func BenchmarkRecord(b *testing.B) {
	for _, name := range Names() {
		b.Run(string(name), func(b *testing.B) {
			r := mustNew(b, Settings{Name: name, Threshold: 2})
			u, lambda := make([]float64, r.InnerSize()), []float64{0.3, 0.1}
			side, z, sum := fairness.Group, 0.3, 0.0
			b.ReportAllocs()
			for b.Loop() {
				r.Track(u, 0.01, side, z)
				sum += r.Coefficient(u, lambda, side, z)
				side, z = fairness.Group+fairness.Versus-side, -z
			}
			if sum != sum {
				b.Fatal("the coefficients add up to NaN")
			}
		})
	}
}

func BenchmarkLogistic(b *testing.B) {
	x, sum := 0.0, 0.0
	for b.Loop() {
		sum += Logistic(x)
		if x += 0.001; x > 5 {
			x = -5
		}
	}
	if sum == 0 {
		b.Fatal("the values add up to 0")
	}
}
