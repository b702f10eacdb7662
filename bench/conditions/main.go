// Command conditions asks whether a document says so when its statements may fail. Each case is a stream that leads a learner
// astray, with a truth that is known. A silent run has a true difference beyond tau and more than two standard errors of the
// measurement, the verdict met, and no condition that names the cause. The steady cases ask for the opposite: no condition.
//
//	go run ./conditions [-runs 60] [-only laws] [-data directory]
//
// With a directory, compas.csv in it (columns label and attribute) is a case too. Read in this order: cases.go, run.go.
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
	flags := flag.NewFlagSet("conditions", flag.ContinueOnError)
	runs := flags.Int("runs", 60, "streams of each case")
	only := flags.String("only", "", "only the cases whose name begins so")
	data := flags.String("data", "", "directory of compas.csv")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *runs < 1 {
		return fmt.Errorf("-runs: %d is below 1", *runs)
	}
	if _, err := io.WriteString(out, tableHead); err != nil {
		return err
	}
	failed := 0
	for _, c := range cases(*data) {
		if !strings.HasPrefix(c.name, *only) {
			continue
		}
		r, err := c.measure(*runs)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if _, err := io.WriteString(out, r.row()); err != nil {
			return err
		}
		if !r.passes() {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d cases miss their bar", failed)
	}
	return nil
}
