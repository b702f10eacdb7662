package document_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

// settings have a column of every kind, a cross, and fewer levels than there are words.
var settings = features.Config{
	Columns: map[string]features.ColumnConfig{
		"knots": {Type: features.Numeric, Encoding: features.PiecewiseLinear}, "scaled": {Type: features.Numeric, Encoding: features.Standardized}},
	Crosses:    [][]string{{"bins", "word"}},
	Vocabulary: features.VocabularyConfig{Levels: 80, Buckets: 4, Columns: 10},
}

// configuration is what a document says of it, with a key that only the learner knows.
const configuration = `{"record":{"label":{"field":"y","positive":"1"}},"learner":{"level":0.9,"minimum_records":5,"window":256,"step":1},` +
	`"constraints":[{"name":"sex","attribute":"sex","group":"m","versus":"f","criterion":"demographic-parity","tau":0.1},` +
	`{"name":"both","attribute":["sex","race"],"group":["m","a"],"versus":["f","b"],"criterion":"demographic-parity","tau":0.2,"enforce":false}]}`

func field(name, text string) record.Field {
	f := record.Field{ID: record.NoName, Name: name, Missing: text == "?"}
	if !f.Missing {
		f.Text = []byte(text)
		f.Hash = record.Hash(f.Text)
	}
	return f
}

func anyRecord(random *rand.Rand) *record.Record {
	number := func(n int) string { return fmt.Sprint(random.IntN(n)) }
	word := "w1" // often
	if random.IntN(2) == 0 {
		word = "w" + number(80)
	}
	if random.IntN(5) == 0 {
		word = strings.Repeat("long ", 30) + word
	}
	texts := []string{number(60), number(90), number(40), word}
	if random.IntN(4) == 0 {
		texts[random.IntN(4)] = "?"
	}
	r := &record.Record{HasLabel: true, Weight: 1}
	for i, name := range []string{"bins", "knots", "scaled", "word"} {
		r.Features = append(r.Features, field(name, texts[i]))
	}
	if random.IntN(9) == 0 {
		r.Features = append(r.Features, field("rare", "r"+number(3)))
	}
	return r
}

// made returns a document of an encoder that has learnt from some records, and weights out of the air.
func made(t *testing.T, task document.Task) (d *document.Document, encoder *features.Learning, weights []float64) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	encoder = features.NewLearning(settings)
	var row features.Row
	for i := range 3000 {
		r := anyRecord(random)
		if i < 200 {
			encoder.Observe(r.Features)
			continue
		}
		if i == 200 {
			encoder.Infer()
		}
		encoder.Encode(&row, r)
		residual := float64(random.IntN(2)) - .5
		if x := string(r.Features[0].Text); len(x) == 1 && strings.HasSuffix(string(r.Features[3].Text), "w1") {
			residual = .5 // small numbers and w1 together
		}
		encoder.Reveal(residual, .25, 1)
	}
	for range encoder.Size() {
		weights = append(weights, random.NormFloat64()/4)
	}
	d, err := document.New(task, encoder.Frozen.Parts(), weights)
	if err != nil {
		t.Fatal(err)
	}
	if d.Config, err = document.NewConfig([]byte(configuration)); err != nil {
		t.Fatal(err)
	}
	if task == document.Regression {
		d.Label = &document.LabelSummary{Mean: 2, StandardDeviation: 1}
	}
	return d, encoder, weights
}

func parsed(t *testing.T, d *document.Document) *document.Document {
	t.Helper()
	data, err := d.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := document.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// A published document weighs records as the encoder and the weights that it was made of, bit for bit, those included
// that the encoder has not met.
func TestADocumentWeighsAsItsWeightsDo(t *testing.T) {
	d, encoder, weights := made(t, document.Classification)
	parts := encoder.Parts()
	crosses := 0
	for _, l := range parts.Levels {
		if _, cross := l.Slot.Cross(); cross {
			crosses++
		}
	}
	if crosses == 0 || parts.Shared == 0 {
		t.Fatalf("%d combinations have weights, shared ones begin at %d: the test looks at nothing", crosses, parts.Shared)
	}
	classifier, err := parsed(t, d).Classifier()
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(3, 4))
	var row features.Row
	for i := range 3000 {
		r := anyRecord(random)
		encoder.Frozen.Encode(&row, r)
		want := 0.0
		for k, j := range row.Index {
			want += float64(weights[j] * row.At(k))
		}
		got := classifier.Decide(r)
		if math.Float64bits(got.Margin) != math.Float64bits(want) || got.Positive != (want > 0) || math.Abs(got.Score-1/(1+math.Exp(-want))) > 1e-15 {
			t.Fatalf("record %d: %+v, the margin should be %v", i, got, want)
		}
	}
}

// A document decides or predicts, as its task says, and refuses the other.
func TestTasksAreApart(t *testing.T) {
	classifies, _, _ := made(t, document.Classification)
	predicts, _, _ := made(t, document.Regression)
	if _, err := classifies.Regressor(); err == nil || !strings.Contains(err.Error(), "its task is classification") {
		t.Errorf("a classifier predicts: %v", err)
	}
	if _, err := predicts.Classifier(); err == nil || !strings.Contains(err.Error(), "its task is regression") {
		t.Errorf("a regression decides: %v", err)
	}
	regressor, err := predicts.Regressor()
	if err != nil {
		t.Fatal(err)
	}
	scorer, err := classifies.Scorer() // of the same weights
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		if r := anyRecord(random); regressor.Predict(r) != scorer.Margin(r) {
			t.Fatal("a prediction is not the margin")
		}
	}
	predicts.Label = nil
	if _, err := predicts.Regressor(); err == nil {
		t.Error("a regression without a label predicts")
	}
	classifies.Task, classifies.Label = document.Regression, &document.LabelSummary{}
	if _, err := classifies.Regressor(); err == nil {
		t.Error("a model with a threshold predicts")
	}
}

// The hash covers the model: any other byte of it is found out, as are other formats.
func TestDamageIsFoundOut(t *testing.T) {
	d, _, _ := made(t, document.Classification)
	data, err := d.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]struct{ old, new, want string }{
		"a weight":       {`"intercept":`, `"intercept":1`, "damaged"},
		"another hash":   {d.WeightsSHA256, strings.Repeat("0", 64), "damaged"},
		"another format": {`"format":"fairstream-weights"`, `"format":"weights"`, "format is"},
		"newer":          {`"format_version":1`, `"format_version":2`, "version 2"},
		"cut short":      {`}}`, `}`, "not a weight document"},
	} {
		damaged := bytes.Replace(data, []byte(damage.old), []byte(damage.new), 1)
		if name == "cut short" {
			damaged = data[:len(data)/2]
		}
		if _, err := document.Parse(damaged); err == nil || !strings.Contains(err.Error(), damage.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The configuration is kept whole, though a reader needs little of it.
func TestTheConfigurationIsKeptWhole(t *testing.T) {
	d, _, _ := made(t, document.Classification)
	again := parsed(t, d)
	text, err := json.Marshal(again.Config)
	if err != nil || string(text) != configuration {
		t.Errorf("%s, %v", text, err)
	}
	if c := again.Config; c.Learner.Window != 256 || c.Record.Label.Field != "y" || len(c.Attributes()) != 2 {
		t.Errorf("%+v", c)
	}
	if schema, err := again.Schema(); err != nil || schema == nil {
		t.Error(err)
	}
}

// A report that was read is of the task of its document.
func TestReportsAreOfTheTask(t *testing.T) {
	for _, task := range []document.Task{document.Classification, document.Regression} {
		d, _, _ := made(t, task)
		d.Measurements.Unconstrained = &document.Report{}
		again := parsed(t, d)
		for name, r := range map[string]*document.Report{"prequential": &again.Measurements.Prequential, "recent": &again.Measurements.Recent, "unconstrained": again.Measurements.Unconstrained} {
			if (r.Decisions != nil) != (task == document.Classification) || (r.Predictions != nil) != (task == document.Regression) {
				t.Errorf("%s, %s: %+v", task, name, r)
			}
		}
	}
}

// oneWord is a document with a weight for each of two words.
func oneWord(t *testing.T, task document.Task) *document.Document {
	t.Helper()
	columns := []features.Column{{Name: "word", Kind: features.Levelled}}
	slot := features.ColumnSlot(0)
	level := func(text string, weight int32) features.Level {
		return features.Level{Slot: slot, Weight: weight, Key: slot.Key(record.Hash([]byte(text))), Text: text}
	}
	encoder, err := features.NewFrozen(features.Parts{Columns: columns, Size: 3, Levels: []features.Level{level("yes", 1), level("no", 2)}})
	if err != nil {
		t.Fatal(err)
	}
	d, err := document.New(task, encoder.Parts(), []float64{.5, 1, -1})
	if err != nil {
		t.Fatal(err)
	}
	if d.Config, err = document.NewConfig([]byte(configuration)); err != nil {
		t.Fatal(err)
	}
	if task == document.Regression {
		d.Label = &document.LabelSummary{Mean: 1}
		d.Config.Constraints = []document.Constraint{{Name: "sex", Attribute: record.OneOrMore{"sex"}, Group: document.Values("m"), Versus: document.Values("f"),
			Criterion: fairness.MeanDifference, Tau: 1}}
	}
	return d
}

func person(word, sex, race string, positive bool, label float64) *record.Record {
	return &record.Record{HasLabel: true, Positive: positive, Label: label, Weight: 1, Features: []record.Field{field("word", word)},
		Attributes: []record.Value{{Text: []byte(sex)}, {Text: []byte(race)}}}
}

// An evaluation counts decisions on the sides of each constraint: numbers worked out by hand.
func TestEvaluationCountsDecisions(t *testing.T) {
	e, err := document.NewEvaluation(oneWord(t, document.Classification))
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		e.Add(person("yes", "m", "a", true, 0))  // margin 1.5: right
		e.Add(person("no", "m", "b", true, 0))   // margin −0.5: wrong
		e.Add(person("no", "f", "b", false, 0))  // right
		e.Add(person("new", "f", "b", false, 0)) // margin 0.5: wrong
		e.Add(person("no", "f", "a", false, 0))  // right
		weightless := person("yes", "f", "b", false, 0)
		weightless.Weight = 0
		e.Add(weightless)
	}
	r := e.Report()
	p := func(margin float64) float64 { return 1 / (1 + math.Exp(-margin)) }
	loss := -(math.Log(p(1.5)) + math.Log(p(-.5)) + 2*math.Log(1-p(-.5)) + math.Log(1-p(.5))) / 5
	if r.Records != 50 || math.Abs(r.Accuracy.Value-.6) > 1e-12 || math.Abs(r.LogLoss.Value-loss) > 1e-12 || r.Predictions != nil || r.Accuracy.Level != .9 {
		t.Errorf("%+v", r)
	}
	sex, both := r.Constraints[0], r.Constraints[1]
	if math.Abs(sex.Value-(.5-1./3)) > 1e-12 || sex.NGroup != 20 || sex.NVersus != 30 || !sex.Enforced {
		t.Errorf("sex: %+v", sex)
	}
	if math.Abs(both.Value-.5) > 1e-12 || both.NGroup != 10 || both.NVersus != 20 || both.Enforced {
		t.Errorf("both: %+v", both)
	}
}

// An evaluation of a regression counts predictions beside the mean label.
func TestEvaluationCountsPredictions(t *testing.T) {
	e, err := document.NewEvaluation(oneWord(t, document.Regression))
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		e.Add(person("yes", "m", "a", false, 2)) // predicts 1.5
		e.Add(person("no", "f", "b", false, -1)) // predicts −0.5
	}
	r := e.Report()
	if r.Decisions != nil || math.Abs(r.MSE.Value-.25) > 1e-12 || math.Abs(r.ConstantMSE.Value-2.5) > 1e-12 || math.Abs(r.RSquared.Value-.9) > 1e-12 {
		t.Errorf("%+v", r.Predictions)
	}
	if c := r.Constraints[0]; math.Abs(c.Value-2) > 1e-12 {
		t.Errorf("%+v", c)
	}
}

// A configuration that cannot be measured is named.
func TestEvaluationNamesWhatIsWrong(t *testing.T) {
	for key, spoil := range map[string]func(c *document.Config){
		"learner.level":           func(c *document.Config) { c.Learner.Level = 1 },
		"learner.minimum_records": func(c *document.Config) { c.Learner.MinimumRecords = 0 },
		"tau":                     func(c *document.Config) { c.Constraints[0].Tau = -1 },
	} {
		d := oneWord(t, document.Classification)
		spoil(&d.Config)
		if _, err := document.NewEvaluation(d); err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("%s: %v", key, err)
		}
	}
}

// Every weight is explained, and the terms of a record's values add up to its margin.
func TestExplanationsAreTheWeights(t *testing.T) {
	terms, err := oneWord(t, document.Classification).Explain()
	if err != nil {
		t.Fatal(err)
	}
	want := []document.Term{
		{Column: "(intercept)", Kind: document.InterceptTerm, Weight: .5},
		{Column: "word", Level: "no", Kind: document.LevelTerm, Weight: -1},
		{Column: "word", Level: "yes", Kind: document.LevelTerm, Weight: 1},
	}
	if fmt.Sprint(terms) != fmt.Sprint(want) {
		t.Errorf("%v", terms)
	}
	d, _, _ := made(t, document.Classification)
	all, err := d.Explain()
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[document.TermKind]int{}
	for _, term := range all {
		kinds[term.Kind]++
	}
	for _, kind := range []document.TermKind{document.BinTerm, document.KnotTerm, document.SlopeTerm, document.LevelTerm, document.BucketTerm, document.MissingTerm} {
		if kinds[kind] == 0 {
			t.Errorf("no %s is explained", kind)
		}
	}
	if kinds[document.BucketTerm] != 4 || kinds[document.SlopeTerm] != 2 {
		t.Errorf("%v", kinds)
	}
}

// Scoring does not allocate.
func TestScoringAllocatesNothing(t *testing.T) {
	d, _, _ := made(t, document.Classification)
	classifier, err := d.Classifier()
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(7, 8))
	var records []*record.Record
	for range 300 {
		records = append(records, anyRecord(random))
	}
	if n := testing.AllocsPerRun(3, func() {
		for _, r := range records {
			classifier.Decide(r)
		}
	}); n > 0 {
		t.Errorf("%v allocations in %d records", n, len(records))
	}
}

// A margin at the threshold is no positive decision: only one above it is.
func TestTheThresholdItselfIsNegative(t *testing.T) {
	for _, threshold := range []float64{0, .5, -2} {
		if document.NewDecision(threshold, threshold).Positive || !document.NewDecision(math.Nextafter(threshold, 9), threshold).Positive {
			t.Errorf("at the threshold %v", threshold)
		}
	}
}

// A key of the model that this program does not know would change decisions: it is refused.
func TestUnknownKeysOfAModelAreRefused(t *testing.T) {
	for _, change := range [][2]string{{`{"threshold"`, `{"offset":1,"threshold"`}, {`{"name":"word"`, `{"power":2,"name":"word"`}} {
		d := oneWord(t, document.Classification)
		d.Model = bytes.Replace(d.Model, []byte(change[0]), []byte(change[1]), 1)
		digest := sha256.Sum256(d.Model)
		d.WeightsSHA256 = hex.EncodeToString(digest[:])
		again := parsed(t, d)
		if _, err := again.Classifier(); err == nil || !strings.Contains(err.Error(), "unknown field") {
			t.Errorf("%s: %v", change[1], err)
		}
		if _, err := again.Explain(); err == nil {
			t.Errorf("%s is explained", change[1])
		}
	}
}
