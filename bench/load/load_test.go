package main

import (
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka"
)

// TestEveryReaderReadsTheSame: a reader that left records out would look fast.
func TestEveryReaderReadsTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: left out by -short")
	}
	b, err := devbroker.Start(devbroker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	l := load{brokers: b.Addresses()[0], records: 12_345, partitions: 3, compression: "lz4"}
	if l.client, err = kafka.Open(kafka.Config{Brokers: l.addresses(), CompressionType: l.compression}, kafka.Options{}); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.client.Close() }()
	for _, r := range allReaders() { // a topic that is full stays as it is
		if err := l.of(r).fill(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, r := range allReaders() {
		found, err := l.take(t.Context(), r)
		if err != nil || found.Records != l.records {
			t.Errorf("%s: %d records, %v", r.name, found.Records, err)
		}
		if (found.Learner > 0) != (r.name == timed.name) || found.Learner > found.CPU {
			t.Errorf("%s: %v on the goroutine that learns, of %v", r.name, found.Learner, found.CPU)
		}
	}
}

// TestShares: a sample counts for the first of its stages, and every sample for one.
func TestShares(t *testing.T) {
	stack := func(functions ...string) []*profile.Location {
		var locations []*profile.Location
		for _, name := range functions {
			locations = append(locations, &profile.Location{Line: []profile.Line{{Function: &profile.Function{Name: name}}}})
		}
		return locations
	}
	got := shares(&profile.Profile{Sample: []*profile.Sample{
		{Value: []int64{1, 30}, Location: stack("runtime.memmove", module+"internal/kafka/wire.RoundTrip", module+"internal/kafka.(*Fetcher).loop")},
		{Value: []int64{1, 50}, Location: stack("math.Log", module+"pkg/model.(*decisions).add", module+"pkg/model.(*Learner).Learn", module+"pkg/stream.(*learning).one")},
		{Value: []int64{1, 20}, Location: stack("runtime.futex")},
	}})
	for i, stage := range stages {
		want := map[string]float64{"fetch: requests, sockets": .3, "measuring, before learning": .5, "scheduler and the rest": .2}[stage.name]
		if got[i] != want {
			t.Errorf("%s: %v, want %v", stage.name, got[i], want)
		}
	}
}

const module = "github.com/fairstream/fairstream/"

func TestFigures(t *testing.T) {
	r := result{Records: 2000, Elapsed: time.Second / 2, CPU: time.Millisecond, Allocations: 100, PeakMemory: 3 << 20}
	if r.rate() != 4000 || r.cpuMicros() != .5 || r.allocations() != .05 || r.peakMiB() != 3 {
		t.Error(r.rate(), r.cpuMicros(), r.allocations(), r.peakMiB())
	}
	if median([]float64{1, 2, 9}) != 2 || median([]float64{1, 2, 4, 9}) != 3 || median([]float64{7}) != 7 {
		t.Error("median")
	}
}
