package replay

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/findings"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/goldentest"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
)

// madeUp is a comparison and an evaluation with counts of our own, so that no learner decides what
// the report looks like.
func madeUp(name string, tau float64, enforced bool, kGroup, nGroup, kVersus, nVersus int64) fairness.Estimate {
	count := func(k, n int64) fairness.Count {
		return fairness.Count{Records: n, Positives: k, Weight: float64(n), WeightSquared: float64(n), PositiveWeight: float64(k)}
	}
	comparison := fairness.Comparison{
		Name: name, Criterion: fairness.DemographicParity, Tau: tau, Enforce: enforced,
		Group:  []fairness.Term{fairness.Is(name, "Male")},
		Versus: []fairness.Term{fairness.Is(name, "Female")},
	}
	return comparison.Estimate(fairness.PairCounts{Group: count(kGroup, nGroup), Versus: count(kVersus, nVersus)},
		fairness.Options{Level: .95, MinimumRecords: 30})
}

func madeUpEvaluation(right float64, constraints ...fairness.Estimate) *findings.Evaluation {
	confusion := fairness.Confusion{Records: 10000, WeightSquared: 10000, TruePositive: right - 6500, TrueNegative: 6500, FalsePositive: 1000, FalseNegative: 9000 - right}
	return findings.NewEvaluation(&document.Report{
		Records: 10000,
		Decisions: &document.Decisions{
			Accuracy: confusion.Accuracy(.95), ConstantAccuracy: confusion.ConstantAccuracy(.95),
			LogLoss: fairness.Measure{Value: .31, Lo: .3, Hi: .32, Level: .95, Records: 10000, Effective: 10000, Method: fairness.MethodNormal},
		},
		Constraints: constraints, Collapse: fairness.NoCollapse,
	}, nil)
}

func madeUpResult(constraints ...fairness.Estimate) *findings.Result {
	r := &findings.Result{
		Records: 1234567, Rejected: 89, Seconds: 2,
		Prequential: *madeUpEvaluation(8400, constraints...),
		Model:       findings.Learnt{Version: 1234567, Weights: 1215, WeightsSHA256: "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"},
	}
	return r
}

func TestReports(t *testing.T) {
	met := madeUp("sex", .05, true, 900, 6000, 500, 4000)
	notMet := madeUp("sex", .05, true, 1500, 6000, 400, 4000)
	few := madeUp("sex", .05, true, 5, 20, 1, 3)
	watched := madeUp("age", .1, false, 700, 5000, 300, 5000)
	withTau := func(r *findings.Result, tau float64) *findings.Result {
		r.Tau = &tau
		return r
	}
	compared := func(r *findings.Result, free ...fairness.Estimate) *findings.Result {
		r.Holdout = madeUpEvaluation(8500, r.Prequential.Constraints...)
		r.Holdout.Unconstrained = madeUpEvaluation(8650, free...)
		return r
	}
	noted := compared(madeUpResult(notMet), notMet)
	noted.Conditions = []document.Condition{{Code: document.Unreachable, Constraint: "sex", Detail: "no multiplier keeps it"}, {Code: document.Useless, Detail: "hardly more accurate than a constant decision"}}
	noNumbers := madeUpResult(few)
	noNumbers.Conditions = []document.Condition{{Code: document.TooFewRecords, Constraint: "sex", Detail: few.Reason}} // said by the sentence already
	noNumbers.Prequential.Measures.Accuracy.Value = math.NaN()
	tests := []struct {
		file    string
		mode    model.Mode
		results []*findings.Result
		r       Replay
	}{
		{"met.txt", model.Adaptive, []*findings.Result{compared(madeUpResult(met, watched), notMet, watched)}, Replay{test: input.Source{Name: "x"}}},
		{"not-met.txt", model.Adaptive, []*findings.Result{noted}, Replay{test: input.Source{Name: "x"}}},
		{"unconstrained.txt", model.Unconstrained, []*findings.Result{madeUpResult(notMet)}, Replay{}},
		{"too-few.txt", model.Adaptive, []*findings.Result{noNumbers}, Replay{Settings: Settings{Save: "w.json"}}},
		{"no-constraints.txt", model.Adaptive, []*findings.Result{madeUpResult()}, Replay{}},
		{"frontier.txt", model.Adaptive, []*findings.Result{
			withTau(compared(madeUpResult(met, watched), notMet, watched), .02),
			withTau(noted, .05),
		}, Replay{test: input.Source{Name: "x"}}},
	}
	for _, test := range tests {
		var out bytes.Buffer
		test.r.Streams = &program.Streams{Out: &out}
		test.r.config = config.Default()
		test.r.config.Learner.Mode = test.mode
		if len(test.results[0].Prequential.Constraints) > 0 {
			test.r.config.Constraints = BundledConfig().Constraints
		}
		if err := test.r.report(test.results); err != nil {
			t.Fatal(err)
		}
		goldentest.Compare(t, test.file, out.String())
	}
}

// The report uses the singular for one, and tells a constraint that costs no accuracy from one that does.
func TestWordsOfOne(t *testing.T) {
	r := madeUpResult(madeUp("sex", .05, true, 900, 6000, 500, 4000))
	r.Records, r.Prequential.Records, r.Model.Weights = 1, 1, 1
	r.Prequential.Unconstrained = madeUpEvaluation(8400, r.Prequential.Constraints...)
	var out bytes.Buffer
	if err := (&Replay{Streams: &program.Streams{Out: &out}, Settings: Settings{config: config.Default()}}).report([]*findings.Result{r}); err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{"Learnt 1 record in ", "On the only record, before it was learnt", "of 1 number, ",
		"Cost of the constraint: none that can be measured; accuracy is 0.840 without constraints too."} {
		if !strings.Contains(out.String(), words) {
			t.Errorf("%q is not in\n%s", words, out.String())
		}
	}
}
