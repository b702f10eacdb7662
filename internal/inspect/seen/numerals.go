package seen

import (
	"bytes"
)

// Numerals counts how the numbers of a column are written.
type Numerals struct {
	Short     int // without a point
	Thousands int // with three digits behind the point
	Exponents int // as 1.23E+05
	Other     int
}

func (n *Numerals) add(text []byte) {
	if bytes.Contains(text, []byte("E+")) {
		n.Exponents++
	}
	before, after, dotted := bytes.Cut(text, []byte("."))
	digits := func(b []byte) bool { return bytes.IndexFunc(b, func(r rune) bool { return r < '0' || r > '9' }) < 0 }
	switch {
	case len(before) == 0 || len(before) > 3 || !digits(before):
		n.Other++
	case !dotted:
		n.Short++
	case before[0] != '0' && len(after) == 3 && digits(after):
		n.Thousands++
	default:
		n.Other++
	}
}
