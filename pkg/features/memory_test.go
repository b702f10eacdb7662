package features

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestFilling: a row that remembered texts are written to, between other non-zeros, is the one to which all are added one by one, in the same memory
// again and again. Values are written out as soon as one of them is not 1, or is that of a standardized number.
func TestFilling(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	var filled Row
	for range 5000 {
		var want Row
		filled.Empty()
		if random.IntN(8) == 0 {
			filled = Row{}
		}
		to, texts := filling{row: &filled}, random.IntN(20)
		numbers := random.IntN(2) == 0
		for left := texts; left > 0; left-- {
			if random.IntN(3) == 0 {
				to.end()
				value := 1.0
				if numbers && random.IntN(4) == 0 {
					value = float64(float32(random.NormFloat64()))
				}
				for range random.IntN(6) { // a text that is not remembered may have more non-zeros
					j := random.Int32N(100)
					filled.Add(j, value)
					want.Add(j, value)
				}
				continue
			}
			known := remembered{first: 1, count: int8(random.IntN(fewWeights + 1))}
			for i := range known.weights {
				known.weights[i] = random.Int32N(100)
			}
			if known.scaled = numbers && known.count > 0 && random.IntN(3) == 0; known.scaled {
				known.first = float32(random.IntN(3))
			}
			if !to.open {
				to.fill(left)
			}
			to.add(&known)
			if known.scaled {
				want.Spell()
				want.Index, want.Value = append(want.Index, known.weights[0]), append(want.Value, known.first)
				if len(want.Index) != len(want.Value) {
					t.Fatal("a row without its values")
				}
				known.weights = [fewWeights]int32(append(known.weights[1:], 0))
				known.count--
			}
			for _, j := range known.weights[:known.count] {
				want.Add(j, 1)
			}
		}
		to.end()
		if !slices.Equal(filled.Index, want.Index) || !slices.Equal(filled.Value, want.Value) {
			t.Fatalf("%+v, want %+v", filled, want)
		}
	}
}
