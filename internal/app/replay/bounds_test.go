package replay

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/findings"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// TestHowManyAreAllowed: orders, folds and learners, at the most of each.
func TestHowManyAreAllowed(t *testing.T) {
	for _, c := range []struct {
		number int
		want   bool
	}{{1, false}, {2, true}, {mostOrders, true}, {mostOrders + 1, false}} {
		s := Settings{Folds: 5, Orders: orders{Number: c.number}}
		if err := s.checkOrders(true); (err == nil) != c.want {
			t.Errorf("%d orders: %v", c.number, err)
		}
	}
	for _, c := range []struct {
		folds, taus int
		want        bool
	}{{1, 1, false}, {2, 0, true}, {mostFolds, 1, true}, {mostFolds + 1, 1, false}, {50, 2, true}, {34, 3, false}} {
		s := Settings{Folds: c.folds, taus: make([]float64, c.taus), Inputs: []string{input.Bundled}}
		if err := s.checkFolds(); (err == nil) != c.want {
			t.Errorf("%d folds of %d: %v", c.folds, c.taus, err)
		}
	}
	var s Settings
	if err := s.parseTaus([]string{fmt.Sprint(math.MaxFloat64), " 0.5 "}, true); err != nil || !slices.Equal(s.taus, []float64{math.MaxFloat64, .5}) {
		t.Errorf("%v, %v", s.taus, err)
	}
	for _, text := range []string{"0", "-1", "1e309", "Inf", "NaN", "x"} {
		if err := new(Settings).parseTaus([]string{text}, true); err == nil || !strings.Contains(err.Error(), "--tau "+text+": give numbers above 0") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestSeedsOfOrders: one of --shuffle, or as many as --orders asks for, from the seed of --shuffle on.
func TestSeedsOfOrders(t *testing.T) {
	for _, c := range []struct {
		of    orders
		seeds []uint64
		words string
	}{
		{orders{}, nil, ""}, {orders{Seed: 9}, nil, ""}, {orders{Seed: 9, seeded: true}, []uint64{9}, " in random order (seed 9)"}, {orders{Number: 3}, []uint64{1, 2, 3}, " in 3 random orders (seeds 1 to 3)"},
		{orders{Seed: 4, seeded: true, Number: 2}, []uint64{4, 5}, " in 2 random orders (seeds 4 to 5)"},
	} {
		if got := c.of.seeds(); !slices.Equal(got, c.seeds) || c.of.words() != c.words {
			t.Errorf("%+v: %v%s", c.of, got, c.of.words())
		}
	}
}

// TestWhatTheCommandLineAdjusts: the tau of enforced constraints that have none, and their relaxation.
func TestWhatTheCommandLineAdjusts(t *testing.T) {
	no := false
	c := config.Config{Constraints: []model.Constraint{{Name: "a"}, {Name: "b", Tau: .3}, {Name: "c", Enforce: &no}}}
	before := slices.Clone(c.Constraints)
	adjusted := c
	(&Settings{taus: []float64{.1, .2}, relaxations: []surrogate.Name{"sigmoid"}}).Adjust(&adjusted)
	for i, want := range []model.Constraint{{Name: "a", Tau: .1, Relaxation: "sigmoid"}, {Name: "b", Tau: .3, Relaxation: "sigmoid"}, {Name: "c", Enforce: &no}} {
		if got := adjusted.Constraints[i]; got.Tau != want.Tau || got.Relaxation != want.Relaxation || c.Constraints[i].Tau != before[i].Tau || c.Constraints[i].Relaxation != before[i].Relaxation {
			t.Errorf("%+v, want %+v; before %+v", got, want, c.Constraints[i])
		}
	}
	unchanged := c
	new(Settings).Adjust(&unchanged)
	if unchanged.Constraints[0].Tau != 0 || unchanged.Constraints[0].Relaxation != "" {
		t.Errorf("%+v", unchanged.Constraints[0])
	}
	r := Replay{Settings: Settings{config: config.Config{Constraints: []model.Constraint{{Enforce: &no, Tau: 9}, {Tau: 3}}}}}
	r.config.Learner.Task = model.Regression
	other := 5.
	if got, given := r.otherTaus(nil), r.otherTaus(&other); got != "1.5,3,6" || given != "2.5,5,10" || r.configuredTau() != "3" || r.nameOf(&other, "") == "3" {
		t.Errorf("%s and %s beside %s", got, given, r.configuredTau())
	}
	if r.config.Constraints = r.config.Constraints[:1]; r.otherTaus(nil) != "0.02,0.05,0.10" || r.configuredTau() != "" {
		t.Error("of a constraint that is measured alone")
	}
}

// TestWarningsAboutHoldoutsAtTheirBounds: two hundred labels that are all alike, and three times as many records as were learnt.
func TestWarningsAboutHoldoutsAtTheirBounds(t *testing.T) {
	said := func(do func(r *Replay)) string {
		var notes bytes.Buffer
		r := &Replay{Streams: &program.Streams{Err: &notes}, test: input.Source{Name: "t.csv"}, train: input.Source{Name: "a.csv"}}
		r.config = config.Default()
		do(r)
		return notes.String()
	}
	for _, c := range []struct {
		records          int64
		differ, positive bool
		want             string
	}{
		{leastAlike, false, false, "Warning: record.label.positive: no record of t.csv is positive: "}, {leastAlike, false, true, "Warning: record.label.positive: every record of t.csv is positive: "},
		{leastAlike - 1, false, true, ""}, {leastAlike, true, true, ""},
	} {
		seen := labels{any: true, differ: c.differ}
		seen.first.Positive = c.positive
		if got := said(func(r *Replay) { r.warnHoldout(nil, &seen, c.records) }); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%+v: %s", c, got)
		}
	}
	for _, c := range []struct {
		learnt, records int64
		holdouts        int
		want            bool
	}{{100, 300, 1, true}, {100, 299, 1, false}, {66, 200, 1, true}, {66, 199, 1, false}, {0, 300, 1, false}, {100, 300, 2, false}} {
		got := said(func(r *Replay) { r.records = c.learnt; r.warnSwapped(make([]*holdout, c.holdouts), c.records) })
		if (got != "") != c.want || c.want && !strings.Contains(got, fmt.Sprintf("t.csv has %d records, and only %d were learnt from a.csv: were --input and --holdout swapped?", c.records, c.learnt)) {
			t.Errorf("%+v: %s", c, got)
		}
	}
	if got := said(func(r *Replay) {
		r.shared, r.Holdout, r.records = true, "0.9", 100
		r.warnSwapped(make([]*holdout, 1), 900)
	}); !strings.HasPrefix(got, "Warning: --holdout 0.9: that share is held out, 900 records, and only 100 were learnt") {
		t.Error(got)
	}
}

// TestWorthOfModePaper: weights are useless whose accuracy is surely below that of a constant decision.
func TestWorthOfModePaper(t *testing.T) {
	for _, c := range []struct {
		hi, constant float64
		mode         model.Mode
		want         bool
	}{{.7, .75, model.Paper, true}, {.75, .75, model.Paper, false}, {.7, .75, model.Adaptive, false}} {
		result := madeUpResult()
		result.Prequential.Measures.Accuracy = fairness.Measure{Value: .6, Hi: c.hi, Records: 1}
		result.Prequential.Measures.ConstantAccuracy = fairness.Measure{Value: c.constant}
		r := Replay{Settings: Settings{config: config.Default()}}
		r.config.Learner.Mode = c.mode
		if err := r.worth([]*findings.Result{result}); (err != nil) != c.want || err != nil && !strings.Contains(err.Error(), "accuracy 0.600 (at most 0.700) of 1 record, where the constant decision has 0.750.") {
			t.Errorf("%+v: %v", c, err)
		}
	}
	r := Replay{oneLabel: true, train: input.Source{Name: "a.csv"}}
	if err := r.worth(nil); err == nil || !strings.Contains(err.Error(), "what was learnt from a.csv is useless: every label is the same") {
		t.Errorf("%v", err)
	}
	for reason, want := range map[record.Reason]string{"": "a.csv holds no records", record.BadLabel: "nothing was learnt: every record of a.csv was rejected"} {
		if r.rejected = (input.Rejections{}); reason != "" {
			r.rejected.Add(&record.Rejection{Reason: reason})
		}
		if err := r.nothingLearnt(&input.Pass{Source: r.train}); err.Error() != want {
			t.Errorf("%s: %v", reason, err)
		}
	}
}

// TestWhatChanceMakesOfHoldouts is said of those that are less than half as large as the margin is for.
func TestWhatChanceMakesOfHoldouts(t *testing.T) {
	const words = ": chance alone moves the difference of so few records by "
	said := func(records int64, enforced bool, criterion fairness.Criterion, errors ...float64) string {
		r := Replay{Settings: Settings{config: config.Default(), Folds: 2}}
		r.config.Learner.HoldoutRecords = 1000
		var results []*folded
		for _, e := range errors {
			f := &folded{Records: records}
			of := constraintSummary{spread: spread{Name: "sex"}, Enforced: enforced, Criterion: criterion}
			if e > 0 {
				of.StandardError = &e
			}
			f.Summary.Constraints = []constraintSummary{of}
			results = append(results, f)
		}
		var out strings.Builder
		r.writeChance(&out, results)
		return strings.Join(strings.Fields(out.String()), " ")
	}
	const parity = fairness.DemographicParity
	for name, c := range map[string]struct{ got, want string }{
		"less than half":        {said(999, true, parity, .02), "sex" + words + "0.020 (its standard error); the margin below tau is for 1,000 (learner.holdout_records)."},
		"half":                  {said(1000, true, parity, .02), ""},
		"measured alone":        {said(999, false, parity, .02), ""},
		"not known":             {said(999, true, parity, 0, 0), ""},
		"from the least on":     {said(999, true, parity, .03, 0, .02), "sex" + words + "0.020 to 0.030 (its standard error); the margin below tau is for 1,000 (learner.holdout_records)."},
		"in units of the label": {said(999, true, fairness.MeanDifference, 25), "sex" + words + "25 (its standard error); the margin below tau is for 1,000 (learner.holdout_records)."},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", name, c.got, c.want)
		}
	}
	f := &folded{Orders: make([]order, 2)}
	f.Summary.Constraints = []constraintSummary{{spread: spread{Name: "pay"}, Criterion: fairness.MeanDifference}, {spread: spread{Name: "ratio"}, Criterion: fairness.ImpactRatio}}
	for i := range f.Orders {
		mean, ratio := float64(100+10*i), .5+.1*float64(i)
		f.Orders[i].Summary.Constraints = []constraintSummary{{spread: spread{Mean: &mean}}, {spread: spread{Mean: &ratio}}}
	}
	var out strings.Builder
	f.writeOrders(&out)
	if got, want := strings.Join(strings.Fields(out.String()), " "), "pay: the means of the 2 orders are +105 ± 7 (mean ± standard deviation between orders). ratio: the means of the 2 orders are 0.550 ± 0.071 (mean ± standard deviation between orders)."; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// TestWholeOfFolds: --save beside --folds keeps what all records have taught, in the first order.
func TestWholeOfFolds(t *testing.T) {
	inDirectory(t, map[string]string{"a.csv": madeRecords(300)})
	for _, c := range []struct {
		of    orders
		given map[string]bool
		input string
	}{
		{orders{}, map[string]bool{"folds": true}, "a.csv"},
		{orders{Seed: 4, Number: 2}, map[string]bool{"folds": true, "orders": true, "shuffle": true}, "a.csv in random order (seed 4)"},
	} {
		got := replayed(t, Settings{Inputs: []string{"a.csv"}, Folds: 2, Save: "w.json", Orders: c.of}, c.given, oneConstraint, nil, nil, nil)
		text, err := os.ReadFile("w.json")
		if err != nil {
			t.Fatalf("%v: %s", err, got)
		}
		d, err := document.Parse(text)
		if err != nil || d.Records != 297 || d.Rejected != 3 || d.Lineage.Input != c.input || d.Lineage.Program != program.Version() {
			t.Errorf("%d records, %d rejected, %+v, %v", d.Records, d.Rejected, d.Lineage, err)
		}
		if err := os.Remove("w.json"); err != nil {
			t.Fatal(err)
		}
	}
	r := New(&program.Streams{Err: io.Discard}, Settings{Inputs: []string{"a.csv"}, Folds: 2})
	c := config.Default()
	c.Record.Label = record.Label{Field: "paid", Positive: "1"}
	if err := errors.Join(r.CheckArguments(nil, nil, func(flag string) bool { return flag == "folds" }), r.Configure(c, nil)); err != nil {
		t.Fatal(err)
	}
	open, opened := r.train.Open, 0
	r.train.Open = func(as record.Config) (input.Rows, error) {
		if opened++; opened == 3 { // the warnings about columns are of a second reading
			if err := os.WriteFile("a.csv", []byte(madeRecords(200)), 0o600); err != nil {
				t.Error(err)
			}
		}
		return open(as)
	}
	if _, err := r.foldResults(t.Context()); err == nil || err.Error() != "a.csv changed between the two passes over it: 297 good records, then 198" {
		t.Errorf("%v after %d passes", err, opened)
	}
	for _, name := range []string{"none.csv", "."} {
		if sum := sumOf(name); sum != "" {
			t.Errorf("%s has the sum %s", name, sum)
		}
	}
	if sum := sumOf("a.csv"); len(sum) != 64 {
		t.Errorf("the sum is %q", sum)
	}
}

// TestVariants: what the command line gave for each of the configurations that are learnt side by side.
func TestVariants(t *testing.T) {
	for _, c := range []struct {
		of         Settings
		at, n      int
		tau        float64 // 0: none
		relaxation surrogate.Name
	}{
		{Settings{}, 0, 1, 0, ""}, {Settings{taus: []float64{.1, .2}}, 1, 2, .2, ""}, {Settings{relaxations: []surrogate.Name{"a", "b"}}, 1, 2, 0, "b"}, {Settings{relaxations: []surrogate.Name{"a", "b"}, taus: []float64{.3}}, 1, 2, .3, "b"},
	} {
		tau, relaxation := c.of.variant(c.at)
		if c.of.variants() != c.n || relaxation != c.relaxation || (tau != nil) != (c.tau > 0) || tau != nil && *tau != c.tau {
			t.Errorf("%+v: %v and %s", c, tau, relaxation)
		}
	}
	var l labels
	for _, r := range []record.Record{{}, {HasLabel: true, Label: 2}, {HasLabel: true, Label: 2}, {}} {
		if l.add(&r); l.differ {
			t.Errorf("labels differ: %+v", l)
		}
	}
	if l.without != 2 || !l.any || l.first.Number != 2 || l.first.Positive || l.order.Known != 2 {
		t.Errorf("%+v", l)
	}
	other := l
	if other.add(&record.Record{HasLabel: true, Label: 3}); !other.differ {
		t.Error("other numbers do not differ")
	}
	if l.add(&record.Record{HasLabel: true, Label: 2, Positive: true}); !l.differ {
		t.Error("other classes do not differ")
	}
	if (firstRecords{}).valuesOf("a") != "" || (firstRecords{}).columnFindings() != nil || new(Replay).older(firstRecords{}) != "" {
		t.Error("of records that are not known something is said")
	}
}

// TestFilesThatBeginLater: the times of twenty records of each file are compared, and one that begins as the other ends is in order.
func TestFilesThatBeginLater(t *testing.T) {
	of := func(n, from int, more string) string {
		text := "x,at,birth\n"
		for i := range n {
			text += fmt.Sprintf("%d,2024-03-%02dT00:00:00Z,19%02d-01-01\n", i, from+i/10, 99-i)
		}
		return text + more
	}
	for name, c := range map[string]struct {
		first, second string
		want          bool
	}{
		"later":                     {of(20, 20, ""), of(20, 10, ""), true},
		"in order":                  {of(20, 10, ""), of(20, 20, ""), false},
		"later by a day":            {of(20, 12, ""), of(20, 10, ""), true},
		"as the other ends":         {of(20, 11, ""), of(20, 10, ""), false},
		"of fewer records":          {of(19, 20, ""), of(20, 10, ""), false},
		"of fewer in the second":    {of(20, 20, ""), of(19, 10, ""), false},
		"with rows that are no row": {of(20, 20, "1,2\n"), of(20, 10, "1,2,3,4\n,,\n"), true},
	} {
		inDirectory(t, map[string]string{"a.csv": c.first, "b.csv": c.second})
		r := Replay{Streams: &program.Streams{}, Settings: Settings{Inputs: []string{"a.csv", "b.csv"}}}
		first, second, column := r.disordered()
		if (column != "") != c.want || c.want && (first != "a.csv" || second != "b.csv" || column != "at") {
			t.Errorf("%s: %s, %s by %q", name, first, second, column)
		}
		r.Inputs = []string{"b.csv"}
		if _, _, column := r.disordered(); column != "" {
			t.Errorf("%s: of one file by %q", name, column)
		}
		if spans := r.beginning("none.csv"); spans != nil {
			t.Errorf("of a file that is not there: %v", spans)
		}
		spans := r.beginning("a.csv")
		if _, birth := spans["birth"]; birth || len(spans) != 1 || spans["at"].times != strings.Count(c.first, "T00") || spans["at"].last-spans["at"].first != 24*60*60 {
			t.Errorf("%s: %v", name, spans)
		}
	}
	for text, want := range map[string]struct {
		share    float64
		isNumber bool
		fails    bool
	}{"0.2": {.2, true, false}, "0.999": {.999, true, false}, "0": {0, true, true}, "1": {0, true, true}, "-0.1": {0, true, true}, "20%": {0, true, true}, "0.2%": {0, true, true}, "a.csv": {0, false, false}, "x": {0, false, false}} {
		share, isNumber, err := shareOf(text)
		if share != want.share || isNumber != want.isNumber || (err != nil) != want.fails {
			t.Errorf("%s: %v, %v, %v", text, share, isNumber, err)
		}
	}
}

// TestConfigurationsSideBySide: each relaxation and each tau is put on the enforced constraints of a copy.
func TestConfigurationsSideBySide(t *testing.T) {
	no := false
	base := model.Config{Constraints: []model.Constraint{{Name: "a", Tau: .1, Criterion: fairness.DemographicParity}, {Name: "b", Tau: .2, Enforce: &no, Criterion: fairness.ImpactRatio}}}
	for tau, taus := range map[float64][]float64{.1: nil, .3: {.3}} {
		configs, err := relaxed(base, []surrogate.Name{"sigmoid", "mean-margin"}, taus)
		if err != nil || len(configs) != 2 {
			t.Fatalf("%d configurations, %v", len(configs), err)
		}
		for i, name := range []surrogate.Name{"sigmoid", "mean-margin"} {
			if a, b := configs[i].Constraints[0], configs[i].Constraints[1]; a.Relaxation != name || a.Tau != tau || b.Relaxation != "" || b.Tau != .2 || base.Constraints[0].Tau != .1 {
				t.Errorf("%s: %+v and %+v", name, a, b)
			}
		}
	}
	if err := oneKindOfTau(base.Constraints); err != nil {
		t.Errorf("a ratio that is measured alone: %v", err)
	}
	both := slices.Clone(base.Constraints)
	both[1].Enforce = nil
	if err := oneKindOfTau(both); err == nil || !strings.Contains(err.Error(), "a largest difference for a and a least ratio for b") {
		t.Errorf("%v", err)
	}
	if oneKindOfTau(both[1:]) != nil || oneKindOfTau(both[:1]) != nil || oneKindOfTau(nil) != nil {
		t.Error("of one kind")
	}
	r := Replay{Settings: Settings{config: config.Default(), taus: []float64{.2, .4}}}
	r.config.Constraints = base.Constraints[:1]
	if configs, err := r.configs(); err != nil || len(configs) != 2 || configs[0].Constraints[0].Tau != .2 || configs[1].Constraints[0].Tau != .4 {
		t.Errorf("%+v, %v", configs, err)
	}
	for _, tau := range []float64{1, 1.5} {
		if r.taus = []float64{tau}; !strings.Contains(fmt.Sprint(r.configs()), "give numbers between 0 and 1") {
			t.Errorf("a tau of %v", tau)
		}
	}
}
