package chance

import (
	"math"
	"testing"
)

// TestNoSurprise: where all are alike, or there is nobody, nothing can be told.
func TestNoSurprise(t *testing.T) {
	for _, share := range []float64{0, 1, 0.5} {
		if got := OfShares(share, share, 10, 20); got > 0 || math.IsNaN(got) {
			t.Errorf("two shares of %v: %v", share, got)
		}
	}
	if s, d, most := OfClasses(map[string]int{}, map[string]int{"a": 9}); s != 0 || d != 0 || most != "" {
		t.Errorf("of nobody: %v, %v, %q", s, d, most)
	}
	if s, d, most := OfClasses(map[string]int{"a": 9}, nil); s != 0 || d != 0 || most != "" {
		t.Errorf("of nobody on the other side: %v, %v, %q", s, d, most)
	}
	if s, d, most := OfClasses(map[string]int{"a": 90}, map[string]int{"a": 10}); s != 0 || d != 0 || most != "" {
		t.Errorf("of one class: %v, %v, %q", s, d, most)
	}
	if s, d, most := OfClasses(map[string]int{"a": 2, "b": 1}, map[string]int{"a": 1, "b": 2}); s != 0 || math.Abs(d-1./3) > 1e-12 || most != "a" {
		t.Errorf("of classes that are all rare: %v, %v, %q", s, d, most)
	}
	if s, d, _ := OfNumbers([]float64{1, 1, 2}, []float64{1, 1, 2}); s != 0 || d != 0 {
		t.Errorf("of the same numbers: %v, %v", s, d)
	}
}
