package inspect

import (
	"fmt"
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/clue"
)

// A run of equal labels ends where the next record has the other label.
const (
	// leastInRuns is how many labels are looked at, and mostRuns the share of the runs that a random order would have, up to
	// which the records are said to be sorted. By chance that is impossible (Wald and Wolfowitz, Annals of Mathematical
	// Statistics 11, 1940).
	leastInRuns = 200
	mostRuns    = .2
	runsSigma   = 8.0
)

// Labels counts labels of two classes in the order of their records. The zero value is ready.
type Labels struct {
	known, positive int64
	runs            int64 // of equal labels
	last            bool  // the last one was positive
	shift           shift // of positive labels
}

// Add takes in the label of the next record.
func (l *Labels) Add(positive bool) {
	if l.known == 0 || positive != l.last {
		l.runs++
	}
	l.last = positive
	l.known++
	if positive {
		l.positive++
	}
	l.shift.add(positive)
}

// Order says whether the records are sorted by their labels, or the share of positive labels shifts. Field is the name of the label.
func (l *Labels) Order(field string) (found []Finding) {
	if sorted, is := l.sorted(); is {
		return append(found, sorted)
	}
	if shifted, is := l.shifted(field); is {
		return append(found, shifted)
	}
	return found
}

// randomRuns is how many runs of equal labels a random order has.
func (l *Labels) randomRuns() float64 {
	n, positive := float64(l.known), float64(l.positive)
	return 1 + 2*positive*(n-positive)/n
}

// sorted says whether the records are sorted by their labels.
func (l *Labels) sorted() (Finding, bool) {
	expected := l.randomRuns()
	if l.known < leastInRuns || float64(l.runs) > mostRuns*expected ||
		expected-float64(l.runs) < runsSigma*math.Sqrt((expected-1)*(expected-2)/(float64(l.known)-1)) {
		return Finding{}, false
	}
	return Finding{order: true, Path: "record.label.field", Text: fmt.Sprintf(
		"the records are sorted by the label: %d runs of equal labels where a random order has about %.0f. They are learnt in their order, so shuffle a sorted file (replay --shuffle 1)",
		l.runs, expected)}, true
}

// shifted says whether the share of positive labels among the newest records is another one than among the first.
func (l *Labels) shifted(field string) (Finding, bool) {
	from, to, is := l.shift.found()
	if !is {
		return Finding{}, false
	}
	return Finding{order: true, Path: "record.label.positive", Text: fmt.Sprintf(
		"the share of positive labels goes from %s among the first %d records to %s among the newest: does %q mean the same throughout? Else write it in one way where the records are made",
		percent(from), shiftRecords, percent(to), field)}, true
}

// Labels are beside the wrong records if the columns have to do with those of the neighbours, and with their own at most mostOwn as much. So are groups.
const mostOwn = .1

// displaced finds labels and groups that are beside the record before or after their own.
func (s *search) displaced() {
	if column, beside := s.displacedAgainst(&s.neighbours); column != "" {
		s.add(false, "record.label.field", "labels seem to be one row off: column %q goes with the label of the record %s it, and hardly any column with its own record's label. Join labels and records by an identifier, not by their order",
			column, beside)
	}
	for p := range s.pairs {
		pair := &s.pairs[p]
		if column, beside := s.displacedAgainst(&pair.neighbours); column != "" {
			c := s.grouper.Comparisons()[pair.comparison]
			s.add(false, s.constraintOf(c.Name)+".attribute", "groups seem to be one row off: column %q goes with the %s of the record %s it, and hardly any column with its own record's. Join them by an identifier, not by their order",
				column, attributesOf(c), beside)
		}
	}
}

// displacedAgainst names the column that shows which neighbour's class the columns go with; none if they go with their own record's.
func (s *search) displacedAgainst(neighbours *clue.Neighbours) (column, beside string) {
	var columns []string
	for _, c := range s.columns {
		if !slices.Contains(s.left, c.Name) && !slices.Contains(s.attributes, c.Name) && !holds(neighbours, c.Name) {
			columns = append(columns, c.Name)
		}
	}
	own, _ := neighbours.Strongest(columns, clue.Own)
	for _, neighbour := range []struct {
		beside clue.Beside
		words  string
	}{{clue.Before, "before"}, {clue.After, "after"}} {
		if sum, found := neighbours.Strongest(columns, neighbour.beside); found != "" && own <= mostOwn*sum {
			return found, neighbour.words
		}
	}
	return "", ""
}

// holds says whether a column nearly always holds the class of a neighbour, as a column that was made from the classes does. That shows nothing of the others.
func holds(neighbours *clue.Neighbours, column string) bool {
	before, after := neighbours.Tells(column, clue.Before), neighbours.Tells(column, clue.After)
	return before.NearlyAll() || after.NearlyAll()
}
