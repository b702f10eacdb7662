// Command pause measures for how long a stream stops learning: the longest time between two records while there are others to learn, from one
// publication to the next, with monitor and releases on. Records have twelve columns of text, whose levels become so many weights, and topics are in
// memory.
//
//	go run ./bench/pause [-weights 1000,100000,1000000] [-publications 5] [-interval 3s]
//
// It prints, over so many publications, median and most of the longest stop by the clock, which other processes lengthen, and of the processor time
// that the learner's goroutine spent between two records, which they do not. What the learner waits for is in the first alone. Then comes the median
// of the time from the last record that weights have learnt to their publication.
//
// Read in this order: input.go (records without end), learn.go (the stream and its stops), main.go.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "pause:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("pause", flag.ContinueOnError)
	sizes := flags.String("weights", "1000,100000,1000000", "how many weights, with commas")
	publications := flags.Int("publications", 5, "how many are measured")
	interval := flags.Duration("interval", 3*time.Second, "between two publications")
	if err := flags.Parse(args); err != nil {
		return err
	}
	for size := range strings.SplitSeq(*sizes, ",") {
		weights, err := strconv.Atoi(size)
		if err != nil || weights < 1000 || *publications < 1 {
			return fmt.Errorf("-weights %s, -publications %d: use at least 1000 and 1", size, *publications)
		}
		found, err := measure(ctx, weights, *publications, *interval)
		if err != nil {
			return err
		}
		clock := sorted(found, func(s stop) float64 { return s.clock.Seconds() * 1e3 })
		processor := sorted(found, func(s stop) float64 { return s.processor.Seconds() * 1e3 })
		latency := sorted(found, func(s stop) float64 { return s.latency.Seconds() * 1e3 })
		rate := sorted(found, func(s stop) float64 { return s.rate })
		middle, last := len(found)/2, len(found)-1
		if _, err := fmt.Fprintf(out, "%9d weights: stops %7.1f ms (most %7.1f), processor time of the learner in one %6.1f ms (most %6.1f), published after %7.1f ms, %7.0f records a second\n",
			found[0].weights, clock[middle], clock[last], processor[middle], processor[last], latency[middle], rate[middle]); err != nil {
			return err
		}
	}
	return nil
}

func sorted(all []stop, of func(stop) float64) (values []float64) {
	for _, s := range all {
		values = append(values, of(s))
	}
	slices.Sort(values)
	return values
}
