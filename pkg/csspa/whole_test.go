package csspa_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/goldentest"
	"github.com/fairstream/fairstream/pkg/csspa"
)

// results adds the whole result of a problem to a text, or why there is none.
func results[S any](text *strings.Builder, name string, p csspa.Problem[S], samples []S, settings csspa.Settings) {
	r, err := csspa.Solve(p, samples, settings)
	if infeasible := (*csspa.InfeasibleError)(nil); errors.As(err, &infeasible) {
		text.WriteString(goldentest.Print(name+" infeasible", infeasible))
	}
	if err != nil {
		text.WriteString(name + " error: " + err.Error() + "\n")
		return
	}
	text.WriteString(goldentest.Print(name, r))
}

// TestTheWholeResult compares each number and warning of some results with a file: of constraints that bind, that do not, that only a border meets and that
// cannot be met, of sets with and without bounds, and of settings other than the defaults.
func TestTheWholeResult(t *testing.T) {
	var text strings.Builder
	short := csspa.Settings{Steps: 3000, Ks: []float64{0.05, 0.2, 1}}
	results(&text, "disc", disc(), tuneSamples(), csspa.Settings{Steps: 3000, Ks: []float64{0.05, 0.2, 1}, Start: []float64{-1, 0.5}})
	results(&text, "target", target(), tuneSamples(), short)
	results(&text, "target, set", target(), tuneSamples(), csspa.Settings{Steps: 2000, Ks: []float64{0.1, 0.3}, Scales: []float64{0.5, 2}, Runs: 3, Share: 0.4, Seed: 7, Start: []float64{0.25}})
	results(&text, "loose", square(-9), tuneSamples(), short)
	results(&text, "border", square(0), tuneSamples(), short)
	results(&text, "impossible", square(1), tuneSamples(), short)
	unbounded := square(1)
	unbounded.X = nil
	results(&text, "impossible, not bounded", unbounded, tuneSamples(), short)
	for name, shortage := range map[string]float64{"stock": 0.145, "stock that is short": 0.05} {
		problem, demand := stock(shortage, 0.5)
		var of strings.Builder
		results(&of, name, problem, demand, short)
		goldentest.Compare(t, strings.ReplaceAll(name, " ", "-")+".txt", of.String())
	}
	results(&text, "market", riskBounded(), market(), short)
	constants, err := csspa.EstimateConstants(disc(), tuneSamples(), [][]float64{{0, 0}, {1, 0.5}, {-1, 0.25}})
	if err != nil {
		t.Fatal(err)
	}
	text.WriteString(goldentest.Print("constants", constants))
	goldentest.Compare(t, "results.txt", text.String())
}
