package main

import "testing"

// A heap grows by a quarter, a large one by 16 MiB, and a very large one by 5 percent.
func TestGarbageOf(t *testing.T) {
	for live, want := range map[uint64]int{0: 25, 1 << 20: 25, 64 << 20: 25, 80 << 20: 20, 256 << 20: 6, 320 << 20: 5, 64 << 30: 5} {
		if got := garbageOf(live); got != want {
			t.Errorf("of %d bytes, %d percent, want %d", live, got, want)
		}
	}
}
