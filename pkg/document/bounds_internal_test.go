package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestShiftsBeyondTheLimit: a column is told of if chance explains its shares with a probability below exp(-11) for all columns together, in 100 records or more.
func TestShiftsBeyondTheLimit(t *testing.T) {
	for _, columns := range []int{1, 3} {
		s := spreadBeside(400, map[string][]float64{"town": {.5, .5}})
		if columns == 1 {
			parts := s.encoder.Parts()
			encoder, err := features.NewFrozen(features.Parts{Size: parts.Size, Columns: parts.Columns[:1]})
			if err != nil {
				t.Fatal(err)
			}
			s.encoder, s.places = encoder, s.places[:1]
		}
		limit := 11 + math.Log(float64(columns))
		below, above := 0., math.Inf(1) // the nearest surprises that are not told, and that are
		for s.records = 100; s.records < 240; s.records++ {
			for moved := s.records / 8; moved < s.records/2; moved++ {
				s.counts[0][0], s.counts[0][1] = s.records/2+moved, s.records-s.records/2-moved
				is, was := s.of(0)
				surprise, by := s.beyond(&is, &was)
				switch told := len(s.shifts()) > 0; {
				case by < leastShifted:
				case told != (surprise >= limit):
					t.Fatalf("%d columns: a surprise of %v is told: %t", columns, surprise, told)
				case told:
					above = min(above, surprise)
				default:
					below = max(below, surprise)
				}
			}
		}
		if below < limit-.1 || above > limit+.1 {
			t.Errorf("%d columns: tried are surprises up to %v and from %v; the limit is %v", columns, below, above, limit)
		}
	}
}

// TestTheFarthestShiftIsFirst, wherever its column stands in the document.
func TestTheFarthestShiftIsFirst(t *testing.T) {
	s := spreadBeside(100_000, map[string][]float64{"town": {.5, .5}, "job": {.5, .5}})
	s.records = 100_000
	for _, c := range []struct {
		town, job int
		want      string
	}{{70_000, 90_000, "[job town]"}, {90_000, 70_000, "[town job]"}} {
		s.counts[0][0], s.counts[0][1] = c.town, s.records-c.town
		s.counts[1][0], s.counts[1][1] = c.job, s.records-c.job
		var got []string
		for _, shift := range s.shifts() {
			got = append(got, shift.Column)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%v, want %s", got, c.want)
		}
	}
}

// TestWhatIsFresh: a share of 0.03, where 33 learnt records would be expected, in cells that less than half of a learnt record has.
func TestWhatIsFresh(t *testing.T) {
	for _, c := range []struct{ records, share, was, want float64 }{
		{100_000, .03, 0, .03}, {100_000, .0299, 0, 0}, {100, .33, 0, .33}, {99, .33, 0, 0}, {100, .5, .005, 0}, {100, .5, .0049, .5},
	} {
		s := &spreading{learnt: &Spread{Records: c.records}}
		is, was := shares{1 - c.share, c.share}, shares{1 - c.was, c.was}
		if got := s.fresh(&is, &was); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestStrangersBeyondErrors: by how much a share has to differ, of 1,000 records beside 1,000: 0.15 and six standard errors, √(0.5 · 0.5 · 2/1,000) = 0.02236.
func TestStrangersBeyondErrors(t *testing.T) {
	grouper, err := fairness.NewGrouper([]fairness.Comparison{{Name: "sex", Criterion: fairness.DemographicParity, Tau: .1, Group: []fairness.Term{fairness.Is("sex", "m")}, Versus: []fairness.Term{fairness.Is("sex", "f")}}})
	if err != nil {
		t.Fatal(err)
	}
	g := &grouping{grouper: grouper, learnt: []fairness.Estimate{{NGroup: 500, NVersus: 500}}, levels: make([]fairness.Level, 1), sides: make([]fairness.Side, 1), counts: make([][fairness.Uncounted + 1]int, 1)}
	for group, want := range map[int]bool{784: false, 785: true, 216: false, 215: true} {
		g.counts[0][fairness.Group], g.counts[0][fairness.Versus] = group, 1000-group
		if found := g.strangers(); len(found) > 0 != want {
			t.Errorf("%d of 1,000: %+v", group, found)
		}
	}
	// Who lacks the attribute, or all attributes, is no member of either group, whoever came before.
	g.counts[0] = [fairness.Uncounted + 1]int{}
	for _, attributes := range [][]record.Value{{{Text: []byte("m")}}, {{Missing: true}}, {{Text: []byte("f")}}, nil} {
		g.add(&record.Record{Attributes: attributes})
	}
	if of := g.counts[0]; of[fairness.Group] != 1 || of[fairness.Versus] != 1 || of[fairness.Neither] != 0 {
		t.Errorf("%v", of)
	}
}

// TestFrequentTextsAtTheBound: texts that each have 0.05 of the values are strange from 0.1 of the values on, and rare ones from 0.99 on.
func TestFrequentTextsAtTheBound(t *testing.T) {
	for _, c := range []struct {
		values, unknown int
		strange         map[string]int
		want            bool
	}{
		{400, 40, map[string]int{"a": 20, "b": 20}, true}, {401, 40, map[string]int{"a": 20, "b": 20}, false}, {400, 39, map[string]int{"a": 20, "b": 19}, false},
		{205, 20, map[string]int{"a": 20}, false}, {205, 21, map[string]int{"a": 21}, true},
		{100, 99, map[string]int{"a": 19}, true}, {100, 98, map[string]int{"a": 19}, false}, {200, 197, nil, false}, {200, 198, nil, true},
	} {
		if got := (&familiar{values: c.values, unknown: c.unknown, strange: c.strange}).isStrange(); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}

// TestFamiliarityCountsAll that is told: unfamiliar values, shifts and strangers, by one call for each record.
func TestFamiliarityCountsAll(t *testing.T) {
	slot := features.ColumnSlot(0)
	d, err := New(Classification, features.Parts{Columns: []features.Column{{Name: "town", Kind: features.Levelled}}, Size: 2, Levels: []features.Level{{Slot: slot, Key: slot.Key(record.Hash([]byte("Ulm"))), Text: "Ulm", Weight: 1}}}, []float64{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	if d.Config, err = NewConfig([]byte(`{"learner": {"level": 0.95, "minimum_records": 30}, "constraints": [{"name": "sex", "attribute": "sex", "group": "m", "versus": "f", "criterion": "demographic-parity", "tau": 0.05}]}`)); err != nil {
		t.Fatal(err)
	}
	d.Spread = &Spread{Records: 1000, Columns: []ColumnSpread{{"town", make([]float64, features.Cells)}}}
	d.Spread.Columns[0].Shares[features.CellOf([]byte("Ulm"))] = 1
	d.Measurements.Prequential.Constraints = []fairness.Estimate{{Name: "sex", NGroup: 500, NVersus: 500}}
	f, err := d.Familiarity()
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		f.Add(&record.Record{Features: []record.Field{field("town", "Bonn")}, Attributes: []record.Value{{Text: []byte("m")}}})
	}
	if len(f.Unfamiliar()) != 1 || len(f.Shifts()) != 1 || len(f.Strangers()) != 1 {
		t.Errorf("%v, %+v, %+v", f.Unfamiliar(), f.Shifts(), f.Strangers())
	}
	d.Model = []byte(strings.Replace(string(d.Model), `"type":"categorical"`, `"type":"unknown"`, 1))
	if _, err := d.Familiarity(); err == nil {
		t.Error("of a model that cannot be read")
	}
	if _, err := NewEvaluation(d); err == nil {
		t.Error("a model that cannot be read is evaluated")
	}
}

// TestModelsThatFitBarely: one bucket, and buckets right behind the intercept, are read as they were written; edges, bins and knots that do not match are refused.
func TestModelsThatFitBarely(t *testing.T) {
	for _, parts := range []features.Parts{
		{Size: 2, Shared: 1, Buckets: 1, Columns: []features.Column{{Name: "town", Kind: features.Levelled}}},
		{Size: 5, Shared: 1, Buckets: 4, Columns: []features.Column{{Name: "town", Kind: features.Levelled}}},
	} {
		d, err := New(Regression, parts, []float64{.5, 1, 2, 4, 8}[:parts.Size])
		if err != nil {
			t.Fatal(err)
		}
		b, err := readBody(d.Model)
		if err != nil || len(b.Buckets) != int(parts.Buckets) {
			t.Fatalf("%d buckets are written as %v: %v", parts.Buckets, b.Buckets, err)
		}
		encoder, weights, err := b.assemble()
		if err != nil || len(weights) != int(parts.Size) || encoder.Parts().Buckets != parts.Buckets || encoder.Parts().Shared != 1 {
			t.Errorf("%d buckets are read as %v, %+v: %v", parts.Buckets, weights, encoder.Parts(), err)
		}
	}
	for text, want := range map[string]string{
		`"edges":[1,2],"coarse":[0,0,1],"single_value":[false,false,false],"bins":[1,2,3],"coarse_bins":[1,2]`: "",
		`"edges":[1,2],"coarse":[0,0,2],"single_value":[false,false,false],"coarse_bins":[1,2]`:                "a coarse bin does not exist",
		`"edges":[1,2],"coarse":[0,0,-1],"single_value":[false,false,false],"coarse_bins":[1,2]`:               "a coarse bin does not exist",
		`"edges":[1,2],"coarse":[0,0,0],"single_value":[false,false,false],"bins":[1,2]`:                       "edges and bins do not match",
		`"edges":[1,2],"coarse":[0,0,0],"single_value":[false,false,false],"bins":[1,2,3,4]`:                   "edges and bins do not match",
		`"edges":[1,2],"coarse":[0,0]`:         "edges and bins do not match",
		`"edges":[1,2],"coarse":[0,0,0,0]`:     "edges and bins do not match",
		`"knots":[1,2],"knot_weights":[1]`:     "knots and their weights do not match",
		`"knots":[1,2],"knot_weights":[1,2,3]`: "knots and their weights do not match",
	} {
		b, err := readBody([]byte(`{"intercept":0,"columns":[{"name":"age","type":"numeric",` + text + `}]}`))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := b.assemble(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestADocumentIsKeptCompact, however it was written; and a probability whose weights are no numbers is refused.
func TestADocumentIsKeptCompact(t *testing.T) {
	parts := features.Parts{Size: 2, Columns: []features.Column{{Name: "age", Kind: features.Scaled, Scale: 1, First: 1}}}
	d, err := New(Classification, parts, []float64{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	if d.Probability, err = NewProbability(parts, []float64{3, 4}); err != nil {
		t.Fatal(err)
	}
	const config = `{"learner":{"level":0.95,"minimum_records":30},"other":[1,2]}`
	if d.Config, err = NewConfig([]byte(config)); err != nil {
		t.Fatal(err)
	}
	text, err := d.Encode()
	if err != nil {
		t.Fatal(err)
	}
	var wide bytes.Buffer
	if err := json.Indent(&wide, text, "", "\t"); err != nil {
		t.Fatal(err)
	}
	again, err := Parse(wide.Bytes())
	if err != nil || !bytes.Equal(again.Model, d.Model) || !bytes.Equal(again.Probability.Weights, d.Probability.Weights) {
		t.Errorf("%s, %s (%v)", again.Model, again.Probability.Weights, err)
	}
	if whole, err := again.Config.MarshalJSON(); err != nil || string(whole) != config {
		t.Errorf("%s (%v)", whole, err)
	}
	if _, err := again.Classifier(); err != nil {
		t.Error(err)
	}
	again.Probability.Weights = []byte(`{"a":1}`)
	if _, err := again.Classifier(); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Error(err)
	}
}

// TestUnreadColumns are named, one as well as two; and none of them is left of the record before.
func TestUnreadColumns(t *testing.T) {
	d, err := New(Regression, features.Parts{Size: 3, Columns: []features.Column{{Name: "age", Kind: features.Scaled, Scale: 1, First: 1}, {Name: "hours", Kind: features.Scaled, Scale: 1, First: 2}}}, []float64{0, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	s, err := d.Scorer()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ age, hours, want string }{{"1", "2", "[]"}, {"one", "2", "[age]"}, {"one", "two", "[age hours]"}, {"1", "two", "[hours]"}, {"1", "2", "[]"}} {
		s.Margin(&record.Record{Features: []record.Field{field("age", c.age), field("hours", c.hours)}})
		if got := s.Unread(); fmt.Sprint(got) != c.want || (got == nil) != (c.want == "[]") {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestContributionsOfCrosses: each cross has its own.
func TestContributionsOfCrosses(t *testing.T) {
	parts := features.Parts{Size: 1, Columns: []features.Column{{Name: "a", Kind: features.Levelled}, {Name: "b", Kind: features.Levelled}, {Name: "c", Kind: features.Levelled}}, Crosses: [][]string{{"a", "b"}, {"b", "c"}, {"a", "c"}}}
	weights := []float64{.5}
	for i := range parts.Crosses {
		parts.Levels = append(parts.Levels, features.Level{Slot: features.CrossSlot(i), Key: uint64(i + 1), Text: "both", Weight: parts.Size})
		parts.Size++
		weights = append(weights, float64(i+1))
	}
	d, err := New(Classification, parts, weights)
	if err != nil {
		t.Fatal(err)
	}
	c, err := d.Contributions()
	if err != nil {
		t.Fatal(err)
	}
	if want := "[a b c a & b b & c a & c (other levels)]"; fmt.Sprint(c.Names()) != want || fmt.Sprint(c.owners) != "[-1 3 4 5]" {
		t.Errorf("%v, %v", c.Names(), c.owners)
	}
}

// TestEvaluationOfOneLabel: weights that were learnt from one label get no verdict; other conditions leave it.
func TestEvaluationOfOneLabel(t *testing.T) {
	d, err := New(Classification, features.Parts{Size: 1}, []float64{1})
	if err != nil {
		t.Fatal(err)
	}
	if d.Config, err = NewConfig([]byte(`{"learner": {"level": 0.95, "minimum_records": 30}, "constraints": [{"name": "sex", "attribute": "sex", "group": "m", "versus": "f", "criterion": "demographic-parity", "tau": 0.5}]}`)); err != nil {
		t.Fatal(err)
	}
	for code, want := range map[ConditionCode]fairness.Status{OneLabel: fairness.NotEstimable, NothingEstimable: fairness.Met, "": fairness.Met} {
		d.Measurements.Conditions = nil
		if code != "" {
			d.Measurements.Conditions = []Condition{{Code: code}}
		}
		e, err := NewEvaluation(d)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 400 {
			e.Add(&record.Record{HasLabel: true, Positive: i%3 == 0, Weight: 1, Attributes: []record.Value{{Text: []byte{"mf"[i%2]}}}})
		}
		if got := e.Report().Constraints[0].Status; got != want {
			t.Errorf("%q: %s, want %s", code, got, want)
		}
	}
}
