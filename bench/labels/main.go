// Command labels studies what documents say of everyone where labels are known of some, or late.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/fairstream/fairstream/bench/population"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// plan is what is studied.
type plan struct {
	config           model.Config
	from             population.Source
	streams, records int
	seed             uint64
	reject           bool // records without a label do not count
	alone            bool // no random labels beside selective ones
}

func main() {
	streams := flag.Int("streams", 40, "streams of each selection")
	records := flag.Int("records", 30_000, "records of a stream, beyond those that wait for the latest label")
	tau := flag.Float64("tau", .05, "bound")
	seed := flag.Uint64("seed", 1, "of the first stream")
	reject := flag.Bool("reject", false, "records without a label do not count")
	parity := flag.Bool("parity", true, "demographic parity is enforced")
	opportunity := flag.Bool("opportunity", false, "equal opportunity is enforced, too")
	releases := flag.Bool("releases", false, "what releases make of a version that is worse on all records and better on labelled ones")
	alone := flag.Bool("alone", false, "no random labels beside selective ones")
	beside := flag.Bool("beside", false, "the same streams, with random labels, if records without one do not count")
	only := flag.String("only", "", "names of the selections, parted by semicolons; all if empty")
	flag.Parse()
	p := plan{streams: *streams, records: *records, seed: *seed, reject: *reject, alone: *alone}
	err := p.begin(*tau, *parity, *opportunity)
	switch {
	case err != nil:
	case *beside:
		err = p.beside(os.Stdout)
	case *releases:
		err = p.releases(os.Stdout, *only)
	default:
		err = p.study(os.Stdout, *tau, *only)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// begin chooses the records: Adult, and men and women.
func (p *plan) begin(tau float64, parity, opportunity bool) (err error) {
	c := population.AdultConfig(tau)
	c.Record.Unlabelled = record.Count
	c.Constraints[0].Enforce = &parity
	second := c.Constraints[0]
	second.Name, second.Criterion = "opportunity", fairness.EqualOpportunity
	second.Enforce = &opportunity
	c.Constraints = append(c.Constraints, second)
	p.config = c
	p.from, err = population.Adult(c)
	return err
}

// study prints a line for each selection, and below one where labels are not known at random a line for random labels of as many
// records as its labelled ones are worth.
func (p *plan) study(w io.Writer, tau float64, only string) error {
	t := newTable(w, tau)
	for _, s := range selections {
		if only != "" && !strings.Contains(";"+only+";", ";"+s.name+";") {
			continue
		}
		outcomes, err := p.all(&s)
		if err != nil {
			return err
		}
		if s.random || p.alone {
			if err := t.line(s.name, outcomes, nil); err != nil {
				return err
			}
			continue
		}
		share := 0.0
		for _, o := range outcomes {
			share += o.effective / float64(o.labels+o.unlabelled) / float64(len(outcomes))
		}
		alike, err := p.all(&selection{known: always(min(1, share))})
		if err != nil {
			return err
		}
		if err := t.line(s.name, outcomes, alike); err != nil {
			return err
		}
		if err := t.line(fmt.Sprintf("  random, %.1f %%", 100*share), alike, nil); err != nil {
			return err
		}
	}
	return nil
}

// all follows the streams of a selection.
func (p *plan) all(s *selection) ([]outcome, error) {
	return parallel(p.streams, func(i int) (outcome, error) { return p.follow(s, p.seed+uint64(i)) })
}

// parallel does so many things, two at a time.
func parallel[T any](count int, do func(i int) (T, error)) ([]T, error) {
	all, errs := make([]T, count), make([]error, count)
	var group sync.WaitGroup
	next := make(chan int)
	for range 2 {
		group.Go(func() {
			for i := range next {
				all[i], errs[i] = do(i)
			}
		})
	}
	for i := range count {
		next <- i
	}
	close(next)
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}
