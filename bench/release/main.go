// Command release asks whether pkg/release keeps what docs/releases.md promises, on streams in which the quality of every version is known:
//
//   - how many good and bad candidates become stable, and after how many records;
//   - what becomes of 500 candidates one after the other, on a stream that drifts;
//   - how soon a stable version that has become unfair is withdrawn, and how often a fair one is;
//   - the same of a regression, of which the mean predictions of groups are compared;
//   - what happens at the edges: many comparisons, small groups, late or missing labels, an unfair stable version, restarts.
//
// It prints the tables of docs/releases.md:
//
//	go run ./bench/release [-runs 500] [-only TABLE]
//
// Read in this order: world.go (what is drawn), candidates.go, sequence.go, stable.go, means.go, edges.go, table.go.
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
	runs int
	only string
	law  *law
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	s := study{law: newLaw()}
	flags.IntVar(&s.runs, "runs", 500, "candidates, or streams, of each row")
	flags.StringVar(&s.only, "only", "", "only this table: candidates, sequence, stable, means or edges")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if s.runs < 4 {
		return fmt.Errorf("-runs %d: use at least 4", s.runs)
	}
	return s.write(out)
}
