package observe

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/record"
)

// theirSettings monitor the decisions of other models about women and men.
func theirSettings() *Settings {
	o := adultSettings()
	o.Model.Record.Ignore = nil
	o.Monitoring.Given = Given{Decision: GivenDecision{Field: "made.granted", Positive: "yes"}, Score: GivenScore{Field: "made.p"}, Model: "by"}
	return o
}

// fields makes a record with features, in pairs of name and text, and the value of its attribute.
func fields(sex string, pairs ...string) *record.Record {
	r := &record.Record{Attributes: []record.Value{{Text: []byte(sex), Missing: sex == ""}}}
	for i := 0; i < len(pairs); i += 2 {
		text := pairs[i+1]
		r.Features = append(r.Features, record.Field{Name: pairs[i], Text: []byte(text), Missing: text == ""})
	}
	return r
}

// TestGivenDecisions: what a record says was decided, and why a record that does not say it is rejected.
func TestGivenDecisions(t *testing.T) {
	d, err := NewDecider(theirSettings().Model, theirSettings().Monitoring.Given)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		record   *record.Record
		positive bool
		score    float64
		model    string
		reason   record.Reason
		field    string
	}{
		"decision":           {fields("Male", "made.granted", "yes", "by", "a"), true, math.NaN(), "a", "", ""},
		"another text":       {fields("Male", "made.granted", "Yes", "by", "a"), false, math.NaN(), "a", "", ""},
		"decision first":     {fields("", "made.p", "0.1", "made.granted", "yes", "by", "b"), true, .1, "b", "", ""},
		"score alone":        {fields("Male", "made.p", "0.5", "by", "a", "made.granted", ""), true, .5, "a", "", ""},
		"score below":        {fields("Male", "made.p", "0.49", "by", "a"), false, .49, "a", "", ""},
		"explored":           {fields("Male", "made.granted", "yes", "made.explored", "true", "by", "a"), false, math.NaN(), "a", "", ""},
		"explored as True":   {fields("Male", "made.explored", "True", "made.granted", "yes", "by", "a"), false, math.NaN(), "a", "", ""},
		"explored as 1":      {fields("Male", "made.explored", "1", "made.granted", "yes", "by", "a"), false, math.NaN(), "a", "", ""},
		"not explored":       {fields("Male", "made.granted", "yes", "made.explored", "false", "by", "a"), true, math.NaN(), "a", "", ""},
		"explored elsewhere": {fields("Male", "made.granted", "yes", "explored", "true", "by", "a"), true, math.NaN(), "a", "", ""},
		"nothing":            {fields("Male", "by", "a", "made.p", ""), false, math.NaN(), "a", MissingDecision, "made.granted"},
		"no model":           {fields("Male", "made.granted", "yes"), true, math.NaN(), "", MissingModel, "by"},
		"model is missing":   {fields("Male", "made.granted", "yes", "by", ""), true, math.NaN(), "", MissingModel, "by"},
		"a text as score":    {fields("Male", "made.p", "high", "by", "a"), false, math.NaN(), "", BadScore, "made.p"},
		"no number":          {fields("Male", "made.p", "NaN", "by", "a"), false, math.NaN(), "", BadScore, "made.p"},
		"infinite":           {fields("Male", "made.granted", "yes", "made.p", "-Inf", "by", "a"), true, math.NaN(), "", BadScore, "made.p"},
	} {
		rejection := d.Refuse(c.record)
		if (rejection != nil) != (c.reason != "") || rejection != nil && (rejection.Reason != c.reason || rejection.Field != c.field || rejection.Offset != -1) {
			t.Errorf("%s: %v", name, rejection)
		}
		s := Sight{Record: c.record}
		d.Await(&s)
		same := s.Made.Score == c.score || math.IsNaN(s.Made.Score) && math.IsNaN(c.score)
		if rejection == nil && (!s.Made.Known || s.Made.Positive != c.positive || !same || s.Made.Model != c.model) {
			t.Errorf("%s: %+v", name, s.Made)
		}
	}
	if rejection := d.Refuse(&record.Record{HasLabel: true}); rejection != nil {
		t.Errorf("a label that comes later: %v", rejection)
	}
	if rejection := d.Refuse(&record.Record{}); rejection == nil {
		t.Error("an empty record passed")
	}
}

// TestADeciderOfOthers: what it is to a stream. It learns and publishes nothing, and its groups are those of the constraints.
func TestADeciderOfOthers(t *testing.T) {
	o := theirSettings()
	d, err := NewDecider(o.Model, o.Monitoring.Given)
	if err != nil {
		t.Fatal(err)
	}
	if d.Learns() || d.Counts() || !d.Several() || d.Changed() || d.Measure() != nil || d.Grouper() == nil || d.Config().Constraints[0].Name != "sex" {
		t.Errorf("%+v", d)
	}
	if _, err := d.Draft(); err == nil {
		t.Error("a document of the decisions of others")
	}
	for sex, want := range map[string]bool{"Male": true, "Female": true, "": false} {
		levels := d.Levels(fields(sex))
		if len(levels) != 1 || (levels[0] != fairness.MissingLevel) != want {
			t.Errorf("levels of %q: %v", sex, levels)
		}
	}
	if got := d.Subject(""); got != (monitor.Subject{ID: OnlyModel, Title: "Decisions on the topic", Kind: monitor.External}) {
		t.Errorf("%+v", got)
	}
	if got := d.Subject("b"); got.ID != "b" || got.Title != "Decisions of model b" || got.Kind != monitor.External {
		t.Errorf("%+v", got)
	}
	s := Sight{Record: fields("Male", "made.granted", "yes", "by", "a")}
	d.Await(&s)
	if d.Version() != 0 || len(s.Made.Levels) != 1 {
		t.Errorf("a decision whose label comes later counts when it comes: %d, %+v", d.Version(), s.Made)
	}
	d.Take(&s)
	d.Never(s.Record)
	if d.Version() != 1 || d.Labelled() != 1 {
		t.Errorf("version %d, labelled %d", d.Version(), d.Labelled())
	}
	o.Monitoring.Given.Model = ""
	if d, err = NewDecider(o.Model, o.Monitoring.Given); err != nil || d.Several() {
		t.Errorf("%v, %v", d.Several(), err)
	}
	o.Model.Constraints[0].Group = model.Values("Female")
	if _, err := NewDecider(o.Model, o.Monitoring.Given); err == nil {
		t.Error("a comparison of a group with itself passed")
	}
	if _, err := RestoreDecider(o.Model, o.Monitoring.Given, []byte("{}")); err == nil {
		t.Error("a comparison of a group with itself passed on restoring")
	}
}

// TestADeciderOfOthersIsRestored: with what it had counted; one of other fields or groups is told apart, and a learner's state is refused by name.
func TestADeciderOfOthersIsRestored(t *testing.T) {
	o := theirSettings()
	each := o.Model
	each.Constraints = slices.Clone(each.Constraints)
	each.Constraints[0].Group, each.Constraints[0].Versus = model.Values("each"), model.Values("rest")
	for name, c := range map[string]model.Config{"two groups": o.Model, "each group": each} {
		d, err := NewDecider(c, o.Monitoring.Given)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, sex := range []string{"Male", "Female", "Male"} {
			d.Take(&Sight{Record: fields(sex, "made.granted", "yes", "by", "a")})
		}
		held := d.Hold()
		d.Take(&Sight{Record: fields("Other", "made.granted", "yes", "by", "a")}) // not in the state
		state := bytes.Join(held(), nil)
		back, err := RestoreDecider(c, o.Monitoring.Given, state)
		if err != nil || back.Version() != 3 || back.Changed() {
			t.Fatalf("%s: %v", name, err)
		}
		if again := bytes.Join(back.Hold()(), nil); !bytes.Equal(again, state) {
			t.Errorf("%s: %s, then %s", name, state, again)
		}
		other := o.Monitoring.Given
		other.Decision.Positive = "no"
		if back, err := RestoreDecider(c, other, state); err != nil || !back.Changed() || back.Version() != 3 {
			t.Errorf("%s, of other decisions: %v", name, err)
		}
		for _, bad := range []string{"", "{", "fairstream learner", `{"format":2}`, strings.Replace(string(state), `"version":3`, `"version":-1`, 1)} {
			if _, err := RestoreDecider(c, o.Monitoring.Given, []byte(bad)); err == nil || !strings.Contains(err.Error(), "fairstream state reset") {
				t.Errorf("%s, %q: %v", name, bad, err)
			}
		}
	}
	d, err := NewDecider(each, o.Monitoring.Given)
	if err != nil {
		t.Fatal(err)
	}
	d.Take(&Sight{Record: fields("Male", "made.granted", "yes", "by", "a")})
	two := each
	two.Constraints = append(slices.Clone(each.Constraints), each.Constraints[0])
	two.Constraints[1].Name, two.Constraints[1].Criterion = "second", fairness.EqualOpportunity
	if back, err := RestoreDecider(two, o.Monitoring.Given, bytes.Join(d.Hold()(), nil)); err != nil || !back.Changed() {
		t.Errorf("found groups of other comparisons: %v, %v", back, err)
	}
}

// TestMonitoringIsChecked: every key by its path, and its defaults are valid.
func TestMonitoringIsChecked(t *testing.T) {
	good := Monitoring{}.WithDefaults()
	if problems := good.Validate(); len(problems) > 0 || good.Window == 0 || good.Period == 0 || good.RunLength == 0 || good.Confidence != DefaultMonitoring().Confidence || !good.on() {
		t.Errorf("%+v: %v", good, problems)
	}
	set := Monitoring{Confidence: .9, Window: 20, Period: time.Second, RunLength: 1}
	if got := set.WithDefaults(); got.Confidence != .9 || got.Window != 20 || got.Period != time.Second || got.RunLength != 1 || len(got.Validate()) > 0 {
		t.Errorf("%+v: %v", got, got.Validate())
	}
	no := false
	if (Monitoring{Enabled: &no}).on() {
		t.Error("monitored, although it is switched off")
	}
	for path, spoil := range map[string][]func(*Monitoring){
		"monitor.confidence": {func(m *Monitoring) { m.Confidence = 0 }, func(m *Monitoring) { m.Confidence = 1 }, func(m *Monitoring) { m.Confidence = math.NaN() }, func(m *Monitoring) { m.Confidence = 95 }},
		"monitor.window":     {func(m *Monitoring) { m.Window = 19 }, func(m *Monitoring) { m.Window = 100_000_001 }},
		"monitor.period":     {func(m *Monitoring) { m.Period = time.Second - 1 }, func(m *Monitoring) { m.Period = 101 * 365 * 24 * time.Hour }},
		"monitor.run_length": {func(m *Monitoring) { m.RunLength = .5 }, func(m *Monitoring) { m.RunLength = 2e15 }, func(m *Monitoring) { m.RunLength = math.NaN() }},
	} {
		for i, f := range spoil {
			m := good
			f(&m)
			if problems := m.Validate(); len(problems) != 1 || problems[0].Path != path {
				t.Errorf("%s, %d: %v", path, i, problems)
			}
		}
	}
	infinite, explored := math.Inf(1), GivenDecision{Explored: "x"}
	for path, g := range map[string]Given{"monitor.score.threshold": {Score: GivenScore{Field: "p", Threshold: &infinite}}, "monitor.decision.explored": {Decision: explored, Score: GivenScore{Field: "p"}}} {
		if problems := g.Validate(); len(problems) != 1 || problems[0].Path != path {
			t.Errorf("%s: %v", path, problems)
		}
	}
	if got := theirSettings().Monitoring.Fields(); !slices.Equal(got, []string{"made.granted", "made.p", "by", "made.explored"}) {
		t.Errorf("%q", got)
	}
	if got := (Given{Decision: GivenDecision{Field: "granted", Explored: "tried"}}).Fields(); !slices.Equal(got, []string{"granted", "tried"}) {
		t.Errorf("%q", got)
	}
}

// TestBatchesHoldLevels: those of each record, MissingLevel where its attribute is missing, none of a rejected record or without a grouper.
func TestBatchesHoldLevels(t *testing.T) {
	grouper, err := fairness.NewGrouper(adultSettings().Model.Comparisons())
	if err != nil {
		t.Fatal(err)
	}
	b := Batch{Entries: make([]Entry, 4), Count: 3}
	for i, sex := range []string{"Male", "", "Female"} {
		b.Entries[i] = Entry{Record: *fields(sex), Source: &kafka.Record{}}
		b.Place(&b.Entries[i], grouper)
	}
	if l := b.Entries; l[0].levels[0] != grouper.Level(0, []byte("Male")) || l[1].levels[0] != fairness.MissingLevel || l[2].levels[0] != grouper.Level(0, []byte("Female")) || l[0].levels[0] == l[2].levels[0] {
		t.Errorf("%v %v %v", l[0].levels, l[1].levels, l[2].levels)
	}
	b.Entries[0].Rejection = &record.Rejection{Reason: record.MissingLabel}
	b.Place(&b.Entries[0], grouper)
	b.Place(&b.Entries[1], nil)
	if b.Entries[0].levels != nil || b.Entries[1].levels != nil {
		t.Error("levels of a rejected record, or without a grouper")
	}
	s := b.Sight(&b.Entries[2])
	if s.Entry != &b.Entries[2] || s.Record != &b.Entries[2].Record || len(s.Levels) != 1 || len(b.sights) != 1 {
		t.Errorf("%+v", s)
	}
	b.Unsee()
	b.Begin()
	if len(b.sights) != 0 || b.Count != 0 || len(b.levels) != 0 {
		t.Errorf("%d sights, %d entries, %d levels", len(b.sights), b.Count, len(b.levels))
	}
}
