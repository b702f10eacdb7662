package inspect

import (
	"math"
	"strconv"
)

// A clue is a column that alone tells nearly always which of two classes a record is of. A column that tells the label is a leak, one
// that tells the attribute a proxy.
const (
	// leastTold is how many records are looked at before anything is said of a column.
	leastTold = 200
	// mostWrong is the largest share of the records that a clue may tell wrongly, and mostWrongRarer of as many records as the rarer
	// class has: the constant prediction is wrong for all of these.
	mostWrong      = .05
	mostWrongRarer = .25
	// A clue may also tell one side only: records that it counts to the rarer class are of it but for mostFalse of them, and it misses at most
	// mostMissed of that class.
	mostFalse  = .01
	mostMissed = .15
	// A column also gives a class away by being there: in leastHaving of the class and at least leastPresent records, and in mostFalse of the others
	// at most. That most of the records with a value are of the class shows nothing where nearly all records are.
	leastPresent = 100
	leastHaving  = .3
)

// told is how many records a column was asked about, how many of them were of the first class, how many it told wrongly, and how many
// of these were of the first class.
type told struct{ records, first, wrong, wrongFirst int64 }

func (t *told) add(first, wrong bool) {
	t.records++
	if first {
		t.first++
	}
	if wrong {
		t.wrong++
	}
	if wrong && first {
		t.wrongFirst++
	}
}

// among is what the column tells of all records, of which it has some: the others are of their majority.
func (t told) among(all told) told {
	others := all.records - t.records
	first := all.first - t.first
	all.wrong, all.wrongFirst = t.wrong+min(first, others-first), t.wrongFirst
	if first < others-first {
		all.wrongFirst += first
	}
	return all
}

// nearlyAll says whether nearly every record was told rightly.
func (t told) nearlyAll() bool {
	rarer := min(t.first, t.records-t.first)
	if rarer == 0 || t.records < leastTold {
		return false
	}
	missed := t.wrongFirst // of the rarer class
	if 2*t.first > t.records {
		missed = t.wrong - t.wrongFirst
	}
	wrongly := t.wrong - missed
	oneSided := rarer >= leastRarer && float64(missed) <= mostMissed*float64(rarer) && float64(wrongly) <= mostFalse*float64(rarer-missed+wrongly)
	return oneSided || float64(t.wrong) <= mostWrong*float64(t.records) && float64(t.wrong) <= mostWrongRarer*float64(rarer)
}

// classes are two classes of records, and what each column tells of them.
type classes struct {
	all, original told // records with a known class; original are no copies
	columns       map[string]*clue
	votes, points int // values and numbers that the columns keep
}

// clue is what one column tells: by each of its values, and by a threshold of its numbers.
type clue struct {
	values                   vote
	order                    stump
	present, presentOriginal told // records that have a value
}

// add counts a record of the first class or of the second.
func (c *classes) add(first, repeated bool) {
	c.all.add(first, false)
	if !repeated {
		c.original.add(first, false)
	}
}

// tell lets a column of that record take in its value.
func (c *classes) tell(name string, hash uint64, x float64, missing, first, repeated bool) {
	column := c.columns[name]
	if column == nil {
		if c.columns == nil {
			c.columns = map[string]*clue{}
		}
		column = &clue{}
		c.columns[name] = column
	}
	if column.values.add(hash, first, repeated, c.votes < allVotes) {
		c.votes++
	}
	if !missing {
		column.present.add(first, false)
		if !repeated {
			column.presentOriginal.add(first, false)
		}
	}
	if !math.IsNaN(x) {
		c.points += column.order.add(x, first, repeated, c.points < allPoints)
	}
}

// of is what a column tells of the classes, by values or by a threshold, whichever is right more often.
func (c *classes) of(name string, withCopies bool) (best told) {
	column := c.columns[name]
	if column == nil {
		return told{}
	}
	order := column.order
	if !order.chosen && len(order.points) > 0 {
		order.points = append([]point(nil), order.points...)
		order.choose()
	}
	if withCopies {
		return fewerWrong(column.values.all.among(c.all), order.all.among(c.all))
	}
	return fewerWrong(column.values.original.among(c.original), order.original.among(c.original))
}

func fewerWrong(a, b told) told {
	if b.wrong < a.wrong {
		return b
	}
	return a
}

// only says whether nearly all records that have a value of the column are of one class, and much of this class has one; first says
// whether that is the first class.
func (c *classes) only(name string, withCopies bool) (present told, first, found bool) {
	column := c.columns[name]
	if column == nil {
		return told{}, false, false
	}
	present, all := column.presentOriginal, c.original
	if withCopies {
		present, all = column.present, c.all
	}
	first = 2*present.first > present.records
	others, class := present.first, all.records-all.first
	if first {
		others, class = present.records-present.first, all.first
	}
	having, outside := present.records-others, all.records-class
	found = present.records >= leastPresent && outside >= leastPresent && float64(having) >= leastHaving*float64(class) &&
		float64(others) <= mostFalse*float64(min(present.records, outside))
	return present, first, found
}

// asNumber is the number that a text is, or NaN.
func asNumber(text []byte) float64 {
	if len(text) == 0 || len(text) > 32 || text[0] > '9' {
		return math.NaN()
	}
	x, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return math.NaN()
	}
	return x
}
