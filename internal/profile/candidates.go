package profile

import (
	"cmp"
	"slices"
	"strings"
)

// A label or an attribute needs leastMinority of its records on the smaller side, and a value in leastPresent
// of all records: labels may come late, attributes may be unknown.
const (
	leastMinority = .005
	leastPresent  = .2
)

// Label is a column that may be the one to predict.
type Label struct {
	Column
	// Positive is the value that is likely to be the positive one; empty where no word tells.
	Positive string
	// Named says whether the column's name is that of a label.
	Named bool
}

// Attribute is a column that may be a protected attribute.
type Attribute struct {
	Column
	// Group and Versus are the two most frequent values; empty for a number.
	Group, Versus string
	// Named says whether the column's name is that of a protected attribute, and nothing speaks against it.
	Named bool
	// Doubt is what speaks against it, in words; empty if nothing does.
	Doubt string
}

// Labels returns the columns that have two values, and those with a label's name that have a few more, the
// likeliest label first: a name, then booleans, then the order of the columns backwards, since a label often
// comes last.
func Labels(columns []Column) []Label {
	var labels []Label
	for _, c := range slices.Backward(columns) {
		named := IsLabelName(c.Name) && !IsAttributeName(c.Name)
		ofMore := c.Kind == Category && (slices.Contains(labelWords, strings.ToLower(c.Name)) || isStatus(&c))
		if len(c.Shown) < 2 || len(c.Shown) > 2 && !ofMore || !c.frequent() {
			continue
		}
		labels = append(labels, Label{c, positive(c.Name, c.Shown), named})
	}
	rank := func(l Label) int {
		switch {
		case l.Named && len(l.Shown) == 2:
			return 0
		case l.Named:
			return 2
		case IsAttributeName(l.Name):
			return 3
		case l.Kind == Boolean:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(labels, func(a, b Label) int { return cmp.Compare(rank(a), rank(b)) })
	return labels
}

// mostStates is how many values a status has at most that may be a label, one of them positive.
const mostStates = 8

// isStatus says whether a column has the name of how something ended, such as loan_status.
func isStatus(c *Column) bool {
	words := wordsOf(lastPart(c.Name))
	ofThing := len(words) == 1 || len(words) > 1 && slices.Contains(endingThings, words[len(words)-2])
	return len(c.Shown) <= mostStates && (isAbout(c.Name, []string{"outcome", "decision", "disposition"}) || ofThing && slices.Contains([]string{"status", "result", "state"}, words[len(words)-1]))
}

// endingThings end in a status; the status of a marriage or a job is where a person stands.
var endingThings = strings.Fields("loan application account payment credit claim order case final contract policy subscription repayment offer charge admission request")

// NumericLabels returns the numbers whose name is that of a label, for a sample without a column of two values.
func NumericLabels(columns []Column) []Column {
	var labels []Column
	for _, c := range columns {
		if c.Kind == Number && IsLabelName(c.Name) && c.Distinct > 2 {
			labels = append(labels, c)
		}
	}
	return labels
}

// An attribute of people is often written as a code: sex as 1, 2 and 9 (ISO/IEC 5218), say. Ages are amounts.
const mostCodes = 10

var sexWords = strings.Fields("sex gender geschlecht sexe civilite civilité sexo género genero sesso genere gênero geslacht płeć plec kön køn kjønn koen sukupuoli cinsiyet пол pohlavi pohlaví pohlavie spol lytis sugu nem gndr ling linga jenis kelamin jantina seibetsu 性別 성별")

var codedWords = append(strings.Fields("race ethnicity ethnic religion nationality citizenship color colour raza etnia razza raça raca caste jati jaati ras din milliyet narodnost národnost narodowosc"), sexWords...)

// Attributes returns the columns that may be a protected attribute, but for the label and what has the name of one: those with the name of
// one first, then, by their number of values, the other categories of two to ten values.
func Attributes(columns []Column, label string) []Attribute {
	var attributes []Attribute
	for _, c := range columns {
		named := IsAttributeName(c.Name) || isOneHot(columns, &c)
		doubt := ""
		if named {
			doubt = doubtOf(columns, &c)
		}
		switch {
		case c.Name == label || !named && IsLabelName(c.Name) || c.Values < int(leastPresent*float64(c.Records)):
		case named && c.Kind == Number && c.Distinct > 2 && (len(c.Shown) == 0 || len(c.Shown) > mostCodes || IsAgeName(c.Name) || !isAbout(c.Name, codedWords)):
			attributes = append(attributes, Attribute{Column: c, Named: doubt == "", Doubt: doubt})
		case len(c.Shown) >= 2 && (named || len(c.Shown) <= 10) && c.frequent() && (c.Kind == Category || c.Kind == Boolean || named):
			attributes = append(attributes, Attribute{c, c.Shown[0].Text, c.Shown[1].Text, named && doubt == "", doubt})
		}
	}
	rank := func(a Attribute) int {
		switch {
		case a.Named && a.Group != "":
			// sex before race before the others, as in the list.
			if slices.ContainsFunc(wordsOf(a.Name), func(word string) bool { return slices.Contains(sexWords, word) }) {
				return -1
			}
			return slices.IndexFunc(attributeWords, func(word string) bool { return slices.Contains(wordsOf(a.Name), word) })
		case a.Named:
			return len(attributeWords)
		case a.Kind == Boolean:
			return 2000
		}
		return 1000 + a.Distinct
	}
	slices.SortStableFunc(attributes, func(a, b Attribute) int { return cmp.Compare(rank(a), rank(b)) })
	return attributes
}

// isOneHot says whether a column is one of several with two values that stand for the values of an attribute, such as sex_female and sex_male.
func isOneHot(columns []Column, c *Column) bool {
	at := strings.LastIndexByte(c.Name, '_')
	if at <= 0 || !IsAttributeName(c.Name[:at]) {
		return false
	}
	alike := 0
	for _, other := range columns {
		if strings.LastIndexByte(other.Name, '_') == at && other.Name[:at] == c.Name[:at] && len(other.Shown) == 2 {
			alike++
		}
	}
	return alike > 1 && len(c.Shown) == 2
}

// Groups are the two most frequent values that are no words for "not known", and of sex those of men and women; versus is empty if there are not two.
func Groups(values []Value) (group, versus string) {
	var known []string
	records := map[string]int{}
	all := 0
	for _, v := range values {
		if plain := strings.ToLower(strings.TrimSpace(v.Text)); !IsUnknownWord(v.Text) && !strings.Contains(plain, "not available") && !strings.Contains(plain, "not provided") && !strings.Contains(plain, "unknown") {
			known = append(known, v.Text)
			records[v.Text] = v.Count
			all += v.Count
		}
	}
	sexed := slices.DeleteFunc(slices.Clone(known), func(text string) bool {
		return !slices.Contains([]string{"m", "f", "w", "male", "female", "man", "woman", "men", "women"}, strings.ToLower(strings.TrimSpace(text)))
	})
	switch {
	case len(sexed) == 2 && 2*(records[sexed[0]]+records[sexed[1]]) >= all: // else most are written in another way
		return sexed[0], sexed[1]
	case len(known) >= 2:
		return known[0], known[1]
	}
	return "", ""
}

// frequent says whether enough records have a value, and enough the second value. A value that a schema lists may be rare in the sample.
func (c *Column) frequent() bool {
	return float64(c.Values) >= leastPresent*float64(c.Records) && (c.Listed || float64(c.Shown[1].Count) >= leastMinority*float64(c.Values))
}

// Positive is the value of a label that is likely to be the positive one; empty where a column shows no values, or nothing tells which it is.
func Positive(c Column) string {
	if len(c.Shown) < 2 {
		return ""
	}
	return positive(c.Name, c.Shown)
}
