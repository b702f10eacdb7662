package model_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

var allModes = []model.Mode{model.Adaptive, model.Paper, model.Unconstrained}

// adultConfig is the configuration of the first command.
func adultConfig(mode model.Mode) model.Config {
	return readable(model.Config{Record: adult.RecordConfig(), Learner: learnerConfig(mode), Constraints: []model.Constraint{{
		Name: "sex", Attribute: model.OneOrMore{"sex"}, Group: model.Values("Male"), Versus: model.Values("Female"),
		Tau: .05, Threshold: 2,
	}}})
}

// readable resets what the mode does not read.
func readable(c model.Config) model.Config {
	if c.Learner.Mode != model.Paper {
		c.Learner.Paper = model.DefaultLearner().Paper
	}
	for i := range c.Constraints {
		if c.Learner.Mode != model.Paper {
			c.Constraints[i].Threshold = 0
		}
		if c.Learner.Mode == model.Unconstrained {
			c.Constraints[i].Relaxation = ""
		}
	}
	return c
}

func learnerConfig(mode model.Mode) model.LearnerConfig {
	c := model.DefaultLearner()
	c.Mode = mode
	return c
}

// adultText is the bundled CSV file.
var adultText = sync.OnceValues(func() (string, error) {
	text, err := io.ReadAll(adult.Open())
	return string(text), err
})

// adultRecords decodes the bundled records, once for all tests: nobody may change them.
func adultRecords(tb testing.TB) []record.Record {
	tb.Helper()
	adultOnce.Do(func() {
		text, err := adultText()
		if err != nil {
			tb.Fatal(err)
		}
		adultShared = readRecords(tb, adultConfig(model.Adaptive), text)
	})
	return adultShared
}

// adultHead decodes the first of the bundled records.
func adultHead(tb testing.TB, count int) []record.Record {
	tb.Helper()
	text, err := adultText()
	if err != nil {
		tb.Fatal(err)
	}
	lines := strings.SplitAfterN(text, "\n", count+2)
	return readRecords(tb, adultConfig(model.Adaptive), strings.Join(lines[:count+1], ""))
}

var (
	adultOnce   sync.Once
	adultShared []record.Record
)

// readRecords decodes a CSV file; the records share nothing.
func readRecords(tb testing.TB, config model.Config, text string) []record.Record {
	tb.Helper()
	return decode(tb, config, record.CSV, text)
}

// decode reads a file all of whose records are good.
func decode(tb testing.TB, config model.Config, format record.Format, text string) []record.Record {
	tb.Helper()
	schema, err := config.Schema()
	if err != nil {
		tb.Fatal(err)
	}
	decoder := schema.NewDecoder()
	reader, err := record.NewReader(strings.NewReader(text), format, record.Limits{})
	if err != nil {
		tb.Fatal(err)
	}
	var records []record.Record
	for {
		var r record.Record
		err := reader.Read(decoder, &r)
		if err == io.EOF {
			return records
		}
		if err != nil {
			tb.Fatal(err)
		}
		records = append(records, clone(&r))
	}
}

// clone copies a record with its texts.
func clone(r *record.Record) record.Record {
	c := *r
	c.Features = append([]record.Field(nil), r.Features...)
	c.Attributes = append([]record.Value(nil), r.Attributes...)
	for i := range c.Features {
		c.Features[i].Text = bytes.Clone(c.Features[i].Text)
	}
	for i := range c.Attributes {
		c.Attributes[i].Text = bytes.Clone(c.Attributes[i].Text)
	}
	return c
}

func newLearner(tb testing.TB, config model.Config) *model.Learner {
	tb.Helper()
	l, err := model.New(config)
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

// learn returns a learner of the records.
func learn(tb testing.TB, config model.Config, records []record.Record) *model.Learner {
	tb.Helper()
	l := newLearner(tb, config)
	for i := range records {
		l.Learn(&records[i])
	}
	return l
}

func documentOf(tb testing.TB, l *model.Learner) *document.Document {
	tb.Helper()
	d, err := l.Document()
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

func restore(tb testing.TB, config model.Config, state []byte) *model.Learner {
	tb.Helper()
	l, err := model.Restore(config, state)
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

// peopleText makes a CSV file with everything that a column can be: numbers smooth, repeated, mostly zero and
// rarely there, words few and many, missing values, weights; two attributes, each missing now and then.
func peopleText(seed uint64, records int) string {
	random := rand.New(rand.NewPCG(seed, 1))
	var text strings.Builder
	text.WriteString("y,weight,sex,race,age,height,gain,job,city,rare,note\n")
	for range records {
		sex, race, score := "f", "c", 0.0
		if random.IntN(2) == 0 {
			sex, score = "m", .8
		}
		if random.IntN(3) > 0 {
			race = string(rune('a' + random.IntN(2)))
		}
		age, height := 17+random.IntN(60), 150+30*random.NormFloat64()
		gain, job := 0, random.IntN(6)
		if random.IntN(8) == 0 {
			gain = 100 * random.IntN(200)
			score += 1.5
		}
		score += float64(age-45)/20 + float64(job)/3 - 2 + random.NormFloat64()
		missing := func(text string, share int) string {
			if random.IntN(share) == 0 {
				return "?"
			}
			return text
		}
		rare := "?"
		if random.IntN(20) == 0 {
			rare = fmt.Sprint(random.IntN(1000))
		}
		fmt.Fprintf(&text, "%t,%.1f,%s,%s,%s,%.3f,%d,j%d,%s,%s,\n", score > 0, float64(1+random.IntN(30))/10,
			missing(sex, 25), missing(race, 25), missing(fmt.Sprint(age), 30), height, gain, job,
			missing(fmt.Sprint("c", random.IntN(1+random.IntN(80))), 10), rare)
	}
	return text.String()
}

// peopleConfig is for peopleText, with sizes so small that a short stream reaches every limit.
func peopleConfig(mode model.Mode, encoding features.Encoding, constraints ...model.Constraint) model.Config {
	c := model.Config{Learner: learnerConfig(mode), Constraints: slices.Clone(constraints)}
	c.Record.Label = record.Label{Field: "y", Positive: "true"}
	c.Record.Weight = "weight"
	c.Learner.Warmup, c.Learner.Window = 200, 256
	if c.Learner.Paper.K = 2; mode != model.Paper { // at 0.5 every second of these streams diverges
		c.Learner.Forgetting = 1000
	}
	c.Learner.Vocabulary = features.VocabularyConfig{Levels: 60, Buckets: 8, Columns: 6}
	c.Learner.Columns = map[string]features.ColumnConfig{
		"age": {Type: features.Numeric, Encoding: encoding}, "height": {Type: features.Numeric, Encoding: encoding}}
	c.Learner.Crosses = [][]string{{"age", "job"}}
	return readable(c)
}

// constraint returns one with thresholds that mode paper takes.
func constraint(name string, criterion fairness.Criterion, relaxation surrogate.Name, attributes, group, versus string) model.Constraint {
	thresholds := map[surrogate.Name]float64{surrogate.Approximation1: 2, surrogate.Approximation2: 1.5, surrogate.Approximation3: 2.5,
		surrogate.MeanMargin: .1, surrogate.Sigmoid: .05}
	return model.Constraint{Name: name, Attribute: strings.Split(attributes, "+"), Group: model.Values(strings.Split(group, "+")...),
		Versus: model.Values(strings.Split(versus, "+")...), Criterion: criterion, Tau: .06, Relaxation: relaxation, Threshold: thresholds[relaxation]}
}

// constraintSets are none, one, and several of every kind.
func constraintSets() map[string][]model.Constraint {
	measured := constraint("measured", fairness.DemographicParity, surrogate.Approximation1, "race", "a", "b")
	measured.Enforce = new(bool)
	one := constraint("sex", fairness.DemographicParity, surrogate.Approximation1, "sex", "m", "f")
	return map[string][]model.Constraint{
		"none": nil,
		"one":  {one},
		"several": {measured, one,
			constraint("odds", fairness.EqualizedOdds, surrogate.Approximation2, "race", "a", "rest"),
			constraint("both", fairness.EqualOpportunity, surrogate.Sigmoid, "sex+race", "m+a", "f+b")},
	}
}

// kinds are groups of every kind, which mode paper does not enforce.
func kinds() []model.Constraint {
	ratio := constraint("ratio", fairness.ImpactRatio, surrogate.Approximation1, "sex", "m", "f")
	ratio.Tau = .7
	each := constraint("each", fairness.EqualizedOdds, surrogate.Approximation1, "race", "each", "rest")
	best := constraint("best", fairness.DemographicParity, surrogate.Approximation1, "race", "each", "best")
	within := constraint("within", fairness.DemographicParity, surrogate.Approximation1, "sex", "m", "f")
	within.Strata = "job"
	all := []model.Constraint{ratio, each, best, within}
	for i := range all {
		all[i].Threshold = 0
	}
	all[1].Enforce = new(bool)
	return all
}

// plain are attributes that leave no more columns than there may be: every record then has the fields of the one before.
func plain() []model.Constraint {
	return []model.Constraint{
		constraint("sex", fairness.DemographicParity, surrogate.Approximation1, "sex", "m", "f"),
		constraint("race", fairness.DemographicParity, surrogate.Approximation1, "race", "a", "b"),
		constraint("gain", fairness.DemographicParity, surrogate.Approximation1, "gain", "0", "rest"),
	}
}

// regressionConfig is peopleConfig for the height, which has no bounds.
func regressionConfig(mode model.Mode, encoding features.Encoding, constraints ...model.Constraint) model.Config {
	c := peopleConfig(mode, encoding)
	c.Learner.Task, c.Learner.Sparsity = model.Regression, .01
	c.Record.Label = record.Label{Field: "height"}
	delete(c.Learner.Columns, "height")
	seen := map[string]bool{}
	for _, one := range constraints {
		one.Criterion, one.Relaxation, one.Threshold, one.Tau = fairness.MeanDifference, "", 0, 1
		if !seen[one.Name] {
			c.Constraints = append(c.Constraints, one)
		}
		seen[one.Name] = true
	}
	return c
}

// everyConfiguration is modes × encodings × constraints, for both tasks.
func everyConfiguration() map[string]model.Config {
	configs := map[string]model.Config{}
	for _, mode := range allModes {
		for _, encoding := range []features.Encoding{features.Bins, features.PiecewiseLinear, features.Standardized} {
			for name, constraints := range constraintSets() {
				configs[fmt.Sprintf("%s/%s/%s", mode, encoding, name)] = peopleConfig(mode, encoding, constraints...)
				if mode != model.Paper {
					configs[fmt.Sprintf("regression/%s/%s/%s", mode, encoding, name)] = regressionConfig(mode, encoding, constraints...)
				}
			}
		}
	}
	configs["adaptive/bins/kinds"] = peopleConfig(model.Adaptive, features.Bins, kinds()...)
	configs["unconstrained/bins/kinds"] = peopleConfig(model.Unconstrained, features.Bins, kinds()...)
	configs["adaptive/bins/plain"] = peopleConfig(model.Adaptive, features.Bins, plain()...)
	return configs
}

// splitAdult splits the bundled records as the first command does.
func splitAdult(tb testing.TB) (learnt, heldOut []record.Record) {
	tb.Helper()
	for i, r := range adultRecords(tb) {
		if adult.IsHeldOut(i) {
			heldOut = append(heldOut, r)
		} else {
			learnt = append(learnt, r)
		}
	}
	return learnt, heldOut
}

// configOf returns the configuration of a document.
func configOf(tb testing.TB, d *document.Document) (c model.Config) {
	tb.Helper()
	whole, err := json.Marshal(d.Config)
	if err == nil {
		err = json.Unmarshal(whole, &c)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return c
}
