package features

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestBinsAreCountedEdges: the bin of a number is how many edges are not above it, however many edges there are.
func TestBinsAreCountedEdges(t *testing.T) {
	for count := range 82 {
		b := Binning{}
		for i := range count {
			b.Edges = append(b.Edges, float64(2*i))
		}
		for x := -1.; x <= float64(2*count); x++ {
			if got, want := int(b.find(x)), min(count, int(x+2)/2); got != want {
				t.Fatalf("of %d edges: %v lies in bin %d, not %d", count, x, got, want)
			}
		}
		if low, high := b.find(math.Inf(-1)), b.find(math.Inf(1)); low != 0 || int(high) != count {
			t.Fatalf("of %d edges: the least number lies in bin %d, the largest in %d", count, low, high)
		}
	}
}

// bounds returns the half-open interval of a fine bin.
func (b *Binning) bounds(i int) (lower, upper float64) {
	lower, upper = math.Inf(-1), math.Inf(1)
	if i > 0 {
		lower = b.Edges[i-1]
	}
	if i < len(b.Edges) {
		upper = b.Edges[i]
	}
	return lower, upper
}

// samples are shapes that real columns have.
func samples(random *rand.Rand) map[string][]float64 {
	draw := func(n int, f func(i int) float64) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = f(i)
		}
		return x
	}
	return map[string][]float64{
		"one":      {3},
		"two":      {1, 2},
		"constant": draw(500, func(int) float64 { return .1 }),
		"binary":   draw(500, func(i int) float64 { return float64(i % 2) }),
		"normal":   draw(1000, func(int) float64 { return random.NormFloat64() }),
		"integers": draw(1000, func(int) float64 { return float64(random.IntN(70) + 17) }),
		"few":      draw(1000, func(int) float64 { return float64(random.IntN(5)) }),
		"zero-inflated": draw(1000, func(i int) float64 {
			if i%10 > 0 {
				return 0
			}
			return math.Exp(8 + random.NormFloat64())
		}),
		"minus zero":   draw(100, func(i int) float64 { return math.Copysign(0, float64(i%2)-.5) }),
		"two spikes":   draw(1000, func(i int) float64 { return []float64{40, 40, 50, float64(random.IntN(100))}[i%4] }),
		"neighbours":   draw(300, func(i int) float64 { return math.Nextafter(1, float64(i%3)) }),
		"extremes":     draw(300, func(i int) float64 { return []float64{-largestNumber, largestNumber, 0, 1e-300}[i%4] }),
		"heavy-tailed": draw(2000, func(int) float64 { return 1 / (random.Float64() + 1e-9) }),
		"33 values":    draw(3300, func(i int) float64 { return float64(i % 33) }),
		"31 values":    draw(3100, func(i int) float64 { return float64(i % 31) }),
	}
}

func TestBins(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for name, sample := range samples(random) {
		t.Run(name, func(t *testing.T) {
			b := newBinning(slices.Clone(sample))
			checkBins(t, &b, sample, random)
		})
	}
}

// checkBins states what bins are: a cut of the real line in which every number has exactly one place.
func checkBins(t *testing.T, b *Binning, sample []float64, random *rand.Rand) {
	t.Helper()
	if !slices.IsSorted(b.Edges) || len(slices.Compact(slices.Clone(b.Edges))) != len(b.Edges) {
		t.Fatalf("edges do not ascend: %v", b.Edges)
	}
	if len(b.Coarse) != len(b.Edges)+1 || len(b.Single) != len(b.Coarse) || int(b.count()) != len(b.Coarse) {
		t.Fatalf("%d edges, %d bins", len(b.Edges), b.count())
	}
	for _, e := range b.Edges {
		if math.IsInf(e, 0) || math.IsNaN(e) {
			t.Errorf("an edge is %v, which JSON cannot hold", e)
		}
	}
	for _, c := range b.Coarse {
		if c < 0 || c >= b.coarseCount() {
			t.Errorf("coarse bin %d of %d", c, b.coarseCount())
		}
	}
	numbers := append([]float64{math.Inf(-1), math.Inf(1), 0, math.SmallestNonzeroFloat64}, sample...)
	for _, e := range b.Edges {
		numbers = append(numbers, e, math.Nextafter(e, math.Inf(-1)), math.Nextafter(e, math.Inf(1)))
	}
	for range 100 {
		numbers = append(numbers, random.NormFloat64()*100)
	}
	for _, x := range numbers {
		places := 0
		for i := range int(b.count()) {
			if lower, upper := b.bounds(i); lower <= x && (x < upper || math.IsInf(upper, 1)) {
				places++
				if int(b.find(x)) != i {
					t.Errorf("%v is found in bin %d and lies in %d", x, b.find(x), i)
				}
			}
		}
		if places != 1 {
			t.Errorf("%v lies in %d bins", x, places)
		}
	}
	counts := map[float64]int{}
	for _, x := range sample {
		counts[x+0]++ // +0 and −0 are one value
	}
	for x, n := range counts {
		bin := int(b.find(x))
		if heavy := n*fineBins > len(sample); heavy != b.Single[bin] {
			t.Errorf("%v makes up %d of %d: in a bin of its own: %t", x, n, len(sample), b.Single[bin])
		}
		if lower, upper := b.bounds(bin); b.Single[bin] && (lower != x || math.Nextafter(lower, math.Inf(1)) != upper) {
			t.Errorf("the bin of %v reaches from %v to %v", x, lower, upper)
		}
	}
	for i := range b.Coarse {
		for k := range b.Coarse[:i] {
			if b.Single[i] && b.Coarse[i] == b.Coarse[k] {
				t.Errorf("the bin %d of a single value shares its coarse bin with %d", i, k)
			}
			if !b.Single[i] && !b.Single[k] && b.Coarse[k] > b.Coarse[i] {
				t.Errorf("coarse bins do not ascend: %v", b.Coarse)
			}
		}
	}
}

// What is left after the frequent values is cut at quantiles, evenly.
func TestBinsAreQuantiles(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, name := range []string{"normal", "heavy-tailed", "zero-inflated"} {
		sample := samples(random)[name]
		b := newBinning(slices.Clone(sample))
		counts := make([]int, b.count())
		light := 0
		for _, x := range sample {
			counts[b.find(x)]++
			if !b.Single[b.find(x)] {
				light++
			}
		}
		quantiles := 0
		for i := range counts {
			if !b.Single[i] && counts[i] > 0 {
				quantiles++
			}
		}
		if quantiles < fineBins-3 {
			t.Errorf("%s: only %d bins for the values that are not frequent", name, quantiles)
		}
		for i, n := range counts {
			if even := light / quantiles; !b.Single[i] && n > 2*even+1 {
				t.Errorf("%s: bin %d holds %d values, an even share is %d", name, i, n, even)
			}
		}
	}
}

func TestRepeats(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for name, want := range map[string]bool{
		"constant": false, "normal": false, "heavy-tailed": false, "one": false, // nothing comes twice but what is heavy
		"integers": true, "33 values": true,
	} {
		sample := samples(random)[name]
		b := newBinning(sample)
		if got := b.repeats(sample); got != want {
			t.Errorf("%s: repeats: %t", name, got)
		}
	}
	// Of values without a bin of their own, a quarter must come more than once; others do not count.
	b := Binning{Edges: []float64{100, math.Nextafter(100, 101)}, Coarse: []int32{0, 1, 2}, Single: []bool{false, true, false}}
	for want, all := range map[bool][][]float64{
		true:  {{1, 1, 2, 3, 4, 5, 6, 7}, {1, 2, 3, 4, 5, 6, 7, 7}, {1, 1, 2, 3, 4, 5, 6, 7, 100, 100, 100}, {1, 1}},
		false: {{1, 1, 2, 3, 4, 5, 6, 7, 8}, {1, 2, 3, 4, 5, 6, 7, 8, 8}, {1, 2, 3, 4, 5, 6, 7, 8, 100, 100, 100}, {1}, {100, 100}, {}},
	} {
		for _, sample := range all {
			if got := b.repeats(sample); got != want {
				t.Errorf("%v: repeats: %t", sample, got)
			}
		}
	}
}

func TestBinsInWords(t *testing.T) {
	b := newBinning([]float64{0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
		27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60})
	for x, want := range map[float64]string{-1: "< 0", 0: "= 0", .5: "(0, 2)", 30: "[30, 31)", 100: ">= 59"} {
		i := int(b.find(x))
		if got := b.words(i, i); got != want {
			t.Errorf("the bin of %v is called %q, not %q", x, got, want)
		}
	}
	constant := newBinning([]float64{7, 7, 7})
	for x, want := range map[float64]string{6: "< 7", 7: "= 7", 8: "> 7"} {
		i := int(constant.find(x))
		if got := constant.words(i, i); got != want {
			t.Errorf("the bin of %v is called %q, not %q", x, got, want)
		}
	}
}
