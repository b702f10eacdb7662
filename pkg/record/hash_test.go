package record_test

import (
	"testing"

	"github.com/twmb/murmur3"

	"github.com/fairstream/fairstream/pkg/record"
)

// TestHashOfPart holds the hash of short texts, alone and within longer ones, to the library's.
func TestHashOfPart(t *testing.T) {
	bytes := make([]byte, 64)
	for i := range bytes {
		bytes[i] = byte(255 - 41*i)
	}
	for start := range len(bytes) {
		for end := start; end <= len(bytes); end++ {
			want := murmur3.Sum64(bytes[start:end])
			if got := record.Hash(bytes[start:end]); got != want {
				t.Fatalf("the bytes %d to %d of %d hash to %x instead of %x", start, end, len(bytes), got, want)
			}
			if got := record.Hash(bytes[start:end:end]); got != want {
				t.Fatalf("the bytes %d to %d, alone, hash to %x instead of %x", start, end, got, want)
			}
		}
	}
}

// TestMix holds the finaliser to the numbers that docs/document.md prints for other languages.
func TestMix(t *testing.T) {
	if got := record.Mix(3, record.Hash([]byte("Married-civ-spouse"))); got != 0x97926eaa907627b2 {
		t.Errorf("got %#x", got)
	}
}
