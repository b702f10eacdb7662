package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/fairstream/fairstream/internal/spelling"
)

// english prints numbers for people: 39,074 records.
var english = message.NewPrinter(language.English)

// counted is a number of things: 1 record, 2,000 records.
func counted[N int | int64](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return english.Sprintf("%d %ss", n, thing)
}

// prose breaks a sentence into lines of at most 80 characters.
func prose(sentence string) string { return trimLines(text.WrapSoft(sentence, 80)) }

// indented breaks words into lines of at most 80 characters that begin with spaces, all but the first with two more.
func indented(spaces int, words string) string {
	margin := strings.Repeat(" ", spaces)
	return margin + strings.ReplaceAll(trimLines(text.WrapSoft(words, 78-spaces)), "\n", "\n"+margin+"  ")
}

// meant is a question whether word was meant to be one of names, empty if none is near.
func meant(word string, names []string) string {
	if near := spelling.Nearest(word, names); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}

// meantField is meant for a field, which may be one of the same last part.
func meantField(word string, fields []string) string {
	if near := spelling.Field(word, fields); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}

// listed names at most forty of names.
func listed(names []string) string {
	const most = 40
	switch more := len(names) - most; {
	case len(names) == 0:
		return "none"
	case more > 0:
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}

// within is a number with its interval; absent numbers are a dash, and so is an absent interval, as about the
// mean of a single record.
func within(value, lo, hi float64, format string) string {
	if math.IsNaN(value) {
		return "–"
	}
	if math.IsNaN(lo) || math.IsNaN(hi) {
		return fmt.Sprintf(format+" [–]", value)
	}
	return fmt.Sprintf(format+" ["+format+", "+format+"]", value, lo, hi)
}

// inUnits is a format for a number in units of the label, whatever they are, with its interval: two digits of
// the interval's half-width are shown.
func inUnits(lo, hi float64, verb string) string {
	half := (hi - lo) / 2
	if !(half >= 1e-9) || math.Abs(lo)+math.Abs(hi) >= 1e15 {
		return verb + ".4g"
	}
	return fmt.Sprintf("%s.%df", verb, max(0, 1-int(math.Floor(math.Log10(half)))))
}

// written is a number as people write it: 250000 rather than 2.5e+05.
func written(x float64) string {
	if size := math.Abs(x); size != 0 && (size < 1e-9 || size >= 1e15) {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}
