// Command few compares the learner with a batch reference where records are few: random splits of a file into five parts, four of which are
// learnt in one pass, and the error on the fifth, less that of the reference at the same mean difference.
//
//	bench/quality/run.sh --only records --data compas        # fetches the file
//	go run ./few -file ../.cache/quality/records/compas.csv -group African-American -versus Caucasian [-splits 60] [-tau 0.05,0.10] [-parts]
//
// A file has the columns label, 1 for positive, and attribute. Read in this order: batch.go (the reference), split.go (one split), parts.go (where the distance comes from), main.go.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/fairstream/fairstream/bench/population"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("few", flag.ContinueOnError)
	path := flags.String("file", "", "CSV file with the columns label and attribute")
	group := flags.String("group", "", "value of the column attribute that the labels favour")
	versus := flags.String("versus", "", "the other value")
	splits := flags.Int("splits", 60, "number of random splits, at least 2")
	seed := flags.Uint64("seed", 1, "seed of the splits")
	taus := flags.String("tau", "0.05,0.10", "values of tau, separated by commas")
	inParts := flags.Bool("parts", false, "say which part of the learner the distance comes from, and what more passes would gain")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *path == "" || *group == "" || *versus == "" || *splits < 2 {
		return errors.New("use -file, -group, -versus, and at least 2 -splits")
	}
	f, err := open(*path, *group, *versus)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(out, "%d splits of %s\n\n| tau | error | difference | SD | within tau | less the reference at equal difference |\n|---|---|---|---|---|---|\n", *splits, *path); err != nil {
		return err
	}
	references := each(*splits, func(split int) reference { return f.reference(*seed, split) })
	for text := range strings.SplitSeq(*taus, ",") {
		tau, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("-tau: %w", err)
		}
		c := population.FileConfig(tau, *group, *versus)
		results := each(*splits, func(split int) outcome { return f.learn(c, *seed, split) })
		if err := write(out, tau, results, references); err != nil {
			return err
		}
		if !*inParts {
			continue
		}
		if err := writeParts(out, tau, results, each(*splits, func(split int) []reference { return f.replace(c, *seed, split) })); err != nil {
			return err
		}
	}
	return nil
}

// each does some work for every split, on all processors.
func each[T any](splits int, do func(split int) T) []T {
	results, places := make([]T, splits), make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for split := range places {
				results[split] = do(split)
			}
		})
	}
	for split := range splits {
		places <- split
	}
	close(places)
	workers.Wait()
	return results
}
