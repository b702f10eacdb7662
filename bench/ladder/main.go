// Command ladder goes from Algorithm 1 of the paper to the default learner, one refinement a row, and then leaves each
// refinement out alone. research/learner.md has its table.
//
//	go run ./bench/ladder [-runs 20] [-streams adult,bursts] [-rows window+ascent] [-bursts 4000:8000] [-records .cache/quality/records]
//
// Every row learns the same streams, so differences from the default are paired. Read in this order: stream.go and burst.go (what
// is learnt and what is true of it), rung.go (what is learnt with), measure.go (one run), table.go.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
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
	seed    uint64
	tau     float64
	shorter int // streams are this many times shorter
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("ladder", flag.ContinueOnError)
	s := study{shorter: 1}
	flags.IntVar(&s.runs, "runs", 20, "number of runs of each row on each stream")
	flags.Uint64Var(&s.seed, "seed", 1, "seed of the first run")
	flags.Float64Var(&s.tau, "tau", .05, "tau of the constraint")
	names := flags.String("streams", "", "only these streams, separated by commas")
	only := flags.String("rows", "", "only these refinements, separated by commas, or several joined by + to leave them out together; the default learner is always run")
	directory := flags.String("records", "", "`DIRECTORY` with more data sets as CSV files; bench/quality/run.sh --only records writes them")
	bursts := flags.String("bursts", "", "more streams, such as 500:1000,4000:8000: so many women, then so many men, again and again; and as many of both in random order")
	length := flags.Int("length", 0, "number of records of each stream, 0 for its own; it decides which burst comes last")
	quick := flags.Bool("quick", false, "two runs on streams of a tenth of the records")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *quick {
		s.runs, s.shorter = 2, 10
	}
	if s.runs < 2 {
		return fmt.Errorf("-runs: %d runs have no standard error: use at least 2", s.runs)
	}
	more, err := burstsOf(*bursts)
	if err != nil {
		return err
	}
	streams, err := openStreams(*directory, more, s.shorter)
	if err != nil {
		return err
	}
	for i := range streams {
		if *length > 0 && streams[i].change == 0 {
			streams[i].records = *length
		}
	}
	if *names != "" {
		wanted := strings.Split(*names, ",")
		streams = slices.DeleteFunc(streams, func(f stream) bool { return !slices.Contains(wanted, f.name) })
	}
	if len(streams) == 0 {
		return fmt.Errorf("-streams: %q names no stream", *names)
	}
	rungs := rungsOf(*only)
	for _, from := range streams {
		runs, err := s.measure(from, rungs)
		if err != nil {
			return fmt.Errorf("%s: %w", from.name, err)
		}
		if err := write(out, from, rungs, runs, s.tau); err != nil {
			return err
		}
	}
	return nil
}
