package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/findings"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

func newReplay(s *program.Streams) *cobra.Command {
	var flags configFlags
	var r replay
	var taus, relaxations []string
	cmd := &cobra.Command{
		Use:   "replay --input FILE",
		Short: "Learn from a file in one pass, and measure what was learnt",
		Long: `Learn from a file of labelled records in one pass, in the file's order, and measure the weights on
a second file. Files are CSV with a header line, JSON lines or Parquet, by extension: .csv or .jsonl,
either with .gz, or .parquet; - is standard input. Memory does not grow with the file.

--input adult takes the 48,842 bundled Adult records and holds out every fifth. Without a
configuration it bounds the difference between men and women at 0.05.

--tau overrides the bound of every enforced constraint. Give several, separated by commas, to learn one
model per value in a single pass. --relaxation does the same for the relaxations.

--report writes a page for a browser: what each tau costs, how each group is treated, which columns move the
groups apart, and whether scores mean what they say. The page needs no network.

--folds 5 deals the records into five holdouts in turn. Each holdout is decided by weights that were learnt
from the other four, so the table shows in how many holdouts tau was kept. The input is read twice, in its
order. Each fold and tau takes some megabytes of memory.

--shuffle 7 reads the input in a random order, and holds out in this order. Use it if the file is sorted. The order
depends on the seed and the number of records alone. The records are kept in memory, up to 1 GiB.
--orders 4 repeats --folds in four orders, with the seeds SEED to SEED+3, or 1 to 4 without --shuffle.`,
		Example: `  fairstream replay --input adult
  fairstream replay --input adult --tau 0.02,0.05,0.10
  fairstream replay --input adult --folds 5
  fairstream replay --input adult --folds 5 --shuffle 7
  fairstream replay --input adult --tau 0.02,0.05,0.10 --report adult.html
  fairstream replay --config config.yaml --input train.csv --holdout test.csv --json
  zstd -dc train.jsonl.zst | fairstream replay -c config.yaml --input - --format jsonl --save weights.json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r.Streams = s
			r.orders.seeded = cmd.Flags().Changed("shuffle")
			badArguments := errors.Join(r.parseTaus(taus, cmd.Flags().Changed("tau")), r.parseRelaxations(relaxations), r.findSources(), r.checkOrders(cmd.Flags().Changed("orders")))
			if cmd.Flags().Changed("folds") {
				badArguments = errors.Join(badArguments, r.checkFolds())
			}
			var base *config.Config
			if r.input == input.Bundled && !flags.given() {
				base = bundledConfig()
			}
			flags.adjust = r.adjust
			loaded, badConfig := flags.load(cmd, base, config.Learning)
			if err := errors.Join(badArguments, badConfig); err != nil {
				return err
			}
			r.config = loaded.Config
			if err := errors.Join(r.prepare(), r.checkPage(), r.checkOutputs(configFiles(&flags))); err != nil {
				return err
			}
			return inWork(r.run(cmd.Context()))
		},
	}
	flags.register(cmd)
	flags.name(cmd, "mode", "learner.mode", "adaptive, paper or unconstrained")
	f := cmd.Flags()
	f.StringVarP(&r.input, "input", "i", "", "`FILE` to learn from, - or adult")
	f.StringVar(&r.holdout, "holdout", "", "`FILE` to measure on")
	f.IntVar(&r.folds, "folds", 0, "divide the records into `N` holdouts, from 2 to 100, and measure on each")
	f.Uint64Var(&r.orders.seed, "shuffle", 0, "read the input in the random order of `SEED`, any whole number from 0")
	f.IntVar(&r.orders.number, "orders", 0, "with --folds: repeat it in `N` random orders, from 2 to 100")
	f.StringVar(&r.format, "format", "", input.FormatUsage)
	f.StringSliceVar(&taus, "tau", nil, "bound of every enforced constraint, or several with commas")
	f.StringSliceVar(&relaxations, "relaxation", nil, "relaxation of every enforced constraint, or several with commas")
	f.StringVar(&r.page, "report", "", "write a page for a browser to `FILE`")
	f.BoolVar(&r.json, "json", false, "print one JSON object a tau, a line each")
	f.StringVar(&r.save, "save", "", "write the weight document to `FILE`")
	mustComplete(cmd.MarkFlagRequired("input"))
	for _, name := range []string{"input", "holdout"} {
		mustComplete(cmd.MarkFlagFilename(name, "csv", "jsonl", "gz", "parquet"))
	}
	mustComplete(cmd.RegisterFlagCompletionFunc("mode", cobra.FixedCompletions(
		[]cobra.Completion{string(model.Adaptive), string(model.Paper), string(model.Unconstrained)}, cobra.ShellCompDirectiveNoFileComp)))
	return cmd
}

// bundledConfig is the configuration for the bundled records, if no configuration is given.
func bundledConfig() *config.Config {
	c := config.Default()
	constraint := adult.DefaultConstraint()
	c.Job = "adult"
	c.Record = adult.RecordConfig()
	c.Constraints = []model.Constraint{{
		Name:      constraint.Name,
		Attribute: model.OneOrMore{constraint.Attribute},
		Group:     model.Values(constraint.Group),
		Versus:    model.Values(constraint.Versus),
		Criterion: fairness.Criterion(constraint.Criterion),
		Tau:       constraint.Tau,
	}}
	return &c
}

// replay is one run of the command.
type replay struct {
	*program.Streams
	config                       config.Config
	input, holdout, format, save string
	page                         string // of --report
	taus                         []float64
	relaxations                  []surrogate.Name
	json                         bool
	folds                        int // 0 holds nothing out but what holdout names
	orders                       orders

	train, test input.Source // test has no name without a holdout
	schema      *record.Schema
	learners    []*model.Learner // one for each tau, or one; of each as many as there are folds
	rejected    input.Rejections
	repeated    bool // the input was learnt in another order before, so its warnings were given
	oneLabel    bool // all labels were the same
}

func (r *replay) run(ctx context.Context) error {
	if r.folds > 0 {
		return r.runFolds(ctx)
	}
	if seeds := r.orders.seeds(); len(seeds) > 0 {
		r.shuffleInput(seeds[0])
	}
	seconds, err := r.learn(ctx)
	if err != nil {
		return err
	}
	results, err := r.measure(ctx, seconds)
	if err != nil {
		return err
	}
	if r.page != "" {
		if err := r.writePage(results); err != nil {
			return err
		}
	}
	if !r.json {
		if err := r.report(results); err != nil {
			return err
		}
		return r.worth(results)
	}
	for _, result := range results {
		line, err := result.Line()
		if err != nil {
			return err
		}
		if _, err := r.Out.Write(line); err != nil {
			return err
		}
	}
	return r.worth(results)
}

// labelsDiffer is an error if all labels were the same: what was learnt from them says nothing.
func (r *replay) labelsDiffer() error {
	if !r.oneLabel {
		return nil
	}
	return fmt.Errorf("what was learnt from %s is useless: every label is the same, see the warning", r.train.Name)
}

// worth is an error if mode paper learnt weights that are worse than a constant decision. Its step sizes are the
// user's, and wrong ones show so; the other modes choose theirs.
func (r *replay) worth(results []*findings.Result) error {
	if err := r.labelsDiffer(); err != nil {
		return err
	}
	if r.config.Learner.Mode != model.Paper {
		return nil
	}
	for _, result := range results {
		m := result.Measured().Measures
		if m.Accuracy.Hi < m.ConstantAccuracy.Value {
			return fmt.Errorf("the weights are worse than a constant decision: accuracy %.3f (at most %.3f) of %s, where the constant decision has %.3f. The steps of mode paper were too large: set a larger learner.paper.k, or a larger threshold",
				m.Accuracy.Value, m.Accuracy.Hi, english.Counted(m.Accuracy.Records, "record"), m.ConstantAccuracy.Value)
		}
	}
	return nil
}

// learn goes over the input once, with all learners side by side.
func (r *replay) learn(ctx context.Context) (seconds float64, err error) {
	var seen labels
	p := &input.Pass{Source: r.train, Schema: r.schema, Labelled: true, Reject: r.rejected.Add,
		Each: func(rec *record.Record) {
			for _, learner := range r.learners {
				learner.Learn(rec)
			}
			seen.add(rec)
		}}
	if err := p.Open(); err != nil {
		return 0, err
	}
	stop := input.ShowProgress(r.Err, p, "learning")
	start := time.Now()
	err = p.Run(ctx)
	seconds = time.Since(start).Seconds()
	stop()
	learnt := r.learners[0].Version()
	r.rejected.Write(r.Err, learnt+r.rejected.Total, r.train.Name)
	if err != nil {
		return 0, err
	}
	if learnt == 0 {
		return 0, r.nothingLearnt(p)
	}
	r.warn(p, &seen)
	return seconds, nil
}

// nothingLearnt says why.
func (r *replay) nothingLearnt(p *input.Pass) error {
	switch {
	case r.rejected.Total == 0:
		return fmt.Errorf("%s holds no records", p.Source.Name)
	case r.rejected.Reasons[record.MissingLabel] == r.rejected.Total:
		return p.NoLabel()
	}
	return fmt.Errorf("nothing was learnt: every record of %s was rejected", p.Source.Name)
}

// measure evaluates what was learnt, on the holdout too if there is one.
func (r *replay) measure(ctx context.Context, seconds float64) ([]*findings.Result, error) {
	var results []*findings.Result
	var holdouts []*holdout
	for i, learner := range r.learners {
		doc, err := learner.Document()
		if err != nil {
			return nil, err
		}
		result := findings.NewResult(doc, seconds)
		result.Rejected, result.Reasons = r.rejected.Total, r.rejected.Reasons
		result.Tau, result.Relaxation = r.variant(i)
		if r.orders.seeded {
			result.Shuffle = &r.orders.seed
		}
		results = append(results, result)
		if r.save != "" {
			if err := r.keep(doc); err != nil {
				return nil, err
			}
		}
		if r.test.Name != "" {
			h, err := newHoldout(learner, doc, r.page != "")
			if err != nil {
				return nil, err
			}
			holdouts = append(holdouts, h)
		}
	}
	if r.test.Name == "" {
		return results, nil
	}
	rejected, err := r.hold(ctx, holdouts)
	if err != nil {
		return nil, err
	}
	for i, h := range holdouts {
		results[i].Holdout = h.evaluation()
		results[i].Holdout.Rejected = rejected
	}
	return results, nil
}
