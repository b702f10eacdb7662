// Command paper runs the experiments of the paper that fairstream implements (Thomdapu, Harshvardhan, Rajawat,
// "Stochastic Compositional Gradient Descent under Compositional Constraints"), and those that its claims
// call for: (1) the trade-off of loss against risk difference, (2) convergence on the fair classifier, (3) the
// fair sparse additive model, (4) measured rates, (5) the map of exponents.
//
//	go run ./bench/paper [--quick] [--out DIR] [--only 1,2,...] [--render] [--seed N] [--workers N]
//
// In DIR it writes paper/NAME.csv, every table; paper/tables.md, the same for people; figures/paper-NAME.png and
// .svg; and, from all tables of a full run, paper.md: document.md.tmpl with its numbers filled in. What is
// committed in research is the output of a full run with --out research; each table names the code that it is of, and
// tests hold some rows against the present code. Numbers depend on the seed and on nothing else, whatever the
// number of workers.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fairstream/fairstream/bench/figure"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "paper:", err)
		os.Exit(1)
	}
}

func run(args []string, out, log io.Writer) error {
	flags := flag.NewFlagSet("paper", flag.ContinueOnError)
	flags.SetOutput(log)
	quick := flags.Bool("quick", false, "a version of seconds: fewer records, repetitions and steps, and no paper.md")
	directory := flags.String("out", ".cache/paper", "directory for tables and plots")
	only := flags.String("only", "", "numbers of the experiments to run, separated by commas; all without")
	render := flags.Bool("render", false, "run nothing: make tables.md and paper.md of the tables that are there")
	seed := flags.Uint64("seed", 1, "seed of everything random")
	workers := flags.Int("workers", runtime.GOMAXPROCS(0), "runs at a time")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *render {
		return report(*directory, *quick, false, out)
	}
	chosen, err := choose(*only)
	if err != nil {
		return err
	}
	if *workers < 1 {
		return fmt.Errorf("--workers is %d: it must be at least 1", *workers)
	}
	code, err := codeOf(context.Background())
	if err != nil {
		return err
	}
	s := newStudy(*quick, *seed, *workers, log)
	for _, e := range chosen {
		started := time.Now()
		fmt.Fprintf(log, "(%d) %s\n", e.number, e.title)
		r, err := e.run(s)
		if err != nil {
			return fmt.Errorf("experiment %d: %w", e.number, err)
		}
		if err := r.write(*directory, code); err != nil {
			return err
		}
		fmt.Fprintf(log, "(%d) took %.0f s\n", e.number, time.Since(started).Seconds())
	}
	return report(*directory, *quick, *only != "", out)
}

func choose(only string) ([]experiment, error) {
	if only == "" {
		return experiments, nil
	}
	var chosen []experiment
	for _, text := range strings.Split(only, ",") {
		number, err := strconv.Atoi(strings.TrimSpace(text))
		i := slices.IndexFunc(experiments, func(e experiment) bool { return e.number == number })
		if err != nil || i < 0 {
			return nil, fmt.Errorf("--only: %q is not the number of an experiment: 1 to %d", text, len(experiments))
		}
		chosen = append(chosen, experiments[i])
	}
	return chosen, nil
}

// write stores the tables, each with the code that it is of, and the figures.
func (r result) write(directory, code string) error {
	if err := os.MkdirAll(filepath.Join(directory, "paper"), 0o755); err != nil {
		return err
	}
	for _, t := range r.tables {
		t.code = code
		if err := t.write(filepath.Join(directory, "paper", t.name+".csv")); err != nil {
			return err
		}
	}
	for _, f := range r.figures {
		base := filepath.Join(directory, "figures", "paper-"+f.name)
		if err := figure.Save(base, f.columns, f.width, f.height, f.panels...); err != nil {
			return err
		}
	}
	return nil
}

// report writes what is made of all tables that are there, those of earlier runs included. After some of the
// experiments only, tables may be missing, or be those of a quick run: then paper.md stays as it is.
func report(directory string, quick, partial bool, out io.Writer) error {
	tables, err := readTables(filepath.Join(directory, "paper"))
	if err != nil {
		return err
	}
	path := filepath.Join(directory, "paper", "tables.md")
	if err := writeText(path, allTables(tables)); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(out, path); err != nil || quick {
		return err
	}
	text, err := text(tables)
	if partial && err != nil && !errors.Is(err, errIncomplete) {
		err = fmt.Errorf("%w: %w", errIncomplete, err)
	}
	if errors.Is(err, errIncomplete) {
		_, err = fmt.Fprintln(out, err)
		return err
	}
	if err != nil {
		return err
	}
	path = filepath.Join(directory, "paper.md")
	if err := writeText(path, text); err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, path)
	return err
}

func writeText(path, text string) error { return os.WriteFile(path, []byte(text), 0o644) }
