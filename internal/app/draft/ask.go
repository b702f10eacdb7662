package draft

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/profile"
)

// Ask lets a person confirm or change what was chosen. An empty answer keeps what stands in brackets.
func (d *Draft) Ask(in io.Reader, out io.Writer) error {
	q := questions{in: bufio.NewScanner(in), out: out}
	english.Fprintf(out, "%s has %s and %s. An empty answer keeps what is in brackets.\n\n", d.Source, english.Counted(d.Records, "record"), english.Counted(len(d.columns), "field"))
	for _, l := range d.labels[:min(len(d.labels), 8)] {
		fmt.Fprintf(out, "  %s: %s\n", l.Name, valuesWords(l.Shown))
	}
	if label := q.oneOf("Field to predict", d.Label, d.names()); label != d.Label {
		d.setLabel(label)
	}
	if !d.regression {
		d.Positive = q.value("Value that counts as positive", d.Positive, d.column(d.Label))
	}
	fmt.Fprintln(out)
	for _, a := range d.attributes[:min(len(d.attributes), 8)] {
		fmt.Fprintf(out, "  %s: %s\n", a.Name, ColumnWords(a.Column))
	}
	if attribute := q.oneOf("Protected attribute, - for none", d.Attribute, append(d.names(), "-")); attribute == "-" {
		d.setAttribute("")
	} else if attribute != d.Attribute {
		d.setAttribute(attribute)
	}
	if d.Attribute != "" {
		c := d.column(d.Attribute)
		d.Group = q.value("Group", d.Group, c)
		c.Shown = append(slices.Clone(c.Shown), profile.Value{Text: "rest"})
		d.Versus = q.value("Compared with (rest is every other value)", d.Versus, c)
		d.Tau = q.number("Largest difference allowed (tau)", d.Tau)
	}
	return q.err
}

// questions asks on out and reads answers from in.
type questions struct {
	in  *bufio.Scanner
	out io.Writer
	err error
}

// answer returns one line, or what is in brackets.
func (q *questions) answer(question, present string) string {
	if q.err != nil {
		return present
	}
	fmt.Fprintf(q.out, "%s [%s]: ", question, present)
	if !q.in.Scan() {
		if q.err = q.in.Err(); q.err == nil {
			q.err = errors.New("the questions were not answered: give --label, --positive and --attribute instead")
		}
		return present
	}
	if text := strings.TrimSpace(q.in.Text()); text != "" {
		return text
	}
	return present
}

func (q *questions) oneOf(question, present string, names []string) string {
	for {
		answer := q.answer(question, present)
		if q.err != nil || answer == present || slices.Contains(names, answer) {
			return answer
		}
		fmt.Fprintf(q.out, "  There is no field %q%s.\n", answer, english.DidYouMean(answer, names))
	}
}

// value asks for a value of a column; any text will do where not all values are known.
func (q *questions) value(question, present string, c profile.Column) string {
	for {
		answer := q.answer(question, present)
		known := slices.ContainsFunc(c.Shown, func(v profile.Value) bool { return v.Text == answer })
		if q.err != nil || answer == present || known || len(c.Shown) == 0 {
			return answer
		}
		fmt.Fprintf(q.out, "  The values of %s are %s.\n", c.Name, valuesWords(c.Shown))
	}
}

func (q *questions) number(question string, present float64) float64 {
	for {
		answer := q.answer(question, english.Number(present))
		x, err := strconv.ParseFloat(answer, 64)
		if q.err != nil || err == nil && x > 0 {
			return x
		}
		fmt.Fprintln(q.out, "  Give a number above 0, such as 0.05.")
	}
}
