// Package sums adds up what the weights of a row give under two models. Most of the time of a learner goes into such sums, so on amd64 two of them are
// taken at a time, one model's beside the other's. Results have the same bits everywhere.
//
// Files, in reading order:
//
//	sums.go         the sums, one number at a time
//	narrow.go       the sums of rows kept in little memory
//	pairs_amd64.go  two sums at a time, in pairs_amd64.s
//	pairs_other.go  no pairs, on processors other than amd64
//
// It imports nothing of the project.
package sums

// Numbers is how many numbers of a weight are added: two of each model.
const Numbers = 4

// Weights are where weights keep their numbers: those of weight j begin at Values[j·Stride + At].
type Weights struct {
	Values     []float64
	Stride, At int
}

// count is how many weights there are.
func (w *Weights) count() int {
	if len(w.Values) < w.At+Numbers {
		return 0
	}
	return (len(w.Values)-w.At-Numbers)/w.Stride + 1
}

// Row are the non-zeros of a row: the indices of their weights, and their values, none if all are 1.
type Row struct {
	Index []int32
	Value []float32
}

// Part is what a weight adds to two more sums, for each square of a value, while Of is the number that the sums are taken for.
type Part struct {
	Of   int64
	Left [2]float64
}

// Sums are those of x times each number of a weight, and of x² times its part.
type Sums struct {
	Of    [Numbers]float64
	Parts [2]float64
}

// Add adds the non-zeros of a row.
func (s *Sums) Add(w *Weights, r Row) {
	for i := s.addPairs(w, r); i < len(r.Index); i++ {
		s.one(w, r, i)
	}
}

// AddWith adds the non-zeros of a row from the i-th on with their parts, up to one whose part is of another number, or which has none. It returns
// how far it came.
func (s *Sums) AddWith(w *Weights, r Row, i int, parts []Part, number int64) (done int) {
	for i += s.addPairsWith(w, r, i, parts, number); i < len(r.Index); i++ {
		j := uint(r.Index[i])
		if j >= uint(len(parts)) || parts[j].Of != number {
			return i
		}
		s.AddOne(w, r, i, &parts[j])
	}
	return i
}

// AddOne adds the i-th non-zero of a row with a part.
func (s *Sums) AddOne(w *Weights, r Row, i int, part *Part) {
	x := s.one(w, r, i)
	s.part(part, float64(x*x))
}

// part adds x² times a part.
func (s *Sums) part(part *Part, x2 float64) {
	s.Parts[0] += float64(x2 * part.Left[0])
	s.Parts[1] += float64(x2 * part.Left[1])
}

// one adds the i-th non-zero, and returns its value.
func (s *Sums) one(w *Weights, r Row, i int) (x float64) {
	x = 1
	if i < len(r.Value) {
		x = float64(r.Value[i])
	}
	s.oneOf(w, int(r.Index[i]), x)
	return x
}

// oneOf adds x times the numbers of a weight.
func (s *Sums) oneOf(w *Weights, j int, x float64) {
	numbers := w.Values[j*w.Stride+w.At:][:Numbers]
	for k, number := range numbers {
		s.Of[k] += float64(number * x)
	}
}
