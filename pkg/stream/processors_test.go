package stream

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"time"
)

// TestDecodersAndDelaysChangeNothing: what a job learns of a partition depends neither on how far decoders are ahead of the learner, nor on how many there
// are, nor on the number of processors.
func TestDecodersAndDelaysChangeNothing(t *testing.T) {
	lines := adultLines()[:2500]
	want := plain(t, lines)
	for i, processors := range []int{1, 2, 4, 4} {
		world := newWorld(1)
		world.Put(testTopics.Input, 0, lines...)
		options := testOptions()
		options.Decoders, options.Beside.Parcel = []int{1, 2, 3, 4}[i], []int{0, 7, 60, 200}[i]
		random := rand.New(rand.NewPCG(71, uint64(i)))
		options.Look = func([]byte) bool {
			if random.IntN(40) == 0 {
				time.Sleep(time.Duration(random.IntN(100)) * time.Microsecond)
			}
			return true
		}
		func() {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
			run(t, world, options)
		}()
		if got := newest(t, world); got.WeightsSHA256 != want.WeightsSHA256 || got.Version != int64(len(lines)) {
			t.Errorf("%d processors, %d decoders: published %s at %d, want %s", processors, options.Decoders, got.WeightsSHA256, got.Version, want.WeightsSHA256)
		}
	}
}
