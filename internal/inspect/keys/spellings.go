package keys

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/words"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/pkg/model"
)

// otherwise lists those of values that are like one of texts, written in another way.
func otherwise(values []profile.Value, texts []string, like func(a, b string) bool) string {
	var found []profile.Value
	for _, v := range values {
		if !slices.Contains(texts, v.Text) && slices.ContainsFunc(texts, func(text string) bool { return like(v.Text, text) }) {
			found = append(found, v)
		}
	}
	return words.Values(found)
}

// Spellings finds labels and groups that are written in several ways, of which the configuration knows one.
func Spellings(s *find.Search) {
	label := s.Config.Record.Label
	if positive := string(label.Positive); s.Sequence.Positive > 0 {
		if others := otherwise(s.Values(label.Field), []string{positive}, words.AlikeAnswer); others != "" {
			s.Say(false, "record.label.positive", "%s are taken for negative labels, as only %s is positive: write the label in one way", others, words.Quote(positive))
		}
	}
	for _, c := range s.Counts() {
		at := slices.IndexFunc(s.Config.Constraints, func(k model.Constraint) bool { return k.Name == c.Name })
		attribute := s.Config.Constraints[at].Attribute
		if len(attribute) != 1 || c.Group == 0 || c.Versus == 0 {
			continue
		}
		members := slices.Concat(strings.Split(c.GroupLabel(), " or "), strings.Split(c.VersusLabel(), " or "))
		if others := otherwise(s.Values(attribute[0]), members, func(a, b string) bool { return words.AlikeGroup(a, b) || words.Mistyped(a, b) }); others != "" {
			s.Say(false, fmt.Sprintf("constraints[%d].attribute", at), "%s of %q are not in the groups %s and %s: write each value in one way", others, attribute[0], words.Quote(c.GroupLabel()), words.Quote(c.VersusLabel()))
		} else if others := codes(s.Values(attribute[0]), members); others != "" {
			s.Say(false, fmt.Sprintf("constraints[%d].attribute", at), "%s of %q are numbers, and the groups %s and %s are words: if these are codes of the same groups, write each value in one way", others, attribute[0], words.Quote(c.GroupLabel()), words.Quote(c.VersusLabel()))
		}
	}
}

// manyCodes is the share of the records from which on numbers among words are told of.
const manyCodes = .1

// codes are the values that are numbers where the members of groups are words, if there are two or more and many records have them.
func codes(values []profile.Value, members []string) string {
	isNumber := func(text string) bool { return !math.IsNaN(table.Number([]byte(text))) }
	if slices.ContainsFunc(members, isNumber) {
		return ""
	}
	var found []profile.Value
	all, of := 0, 0
	for _, v := range values {
		if all += v.Count; isNumber(v.Text) {
			found = append(found, v)
			of += v.Count
		}
	}
	if len(found) < 2 || float64(of) < manyCodes*float64(all) {
		return ""
	}
	return words.Values(found)
}
