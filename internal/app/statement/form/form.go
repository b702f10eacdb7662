// Package form says how values are written, in the words behind "is written": with how many decimals, an exponent, capitals, digits, signs or spaces.
package form

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
)

// Form is how a value is written: as a number with some decimals, or as a text with some kinds of letters. 0 is that of no value.
type Form uint16

const (
	written Form = 1 << iota // every value
	number
	exponent // of a number, or leading zeros
	zeros
	small // of a text
	capital
	digit
	space
	edge // a space at an end
	sign
	foreign

	decimals    = 12 // where their number begins
	mostCounted = 7
)

// Of is how a text is written.
func Of(text []byte) Form {
	digits, points, others, after := 0, 0, 0, 0
	is := written
	for i, b := range text {
		switch {
		case b >= '0' && b <= '9':
			digits++
			if points > 0 && is&exponent == 0 {
				after++
			}
		case b == '.':
			points++
		case (b == 'e' || b == 'E') && digits > 0 && i+1 < len(text):
			is |= exponent
			others++
		case (b == '-' || b == '+') && (i == 0 || is&exponent != 0):
		default:
			others += 2
		}
	}
	if digits > 0 && points < 2 && others < 2 {
		if len(text) > 1 && text[0] == '0' && text[1] != '.' {
			is |= zeros
		}
		return is | number | Form(min(after, mostCounted))<<decimals
	}
	is = written
	trimmed := bytes.TrimSpace(text)
	if len(trimmed) < len(text) {
		is |= edge
	}
	for _, r := range string(trimmed) {
		switch {
		case r > unicode.MaxASCII:
			is |= foreign
		case r >= 'a' && r <= 'z':
			is |= small
		case r >= 'A' && r <= 'Z':
			is |= capital
		case r >= '0' && r <= '9':
			is |= digit
		case r == ' ':
			is |= space
		default:
			is |= sign
		}
	}
	return is
}

// String says it in words that go behind "is written".
func (f Form) String() string {
	if f&number != 0 {
		words := "as a whole number"
		switch n := int(f >> decimals); {
		case n == 1:
			words = "with 1 decimal"
		case n == mostCounted:
			words = fmt.Sprintf("with %d decimals or more", n)
		case n > 0:
			words = fmt.Sprintf("with %d decimals", n)
		}
		if f&exponent != 0 {
			words += " and an exponent"
		}
		if f&zeros != 0 {
			words += " and leading zeros"
		}
		return words
	}
	var with []string
	for _, kind := range []struct {
		is    Form
		words string
	}{{small, "small letters"}, {capital, "capitals"}, {digit, "digits"}, {sign, "signs"}, {foreign, "letters that are not English"}, {space, "spaces"}, {edge, "a space at an end"}} {
		if f&kind.is != 0 {
			with = append(with, kind.words)
		}
	}
	if len(with) == 0 {
		return "as an empty text"
	}
	return "with " + strings.Join(with, ", ")
}
