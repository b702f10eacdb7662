package document_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/goldentest"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

// uses are all that a document is asked for, by name.
func uses(d *document.Document) map[string]func() error {
	return map[string]func() error{
		"columns":       func() error { _, err := d.Columns(); return err },
		"inputs":        func() error { _, err := d.Inputs(); return err },
		"explain":       func() error { _, err := d.Explain(); return err },
		"contributions": func() error { _, err := d.Contributions(); return err },
		"scorer":        func() error { _, err := d.Scorer(); return err },
		"classifier":    func() error { _, err := d.Classifier(); return err },
		"decider":       func() error { _, err := d.Decider(); return err },
		"parts":         func() error { _, _, _, err := d.Parts(); return err },
		"familiarity":   func() error { _, err := d.Familiarity(); return err },
		"evaluation":    func() error { _, err := document.NewEvaluation(d); return err },
		"comparisons":   func() error { _, err := d.Comparisons(); return err },
		"schema":        func() error { _, err := d.Schema(); return err },
	}
}

// TestModelsThatCannotBe: whatever a document with a damaged model is asked for that needs the damaged part, there is an error and no panic.
func TestModelsThatCannotBe(t *testing.T) {
	d, _, _ := made(t, document.Classification)
	model := string(d.Model)
	names := []string{"explain", "contributions", "scorer", "classifier", "decider", "parts", "evaluation"}
	for name, c := range map[string]struct {
		change func(model string) string
		want   string
		of     []string
	}{
		"sound":               {func(m string) string { return m }, "", nil},
		"no JSON":             {func(m string) string { return m[:len(m)-1] }, "its model cannot be read", append(names, "columns", "inputs", "familiarity")},
		"another type":        {func(m string) string { return strings.Replace(m, `"type":"categorical"`, `"type":"ordinal"`, 1) }, "a type that this program does not know", names},
		"a knot more":         {func(m string) string { return strings.Replace(m, `"knots":[`, `"knots":[-9,`, 1) }, "knots and their weights do not match", names},
		"an edge more":        {func(m string) string { return strings.Replace(m, `"edges":[`, `"edges":[-9,`, 1) }, "edges and bins do not match", names},
		"a coarse bin before": {func(m string) string { return strings.Replace(m, `"coarse":[0`, `"coarse":[-1`, 1) }, "a coarse bin does not exist", names},
		"a coarse bin behind": {func(m string) string { return strings.Replace(m, `"coarse":[0`, `"coarse":[99`, 1) }, "", names},
		"a key of no number":  {func(m string) string { return strings.Replace(m, `"key":"`, `"key":"x`, 1) }, "the key of a level is no hexadecimal number of 64 bits", names},
		"no key of a cross": {func(m string) string {
			i := strings.Index(m, `"crosses"`)
			return m[:i] + strings.Replace(m[i:], `"key":"`, `"text":"`, 1)
		}, "a level of a cross has no key", names},
		"a column twice":       {func(m string) string { return strings.Replace(m, `"name":"knots"`, `"name":"bins"`, 1) }, `column "bins" comes twice`, names},
		"a cross of no column": {func(m string) string { return strings.Replace(m, `"threshold":0`, `"threshold":null`, 1) }, "do not match", []string{"classifier", "decider", "parts", "evaluation"}},
	} {
		changed := c.change(model)
		if name != "sound" && changed == model {
			t.Fatalf("%s: nothing changed in %s", name, model[:200])
		}
		damaged := *d
		damaged.Model = []byte(changed)
		for use, ask := range uses(&damaged) {
			err := ask()
			wanted := false
			for _, of := range c.of {
				wanted = wanted || of == use
			}
			if (err != nil) != wanted || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: asked for its %s: %v", name, use, err)
			}
		}
	}
	for name, c := range map[string]struct {
		config, want string
		of           []string
	}{
		"a schema that cannot be": {`{"record":{"label":{}}}`, "label", []string{"decider", "schema", "evaluation"}},
		"a comparison":            {`{"record":{"label":{"field":"y","positive":"1"}},"learner":{"level":0.9,"minimum_records":5},"constraints":[{"name":"sex","attribute":"sex","group":"m","versus":"m","criterion":"demographic-parity","tau":0.1}]}`, "versus", []string{"familiarity", "evaluation", "comparisons"}},
	} {
		damaged := *d
		var err error
		if damaged.Config, err = document.NewConfig([]byte(c.config)); err != nil {
			t.Fatal(err)
		}
		for use, ask := range uses(&damaged) {
			err := ask()
			wanted := false
			for _, of := range c.of {
				wanted = wanted || of == use
			}
			if (err != nil) != wanted {
				t.Errorf("%s: asked for its %s: %v", name, use, err)
			}
		}
	}
	for name, p := range map[string]*document.Probability{"no weights": {Weights: []byte(`{}`)}, "other weights": {Weights: []byte(`[1]`)}} {
		damaged := *d
		damaged.Probability = p
		for _, use := range []string{"classifier", "decider", "parts", "evaluation"} {
			if uses(&damaged)[use]() == nil {
				t.Errorf("%s of a probability: asked for its %s: no error", name, use)
			}
		}
	}
}

// TestDocumentsThatCannotBe: what Parse refuses, and what New does.
func TestDocumentsThatCannotBe(t *testing.T) {
	if _, err := document.Parse(make([]byte, 256<<20+1)); err == nil || !strings.Contains(err.Error(), "268435457 bytes are more than 268435456") {
		t.Errorf("a document that is too large: %v", err)
	}
	for text, want := range map[string]string{
		`{"format":"fairstream-weights","format_version":1}`: "without a model", `[]`: "not a weight document, as fairstream replay --save writes one", `{}`: `format is ""`,
	} {
		if _, err := document.Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	d := oneWord(t, document.Classification)
	for _, weights := range []string{`[1,2,3`, ``} {
		d.Probability = &document.Probability{SHA256: "x", Weights: json.RawMessage(weights)}
		data, _ := json.Marshal(map[string]any{"format": d.Format, "format_version": d.FormatVersion, "weights_sha256": d.WeightsSHA256, "model": d.Model, "probability": map[string]any{"sha256": "x"}})
		if _, err := document.Parse(data); err == nil || !strings.Contains(err.Error(), "probability without weights") {
			t.Errorf("%v", err)
		}
	}
	parts, weights, probability, err := oneWord(t, document.Classification).Parts()
	if err != nil || len(weights) != 3 || probability != nil {
		t.Fatal(weights, probability, err)
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		weights[1] = bad
		if _, err := document.New(document.Classification, parts, weights); err == nil {
			t.Errorf("a weight of %v is published", bad)
		}
		if _, err := document.NewProbability(parts, weights); err == nil {
			t.Errorf("a weight of %v gives a probability", bad)
		}
	}
	defer func() {
		if said := fmt.Sprint(recover()); !strings.HasPrefix(said, "document: ") {
			t.Errorf("too few weights: %s", said)
		}
	}()
	_, _ = document.New(document.Classification, parts, weights[:2])
}

// TestColumnsOfEveryKind: an encoder with a column of each kind is published and read again as it was, and each weight is explained.
func TestColumnsOfEveryKind(t *testing.T) {
	binning := features.Binning{Edges: []float64{1, 2, 4}, Coarse: []int32{0, 0, 1, 1}, Single: []bool{false, false, false, false}}
	slot := features.ColumnSlot(5)
	parts := features.Parts{Size: 30, Columns: []features.Column{
		{Name: "fine", Kind: features.Binned, Binning: binning, First: 1, NumberLevels: true},
		{Name: "coarse", Kind: features.Binned, Binning: binning, FirstCoarse: 5, Missing: 7},
		{Name: "both", Kind: features.Binned, Binning: binning, First: 8, FirstCoarse: 12, Linear: 14, Low: 0, High: 9, Mean: 1, Scale: 2, SquareRoots: 2},
		{Name: "undecided"},
		{Name: "knots", Kind: features.Interpolated, Knots: []float64{1, 2, 5}, First: 15},
		{Name: "words", Kind: features.Levelled, Missing: 18},
		{Name: "scaled", Kind: features.Scaled, Mean: 1, Scale: .5, First: 19},
		{Name: "line", Kind: features.Binned, Binning: binning, Linear: 20, Low: 0, High: 9, Mean: 1, Scale: 2, SquareRoots: 1},
	}, Levels: []features.Level{{Slot: slot, Weight: 21, Key: slot.Key(record.Hash([]byte("b"))), Text: "b"}, {Slot: slot, Weight: 22, Key: slot.Key(record.Hash([]byte("a"))), Text: "a"},
		{Slot: features.CrossSlot(0), Weight: 23, Key: 77, Text: "a & 1"}}, Crosses: [][]string{{"words", "fine"}}, Shared: 24, Buckets: 6}
	weights := make([]float64, parts.Size)
	for i := range weights {
		weights[i] = float64(i) + .5
	}
	d, err := document.New(document.Classification, parts, weights)
	if err != nil {
		t.Fatal(err)
	}
	if d.Config, err = document.NewConfig([]byte(configuration)); err != nil {
		t.Fatal(err)
	}
	d = parsed(t, d)
	terms, err := d.Explain()
	if err != nil {
		t.Fatal(err)
	}
	again, readWeights, _, err := d.Parts()
	if err != nil {
		t.Fatal(err)
	}
	inputs, err := d.Inputs()
	if err != nil {
		t.Fatal(err)
	}
	goldentest.Compare(t, "kinds.txt", goldentest.Print("model", string(d.Model))+goldentest.Print("terms", terms)+goldentest.Print("parts", again)+goldentest.Print("weights", readWeights)+goldentest.Print("inputs", inputs))
	published, err := document.New(document.Classification, again, readWeights)
	if err != nil || !bytes.Equal(published.Model, d.Model) || published.WeightsSHA256 != d.WeightsSHA256 {
		t.Errorf("published again, the model differs: %v", err)
	}
	digest := sha256.Sum256(d.Model)
	if d.WeightsSHA256 != hex.EncodeToString(digest[:]) || d.Weights != 30 {
		t.Errorf("%d weights with the hash %s", d.Weights, d.WeightsSHA256)
	}
	scorer, err := d.Scorer()
	if err != nil {
		t.Fatal(err)
	}
	word := func(text string) *record.Record {
		return &record.Record{Features: []record.Field{field("words", text)}}
	}
	scorer.Margin(word("a"))
	if row := scorer.Encode(word("b")); len(row.Index) != 2 || readWeights[row.Index[1]] != 21.5 || row.Value[1] != 1 {
		t.Errorf("a record behind another is encoded as %+v", row)
	}
	fork := scorer.Fork()
	for _, text := range []string{"no number", "2", "other"} {
		r := &record.Record{Features: []record.Field{field("coarse", text), field("knots", text)}}
		scorer.Margin(r)
		fork.Margin(r)
		want := "[coarse knots]"
		if text == "2" {
			want = "[]"
		}
		if fmt.Sprint(scorer.Unread()) != want || fmt.Sprint(fork.Unread()) != want {
			t.Errorf("%s: %v and %v are not read", text, scorer.Unread(), fork.Unread())
		}
	}
}

// TestConfigurationsOfComparisons: how groups are written in JSON, and what they mean.
func TestConfigurationsOfComparisons(t *testing.T) {
	for text, c := range map[string]struct {
		label    string
		each     bool
		problems int
	}{
		`"group":"m","versus":"f"`:                                 {"m − f", false, 0},
		`"group":"m","versus":"rest"`:                              {"m − rest", false, 0},
		`"group":"each","versus":"best"`:                           {" − best", true, 0},
		`"group":"each"`:                                           {" − rest", true, 0},
		`"group":"each","versus":"f"`:                              {" − f", true, 0},
		`"group":{"from":40}`:                                      {"sex ≥ 40 − sex < 40", false, 0},
		`"group":["m","g"],"versus":"f"`:                           {"m or g − f", false, 0},
		`"attribute":["sex","age"],"group":"m","versus":["f","h"]`: {"", false, 1},
		`"attribute":["sex","age"],"group":"m","versus":"f"`:       {"", false, 2},
		`"group":"m","versus":"f","enforce":false`:                 {"m − f", false, 0},
		`"group":"m","versus":"f","strata":"town"`:                 {"m − f", false, 0},
		`"group":"m","versus":"best","strata":"town"`:              {"m − best", false, 0},
	} {
		config, err := document.NewConfig([]byte(`{"constraints":[{"name":"x","attribute":"sex","criterion":"demographic-parity","tau":0.1,` + text + `}]}`))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		of := config.Constraints[0]
		comparison := of.Comparison()
		if problems := of.GroupProblems(); len(problems) != c.problems {
			t.Errorf("%s: %v", text, problems)
			continue
		}
		if c.problems > 0 {
			continue
		}
		if comparison.Each != c.each || comparison.Enforce == strings.Contains(text, "enforce") {
			t.Errorf("%s: %+v", text, comparison)
		}
		if label := comparison.GroupLabel() + " − " + comparison.VersusLabel(); label != c.label {
			t.Errorf("%s: %s, want %s", text, label, c.label)
		}
	}
	config, err := document.NewConfig([]byte(`{ "constraints": [{"attribute":["sex","age"],"strata":"town"},{"attribute":["age","race"],"strata":"town"},{"attribute":"sex","strata":"race"},{"attribute":"","strata":"job"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(config.Attributes(), config.Strata()) != "[sex age race] [town job]" {
		t.Errorf("attributes %v, strata %v", config.Attributes(), config.Strata())
	}
	if text, err := json.Marshal(config); err != nil || bytes.Contains(text, []byte(" ")) || !bytes.Contains(text, []byte(`"strata":"job"`)) {
		t.Errorf("%s, %v", text, err)
	}
	if text, err := json.Marshal(document.Config{Constraints: config.Constraints[:1]}); err != nil || !bytes.Contains(text, []byte(`"attribute":["sex","age"]`)) {
		t.Errorf("of a configuration that was not read: %s, %v", text, err)
	}
	for _, text := range []string{`{"constraints":5}`, `{`} {
		if _, err := document.NewConfig([]byte(text)); err == nil {
			t.Errorf("%s is a configuration", text)
		}
	}
}

// TestEvaluationForgetsTheRecordBefore: a record without an attribute is on neither side, whatever the one before it was.
func TestEvaluationForgetsTheRecordBefore(t *testing.T) {
	e, err := document.NewEvaluation(oneWord(t, document.Classification))
	if err != nil {
		t.Fatal(err)
	}
	for _, sex := range []string{"m", "", "f", ""} {
		r := person("yes", sex, "a", true, 0)
		r.Attributes[0].Missing = sex == ""
		e.Add(r)
	}
	if c := e.Report().Constraints[0]; c.NGroup != 1 || c.NVersus != 1 || c.NUnknown != 2 {
		t.Errorf("%+v", c)
	}
}

// TestEvaluationWithinStrata: groups are compared within the values of a field, of those that the learner has met; records can be watched as they are counted;
// of labels that are all one, no verdict is given.
func TestEvaluationWithinStrata(t *testing.T) {
	d := oneWord(t, document.Classification)
	d.Config.Constraints = []document.Constraint{{Name: "sex", Attribute: record.OneOrMore{"sex"}, Group: document.Values("m"), Versus: document.Values("f"), Strata: "town",
		Criterion: fairness.DemographicParity, Tau: .1}}
	for _, oneLabel := range []bool{false, true} {
		if oneLabel {
			d.Measurements.Conditions = []document.Condition{{Code: document.OneLabel}}
		}
		e, err := document.NewEvaluation(d)
		if err != nil {
			t.Fatal(err)
		}
		watched := 0
		e.Observe = func(r *record.Record, margin float64) {
			if watched++; margin != map[string]float64{"yes": 1.5, "no": -.5}[string(r.Features[0].Text)] {
				t.Errorf("margin %v", margin)
			}
		}
		for range 20 { // within each town men and women are decided alike, and more men are in the town of a yes
			for i, who := range []string{"m yes a", "m yes a", "m yes a", "m no b", "f yes a", "f no b", "f no b", "f no b"} {
				parts := strings.Fields(who)
				e.Add(person(parts[1], parts[0], parts[2], i%2 == 0, 0))
			}
		}
		e.Add(&record.Record{Features: []record.Field{field("word", "yes")}, Attributes: []record.Value{{Text: []byte("m")}, {Missing: true}}})
		r := e.Report()
		want := fairness.Met
		if oneLabel {
			want = fairness.NotEstimable
		}
		if c := r.Constraints[0]; watched != 160 || r.Records != 160 || math.Abs(c.Value) > 1e-12 || c.Strata != "town" || c.Status == fairness.Met != (want == fairness.Met) && c.Status != fairness.Inconclusive {
			t.Errorf("%d watched, %+v", watched, c)
		}
		if status := r.Constraints[0].Status; oneLabel && (status == fairness.Met || status == fairness.Violated) {
			t.Errorf("of one label: %s", status)
		}
	}
}
