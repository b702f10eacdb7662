package waiting

import (
	"context"
	"fmt"
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
