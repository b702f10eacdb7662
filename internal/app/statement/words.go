package statement

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/app/english"
)

// words say a difference; part and rest are what the two are called, such as "the last quarter" and "the others".
func (d *difference) words(part, rest string) string {
	name := strconv.Quote(d.column.name)
	switch d.kind {
	case missing:
		return fmt.Sprintf("%s has no value in %s of %s and in %s of %s", name, english.Percent(d.is), part, english.Percent(d.was), rest)
	case writing:
		return fmt.Sprintf("%s is written %s in %s of %s and in %s of %s", name, d.form, english.Percent(d.is), part, english.Percent(d.was), rest)
	case numbers:
		return fmt.Sprintf("%s is at most %s in %s of %s and in %s of %s", name, d.column.number(d.upTo), english.Percent(d.is), part, english.Percent(d.was), rest)
	}
	return fmt.Sprintf("%s is %s in %s of %s and in %s of %s", name, quoted(d.column.texts[d.value]), english.Percent(d.is), part, english.Percent(d.was), rest)
}

// number is one of a column, or the day of a time.
func (c *column) number(x float64) string {
	x += 0 // no minus before 0
	if c.isTime() {
		return time.Unix(int64(x), 0).UTC().Format("2 January 2006")
	}
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		if math.Abs(x) < 1e4 { // as a year
			return english.Number(x)
		}
		return english.Sprintf("%.0f", x)
	}
	return english.FourDigits(x)
}

// pairs is a share of pairs, in words.
func pairs(x float64) string { return fmt.Sprintf("%.0f", 100*x) }

// quoted is a text as it is, or in quotes if it would not be seen as one word.
func quoted(text string) string {
	if text == "" || slices.ContainsFunc([]rune(text), func(r rune) bool { return r == ' ' || r == ',' || r == '"' || !strconv.IsPrint(r) }) {
		return strconv.Quote(text)
	}
	return text
}

// some names the first things of a list, and how many there are beside them.
func some(words []string, most int) string {
	if more := len(words) - most; more > 0 {
		return english.And(append(slices.Clone(words[:most]), fmt.Sprintf("%d more", more)))
	}
	return english.And(words)
}

// lines writes what is said, a line of each thing, and counts the questions in them.
type lines struct {
	to        io.Writer
	questions int
}

// write writes what is said of one thing, if anything is.
func (l *lines) write(heading, text string) {
	if text == "" {
		return
	}
	l.questions += strings.Count(text, "? ")
	if strings.HasSuffix(text, "?") {
		l.questions++
	}
	_, _ = fmt.Fprintln(l.to, english.Wrapped("- "+heading+": "+english.OneLine(text), 78)) // what is written last returns the error
}
