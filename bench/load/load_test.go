package main

import (
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka"
)

// TestEveryReaderReadsTheSame: a reader that left records out would look fast.
func TestEveryReaderReadsTheSame(t *testing.T) {
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
	for range 2 { // a topic that is full stays as it is
		if err := l.fill(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range readers {
		found, err := measure(func() (int64, error) { return r.read(&l, t.Context()) })
		if err != nil || found.Records != l.records {
			t.Errorf("%s: %d records, %v", r.name, found.Records, err)
		}
	}
}

func TestFigures(t *testing.T) {
	r := result{Records: 2000, Elapsed: time.Second / 2, CPU: time.Millisecond, Allocations: 100, PeakMemory: 3 << 20}
	if r.rate() != 4000 || r.cpuMicros() != .5 || r.allocations() != .05 || r.peakMiB() != 3 {
		t.Error(r.rate(), r.cpuMicros(), r.allocations(), r.peakMiB())
	}
	if median([]float64{1, 2, 9}) != 2 || median([]float64{1, 2, 4, 9}) != 3 || median([]float64{7}) != 7 {
		t.Error("median")
	}
}
