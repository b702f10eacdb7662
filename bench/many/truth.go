package main

import (
	"math/rand/v2"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/record"
)

// What is true of a document.
//
// An attribute of a record says one thing about its columns: by how much the first one is shifted. So the rates of a document's decisions
// at each shift are all that there is to know: the rate of a side is their mean, each weighing as much as its shift occurs there. Two sides
// with the same shifts have the difference 0, whatever the document. A sample of records with attributes knows much less: 20,000 of them hold
// 250 of a value of 1.2 %, whose rate then has a standard error of 0.03, more than that of the interval that it is to judge.

// shifted are records whose first column is shifted, and the share of all records that are so.
type shifted struct {
	share   float64
	records []record.Record
}

// fresh makes so many records at every shift: the same ones but for the shift and what their labels owe to it.
func (w world) fresh(seed uint64, count int) (all []shifted) {
	for at, share := range w.shifts(func(place) bool { return true }) {
		s := shifted{share: share}
		if share > 0 {
			random := rand.New(rand.NewPCG(seed, 2))
			for range count {
				s.records = append(s.records, w.person(random, w.lean*float64(at-w.attributes())))
			}
		}
		all = append(all, s)
	}
	return all
}

// shifts are the probabilities of the shifts by −n, ..., n times lean, n being the number of attributes, of the records whose values of
// each attribute are among some.
func (w world) shifts(among func(place) bool) []float64 {
	attributes, signs := w.attributes(), w.signs()
	now := make([]float64, 2*attributes+1)
	now[attributes] = 1
	for a, shares := range w.shares() {
		next, total := make([]float64, len(now)), 0.0
		for v, share := range shares {
			if p := (place{a, v}); among(p) {
				total += share
				for at, probability := range now {
					if probability > 0 {
						next[at+signs[p]] += probability * share
					}
				}
			}
		}
		for at := range next {
			next[at] /= total
		}
		now = next
	}
	return now
}

// differences are those of all comparisons, where the rates of decisions at each shift are these.
func (w world) differences(rates []float64) (differences []float64) {
	for _, p := range w.places() {
		rate := func(is bool) (mean float64) {
			for at, probability := range w.shifts(func(other place) bool { return other.attribute != p.attribute || (other == p) == is }) {
				mean += probability * rates[at]
			}
			return mean
		}
		differences = append(differences, rate(true)-rate(false))
	}
	return differences
}

// decided are the accuracy of a document on the first so many fresh records of each shift, and the rate of its positive decisions at each.
func decided(d *document.Document, fresh []shifted, first int) (accuracy float64, rates []float64, err error) {
	classifier, err := d.Classifier()
	if err != nil {
		return 0, nil, err
	}
	for _, s := range fresh {
		records := s.records[:min(first, len(s.records))]
		positive, right := 0, 0
		for i := range records {
			decision := classifier.Decide(&records[i])
			if decision.Positive {
				positive++
			}
			if decision.Positive == records[i].Positive {
				right++
			}
		}
		n := float64(max(1, len(records)))
		rates, accuracy = append(rates, float64(positive)/n), accuracy+s.share*float64(right)/n
	}
	return accuracy, rates, nil
}
