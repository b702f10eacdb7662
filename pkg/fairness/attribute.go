package fairness

import (
	"math"
	"slices"
)

// Level is the value of an attribute as a small number, as far as the
// comparisons tell values apart.
type Level uint16

// Levels that every attribute has. There follow the values that comparisons name, the intervals between the ends of their
// ranges, and the values that were met where every value counts (Each, Strata).
const (
	MissingLevel Level = iota // the record lacks the attribute
	OtherLevel                // a value that no comparison tells from others
	firstNamedLevel
)

// MostFound is how many values of an attribute are told apart that no comparison names. Later ones are at OtherLevel.
const MostFound = 64

// attribute is what a Grouper knows of one attribute.
type attribute struct {
	name  string
	named []string  // value i has level firstNamedLevel + i
	ends  []float64 // of ranges, in order; interval i is below ends[i], the last one above all
	open  bool      // values that no comparison names are told apart, as they are met
	found []foundValue
	// index serves attributes with so many values that scanning them is slower.
	index   map[string]Level
	refused bool // a value was met when there was no room for it
}

// foundValue is a value that was met; plain is the level that it would be at if it had not been told apart.
type foundValue struct {
	text  string
	plain Level
}

// scanLimit is the number of values up to which comparing with each is faster
// than hashing.
const scanLimit = 8

// include adds the values or the ends of a range that a comparison names.
func (a *attribute) include(m Members) {
	for _, value := range m.Values {
		if !slices.Contains(a.named, value) {
			a.named = append(a.named, value)
		}
	}
	if m.Range != nil {
		for _, end := range [...]*float64{m.Range.From, m.Range.Below} {
			if end != nil && !slices.Contains(a.ends, *end) {
				a.ends = append(a.ends, *end)
			}
		}
	}
}

// settle prepares the look-up, once everything is named.
func (a *attribute) settle() {
	slices.Sort(a.ends)
	if len(a.named) > scanLimit || a.open {
		a.index = make(map[string]Level, len(a.named))
		for i, value := range a.named {
			a.index[value] = firstNamedLevel + Level(i)
		}
	}
}

// intervals is how many the ends of ranges make.
func (a *attribute) intervals() int {
	if len(a.ends) == 0 {
		return 0
	}
	return len(a.ends) + 1
}

// fixed is how many levels there are besides those of found values.
func (a *attribute) fixed() int { return int(firstNamedLevel) + len(a.named) + a.intervals() }

// level returns the level of a value.
func (a *attribute) level(value []byte) Level {
	if a.index == nil {
		for i := range a.named {
			if string(value) == a.named[i] {
				return firstNamedLevel + Level(i)
			}
		}
		return a.interval(value)
	}
	if level, ok := a.index[string(value)]; ok {
		return level
	}
	plain := a.interval(value)
	if !a.open {
		return plain
	}
	if len(a.found) == MostFound {
		a.refused = true
		return plain
	}
	return a.meet(string(value), plain)
}

func (a *attribute) meet(value string, plain Level) Level {
	level := Level(a.fixed() + len(a.found))
	a.found = append(a.found, foundValue{value, plain})
	a.index[value] = level
	return level
}

// interval is the level of a value that no comparison names: that of its interval, if ranges are named and it is a number.
func (a *attribute) interval(value []byte) Level {
	if len(a.ends) == 0 {
		return OtherLevel
	}
	x, ok := parseNumber(value)
	if !ok {
		return OtherLevel
	}
	i := 0
	for i < len(a.ends) && x >= a.ends[i] {
		i++
	}
	return firstNamedLevel + Level(len(a.named)+i)
}

// plain is the level as far as values are named and ranges given.
func (a *attribute) plain(level Level) Level {
	if i := int(level) - a.fixed(); i >= 0 {
		return a.found[i].plain
	}
	return level
}

// text is the value at a level of its own, "" at others.
func (a *attribute) text(level Level) string {
	switch i := int(level) - int(firstNamedLevel); {
	case i >= 0 && i < len(a.named):
		return a.named[i]
	case int(level) >= a.fixed():
		return a.found[int(level)-a.fixed()].text
	}
	return ""
}

// single says whether a level is that of one value.
func (a *attribute) single(level Level) bool {
	i := int(level) - int(firstNamedLevel)
	return i >= 0 && i < len(a.named) || int(level) >= a.fixed()
}

// numeric says whether a level, not of a found value, is that of a number.
func (a *attribute) numeric(level Level) bool {
	if int(level) >= int(firstNamedLevel)+len(a.named) {
		return true
	}
	_, ok := parseNumber([]byte(a.text(level)))
	return ok
}

// in says whether the values at a level, not of a found value, are members.
func (a *attribute) in(level Level, m Members) bool {
	i := int(level) - int(firstNamedLevel)
	switch {
	case i < 0:
		return false
	case i < len(a.named):
		return m.has(a.named[i])
	case m.Range == nil:
		return false
	case i == len(a.named):
		return m.Range.contains(math.Inf(-1))
	}
	return m.Range.contains(a.ends[i-len(a.named)-1])
}
