package seen

import "math"

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
	Known, Positive int64
	runs            int64 // of equal labels
	last            bool  // the last one was positive
	shift           Shift // of positive labels
}

// Add takes in the label of the next record.
func (l *Labels) Add(positive bool) {
	if l.Known == 0 || positive != l.last {
		l.runs++
	}
	l.last = positive
	l.Known++
	if positive {
		l.Positive++
	}
	l.shift.add(positive)
}

// randomRuns is how many runs of equal labels a random order has.
func (l *Labels) randomRuns() float64 {
	n, positive := float64(l.Known), float64(l.Positive)
	return 1 + 2*positive*(n-positive)/n
}

// Sorted says whether the records are sorted by their labels, with the runs of equal labels, and how many a random order has.
func (l *Labels) Sorted() (runs int64, random float64, sorted bool) {
	expected := l.randomRuns()
	return l.runs, expected, l.Known >= leastInRuns && float64(l.runs) <= mostRuns*expected &&
		expected-float64(l.runs) >= runsSigma*math.Sqrt((expected-1)*(expected-2)/(float64(l.Known)-1))
}

// Shifted says whether the share of positive labels among the newest records is another one than among the first.
func (l *Labels) Shifted() (from, to float64, shifted bool) { return l.shift.Found() }
