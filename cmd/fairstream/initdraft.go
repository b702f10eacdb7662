package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/profile"
)

// draft is a configuration in the making.
type draft struct {
	columns []profile.Column

	source  string // of the sample, and how many records it had
	records int
	whole   bool // the sample was all of it
	copies  int  // records that are the same as an earlier one; columns are of the others

	job, input string
	brokers    []string

	labels     []profile.Label // candidates
	attributes []profile.Attribute

	label, positive          string
	regression               bool
	attribute, group, versus string
	tau                      float64
}

// newDraft takes the likeliest candidates.
func newDraft(columns []profile.Column) *draft {
	d := &draft{columns: columns, labels: profile.Labels(columns)}
	switch numeric := profile.NumericLabels(columns); {
	case len(numeric) > 0 && (len(d.labels) == 0 || !d.labels[0].Named):
		d.setLabel(numeric[0].Name)
	case len(d.labels) > 0:
		d.setLabel(d.labels[0].Name)
	default:
		d.setLabel("")
	}
	return d
}

func (d *draft) names() []string {
	names := make([]string, len(d.columns))
	for i, c := range d.columns {
		names[i] = c.Name
	}
	return names
}

// column returns the column of a name, or one without a name.
func (d *draft) column(name string) profile.Column {
	if i := slices.Index(d.names(), name); i >= 0 {
		return d.columns[i]
	}
	return profile.Column{}
}

// setLabel takes a field as the label, with its likely positive value, and the attribute that goes with it.
func (d *draft) setLabel(name string) {
	c := d.column(name)
	d.label, d.positive = name, ""
	d.regression = c.Kind == profile.Number && c.Distinct > 2 && len(c.Shown) != 2
	if !d.regression {
		d.positive = profile.Positive(c)
	}
	d.tau = .05
	if d.regression {
		d.tau = english.RoundTo2(c.Deviation / 10)
	}
	d.attributes = profile.Attributes(d.columns, name)
	d.setAttribute("")
	for _, a := range d.attributes {
		if a.Group != "" {
			d.setAttribute(a.Name)
			break
		}
	}
}

// leastOfGroup is how many records of the sample a group needs to be compared with by name.
const leastOfGroup = 30

// setAttribute takes a field as the attribute, its most frequent value as the group, and the next one as the
// other group, or all the rest where there are many or few.
func (d *draft) setAttribute(name string) {
	d.attribute, d.group, d.versus = name, "", ""
	c := d.column(name)
	if len(c.Shown) < 2 {
		return
	}
	d.group, d.versus = c.Shown[0].Text, c.Shown[1].Text
	if len(c.Shown) > 2 && (c.Shown[1].Count < leastOfGroup || d.versus == "rest") {
		d.versus = "rest"
	}
}

// ignored lists the columns that are not to be read, with the reason. Columns that are all below one name are
// ignored by that name.
func (d *draft) ignored() (fields []ignoredField) {
	for _, c := range d.columns {
		unread := c.Kind.NoFeature() || c.Kind == profile.Formatted && 2*c.Numbers < c.Values
		if !unread || c.Name == d.label || c.Name == d.attribute {
			continue
		}
		field := ignoredField{c.Name, string(c.Kind) + ": " + c.Why}
		if c.Kind == profile.Formatted {
			field.why += `; write 1234.5 instead of "1,234.5", then remove this line`
		}
		if parent, below := d.allIgnored(c.Name); parent != "" {
			field = ignoredField{parent, fmt.Sprintf("%s below it: %s", english.Counted(below, "field"), c.Why)}
		}
		if !slices.ContainsFunc(fields, func(f ignoredField) bool { return f.name == field.name }) {
			fields = append(fields, field)
		}
	}
	return fields
}

type ignoredField struct{ name, why string }

// allIgnored returns the array that an element belongs to, if no element of it is worth reading.
func (d *draft) allIgnored(name string) (parent string, below int) {
	at := strings.LastIndexByte(name, '.')
	if at < 0 {
		return "", 0
	}
	if _, err := strconv.Atoi(name[at+1:]); err != nil {
		return "", 0
	}
	for _, c := range d.columns {
		if !strings.HasPrefix(c.Name, name[:at+1]) {
			continue
		}
		// Later elements of an array are often too few to be told.
		if !c.Kind.NoFeature() && c.Kind != profile.Empty && c.Values >= leastOfGroup || c.Name == d.label || c.Name == d.attribute {
			return "", 0
		}
		below++
	}
	return name[:at], below
}

// oddTexts are the texts that stand among numbers, for record.missing.
func (d *draft) oddTexts() (odd []string) {
	for _, c := range d.columns {
		for _, v := range c.Odd {
			if c.Kind == profile.Spoilt && v.Text != d.positive && !slices.Contains(odd, v.Text) {
				odd = append(odd, v.Text)
			}
		}
	}
	return odd
}

// valuesWords lists values with their counts, the most frequent first: male 260, female 240.
func valuesWords(values []profile.Value) string {
	const most = 6
	var words []string
	for _, v := range values[:min(len(values), most)] {
		words = append(words, english.Sprintf("%s %d", plainText(v.Text), v.Count))
	}
	if more := len(values) - most; more > 0 {
		words = append(words, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(words, ", ")
}

// plainText is a text on one line, quoted if it has to be.
func plainText(text string) string {
	if quoted := strconv.Quote(text); len(quoted) != len(text)+2 && !isPrintable(text) || strings.TrimSpace(text) != text || text == "" {
		return quoted
	}
	return text
}

func isPrintable(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return !strconv.IsPrint(r) }) < 0
}

// columnWords says what a column is: number 18 to 70, or 3 values.
func columnWords(c profile.Column) string {
	words := string(c.Kind)
	switch {
	case c.Kind == profile.Number:
		words = fmt.Sprintf("number, %s to %s", english.FourDigits(c.Low), english.FourDigits(c.High))
	case c.Kind == profile.Spoilt:
		words = fmt.Sprintf("number, %s to %s, but for %s", english.FourDigits(c.Low), english.FourDigits(c.High), english.Counted(c.Values-c.Numbers, "text"))
		if len(c.Odd) > 0 {
			words += " (" + valuesWords(c.Odd) + ")"
		}
	case len(c.Shown) > 0 && len(c.Shown) <= 4:
		words += ": " + valuesWords(c.Shown)
	case c.AtLeast:
		words += english.Sprintf(", more than %d different values", c.Distinct)
	case c.Distinct > 1:
		words += english.Sprintf(", %d different values", c.Distinct)
	}
	if c.Values > 0 && c.Values < c.Records {
		words += fmt.Sprintf("; %s have none", english.Share(c.Records-c.Values, c.Records))
	}
	return words
}
