// Command waiting asks what late labels cost: -records records of 300 bytes wait for their label, and then the labels of all of them come. It runs
// fairstream, and beside it a bare loop that reads the same topic, writes the same changelog in transactions, and puts into, gets from and
// deletes from the same store. Both are processes of their own; what is compared is the processor time that they use. A restart without the folder is
// beside a loop that fills an empty store from its changelog.
//
//	go run ./bench/waiting [-records 1000000] [-ready] [-memory] [-broker DIR]
//
// Read in this order: round.go (a process), topic.go (what it reads), bare.go (the bare loop).
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

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "waiting:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) > 0 && args[0] == bareWord {
		return bare(ctx, args[1:])
	}
	flags := flag.NewFlagSet("waiting", flag.ContinueOnError)
	var w world
	flags.IntVar(&w.records, "records", 1_000_000, "records that wait")
	flags.BoolVar(&w.ready, "ready", false, "some records bring their label first, so that records are decided and counted when they come")
	flags.BoolVar(&w.memory, "memory", false, "records wait in memory, not in a folder")
	data := flags.String("broker", "", "folder for the topics of the broker; in memory if empty")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if w.records < 1000 {
		return fmt.Errorf("-records %d: use at least 1000", w.records)
	}
	var err error
	if w.dir, err = os.MkdirTemp("", "fairstream-waiting"); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(w.dir) }() // it is temporary
	w.program = filepath.Join(w.dir, "fairstream")
	if text, err := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", w.program, "github.com/fairstream/fairstream/cmd/fairstream").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	broker, err := devbroker.Start(devbroker.Options{DataDir: *data, MaintainEvery: 24 * time.Hour})
	if err != nil {
		return err
	}
	defer broker.Close()
	w.address = broker.Addresses()[0]
	if w.client, err = kafka.Open(kafka.Config{Brokers: []string{w.address}}, kafka.Options{}); err != nil {
		return err
	}
	defer func() { _ = w.client.Close() }() // the study has ended
	return w.study(ctx, out)
}

// The bars: least rate beside that of the bare loop, and most memory. With fewer records than fewest, most of the time goes to the beginning and the end.
const (
	fewest     = 100_000
	leastRate  = .5
	mostMemory = 300 << 20
)

// study measures, in order: records that come, the restart with the folder and without it, and labels that come.
func (w *world) study(ctx context.Context, out io.Writer) error {
	if err := w.begin(ctx); err != nil {
		return err
	}
	var missed []string
	say := func(what string, product, other used) {
		ratio := other.cpu.Seconds() / product.cpu.Seconds()
		fmt.Fprintf(out, "%-22s %7.2f µs a record of processor time (%.1f s in all), %4.0f MiB; bare loop %7.2f µs, %4.0f MiB; rate %.2f of it\n",
			what, w.each(product), product.elapsed.Seconds(), float64(product.memory)/(1<<20), w.each(other), float64(other.memory)/(1<<20), ratio)
		if ratio < leastRate {
			missed = append(missed, what+" take longer")
		}
		if !w.memory && product.memory > mostMemory {
			missed = append(missed, what+" take more memory")
		}
	}
	if err := w.write(ctx, false); err != nil {
		return err
	}
	other, err := w.bare(ctx, "records", "bare", w.first())
	if err != nil {
		return err
	}
	product, err := w.learn(ctx)
	if err != nil {
		return err
	}
	say("records", product, other)
	fmt.Fprintf(out, "snapshot               %d bytes with %d records that wait\n", product.snapshot, w.records)
	if !w.memory {
		if product, err = w.learn(ctx); err != nil {
			return err
		}
		fmt.Fprintf(out, "restart with folder    %.1f s, %.1f s of processor time\n", product.elapsed.Seconds(), product.cpu.Seconds())
		if err := os.RemoveAll(w.folder()); err != nil {
			return err
		}
	}
	if other, err = w.bare(ctx, "changelog", "bare again", 0); err != nil {
		return err
	}
	if product, err = w.learn(ctx); err != nil {
		return err
	}
	say("restart from the topic", product, other)
	if err := w.write(ctx, true); err != nil {
		return err
	}
	if other, err = w.bare(ctx, "labels", "bare", w.first()+w.records); err != nil {
		return err
	}
	if product, err = w.learn(ctx); err != nil {
		return err
	}
	say("labels", product, other)
	if missed != nil && w.records >= fewest {
		return fmt.Errorf("beyond the bars: %v", missed)
	}
	return nil
}

// each is the processor time of a record, in microseconds.
func (w *world) each(u used) float64 { return u.cpu.Seconds() * 1e6 / float64(w.records) }
