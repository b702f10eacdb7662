package features

import "github.com/fairstream/fairstream/internal/codec"

// Intercept is the index of the weight that every row has.
const Intercept int32 = 0

// Row is one encoded record: the non-zeros of its feature vector. An index comes twice only if two texts of the record
// share a weight by hash.
type Row struct {
	// Index has the index of a weight for each non-zero.
	Index []int32
	// Value is as long as Index, or empty if all values are 1. Single precision halves what a window of rows takes.
	Value []float32
}

// At returns the i-th value.
func (r *Row) At(i int) float64 {
	if len(r.Value) == 0 {
		return 1
	}
	return float64(r.Value[i])
}

// Add adds a non-zero, rounded to single precision. An index that came before counts once more.
func (r *Row) Add(index int32, value float64) {
	if value != 1 || len(r.Value) > 0 {
		r.Spell()
		r.Value = append(r.Value, float32(value))
	}
	r.Index = append(r.Index, index)
}

// Spell writes out the ones that an empty Value stands for.
func (r *Row) Spell() {
	for len(r.Value) < len(r.Index) {
		r.Value = append(r.Value, 1)
	}
}

// Fields codes the row. Its indices must be below size. Indices are written as differences, which are small.
func (r *Row) Fields(c *codec.Coder, size int32) {
	n := c.Length(len(r.Index), 1)
	if c.Reading() {
		r.Index, r.Value = nil, nil
	}
	last := int64(0)
	for i := range n {
		if c.Reading() {
			r.Index = append(r.Index, 0)
		}
		difference := int64(r.Index[i]) - last
		c.Int(&difference)
		last += difference
		if c.Check(last >= 0 && last < int64(size)); c.Err() != nil {
			*r = Row{}
			return
		}
		r.Index[i] = int32(last)
	}
	spelt := len(r.Value) > 0
	c.Bool(&spelt)
	for i := range n {
		if !spelt || c.Err() != nil {
			return
		}
		if c.Reading() {
			r.Value = append(r.Value, 0)
		}
		c.Single(&r.Value[i])
	}
}

// Empty removes all non-zeros, and keeps the memory.
func (r *Row) Empty() {
	r.Index = r.Index[:0]
	r.Value = r.Value[:0]
}

// fewWeights is how many weights of one text are remembered at most: the number itself, a bin, its coarse bin and a level.
const fewWeights = 4
