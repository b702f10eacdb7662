package document_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestContributionsAddUp: what the columns add to a margin is, with the intercept, the margin.
func TestContributionsAddUp(t *testing.T) {
	d, _, weights := made(t, document.Classification)
	again := parsed(t, d)
	classifier, err := again.Classifier()
	if err != nil {
		t.Fatal(err)
	}
	contributions, err := again.Contributions()
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(5, 6))
	used := map[string]int{}
	for i := range 2000 {
		r := anyRecord(random)
		total, seen := weights[0], map[int]bool{}
		contributions.Of(r, func(name int, contribution float64) {
			if seen[name] {
				t.Fatalf("record %d: %s is used twice", i, contributions.Names()[name])
			}
			seen[name] = true
			used[contributions.Names()[name]]++
			total += contribution
		})
		if margin := classifier.Decide(r).Margin; math.Abs(total-margin) > 1e-12 {
			t.Fatalf("record %d: contributions add up to %v, the margin is %v", i, total, margin)
		}
	}
	columns, err := again.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range columns {
		if used[name] == 0 {
			t.Errorf("column %s contributes nothing: %v", name, used)
		}
	}
	if !slices.IsSorted(columns) || len(contributions.Names()) <= len(columns) {
		t.Errorf("columns %v, names %v", columns, contributions.Names())
	}
}

// TestInputs: a reader may give every column, and what identifies, weighs and groups a record, each once.
func TestInputs(t *testing.T) {
	d := oneWord(t, document.Classification)
	text := strings.Replace(configuration, `"record":{`, `"record":{"id":"id","key":"k","weight":"w","time":{"field":"at"},"times":[{"field":"when"}],"renamed":[{"was":"race","field":"origin"}],`, 1)
	var err error
	if d.Config, err = document.NewConfig([]byte(text)); err != nil {
		t.Fatal(err)
	}
	inputs, err := d.Inputs()
	if err != nil {
		t.Fatal(err)
	}
	attribute := func(name string) document.Input {
		return document.Input{Name: name, Numbers: true, Integers: true, Booleans: true}
	}
	want := []document.Input{
		{Name: "word", Feature: true, Numbers: inputs[0].Numbers, Integers: inputs[0].Integers, Booleans: inputs[0].Booleans},
		{Name: "when", Integers: true, Feature: true}, {Name: "id", Integers: true}, {Name: "k", Integers: true}, {Name: "at", Integers: true}, {Name: "w", Numbers: true, Integers: true},
		attribute("sex"), attribute("race"), attribute("origin"),
	}
	if !reflect.DeepEqual(inputs, want) {
		t.Errorf("got %+v\nwant %+v", inputs, want)
	}
}

// TestGroupsAreReadAsWritten: every form of a group, in YAML and in JSON, and what is none.
func TestGroupsAreReadAsWritten(t *testing.T) {
	number := func(x float64) *float64 { return &x }
	for text, want := range map[string]document.Group{
		`"F"`:                        document.Values("F"),
		`1`:                          document.Values("1"),
		`["F", "X"]`:                 document.Values("F", "X"),
		`["F", ["a", "b"]]`:          {fairness.Value("F"), fairness.Members{Values: []string{"a", "b"}}},
		`{"from": 40}`:               {fairness.Members{Range: &fairness.Range{From: number(40)}}},
		`{"below": 40}`:              {fairness.Members{Range: &fairness.Range{Below: number(40)}}},
		`{"from": -1.5, "below": 7}`: {fairness.Members{Range: &fairness.Range{From: number(-1.5), Below: number(7)}}},
		`["F", {"below": 40}]`:       {fairness.Value("F"), fairness.Members{Range: &fairness.Range{Below: number(40)}}},
	} {
		var fromJSON, fromYAML, again document.Group
		if err := json.Unmarshal([]byte(text), &fromJSON); err != nil || !reflect.DeepEqual(fromJSON, want) {
			t.Errorf("JSON %s: %+v (%v)", text, fromJSON, err)
		}
		if err := yaml.Unmarshal([]byte(text), &fromYAML); err != nil || !reflect.DeepEqual(fromYAML, want) {
			t.Errorf("YAML %s: %+v (%v)", text, fromYAML, err)
		}
		written, err := json.Marshal(want)
		if err != nil || json.Unmarshal(written, &again) != nil || !reflect.DeepEqual(again, want) {
			t.Errorf("%s is written as %s (%v)", text, written, err)
		}
		if one := len(want) == 1; one != (written[0] != '[') {
			t.Errorf("%s is written as %s", text, written)
		}
		if again = nil; yaml.Unmarshal(written, &again) != nil || !reflect.DeepEqual(again, want) {
			t.Errorf("%s in YAML is %+v", written, again)
		}
	}
	for _, text := range []string{`{"from": null}`, `{"to": 3}`, `{"from": "x"}`, `[{"from": null}]`, `{"from": 1, "below": null}`} {
		var g document.Group
		if err := json.Unmarshal([]byte(text), &g); err == nil || !strings.Contains(err.Error(), "a range has the keys from and below") {
			t.Errorf("%s: %+v (%v)", text, g, err)
		}
	}
	var infinite document.Group
	if err := yaml.Unmarshal([]byte("{from: .inf}"), &infinite); err == nil {
		t.Errorf("a range from infinity: %+v", infinite)
	}
	for _, c := range []struct {
		g    document.Group
		word string
	}{{document.Values("rest"), "rest"}, {document.Values("a", "b"), ""}, {document.Group{{Values: []string{"a", "b"}}}, ""}, {nil, ""}} {
		if c.g.Word() != c.word {
			t.Errorf("%+v: %q", c.g, c.g.Word())
		}
	}
}

// TestTermsOfGroups: several values of one attribute are one group, several attributes need a value each.
func TestTermsOfGroups(t *testing.T) {
	ages := fairness.Members{Range: &fairness.Range{}}
	for _, c := range []struct {
		group      document.Group
		attributes []string
		want       []fairness.Term
		problem    string
	}{
		{document.Values("F"), []string{"sex"}, []fairness.Term{fairness.Is("sex", "F")}, ""},
		{document.Values("F", "X"), []string{"sex"}, []fairness.Term{{Attribute: "sex", Members: fairness.Members{Values: []string{"F", "X"}}}}, ""},
		{document.Values("F", "a"), []string{"sex", "race"}, []fairness.Term{fairness.Is("sex", "F"), fairness.Is("race", "a")}, ""},
		{document.Group{ages}, []string{"age"}, []fairness.Term{{Attribute: "age", Members: ages}}, ""},
		{document.Group{fairness.Value("F"), ages}, []string{"age"}, nil, "lists a range with something else"},
		{document.Values("F"), []string{"sex", "race"}, nil, "has 1 values, and attribute names 2"},
	} {
		got, err := c.group.Terms(c.attributes)
		if !reflect.DeepEqual(got, c.want) || (err == nil) != (c.problem == "") || err != nil && !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%+v of %v: %+v (%v)", c.group, c.attributes, got, err)
		}
	}
}

// TestJudge: after twice the least number of records, one label and constraints that cannot be measured make weights useless.
func TestJudge(t *testing.T) {
	estimate := func(status fairness.Status, enforced bool) fairness.Estimate {
		return fairness.Estimate{Status: status, Enforced: enforced, Value: .1, Lo: 0, Hi: .2, RateSides: &fairness.RateSides{ImpactRatio: fairness.Ratio{Value: .9}}}
	}
	report := func(records int64, constant float64) document.Report {
		return document.Report{Records: records, Decisions: &document.Decisions{ConstantAccuracy: fairness.Measure{Value: constant}}, Constraints: []fairness.Estimate{estimate(fairness.Met, true)}}
	}
	predicted := func(squared float64) document.Report {
		return document.Report{Records: 60, Predictions: &document.Predictions{RSquared: fairness.Measure{Value: squared}}}
	}
	for name, c := range map[string]struct {
		report      document.Report
		constraints []fairness.Estimate
		enforcing   bool
		want        []document.ConditionCode
	}{
		"fine":                  {report(60, .7), []fairness.Estimate{estimate(fairness.Met, true)}, true, nil},
		"early":                 {report(59, 1), []fairness.Estimate{estimate(fairness.NotEstimable, true)}, true, nil},
		"one label":             {report(60, 1), []fairness.Estimate{estimate(fairness.Met, false)}, true, []document.ConditionCode{document.OneLabel}},
		"nothing estimable":     {report(60, .7), []fairness.Estimate{estimate(fairness.NotEstimable, true), estimate(fairness.Met, false)}, true, []document.ConditionCode{document.NothingEstimable}},
		"one of two estimable":  {report(60, .7), []fairness.Estimate{estimate(fairness.NotEstimable, true), estimate(fairness.Met, true)}, true, nil},
		"none is to be kept":    {report(60, .7), []fairness.Estimate{estimate(fairness.NotEstimable, true)}, false, nil},
		"only measured":         {report(60, .7), []fairness.Estimate{estimate(fairness.NotEstimable, false)}, true, nil},
		"one label and nothing": {report(60, 1), []fairness.Estimate{estimate(fairness.Met, true)}, true, []document.ConditionCode{document.OneLabel, document.NothingEstimable}},
		"one number":            {predicted(math.NaN()), nil, true, []document.ConditionCode{document.OneLabel}},
		"numbers":               {predicted(.1), nil, true, nil},
	} {
		known := document.Condition{Code: document.Useless, Detail: "known before"}
		without := report(60, .7)
		m := document.Measurements{Prequential: c.report, Constraints: c.constraints, Unconstrained: &without, Conditions: []document.Condition{known}}
		m.Judge(30, c.enforcing)
		var codes []document.ConditionCode
		for _, condition := range m.Conditions {
			codes = append(codes, condition.Code)
		}
		if want := append(slices.Clone(c.want), known.Code); !slices.Equal(codes, want) {
			t.Errorf("%s: %v, want %v", name, codes, want)
		}
		if (m.Useless() != "") != (len(c.want) > 0) || len(c.want) > 0 && m.Useless() != m.Conditions[0].Detail {
			t.Errorf("%s: useless %q", name, m.Useless())
		}
		for _, e := range slices.Concat(m.Constraints, m.Prequential.Constraints, without.Constraints) {
			if oneLabel := slices.Contains(c.want, document.OneLabel); oneLabel != math.IsNaN(e.Value) || oneLabel != math.IsNaN(e.Lo) || oneLabel != math.IsNaN(e.Hi) ||
				oneLabel != math.IsNaN(e.ImpactRatio.Value) || oneLabel && (e.Status != fairness.NotEstimable || e.Reason == "") {
				t.Errorf("%s: %+v", name, e)
			}
		}
	}
}

// TestProbabilityHasAWeightForEach: in the order of the model's own weights, whatever kinds of columns there are.
func TestProbabilityHasAWeightForEach(t *testing.T) {
	d, encoder, weights := made(t, document.Classification)
	p, err := document.NewProbability(encoder.Frozen.Parts(), weights)
	if err != nil {
		t.Fatal(err)
	}
	d.Probability = p
	again := parsed(t, d)
	classifier, err := again.Classifier()
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(7, 8))
	for range 500 { // the weights are the same, so the probability is the score
		if got := classifier.Decide(anyRecord(random)); math.Abs(got.Probability-got.Score) > 1e-12 {
			t.Fatalf("probability %v, score %v", got.Probability, got.Score)
		}
	}
	other := slices.Clone(weights)
	other[len(other)-1]++
	if q, err := document.NewProbability(encoder.Frozen.Parts(), other); err != nil || q.SHA256 == p.SHA256 {
		t.Errorf("another weight has the same hash (%v)", err)
	}
	d.Probability = &document.Probability{SHA256: p.SHA256, Weights: json.RawMessage(`[0.5]`)}
	data, err := d.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := document.Parse(data); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("other weights under the same hash: %v", err)
	}
}
