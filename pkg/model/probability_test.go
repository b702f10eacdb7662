package model_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/logistic"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/model"
)

// The probability of a document is the score of the unconstrained document, whatever forms the columns have, and a program
// that puts its weights into the model as docs/document.md says has the same.
func TestProbabilityIsOfTheFreeModel(t *testing.T) {
	learnt, heldOut := splitAdult(t)
	for _, encoding := range []features.Encoding{features.Bins, features.PiecewiseLinear, features.Standardized} {
		config := adultConfig(model.Adaptive)
		config.Learner.Columns = map[string]features.ColumnConfig{}
		for _, name := range []string{"age", "capital_gain", "hours_per_week"} {
			config.Learner.Columns[name] = features.ColumnConfig{Type: features.Numeric, Encoding: encoding}
		}
		config.Learner.Crosses = [][]string{{"age", "education"}}
		l := learn(t, config, learnt[:6000])
		d := documentOf(t, l)
		free, ok, err := l.UnconstrainedDocument()
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		decides, err := d.Classifier()
		if err != nil {
			t.Fatal(err)
		}
		wants, err := free.Classifier()
		if err != nil {
			t.Fatal(err)
		}
		text, err := d.Encode()
		if err != nil {
			t.Fatal(err)
		}
		var plain plainDocument
		if err := json.Unmarshal(text, &plain); err != nil {
			t.Fatal(err)
		}
		plain.useProbability()
		moved := 0
		for i := range heldOut[:2000] {
			got, want := decides.Decide(&heldOut[i]), wants.Decide(&heldOut[i])
			own := logistic.Probability(plain.margin(texts(&heldOut[i])))
			if got.Probability != want.Score || math.Abs(own-want.Score) > 1e-12 {
				t.Fatalf("%s, record %d: the probability is %v, of the plain program %v, the free model's score %v", encoding, i, got.Probability, own, want.Score)
			}
			if math.Abs(got.Probability-got.Score) > .01 {
				moved++
			}
		}
		if moved < 200 {
			t.Errorf("%s: only %d probabilities are not the score: the test sees nothing", encoding, moved)
		}
	}
}

// A document whose probability was damaged is refused; one without a probability is read.
func TestDamagedProbability(t *testing.T) {
	learnt, heldOut := splitAdult(t)
	d := documentOf(t, learn(t, adultConfig(model.Adaptive), learnt[:3000]))
	whole, err := d.Encode()
	if err != nil {
		t.Fatal(err)
	}
	first := strings.SplitN(string(d.Probability.Weights[1:]), ",", 2)[0]
	damaged := strings.Replace(string(whole), `"weights":[`+first, `"weights":[`+first+"1", 1)
	if _, err := document.Parse([]byte(damaged)); err == nil || !strings.Contains(err.Error(), "weights of its probability have SHA-256") {
		t.Errorf("a damaged probability: %v", err)
	}
	d.Probability.Weights = json.RawMessage("[1]")
	digest := sha256.Sum256(d.Probability.Weights)
	d.Probability.SHA256 = hex.EncodeToString(digest[:])
	short, err := document.Parse(encode(t, d))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := short.Classifier(); err == nil || !strings.Contains(err.Error(), "probability and its model do not match") {
		t.Errorf("a probability of one weight: %v", err)
	}
	d.Probability = nil
	old, err := document.Parse(encode(t, d))
	if err != nil {
		t.Fatal(err)
	}
	decides, err := old.Classifier()
	if err != nil {
		t.Fatal(err)
	}
	if got := decides.Decide(&heldOut[0]); !math.IsNaN(got.Probability) || decides.GivesProbability() {
		t.Errorf("a document without a probability gives %+v", got)
	}
}
