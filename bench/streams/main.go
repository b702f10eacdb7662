// Command streams asks whether documents are true on streams as production has them: one side away for long, records sorted by a
// column, groups that exchange their names. Each stream is looked at every 2,000 records. A look is silent if its verdict is met, no
// condition stands, and the true difference of its weights is beyond tau and more than two standard errors of its measurement.
// Steady streams ask for the opposite: no condition of this study.
//
//	go run ./streams [-runs 60] [-only sorted]
//
// Read in this order: cases.go, production.go, deliveries.go, operation.go, mistakes.go, run.go.
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
	flags := flag.NewFlagSet("streams", flag.ContinueOnError)
	runs := flags.Int("runs", 60, "streams of each case")
	seed := flags.Uint64("seed", 1, "seed of the first stream")
	only := flags.String("only", "", "only the cases whose name begins so")
	verbose := flags.Bool("looks", false, "print every look")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *runs < 1 {
		return fmt.Errorf("-runs: %d is below 1", *runs)
	}
	source, err := people()
	if err != nil {
		return err
	}
	if _, err := io.WriteString(out, tableHead); err != nil {
		return err
	}
	failed := 0
	for _, c := range cases() {
		if !strings.HasPrefix(c.name, *only) {
			continue
		}
		f := found{scenario: &c}
		for i := range *runs {
			looks, err := c.follow(source, *seed+uint64(i))
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			f.add(looks)
			if *verbose {
				for _, l := range looks {
					if _, err := io.WriteString(out, l.String()); err != nil {
						return err
					}
				}
			}
		}
		if _, err := io.WriteString(out, f.row()); err != nil {
			return err
		}
		if !f.passes() {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d cases miss their bar", failed)
	}
	return nil
}
