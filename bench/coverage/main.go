// Command coverage asks whether a document's interval covers the true difference of its own weights as often as its level
// says. The truth is known: a population is a file, from which the stream is drawn with replacement and on all of
// which the weights are measured, or a synthetic world, of which a large sample is measured.
//
//	go run ./coverage [-runs 100] [-tau 0.05] [-only adult]
//	go run ./coverage -measured
//	go run ./coverage -share 0.2
//	go run ./coverage -file compas.csv -group African-American -versus Caucasian -at 2500,5000 [-once]
//
// Of a small file, a stream with replacement learns many records twice. With -once each record comes at most once, and the weights are measured
// on the records that have not come; an interval then covers the truth if they differ by no more than both errors together.
//
// A file has the columns label, 1 for positive, and attribute. Read in this order: population.go (what is drawn from), run.go
// (one stream and its looks), table.go.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/fairstream/fairstream/pkg/surrogate"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// study is what the command line asks for.
type study struct {
	runs       int
	seed       uint64
	tau        float64
	relaxation surrogate.Name
	measured   bool    // the constraint is not enforced
	once       bool    // each record comes at most once
	share      float64 // of the records is reserved, and the interval is that on the reserved ones
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("coverage", flag.ContinueOnError)
	var s study
	flags.IntVar(&s.runs, "runs", 100, "streams of each population")
	flags.Uint64Var(&s.seed, "seed", 1, "seed of the first stream")
	flags.Float64Var(&s.tau, "tau", .05, "tau of the constraint")
	name := flags.String("relaxation", string(surrogate.Approximation1), "relaxation of the constraint")
	flags.BoolVar(&s.measured, "measured", false, "measure the constraint without enforcing it")
	flags.BoolVar(&s.once, "once", false, "draw without replacement, and measure on the records that have not come (with -file)")
	flags.Float64Var(&s.share, "share", 0, "reserve this share of the records (evaluation.share), and look at the interval on these")
	only := flags.String("only", "", "only the populations whose name begins so")
	file := flags.String("file", "", "draw from this CSV file instead")
	group := flags.String("group", "", "value of the column attribute in the file: the group")
	versus := flags.String("versus", "", "the other group in the file")
	at := flags.String("at", "5000", "records after which the documents are looked at, for a file")
	if err := flags.Parse(args); err != nil {
		return err
	}
	all := populations()
	if *file != "" {
		if *group == "" || *versus == "" {
			return errors.New("-file needs -group and -versus: the two values of the column attribute")
		}
		p, err := fromFile(*file, *group, *versus, *at)
		if err != nil {
			return err
		}
		all = []drawnFrom{p}
	}
	var err error
	if s.relaxation, err = surrogate.Parse(*name); err != nil {
		return fmt.Errorf("-relaxation: %w", err)
	}
	if s.once && *file == "" {
		return errors.New("-once needs -file: what else is drawn from has no end")
	}
	if s.runs < 2 {
		return fmt.Errorf("-runs: %d streams have no standard deviation: use at least 2", s.runs)
	}
	if _, err := io.WriteString(out, tableHead); err != nil {
		return err
	}
	for _, p := range all {
		if !strings.HasPrefix(p.name, *only) {
			continue
		}
		looks, err := s.measure(p)
		if err != nil {
			return err
		}
		if err := write(out, p, s.tau, looks); err != nil {
			return err
		}
	}
	return nil
}
