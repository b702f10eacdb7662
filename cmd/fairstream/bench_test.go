package main

import (
	"bytes"
	"context"
	"io"
	"syscall"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/replay"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// adultFile returns the bundled records as a file in memory.
func adultFile(tb testing.TB, format record.Format) []byte {
	tb.Helper()
	text, err := io.ReadAll(adult.Open())
	if err != nil {
		tb.Fatal(err)
	}
	if format == record.CSV {
		return text
	}
	reader, err := record.NewReader(bytes.NewReader(text), record.CSV, record.Limits{})
	if err != nil {
		tb.Fatal(err)
	}
	var lines []byte
	for err = reader.Next(); err == nil; err = reader.Next() {
		lines = append(reader.AppendJSON(lines), '\n')
	}
	if err != io.EOF {
		tb.Fatal(err)
	}
	return lines
}

// BenchmarkReplay is the whole of what replay does for a record: read, decode, measure, learn. One
// operation is one record. Run it with -cpu 1: it is a promise about one core.
func BenchmarkReplay(b *testing.B) {
	for _, format := range []record.Format{record.CSV, record.JSONLines} {
		text := adultFile(b, format)
		for _, mode := range []model.Mode{model.Adaptive, model.Unconstrained} {
			b.Run(string(format)+"/"+string(mode), func(b *testing.B) {
				c := replay.BundledConfig().Model()
				c.Learner.Mode = mode
				benchmarkPass(b, c, text, format, true)
			})
		}
	}
}

// BenchmarkRead is the same without learning: what remains is what BenchmarkReplay spends on learning.
func BenchmarkRead(b *testing.B) {
	for _, format := range []record.Format{record.CSV, record.JSONLines} {
		text := adultFile(b, format)
		b.Run(string(format), func(b *testing.B) {
			benchmarkPass(b, replay.BundledConfig().Model(), text, format, false)
		})
	}
}

func benchmarkPass(b *testing.B, c model.Config, text []byte, format record.Format, learns bool) {
	learner, err := model.New(c)
	if err != nil {
		b.Fatal(err)
	}
	schema, err := c.Schema()
	if err != nil {
		b.Fatal(err)
	}
	left := b.N
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	b.ReportAllocs()
	b.SetBytes(int64(len(text)) / adult.Records)
	b.ResetTimer()
	began := processorTime()
	for left > 0 {
		p := &input.Pass{
			Source: input.Source{Name: "memory", Open: func(as record.Config) (input.Rows, error) {
				return record.NewReader(bytes.NewReader(text), format, as.Limits)
			}},
			Schema:   schema,
			Labelled: true,
			Each: func(rec *record.Record) {
				if learns {
					learner.Learn(rec)
				}
				if left--; left == 0 {
					cancel()
				}
			},
			Reject: func(rejection *record.Rejection) { b.Fatal(rejection) },
		}
		if err := p.Open(); err != nil {
			b.Fatal(err)
		}
		if err := p.Run(ctx); err != nil && left > 0 {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "records/s")
	b.ReportMetric(float64((processorTime()-began).Nanoseconds())/float64(b.N), "cpu-ns/op")
}

// processorTime is that of the process so far, of all its threads.
func processorTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
