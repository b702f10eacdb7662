// Command adult measures the learner on the bundled Adult records: 5 folds, several orders of the
// training records, one pass each, every relaxation and tau. It prints the table of the README.
//
//	go run ./bench/adult [-shuffles 4] [-splits 1] [-tau 0,0.02,0.05,0.10]
//	go run ./bench/adult -tau 0.05 -criterion equalized-odds
//	go run ./bench/adult -tau 0.05 -constraints race-and-sex
//
// Read in this order: constraints.go (what is asked for), run.go (one pass over one fold), table.go.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/bench/records"
	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// options are the command line.
type options struct {
	study       study
	taus        []float64
	relaxations []surrogate.Name
	criterion   fairness.Criterion
	constraints string
	set         func(*model.Config)
}

func run(args []string, out io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	// Which records there are does not depend on tau and relaxation.
	records, err := records.All(o.config(o.taus[0], o.relaxations[0]), adult.Open())
	if err != nil {
		return err
	}
	if _, err := io.WriteString(out, tableHead); err != nil {
		return err
	}
	for _, tau := range o.taus {
		for i, relaxation := range o.relaxations {
			if tau == 0 && i > 0 {
				continue
			}
			reports, err := o.study.measure(records, o.config(tau, relaxation))
			if err != nil {
				return err
			}
			if err := write(out, reports, tau, relaxation); err != nil {
				return err
			}
		}
	}
	return nil
}

func parse(args []string) (options, error) {
	flags := flag.NewFlagSet("adult", flag.ContinueOnError)
	var o options
	flags.IntVar(&o.study.shuffles, "shuffles", 4, "number of orders of the training records per fold")
	flags.IntVar(&o.study.splits, "splits", 1, "number of independent splits into folds")
	flags.IntVar(&o.study.folds, "folds", allFolds, "number of the 5 folds of a split that are held out in turn")
	flags.Uint64Var(&o.study.seed, "seed", 1, "seed for splits and orders")
	taus := flags.String("tau", "0,0.02,0.05,0.10", "values of tau, separated by commas; 0 means unconstrained")
	names := flags.String("relaxation", "approximation-1,approximation-2,approximation-3", "relaxations, separated by commas")
	criterion := flags.String("criterion", "demographic-parity", "fairness criterion")
	flags.StringVar(&o.constraints, "constraints", "sex", "set of constraints: "+strings.Join(constraintSets, ", "))
	step := flags.Float64("step", 0, "learner.step; 0 means the default")
	confidence := flags.Float64("confidence", 0, "learner.confidence; 0 means the default")
	crosses := flags.String("crosses", "", "learner.crosses: pairs such as a+b, separated by commas")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	for text := range strings.SplitSeq(*taus, ",") {
		tau, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return o, fmt.Errorf("-tau: %w", err)
		}
		o.taus = append(o.taus, tau)
	}
	for text := range strings.SplitSeq(*names, ",") {
		name, err := surrogate.Parse(text)
		if err != nil {
			return o, fmt.Errorf("-relaxation: %w", err)
		}
		o.relaxations = append(o.relaxations, name)
	}
	var err error
	if o.criterion, err = fairness.ParseCriterion(*criterion); err != nil {
		return o, fmt.Errorf("-criterion: %w", err)
	}
	if !slices.Contains(constraintSets, o.constraints) {
		return o, fmt.Errorf("-constraints: use one of %s", strings.Join(constraintSets, ", "))
	}
	o.set = func(c *model.Config) {
		if *step > 0 {
			c.Learner.Step = *step
		}
		if *confidence > 0 {
			c.Learner.Confidence = *confidence
		}
		for _, cross := range strings.FieldsFunc(*crosses, func(r rune) bool { return r == ',' }) {
			c.Learner.Crosses = append(c.Learner.Crosses, strings.Split(cross, "+"))
		}
	}
	return o, nil
}
