// Command backfill compares weights from sums over a history with those of one learner that learns the history in one pass, on the
// bundled Adult records: https://archive.ics.uci.edu/dataset/2/adult.
//
//	go run ./bench/backfill -splits 20 -tau .05,.10
//
// Each split deals the records at random into a fifth that is held out and sixteen files. Error and difference are those on the
// holdout. At equal difference, the error of the learner is that of a parabola
// through its errors at seven taus.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/pkg/backfill"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "backfill:", err)
		os.Exit(1)
	}
}

// files is how many files a history is dealt into.
const files = 16

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("backfill", flag.ContinueOnError)
	splits := flags.Int("splits", 20, "random splits")
	texts := flags.String("tau", ".05,.10", "bounds of the difference")
	criterion := flags.String("criterion", "demographic-parity", "what is compared")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var taus []float64
	for text := range strings.SplitSeq(*texts, ",") {
		tau, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("-tau %s: %w", text, err)
		}
		taus = append(taus, tau)
	}
	records, err := load(config(taus[0], *criterion))
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "| tau | weights from | error | difference | within tau | beyond at equal difference |\n|---|---|---|---|---|---|")
	for _, tau := range taus {
		var found [len(methods)][]outcome
		for seed := range *splits {
			held, learnt := deal(records, uint64(seed+1))
			one, err := compare(held, learnt, tau, *criterion)
			if err != nil {
				return err
			}
			for i, o := range one {
				found[i] = append(found[i], o)
			}
		}
		for i, name := range methods {
			write(out, tau, name, found[i])
		}
	}
	return nil
}

var methods = [...]string{"one learner", "sums", "sums, then the newest tenth"}

// outcome is what weights do on a holdout. beyond is by how much the error is above that of one learner at the same difference.
type outcome struct{ error, difference, beyond float64 }

// write writes a row of the table: means, with their standard errors over the splits.
func write(out io.Writer, tau float64, name string, found []outcome) {
	within := 0
	var errors, differences, beyond []float64
	for _, o := range found {
		if math.Abs(o.difference) <= tau {
			within++
		}
		errors, differences, beyond = append(errors, o.error), append(differences, o.difference), append(beyond, o.beyond)
	}
	fmt.Fprintf(out, "| %.2f | %s | %s | %s | %d of %d | %s |\n", tau, name, mean(errors), mean(differences), within, len(found), mean(beyond))
}

func mean(values []float64) string {
	sum, squares, n := 0.0, 0.0, float64(len(values))
	for _, x := range values {
		sum += x
	}
	for _, x := range values {
		squares += (x - sum/n) * (x - sum/n)
	}
	return fmt.Sprintf("%.4f ± %.4f", sum/n, math.Sqrt(squares/max(1, n-1)/n))
}

// deal divides records at random into a fifth that is held out, and the others.
func deal(records []record.Record, seed uint64) (held, learnt []record.Record) {
	for i, j := range rand.New(rand.NewPCG(seed, 1)).Perm(len(records)) {
		if i%5 == 0 {
			held = append(held, records[j])
		} else {
			learnt = append(learnt, records[j])
		}
	}
	return held, learnt
}

// dealt is a history in memory.
type dealt [files][]record.Record

func (d *dealt) Names() (names []string) {
	for i := range d {
		names = append(names, fmt.Sprintf("part-%02d", i))
	}
	return names
}

func (d *dealt) Read(ctx context.Context, file int, each func(int64, *record.Record)) error {
	for i := range d[file] {
		each(int64(i), &d[file][i])
	}
	return ctx.Err()
}

// compare measures all methods on one split.
func compare(held, learnt []record.Record, tau float64, criterion string) (found [len(methods)]outcome, err error) {
	// The learner's errors at the differences of its own taus.
	var curve []outcome
	for _, factor := range []float64{.2, .5, .75, 1, 1.33, 1.8, 2.4} {
		learner, err := model.New(config(tau*factor, criterion))
		if err != nil {
			return found, err
		}
		for i := range learnt {
			learner.Learn(&learnt[i])
		}
		o, err := measure(learner, held)
		if err != nil {
			return found, err
		}
		if curve = append(curve, o); factor == 1 {
			found[0] = o
		}
	}
	var history dealt
	for i := range files {
		history[i] = learnt[i*len(learnt)/files : (i+1)*len(learnt)/files]
	}
	result, err := backfill.Run(context.Background(), backfill.Options{Model: config(tau, criterion), Source: &history})
	if err != nil {
		return found, err
	}
	for i, learner := range []*model.Learner{result.Before, result.Learner} {
		o, err := measure(learner, held)
		if err != nil {
			return found, err
		}
		o.beyond = o.error - at(curve, o.difference)
		found[i+1] = o
	}
	return found, nil
}

// at is the error of a curve at a difference: of the parabola that is nearest to all points, as single runs vary more than the curve bends
// otherwise.
func at(curve []outcome, difference float64) float64 {
	var a [3][4]float64 // the normal equations
	for _, o := range curve {
		powers := [3]float64{1, o.difference, o.difference * o.difference}
		for i := range a {
			for j, power := range powers {
				a[i][j] += powers[i] * power
			}
			a[i][3] += powers[i] * o.error
		}
	}
	for i := range a { // Gauss and Jordan
		for k := range a {
			factor := a[k][i] / a[i][i]
			for j := range a[k] {
				if k != i {
					a[k][j] -= factor * a[i][j]
				}
			}
		}
	}
	return a[0][3]/a[0][0] + difference*(a[1][3]/a[1][1]+difference*a[2][3]/a[2][2])
}

// measure evaluates what a learner publishes.
func measure(learner *model.Learner, held []record.Record) (o outcome, err error) {
	d, err := learner.Document()
	if err != nil {
		return o, err
	}
	e, err := document.NewEvaluation(d)
	if err != nil {
		return o, err
	}
	for i := range held {
		e.Add(&held[i])
	}
	report := e.Report()
	return outcome{error: 1 - report.Accuracy.Value, difference: report.Constraints[0].Value}, nil
}
