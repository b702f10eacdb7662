package model_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// applicant is a record that a test may alter before it is learnt.
type applicant struct {
	man, positive, nameless bool // nameless: without the attribute
	signal, merit           float64
	town                    string // absent if empty
}

// applicants are records of two groups with different base rates.
func applicants(seed uint64, count int, share float64, alter func(i int, random *rand.Rand, a *applicant)) string {
	random := rand.New(rand.NewPCG(seed, 12))
	var text strings.Builder
	for i := range count {
		a := applicant{man: random.Float64() < share}
		lead := -.5
		if a.man {
			lead = .5
		}
		a.signal, a.merit = random.NormFloat64()+lead, random.NormFloat64()
		a.positive = .6*a.signal+a.merit+.6*random.NormFloat64() > 0
		if alter != nil {
			alter(i, random, &a)
		}
		sex, label := `"f"`, 0
		if a.man {
			sex = `"m"`
		}
		if a.nameless {
			sex = "null"
		}
		if a.positive {
			label = 1
		}
		town := ""
		if a.town != "" {
			town = fmt.Sprintf(`"town":%q,`, a.town)
		}
		fmt.Fprintf(&text, `{"y":%d,"sex":%s,%s"signal":%.2f,"merit":%.2f,"code":%d}`+"\n", label, sex, town, a.signal, a.merit, random.IntN(9))
	}
	return text.String()
}

func applicantsConfig(tau float64) model.Config {
	return model.Config{Record: record.Config{Label: record.Label{Field: "y", Positive: "1"}}, Learner: model.DefaultLearner(),
		Constraints: []model.Constraint{{Name: "sex", Attribute: model.OneOrMore{"sex"}, Group: model.Values("m"), Versus: model.Values("f"), Tau: tau}}}
}

// codes are the codes of the conditions.
func codes(m document.Measurements) (codes []document.ConditionCode) {
	for _, c := range m.Conditions {
		codes = append(codes, c.Code)
	}
	return codes
}

// TestConditionsNameTheirCause: each stream has the conditions of its cause and no other.
func TestConditionsNameTheirCause(t *testing.T) {
	t.Parallel()
	regression := applicantsConfig(.3)
	regression.Record.Label = record.Label{Field: "signal"}
	regression.Learner.Task = model.Regression
	watched := applicantsConfig(.02)
	watched.Constraints[0].Enforce = new(bool)
	biased := func(_ int, random *rand.Rand, a *applicant) {
		a.nameless = a.man && a.signal > 1 && random.Float64() < .6
	}
	for _, test := range []struct {
		name    string
		config  model.Config
		records int
		share   float64
		alter   func(i int, random *rand.Rand, a *applicant)
		want    []document.ConditionCode
		detail  string
	}{
		{"steady", applicantsConfig(.1), 12_000, .4, nil, nil, ""},
		{"missing at random", applicantsConfig(.1), 12_000, .4, func(_ int, random *rand.Rand, a *applicant) { a.nameless = random.Float64() < .3 }, nil, ""},
		{"missing with a bias", applicantsConfig(.1), 12_000, .4, biased, []document.ConditionCode{document.MissingWithBias}, "lack the attribute sex"},
		{"missing with a bias, regression", regression, 12_000, .4, biased, []document.ConditionCode{document.MissingWithBias}, "mean prediction"},
		{"the attribute goes away", applicantsConfig(.1), 20_000, .4, func(i int, _ *rand.Rand, a *applicant) { a.nameless = i > 10_000 },
			[]document.ConditionCode{document.MostlyMissing, document.FieldsMoved}, "lack the attribute sex"},
		{"sorted by label", applicantsConfig(.1), 20_000, .4, func(i int, _ *rand.Rand, a *applicant) { a.positive = i < 10_000 },
			[]document.ConditionCode{document.OneLabelRecently, document.Collapsed}, "sorted by label"},
		{"one side goes away", applicantsConfig(.1), 20_000, .4, func(i int, _ *rand.Rand, a *applicant) { a.man = a.man && i < 14_000 },
			[]document.ConditionCode{document.OneSideAway, document.FieldsMoved}, "no record of m is among the last"},
		{"a difference that moves", applicantsConfig(.1), 12_500, .4, func(i int, _ *rand.Rand, a *applicant) {
			if a.man && i >= 12_000 {
				a.merit++
			}
		}, []document.ConditionCode{document.Unsteady}, "it is +0."},
		{"the first run of sorted records", applicantsConfig(.1), 12_000, .4, func(_ int, _ *rand.Rand, a *applicant) { a.town = "here" },
			[]document.ConditionCode{document.OneValue}, `"town" has the same value in all records so far`},
		{"few records of one value", applicantsConfig(.1), 6_000, .4, func(_ int, _ *rand.Rand, a *applicant) { a.town = "here" }, nil, ""},
		{"a flag that most records lack", applicantsConfig(.1), 12_000, .4, func(i int, _ *rand.Rand, a *applicant) {
			if i%3 == 0 {
				a.town = "here"
			}
		}, nil, ""},
		{"sorted by merit, which changes no label", applicantsConfig(.1), 16_000, .4, func(i int, _ *rand.Rand, a *applicant) { a.merit = float64(i/2000) + 1 },
			[]document.ConditionCode{document.FieldsMoved}, `"merit" has other values in the newest 2,000 records`},
		{"a bound that costs much begins late", applicantsConfig(.1), 44_000, .5, func(i int, random *rand.Rand, a *applicant) {
			if a.signal, a.nameless = 3*a.signal, i < 38_000; random.Float64() < .8 {
				a.positive = a.man
			}
		}, []document.ConditionCode{document.PriceJumped, document.FieldsMoved}, "keeping the constraints cost 0.1"},
		{"a group of 1 in 200", applicantsConfig(.05), 12_000, .005, nil,
			[]document.ConditionCode{document.Imprecise, document.BelowSamplingError, document.BelowSmoothing}, "% of the records, less than 1 %"},
		{"measured only, tau below the half-width", watched, 3000, .4, nil, []document.ConditionCode{document.Imprecise}, "beyond the bound of 0.02"},
	} {
		m := learn(t, test.config, decode(t, test.config, record.JSONLines, applicants(1, test.records, test.share, test.alter))).Measurements()
		if got := codes(m); fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%s: conditions are %v, want %v", test.name, m.Conditions, test.want)
		}
		if all := fmt.Sprint(m.Conditions); !strings.Contains(all, test.detail) {
			t.Errorf("%s: %s does not say %q", test.name, all, test.detail)
		}
	}
}

// TestMissingAttributesAreCompared: the row of a document, its numbers and that a restored learner has the same.
func TestMissingAttributesAreCompared(t *testing.T) {
	t.Parallel()
	config := applicantsConfig(.1)
	text := applicants(2, 5000, .5, func(i int, _ *rand.Rand, a *applicant) {
		a.nameless = i%5 == 0
		a.positive = a.positive || a.nameless
	})
	records := decode(t, config, record.JSONLines, text)
	half := learn(t, config, records[:2500])
	l := restore(t, config, half.AppendState(nil))
	for i := range records[2500:] {
		l.Learn(&records[2500+i])
	}
	whole := learn(t, config, records).Measurements()
	m := l.Measurements()
	if fmt.Sprint(m.Missing) != fmt.Sprint(whole.Missing) {
		t.Errorf("restored: %v, otherwise %v", m.Missing, whole.Missing)
	}
	if len(m.Missing) != 1 {
		t.Fatalf("%d rows", len(m.Missing))
	}
	row := m.Missing[0]
	if row.Attribute != "sex" || row.Records != 1000 || row.Share != .2 || row.Labels.Missing.Value != 1 || row.Labels.Known.Records != 4000 ||
		!(row.Labels.Known.Value > .4 && row.Labels.Known.Value < .6) || !(row.Decisions.Missing.Lo < row.Decisions.Missing.Value) {
		t.Errorf("%+v", row)
	}
}

// TestCopiesAreTold: records of which each comes twice, or a tenth of them, one after the other, of a task and of the other. A restored learner goes on to tell.
func TestCopiesAreTold(t *testing.T) {
	t.Parallel()
	regression := applicantsConfig(.3)
	regression.Record.Label = record.Label{Field: "signal"}
	regression.Learner.Task = model.Regression
	for _, config := range []model.Config{applicantsConfig(.1), regression} {
		for every, want := range map[int]string{1: "50 % of the recent records have the same fields and groups", 9: "0 % of the recent records", 100: ""} {
			var text strings.Builder
			for i, line := range strings.SplitAfter(applicants(2, 12_000, .4, nil), "\n") {
				text.WriteString(line)
				if i%every == 0 {
					text.WriteString(line)
				}
			}
			records := decode(t, config, record.JSONLines, text.String())
			l := learn(t, config, records[:8000])
			l, err := model.Restore(config, l.AppendState(nil))
			if err != nil {
				t.Fatal(err)
			}
			for i := range records[8000:] {
				l.Learn(&records[8000+i])
			}
			m := l.Measurements()
			if got := fmt.Sprint(m.Conditions); strings.Contains(got, "repeated_records") != (want != "") || !strings.Contains(got, want) {
				t.Errorf("task %s, one of %d twice: %s, want %q", config.Learner.Task, every, got, want)
			}
		}
	}
}
