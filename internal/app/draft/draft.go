package draft

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/record"
)

// Draft is a configuration in the making.
type Draft struct {
	columns []profile.Column

	Source  string // of the sample, and how many records it had
	Records int
	Whole   bool           // the sample was all of it
	CSV     record.Dialect // of the file
	Alike   string         // words of it in this encoding and in another that it may have; empty if no other is likely
	Copies  int            // records that are the same as an earlier one; columns are of the others

	Job, Input string
	At         record.At // where messages hold their records
	Brokers    []string
	Format     record.Encoding         // of the topic
	Schemas    []string                // files of its schemas
	Registry   []string                // addresses that have them
	Schema     string                  // of the newest message, by name
	fields     map[string]format.Field // what it says

	labels     []profile.Label // candidates
	attributes []profile.Attribute

	Label, Positive          string
	regression               bool
	Attribute, Group, Versus string
	Tau                      float64
}

// New takes as the label the only field that has the name of one. Where no field has, or several have, nobody but the user knows which
// it is, and the draft has none.
func New(columns []profile.Column) *Draft {
	d := &Draft{columns: columns, labels: profile.Labels(columns)}
	var named, unnamed []string
	for _, l := range d.labels {
		switch {
		case l.Named:
			named = append(named, l.Name)
		case !profile.IsAttributeName(l.Name):
			unnamed = append(unnamed, l.Name)
		}
	}
	classes := len(named) + len(unnamed)
	for _, c := range profile.NumericLabels(columns) {
		if classes == 0 || profile.MustBeLabel(c.Name) {
			named = append(named, c.Name)
		}
	}
	vague := func(name string) bool { // a label mostly comes last
		return profile.IsClassName(name) || profile.IsVagueLabelName(name) && name != columns[len(columns)-1].Name
	}
	if len(named) == 1 && !(vague(named[0]) && len(unnamed) > 0) {
		d.setLabel(named[0])
	} else {
		d.setLabel("")
	}
	return d
}

func (d *Draft) names() []string {
	names := make([]string, len(d.columns))
	for i, c := range d.columns {
		names[i] = c.Name
	}
	return names
}

// headless says whether the names of columns are probably the values of a first record.
func (d *Draft) headless() bool { return profile.Headless(d.names()) }

// column returns the column of a name, or one without a name.
func (d *Draft) column(name string) profile.Column {
	if i := slices.Index(d.names(), name); i >= 0 {
		return d.columns[i]
	}
	return profile.Column{}
}

// tauOfRates is the tau of a draft whose decisions are positive or negative: five percentage points.
const tauOfRates = .05

// setLabel takes a field as the label, with its likely positive value, and the attribute that goes with it.
func (d *Draft) setLabel(name string) {
	c := d.column(name)
	d.Label, d.Positive = name, ""
	d.regression = c.Kind == profile.Number && c.Distinct > 2 && len(c.Shown) != 2
	if !d.regression {
		d.Positive = profile.Positive(c)
	}
	d.Tau = tauOfRates
	if d.regression {
		d.Tau = english.RoundTo2(c.Deviation / 10)
	}
	d.attributes = profile.Attributes(d.columns, name)
	d.setAttribute("")
	for _, a := range d.attributes {
		if a.Named && a.Group != "" {
			d.setAttribute(a.Name)
			break
		}
	}
}

// leastOfGroup is how many records of the sample a group needs to be compared with by name.
const leastOfGroup = 30

// setAttribute takes a field as the attribute, its most frequent value as the group, and the next one as the
// other group, or all the rest where there are many or few.
func (d *Draft) setAttribute(name string) {
	d.Attribute, d.Group, d.Versus = name, "", ""
	c := d.column(name)
	if len(c.Shown) < 2 {
		return
	}
	d.Group, d.Versus = c.Shown[0].Text, c.Shown[1].Text
	if group, versus := profile.Groups(c.Shown); versus != "" {
		d.Group, d.Versus = group, versus
	}
	if len(c.Shown) > 2 && (c.Shown[1].Count < leastOfGroup || d.Versus == "rest") {
		d.Versus = "rest"
	}
}

// describe takes the schema of a topic into the draft, whose columns have it already.
func (d *Draft) describe(name string, fields []format.Field) {
	d.Schema, d.fields = name, make(map[string]format.Field, len(fields))
	for _, f := range fields {
		d.fields[f.Name] = f
	}
}

// mostDoc is how much of a doc is shown.
const mostDoc = 120

// doc is what the schema says of a field in words, behind other words; empty if it says nothing.
func (d *Draft) doc(name string) string {
	if doc := d.fields[name].Doc; doc != "" {
		return ". Schema: " + english.Clipped(doc, mostDoc)
	}
	return ""
}

// wholeShare is how many of the records have an identifier, and how many of its values are different, at least.
const wholeShare = .99

// identifier is the column that identifies a record, the first of those with a value of its own in every record; empty if there is none. It has the
// name of one, or is a UUID by the schema; the schema does not let it be null.
func (d *Draft) identifier() string {
	for _, c := range d.columns {
		f := d.fields[c.Name]
		is := !f.Nullable && (f.Kind == format.UUID || profile.IsIdentifierName(c.Name))
		if c.Kind == profile.Identifier && c.Name != d.Label && c.Name != d.Attribute && is &&
			float64(c.Values) >= wholeShare*float64(c.Records) && c.DistinctShare >= wholeShare {
			return c.Name
		}
	}
	return ""
}

// ignored lists the columns that are not to be read, with the reason. Columns that are all below one name are
// ignored by that name.
func (d *Draft) ignored() (fields []ignoredField) {
	identifier := d.identifier()
	for _, c := range d.columns {
		unread := c.Kind.NoFeature() || c.Kind == profile.Formatted && 2*c.Numbers < c.Values
		if !unread || c.Name == d.Label || c.Name == d.Attribute || c.Name == identifier {
			continue
		}
		field := ignoredField{c.Name, string(c.Kind) + ": " + c.Why + d.doc(c.Name)}
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
func (d *Draft) allIgnored(name string) (parent string, below int) {
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
		if !c.Kind.NoFeature() && c.Kind != profile.Empty && c.Values >= leastOfGroup || c.Name == d.Label || c.Name == d.Attribute {
			return "", 0
		}
		below++
	}
	return name[:at], below
}

// oddTexts are the texts that stand among numbers, for record.missing. One with a digit, such as 2A, is a value, and so is one that another column has:
// cells may be shifted.
func (d *Draft) oddTexts() (odd []string) {
	values := map[string]bool{}
	for _, c := range d.columns {
		for _, v := range c.Shown {
			values[v.Text] = !profile.IsUnknownWord(v.Text)
		}
	}
	for _, c := range d.columns {
		for _, v := range c.Odd {
			if c.Kind == profile.Spoilt && !strings.ContainsAny(v.Text, "0123456789") && v.Text != d.Positive && !values[v.Text] && !slices.Contains(odd, v.Text) {
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
	if !isPrintable(text) || strings.TrimSpace(text) != text || text == "" {
		return strconv.Quote(text)
	}
	return text
}

func isPrintable(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return !strconv.IsPrint(r) }) < 0
}

// ColumnWords says what a column is: number 18 to 70, or 3 values.
func ColumnWords(c profile.Column) string {
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

// Choose sets what the flags say, and checks it against the sample.
func (d *Draft) Choose(label, positive, attribute string) error {
	if label != "" {
		if !slices.Contains(d.names(), label) {
			return fmt.Errorf("--label %s: the sample has no such field%s; the fields are %s", label, english.DidYouMean(label, d.names()), english.List(d.names()))
		}
		d.setLabel(label)
	}
	if positive != "" {
		if c := d.column(d.Label); len(c.Shown) > 0 && !slices.ContainsFunc(c.Shown, func(v profile.Value) bool { return v.Text == positive }) {
			return fmt.Errorf("--positive %s: the values of %s in the sample are %s", positive, d.Label, valuesWords(c.Shown))
		}
		d.Positive, d.regression, d.Tau = positive, false, tauOfRates
	}
	if attribute != "" {
		if !slices.Contains(d.names(), attribute) {
			return fmt.Errorf("--attribute %s: the sample has no such field%s; the fields are %s", attribute, english.DidYouMean(attribute, d.names()), english.List(d.names()))
		}
		if attribute == d.Label {
			return fmt.Errorf("--attribute %s: is the label: name another field", attribute)
		}
		d.setAttribute(attribute)
	} else if d.Attribute == d.Label {
		d.setAttribute("")
	}
	return nil
}
