package export

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/monitor"
)

// loans is a document with the measurements that a card shows.
func loans(t *testing.T) *document.Document {
	t.Helper()
	encoder, err := features.NewFrozen(features.Parts{Size: 1})
	if err != nil {
		t.Fatal(err)
	}
	d, err := document.New(document.Classification, encoder.Parts(), make([]float64, encoder.Size()))
	if err != nil {
		t.Fatal(err)
	}
	measure := func(x float64) fairness.Measure {
		return fairness.Measure{Value: x, Lo: x - .01, Hi: x + .01, Level: .95, Records: 8000, Method: fairness.MethodWilson}
	}
	pair := fairness.Comparison{Name: "sex", Criterion: fairness.DemographicParity, Tau: .05, Enforce: true, Group: []fairness.Term{{Attribute: "sex", Members: fairness.Members{Values: []string{"m"}}}},
		Versus: []fairness.Term{{Attribute: "sex", Members: fairness.Members{Values: []string{"f"}}}}}
	count := func(k, n int64) fairness.Count {
		return fairness.Count{Records: n, Positives: k, Weight: float64(n), WeightSquared: float64(n), PositiveWeight: float64(k)}
	}
	e := pair.Estimate(fairness.PairCounts{Group: count(300, 1000), Versus: count(200, 800)}, fairness.DefaultOptions())
	few := pair
	few.Name = "few"
	d.Job, d.Version, d.Records, d.Mode = "loans", 12_000, 12_000, document.Adaptive
	d.Constraints = []fairness.Estimate{e, few.Estimate(fairness.PairCounts{Group: count(3, 10), Versus: count(200, 800)}, fairness.DefaultOptions())}
	quality := &document.Decisions{Accuracy: measure(.8), LogLoss: measure(.5), ConstantAccuracy: measure(.7), PositiveLabels: measure(.3), PositiveDecisions: measure(.2)}
	free := *quality
	free.Accuracy = measure(.82)
	d.Measurements = document.Measurements{Recent: document.Report{Records: 8000, Decisions: quality}, UnconstrainedRecent: &document.Report{Records: 8000, Decisions: &free},
		Conditions: []document.Condition{{Code: document.Unsteady, Detail: "the records changed"}}}
	d.Lineage = document.Lineage{Term: 3, ConfigSHA256: "c0ffee", Changes: []document.ConfigChange{{Key: "constraints[0].tau", Old: json.RawMessage("0.1"), New: json.RawMessage("0.05"), Version: 9000}}}
	d.Config.Record.Label.Field = "repaid"
	return d
}

// TestCard: the card fits the schema, each measurement has its interval, and what is not estimable has a reason and no number.
func TestCard(t *testing.T) {
	grouper, err := fairness.NewGrouper([]fairness.Comparison{{Name: "sex", Criterion: fairness.EqualOpportunity, Tau: .05,
		Group:  []fairness.Term{{Attribute: "sex", Members: fairness.Members{Values: []string{"m"}}}},
		Versus: []fairness.Term{{Attribute: "sex", Members: fairness.Members{Values: []string{"f"}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := monitor.New(monitor.Config{Grouper: grouper, Subject: monitor.Subject{ID: "as_made"}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2000 { // labels come for positive decisions only
		level := grouper.Level(0, []byte([]string{"m", "f"}[i%2]))
		m.Observe(&monitor.Decision{Levels: []fairness.Level{level}, Positive: i%3 == 0, Labelled: i%3 == 0, Label: i%5 == 0})
	}
	audit := &history.Audit{Period: history.Period{Since: time.Unix(0, 0), Until: time.Unix(86_400, 0)}, Constraints: []history.ConstraintReport{{Name: "sex", Criterion: "demographic-parity", Group: "m", Versus: "f"}}}
	audit.Chain.Whole, audit.Constraints[0].Within.Lo, audit.Constraints[0].Within.Hi = true, .25, .75
	own := Card{Details: Details{Owners: []Owner{{Name: "credit team", Contact: "credit@example.org"}}, Licenses: []License{{Identifier: "proprietary"}}},
		Considerations: Considerations{Users: []Said{{"clerks"}}, Limitations: []Said{{"adults only"}}}}

	card, err := NewCard(loans(t), Evidence{Published: time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC), Monitored: []*monitor.Report{m.Report()}, Audit: audit}, own)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(card)
	if err != nil {
		t.Fatal(err)
	}
	validate(t, text)
	if v := card.Details.Version; v.Name != "3/12000" || v.Date != "2026-11-22" || !strings.Contains(v.Diff, "constraints[0].tau: 0.1 -> 0.05") {
		t.Errorf("version %+v", v)
	}
	find := func(kind, slice string) *Metric {
		i := slices.IndexFunc(card.Analysis.Metrics, func(m Metric) bool { return m.Type == kind && m.Slice == slice })
		if i < 0 {
			t.Fatalf("no %s of %q", kind, slice)
		}
		return &card.Analysis.Metrics[i]
	}
	for _, want := range []struct {
		kind, slice string
		value       float64
	}{{"accuracy", "", .8}, {"demographic-parity", "sex: m - f", .05}, {"selection_rate", "m", .3}, {"selection_rate", "f", .25}, {"impact_ratio", "sex: m - f", .25 / .3}} {
		x := find(want.kind, want.slice)
		if x.Value == nil || *x.Value < want.value-1e-12 || *x.Value > want.value+1e-12 || x.Interval == nil || !(x.Interval.Lower < *x.Value && *x.Value < x.Interval.Upper) || x.Level != .95 {
			t.Errorf("%s of %q: %+v", want.kind, want.slice, x)
		}
	}
	if x := find("selection_rate", "sex=m"); *x.Value != 334./1000 || x.Records != 1000 || !strings.Contains(x.Basis, "as they were made") {
		t.Errorf("%+v", x)
	}
	if x := find("demographic-parity", "few: m - f"); x.Value != nil || x.Interval != nil || x.Verdict != fairness.NotEstimable || x.Reason == "" {
		t.Errorf("a group of ten: %+v", x)
	}
	if x := find("difference_of_tpr", "sex: m - f"); x.Value != nil || x.Verdict != fairness.NotEstimable || !strings.Contains(x.Reason, "labels come for one decision only") {
		t.Errorf("selective labels: %+v", x)
	}
	if *find("least_share_of_time_within_tau", "sex, demographic-parity: m - f").Value != .25 {
		t.Error("the share of time")
	}
	whole := string(text)
	for _, want := range []string{"credit team", "proprietary", "clerks", "adults only", "unsteady: the records changed", "sex=m: 0 of 334 positive and 666 of 666 negative decisions have no label",
		"accuracy is 0.8 [0.79, 0.81] on the last 8000 records. Without them, it is 0.82", "Learning enforces the bound tau = 0.05."} {
		if !strings.Contains(whole, want) {
			t.Errorf("%q is missing in\n%s", want, whole)
		}
	}
	// What the owners say is not changed by making a card.
	if len(own.Considerations.Limitations) != 1 || len(own.Analysis.Metrics) != 0 {
		t.Errorf("%+v", own)
	}
}

func validate(t *testing.T, card []byte) {
	t.Helper()
	schema, err := os.ReadFile("testdata/model_card.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("card.json", parsed); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("card.json")
	if err != nil {
		t.Fatal(err)
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(card))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiled.Validate(instance); err != nil {
		t.Errorf("%v\n%s", err, card)
	}
}
