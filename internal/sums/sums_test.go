package sums

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"
)

// example are random weights, a row, and the parts of some of its weights, of which number is that of most.
func example(random *rand.Rand, number int64) (w Weights, r Row, parts []Part) {
	const weights = 20
	w = Weights{Stride: 6 + random.IntN(3), At: 2}
	for range weights * w.Stride {
		w.Values = append(w.Values, random.NormFloat64())
	}
	for range random.IntN(12) {
		r.Index = append(r.Index, int32(random.IntN(weights)))
	}
	if random.IntN(2) == 0 {
		for range r.Index {
			r.Value = append(r.Value, float32(random.NormFloat64()))
		}
	}
	for range random.IntN(weights + 1) {
		parts = append(parts, Part{Of: number - int64(random.IntN(8)/7), Left: [2]float64{random.NormFloat64(), random.NormFloat64()}})
	}
	return w, r, parts
}

// TestPairsHaveTheSameBits: sums taken together are those that are taken one by one, and end where a part is of another number or is not there.
func TestPairsHaveTheSameBits(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		const number = 7
		w, r, parts := example(random, number)
		var together, single, with Sums
		together.Add(&w, r)
		spare := Part{Of: number, Left: [2]float64{math.Pi, -1}}
		for i := range r.Index {
			part, there := &spare, false
			if j := int(r.Index[i]); j < len(parts) && parts[j].Of == number {
				part, there = &parts[j], true
			}
			single.AddOne(&w, r, i, part)
			if there != (new(Sums).AddWith(&w, Row{r.Index[:i+1], values(r, i+1)}, i, parts, number) == i+1) {
				t.Fatalf("row %+v, non-zero %d, parts %+v", r, i, parts)
			}
		}
		for i := 0; i < len(r.Index); i++ {
			if i = with.AddWith(&w, r, i, parts, number); i < len(r.Index) {
				with.AddOne(&w, r, i, &spare)
			}
		}
		if together.Of != single.Of || with != single {
			t.Fatalf("row %+v: %+v and %+v, and one by one %+v", r, together, with, single)
		}
	}
}

// TestNarrowRows: a row in little memory is added as the same row is, and stops at the same non-zeros. Rows of many non-zeros have several blocks of marks.
func TestNarrowRows(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 5000 {
		const number = 7
		w, r, parts := example(random, number)
		for k := random.IntN(2) * random.IntN(150); len(r.Index) < k; {
			r.Index = append(r.Index, int32(random.IntN(20)))
			if len(r.Value) > 0 {
				r.Value = append(r.Value, float32(random.NormFloat64()))
			}
		}
		for i := range r.Value {
			if random.IntN(3) == 0 {
				r.Value[i] = 1
			}
		}
		var narrow Narrow
		var marks [32]byte
		for i, j := range r.Index {
			narrow.Index = binary.LittleEndian.AppendUint16(narrow.Index, uint16(j))
			if i < len(r.Value) && r.Value[i] != 1 {
				marks[i/8] |= 1 << (i % 8)
				narrow.Values = binary.LittleEndian.AppendUint32(narrow.Values, math.Float32bits(r.Value[i]))
			}
		}
		if len(narrow.Values) > 0 {
			size := (len(r.Index) + 7) / 8
			for i := size; i < len(marks); i++ { // where other bytes follow in memory
				marks[i] = byte(random.Uint32())
			}
			narrow.Marks = marks[: size : size+random.IntN(len(marks)-size+1)]
		}
		spare := Part{Of: number, Left: [2]float64{math.Pi, -1}}
		var one, other Sums
		for i := 0; ; {
			i = one.AddWith(&w, r, i, parts, number)
			if all := other.AddNarrow(&w, &narrow, parts, number); narrow.Done() != i || one != other || all != (i == len(r.Index)) {
				t.Fatalf("row %+v: %d non-zeros, %+v, and in little memory %d, %+v", r, i, one, narrow.Done(), other)
			}
			if i == len(r.Index) {
				break
			}
			if narrow.Next() != int(r.Index[i]) {
				t.Fatalf("row %+v: after %d non-zeros comes %d", r, i, narrow.Next())
			}
			if j := int(r.Index[i]); j < len(parts) {
				parts[j] = spare
				continue
			}
			one.AddOne(&w, r, i, &spare) // a weight without a part: the rest is added otherwise
			break
		}
	}
}

func values(r Row, n int) []float32 { return r.Value[:min(n, len(r.Value))] }

// TestWeightThatDoesNotExist: an index beyond the weights is one beyond a slice.
func TestWeightThatDoesNotExist(t *testing.T) {
	for _, index := range [][]int32{{0, 1, 2, 3}, {0, -1}, {4}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("the weights %v, of which there are 3, were added", index)
				}
			}()
			new(Sums).Add(&Weights{Values: make([]float64, 18), Stride: 6, At: 2}, Row{Index: index})
		}()
	}
	for _, narrow := range []Narrow{{Index: []byte{3, 0}}, {Index: []byte{0, 0}, Marks: []byte{1}}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("the row %+v was added", narrow)
				}
			}()
			new(Sums).AddNarrow(&Weights{Values: make([]float64, 18), Stride: 6, At: 2}, &narrow, make([]Part, 4), 0)
		}()
	}
}

func BenchmarkAddWith(b *testing.B) {
	w, r := Weights{Values: make([]float64, 6*500), Stride: 6, At: 2}, Row{}
	parts := make([]Part, 500)
	for i := range 22 {
		r.Index, r.Value = append(r.Index, int32(i*21)), append(r.Value, 1)
	}
	for b.Loop() {
		var s Sums
		s.AddWith(&w, r, 0, parts, 0)
	}
}

func BenchmarkOneByOne(b *testing.B) {
	w, r := Weights{Values: make([]float64, 6*500), Stride: 6, At: 2}, Row{}
	parts := make([]Part, 500)
	for i := range 22 {
		r.Index, r.Value = append(r.Index, int32(i*21)), append(r.Value, 1)
	}
	for b.Loop() {
		var s Sums
		for i := range r.Index {
			s.AddOne(&w, r, i, &parts[r.Index[i]])
		}
	}
}

// TestCountOfWeights: as many as have all their numbers.
func TestCountOfWeights(t *testing.T) {
	for _, c := range []struct{ values, stride, at, want int }{
		{0, 4, 0, 0}, {3, 4, 0, 0}, {4, 4, 0, 1}, {7, 4, 0, 1}, {8, 4, 0, 2}, {5, 6, 2, 0}, {6, 6, 2, 1}, {11, 6, 2, 1}, {12, 6, 2, 2}, {18, 6, 2, 3},
	} {
		if w := (Weights{make([]float64, c.values), c.stride, c.at}); w.count() != c.want {
			t.Errorf("%+v: %d", c, w.count())
		}
	}
}
