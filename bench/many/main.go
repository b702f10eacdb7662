// Command many asks what many comparisons cost: in time, in accuracy, and in differences that exceed tau. Its worlds have
// ten numeric columns and attributes of which each value is compared with the rest. The model without constraints keeps
// all comparisons but the binding ones.
//
//	go run ./many [-runs 5] [-records 100000] [-rows 0:1,0:4,0:16,0:50,4:16]
//	go run ./many -rows 1:16 -lean .45 -every 2000     and when the binding comparison comes to stay within tau
//
// Read in this order: world.go (what is drawn), truth.go (what is true of a document), run.go (one stream), table.go.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/fairstream/fairstream/pkg/model"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// study is what the command line asks for.
type study struct {
	runs, records, fresh int
	every                int // records between two looks at the comparisons that bind, 0 for none
	seed                 uint64
	tau, rarity, lean    float64
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("many", flag.ContinueOnError)
	var s study
	flags.IntVar(&s.fresh, "fresh", 40_000, "records that the weights at the end are measured on, at every shift of the first column")
	flags.IntVar(&s.every, "every", 0, "records between two looks at when binding comparisons come to stay within tau; 0: no looks")
	flags.Float64Var(&s.lean, "lean", lean, "by how much the first column of a binding value is off the others")
	flags.IntVar(&s.runs, "runs", 5, "streams of each world")
	flags.IntVar(&s.records, "records", 100_000, "records of each stream")
	flags.Uint64Var(&s.seed, "seed", 1, "seed of the first stream")
	flags.Float64Var(&s.tau, "tau", .05, "tau of every comparison")
	flags.Float64Var(&s.rarity, "rarity", 1, "how many times as frequent as the one before each value of an attribute is")
	rows := flags.String("rows", "0:1,0:4,0:16,0:50,1:1,4:16,4:50", "worlds, as binding:all comparisons")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if s.runs < 1 || s.records < 2000 || s.fresh < 2000 || s.every < 0 {
		return fmt.Errorf("-runs %d, -records %d, -fresh %d, -every %d: use at least 1, 2000, 2000 and 0", s.runs, s.records, s.fresh, s.every)
	}
	if !(s.rarity > 0 && s.rarity <= 1) {
		return fmt.Errorf("-rarity: %v is outside (0, 1]", s.rarity)
	}
	var worlds []world
	for text := range strings.SplitSeq(*rows, ",") {
		w := world{rarity: s.rarity, lean: s.lean}
		if _, err := fmt.Sscanf(text, "%d:%d", &w.binding, &w.comparisons); err != nil || w.binding < 0 || w.binding > w.comparisons || w.comparisons > most() {
			return fmt.Errorf("-rows: %q is no pair of binding and all comparisons, at most %d", text, most())
		}
		worlds = append(worlds, w)
	}
	if _, err := io.WriteString(out, tableHead); err != nil {
		return err
	}
	for _, w := range worlds {
		runs, err := s.measure(w)
		if err != nil {
			return err
		}
		if err := write(out, w, runs); err != nil {
			return err
		}
	}
	return nil
}

// most is how many comparisons there can be.
func most() (count int) {
	for _, v := range values {
		count += v
	}
	return count
}

// measure learns the streams of a world, with its constraints and without any.
func (s study) measure(w world) (runs []pairedOutcome, err error) {
	for i := range s.runs {
		stream := w.stream(s.seed+uint64(i), s.records, s.fresh)
		var r pairedOutcome
		if r.free, err = stream.withoutConstraints().learn(w.unconstrained(), 0); err != nil {
			return nil, err
		}
		if r.constrained, err = stream.learn(w.config(s.tau), s.every); err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// measured is the configuration of a job that only measures its comparisons.
func (w world) measured(tau float64) model.Config {
	c := w.config(tau)
	c.Learner.Mode = model.Unconstrained
	return c
}

// unconstrained is that of a job that declares none.
func (w world) unconstrained() model.Config {
	c := w.measured(1)
	c.Constraints = nil
	return c
}
