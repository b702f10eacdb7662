package fairness

import (
	"slices"
	"strconv"
	"strings"
	"unsafe"
)

// Members are the values of one attribute that belong to a group: listed values, or a range of a number.
type Members struct {
	// Values are compared byte for byte.
	Values []string
	// Range is set in place of Values.
	Range *Range
}

// Range is the numbers x with From ≤ x < Below. A nil end is open, and one of the two is given.
type Range struct {
	From  *float64
	Below *float64
}

// Value returns the members that are one value.
func Value(text string) Members { return Members{Values: []string{text}} }

// contains says whether a number is in the range.
func (r *Range) contains(x float64) bool {
	return (r.From == nil || x >= *r.From) && (r.Below == nil || x < *r.Below)
}

// has says whether a text is a member: of a range, as the number it is.
func (m Members) has(text string) bool {
	if m.Range == nil {
		return slices.Contains(m.Values, text)
	}
	x, ok := parseNumber([]byte(text))
	return ok && m.Range.contains(x)
}

// problem is what is wrong with the members by themselves.
func (m Members) problem() string {
	switch r := m.Range; {
	case r == nil && len(m.Values) == 0:
		return "is empty: give a value of the attribute"
	case r == nil:
		for i, value := range m.Values {
			if slices.Contains(m.Values[:i], value) {
				return "lists " + strconv.Quote(value) + " twice: remove one"
			}
		}
	case len(m.Values) > 0:
		return "has values and a range: use one of them"
	case r.From == nil && r.Below == nil:
		return "is a range without an end: give from, below, or both"
	case r.From != nil && r.Below != nil && !(*r.From < *r.Below):
		return "is an empty range: below must be greater than from"
	}
	return ""
}

// overlap describes what two sets of members have in common; empty if they share nothing.
func (m Members) overlap(other Members) string {
	switch {
	case m.Range == nil:
		for _, value := range m.Values {
			if other.has(value) {
				return strconv.Quote(value)
			}
		}
		return ""
	case other.Range == nil:
		return other.overlap(m)
	}
	a, b := m.Range, other.Range
	both := Range{From: later(a.From, b.From, 1), Below: later(a.Below, b.Below, -1)}
	if both.From != nil && both.Below != nil && !(*both.From < *both.Below) {
		return ""
	}
	return both.words()
}

// later is the end that bounds more: the greater one for a sign of 1, the lesser one for −1. A nil end bounds nothing.
func later(a, b *float64, sign float64) *float64 {
	if a == nil || b != nil && sign**b > sign**a {
		return b
	}
	return a
}

// words are "≥ 40", "< 65", "40 to < 65".
func (r *Range) words() string {
	switch {
	case r.Below == nil:
		return "≥ " + decimal(*r.From)
	case r.From == nil:
		return "< " + decimal(*r.Below)
	}
	return decimal(*r.From) + " to < " + decimal(*r.Below)
}

// words are those of the range, or the values: "Black or Hispanic".
func (m Members) words() string {
	if m.Range != nil {
		return m.Range.words()
	}
	return strings.Join(m.Values, " or ")
}

// decimal is a number as people write it.
func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// parseNumber reads a finite decimal number, in the notation of JSON and CSV: no hexadecimal floats, underscores,
// infinities or NaN.
func parseNumber(text []byte) (float64, bool) {
	for _, c := range text {
		switch {
		case c >= '0' && c <= '9', c == '.', c == '-', c == '+', c == 'e', c == 'E':
		default:
			return 0, false
		}
	}
	// The string shares the bytes and is not kept beyond the call.
	x, err := strconv.ParseFloat(unsafe.String(unsafe.SliceData(text), len(text)), 64)
	return x, err == nil
}
