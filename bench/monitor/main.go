// Command monitor asks whether the statistics of pkg/monitor hold what they say, on streams of decisions with known rates:
//
//   - how often a confidence sequence, looked at after every record, says violated at a difference of tau, and how often it misses the
//     true difference, over base rates, shares of the smaller group, and rates and shares that move;
//   - after how many records it says violated;
//   - how often verdicts change, with differences near tau;
//   - after how many records a change raises an alarm, and how often one is raised before.
//
// It prints the tables of docs/monitoring.md:
//
//	go run ./bench/monitor [-runs 2000] [-records 20000] [-exact] [-only TABLE]
//
// Read in this order: stream.go (what is drawn), sequences.go, changes.go, alarms.go, runs.go, equaltime.go, dependent.go, cluster.go, table.go.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// study is what the command line asks for.
type study struct {
	runs    int
	records int
	exact   bool
	only    string
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("monitor", flag.ContinueOnError)
	var s study
	flags.IntVar(&s.runs, "runs", 2000, "streams of each cell")
	flags.IntVar(&s.records, "records", 20_000, "records of each stream")
	flags.BoolVar(&s.exact, "exact", false, "the exact sequence in place of the asymptotic one")
	flags.StringVar(&s.only, "only", "", "only this table: false, pointwise, power, changes, alarms, runs, equal, dependent, cluster or length")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if s.runs < 10 || s.records < 1000 {
		return fmt.Errorf("-runs %d, -records %d: use at least 10 and 1000", s.runs, s.records)
	}
	return s.write(out)
}
