package inspect

import (
	"slices"

	"github.com/fairstream/fairstream/internal/profile"
)

const (
	// endTexts of a column are kept from the start and from the end, as unitNumbers are.
	endTexts = 512
	// Two columns of texts are exchanged if of the newest texts of each at most fewOwn were among its own first ones, and all but
	// fewOwn among those of the other.
	fewOwn = .02
)

func (w *written) addEnd(hash uint64) {
	if w.first == nil {
		w.first = map[uint64]bool{}
	}
	if w.records <= endTexts {
		w.first[hash] = true
		return
	}
	w.newest[w.ended%endTexts] = hash
	w.ended++
}

// share is which share of the newest texts were among first.
func (w *written) share(first map[uint64]bool) float64 {
	n := 0
	for _, hash := range w.newest {
		if first[hash] {
			n++
		}
	}
	return float64(n) / endTexts
}

// swapped finds pairs of columns that are exchanged on the way.
func (s *search) swapped() {
	var numbers, texts []string // columns whose newest values are others than their first
	for _, c := range s.columns {
		w, e := s.written[c.Name], s.ends[c.Name]
		switch {
		case !s.features[c.Name] || slices.Contains(s.left, c.Name):
		case c.Kind == profile.Number && e != nil && len(e.newest) == unitNumbers && e.apart(e) >= unitsApart:
			numbers = append(numbers, c.Name)
		case c.Kind != profile.Number && w != nil && w.ended >= endTexts && w.share(w.first) <= fewOwn:
			texts = append(texts, c.Name)
		}
	}
	for i, a := range numbers {
		for _, b := range numbers[:i] {
			if s.ends[a].apart(s.ends[b]) < unitsAlike && s.ends[b].apart(s.ends[a]) < unitsAlike {
				s.exchanged(b, a)
			}
		}
	}
	for i, a := range texts {
		for _, b := range texts[:i] {
			if s.written[a].share(s.written[b].first) >= 1-fewOwn && s.written[b].share(s.written[a].first) >= 1-fewOwn {
				s.exchanged(b, a)
			}
		}
	}
}

func (s *search) exchanged(a, b string) {
	s.changed = append(s.changed, a, b)
	s.add(false, "record", "%q and %q are swapped on the way: the newest values of each are like the first of the other. Write each under one name where the records are made", a, b)
}

// apart is the distance of the first numbers of a column from the newest of another.
func (e *ends) apart(newest *ends) float64 {
	a, b := slices.Clone(e.first), slices.Clone(newest.newest)
	slices.Sort(a)
	slices.Sort(b)
	return distance(a, b, 1)
}
