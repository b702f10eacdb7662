package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/fairstream/fairstream/bench/optimum"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/backfill"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// scale is a backfill of a generated history by the program: what it costs, and what its weights are worth beside the optimum on all
// records, and that on the sample alone.
type scale struct {
	records, held, sample int
	levels, window        int
	processors            int
	forgetting            int
	optimum               bool // it takes as long as the backfill
	constrained           bool // optima with the constraint, too
	directory             string
}

func (s *scale) run(out io.Writer) (err error) {
	if s.directory, err = os.MkdirTemp("", "backfill-scale-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(s.directory)) }()
	if err := os.Mkdir(s.path("history"), 0o700); err != nil {
		return err
	}
	if err := os.Mkdir(s.path("held"), 0o700); err != nil {
		return err
	}
	if err := errors.Join(generate(s.path("history"), s.records, files, s.levels, 1), generate(s.path("held"), s.held, 1, s.levels, 2),
		os.WriteFile(s.path("config.yaml"), fmt.Appendf(nil, generatedConfig, s.window, s.forgetting), 0o600)); err != nil {
		return err
	}
	if output, err := exec.Command("go", "build", "-o", s.path("fairstream"), "github.com/fairstream/fairstream/cmd/fairstream").CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, output)
	}
	state, err := s.backfill(out)
	if err != nil || !s.optimum {
		return err
	}
	return s.compare(out, state)
}

func (s *scale) path(name string) string { return filepath.Join(s.directory, name) }

// backfill runs the program, and says what it took.
func (s *scale) backfill(out io.Writer) (*backfill.State, error) {
	command := exec.Command(s.path("fairstream"), "backfill", "--config", s.path("config.yaml"), "--input", s.path("history")+"/*.csv", "--output", s.path("state"),
		"--sample", strconv.Itoa(s.sample))
	command.Env, command.Stderr = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", s.processors)), os.Stderr
	started := time.Now()
	if err := command.Run(); err != nil {
		return nil, err
	}
	wall := time.Since(started).Seconds()
	data, err := os.ReadFile(s.path("state"))
	if err != nil {
		return nil, err
	}
	state, err := backfill.Open(data)
	if err != nil {
		return nil, err
	}
	usage := command.ProcessState.SysUsage().(*syscall.Rusage)
	processor := (command.ProcessState.UserTime() + command.ProcessState.SystemTime()).Seconds()
	passes := state.Rounds + 3 // survey, sample, newest
	fmt.Fprintf(out, "%d records, %d weights, %d processors: %d passes, %.1f s of processor time (%.2f us a record and pass), %.1f s, peak memory %d MiB\n",
		s.records, state.Weights, s.processors, passes, processor, 1e6*processor/float64(passes)/float64(s.records), wall, usage.Maxrss/1024)
	return state, nil
}

// multipliers are those that the optimum with the constraint is looked for at.
var multipliers = []float64{.05, .1, .15, .2, .25, .3, .4, .5, .6, .8, 1, 1.25, 1.5, 2}

// compare compares the weights of a state with optima, all on the records held out.
func (s *scale) compare(out io.Writer, state *backfill.State) error {
	loaded, err := config.Load(config.Sources{Files: []string{s.path("config.yaml")}}, config.Learning)
	if err != nil {
		return err
	}
	c := loaded.Config.Model()
	learner, err := model.Restore(c, state.Learner)
	if err != nil {
		return err
	}
	// The priors of the optima are those of the levels in truth.
	all, sample, held := &optimum.Rows{Penalty: 1 / (effectOfLevel * effectOfLevel) / float64(s.records)}, &optimum.Rows{Penalty: 1 / (effectOfLevel * effectOfLevel) / float64(s.sample)}, &optimum.Rows{}
	random := newWorld(3, 1).random
	if err := s.each(c, "history", func(r *record.Record) {
		e, _ := learner.Read(r, 0)
		if all.Add(e.Row, e.Sides[0], 0, e.Positive); random.IntN(s.records) < s.sample {
			sample.Add(e.Row, e.Sides[0], 0, e.Positive)
		}
	}); err != nil {
		return err
	}
	document, _, err := learner.UnconstrainedDocument()
	if err != nil {
		return err
	}
	scorer, err := document.Scorer()
	if err != nil {
		return err
	}
	var free, published decided
	if err := s.each(c, "held", func(r *record.Record) {
		e, _ := learner.Read(r, 0)
		held.Add(e.Row, e.Sides[0], 0, e.Positive)
		free.add((scorer.Margin(r) > 0) != e.Positive, scorer.Margin(r) > 0, e.Sides[0])
		published.add((learner.Margin(r) > 0) != e.Positive, learner.Margin(r) > 0, e.Sides[0])
	}); err != nil {
		return err
	}
	comparison := loaded.Config.Constraints[0].Comparison()
	start := make([]float64, document.Weights)
	best, err := all.Minimize(start, 0)
	if err != nil {
		return err
	}
	onSample, err := sample.Minimize(best, 0)
	if err != nil {
		return err
	}
	ofAll, ofSample := held.Wrong(best), held.Wrong(onSample)
	fmt.Fprintf(out, "without the constraint: error %.5f, above the optimum on all records %s; the optimum on the sample is above it %s\n",
		share(free.wrong), beyond(free.wrong, ofAll), beyond(ofSample, ofAll))
	if !s.constrained {
		return nil
	}
	var curve optimum.Curve
	value, wrong := held.Decide(best, comparison)
	curve.Values, curve.Errors = append(curve.Values, value), append(curve.Errors, wrong)
	difference, sign := published.difference(), value
	for _, m := range multipliers {
		if best, err = all.Minimize(best, math.Copysign(m, sign)); err != nil {
			return err
		}
		value, wrong = held.Decide(best, comparison)
		curve.Values, curve.Errors = append(curve.Values, value), append(curve.Errors, wrong)
		if !math.IsNaN(curve.At(difference)) {
			break
		}
	}
	if math.IsNaN(curve.At(difference)) {
		fmt.Fprintf(out, "as published: difference %+.4f, error %.5f; the optima with the constraint have differences from %+.4f to %+.4f, so none is at this one\n",
			difference, share(published.wrong), slices.Min(curve.Values), slices.Max(curve.Values))
		return nil
	}
	fmt.Fprintf(out, "as published: difference %+.4f, error %.5f, above the optimum at this difference %+.5f ± %.5f (of unpaired records)\n", difference, share(published.wrong),
		share(published.wrong)-curve.At(difference), math.Sqrt(share(published.wrong)/float64(s.held)))
	return nil
}

// decided is what weights decided about records.
type decided struct {
	wrong  []bool
	counts fairness.PairCounts
}

func (d *decided) add(wrong, positive bool, side fairness.Side) {
	d.wrong = append(d.wrong, wrong)
	d.counts.Add(side, positive, 1)
}

func (d *decided) difference() float64 { return d.counts.Group.Rate() - d.counts.Versus.Rate() }

func share(of []bool) float64 {
	n := 0
	for _, is := range of {
		if is {
			n++
		}
	}
	return float64(n) / float64(len(of))
}

// beyond is by how much more often a is wrong than b on the same records, with its standard error.
func beyond(a, b []bool) string {
	only := [2]float64{}
	for i := range a {
		if a[i] && !b[i] {
			only[0]++
		}
		if b[i] && !a[i] {
			only[1]++
		}
	}
	n := float64(len(a))
	return fmt.Sprintf("%+.5f ± %.5f", (only[0]-only[1])/n, math.Sqrt(only[0]+only[1])/n)
}

// each reads all records of a directory.
func (s *scale) each(c model.Config, directory string, take func(*record.Record)) error {
	schema, err := c.Schema()
	if err != nil {
		return err
	}
	names, err := filepath.Glob(s.path(directory) + "/*.csv")
	if err != nil {
		return err
	}
	for _, name := range names {
		source, err := input.NewSource(name, "", nil)
		if err != nil {
			return err
		}
		p := &input.Pass{Source: source, Schema: schema, Labelled: true, Each: take, Reject: func(*record.Rejection) {}}
		if err := errors.Join(p.Open(), p.Run(context.Background())); err != nil {
			return err
		}
	}
	return nil
}
