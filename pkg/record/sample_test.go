package record_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

func TestASampleIsAShareAndGrows(t *testing.T) {
	counts := map[float64]int{}
	for n := range 20_000 {
		place := []byte{byte(n), byte(n >> 8), 7}
		last := false
		for _, share := range []float64{0.01, 0.1, 0.5, 1} {
			in := record.Sampled(share, place)
			if last && !in {
				t.Fatalf("a larger sample lacks %v", place)
			}
			if last = in; in {
				counts[share]++
			}
		}
	}
	for share, n := range counts {
		if expected := share * 20_000; math.Abs(float64(n)-expected) > 4*math.Sqrt(expected) {
			t.Errorf("share %v: %d records", share, n)
		}
	}
}

// TestTheSampleStaysTheSame: which of the keys customer-0 to customer-63 are in a quarter, as a program in another language finds it.
// Shadows, releases and clients in other languages decide by the same sample, so it never changes.
func TestTheSampleStaysTheSame(t *testing.T) {
	var sample uint64
	for i := range 64 {
		if record.Sampled(0.25, fmt.Append(nil, "customer-", i)) {
			sample |= 1 << i
		}
	}
	if want := uint64(0x8114906000412042); sample != want {
		t.Errorf("the sample is %#x, want %#x", sample, want)
	}
	if record.Sampled(0, []byte("customer-0")) || !record.Sampled(1, nil) {
		t.Error("the shares 0 and 1 are not nobody and everybody")
	}
}
