// Command labels studies what documents say of everyone where labels are known of some, or late.
package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"sync"
	"text/tabwriter"

	"github.com/fairstream/fairstream/bench/population"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

func main() {
	streams := flag.Int("streams", 40, "streams of each selection")
	records := flag.Int("records", 40_000, "records of a stream")
	tau := flag.Float64("tau", .05, "bound")
	seed := flag.Uint64("seed", 1, "of the first stream")
	reject := flag.Bool("reject", false, "records without a label do not count")
	opportunity := flag.Bool("opportunity", false, "equal opportunity is enforced, too")
	flag.Parse()
	if err := study(*streams, *records, *tau, *seed, !*reject, *opportunity); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func study(streams, records int, tau float64, seed uint64, count, opportunity bool) error {
	c := population.AdultConfig(tau)
	c.Record.Unlabelled = record.Count
	second := c.Constraints[0]
	second.Name, second.Criterion = "opportunity", fairness.EqualOpportunity
	second.Enforce = &opportunity
	c.Constraints = append(c.Constraints, second)
	from, err := population.Adult(c)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "labels\tknown\tparity: covered\thalf\t|true|\tmet\tbeyond tau\tfalse met\topportunity: covered\thalf\tnone\tmet\taccuracy\tselective\tnever\topen\t")
	for _, s := range selections {
		outcomes, err := all(c, from, s, streams, records, seed, count)
		if err != nil {
			return err
		}
		row(w, s.name, outcomes, tau)
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// all follows the streams of a selection, two at a time.
func all(c model.Config, from population.Source, s selection, streams, records int, seed uint64, count bool) ([]outcome, error) {
	outcomes, errs := make([]outcome, streams), make([]error, streams)
	var group sync.WaitGroup
	next := make(chan int)
	for range 2 {
		group.Go(func() {
			for i := range next {
				outcomes[i], errs[i] = follow(c, from, s, records, seed+uint64(i), count)
			}
		})
	}
	for i := range streams {
		next <- i
	}
	close(next)
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

// conditions are those about labels.
var conditions = [...]document.ConditionCode{document.LabelsSelective, document.LabelsNever, document.LabelsOpen}

func row(w *tabwriter.Writer, name string, outcomes []outcome, tau float64) {
	var known, covered, half, size, met, beyond, wrong, covered2, half2, met2, none, estimable, accuracy float64
	var said [len(conditions)]float64
	n := float64(len(outcomes))
	for _, o := range outcomes {
		known += float64(o.labels) / float64(o.labels+o.unlabelled) / n
		claim, truth := o.claims[0], o.truths[0].Value
		covered += hit(claim.Lo <= truth && truth <= claim.Hi) / n
		half += (claim.Hi - claim.Lo) / 2 / n
		size += math.Abs(truth) / n
		met += hit(claim.Status == fairness.Met) / n
		beyond += hit(math.Abs(truth) > tau) / n
		wrong += hit(math.Abs(truth) > tau && claim.Status == fairness.Met) / n
		claim, truth = o.claims[1], o.truths[1].Value
		if claim.Status == fairness.NotEstimable {
			none += 1 / n
		} else {
			covered2 += hit(claim.Lo <= truth && truth <= claim.Hi)
			half2 += (claim.Hi - claim.Lo) / 2
			estimable++
		}
		accuracy += o.accuracy.Value / n
		met2 += hit(claim.Status == fairness.Met) / n
		for i, code := range conditions {
			said[i] += hit(slices.ContainsFunc(o.conditions, func(c document.Condition) bool { return c.Code == code })) / n
		}
	}
	fmt.Fprintf(w, "%s\t%.2f\t%.3f\t%.4f\t%.4f\t%.2f\t%.3f\t%.3f\t%.3f\t%.4f\t%.2f\t%.2f\t%.4f\t%.2f\t%.2f\t%.2f\t\n", name, known, covered, half, size, met, beyond, wrong, covered2/estimable, half2/estimable, none, met2, accuracy, said[0], said[1], said[2])
}

func hit(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
