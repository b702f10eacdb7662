package keys

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/words"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// Labels finds labels that teach nothing.
func Labels(s *find.Search) {
	field := s.Config.Record.Label.Field
	c := s.Column(field)
	switch {
	case s.Profile.Records() == 0:
		s.Say(true, "record", "no record can be read%s", why(s))
	case s.Sequence.Known == 0 && s.Config.Record.Key != "":
		s.Say(false, "record.label.field", "no record has the label %q yet: records wait for it", field)
	case s.Sequence.Known == 0 && c != nil && c.Values > 0 && s.Rejection != nil:
		s.Say(true, rejectedKey(s), "every record with a label is rejected%s", why(s))
	case s.Sequence.Known == 0 && (c == nil || c.Values > 0):
		s.Say(true, "record.label.field", "no record has a field %q%s%s", field, s.Meant(field), why(s))
	case s.Sequence.Known == 0:
		s.Say(true, "record.label.field", "every record lacks the label %q: each is null or a text of record.missing", field)
	case s.Config.Learner.Task == model.Regression:
		if labels := s.Numbers(); labels.Variance() == 0 {
			s.Say(true, "record.label.field", "every label is the same number: is it the field to predict?")
		}
	case s.Sequence.Positive == 0:
		s.Say(true, "record.label.positive", "no record has the positive value %q%s", s.Config.Record.Label.Positive, words.Seen(c))
	case s.Sequence.Positive == s.Sequence.Known:
		s.Say(true, "record.label.positive", "every record is positive%s", words.Seen(c))
	case 100*min(s.Sequence.Positive, s.Sequence.Known-s.Sequence.Positive) < s.Sequence.Known:
		s.Say(false, "record.label.positive", "%d of %d records are positive: with so few on one side, many records are needed",
			s.Sequence.Positive, s.Sequence.Known)
	}
	if total := s.RejectedTotal(); total > 0 && s.Sequence.Known > 0 {
		s.Say(2*total > s.Sequence.Known, "record", "%s rejected%s", map[bool]string{true: "1 record is", false: fmt.Sprintf("%d records are", total)}[total == 1], why(s))
	}
}

// why names the first rejection.
func why(s *find.Search) string {
	if s.Rejection == nil {
		return ""
	}
	reasons := slices.SortedFunc(maps.Keys(s.Rejected), func(a, b record.Reason) int {
		return cmp.Or(cmp.Compare(s.Rejected[b], s.Rejected[a]), cmp.Compare(a, b))
	})
	return fmt.Sprintf("; most often for %s, the first: %v", reasons[0], s.Rejection)
}

// rejectedKey is the key that is about the field of the first rejection.
func rejectedKey(s *find.Search) string {
	field := s.Rejection.Field
	switch of := s.Config.Record; {
	case s.Rejection.Reason != record.BadTime:
	case field == of.Time.Field || field == of.Label.Time:
		return "record.time.format"
	default:
		if at := slices.IndexFunc(of.Times, func(t record.Times) bool { return t.Field == field }); at >= 0 {
			return fmt.Sprintf("record.times[%d].format", at)
		}
	}
	return "record"
}

// Further finds values of a label beside the positive one and another.
func Further(s *find.Search) {
	positive := string(s.Config.Record.Label.Positive)
	c := s.Column(s.Config.Record.Label.Field)
	if positive == "" || c == nil || c.Distinct <= 2 || s.Sequence.Positive == 0 {
		return
	}
	which := ""
	if len(c.Shown) > 0 {
		var others []profile.Value
		for _, v := range c.Shown {
			if v.Text != positive && !words.AlikeAnswer(v.Text, positive) && !slices.ContainsFunc(others, func(o profile.Value) bool { return words.AlikeAnswer(o.Text, v.Text) }) {
				others = append(others, v)
			}
		}
		if len(others) < 2 {
			return
		}
		which = ", " + words.Values(c.Shown)
		if at := slices.IndexFunc(others, func(v profile.Value) bool { return v.Text == c.Name }); at >= 0 && len(others) == 2 {
			s.Say(false, "record", "the header line is repeated among the records: in %d of them, %q is %q. Remove these lines", others[at].Count, c.Name, c.Name)
			return
		}
	}
	s.Say(false, "record.label.positive", "the label has %d values%s, and every one but %s is learnt as negative. List a value that means \"not known\" in record.missing", c.Distinct, which, words.Quote(positive))
}

// Turned finds a positive value that says no to what the label's name says is wanted.
func Turned(s *find.Search) {
	label := s.Config.Record.Label
	if positive := string(label.Positive); s.Sequence.Positive > 0 && profile.IsWantedName(label.Field) && words.SaysNo(positive) {
		s.Say(false, "record.label.positive", "%s is the positive value of %q, so tau bounds the rates at which groups do not get it: give the other value if rates of getting it are meant", words.Quote(positive), label.Field)
	}
}
