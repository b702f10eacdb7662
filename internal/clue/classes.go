package clue

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/distinct"
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
	// Of numbers above 0 where others are 0, leastAbove of the class is enough, if chance would have brought leastChance records of the other class.
	leastAbove  = .05
	leastChance = 20
)

// Told is how many records a column was asked about, how many of them were of the first class, how many it told wrongly, and how many
// of these were of the first class.
type Told struct{ Records, First, Wrong, WrongFirst int64 }

func (t *Told) add(first, wrong bool) {
	t.Records++
	if first {
		t.First++
	}
	if wrong {
		t.Wrong++
	}
	if wrong && first {
		t.WrongFirst++
	}
}

// among is what the column tells of all records, of which it has some: the others are of their majority.
func (t Told) among(all Told) Told {
	others := all.Records - t.Records
	first := all.First - t.First
	all.Wrong, all.WrongFirst = t.Wrong+min(first, others-first), t.WrongFirst
	if first < others-first {
		all.WrongFirst += first
	}
	return all
}

// NearlyAll says whether nearly every record was told rightly.
func (t Told) NearlyAll() bool {
	rarer := min(t.First, t.Records-t.First)
	if rarer == 0 || t.Records < leastTold {
		return false
	}
	missed := t.WrongFirst // of the rarer class
	if 2*t.First > t.Records {
		missed = t.Wrong - t.WrongFirst
	}
	wrongly := t.Wrong - missed
	oneSided := rarer >= leastRarer && float64(missed) <= mostMissed*float64(rarer) && float64(wrongly) <= mostFalse*float64(rarer-missed+wrongly)
	return oneSided || float64(t.Wrong) <= mostWrong*float64(t.Records) && float64(t.Wrong) <= mostWrongRarer*float64(rarer)
}

// Classes are two classes of records, and what each column tells of them. The zero value is ready.
type Classes struct {
	all, original Told // records with a known class; original are no copies
	columns       distinct.Names[clue]
	told          int // columns of the present record so far
	votes, points int // values and numbers that the columns keep
}

// clue is what one column tells: by each of its values, and by a threshold of its numbers.
type clue struct {
	values                   vote
	order                    stump
	present, presentOriginal Told   // records that have a value
	above, aboveOriginal     Told   // those whose value is a number above 0
	asked                    *stump // what the numbers so far told when that was asked, before their threshold was chosen
}

// Add counts a record of the first class or of the second.
func (c *Classes) Add(first, repeated bool) {
	c.told = 0
	c.all.add(first, false)
	if !repeated {
		c.original.add(first, false)
	}
}

// Tell lets a column of that record take in its value.
func (c *Classes) Tell(name string, hash uint64, x float64, missing, first, repeated bool) {
	column := c.columns.At(c.told, name)
	c.told++
	if column == nil {
		column = &clue{}
		c.columns.Make(name, column)
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
	if !missing && x > 0 {
		column.above.add(first, false)
		if !repeated {
			column.aboveOriginal.add(first, false)
		}
	}
	if !math.IsNaN(x) {
		c.points += column.order.add(x, first, repeated, c.points < allPoints)
	}
}

// Of is what a column tells of the classes, by values or by a threshold, whichever is right more often.
func (c *Classes) Of(name string, withCopies bool) (best Told) {
	column := c.columns.Of(name)
	if column == nil {
		return Told{}
	}
	order := column.ordered()
	if withCopies {
		return fewerWrong(column.values.all.among(c.all), order.all.among(c.all))
	}
	return fewerWrong(column.values.original.among(c.original), order.original.among(c.original))
}

// ordered is what the numbers of the column tell by the best threshold for those so far.
func (c *clue) ordered() *stump {
	if c.order.chosen || len(c.order.points) == 0 {
		return &c.order
	}
	if c.asked == nil || len(c.asked.points) != len(c.order.points) {
		s := c.order
		s.points = slices.Clone(s.points)
		s.choose()
		c.asked = &s
	}
	return c.asked
}

func fewerWrong(a, b Told) Told {
	if b.Wrong < a.Wrong {
		return b
	}
	return a
}

// Present is how many records have a value of the column, and how many there are.
func (c *Classes) Present(name string, withCopies bool) (present, all Told) {
	column := c.columns.Of(name)
	switch {
	case column == nil:
		return Told{}, Told{}
	case withCopies:
		return column.present, c.all
	}
	return column.presentOriginal, c.original
}

// Only says whether nearly all records that have a value of the column are of one class, and much of this class has one; first says
// whether that is the first class.
func (c *Classes) Only(name string, withCopies bool) (present Told, first, found bool) {
	column := c.columns.Of(name)
	if column == nil {
		return Told{}, false, false
	}
	present, all := column.presentOriginal, c.original
	if withCopies {
		present, all = column.present, c.all
	}
	having, class, first := nearlyOne(present, all)
	return present, first, having >= 0 && float64(having) >= leastHaving*float64(class)
}

// OnlyAbove is the same for the records whose value is a number above 0, if many others have 0. It asks less of the class: an amount of a benefit that
// nobody else gets may be rare.
func (c *Classes) OnlyAbove(name string, withCopies bool) (above Told, first, found bool) {
	column := c.columns.Of(name)
	if column == nil {
		return Told{}, false, false
	}
	above, present, all := column.aboveOriginal, column.presentOriginal, c.original
	if withCopies {
		above, present, all = column.above, column.present, c.all
	}
	having, class, first := nearlyOne(above, all)
	chance := float64(above.Records) * float64(all.Records-class) / float64(max(1, all.Records)) // of the other class, if the column knew nothing
	return above, first, having >= 0 && present.Records-above.Records >= leastPresent && float64(having) >= leastAbove*float64(class) && chance >= leastChance
}

// nearlyOne says which class nearly all of some records are of, how many of them are, and how many of all records; having is -1 if they are of both.
func nearlyOne(some, all Told) (having, class int64, first bool) {
	first = 2*some.First > some.Records
	others, class := some.First, all.Records-all.First
	if first {
		others, class = some.Records-some.First, all.First
	}
	outside := all.Records - class
	if some.Records < leastPresent || outside < leastPresent || float64(others) > mostFalse*float64(min(some.Records, outside)) {
		return -1, class, first
	}
	return some.Records - others, class, first
}
