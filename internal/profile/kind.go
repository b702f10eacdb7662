package profile

import "math"

// Kind is what the values of a column are.
type Kind string

// The kinds.
const (
	Empty      Kind = "empty"            // every value is missing
	Constant   Kind = "constant"         // one value
	Boolean    Kind = "boolean"          // true and false, or yes and no
	Number     Kind = "number"           // numbers
	Spoilt     Kind = "spoilt number"    // numbers, and a few texts that are none
	Formatted  Kind = "formatted number" // numbers with separators, currency or percent signs, which are texts
	Category   Kind = "category"         // texts that repeat
	ManyValues Kind = "many values"      // texts of which there are very many
	Identifier Kind = "identifier"       // a value of its own for nearly every record
	Time       Kind = "time"             // dates or times
	FreeText   Kind = "free text"        // sentences
)

// NoFeature says whether a column of this kind tells a linear model nothing about records to come, since
// their values are new ones.
func (k Kind) NoFeature() bool { return k == Identifier || k == Time || k == FreeText }

// The shares and numbers that tell kinds apart: see the package comment.
const (
	leastValues     = 20 // fewer are not called identifiers or free text
	nearlyAll       = .95
	mostlyDifferent = .9
	mostlyNumbers   = .8
	textWords       = 3
	manyDistinct    = 100
	manyShare       = .2
	longNumber      = 6   // digits of an identifier
	leastLong       = 100 // values, for the width to be no accident
)

// Column is what a profile says of one column.
type Column struct {
	Name string
	Kind Kind
	// Records is how many records of the sample there were; Values how many had a value that is not
	// missing, Missing how many had null or a text that counts as missing. The others had no such field.
	Records, Values, Missing int
	// Distinct is how many different values there were; at least, if AtLeast.
	Distinct int
	AtLeast  bool
	// DistinctShare is the share of the values that were the first of their kind.
	DistinctShare float64
	// Low and High bound the numbers, if there are any; Deviation is their standard deviation.
	Low, High, Mean, Deviation float64
	// LowCount and HighCount are how many values are the lowest and the highest; NextLow and NextHigh bound the other numbers.
	LowCount, HighCount int
	NextLow, NextHigh   float64
	// Numbers is how many values are numbers, Formatted how many are numbers with separators or signs, and Times how many are dates or times.
	Numbers, Formatted, Times int
	// DayFirst and MonthFirst are how many dates in figures begin with a day above 12, and have one in the second place.
	DayFirst, MonthFirst int
	// Shown holds every value, the most frequent first, if there are few, short ones that repeat; otherwise
	// it is nil.
	Shown []Value
	// Listed says that Shown holds every value that there can be, as a schema lists them.
	Listed bool
	// Odd holds the texts of a spoilt number, if there are few, short ones.
	Odd []Value
	// RFC3339 says of a time that record.time reads it.
	RFC3339 bool
	// Why says in words what makes the column of its kind, where that may be doubted.
	Why string
	// Certain says that the column is no feature beyond doubt. A learner then leaves it out.
	Certain bool
}

func (c *tally) describe(records int) Column {
	d := Column{Name: c.name, Records: records, Values: c.values, Missing: c.missing,
		Distinct: c.seen.Len(), AtLeast: c.full, Numbers: c.numbers, Formatted: c.formatted,
		DayFirst: c.dayFirst, MonthFirst: c.monthFirst}
	if c.told > 0 {
		d.DistinctShare = float64(c.seen.Len()) / float64(c.told)
	}
	if c.numbers > 0 {
		d.Low, d.High, d.Mean, d.Deviation = c.low, c.high, c.mean, math.Sqrt(c.squares/float64(c.numbers))
		d.LowCount, d.HighCount, d.NextLow, d.NextHigh = c.lows, c.highs, c.nextLow, c.nextHigh
	}
	for _, n := range c.times {
		d.Times += n
	}
	d.Kind, d.Why = c.kind(d.DistinctShare)
	d.Certain = c.certain(&d)
	d.RFC3339 = d.Kind == Time && c.times[0] == c.values
	if !c.full && c.seen.Len() <= fewTexts && len(c.texts) == c.seen.Len() && (2*c.seen.Len() <= c.values || c.seen.Len() <= 2) {
		for hash, text := range c.texts {
			n, _ := c.seen.Of(hash)
			d.Shown = append(d.Shown, Value{text, int(n)})
		}
		sort(d.Shown)
	}
	if d.Kind == Spoilt && !c.oddMany {
		for _, v := range c.odd {
			d.Odd = append(d.Odd, v)
		}
		sort(d.Odd)
	}
	return d
}

func (c *tally) kind(distinctShare float64) (kind Kind, why string) {
	n := float64(c.values)
	switch {
	case c.values == 0:
		return Empty, "every value is missing"
	case c.seen.Len() == 1 && !c.full:
		return Constant, "one value"
	case c.booleans == c.values:
		return Boolean, ""
	case c.isTime():
		return Time, "dates or times"
	case float64(c.known) >= nearlyAll*n:
		return Identifier, "UUIDs, addresses or telephone numbers"
	case c.numbers == c.values:
		return c.numericKind(distinctShare)
	case c.formatted > 0 && float64(c.numbers+c.formatted) >= nearlyAll*n && c.seen.Len() > fewTexts && !namesIdentifier(c.name):
		return Formatted, "numbers with separators or signs are texts"
	case float64(c.numbers) >= mostlyNumbers*n:
		return Spoilt, "mostly numbers"
	case c.values >= leastValues && float64(c.words) >= textWords*n && (distinctShare >= .3 || c.seen.Len() >= 500):
		return FreeText, "sentences"
	case c.values >= leastValues && distinctShare >= mostlyDifferent:
		return Identifier, "nearly every value is different"
	case c.values >= leastValues && distinctShare >= .5 && namesIdentifier(c.name):
		return Identifier, "the name, and most values are different"
	case c.seen.Len() > manyDistinct && distinctShare >= manyShare || c.full:
		return ManyValues, "very many different values"
	}
	return Category, ""
}

// numericKind tells identifiers among whole numbers, of which most columns are amounts.
func (c *tally) numericKind(distinctShare float64) (kind Kind, why string) {
	if c.integers < c.values || c.values < leastValues {
		return Number, ""
	}
	switch {
	case distinctShare >= .5 && namesIdentifier(c.name):
		return Identifier, "the name, and most values are different"
	case c.rising || c.falling:
		return Identifier, "whole numbers that count the records"
	case distinctShare == 1 && c.values >= leastLong && c.high-c.low == float64(c.values-1):
		return Identifier, "whole numbers that count the records, in another order"
	case distinctShare == 1 && c.width >= longNumber && c.values >= leastLong:
		return Identifier, "long whole numbers, all different"
	}
	return Number, ""
}

func (c *tally) isTime() bool {
	texts := 0
	for i := range c.times {
		texts += c.times[i]
	}
	if float64(texts) >= nearlyAll*float64(c.values) {
		// Eight digits may be a date by accident, as of an account.
		return texts > c.times[len(c.times)-1] || c.values >= leastValues && texts == c.values
	}
	// Unix times of the years 2000 to 2040, in seconds or milliseconds.
	const first, last = 946684800, 2208988800
	within := c.low >= first && c.high <= last || c.low >= 1000*first && c.high <= 1000*last
	return c.integers == c.values && within && c.values >= leastValues && 2*c.seen.Len() > c.told &&
		(namesTime(c.name) || c.rising)
}
