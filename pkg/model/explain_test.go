package model_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// reading finds the terms that apply to a record by their words alone.
type reading struct {
	t       *testing.T
	columns map[string][]document.Term
}

func newReading(t *testing.T, d *document.Document) *reading {
	t.Helper()
	terms, err := d.Explain()
	if err != nil {
		t.Fatal(err)
	}
	r := &reading{t: t, columns: map[string][]document.Term{}}
	for _, term := range terms {
		r.columns[term.Column] = append(r.columns[term.Column], term)
	}
	return r
}

// margin adds up the terms of a record.
func (r *reading) margin(texts map[string]string) float64 {
	margin := r.columns["(intercept)"][0].Weight
	for column, text := range texts {
		margin += r.column(r.columns[column], text)
	}
	return margin
}

func (r *reading) column(terms []document.Term, text string) float64 {
	if text == "?" || text == "" {
		return r.sum(terms, func(term document.Term) bool { return term.Kind == document.MissingTerm })
	}
	level := r.sum(terms, func(term document.Term) bool { return term.Kind == document.LevelTerm && term.Level == text })
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return level
	}
	switch terms[0].Kind {
	case document.KnotTerm:
		return interpolate(terms, x)
	case document.SlopeTerm:
		level += terms[0].Weight * slope(terms[0].Level, x)
	}
	return level + r.sum(terms, func(term document.Term) bool { return term.Kind == document.BinTerm && within(r.t, x, term.Level) })
}

// slope reads "per SCALE above MEAN", and perhaps ", from LOW to HIGH".
func slope(words string, x float64) float64 {
	var scale, mean, low, high float64
	if n, _ := fmt.Sscanf(words, "per %g above %g, from %g to %g", &scale, &mean, &low, &high); n == 4 {
		return (math.Min(high, math.Max(low, x)) - mean) / scale
	}
	return math.Min(5, math.Max(-5, (x-mean)/scale))
}

func (r *reading) sum(terms []document.Term, applies func(document.Term) bool) (sum float64) {
	for _, term := range terms {
		if applies(term) {
			sum += term.Weight
		}
	}
	return sum
}

// within reads an interval as a person would.
func within(t *testing.T, x float64, words string) bool {
	t.Helper()
	parse := func(text string) float64 {
		v, err := strconv.ParseFloat(strings.Trim(text, "[()<>= "), 64)
		if err != nil {
			t.Fatalf("%q is no interval", words)
		}
		return v
	}
	switch lower, upper, both := strings.Cut(words, ", "); {
	case words == "any number":
		return true
	case both && words[0] == '[':
		return x >= parse(lower) && x < parse(upper)
	case both:
		return x > parse(lower) && x < parse(upper)
	case strings.HasPrefix(words, ">= "):
		return x >= parse(words)
	case words[0] == '>':
		return x > parse(words)
	case words[0] == '<':
		return x < parse(words)
	default:
		return x == parse(words)
	}
}

func interpolate(terms []document.Term, x float64) float64 {
	var at, weight []float64
	for _, term := range terms {
		if term.Kind == document.KnotTerm {
			v, _ := strconv.ParseFloat(strings.TrimPrefix(term.Level, "at "), 64)
			at, weight = append(at, v), append(weight, term.Weight)
		}
	}
	if x <= at[0] {
		return weight[0]
	}
	for i := range at[1:] {
		if x <= at[i+1] {
			share := (x - at[i]) / (at[i+1] - at[i])
			return weight[i]*(1-share) + weight[i+1]*share
		}
	}
	return weight[len(weight)-1]
}

// The terms that the words of Explain pick for a record add up to its margin.
func TestExplanationsAddUp(t *testing.T) {
	for _, encoding := range []features.Encoding{features.Bins, features.PiecewiseLinear, features.Standardized} {
		config := peopleConfig(model.Adaptive, encoding, constraint("sex", fairness.DemographicParity, surrogate.Approximation1, "sex", "m", "f"))
		config.Learner.Crosses = nil
		config.Learner.Vocabulary = features.VocabularyConfig{Levels: 5000, Buckets: 1, Columns: 100}
		records := readRecords(t, config, peopleText(51, 2000))
		d := documentOf(t, learn(t, config, records))
		r, scored := newReading(t, d), margins(t, d, records)
		for i := range records {
			// The mean and the scale of a standardized column are given to six digits.
			if got := r.margin(texts(&records[i])); math.Abs(got-scored[i]) > 1e-4 {
				t.Fatalf("%s: record %d: the terms add up to %v, the margin is %v", encoding, i, got, scored[i])
			}
		}
	}
}

func TestExplainAdult(t *testing.T) {
	config := adultConfig(model.Adaptive)
	config.Learner.Crosses = [][]string{{"relationship", "hours_per_week"}}
	d := documentOf(t, learn(t, config, adultRecords(t)))
	terms, err := d.Explain()
	if err != nil {
		t.Fatal(err)
	}
	r := newReading(t, d)
	rich, none := r.column(r.columns["capital_gain"], "15024"), r.column(r.columns["capital_gain"], "0")
	schooling := func(name, years string) float64 {
		return r.column(r.columns["education"], name) + r.column(r.columns["education_num"], years)
	}
	if doctor, school := schooling("Doctorate", "16"), schooling("Preschool", "1"); rich < none+1 || doctor < school+.3 {
		t.Errorf("a large capital gain adds %v and none %v, a doctorate %v and preschool %v", rich, none, doctor, school)
	}
	for _, expected := range [][2]string{{"(intercept)", ""}, {"capital_gain", "= 0"}, {"capital_gain", "15024"}, {"workclass", "(missing)"},
		{"marital_status", "Never-married"}, {"relationship & hours_per_week", "Husband & < 18"}} {
		if !slices.ContainsFunc(terms, func(term document.Term) bool { return term.Column == expected[0] && term.Level == expected[1] }) {
			t.Errorf("there is no term for %q", expected)
		}
	}
	if !slices.IsSortedFunc(terms, func(a, b document.Term) int { return strings.Compare(a.Column, b.Column) }) {
		t.Error("terms are not sorted by column")
	}
	// Bins come in ascending order, and cover every age once.
	for age := 17.0; age <= 90; age += .5 {
		covered := 0
		for _, term := range terms {
			if term.Column == "age" && term.Kind == document.BinTerm && within(t, age, term.Level) {
				covered++
			}
		}
		if covered != 1 {
			t.Errorf("%v lies in %d bins", age, covered)
		}
	}
}
