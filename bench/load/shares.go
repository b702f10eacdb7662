package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/google/pprof/profile"
)

// stage is a part of the way of a record. A sample belongs to the first stage of which one of the
// functions is on its stack.
type stage struct {
	name      string
	functions []string // parts of their names
}

// stages cover every sample: the last one takes what is left.
var stages = []stage{
	{"fetch: requests, sockets", []string{"internal/kafka.(*Client).fetch", "internal/kafka/wire.RoundTrip", "segmentio/kafka-go"}},
	{"batches: checksum, headers", []string{"internal/kafka/batches.NewChunks"}},
	{"batches: decompression", []string{"internal/kafka/batches.inflate"}},
	{"batches: records", []string{"internal/kafka/batches.(*recordsOf).decode"}},
	{"JSON to a record", []string{"pkg/record."}},
	{"record to a row", []string{"pkg/features.(*Learning)"}},
	{"measuring, before learning", []string{"pkg/model.(*decisions)", "pkg/model.(*predictions)"}},
	{"steps of the models", []string{"pkg/linear.(*Models).Margins", "pkg/linear.(*Models).Step"}},
	{"control: windows, interpolation weight", []string{"pkg/control."}},
	{"learner, the rest", []string{"pkg/model.(*Learner).Learn"}},
	{"hand-over, snapshots, weights", []string{"pkg/stream."}},
	{"garbage collection", []string{"runtime.gcBgMarkWorker", "runtime.bgsweep"}},
	{"scheduler and the rest", []string{""}},
}

func stageOf(s *profile.Sample) int {
	return slices.IndexFunc(stages, func(candidate stage) bool {
		return slices.ContainsFunc(candidate.functions, func(part string) bool {
			return part == "" || slices.ContainsFunc(s.Location, func(l *profile.Location) bool {
				return slices.ContainsFunc(l.Line, func(line profile.Line) bool { return strings.Contains(line.Function.Name, part) })
			})
		})
	})
}

// shares gives the share of the processor time of each stage.
func shares(p *profile.Profile) []float64 {
	const time = 1 // of a CPU profile's two values; the first is the number of samples
	found, sum := make([]float64, len(stages)), 0.
	for _, s := range p.Sample {
		found[stageOf(s)] += float64(s.Value[time])
		sum += float64(s.Value[time])
	}
	for i := range found {
		found[i] /= sum
	}
	return found
}

// printShares tells where the time of a profile went.
func printShares(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	p, err := profile.Parse(file)
	if err != nil {
		return err
	}
	fmt.Printf("\nprocessor time of fairstream in the last round, by stage\n")
	for i, share := range shares(p) {
		fmt.Printf("  %-30s %5.1f %%\n", stages[i].name, 100*share)
	}
	return nil
}
