package inspect

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/internal/spelling"
	"github.com/fairstream/fairstream/pkg/model"
)

// alike says whether two different texts are one value written in two ways: in another case, with spaces or a full stop at
// an end, or as another form of the same number.
func alike(a, b string) bool {
	if a == b {
		return false
	}
	if plainWord(a) == plainWord(b) {
		return true
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && x == y
}

// plainWord is a text as it is folded, without spaces of any kind and full stops at its ends.
func plainWord(text string) string {
	return strings.TrimFunc(folded(text), func(r rune) bool { return r == '.' || unicode.IsSpace(r) })
}

// sameGroup are words for one group of people.
var sameGroup = [][]string{
	{"m", "male", "man", "men", "boy", "mr", "masculine", "männlich", "maennlich", "mann", "herr", "homme", "masculin", "hombre", "masculino", "varón"},
	{"f", "w", "female", "woman", "women", "girl", "ms", "mrs", "feminine", "weiblich", "frau", "femme", "féminin", "mujer", "femenino"},
}

// sameAnswer are words for yes, and for no.
var sameAnswer = [][]string{
	{"yes", "y", "true", "t", "1", "ja", "j", "oui", "o", "si", "sí", "s", "sim", "wahr"},
	{"no", "n", "false", "f", "0", "nein", "non", "não", "falsch"},
}

// alikeGroup says whether two different texts are one group: alike, or words of the same meaning.
func alikeGroup(a, b string) bool { return alikeAnswer(a, b) || inOne(sameGroup, a, b) }

// alikeAnswer says whether two different texts are one answer to a question.
func alikeAnswer(a, b string) bool {
	return alike(a, b) || a != b && plainForm(a) == plainForm(b) || inOne(sameAnswer, a, b)
}

// mistyped says whether a word is another but for one letter.
func mistyped(a, b string) bool {
	return !strings.ContainsAny(a+b, "0123456789") && spelling.OneOff(plainWord(a), plainWord(b))
}

func inOne(lists [][]string, a, b string) bool {
	return a != b && slices.ContainsFunc(lists, func(words []string) bool {
		return slices.Contains(words, plainWord(a)) && slices.Contains(words, plainWord(b))
	})
}

// values are those of a column that can be told apart, the most frequent first.
func (s *search) values(name string) (values []profile.Value) {
	if c := s.column(name); c != nil && len(c.Shown) > 0 {
		return c.Shown
	}
	if w := s.written[name]; w != nil {
		for _, t := range w.texts {
			values = append(values, profile.Value{Text: t.text, Count: t.records})
		}
	}
	slices.SortFunc(values, func(a, b profile.Value) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Text, b.Text))
	})
	return values
}

// otherwise lists those of values that are like one of words, written in another way.
func otherwise(values []profile.Value, words []string, like func(a, b string) bool) string {
	var found []profile.Value
	for _, v := range values {
		if !slices.Contains(words, v.Text) && slices.ContainsFunc(words, func(word string) bool { return like(v.Text, word) }) {
			found = append(found, v)
		}
	}
	return Values(found)
}

// spellings finds labels and groups that are written in several ways, of which the configuration knows one.
func (s *search) spellings() {
	label := s.config.Record.Label
	if positive := string(label.Positive); s.sequence.positive > 0 {
		if others := otherwise(s.values(label.Field), []string{positive}, alikeAnswer); others != "" {
			s.add(false, "record.label.positive", "%s are taken for negative labels, as only %s is positive: write the label in one way", others, Quote(positive))
		}
	}
	for _, c := range s.Counts() {
		at := slices.IndexFunc(s.config.Constraints, func(k model.Constraint) bool { return k.Name == c.Name })
		attribute := s.config.Constraints[at].Attribute
		if len(attribute) != 1 || c.Group == 0 || c.Versus == 0 {
			continue
		}
		words := slices.Concat(strings.Split(c.GroupLabel(), " or "), strings.Split(c.VersusLabel(), " or "))
		if others := otherwise(s.values(attribute[0]), words, func(a, b string) bool { return alikeGroup(a, b) || mistyped(a, b) }); others != "" {
			s.add(false, fmt.Sprintf("constraints[%d].attribute", at), "%s of %q are not in the groups %s and %s: write each value in one way", others, attribute[0], Quote(c.GroupLabel()), Quote(c.VersusLabel()))
		}
	}
}

// further finds values of a label beside the positive one and another.
func (s *search) further() {
	positive := string(s.config.Record.Label.Positive)
	c := s.column(s.config.Record.Label.Field)
	if positive == "" || c == nil || c.Distinct <= 2 || s.sequence.positive == 0 {
		return
	}
	which := ""
	if len(c.Shown) > 0 {
		var others []profile.Value
		for _, v := range c.Shown {
			if v.Text != positive && !alikeAnswer(v.Text, positive) && !slices.ContainsFunc(others, func(o profile.Value) bool { return alikeAnswer(o.Text, v.Text) }) {
				others = append(others, v)
			}
		}
		if len(others) < 2 {
			return
		}
		which = ", " + Values(c.Shown)
		if at := slices.IndexFunc(others, func(v profile.Value) bool { return v.Text == c.Name }); at >= 0 && len(others) == 2 {
			s.add(false, "record", "a header line comes again among the records: in %d of them %q is %q. Remove these lines", others[at].Count, c.Name, c.Name)
			return
		}
	}
	s.add(false, "record.label.positive", "the label has %d values%s, and every one but %s is learnt as negative. List a value that means \"not known\" in record.missing", c.Distinct, which, Quote(positive))
}

// repeated finds records that are copies of earlier ones.
func (s *search) repeated() {
	if copies, column := s.copies.Found(); copies > 0 {
		s.add(false, "record", "%d of %d records with a label are copies of an earlier one in every field that is read, although %q has a value of its own in nearly every other record. Copies are learnt and counted as if they were new evidence, so intervals become too narrow: remove them where the records are made",
			copies, s.sequence.known, column)
	}
}

// contradicting finds records that are the same as an earlier one but for the label.
func (s *search) contradicting() {
	if n, column := s.unlike.Found(); n > 0 {
		s.akins = true
		s.add(false, "record.label.field", "%d of %d records with a label are the same as an earlier one in every other field that is read, %q included, but have the other label: was one record written twice, as before and after an appeal? Keep the one whose label is right where the records are made",
			n, s.sequence.known, column)
	}
}

// leastFollowing is how many different numbers two columns have of which one follows from the other: fewer may do so by chance.
const leastFollowing = 20

// following finds two columns of numbers of which one follows from the other, as an amount in two currencies does.
func (s *search) following() {
	for _, twin := range s.beside.Twins(func(name string) bool {
		c := s.column(name)
		return c != nil && c.Distinct >= leastFollowing && s.features[name] && !slices.Contains(s.left, name)
	}) {
		how := ""
		if twin.Proportional {
			how = fmt.Sprintf(" (about %.3g times it)", twin.Factor)
		}
		s.add(false, "record.ignore", "add %q or %q: the second follows from the first%s in all %d records that have both, so one of them adds nothing, and explanations split its effect between the two",
			twin.First, twin.Second, how, twin.Records)
	}
}

// twice finds constraints that compare the same groups by the same criterion.
func (s *search) twice() {
	said := map[string]int{}
	for at, c := range s.config.Constraints {
		group, versus := fmt.Sprint(c.Group), fmt.Sprint(c.Versus)
		name := fmt.Sprint(c.Attribute, c.Criterion, c.Strata, min(group, versus), max(group, versus))
		before, known := said[name]
		if !known {
			said[name] = at
			continue
		}
		s.add(false, fmt.Sprintf("constraints[%d]", at), "compares the same groups of %s by %s as constraints[%d] does, with tau %v and %v: keep the one that you mean",
			strings.Join(c.Attribute, ", "), c.Criterion, before, c.Tau, s.config.Constraints[before].Tau)
	}
}

// bounds finds values of tau that bound nearly nothing.
func (s *search) bounds() {
	for at, c := range s.config.Constraints {
		path := fmt.Sprintf("constraints[%d].tau", at)
		switch {
		case c.Criterion.OfRatio() && c.Tau < .5:
			s.add(false, path, "%v allows a rate that is a fraction %v of the other: %s is a ratio, such as 0.8 for four fifths", c.Tau, c.Tau, c.Criterion)
		case !c.Criterion.OfRatio() && !c.Criterion.OfMeans() && c.Tau >= .5:
			s.add(false, path, "%v allows nearly every difference of rates: use one such as 0.05, or criterion: impact-ratio for four fifths (tau: 0.8)", c.Tau)
		}
	}
}
