package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// Garbage is collected when the heap has grown by mostGarbage percent, if GOGC does not say: a quarter of what Go takes. Most of a large heap
// are the windows of recent records, which live long and hold few pointers, so that it takes hardly any time to collect it more often
// (research/performance.md): it grows by garbageBytes only, or by leastGarbage percent if that is more. A small heap grows by a quarter all the
// time: idleBytes that nobody touches, and which so take no memory, count as a part of it.
const (
	mostGarbage  = 25
	leastGarbage = 5
	garbageBytes = 16 << 20
	idleBytes    = 32 << 20
)

// collectSooner sets how often garbage is collected, and returns what must stay alive for it.
func collectSooner() (idle []byte) {
	if os.Getenv("GOGC") != "" {
		return nil
	}
	debug.SetGCPercent(mostGarbage)
	idle = make([]byte, idleBytes)
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64-idleBytes { // GOMEMLIMIT, to which they would count, too
		debug.SetMemoryLimit(limit + idleBytes)
	}
	live, percent := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}, mostGarbage
	afterEach(func() {
		metrics.Read(live)
		if now := garbageOf(live[0].Value.Uint64()); now != percent {
			percent = now
			debug.SetGCPercent(percent)
		}
	})
	return idle
}

// garbageOf is by how many percent a heap may grow of which so many bytes are alive.
func garbageOf(live uint64) int {
	return int(min(mostGarbage, max(leastGarbage, 100*garbageBytes/max(1, live))))
}

// afterEach has something done after each collection of garbage.
func afterEach(do func()) {
	runtime.SetFinalizer(&[1]*byte{}, func(*[1]*byte) {
		do()
		afterEach(do)
	})
}
