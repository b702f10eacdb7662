package replay

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/app/statement"
	"github.com/fairstream/fairstream/internal/inspect"
	"github.com/fairstream/fairstream/internal/inspect/heldout"
	"github.com/fairstream/fairstream/internal/inspect/sequence"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// Replay is one run of the command.
type Replay struct {
	*program.Streams
	Settings

	train, test input.Source // test has no name without a holdout
	shared      bool         // --holdout names a share of the input
	schema      *record.Schema
	units       sequence.Units
	records     int64             // that were learnt last
	learnt      profile.Copies    // with a holdout, the records that were learnt
	held        heldout.Held      // how those that are held out compare with them
	meaning     *statement.Sample // of the records that were learnt, and of those that are held out; nil for JSON
	beside      *statement.Sample
	look        *inspect.Inspection // of the first records that were learnt; nil where they are not known
	learners    []*model.Learner    // one for each tau, or one; of each as many as there are folds
	whole       *model.Learner      // of --folds with --save: it learns from all records, and is saved
	rejected    input.Rejections
	repeated    bool // the input was learnt in another order before, so its warnings were given
	oneLabel    bool // all labels were the same
}

// findSources finds out what --input and --holdout name. --format is of standard input if one of them is that,
// and of all otherwise.
func (r *Replay) findSources() error {
	format := func(name string) string {
		if name != input.StandardInput && (r.reads(input.StandardInput) || r.Holdout == input.StandardInput) {
			return ""
		}
		return r.Format
	}
	var bad error
	if r.reads(input.Bundled) {
		r.train, r.test = input.PartOfBundled(false), input.PartOfBundled(true)
		if len(r.Inputs) > 1 {
			bad = errors.New("--input adult: the bundled records are an input of their own: leave the other --input out")
		}
	} else {
		r.train, bad = input.NewSources(r.Inputs, format, r.In)
	}
	return errors.Join(bad, r.findHoldout(format(r.Holdout)))
}

// findHoldout finds out which records --holdout holds out.
func (r *Replay) findHoldout(format string) (err error) {
	switch {
	case r.Holdout == "":
		return nil
	case r.Holdout == input.Bundled:
		return errors.New("--holdout adult: the bundled records are for --input, which holds out every fifth of them: name a file")
	case r.Holdout == input.StandardInput && r.reads(input.StandardInput):
		return errors.New("--input and --holdout are both standard input: name a file for one of them")
	}
	share, isNumber, err := shareOf(r.Holdout)
	if err != nil {
		return err
	}
	if !isNumber {
		r.test, err = input.NewSource(r.Holdout, format, r.In)
		r.train.Takes = nil // with a holdout of its own the input is learnt from whole
		return err
	}
	if r.reads(input.Bundled) {
		r.train = input.AllBundled()
	}
	r.shared = true
	r.train, r.test = input.Split(r.train, share)
	return r.readableTwice("--holdout with a share reads its input twice")
}

// shareOf reads a --holdout that is a number and no file.
func shareOf(holdout string) (share float64, isNumber bool, err error) {
	share, notNumber := strconv.ParseFloat(strings.TrimSuffix(holdout, "%"), 64)
	if notNumber != nil {
		return 0, false, nil //nolint:nilerr // it names a file
	}
	if _, notThere := os.Stat(holdout); notThere == nil {
		return 0, false, nil
	}
	if !(share > 0 && share < 1) || strings.HasSuffix(holdout, "%") {
		return 0, true, fmt.Errorf("--holdout %s: give a share of the input between 0 and 1, such as 0.2, or name a file", holdout)
	}
	return share, true, nil
}

// checkPage finds before the pass that the page of --report would have nothing to say.
func (r *Replay) checkPage() error {
	if r.Page != "" && r.Folds == 0 && r.test.Name == "" {
		return errors.New("--report needs records that were not learnt from: add --folds 5, --holdout 0.2, or --holdout FILE")
	}
	return nil
}

// prepare makes the learners. What is wrong then is the configuration.
func (r *Replay) prepare() error {
	r.learners = nil
	configs, err := r.configs()
	if err != nil {
		return err
	}
	for _, c := range configs {
		for range max(1, r.Folds) {
			learner, err := model.New(c)
			if err != nil {
				return err
			}
			r.learners = append(r.learners, learner)
		}
	}
	if r.Folds > 0 && r.Save != "" && !r.repeated {
		if r.whole, err = model.New(configs[0]); err != nil {
			return err
		}
	}
	if configs[0].Record.Label.Time != "" && (r.Folds > 0 || len(r.Orders.seeds()) > 0) {
		return errors.New("record.label.time: a past is replayed in its own order: leave --folds and --shuffle out, and hold records out by --holdout")
	}
	if !r.JSON && !r.repeated && !r.reads(input.Bundled) { // what the bundled records mean is known
		if r.meaning, err = statement.New(configs[0]); err != nil {
			return err
		}
		if r.beside, err = statement.New(configs[0]); err != nil {
			return err
		}
		r.meaning.Quick, r.beside.Quick = true, true
		r.meaning.Settings = command.Settings(r.config)
		if labels := r.config.Stream.Labels; labels.Holds() {
			r.meaning.Age = labels.Age
		}
	}
	// Taus change no schema, so all learners may share the records of one.
	r.schema, err = configs[0].Schema()
	return err
}

// configs returns the configuration of each learner.
func (r *Replay) configs() ([]model.Config, error) {
	base := r.config.Model()
	if len(r.relaxations) > 0 {
		return relaxed(base, r.relaxations, r.taus)
	}
	if len(r.taus) == 0 {
		return []model.Config{base}, nil
	}
	if len(base.Constraints) == 0 {
		return nil, errors.New("--tau bounds constraints, and the configuration has none: add one under constraints")
	}
	if err := oneKindOfTau(base.Constraints); err != nil {
		return nil, err
	}
	var configs []model.Config
	for _, tau := range r.taus {
		if tau >= 1 && base.Learner.Task == model.Classification {
			return nil, fmt.Errorf("--tau %v: give numbers between 0 and 1, such as 0.02,0.05,0.10", tau)
		}
		configs = append(configs, withEnforced(base, func(c *model.Constraint) { c.Tau = tau }))
	}
	return configs, nil
}

// relaxed are the configurations of several relaxations, at the given bound if there is one.
func relaxed(base model.Config, names []surrogate.Name, taus []float64) ([]model.Config, error) {
	if !slices.ContainsFunc(base.Constraints, model.Constraint.Enforced) {
		return nil, errors.New("--relaxation changes enforced constraints, and the configuration has none: add one under constraints")
	}
	var configs []model.Config
	for _, name := range names {
		configs = append(configs, withEnforced(base, func(c *model.Constraint) {
			c.Relaxation = name
			if len(taus) > 0 {
				c.Tau = taus[0]
			}
		}))
	}
	return configs, nil
}

// withEnforced is a configuration whose enforced constraints are changed.
func withEnforced(base model.Config, change func(*model.Constraint)) model.Config {
	c := base
	c.Constraints = append([]model.Constraint(nil), base.Constraints...)
	for i := range c.Constraints {
		if c.Constraints[i].Enforced() {
			change(&c.Constraints[i])
		}
	}
	return c
}

// oneKindOfTau says if --tau would be a difference for some constraints and a ratio for others.
func oneKindOfTau(constraints []model.Constraint) error {
	var difference, ratio string
	for _, c := range constraints {
		switch {
		case !c.Enforced():
		case c.Criterion.OfRatio():
			ratio = c.Name
		default:
			difference = c.Name
		}
	}
	if difference != "" && ratio != "" {
		return fmt.Errorf("--tau is a largest difference for %s and a least ratio for %s: set enforce: false of one of them, or give tau in the configuration", difference, ratio)
	}
	return nil
}

// shuffleInput makes the sources random orders of what they were, which share the rows in memory. A holdout in a file of
// its own is only measured on, so its order is left as it is.
func (r *Replay) shuffleInput(seed uint64) {
	held := r.test.Name != "" && (r.Holdout == "" || r.shared)
	takes := r.test.Takes
	r.train = input.Shuffle(r.train, seed)
	if held {
		r.test = r.train
		r.test.Takes = takes
	}
}
