package document

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

// A column is unfamiliar if, of at least leastFamiliar values, strangeTexts are texts without a weight, or strangeNumbers are
// beyond the numbers that were learnt; or if strangeGaps of the records lack a value, which no learnt record did. Rare texts never earn a weight, so nearly all must lack one, or there are texts without one that are not rare: those
// that frequentText of the values have make up strangeFrequent of them.
const (
	strangeTexts = .99
	frequentText = .05
	// leastFrequent values, at least, have a frequent text.
	leastFrequent   = 20
	strangeFrequent = .1
	strangeNumbers  = .5
	strangeGaps     = .05
)

// Familiarity compares the values of records with those that the weights were learnt from. It belongs to one goroutine.
type Familiarity struct {
	columns map[string]*familiar
	names   []string // in the order of the document
	spread  *spreading
	groups  *grouping
}

// familiar is one column, and how many of its values are unlike the learnt ones.
type familiar struct {
	numeric         bool
	low, high       float64 // of the numbers
	levels          map[string]bool
	complete        bool // no learnt record lacked a value
	records, gaps   int
	values, unknown int
	strange         map[string]int // texts without a weight, up to mostStrange of them
}

// mostStrange texts of a column are counted: a frequent one is probably among the first.
const mostStrange = 1000

// Familiarity returns a Familiarity that has seen no record.
func (d *Document) Familiarity() (*Familiarity, error) {
	b, err := readBody(d.Model)
	if err != nil {
		return nil, err
	}
	f := &Familiarity{columns: map[string]*familiar{}}
	if f.spread, err = newSpreading(d, &b); err != nil {
		return nil, err
	}
	if f.groups, err = newGrouping(d); err != nil {
		return nil, err
	}
	for i := range b.Columns {
		if c := b.Columns[i].familiar(); c != nil {
			f.columns[b.Columns[i].Name] = c
			f.names = append(f.names, b.Columns[i].Name)
		}
	}
	return f, nil
}

// familiar is nil for a column that says too little of what was learnt.
func (b *bodyColumn) familiar() *familiar {
	c := &familiar{numeric: b.Type == features.Numeric, complete: b.Missing == nil}
	switch {
	case !c.numeric:
		if len(b.Levels) == 0 {
			return nil
		}
		c.levels = map[string]bool{}
		for _, l := range b.Levels {
			if l.Key != "" {
				return nil // a long text, of which only the hash is known
			}
			c.levels[l.Text] = true
		}
	case b.Linear != nil:
		c.low, c.high = b.Linear.Low, b.Linear.High
	case len(b.Knots) > 0:
		c.low, c.high = b.Knots[0], b.Knots[len(b.Knots)-1]
	case b.Standardized != nil && b.Standardized.Scale > 0:
		const far = 5 // the learner clips there
		c.low, c.high = b.Standardized.Mean-far/b.Standardized.Scale, b.Standardized.Mean+far/b.Standardized.Scale
	default:
		return nil
	}
	return c
}

// Add takes in the values of one record.
func (f *Familiarity) Add(r *record.Record) {
	f.AddSpread(r)
	for i := range r.Features {
		field := &r.Features[i]
		c := f.columns[field.Name]
		if c == nil {
			continue
		}
		if c.records++; field.Missing {
			c.gaps++
			continue
		}
		c.values++
		if !c.knows(field.Text) {
			c.unknown++
			c.count(field.Text)
		}
	}
}

// AddSpread takes in one record for Shifts and Strangers alone.
func (f *Familiarity) AddSpread(r *record.Record) {
	f.spread.add(r)
	f.groups.add(r)
}

func (c *familiar) knows(text []byte) bool {
	if !c.numeric {
		return c.levels[string(text)]
	}
	x, err := strconv.ParseFloat(string(text), 64)
	return err == nil && !math.IsNaN(x) && x >= c.low && x <= c.high
}

func (c *familiar) count(text []byte) {
	if n, known := c.strange[string(text)]; known {
		c.strange[string(text)] = n + 1
	} else if !c.numeric && len(c.strange) < mostStrange {
		if c.strange == nil {
			c.strange = map[string]int{}
		}
		c.strange[string(text)] = 1
	}
}

// isStrange says whether nearly every text has no weight, or texts that are frequent have none.
func (c *familiar) isStrange() bool {
	if c.numeric {
		return float64(c.unknown) >= strangeNumbers*float64(c.values)
	}
	frequent := 0
	for _, n := range c.strange {
		if n >= leastFrequent && float64(n) >= frequentText*float64(c.values) {
			frequent += n
		}
	}
	return float64(c.unknown) >= strangeTexts*float64(c.values) || float64(frequent) >= strangeFrequent*float64(c.values)
}

// mostShown texts of a column are named, if none of them has more than shownText bytes.
const mostShown = 8

// learnt says in words what was learnt.
func (c *familiar) learnt() string {
	if c.numeric {
		return fmt.Sprintf("mostly numbers from %s to %s", shortly(c.low), shortly(c.high))
	}
	texts := slices.Sorted(maps.Keys(c.levels))
	if len(texts) > mostShown || slices.ContainsFunc(texts, func(text string) bool { return len(text) > shownText }) {
		return fmt.Sprintf("%d texts", len(texts))
	}
	for i := range texts {
		texts[i] = strconv.Quote(texts[i])
	}
	return strings.Join(texts, ", ")
}

// shortly is a number with four digits before the mark or more, or four in all.
func shortly(x float64) string {
	if math.Abs(x) >= 1000 && math.Abs(x) < 1e12 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.4g", x)
}

// Unfamiliar is a column whose values are not those that were learnt.
type Unfamiliar struct {
	Column string
	// Values is how many values were seen, Unknown how many of them are unlike those that were learnt.
	Values, Unknown int
	// Learnt says in words what was learnt. It names texts that have a weight, if they are few and short.
	Learnt string
	// Missing says that Unknown of Values records lack a value, and no learnt record did.
	Missing bool
}

// String says what was seen and what to look at. It names no text of a record that was seen.
func (u Unfamiliar) String() string {
	if u.Missing {
		return fmt.Sprintf("%q has no value in %d of the first %d records, and had one in every record that was learnt, so nothing was learnt about such records: fill it in, or learn from records that lack it, too", u.Column, u.Unknown, u.Values)
	}
	return fmt.Sprintf("%d of the first %d values of %q are unlike those that were learnt (%s): are they in the same unit and the same words?", u.Unknown, u.Values, u.Column, u.Learnt)
}

// Unfamiliar lists the columns of which nearly every text or frequent ones were never learnt, or most numbers lie beyond those that were, in the
// order of the document.
func (f *Familiarity) Unfamiliar() (found []Unfamiliar) {
	for _, name := range f.names {
		c := f.columns[name]
		learnt := c.learnt()
		if c.values >= leastFamiliar && c.isStrange() {
			found = append(found, Unfamiliar{Column: name, Values: c.values, Unknown: c.unknown, Learnt: learnt})
		}
		if c.complete && c.records >= leastFamiliar && float64(c.gaps) >= strangeGaps*float64(c.records) {
			found = append(found, Unfamiliar{Column: name, Values: c.records, Unknown: c.gaps, Missing: true})
		}
	}
	return found
}

// Shifts are the columns whose values are spread otherwise than they were learnt, those that differ most first; none of a document that knows no spread.
func (f *Familiarity) Shifts() []Shift { return f.spread.shifts() }

// Strangers are the comparisons whose groups are otherwise among the records than among those that were learnt.
func (f *Familiarity) Strangers() []Stranger { return f.groups.strangers() }
