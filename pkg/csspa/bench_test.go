package csspa_test

import (
	"testing"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// BenchmarkStep is the cost of the method itself, on a problem with one variable.
func BenchmarkStep(b *testing.B) {
	power, err := csspa.Theorem2(1, 0.75, 0.5)
	if err != nil {
		b.Fatal(err)
	}
	horizon, err := csspa.Theorem2Horizon(0.01, 0.75, 0.5, 1<<40)
	if err != nil {
		b.Fatal(err)
	}
	for name, schedule := range map[string]csspa.PowerLaw{"powers of t": power, "powers of T": horizon} {
		b.Run(name, func(b *testing.B) {
			method, err := csspa.NewCSSPA(steps(), schedule, 0, csspa.State{})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				method.Step(pair{1, 1})
			}
		})
	}
}
