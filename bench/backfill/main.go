// Command backfill compares weights from sums over a history with those of one learner that learns the history in one pass, and with the best
// linear weights on the same columns: on the bundled Adult records, and on others that bench/quality prepares.
//
//	go run ./bench/backfill -splits 20 -tau .05,.10 -data adult,families,admissions
//
// Each split deals the records at random into a fifth that is held out and sixteen files. Error and difference are those on the
// holdout. At equal difference, the error of the learner is that of a parabola through its errors at seven taus, and that of the best weights is
// between two of seventeen multipliers. With -finished FILE, a study that was ended goes on with the splits that are not in the file.
//
// -short compares both on short histories of many columns (short.go), and -sampled measures what it costs to learn a share of the records (price.go).
// -scale measures time and memory on generated records instead: see scale.go.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/bench/optimum"
	"github.com/fairstream/fairstream/pkg/backfill"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "backfill:", err)
		os.Exit(1)
	}
}

const (
	// files is how many files a history is dealt into.
	files = 16
	// live is how many of the last records a learner learns after a shorter history.
	live = 20_000
)

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("backfill", flag.ContinueOnError)
	splits := flags.Int("splits", 20, "random splits")
	first := flags.Uint64("first", 1, "seed of the first split")
	texts := flags.String("tau", ".05,.10", "bounds of the difference")
	names := flags.String("data", "adult", "sets of records: adult, families, admissions")
	file := flags.String("finished", "", "keep finished splits in this file, and take those that it has from it")
	directory := flags.String("records", ".cache/quality/records", "directory of the sets that are not bundled")
	criterion := flags.String("criterion", "demographic-parity", "what is compared")
	sampled := flags.String("sampled", "", "measure one learner of such shares of the records instead, such as 1,.5,.1")
	isShort := flags.Bool("short", false, "measure short histories of many columns instead: generated, one for each of -splits")
	only := flags.String("only", "", "of -short: histories whose name has this text")
	var of scale
	flags.IntVar(&of.records, "scale", 0, "measure a backfill of so many generated records instead")
	flags.IntVar(&of.held, "held", 400_000, "of -scale: generated records that are held out")
	flags.IntVar(&of.sample, "sample", backfill.DefaultSample, "of -scale: records in the sample")
	flags.IntVar(&of.levels, "levels", 2000, "of -scale: levels of each of four columns")
	flags.IntVar(&of.window, "window", model.DefaultLearner().Window, "of -scale: learner.window")
	flags.IntVar(&of.processors, "processors", 2, "of -scale: processors")
	flags.BoolVar(&of.optimum, "optimum", true, "of -scale: compute the optimum on the sample and on all records, too")
	flags.BoolVar(&of.constrained, "constrained", true, "of -scale: compute the optima with the constraint, too, of which each takes as long as the first")
	flags.IntVar(&of.forgetting, "forgetting", model.DefaultLearner().Forgetting, "of -scale: learner.forgetting")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if of.records > 0 {
		return of.run(out)
	}
	var taus []float64
	for text := range strings.SplitSeq(*texts, ",") {
		tau, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("-tau %s: %w", text, err)
		}
		taus = append(taus, tau)
	}
	if *isShort {
		return few(out, *only, taus[0], *splits, *first)
	}
	if *sampled != "" {
		return price(out, sets(*directory), *names, taus, *splits, *first, *sampled)
	}
	done, err := openFinished(*file, *criterion)
	if err != nil {
		return err
	}
	chosen := slices.DeleteFunc(sets(*directory), func(s set) bool { return !strings.Contains(","+*names+",", ","+s.name+",") })
	for seed := *first; seed < *first+uint64(*splits); seed++ {
		for i := range chosen {
			if err := done.split(&chosen[i], seed, taus); err != nil {
				return err
			}
		}
	}
	fmt.Fprintln(out, tableHeader)
	for _, s := range chosen {
		for _, tau := range taus {
			var found [len(methods)][]outcome
			for seed := *first; seed < *first+uint64(*splits); seed++ {
				for i, o := range done.of(s.name, seed, tau) {
					found[i] = append(found[i], o)
				}
			}
			for i, name := range methods {
				write(out, s.name, tau, name, found[i], found[0])
			}
		}
	}
	return nil
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

func (d *dealt) Keys() []string { return d.Names() }

func (d *dealt) Read(ctx context.Context, file int, each func(int64, *record.Record)) error {
	for i := range d[file] {
		each(int64(i), &d[file][i])
	}
	return ctx.Err()
}

// trial is one split of a set.
type trial struct {
	of           *set
	criterion    string
	held, learnt []record.Record
}

// learnerTaus are those that a learner's errors are measured at.
var learnerTaus = []float64{.01, .025, .0375, .05, .07, .1, .133, .18, .24}

// compare measures all methods at each tau.
func (t *trial) compare(taus []float64) (found [][len(methods)]outcome, err error) {
	curve := map[float64]outcome{}
	learn := func(tau float64) (o outcome, err error) {
		learner, err := model.New(t.of.config(tau, t.criterion))
		if err != nil {
			return o, err
		}
		for i := range t.learnt {
			learner.Learn(&t.learnt[i])
		}
		return measure(learner, t.held)
	}
	for _, tau := range learnerTaus {
		if curve[tau], err = learn(tau); err != nil {
			return nil, err
		}
	}
	var columns *model.Learner // what the optimum is computed on
	least := math.Inf(1)
	for _, tau := range taus {
		var one [len(methods)]outcome
		if _, known := curve[tau]; !known {
			if curve[tau], err = learn(tau); err != nil {
				return nil, err
			}
		}
		one[0] = curve[tau]
		whole, err := t.backfill(tau, len(t.learnt))
		if err != nil {
			return nil, err
		}
		if columns == nil {
			columns = whole.Learner
		}
		part, err := t.backfill(tau, max(len(t.learnt)/4, len(t.learnt)-live))
		if err != nil {
			return nil, err
		}
		for i := max(len(t.learnt)/4, len(t.learnt)-live); i < len(t.learnt); i++ {
			part.Learner.Learn(&t.learnt[i])
		}
		for i, learner := range []*model.Learner{whole.Before, whole.Learner, part.Learner} {
			if one[i+1], err = measure(learner, t.held); err != nil {
				return nil, err
			}
		}
		var near []outcome
		for _, of := range learnerTaus {
			if of > .19*tau && of < 2.5*tau {
				near = append(near, curve[of])
			}
		}
		for i := range one {
			one[i].beside = one[i].error - at(near, one[i].difference)
			least = min(least, one[i].difference)
		}
		found = append(found, one)
	}
	best, err := t.optimum(columns, least)
	if err != nil {
		return nil, err
	}
	for k := range found {
		for i := range found[k] {
			found[k][i].above = found[k][i].error - best.At(found[k][i].difference)
		}
	}
	return found, nil
}

// backfill learns the first records from files.
func (t *trial) backfill(tau float64, records int) (*backfill.Result, error) {
	return backfill.Run(context.Background(), backfill.Options{Model: t.of.config(tau, t.criterion), Source: t.history(records)})
}

// history deals the first records into files.
func (t *trial) history(records int) *dealt {
	var history dealt
	for i := range files {
		history[i] = t.learnt[i*records/files : (i+1)*records/files]
	}
	return &history
}

// optimum is the curve of the best weights on the columns of a learner, down to a difference.
func (t *trial) optimum(learner *model.Learner, least float64) (*optimum.Curve, error) {
	d, err := learner.Document()
	if err != nil {
		return nil, err
	}
	return optimum.New(t.of.config(.05, t.criterion), d, pointers(t.learnt), pointers(t.held), least)
}

func pointers(records []record.Record) (list []*record.Record) {
	for i := range records {
		list = append(list, &records[i])
	}
	return list
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
	report, err := evaluate(d, held)
	if err != nil {
		return o, err
	}
	said := &d.Constraints[0]
	return outcome{error: 1 - report.Accuracy.Value, difference: report.Constraints[0].Value, measured: said.Value, verdict: string(said.Status)}, nil
}
