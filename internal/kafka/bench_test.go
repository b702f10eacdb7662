package kafka

import (
	"context"
	"fmt"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// BenchmarkFetch reads records of some 240 bytes in 4 partitions from the real broker, which shares the processors, to
// the end: from the socket to a Record.
func BenchmarkFetch(b *testing.B) {
	const partitions, count = 4, 400_000
	for _, codec := range []string{"none", "lz4", "zstd"} {
		b.Run(codec, func(b *testing.B) {
			w := onReal(b)
			w.link.Config.CompressionType = codec
			topic := w.create(partitions)
			p, err := w.NewProducer(w.context(), topic, 0)
			w.must(err)
			for i := range count {
				w.must(p.Send(w.context(), &Message{Value: jsonLine(i)}))
			}
			w.must(p.Flush(w.context()))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			begin := cpuTime(b)
			b.ResetTimer()
			for range b.N {
				f, err := w.NewFetcher(FetchOptions{Topic: topic})
				w.must(err)
				for read := 0; read < count; {
					chunk, err := f.Next(w.context())
					w.must(err)
					records, err := chunk.Records(context.Background())
					w.must(err)
					read += len(records)
					chunk.Release()
				}
				f.Close()
			}
			b.StopTimer()
			runtime.ReadMemStats(&after)
			all := float64(b.N) * count
			b.ReportMetric(all/b.Elapsed().Seconds()/1e6, "Mrecords/s")
			b.ReportMetric(float64((cpuTime(b)-begin).Nanoseconds())/all, "cpu-ns/record")
			b.ReportMetric(float64(after.Mallocs-before.Mallocs)/all, "allocs/record")
		})
	}
}

// jsonLine is a record of a census, of some 240 bytes.
func jsonLine(i int) []byte {
	return fmt.Appendf(nil, `{"age":%d,"workclass":"Private","fnlwgt":%d,"education":"Some-college","education-num":10,"marital-status":"Married-civ-spouse",`+
		`"occupation":"Exec-managerial","relationship":"Husband","race":"White","sex":"Male","capital-gain":0,"income":">50K"}`, 17+i%70, i*37)
}

// cpuTime of this process.
func cpuTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
