package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"sync"
	"sync/atomic"

	"github.com/jedib0t/go-pretty/v6/progress"
	"golang.org/x/term"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"

	"github.com/fairstream/fairstream/bench/csspa/problems"
	"github.com/fairstream/fairstream/internal/bar"
)

// study is what all experiments share.
type study struct {
	quick   bool
	seed    uint64
	workers int
	log     io.Writer // progress; bars if it is a terminal

	records func() ([]problems.Record, error) // Adult in the form of the paper, read once
}

func newStudy(quick bool, seed uint64, workers int, log io.Writer) *study {
	return &study{quick: quick, seed: seed, workers: workers, log: log,
		records: sync.OnceValues(func() ([]problems.Record, error) { return adultRecords(seed, quick) })}
}

// experiment is one of the five.
type experiment struct {
	number int
	title  string
	run    func(s *study) (result, error)
}

var experiments = []experiment{
	{1, "trade-off of loss against risk difference", tradeOff},
	{2, "convergence on the fair classifier", convergence},
	{3, "fair sparse additive models", spam},
	{4, "rates on problems with known optimum", rates},
	{5, "exponents that the theorems allow", exponents},
}

// result is what an experiment leaves.
type result struct {
	tables  []*table
	figures []figureFile
}

// figureFile is a plot of one or more panels.
type figureFile struct {
	name          string
	columns       int
	width, height float64 // of a panel, in inches
	panels        []*plot.Plot
}

// choose returns the first number in a quick study, the second otherwise.
func (s *study) choose(quick, full int) int {
	if s.quick {
		return quick
	}
	return full
}

// each calls f(0), ..., f(count-1), several at a time, and returns the error of the least index. What f
// computes must depend on its index alone, and so does not depend on how many run at a time.
func (s *study) each(what string, count int, f func(i int) error) error {
	var done, next atomic.Int64
	stop := s.watch(what, count, &done)
	errs := make([]error, count)
	var workers sync.WaitGroup
	for range s.workers {
		workers.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= count {
					return
				}
				errs[i] = f(i)
				done.Add(1)
			}
		})
	}
	workers.Wait()
	stop()
	for i, err := range errs {
		if err != nil {
			return fmt.Errorf("%s, %d of %d: %w", what, i+1, count, err)
		}
	}
	return nil
}

func (s *study) watch(what string, count int, done *atomic.Int64) (stop func()) {
	if file, ok := s.log.(*os.File); !ok || !term.IsTerminal(int(file.Fd())) {
		fmt.Fprintf(s.log, "%s: %d\n", what, count)
		return func() {}
	}
	return bar.Show(s.log, what, int64(count), progress.UnitsDefault, func(tracker *progress.Tracker) {
		tracker.SetValue(done.Load())
	})
}

// meanAndError returns the mean of values and its standard error.
func meanAndError(values []float64) (mean, se float64) {
	mean, deviation := stat.MeanStdDev(values, nil)
	if len(values) < 2 {
		return mean, math.NaN()
	}
	return mean, stat.StdErr(deviation, float64(len(values)))
}
