// Command backfill compares weights from sums over a history with those of one learner that learns the history in one pass, and with the best
// linear weights on the same columns: on the bundled Adult records, and on others that bench/quality prepares.
//
//	go run ./bench/backfill -splits 20 -tau .05,.10 -data adult,families,admissions
//
// Each split deals the records at random into a fifth that is held out and sixteen files. Error and difference are those on the
// holdout. At equal difference, the error of the learner is that of a parabola through its errors at seven taus, and that of the best weights is
// between two of seventeen multipliers.
//
// -short compares both on short histories of many columns (short.go), and -sampled measures what it costs to learn a share of the records (price.go).
// -scale measures time and memory on generated records instead: see scale.go.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
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
	fmt.Fprintln(out, "| records | tau | weights from | error | difference | within tau | beyond one learner | beyond the optimum | its document says |\n|---|---|---|---|---|---|---|---|---|")
	for _, s := range sets(*directory) {
		if !strings.Contains(","+*names+",", ","+s.name+",") {
			continue
		}
		records, err := s.load()
		if err != nil {
			return err
		}
		found := make([][len(methods)][]outcome, len(taus))
		for seed := range *splits {
			held, learnt := deal(records, *first+uint64(seed))
			t := trial{&s, *criterion, held, learnt}
			one, err := t.compare(taus)
			if err != nil {
				return err
			}
			for k := range taus {
				for i, o := range one[k] {
					found[k][i] = append(found[k][i], o)
				}
			}
		}
		for k, tau := range taus {
			for i, name := range methods {
				write(out, s.name, tau, name, found[k][i])
			}
		}
	}
	return nil
}

var methods = [...]string{"one learner", "sums", "sums, then the newest", "sums of all but 20,000, then these"}

// outcome is what weights do on a holdout: beside is by how much the error is above that of one learner at the same difference, above by how
// much it is above that of the best linear weights. verdict is what the first document with these weights says of the difference.
type outcome struct {
	error, difference, beside, above float64
	verdict                          string
}

// write writes a row of the table: means, with their standard errors over the splits.
func write(out io.Writer, data string, tau float64, name string, found []outcome) {
	within, verdicts := 0, map[string]int{}
	var errors, differences, beside, above []float64
	for _, o := range found {
		verdicts[o.verdict]++
		if math.Abs(o.difference) <= tau {
			within++
		}
		errors, differences, beside, above = append(errors, o.error), append(differences, o.difference), append(beside, o.beside), append(above, o.above)
	}
	var said []string
	for _, verdict := range slices.Sorted(maps.Keys(verdicts)) {
		said = append(said, fmt.Sprintf("%d %s", verdicts[verdict], strings.ReplaceAll(verdict, "_", " ")))
	}
	fmt.Fprintf(out, "| %s | %.2f | %s | %s | %s | %d of %d | %s | %s | %s |\n", data, tau, name, mean(errors), mean(differences), within, len(found), mean(beside), mean(above),
		strings.Join(said, ", "))
}

// mean leaves out what is not a number: a difference that no multiplier of the optimum has.
func mean(values []float64) string {
	sum, squares, n := 0.0, 0.0, 0.0
	for _, x := range values {
		if !math.IsNaN(x) {
			sum, n = sum+x, n+1
		}
	}
	for _, x := range values {
		if !math.IsNaN(x) {
			squares += (x - sum/n) * (x - sum/n)
		}
	}
	if n == 0 {
		return ""
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
	var best *optimum.Curve
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
		if best == nil {
			if best, err = t.optimum(whole.Learner); err != nil {
				return nil, err
			}
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
			one[i].above = one[i].error - best.At(one[i].difference)
			one[i].beside = one[i].error - at(near, one[i].difference)
		}
		found = append(found, one)
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

// optimum is the curve of the best weights on the columns of a learner.
func (t *trial) optimum(learner *model.Learner) (*optimum.Curve, error) {
	d, err := learner.Document()
	if err != nil {
		return nil, err
	}
	return optimum.New(t.of.config(.05, t.criterion), d, pointers(t.learnt), pointers(t.held))
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
	return outcome{error: 1 - report.Accuracy.Value, difference: report.Constraints[0].Value, verdict: string(d.Constraints[0].Status)}, nil
}
