package csspa_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// market is the one that testdata/external draws: returns of eight assets, a row each period.
func market() [][]float64 {
	rng := rand.New(rand.NewPCG(1, 1))
	rows := make([][]float64, 20000)
	for i := range rows {
		for k := range 8 {
			rows[i] = append(rows[i], 0.02*float64(k+1)+0.05*float64(k+1)*rng.NormFloat64())
		}
	}
	return rows
}

// riskBounded is the problem that testdata/external states.
func riskBounded() csspa.Problem[[]float64] {
	income := csspa.Linear(func(row []float64) []float64 { return row })
	return csspa.NewProblem(9,
		csspa.Mean(income).Times(-1).Plus(csspa.Variance(income).Times(2)),
		csspa.Product{{N: 8, Set: csspa.Simplex{Total: 1}}, {N: 1, Set: csspa.Box{Lower: []float64{-1}, Upper: []float64{1}}}},
		csspa.CVaR(income.Times(-1), 0.95, 8).AtMost(0.1),
	)
}

// TestExternalModule builds and runs a module of its own that imports nothing but
// this package: a mean-variance portfolio with a bound on its conditional value at
// risk, in at most 40 lines. Its first answer, with no setting, is right: an off-line
// solver finds the same objective (best), and the bound on the gap holds.
func TestExternalModule(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	source, err := os.ReadFile(filepath.Join("testdata", "external", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(source), "\n"); lines > 40 {
		t.Errorf("the program has %d lines", lines)
	}
	command := exec.Command("go", "run", ".")
	command.Dir = filepath.Join("testdata", "external")
	command.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	printed, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, printed)
	}
	t.Logf("\n%s", printed)
	number := func(line, format string) float64 {
		var value float64
		_, rest, found := strings.Cut(string(printed), line)
		if _, err := fmt.Sscanf(strings.TrimSpace(rest), format, &value); !found || err != nil {
			t.Fatalf("no %q: %v", line, err)
		}
		return value
	}
	const best = -0.078815 // found by TestMarket of bench/csspa/reference
	objective, level, gap := number("\nobjective", "%g"), number("\nL_1", "%g"), number("\ngap", "at most %g")
	if math.Abs(objective-best) > 0.001 || level > 0.001 {
		t.Errorf("objective %v and constraint %v, the optimum is %v and at most 0", objective, level, best)
	}
	if gap < objective-best || gap > 0.003 {
		t.Errorf("the bound on the gap is %v, the gap %v", gap, objective-best)
	}
}

// sumOfTwo adds two inputs, and does not state how many it takes.
type sumOfTwo struct{}

func (sumOfTwo) Outputs() int                                 { return 1 }
func (sumOfTwo) Evaluate(dst, u []float64, _ []float64)       { dst[0] = u[0] + u[1] }
func (sumOfTwo) AddGradient(dst, _, w []float64, _ []float64) { dst[0] += w[0]; dst[1] += w[0] }

// TestSolveRefuses: a shape mistake and a sample that is not a number are refused
// with the name of the function.
func TestSolveRefuses(t *testing.T) {
	rows := market()[:500]
	quick := csspa.Settings{Steps: 2000, Ks: []float64{0.3, 1}, Scales: []float64{10}}
	for name, change := range map[string]func(p *csspa.Problem[[]float64]){
		"Problem.L (group 1": func(p *csspa.Problem[[]float64]) {
			p.H, p.L = csspa.Stack(csspa.Constraint[[]float64]{H: csspa.Func[[]float64]{In: 9, Len: 3}, L: csspa.Identity[[]float64](2)})
		},
		"Problem.L takes 2 inputs, but Problem.H has 1": func(p *csspa.Problem[[]float64]) { p.L = csspa.Identity[[]float64](2) },
		"Problem.F takes 3 inputs, but Problem.G has": func(p *csspa.Problem[[]float64]) {
			p.G = csspa.Identity[[]float64](9)
			p.F = csspa.Mean(csspa.Linear(func(r []float64) []float64 { return r })).Plus(csspa.Variance(csspa.Linear(func(r []float64) []float64 { return r }))).AtMost(0).L
		},
		"Problem.G takes 2 inputs, but the problem has 9 variables": func(p *csspa.Problem[[]float64]) {
			p.G = csspa.Identity[[]float64](2)
		},
		"Problem.G panics with 5 inputs": func(p *csspa.Problem[[]float64]) { p.N, p.X = 5, nil },
		"Problem.L does not use output 2 of Problem.H": func(p *csspa.Problem[[]float64]) {
			p.H, p.L = csspa.Identity[[]float64](9), sumOfTwo{}
		},
		"Problem.L does not state its number of inputs (set Func.In): Problem.H has 9 outputs": func(p *csspa.Problem[[]float64]) {
			p.H, p.L = csspa.Identity[[]float64](9), csspa.Func[[]float64]{Len: 1, Value: sumOfTwo{}.Evaluate, Gradient: sumOfTwo{}.AddGradient}
		},
		"Problem.H: output 0 is NaN at sample 0": func(p *csspa.Problem[[]float64]) {
			p.H = csspa.Func[[]float64]{In: 9, Len: 1, Value: func(dst, x []float64, _ []float64) {}, Gradient: func(dst, x, w []float64, _ []float64) {}}
		},
	} {
		p := riskBounded()
		change(&p)
		if _, err := csspa.Solve(p, rows, quick); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error is %v", name, err)
		}
	}
	rows[7] = append([]float64{math.NaN()}, rows[7][1:]...)
	rows[9] = append([]float64{math.Inf(1)}, rows[9][1:]...)
	r, err := csspa.Solve(riskBounded(), rows, quick)
	if err != nil {
		t.Fatal(err)
	}
	// At x = 0 the return is 0 times NaN: the first function that sees it is G.
	if r.Refused != 2 || !strings.Contains(r.String(), "2 of 500 samples are left out; the first: csspa: Problem.G: output 0 is NaN at sample 7") {
		t.Errorf("%d samples are left out:\n%v", r.Refused, r)
	}
}
