// Command jobs asks what many jobs in one process cost: the processor time of -jobs jobs with -rate records a second each, against a process
// with one such job less one whose job is quiet, and the memory. Every job gets the same records, so all must publish the same weights.
//
//	go run ./bench/jobs [-jobs 100] [-rate 300] [-seconds 30] [-backlog 0]
//
// With -backlog, one more job has so many records to learn from the beginning, and another one halts, since it cannot read its records: how far are the
// others behind meanwhile?
//
// Read in this order: child.go (a process of fairstream), round.go (one measurement), beside.go (jobs that must not disturb it).
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "jobs:", err)
		os.Exit(1)
	}
}

// The bars: most times the processor time of the jobs alone, and most memory.
const (
	mostRatio  = 1.3
	mostMemory = 1500 << 20
)

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("jobs", flag.ContinueOnError)
	jobs := flags.Int("jobs", 100, "jobs of the process")
	rate := flags.Int("rate", 300, "records a second of each job")
	seconds := flags.Int("seconds", 30, "how long records come")
	backlog := flags.Int("backlog", 0, "records that one more job has to learn")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *jobs < 1 || *rate < 10 || *seconds < 1 {
		return fmt.Errorf("-jobs %d, -rate %d, -seconds %d: use at least 1, 10 and 1", *jobs, *rate, *seconds)
	}
	dir, err := os.MkdirTemp("", "fairstream-jobs")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // it is temporary
	program := filepath.Join(dir, "fairstream")
	if text, err := exec.CommandContext(ctx, "go", "build", "-o", program, "github.com/fairstream/fairstream/cmd/fairstream").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	length := time.Duration(*seconds) * time.Second
	rounds := []round{
		{name: "one job", jobs: 1, rate: *rate, length: length},
		{name: "one quiet job", jobs: 1, length: length},
		{name: "many jobs", jobs: *jobs, many: true, rate: *rate, length: length},
	}
	if *backlog > 0 {
		rounds = []round{{name: "beside them", jobs: *jobs, many: true, rate: *rate, length: length, backlog: *backlog}}
	}
	var found []result
	for _, r := range rounds {
		r.dir, r.program = dir, program
		f, err := r.measure(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		if _, err := fmt.Fprintf(out, "%-14s %3d × %d records in %v: processor time %6.2f s, peak memory %5.0f MiB, furthest behind %.1f s\n",
			r.name, r.jobs, f.records, f.elapsed.Round(100*time.Millisecond), f.cpu.Seconds(), float64(f.memory)/(1<<20), f.behind.Seconds()); err != nil {
			return err
		}
		found = append(found, f)
	}
	if *backlog > 0 {
		return found[0].lag.print(out)
	}
	one, quiet, many := found[0], found[1], found[2]
	ratio := many.cpu.Seconds() / (float64(*jobs) * (one.cpu - quiet.cpu).Seconds())
	if _, err := fmt.Fprintf(out, "processor time: %.2f times %d × (one job − a quiet one); at most %.1f. Memory: at most %d MiB. Weights: equal in all jobs.\n",
		ratio, *jobs, mostRatio, mostMemory>>20); err != nil {
		return err
	}
	if one.weights != many.weights {
		return fmt.Errorf("one job alone published weights %s, and many published %s", one.weights, many.weights)
	}
	if *jobs >= 100 && (ratio > mostRatio || many.memory > mostMemory) {
		return fmt.Errorf("a bar is missed")
	}
	return nil
}
