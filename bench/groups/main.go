// Command groups measures the kinds of groups and criteria on the bundled Adult records: the impact ratio by sex, age from 40
// against below, each race with sex, and sex within occupations; and, in a synthetic world, a small minority across regions and within
// them. It holds each fifth out in several orders of the other
// four, and compares two-sided scenarios with a linear optimum that sees all records at once.
//
//	go run ./bench/groups [-orders 8] [-optimum 1]
//
// "Clearly beyond tau" is a holdout whose whole interval lies beyond tau: about two standard errors. A pair may be beyond tau by chance,
// and a small one often is; what must not happen is that the document says met of a pair that is clearly beyond tau.
//
// Read in this order: scenario.go (what is asked for), world.go (the synthetic records), run.go (one pass over one fold), optimum.go (the batch reference),
// table.go.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("groups", flag.ContinueOnError)
	var s study
	flags.IntVar(&s.orders, "orders", 8, "orders of the records, of which each has 5 holdouts")
	flags.IntVar(&s.optimum, "optimum", 1, "orders that the batch optimum is computed on, 0 for none")
	flags.IntVar(&s.records, "records", 0, "use only so many records, 0 for all")
	only := flags.String("only", "", "only the scenarios whose name begins so")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if s.orders < 1 || s.optimum > s.orders {
		return fmt.Errorf("-orders: %d is below 1, or below -optimum", s.orders)
	}
	for _, scenario := range scenarios() {
		if !strings.HasPrefix(scenario.name, *only) {
			continue
		}
		runs, err := s.measure(scenario)
		if err != nil {
			return fmt.Errorf("%s: %w", scenario.name, err)
		}
		if err := write(out, scenario, runs); err != nil {
			return err
		}
	}
	return nil
}
