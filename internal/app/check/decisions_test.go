package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/goldentest"
	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestWhatIsOddOfDecisions: what is said of every mixture of decisions and scores that are there, wrong or missing.
func TestWhatIsOddOfDecisions(t *testing.T) {
	decision := observe.GivenDecision{Field: "decision", Positive: "grant"}
	score := func(threshold float64) observe.GivenScore {
		return observe.GivenScore{Field: "score", Threshold: &threshold}
	}
	of := func(n, mean, squares float64) scores { return scores{n, mean, squares} }
	columns := []profile.Column{{Name: "sex"}, {Name: "decisions", Shown: []profile.Value{{Text: "grant"}, {Text: " Granted "}}}, {Name: "scores"}}
	there := append([]profile.Column{{Name: "decision", Shown: []profile.Value{{Text: "no"}, {Text: "grant"}}}, {Name: "score"}, {Name: "model"}}, columns...)
	refused := append([]profile.Column{{Name: "decision", Shown: []profile.Value{{Text: "Denied"}, {Text: "GRANTED "}}}}, columns...)
	var text strings.Builder
	for _, c := range []struct {
		name    string
		of      decisions
		columns []profile.Column
	}{
		{"no record", decisions{given: observe.Given{Decision: decision}}, there},
		{"no field of a decision", decisions{given: observe.Given{Decision: decision}, records: 9}, columns},
		{"no decision in any record", decisions{given: observe.Given{Decision: decision}, records: 9}, there},
		{"scores, and no decision", decisions{given: observe.Given{Decision: decision, Score: score(.5)}, records: 9, scored: 9, above: 4, low: 0, high: 1}, there},
		{"scores, and no field of a decision", decisions{given: observe.Given{Decision: decision, Score: score(.5)}, records: 9, scored: 9, above: 4, low: 0, high: 1}, columns},
		{"decisions, and no score", decisions{given: observe.Given{Decision: decision, Score: score(.5)}, records: 9, decided: 9, positive: 4}, there},
		{"one decision, and no score", decisions{given: observe.Given{Decision: decision, Score: score(.5)}, records: 1, decided: 1}, there},
		{"neither", decisions{given: observe.Given{Decision: decision, Score: score(.5)}, records: 9}, columns},
		{"none is positive", decisions{given: observe.Given{Decision: decision}, records: 9, decided: 9}, there},
		{"a refusal is positive", decisions{given: observe.Given{Decision: observe.GivenDecision{Field: "decision", Positive: "denied"}}, records: 9, decided: 9, positive: 4}, refused},
		{"a refusal of another column", decisions{given: observe.Given{Decision: observe.GivenDecision{Field: "elsewhere", Positive: "denied"}}, records: 9, decided: 9, positive: 4}, refused},
		{"hardly any is positive", decisions{given: observe.Given{Decision: decision}, records: 300, decided: 200, positive: 3}, there},
		{"enough are positive", decisions{given: observe.Given{Decision: decision}, records: 300, decided: 200, positive: 4}, there},
		{"nearly all are positive", decisions{given: observe.Given{Decision: decision}, records: 300, decided: 200, positive: 197}, there},
		{"nearly all of few", decisions{given: observe.Given{Decision: decision}, records: 300, decided: 199, positive: 198}, there},
		{"no score", decisions{given: observe.Given{Score: score(.5)}, records: 9}, columns},
		{"no number", decisions{given: observe.Given{Score: score(.5)}, records: 9, scored: 9, spoilt: 9}, there},
		{"some are no numbers", decisions{given: observe.Given{Score: score(.5)}, records: 9, scored: 9, spoilt: 3, above: 3, low: 0, high: 1}, there},
		{"scores of one side", decisions{given: observe.Given{Score: score(.5)}, records: 400, scored: 300, spoilt: 2, above: 297, low: 0, high: 1}, there},
		{"per cent", decisions{given: observe.Given{Score: score(.5)}, records: 200, scored: 200, above: 200, low: 0, high: 100}, there},
		{"per cent of few", decisions{given: observe.Given{Score: score(.5)}, records: 199, scored: 199, above: 199, low: 1, high: 1.5}, there},
		{"a threshold per cent", decisions{given: observe.Given{Score: score(100)}, records: 200, scored: 200, low: 0, high: 1}, there},
		{"other scores", decisions{given: observe.Given{Score: score(.5)}, records: 200, scored: 200, above: 200, low: 1, high: 101}, there},
		{"negative scores", decisions{given: observe.Given{Score: score(50)}, records: 200, scored: 200, low: -1, high: 1}, there},
		{"a threshold of one", decisions{given: observe.Given{Score: score(1)}, records: 200, scored: 200, low: 0, high: .9}, there},
		{"a threshold of nought", decisions{given: observe.Given{Score: score(0)}, records: 200, scored: 200, above: 200, low: 0, high: 90}, there},
		{"scores up to one", decisions{given: observe.Given{Score: score(.5)}, records: 200, scored: 200, above: 200, low: .6, high: 1}, there},
		{"per cent, and a threshold of one", decisions{given: observe.Given{Score: score(1)}, records: 200, scored: 200, above: 200, low: 2, high: 90}, there},
		{"a threshold above per cent", decisions{given: observe.Given{Score: score(101)}, records: 200, scored: 200, low: 0, high: 1}, there},
		{"turned against decisions", decisions{given: observe.Given{Decision: decision, Score: score(.5)}, records: 60, decided: 60, positive: 30, scored: 60, byDecision: [2]scores{of(30, .75, .1), of(30, .25, .1)}, byLabel: [2]scores{of(30, .75, .1), of(30, .25, .1)}}, there},
		{"turned against labels", decisions{given: observe.Given{Decision: decision, Score: score(.5)}, records: 60, decided: 60, positive: 30, scored: 60, byLabel: [2]scores{of(30, .75, .1), of(30, .25, .1)}}, there},
		{"turned, of few", decisions{given: observe.Given{Decision: decision, Score: score(.5)}, records: 60, decided: 60, positive: 30, scored: 60, byLabel: [2]scores{of(29, .75, .1), of(30, .25, .1)}}, there},
		{"no model", decisions{given: observe.Given{Decision: decision, Model: "models"}, records: 9, decided: 9, positive: 4}, there},
		{"no name of a model", decisions{given: observe.Given{Decision: decision, Model: "model"}, records: 9, decided: 9, positive: 4}, there},
		{"models", decisions{given: observe.Given{Decision: decision, Model: "model"}, records: 9, decided: 9, positive: 4, named: 1}, there},
	} {
		fmt.Fprintf(&text, "== %s\n", c.name)
		if meaning := c.of.meaning(); meaning != "" {
			fmt.Fprintln(&text, meaning)
		}
		for _, f := range c.of.findings(c.columns, func(field string) string { return ": the values of " + field }) {
			fmt.Fprintln(&text, map[bool]string{true: "Error: ", false: "Warning: "}[f.Fatal]+f.String())
		}
	}
	goldentest.Compare(t, "decisions.txt", text.String())
	var none *decisions
	if none.findings(there, nil) != nil || none.meaning() != "" || len(none.fit([]find.Finding{{Path: "learner.task"}}, "label", false)) != 1 {
		t.Error("a job that learns has no decisions of another model")
	}
}

// TestScoresAreTurnedRound from six standard errors on: each side's is 0.5 here, so that of their difference is the root of a half.
func TestScoresAreTurnedRound(t *testing.T) {
	least := turnedDeviations * math.Sqrt(225./900+225./900)
	for apart, want := range map[float64]bool{least: false, least + 1e-9: true, 0: false, -9: false} {
		if got := farBelow([2]scores{{30, apart, 225}, {30, 0, 225}}); got != want {
			t.Errorf("%v apart: %v", apart, got)
		}
	}
	var s scores
	for _, x := range []float64{1, math.NaN(), 2, 3, 6} { // a mean of 3, and squares of 4, 1, 0 and 9
		s.add(x)
	}
	if s != (scores{4, 3, 14}) {
		t.Errorf("%+v", s)
	}
}

// TestDecisionsAreCounted, of records that have them; what cannot be read is counted elsewhere.
func TestDecisionsAreCounted(t *testing.T) {
	loaded := apptest.Load(t, "record: {label: {field: y, positive: 1}}\nmonitor: {decision: {field: d, positive: yes}, score: {field: s, threshold: 2}, model: m}\n", config.Learning)
	of := loaded.Model()
	d, err := newDecisions(&of, loaded.Monitor.Given)
	if err != nil {
		t.Fatal(err)
	}
	for _, raw := range []string{`{"d":"yes","s":1,"m":"a","y":1}`, `{"d":"no","s":2,"m":"a","y":0}`, `{"d":null,"s":3}`, `{"s":"x","d":"yes"}`, `{"s":null,"d":"no","y":1}`, `{"s":"Inf","d":"no"}`, `{"x":1}`, `no JSON`} {
		d.add([]byte(raw))
	}
	if d.records != 7 || d.decided != 5 || d.positive != 2 || d.scored != 5 || d.spoilt != 2 || d.above != 2 || d.named != 2 || d.low != 1 || d.high != 3 {
		t.Errorf("%d records, %d decided, %d positive, %d scored, %d spoilt, %d above, %d named, %v to %v", d.records, d.decided, d.positive, d.scored, d.spoilt, d.above, d.named, d.low, d.high)
	}
	if d.byDecision != [2]scores{{1, 2, 0}, {1, 1, 0}} || d.byLabel != [2]scores{{1, 2, 0}, {1, 1, 0}} {
		t.Errorf("by decision %+v, by label %+v", d.byDecision, d.byLabel)
	}
	found := []find.Finding{{Path: "learner.task"}, {Path: "record.ignore"}, {Path: "record.features"}, {Path: "record", Text: "there is no feature"}, {Path: "record", Fatal: true}, {Path: "record.label.field", Fatal: true}, {Path: "constraints", Fatal: true}, {Path: "record.id", Fatal: true}}
	var paths []string
	for _, f := range d.fit(found, "y", false) {
		paths = append(paths, fmt.Sprint(f.Path, f.Fatal))
	}
	if got := strings.Join(paths, " "); got != "recordtrue record.label.fieldfalse constraintsfalse record.idtrue" {
		t.Error(got)
	}
	if left := d.fit(found, defaultLabel, false); len(left) != 3 {
		t.Errorf("a label that nobody named, and no record has: %+v", left)
	}
	if left := d.fit(found, defaultLabel, true); len(left) != 4 {
		t.Errorf("a label that nobody named, and records have: %+v", left)
	}
}

// broken fails to write.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

// TestWhatCannotBeCheckedIsAnError: a configuration that is wrong, a file that is not there, a report that cannot be written.
func TestWhatCannotBeCheckedIsAnError(t *testing.T) {
	good := apptest.Load(t, apptest.Loans, config.Learning).Model()
	wrong := good
	wrong.Record.Label = record.Label{}
	apptest.InDirectory(t, map[string]string{"in.csv": apptest.CSV(100), "bad.parquet": "PAR1 is not enough"})
	source := func(name string) input.Source {
		from, err := input.NewSource(name, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		return from
	}
	var out bytes.Buffer
	streams := &program.Streams{Out: &out, Err: &out}
	if err := (&Records{Streams: streams, Config: wrong}).OfFile(t.Context(), source("in.csv")); err == nil || !strings.Contains(err.Error(), "label") {
		t.Errorf("of a file: %v", err)
	}
	if err := (&Records{Streams: streams, Config: wrong, Topic: "in"}).OfTopic(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "label") {
		t.Errorf("of a topic: %v", err)
	}
	wrong.Record.Key = "sex"
	if err := (&Records{Streams: streams, Config: wrong, Monitor: observe.Monitoring{Given: observe.Given{Model: "m"}}}).OfFile(t.Context(), source("in.csv")); err == nil || !strings.Contains(err.Error(), "label") {
		t.Errorf("decisions of another model: %v", err)
	}
	if _, err := newJoined(wrong, nil); err == nil {
		t.Error("labels that come later are joined by a wrong configuration")
	}
	if _, err := newDecisions(&wrong, observe.Given{Model: "m"}); err == nil {
		t.Error("decisions are read by a wrong configuration")
	}
	if _, err := described(wrong, nil); err == nil {
		t.Error("a wrong configuration is held against a schema")
	}
	if err := (&Records{Streams: streams, Config: good}).OfFile(t.Context(), source("bad.parquet")); err == nil || out.Len() > 0 {
		t.Errorf("a file that cannot be read: %v, %s", err, out.String())
	}
	if err := (&Records{Streams: &program.Streams{Out: broken{}, Err: &out}, Config: good}).OfFile(t.Context(), source("in.csv")); err == nil || !strings.Contains(err.Error(), "the disk is full") {
		t.Errorf("a report that cannot be written: %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := (&Records{Streams: streams, Config: good}).OfFile(gone, source("in.csv")); err == nil {
		t.Error("it goes on although it was stopped")
	}
}

// TestReachesAreShown with four digits where two would be at the bound, or on its other side.
func TestReachesAreShown(t *testing.T) {
	for _, c := range [][3]float64{{.123456, .2, .12}, {.19949, .2, .1995}, {.2004, .2, .2004}, {.2, .2, .2}, {.196, .2, .1960}, {.1999, .195, .2}, {.104, .1039, .104}} {
		if got := shownReach(c[0], c[1]); got != c[2] {
			t.Errorf("%v of %v is %v, want %v", c[0], c[1], got, c[2])
		}
	}
}

// TestTheNewestRecords of a topic, rows of a snapshot, and more columns than are shown.
func TestTheNewestRecords(t *testing.T) {
	if said := theNewest(t, 101); !strings.Contains(said, "and 2 fields more") || !strings.Contains(said, "f98") || strings.Contains(said, "f99") {
		t.Errorf("more than 100 columns:\n%s", said)
	}
	if said := theNewest(t, 99); strings.Contains(said, "more: ") || strings.Contains(said, "fields more") || !strings.Contains(said, "f98") {
		t.Errorf("100 columns:\n%s", said)
	}
}

// theNewest is what is said of records with so many columns beside the label.
func theNewest(t *testing.T, columns int) string {
	t.Helper()
	var out bytes.Buffer
	c := &Records{Streams: &program.Streams{Out: &out, Err: &out}, Config: apptest.Load(t, "record: {label: {field: y, positive: 1}}\n", config.Learning).Model()}
	if err := c.prepare(5); err != nil {
		t.Fatal(err)
	}
	for i := range 250 {
		var text strings.Builder
		for k := range columns {
			fmt.Fprintf(&text, `,"f%d":%d`, k, (i*(k+3)+i*i)%7)
		}
		c.use([]byte(fmt.Sprintf(`{"y":%d%s}`, i%3%2, text.String())), int64(i))
	}
	c.use([]byte("[]"), 77)
	c.sample.Read = 251
	if err := c.report("topic in"); err != nil {
		t.Fatal(err)
	}
	said := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{"the newest 251 records of topic in; 1 rejected.", "Rejected 1 of 251 records of topic in:", "line 77"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
	return said
}

// TestWhatTheSchemaSaysComesFirst, and what the sample says of the same key is left out unless it is an error; without a finding, the questions are counted.
func TestWhatTheSchemaSaysComesFirst(t *testing.T) {
	of := func(yaml string) *Records {
		c := &Records{Streams: &program.Streams{}, Config: apptest.Load(t, yaml, config.Learning).Model()}
		if err := c.prepare(0); err != nil {
			t.Fatal(err)
		}
		for i := range 300 {
			c.use([]byte(fmt.Sprintf(`{"y":%d,"sex":"%s","x":%d}`, i*i%7%2, []string{"m", "f"}[i/2%2], i*7919%83)), int64(i))
		}
		return c
	}
	const sex = "constraints: [{name: sex, attribute: sex, group: m, versus: f, tau: 0.2}]\n"
	for questions, want := range map[int]string{0: "No check found a mistake.", 1: "the lines above ask a question: answer it first.", 2: "the lines above ask 2 questions: answer them first."} {
		var text strings.Builder
		if fatal := of("record: {label: {field: y, positive: 1}}\n"+sex).writeFindings(&text, questions); fatal != 0 || !strings.Contains(text.String(), want) {
			t.Errorf("%d, %q", fatal, text.String())
		}
	}
	c := of("record: {label: {field: y, positive: 1}, id: key, ignore: [foo]}\n" + strings.Replace(sex, "group: m", "group: x", 1))
	c.told = []find.Finding{{Path: "record.id", Text: "the schema has none"}, {Path: "constraints", Text: "the schema has no group", Fatal: true}}
	var text strings.Builder
	fatal := c.writeFindings(&text, 0)
	said := strings.Join(strings.Fields(text.String()), " ")
	if fatal != 2 || !strings.HasPrefix(said, "Error: constraints: the schema has no group Error: constraints: no enforced constraint") {
		t.Errorf("%d errors: %s", fatal, said)
	}
	if !strings.Contains(said, "Warning: record.id: the schema has none") || strings.Contains(said, `record.id: no record`) || !strings.Contains(said, `record.ignore: no record has a field "foo"`) {
		t.Error(said)
	}
}

// TestFieldsOfAnObject are read as far as it is one; without a key, no label comes later.
func TestFieldsOfAnObject(t *testing.T) {
	j, err := newJoined(model.Config{}, nil)
	if j != nil || err != nil {
		t.Errorf("without a key: %v, %v", j, err)
	}
	for want, of := range map[string]*joined{
		"": {}, "1,234 of these bring the label of an earlier one": {found: 1234}, "1 of these bring the label of an earlier one": {found: 1, alone: 1}, "7 of these only bring a label": {alone: 7},
	} {
		var text strings.Builder
		of.write(&text)
		if got := text.String(); !strings.HasPrefix(got, want) || (got == "") != (want == "") || strings.Contains(got, "that no earlier record waits for") != (of.alone > 0) {
			t.Errorf("%d found, %d alone: %q", of.found, of.alone, got)
		}
	}
	for raw, want := range map[string]string{`{"a":1,"b":{"c":2}}`: `a=1 b={"c":2}`, `{}`: "", `[1]`: "", `{"a":1,"b"`: "a=1", `{"a":1,"b":}`: "a=1", "": "", `{"a":1,`: "a=1"} {
		var parts []string
		for _, m := range members([]byte(raw)) {
			parts = append(parts, m.name+"="+string(m.value))
		}
		if got := strings.Join(parts, " "); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}
