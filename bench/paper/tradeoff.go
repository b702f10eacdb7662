package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/fairstream/fairstream/pkg/surrogate"
)

// taus and printed are the paper's table of tuning parameters: τ, and c_1, c_2, c_3 for it.
var (
	taus    = []float64{.3, .25, .2, .15, .1, .05}
	printed = map[surrogate.Name][]float64{
		surrogate.Approximation1: {1.6706e-5, 1.0048e-5, .0016, 4.2064e-4, 3.9811e-4, .0032},
		surrogate.Approximation2: {1.3270, 2.0047, .3972, 1.6746, 1.9953, .3991},
		surrogate.Approximation3: {1.3270, 7.9810, 6.2946, 1.6746, 7.9433, 3.9905},
	}
	approximations = []surrogate.Name{surrogate.Approximation1, surrogate.Approximation2, surrogate.Approximation3}
)

// folds of the cross-validation; the paper's 39,072 training records are four of them.
const folds = 5

// outcome is a classifier on the fold held out.
type outcome struct{ error, logLoss, difference float64 }

// way is one way to learn: what a run with a threshold (or a τ, if it needs no threshold) gives.
type way struct {
	name string
	// threshold returns c τ, chosen on a tenth of the records; NaN if the way needs none.
	threshold func(a surrogate.Name, tau float64) (float64, error)
	// constants returns the step sizes of a run; nil if the way has none.
	constants func(a surrogate.Name, tau float64) (stepSizes, error)
	learn     func(a surrogate.Name, tau, threshold float64, train, test []int) (outcome, error)
	only      []surrogate.Name // the approximations that it is for; nil for all
}

// stepSizes are α_t = α_0 τ^-a and β_t = τ^-b with α_0 = 1/7K.
type stepSizes struct{ k, a, b float64 }

// tradeOff is experiment 1: loss against risk difference for the three approximations over the paper's τ,
// on five folds of Adult: with the printed c_k τ, as printed with s+ and s- exchanged, and by the definition of the risk difference;
// with thresholds that work; in mode paper (T unknown and known), and in mode adaptive.
func tradeOff(s *study) (result, error) {
	algorithm, err := newAlgorithm(s)
	if err != nil {
		return result{}, err
	}
	learner, err := newLearner(s)
	if err != nil {
		return result{}, err
	}
	ways := []way{
		algorithm.asPrinted(), algorithm.turned(), algorithm.byDefinition(),
		algorithm.working(), learner.paper(learner.stream), learner.paper(learner.horizon), learner.adaptive(),
	}
	plans, err := plan(s, ways)
	if err != nil {
		return result{}, err
	}
	if err := learnPlans(s, plans, learner.size()); err != nil {
		return result{}, err
	}
	optima, err := algorithm.readings(s)
	if err != nil {
		return result{}, err
	}
	panels, err := tradeOffPanels(ways, plans)
	return result{
		tables:  []*table{printedTable(), tradeOffTable(plans), algorithm.freeTable(), frontierTable(plans), optima},
		figures: []figureFile{{"trade-off", 3, 4, 3.2, panels}},
	}, err
}

// planned is a cell of the trade-off.
type planned struct {
	way            way
	approximation  surrogate.Name
	tau, threshold float64
	steps          stepSizes
	outcomes       []outcome // [order × folds + fold]
}

func plan(s *study, ways []way) ([]planned, error) {
	considered := taus
	if s.quick {
		considered = []float64{.2, .05}
	}
	var plans []planned
	for _, w := range ways {
		for _, a := range w.approximations() {
			for _, tau := range considered {
				plans = append(plans, planned{way: w, approximation: a, tau: tau})
			}
		}
	}
	// The thresholds of an approximation come from the same trials, so that they are one job.
	perJob := len(considered)
	return plans, s.each("thresholds", len(plans)/perJob, func(job int) error {
		for i := job * perJob; i < (job+1)*perJob; i++ {
			if err := plans[i].tune(); err != nil {
				return fmt.Errorf("%s, %s: %w", plans[i].way.name, plans[i].approximation, err)
			}
		}
		return nil
	})
}

// tune chooses threshold and step sizes.
func (p *planned) tune() (err error) {
	if p.threshold, err = p.way.threshold(p.approximation, p.tau); err != nil {
		return err
	}
	p.steps = stepSizes{math.NaN(), math.NaN(), math.NaN()}
	if p.way.constants != nil {
		p.steps, err = p.way.constants(p.approximation, p.tau)
	}
	return err
}

// learnPlans learns every cell on every fold, in every order.
func learnPlans(s *study, plans []planned, size int) error {
	runs := s.choose(2, 2*folds)
	for i := range plans {
		plans[i].outcomes = make([]outcome, runs)
	}
	return s.each("folds", len(plans)*runs, func(job int) error {
		p, run := plans[job/runs], job%runs
		train, test := split(size, run%folds, run/folds, s.seed)
		o, err := p.way.learn(p.approximation, p.tau, p.threshold, train, test)
		p.outcomes[run] = o
		return err
	})
}

func (w way) approximations() []surrogate.Name {
	if w.only != nil {
		return w.only
	}
	return approximations
}

// split returns the indices to learn from, in an order of their own, and those held out.
func split(size, fold, order int, seed uint64) (train, test []int) {
	for i, k := range rand.New(rand.NewPCG(seed, 11)).Perm(size) {
		if i%folds == fold {
			test = append(test, k)
		} else {
			train = append(train, k)
		}
	}
	rng := rand.New(rand.NewPCG(seed, uint64(12+fold*1000+order)))
	rng.Shuffle(len(train), func(i, j int) { train[i], train[j] = train[j], train[i] })
	return train, test
}

// overFolds returns the mean of a value and its standard error over folds, each the mean of its orders.
func (p planned) overFolds(value func(outcome) float64) (mean, se float64) {
	perFold := make([][]float64, min(folds, len(p.outcomes)))
	for run, o := range p.outcomes {
		perFold[run%folds] = append(perFold[run%folds], value(o))
	}
	means := make([]float64, len(perFold))
	for i, values := range perFold {
		means[i], _ = meanAndError(values)
	}
	return meanAndError(means)
}

func errorValue(o outcome) float64      { return o.error }
func lossValue(o outcome) float64       { return o.logLoss }
func differenceValue(o outcome) float64 { return o.difference }

// printedTable holds the printed thresholds against the least that any model can meet.
func printedTable() *table {
	t := newTable("printed", "approximation", "tau", "c", "c_tau", "ten_log10_c_tau", "least_for_any_model", "least_without_reversal", "verdict")
	for _, a := range approximations {
		facts := a.Facts()
		for i, tau := range taus {
			threshold := printed[a][i] * tau
			verdict := "can be met"
			switch {
			case threshold < facts.LeastThreshold:
				verdict = "no model meets it"
			case threshold < facts.LeastFairThreshold:
				verdict = "only with the bias reversed"
			}
			t.add(string(a), tau, printed[a][i], threshold, 10*math.Log10(threshold), facts.LeastThreshold, facts.LeastFairThreshold, verdict)
		}
	}
	return t
}

func tradeOffTable(plans []planned) *table {
	t := newTable("trade-off", "way", "approximation", "tau", "threshold", "alpha0", "K", "a", "b", "runs", "error", "error_se", "log_loss", "log_loss_se", "RD", "RD_se", "largest_abs_RD", "within_tau")
	for _, p := range plans {
		e, eSE := p.overFolds(errorValue)
		l, lSE := p.overFolds(lossValue)
		d, dSE := p.overFolds(differenceValue)
		most, within := 0.0, 0
		for _, o := range p.outcomes {
			most = max(most, math.Abs(o.difference))
			if math.Abs(o.difference) <= p.tau {
				within++
			}
		}
		t.add(p.way.name, string(p.approximation), p.tau, p.threshold, 1/(7*p.steps.k), p.steps.k, p.steps.a, p.steps.b, len(p.outcomes), e, eSE, l, lSE, d, dSE, most, float64(within)/float64(len(p.outcomes)))
	}
	return t
}

// frontierTable reads each way's error at given risk differences off the line through its points, where they
// reach so far: the paper compares the approximations so.
func frontierTable(plans []planned) *table {
	t := newTable("frontier", "way", "RD", "approximation-1", "approximation-2", "approximation-3")
	var names []string
	for _, p := range plans {
		if !slices.Contains(names, p.way.name) {
			names = append(names, p.way.name)
		}
	}
	for _, name := range names {
		for _, at := range []float64{.05, .1, .15} {
			row := []any{name, at}
			for _, a := range approximations {
				row = append(row, errorAt(plans, name, a, at))
			}
			t.add(row...)
		}
	}
	return t
}

func errorAt(plans []planned, name string, a surrogate.Name, at float64) float64 {
	line := tradeOffLine(plans, name, a)
	for i := 1; i < len(line); i++ {
		low, high := line[i-1], line[i]
		if low.X <= at && at <= high.X && high.X > low.X {
			return low.Y + (high.Y-low.Y)*(at-low.X)/(high.X-low.X)
		}
	}
	return math.NaN()
}
