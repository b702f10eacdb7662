package model_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// peopleDocument is a document with every part that one can have.
func peopleDocument(t *testing.T) *document.Document {
	t.Helper()
	config := everyConfiguration()["adaptive/bins/several"]
	return documentOf(t, learn(t, config, readRecords(t, config, peopleText(41, 1500))))
}

func encode(t *testing.T, d *document.Document) []byte {
	t.Helper()
	data, err := d.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// weights_sha256 is the hash of the bytes of model, which anybody can compute.
func TestWeightsSHA256(t *testing.T) {
	d := peopleDocument(t)
	var outer struct {
		Model         json.RawMessage
		WeightsSHA256 string `json:"weights_sha256"`
	}
	if err := json.Unmarshal(encode(t, d), &outer); err != nil {
		t.Fatal(err)
	}
	digest := sha256.Sum256(outer.Model)
	if got := hex.EncodeToString(digest[:]); got != outer.WeightsSHA256 || got != d.WeightsSHA256 {
		t.Errorf("the model hashes to %s, weights_sha256 is %s", got, outer.WeightsSHA256)
	}
}

// It covers the model and nothing else.
func TestWeightsSHA256CoversTheModelAlone(t *testing.T) {
	records := adultRecords(t)[:3000]
	base := adultConfig(model.Unconstrained)
	hash := func(set func(*model.Config)) string {
		config := base
		config.Constraints = append([]model.Constraint(nil), base.Constraints...)
		set(&config)
		return documentOf(t, learn(t, config, records)).WeightsSHA256
	}
	want := hash(func(*model.Config) {})
	if got := hash(func(c *model.Config) { c.Constraints[0].Name, c.Constraints[0].Tau, c.Learner.Level = "other", .3, .9 }); got != want {
		t.Error("names and levels enter weights_sha256")
	}
	if got := hash(func(c *model.Config) { c.Learner.Step = .31 }); got == want {
		t.Error("another step gives the same weights")
	}
}

// A document survives its JSON, however that is indented.
func TestDocumentRoundTrip(t *testing.T) {
	d := peopleDocument(t)
	d.Offsets = map[string]int64{"records/0": 7}
	data := encode(t, d)
	var indented bytes.Buffer
	if err := json.Indent(&indented, data, "", "\t"); err != nil {
		t.Fatal(err)
	}
	for _, text := range [][]byte{data, indented.Bytes()} {
		parsed, err := document.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if again := encode(t, parsed); !bytes.Equal(again, data) {
			t.Error("what was parsed is encoded differently")
		}
		if !reflect.DeepEqual(parsed.Config, d.Config) || parsed.Version != d.Version {
			t.Error("the configuration or the version is another one")
		}
	}
}

// A document that was tampered with, or is none, is refused with the reason.
func TestTamperedDocuments(t *testing.T) {
	text := string(encode(t, peopleDocument(t)))
	at := strings.Index(text, `"model":`)
	inModel := func(old, with string) string {
		if !strings.Contains(text[at:], old) {
			t.Fatalf("the model has no %s", old)
		}
		return text[:at] + strings.Replace(text[at:], old, with, 1)
	}
	for name, test := range map[string]struct{ text, says string }{
		"a changed threshold":    {inModel(`"threshold":0`, `"threshold":1`), "damaged"},
		"a changed weight":       {inModel(`"intercept":`, `"intercept":1e0,"unused":`), "damaged"},
		"a key more":             {inModel(`{"threshold"`, `{"x":1,"threshold"`), "damaged"},
		"another format":         {strings.Replace(text, "fairstream-weights", "weights", 1), `format is "weights"`},
		"another version":        {strings.Replace(text, `"format_version":1`, `"format_version":2`, 1), "format version 2"},
		"no model":               {text[:at] + `"other":{}}`, "without a model"},
		"cut short":              {text[:len(text)/2], "not a weight document"},
		"nothing":                {"", "not a weight document"},
		"an array":               {"[]", "not a weight document"},
		"an empty object":        {"{}", "not a weight document"},
		"a configuration of it":  {"record:\n  label: {}", "not a weight document"},
		"something after it":     {text + "{}", "not a weight document"},
		"a version as text":      {strings.Replace(text, `"format_version":1`, `"format_version":"1"`, 1), "not a weight document"},
		"the model as a string":  {text[:at] + `"model":"x"}`, "damaged"},
		"the model as a nothing": {text[:at] + `"model":null}`, "damaged"},
	} {
		if d, err := document.Parse([]byte(test.text)); err == nil || d != nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: the error does not say %q: %v", name, test.says, err)
		}
	}
}

// resealed is a document whose model was replaced, with the right hash.
func resealed(t *testing.T, d document.Document, body string) *document.Document {
	t.Helper()
	digest := sha256.Sum256([]byte(body))
	d.Model, d.WeightsSHA256 = json.RawMessage(body), hex.EncodeToString(digest[:])
	parsed, err := document.Parse(encode(t, &d))
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// A model that makes no sense is an error of Scorer, Explain and NewEvaluation, with the column.
func TestModelsThatMakeNoSense(t *testing.T) {
	d := peopleDocument(t)
	column := func(rest string) string {
		return `{"threshold":0,"intercept":0,"columns":[{"name":"x",` + rest + `}]}`
	}
	const bins = `"type":"numeric","bins":[1,2],"edges":[0],"coarse":[0,0],"coarse_bins":[1],"single_value":[false,false]`
	good := resealed(t, *d, column(bins))
	if _, err := good.Scorer(); err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string]string{
		"edges that descend":        column(strings.Replace(strings.Replace(bins, `[1,2]`, `[1,2,3]`, 1), `"edges":[0]`, `"edges":[2,1]`, 1)),
		"a bin too few":             column(strings.Replace(bins, `[1,2]`, `[1]`, 1)),
		"a coarse bin that is none": column(strings.Replace(bins, `[0,0]`, `[0,1]`, 1)),
		"a negative coarse bin":     column(strings.Replace(bins, `[0,0]`, `[0,-1]`, 1)),
		"no bins at all":            column(`"type":"numeric"`),
		"knots without weights":     column(`"type":"numeric","knots":[1,2],"knot_weights":[1]`),
		"no knots":                  column(`"type":"numeric","knots":[],"knot_weights":[]`),
		"knots that descend":        column(`"type":"numeric","knots":[2,1],"knot_weights":[1,1]`),
		"an unknown type":           column(`"type":"date"`),
		"no type":                   column(`"levels":[]`),
		"a column twice":            `{"columns":[{"name":"x","type":"categorical"},{"name":"x","type":"categorical"}]}`,
		"a level twice":             column(`"type":"categorical","levels":[{"text":"a","weight":1},{"text":"a","weight":2}]`),
		"a key that is none":        column(`"type":"categorical","levels":[{"text":"a","key":"g","weight":1}]`),
		"a cross without a key":     `{"columns":[],"crosses":[{"columns":["a","b"],"levels":[{"text":"a","weight":1}]}]}`,
		"text as a weight":          column(`"type":"categorical","missing":"1"`),
		"a key of a newer program":  column(bins + `,"slope":2`),
		"an unknown part":           `{"threshold":0,"intercept":0,"columns":[],"forest":[]}`,
	} {
		bad := resealed(t, *d, body)
		_, scorer := bad.Scorer()
		_, explain := bad.Explain()
		_, evaluation := document.NewEvaluation(bad)
		for _, err := range []error{scorer, explain, evaluation} {
			if err == nil || !strings.HasPrefix(err.Error(), "document: ") {
				t.Errorf("%s: the error is %v", name, err)
			}
		}
	}
	// A configuration that is none does not keep a document from deciding, but from being evaluated.
	broken := *d
	broken.Config.Learner.Level = 2
	if _, err := broken.Scorer(); err != nil {
		t.Error(err)
	}
	if _, err := document.NewEvaluation(&broken); err == nil || !strings.Contains(err.Error(), "learner.level") {
		t.Errorf("the error does not name the key: %v", err)
	}
}

// An honoured threshold moves decisions and nothing else.
func TestThreshold(t *testing.T) {
	d := peopleDocument(t)
	plain, err := d.Classifier()
	if err != nil {
		t.Fatal(err)
	}
	moved, err := resealed(t, *d, strings.Replace(string(d.Model), `"threshold":0`, `"threshold":0.5`, 1)).Classifier()
	if err != nil {
		t.Fatal(err)
	}
	records := readRecords(t, configOf(t, d), peopleText(42, 300))
	for i := range records {
		a, b := plain.Decide(&records[i]), moved.Decide(&records[i])
		if a.Margin != b.Margin || a.Positive != (a.Margin > 0) || b.Positive != (b.Margin > .5) || a.Score != 1/(1+math.Exp(-a.Margin)) && math.Abs(a.Score-1/(1+math.Exp(-a.Margin))) > 1e-15 {
			t.Fatalf("record %d: %+v and %+v", i, a, b)
		}
	}
}

// The model that mode adaptive learns alongside is what mode unconstrained learns, but for step sizes that
// follow all of its models: it decides nearly as that does, and unlike the published one.
func TestUnconstrainedDocument(t *testing.T) {
	config := adultConfig(model.Adaptive)
	records, heldOut := splitAdult(t)
	records, heldOut = records[:12000], heldOut[:2000]
	adaptive := learn(t, config, records)
	free, learnt, err := adaptive.UnconstrainedDocument()
	if err != nil || !learnt {
		t.Fatal(learnt, err)
	}
	config.Learner.Mode = model.Unconstrained
	unconstrained := learn(t, config, records)
	differ := func(a, b *document.Document) (share float64) {
		ours, its := margins(t, a, heldOut), margins(t, b, heldOut)
		for i := range ours {
			share += float64(btoi((ours[i] > 0) != (its[i] > 0))) / float64(len(ours))
		}
		return share
	}
	published := documentOf(t, adaptive)
	if near, far := differ(free, documentOf(t, unconstrained)), differ(free, published); near > .01 || far < .02 {
		t.Errorf("of the decisions %.4f differ from mode unconstrained, %.4f from the published model", near, far)
	}
	itself, _, err := unconstrained.UnconstrainedDocument()
	if err != nil || itself.WeightsSHA256 != documentOf(t, unconstrained).WeightsSHA256 {
		t.Errorf("mode unconstrained publishes one model and calls another unconstrained (%v)", err)
	}
	config = adultConfig(model.Paper)
	if none, itDoes, err := learn(t, config, records[:1500]).UnconstrainedDocument(); none != nil || itDoes || err != nil {
		t.Errorf("mode paper has an unconstrained model (%v)", err)
	}
}

// margins decides records by a document.
func margins(t *testing.T, d *document.Document, records []record.Record) []float64 {
	t.Helper()
	scorer, err := d.Scorer()
	if err != nil {
		t.Fatal(err)
	}
	var all []float64
	for i := range records {
		all = append(all, scorer.Margin(&records[i]))
	}
	return all
}

// An evaluation counts what the scorer decides, on the sides that the constraints define.
func TestEvaluation(t *testing.T) {
	learnt, heldOut := splitAdult(t)
	d := documentOf(t, learn(t, adultConfig(model.Adaptive), learnt[:10000]))
	e, err := document.NewEvaluation(d)
	if err != nil {
		t.Fatal(err)
	}
	scorer, err := d.Classifier()
	if err != nil {
		t.Fatal(err)
	}
	var right, group, versus, groupYes, versusYes, weightless float64
	for i := range heldOut {
		r := heldOut[i]
		if i%10 == 0 {
			r.Weight = 0
			weightless++
		}
		e.Add(&r)
		if r.Weight == 0 {
			continue
		}
		decision := scorer.Decide(&r).Positive
		right += float64(btoi(decision == r.Positive))
		switch string(r.Attributes[0].Text) {
		case "Male":
			group++
			groupYes += float64(btoi(decision))
		case "Female":
			versus++
			versusYes += float64(btoi(decision))
		}
	}
	report := e.Report()
	n := float64(len(heldOut)) - weightless
	row := report.Constraints[0]
	if report.Records != int64(n) || math.Abs(report.Accuracy.Value-right/n) > 1e-12 ||
		math.Abs(row.Value-(groupYes/group-versusYes/versus)) > 1e-12 || row.NGroup != int64(group) || row.NVersus != int64(versus) {
		t.Errorf("%d records, accuracy %v, row %+v", report.Records, report.Accuracy.Value, row)
	}
}
