package waiting

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/fairstream/fairstream/internal/kafka"
)

// BenchmarkStore puts entries of 300 bytes, and joins and removes all of them, in a folder. What is for the changelog is dropped.
func BenchmarkStore(b *testing.B) {
	nothing := func(context.Context, int64, func(*kafka.Record) error) error { return nil }
	s, _, err := Open(b.Context(), Options{Folder: b.TempDir(), Job: "job", Topic: "waiting", Term: 1, Read: nothing}, Mark{})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	payload := make([]byte, 300)
	key := func(i int) []byte { return fmt.Appendf(nil, "application-%09d", (i*7919)%1_000_003) }
	b.Run("put", func(b *testing.B) {
		for i := range b.N {
			if _, err := s.Put(key(i), payload, int64(i)); err != nil {
				b.Fatal(err)
			}
			s.letter = mail{}
		}
	})
	b.Run("join", func(b *testing.B) {
		for i := range b.N {
			_, of, found, err := s.Get(key(i))
			if err != nil {
				b.Fatal(err)
			}
			if found {
				err = s.Remove(key(i), of)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkRefill fills a folder again from a changelog of 300,000 entries.
func BenchmarkRefill(b *testing.B) {
	const entries = 300_000
	payload := make([]byte, 300)
	read := func(_ context.Context, _ int64, use func(*kafka.Record) error) error {
		for i := range entries {
			e := entry{int64(i), fmt.Appendf(nil, "application-%09d", (i*7919)%1_000_003), payload}
			if err := use(&kafka.Record{Key: append([]byte("job\x00"), entryKey(nil, id{int64(i) + 1, 1})...), Value: e.append(nil)}); err != nil {
				return err
			}
		}
		return nil
	}
	for b.Loop() {
		mark := Mark{Number: entries, Epoch: 1, Entries: entries, Lineage: []Stretch{{1, entries, 1}}}
		s, how, err := Open(b.Context(), Options{Folder: b.TempDir(), Job: "job", Topic: "waiting", End: math.MaxInt64, Term: 2, Read: read}, mark)
		if err != nil || how.Lost != 0 {
			b.Fatal(err, how)
		}
		_ = s.Close()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/entries, "ns/entry")
}
