package model

import "math"

// candidates are levels that have no weight yet and must earn it: the repeated values of a numeric column,
// which its bins already speak for, and the combinations of a cross, which the columns do. Such a level gets
// a weight of its own once the residuals of its records (label less probability, before the record is learnt)
// show that what is there already does not do: once their sum is earnedDeviations standard deviations from
// zero, the score test of a weight (Rao 1948; Cox and Hinkley, Theoretical Statistics, 1974, sec. 9.3). Weights
// that say nothing would cost accuracy: on noisy data nearly .01 of error (docs/learner.md).
//
// Sums are kept in a table of fixed size. Candidates that meet in a slot contend for it by majority (Misra and
// Gries 1982): one that is frequent among those of its slot keeps it, a flood of rare ones holds none.
type candidates struct {
	slots   []candidate
	waiting []place // scratch: the candidates of the present record
}

// place is a level and the column, or cross, that it is one of: see level.
type place struct {
	column int32
	key    uint64
}

// candidate is a slot of the table, empty while patience is 0.
type candidate struct {
	key      uint64
	patience int64   // records of this candidate, less those of others since
	records  int64   // of this candidate
	sum      float64 // of weighted residuals
	variance float64 // of that sum, by the probabilities
	largest  float64 // square of a weighted residual
}

const (
	candidateSlots   = 4096
	earnedDeviations = 3.0
	// trialRecords is after how many records a candidate is evidence for or against its column: see
	// column.try.
	trialRecords = 8
)

// slot is where a candidate belongs. The table is made when there is the first one.
func (c *candidates) slot(key uint64) *candidate {
	if c.slots == nil {
		c.slots = make([]candidate, candidateSlots)
	}
	return &c.slots[key%candidateSlots]
}

// deviation is the square of the sum in units of its variance, 0 while there is too little to count it as
// normal: no single residual may outweigh the variance. With a probability of .01, a first positive label is
// no evidence.
func (s *candidate) deviation() float64 {
	if s.variance <= 0 || s.variance < s.largest {
		return 0
	}
	return s.sum * s.sum / s.variance
}

// earned says whether a level shall have a weight.
func (c *candidates) earned(key uint64) bool {
	s := c.slot(key)
	return s.key == key && s.patience > 0 && s.deviation() >= earnedDeviations*earnedDeviations
}

// forget makes room where a level has got its weight.
func (c *candidates) forget(key uint64) {
	if s := c.slot(key); s.key == key {
		*s = candidate{}
	}
}

// wait notes that the present record has the candidate.
func (c *candidates) wait(column int32, key uint64) {
	c.waiting = append(c.waiting, place{column, key})
}

// learn adds a record's residual, and its variance, to a candidate. When its trial is over, it returns the
// square of its deviation.
func (c *candidates) learn(key uint64, residual, variance, weight float64) (square float64, tried bool) {
	s := c.slot(key)
	if s.key != key && s.patience > 0 {
		s.patience--
		return 0, false
	}
	if s.key != key || s.patience == 0 {
		*s = candidate{key: key}
	}
	r := float64(weight * residual)
	s.patience++
	s.records++
	s.sum += r
	s.variance += float64(weight * weight * variance)
	s.largest = max(s.largest, float64(r*r))
	if s.records != trialRecords {
		return 0, false
	}
	return s.deviation(), true
}

func (c *candidates) write(w *writer) {
	used := 0
	for i := range c.slots {
		if c.slots[i].patience > 0 {
			used++
		}
	}
	w.uint(uint64(used))
	for i := range c.slots {
		if s := &c.slots[i]; s.patience > 0 {
			w.uint(s.key)
			w.int(s.patience)
			w.int(s.records)
			w.float(s.sum)
			w.float(s.variance)
			w.float(s.largest)
		}
	}
}

func (c *candidates) read(r *reader) {
	for range r.length(27) {
		read := candidate{key: r.uint(), patience: r.int(), records: r.count(), sum: r.float(), variance: r.sum(), largest: r.sum()}
		s := c.slot(read.key)
		if r.err != nil || s.patience > 0 || read.patience <= 0 || read.records < read.patience || !(math.Abs(read.sum) <= largestSum) {
			r.fail()
			return
		}
		*s = read
	}
}
