package find_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/seen"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// searched is what was seen of 600 loans.
func searched(t *testing.T) *find.Search {
	t.Helper()
	c := model.Config{Record: record.Config{Label: record.Label{Field: "paid", Positive: "1"}, Ignore: []string{"note"}}, Constraints: []model.Constraint{
		{Name: "sex", Attribute: model.OneOrMore{"person.sex"}, Group: model.Values("M"), Versus: model.Values("F"), Tau: .1},
	}}
	r, err := seen.New(c.WithDefaults())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 600 {
		paid := i%3 == 0
		line := fmt.Sprintf(`{"id":"K-%x","person":{"sex":%q},"age":%d,"grade":%d,"kind":%q,"note":"n","told":%v,"paid":%d}`, i*7919, []string{"M", "F"}[i%2], 20+i%40, i%7, []string{"car", "house", "a place that is longer than what is shown"}[i/7%3], paid, map[bool]int{true: 1}[paid])
		if err := r.Add([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	return find.New(r)
}

// TestWhatChecksAsk: columns, their names and values, and keys of the configuration.
func TestWhatChecksAsk(t *testing.T) {
	s := searched(t)
	for _, c := range []struct {
		name                                    string
		has, learnt, read, amount, varied, tell bool
	}{
		{"age", true, true, true, true, true, true}, {"grade", true, true, true, true, false, true}, {"kind", true, true, true, false, false, true}, {"person.sex", true, false, true, false, false, false},
		{"person", true, false, false, false, false, false}, {"id", true, false, false, false, false, false}, {"note", true, false, false, false, false, false}, {"told", true, true, true, false, false, false},
		{"paid", true, false, false, false, false, false}, {"ag", false, false, false, false, false, false},
	} {
		if s.Has(c.name) != c.has || s.IsLearnt(c.name) != c.learnt || s.IsRead(c.name) != c.read || s.IsAmount(c.name) != c.amount || s.IsVaried(c.name) != c.varied || s.MayTell(c.name) != c.tell {
			t.Errorf("%s: there %v, learnt %v, read %v, amount %v, varied %v, tells %v", c.name, s.Has(c.name), s.IsLearnt(c.name), s.IsRead(c.name), s.IsAmount(c.name), s.IsVaried(c.name), s.MayTell(c.name))
		}
		if found := s.Column(c.name) != nil; found != (c.has && c.name != "person") {
			t.Errorf("column %s: %v", c.name, found)
		}
	}
	if fmt.Sprint(s.Left) != "[id]" {
		t.Errorf("left out: %v", s.Left)
	}
	for _, c := range []struct{ got, want string }{
		{s.Meant("agee"), ` (did you mean "age"?)`}, {s.Meant("sex"), ` (did you mean "person.sex"?)`}, {s.Meant("zzzzzz"), ""},
		{s.ConstraintOn("person.sex"), "constraints[0].attribute"}, {s.ConstraintOn("age"), ""}, {s.ConstraintOf("sex"), "constraints[0]"}, {s.ConstraintOf("other"), "constraints"},
		{s.TextOf("kind", record.Hash([]byte("car"))), "car"}, {s.TextOf("kind", 1), "one value"}, {s.TextOf("kind", record.Hash([]byte("a place that is longer than what is shown"))), "one value"},
		{fmt.Sprint(s.Values("kind")[0].Count, len(s.Values("kind"))), "203 3"}, {fmt.Sprint(len(s.Values("nowhere"))), "0"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// TestSay: what was found is kept, and a column is told of by its name in quotes.
func TestSay(t *testing.T) {
	s := searched(t)
	s.Say(true, "record", "%q is odd", "age")
	s.Say(false, "constraints", "none")
	if len(s.Found) != 2 || !s.Found[0].Fatal || s.Found[1].Fatal || s.Found[0].String() != `record: "age" is odd` || s.Found[1].String() != "constraints: none" {
		t.Errorf("%+v", s.Found)
	}
	if !s.IsTold("age") || s.IsTold("grade") || s.IsTold("ag") || s.IsTold("none") {
		t.Error("which columns are told of")
	}
}

// TestLimitsOfASearch: thirty different numbers are varied, and texts of 32 bytes are told.
func TestLimitsOfASearch(t *testing.T) {
	c := model.Config{Record: record.Config{Label: record.Label{Field: "paid", Positive: "1"}}}
	r, err := seen.New(c.WithDefaults())
	if err != nil {
		t.Fatal(err)
	}
	whole, longer := strings.Repeat("w", seen.ShownText), strings.Repeat("l", seen.ShownText+1)
	for i := range 600 {
		if err := r.Add(fmt.Appendf(nil, `{"varied":%d,"few":%d,"text":%q,"paid":%d}`, i%30, i%29, []string{whole, longer}[i%2], i/2%2)); err != nil {
			t.Fatal(err)
		}
	}
	s := find.New(r)
	if !s.IsVaried("varied") || s.IsVaried("few") {
		t.Errorf("thirty are varied: %v, twenty-nine: %v", s.IsVaried("varied"), s.IsVaried("few"))
	}
	if got := s.TextOf("text", record.Hash([]byte(whole))); got != whole {
		t.Errorf("%q", got)
	}
	if got := s.TextOf("text", record.Hash([]byte(longer))); got != "one value" {
		t.Errorf("%q", got)
	}
}
