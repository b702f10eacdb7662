// Command serve asks what it costs to decide over HTTP. It has two measurements, both on the Adult records:
//
//   - one record a request: the time to the answer of `fairstream serve`, beside a bare net/http handler that reads the same body with
//     encoding/json into a structure and answers as many bytes;
//   - 1,000 records a request, of one client and of four at a time: decisions a second, beside pkg/document in a process of its own, which decides
//     the same JSON, one record after the other, and records that are parsed already.
//
// Run it with
//
//	go run ./bench/serve [-rounds 9]
//
// Each of the three is a process of its own. They take turns within a round, and what counts is the median of the ratios within a round: other
// work on the machine changes the times of a round, and hardly their ratio. Processor time is that of the process, without the client.
//
// Read in this order: bodies.go (what is asked), bare.go and library.go (what it is compared with), child.go (processes), round.go (a round),
// main.go (the table).
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
	"runtime"
	"slices"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

// The bars: the longest time of one record in times of the bare handler's, and the lowest rate of 1,000 records, asked by several clients, in rates of
// pkg/document's.
const (
	mostTime  = 1.3
	leastRate = 0.5
)

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	rounds := flags.Int("rounds", 9, "how often everything is measured, in turns")
	single := flags.Int("single", 2000, "requests of one record, in a round and to each server")
	batches := flags.Int("batches", 300, "requests of 1,000 records, in a round")
	clients := flags.Int("clients", 4, "clients that ask about 1,000 records each, at a time, beside the measurement of one client")
	only := flags.String("only", "", "be one of the processes: bare, or library with -model")
	model := flags.String("model", "", "the weights of -only library")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case *only == "bare":
		return bare(ctx)
	case *only == "library":
		return library(*model, *batches, out)
	case *only != "" || *rounds < 1 || *single < 1 || *batches < 1 || *clients < 1:
		return fmt.Errorf("-only %q, -rounds %d, -single %d, -batches %d, -clients %d: there is no such measurement", *only, *rounds, *single, *batches, *clients)
	}
	dir, err := os.MkdirTemp("", "fairstream-serve")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // it is temporary
	s := &study{dir: dir, single: *single, batches: *batches, clients: *clients}
	if err := s.prepare(ctx); err != nil {
		return err
	}
	defer s.stop()
	var found []result
	for range *rounds {
		r, err := s.round(ctx)
		if err != nil {
			return err
		}
		found = append(found, r)
	}
	report(out, found)
	return nil
}

// prepare builds the programs, learns the weights and starts the servers.
func (s *study) prepare(ctx context.Context) (err error) {
	s.program, s.self, s.model = filepath.Join(s.dir, "fairstream"), filepath.Join(s.dir, "study"), filepath.Join(s.dir, "weights.json")
	for _, command := range [][]string{
		{"go", "build", "-o", s.program, "github.com/fairstream/fairstream/cmd/fairstream"},
		{"go", "build", "-o", s.self, "github.com/fairstream/fairstream/bench/serve"},
		{s.program, "replay", "--input", "adult", "--save", s.model},
	} {
		if text, err := exec.CommandContext(ctx, command[0], command[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, text)
		}
	}
	if s.lines, err = lines(); err != nil {
		return err
	}
	if s.ours, err = start(ctx, s.program, "serve", "--model", s.model, "--address", "127.0.0.1:0"); err != nil {
		return err
	}
	s.bare, err = start(ctx, s.self, "-only", "bare")
	return err
}

// report prints medians over the rounds.
func report(out io.Writer, found []result) {
	over := func(f func(result) float64) (median, least, most float64) {
		values := make([]float64, len(found))
		for i, r := range found {
			values[i] = f(r)
		}
		slices.Sort(values)
		n := len(values)
		return (values[(n-1)/2] + values[n/2]) / 2, values[0], values[n-1]
	}
	p := func(format string, values ...any) {
		_, _ = fmt.Fprintf(out, format, values...) // what cannot be shown is not measured again
	}
	median := func(f func(result) float64) float64 { m, _, _ := over(f); return m }
	ratio := func(name string, f func(result) float64) float64 {
		m, least, most := over(f)
		p("%-42s %.2f (%.2f, %.2f)\n", name, m, least, most)
		return m
	}
	p("%d processors, medians of %d rounds\n\n", runtime.NumCPU(), len(found))
	p("%-22s %14s %20s\n", "one record a request", "p50, us", "processor, us/request")
	p("%-22s %14.0f %20.0f\n", "bare handler", median(func(r result) float64 { return r.bare.p50 }), median(func(r result) float64 { return r.bare.cpu }))
	p("%-22s %14.0f %20.0f\n", "fairstream serve", median(func(r result) float64 { return r.ours.p50 }), median(func(r result) float64 { return r.ours.cpu }))
	slow := ratio("fairstream / bare, p50 (least, most)", func(r result) float64 { return r.ours.p50 / r.bare.p50 })
	ratio("fairstream / bare, processor time", func(r result) float64 { return r.ours.cpu / r.bare.cpu })
	p("\n%-22s %14s %20s\n", "1,000 records", "decisions/s", "processor, us/record")
	for _, row := range []struct {
		name string
		of   func(result) rate
	}{{"pkg/document, parsed", func(r result) rate { return r.parsed }}, {"pkg/document, JSON", func(r result) rate { return r.text }},
		{"bare handler", func(r result) rate { return r.bareBatch }}, {"serve, one client", func(r result) rate { return r.batch }},
		{"serve, several", func(r result) rate { return r.several }}} {
		p("%-22s %14.0f %20.2f\n", row.name, median(func(r result) float64 { return row.of(r).perSecond }), median(func(r result) float64 { return row.of(r).cpu }))
	}
	ratio("one client / pkg/document, JSON", func(r result) float64 { return r.batch.perSecond / r.text.perSecond })
	text := ratio("several / pkg/document, JSON", func(r result) float64 { return r.several.perSecond / r.text.perSecond })
	parsed := ratio("several / pkg/document, parsed", func(r result) float64 { return r.several.perSecond / r.parsed.perSecond })
	kept := map[bool]string{true: "kept", false: "missed"}
	p("\np50 of one record at most %.1f times the bare handler's: %s; at least %.1f of the rate of pkg/document on records that are parsed: %s, on the same JSON: %s\n",
		mostTime, kept[slow <= mostTime], leastRate, kept[parsed >= leastRate], kept[text >= leastRate])
}
