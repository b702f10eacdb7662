package features

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// A row of any length, with any of its values other than 1 and with narrow or wide indices, is unpacked as it was.
func TestPackedRowsOfAnyLength(t *testing.T) {
	source := rand.New(rand.NewPCG(3, 5))
	var slab Slab
	var p Packed
	var got Row
	for n := range 140 {
		for _, largest := range []int32{1 << 16, 1 << 20} {
			for _, share := range []float64{0, .1, .9, 1} {
				row := Row{}
				for range n {
					row.Index = append(row.Index, source.Int32N(largest))
					row.Value = append(row.Value, 1)
				}
				for i := range row.Value {
					if source.Float64() < share {
						row.Value[i] = source.Float32()
					}
				}
				p.Pack(&row, &slab)
				p.Unpack(&got)
				got.Spell()
				if !slices.Equal(got.Index, row.Index) || !slices.Equal(got.Value, row.Value) {
					t.Fatalf("%d non-zeros below %d, %v of them not 1: %v, want %v", n, largest, share, got, row)
				}
			}
		}
	}
}

// BenchmarkPacked packs a row and unpacks it three times, as a window does: 21 non-zeros as of Adult, of which a few are numbers, and 500 numbers.
func BenchmarkPacked(b *testing.B) {
	for _, test := range []struct{ nonZeros, numbers int }{{21, 5}, {500, 499}} {
		b.Run(fmt.Sprint(test.nonZeros), func(b *testing.B) {
			row := Row{}
			for i := range test.nonZeros {
				row.Index, row.Value = append(row.Index, int32(7*i)), append(row.Value, 1)
				if i >= test.nonZeros-test.numbers {
					row.Value[i] = .5
				}
			}
			var slab Slab
			var p Packed
			var to Row
			for b.Loop() {
				p.Pack(&row, &slab)
				for range 3 {
					p.Unpack(&to)
				}
			}
		})
	}
}
