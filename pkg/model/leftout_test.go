package model_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// loansText draws loans with columns that are no features: an identifier, a time and sentences.
func loansText(records int) string {
	random := rand.New(rand.NewPCG(5, 6))
	words := strings.Fields("car house new old repair the a for my garden school debt kitchen roof bath")
	var text strings.Builder
	for i := range records {
		sentence := "to pay"
		for range 5 {
			sentence += " " + words[random.IntN(len(words))]
		}
		fmt.Fprintf(&text, `{"id":"%08x-%d","when":"2026-%02d-%02dT%02d:%02d:00Z","purpose":"%s","town":"t%d","age":%d,"repaid":%v}`+"\n",
			random.Uint32(), i, 1+random.IntN(12), 1+random.IntN(28), random.IntN(24), random.IntN(60), sentence, random.IntN(40), 18+random.IntN(50), random.IntN(3) > 0)
	}
	return text.String()
}

func loansConfig(change func(*model.Config)) model.Config {
	c := model.Config{Record: record.Config{Label: record.Label{Field: "repaid", Positive: "true"}}, Learner: model.DefaultLearner()}
	change(&c)
	return c
}

// TestColumnsAreLeftOut: what is no feature beyond doubt is none, unless the configuration asks for it; nothing else
// changes, and a restored learner leaves the same out.
func TestColumnsAreLeftOut(t *testing.T) {
	text := loansText(2000)
	none := func(*model.Config) {}
	for name, test := range map[string]struct {
		change func(*model.Config)
		left   []string
	}{
		"nothing asked for": {none, []string{"id", "when", "purpose"}},
		"listed by name":    {func(c *model.Config) { c.Record.Features = []string{"*", "purpose"} }, []string{"id", "when"}},
		"declared": {func(c *model.Config) {
			c.Learner.Columns = map[string]features.ColumnConfig{"id": {Type: features.Categorical}}
		}, []string{"when", "purpose"}},
		"crossed":             {func(c *model.Config) { c.Learner.Crosses = [][]string{{"when", "town"}} }, []string{"id", "purpose"}},
		"too few to be known": {func(c *model.Config) { c.Learner.Warmup = 50 }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			config := loansConfig(test.change)
			records := decode(t, config, record.JSONLines, text)
			learner := learn(t, config, records[:1500])
			learner = restore(t, config, learner.AppendState(nil))
			for i := range records[1500:] {
				learner.Learn(&records[1500+i])
			}
			columns, err := documentOf(t, learner).Columns()
			if err != nil {
				t.Fatal(err)
			}
			for _, column := range []string{"id", "when", "purpose", "town", "age"} {
				if left := slices.Contains(test.left, column); left == slices.Contains(columns, column) {
					t.Errorf("%s: left out %v, but the columns are %q", column, left, columns)
				}
			}
			conditions := learner.Measurements().Conditions
			i := slices.IndexFunc(conditions, func(c document.Condition) bool { return c.Code == document.ColumnsLeftOut })
			if (i >= 0) != (len(test.left) > 0) {
				t.Fatalf("%+v", conditions)
			}
			for _, column := range test.left {
				if detail := conditions[i].Detail; !strings.Contains(detail, fmt.Sprintf("%q", column)) || !strings.Contains(detail, "record.ignore") {
					t.Errorf("%q is not named: %s", column, detail)
				}
			}
			ignoring := loansConfig(func(c *model.Config) { test.change(c); c.Record.Ignore = test.left })
			if ignored := learn(t, ignoring, decode(t, ignoring, record.JSONLines, text)); ignored.Weights() != learner.Weights() ||
				documentOf(t, ignored).WeightsSHA256 != documentOf(t, learner).WeightsSHA256 {
				t.Error("other weights than with the columns under record.ignore")
			}
		})
	}
}

// TestTimesAreScoredAsLearnt: the numbers that record.times makes of a time are columns, and a document's own scorer gives
// the learner's margins.
func TestTimesAreScoredAsLearnt(t *testing.T) {
	config := loansConfig(func(c *model.Config) {
		c.Record.Time.Field = "when"
		c.Record.Times = []record.Times{{Field: "when", Parts: []record.TimePart{record.Hour, record.Weekday, record.Month}}}
	})
	records := decode(t, config, record.JSONLines, loansText(1500))
	learner := learn(t, config, records)
	doc, err := document.Parse(encoded(t, documentOf(t, learner)))
	if err != nil {
		t.Fatal(err)
	}
	columns, err := doc.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for _, column := range []string{"when.hour", "when.weekday", "when.month"} {
		if !slices.Contains(columns, column) {
			t.Errorf("%s is not among the columns %q", column, columns)
		}
	}
	schema, err := doc.Schema()
	if err != nil {
		t.Fatal(err)
	}
	scorer, err := doc.Scorer()
	if err != nil {
		t.Fatal(err)
	}
	decoder := schema.NewDecoder()
	var rec record.Record
	for i, line := range strings.Split(strings.TrimSpace(loansText(1500)), "\n") {
		if err := decoder.DecodeJSON(&rec, []byte(line)); err != nil {
			t.Fatal(err)
		}
		if got, want := scorer.Margin(&rec), learner.Margin(&records[i]); got != want {
			t.Fatalf("record %d: margin %v, want %v", i, got, want)
		}
	}
}

func encoded(t *testing.T, doc *document.Document) []byte {
	t.Helper()
	text, err := doc.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestAFullVocabularyIsReported: the column that has most of the values is named.
func TestAFullVocabularyIsReported(t *testing.T) {
	for levels, full := range map[int]bool{20: true, 4096: false} {
		config := loansConfig(func(c *model.Config) { c.Learner.Vocabulary.Levels = levels })
		conditions := learn(t, config, decode(t, config, record.JSONLines, loansText(1200))).Measurements().Conditions
		i := slices.IndexFunc(conditions, func(c document.Condition) bool { return c.Code == document.VocabularyFull })
		if (i >= 0) != full || full && !strings.Contains(conditions[i].Detail, `"town" has 20 of its 20 values`) {
			t.Errorf("%d levels: %+v", levels, conditions)
		}
	}
}

// TestOrderOfFieldsBeforeTheStart: the order of fields is irrelevant to what is held back, and to what is left out.
func TestOrderOfFieldsBeforeTheStart(t *testing.T) {
	config := loansConfig(func(*model.Config) {})
	random := rand.New(rand.NewPCG(3, 3))
	ordered, shuffled := newLearner(t, config), newLearner(t, config)
	for i, r := range decode(t, config, record.JSONLines, loansText(1000)) {
		ordered.Learn(&r)
		r.Layout = 0
		random.Shuffle(len(r.Features), func(a, b int) { r.Features[a], r.Features[b] = r.Features[b], r.Features[a] })
		shuffled.Learn(&r)
		if (i == 100 || i == 999) && !bytes.Equal(ordered.AppendState(nil), shuffled.AppendState(nil)) {
			t.Errorf("after %d records the states differ", i+1)
		}
	}
	if !slices.ContainsFunc(ordered.Measurements().Conditions, func(c document.Condition) bool { return c.Code == document.ColumnsLeftOut }) {
		t.Error("no column is left out: the test looks at nothing")
	}
}
