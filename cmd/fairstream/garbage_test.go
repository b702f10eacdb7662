package main

import "testing"

// A heap grows by a quarter, a large one by 32 MiB, and a very large one by 8 percent.
func TestGarbageOf(t *testing.T) {
	for live, want := range map[uint64]int{0: 25, 1 << 20: 25, 128 << 20: 25, 160 << 20: 20, 256 << 20: 12, 400 << 20: 8, 64 << 30: 8} {
		if got := garbageOf(live); got != want {
			t.Errorf("of %d bytes, %d percent, want %d", live, got, want)
		}
	}
}
