package document

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestWhatWasLearntInWords: texts are named if they are few and short, numbers with as many digits as matter.
func TestWhatWasLearntInWords(t *testing.T) {
	texts := func(texts ...string) *familiar {
		c := &familiar{levels: map[string]bool{}}
		for _, text := range texts {
			c.levels[text] = true
		}
		return c
	}
	eight := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	for want, c := range map[string]*familiar{
		`"a", "b", "c", "d", "e", "f", "g", "h"`:   texts(eight...),
		"9 texts":                                  texts(append(eight, "i")...),
		`"` + strings.Repeat("x", shownText) + `"`: texts(strings.Repeat("x", shownText)),
		"1 texts": texts(strings.Repeat("x", shownText+1)),
		"mostly numbers from 1000 to 123456789012": {numeric: true, low: 1000, high: 123456789012},
		"mostly numbers from -1000 to 999.4":       {numeric: true, low: -1000, high: 999.4},
		"mostly numbers from 0.1235 to 1e+12":      {numeric: true, low: .12345678, high: 1e12},
	} {
		if got := c.learnt(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for want, b := range map[string]bodyColumn{
		"5 to 25":    {Type: features.Numeric, Standardized: &bodyStandardized{Mean: 15, Scale: .5}},
		"1 to 1":     {Type: features.Numeric, Knots: []float64{1}},
		"no numbers": {Type: features.Numeric, Standardized: &bodyStandardized{Mean: 15}},
		"no line":    {Type: features.Numeric},
	} {
		c := b.familiar()
		if got := map[bool]string{true: want}[c == nil && strings.HasPrefix(want, "no ")]; c != nil {
			got = fmt.Sprintf("%v to %v", c.low, c.high)
			if got != want {
				t.Errorf("%s, want %s", got, want)
			}
		} else if got != want {
			t.Errorf("nothing is known of %s", want)
		}
	}
	c := texts("a")
	for i := range mostStrange + 5 {
		c.count(fmt.Appendf(nil, "text %d", i))
		c.count([]byte("text 0"))
	}
	if len(c.strange) != mostStrange || c.strange["text 0"] != mostStrange+6 {
		t.Errorf("%d texts are counted, the first one %d times", len(c.strange), c.strange["text 0"])
	}
}

// spreadBeside is what counts records beside learnt shares of two columns of texts and one of numbers.
func spreadBeside(records float64, shares map[string][]float64) *spreading {
	parts := features.Parts{Size: 2, Columns: []features.Column{{Name: "town", Kind: features.Levelled}, {Name: "job", Kind: features.Levelled}, {Name: "age", Kind: features.Scaled, Scale: 1, First: 1}}}
	encoder, err := features.NewFrozen(parts)
	if err != nil {
		panic(err)
	}
	s := &spreading{learnt: &Spread{Records: records}, encoder: encoder, levels: make([]map[int][]string, 3), counts: make([][features.Cells]int, 3)}
	for i, c := range parts.Columns {
		s.places = append(s.places, -1)
		if of := shares[c.Name]; of != nil {
			s.places[i] = len(s.learnt.Columns)
			s.learnt.Columns = append(s.learnt.Columns, ColumnSpread{c.Name, append(slices.Clone(of), make([]float64, features.Cells-len(of))...)})
		}
	}
	return s
}

// TestShiftsByNumbers: how far columns are from what was learnt, in numbers that were worked out by hand, and what is named of them.
func TestShiftsByNumbers(t *testing.T) {
	half := []float64{.5, .5}
	count := func(s *spreading, column int, counts ...int) {
		copy(s.counts[column][:], counts)
	}
	for name, c := range map[string]struct {
		records int
		counts  []int // of the towns
		levels  map[int][]string
		want    string
	}{
		"too few records":       {leastFamiliar - 1, []int{leastFamiliar - 1, 0}, nil, "[]"},
		"just enough records":   {leastFamiliar, []int{leastFamiliar, 0}, map[int][]string{0: {"Ulm"}, 1: {"Bonn"}}, "[town far Ulm 1.00 0.50]"},
		"as they were":          {10_000, []int{5_000, 5_000}, nil, "[]"},
		"by chance":             {10_000, []int{5_100, 4_900}, nil, "[]"},
		"by less than matters":  {1_000_000, []int{545_000, 455_000}, nil, "[]"},
		"by as much as matters": {1_000_000, []int{555_000, 445_000}, map[int][]string{0: {"Ulm"}}, "[town Ulm 0.56 0.50]"},
		"far":                   {1_000_000, []int{700_000, 300_000}, map[int][]string{0: {"Bonn"}}, "[town far]"},
		"two texts of a cell":   {1_000_000, []int{700_000, 300_000}, map[int][]string{1: {"Ulm", "Bonn"}}, "[town far]"},
		"a long text":           {1_000_000, []int{700_000, 300_000}, map[int][]string{1: {strings.Repeat("x", shownText+1)}}, "[town far]"},
		"a text that is not":    {1_000_000, []int{700_000, 300_000}, map[int][]string{1: {strings.Repeat("x", shownText)}}, "[town far " + strings.Repeat("x", shownText) + " 0.30 0.50]"},
		"new ones":              {1_000_000, []int{480_000, 480_000, 40_000}, nil, "[town far fresh 0.04]"},
		"few new ones":          {1_000_000, []int{490_000, 490_000, 20_000}, nil, "[]"},
		"without a town":        {1_000_000, []int{400_000, 400_000}, nil, "[town far]"},
	} {
		s := spreadBeside(100_000, map[string][]float64{"town": half})
		s.records, s.levels[0] = c.records, c.levels
		count(s, 0, c.counts...)
		var got []string
		for _, shift := range s.shifts() {
			text := shift.Column
			if shift.Far {
				text += " far"
			}
			if shift.Fresh > 0 {
				text += fmt.Sprintf(" fresh %.2f", shift.Fresh)
			}
			if shift.Level != "" {
				text += fmt.Sprintf(" %s %.2f %.2f", shift.Level, shift.Is, shift.Was)
			}
			got = append(got, text)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
	// Of columns that are both far, the farther one is first; those that have each other's values are told of as exchanged.
	s := spreadBeside(100_000, map[string][]float64{"town": {.9, .1}, "job": {.2, .8}})
	s.records = 100_000
	count(s, 0, 20_000, 80_000)
	count(s, 1, 90_000, 10_000)
	count(s, 2, 100_000)
	if found := s.shifts(); len(found) != 2 || found[0].With != found[1].Column || found[1].With != found[0].Column || found[0].Column != "town" || math.Abs(found[0].By-.7) > .01 {
		t.Errorf("%+v", found)
	}
	count(s, 1, 40_000, 60_000)
	if found := s.shifts(); len(found) != 2 || found[0].Column != "town" || found[1].Column != "job" || found[0].With != "" || found[1].With != "" {
		t.Errorf("%+v", found)
	}
	// In a few learnt records it is no wonder that a share is missing.
	s = spreadBeside(200, map[string][]float64{"town": half})
	is, was := shares{.4, .4, .2}, shares{.5, .5}
	if got := s.fresh(&is, &was); math.Abs(got-.2) > 1e-12 {
		t.Errorf("%v are new beside 200 records", got)
	}
	s.learnt.Records = 164
	if got := s.fresh(&is, &was); got != 0 {
		t.Errorf("%v are new beside 164 records", got)
	}
	var none *spreading
	none.add(&record.Record{})
	if none.shifts() != nil {
		t.Error("of a document without a spread")
	}
}

// TestStrangersByNumbers: who is told of as a stranger, at the bounds.
func TestStrangersByNumbers(t *testing.T) {
	sex := fairness.Comparison{Name: "sex", Criterion: fairness.DemographicParity, Tau: .1, Group: []fairness.Term{fairness.Is("sex", "m")}, Versus: []fairness.Term{fairness.Is("sex", "f")}}
	for name, c := range map[string]struct {
		group, versus, neither int
		learnt                 fairness.Estimate
		criterion              fairness.Criterion
		want                   string
	}{
		"as they were":        {500, 500, 0, fairness.Estimate{NGroup: 5000, NVersus: 5000}, "", ""},
		"another share":       {800, 200, 0, fairness.Estimate{NGroup: 5000, NVersus: 5000}, "", "1000 0.80 0.50 false"},
		"a share not so far":  {700, 300, 0, fairness.Estimate{NGroup: 5000, NVersus: 5000}, "", ""},
		"a lower share":       {200, 800, 50, fairness.Estimate{NGroup: 5000, NVersus: 5000}, "", "1050 0.20 0.50 false"},
		"nobody":              {0, 0, leastFamiliar, fairness.Estimate{NGroup: 5000, NVersus: 5000}, "", "100 0.00 0.00 true"},
		"too few":             {0, 0, leastFamiliar - 1, fairness.Estimate{NGroup: 5000, NVersus: 5000}, "", ""},
		"few in the groups":   {leastFamiliar - 1, 0, 9, fairness.Estimate{NGroup: 5, NVersus: 50_000}, "", ""},
		"enough of them":      {leastFamiliar, 0, 9, fairness.Estimate{NGroup: 5, NVersus: 50_000}, "", "109 1.00 0.00 false"},
		"one was learnt":      {300, 0, 0, fairness.Estimate{NGroup: 1, NVersus: 50_000}, "", "300 1.00 0.00 false"},
		"one other learnt":    {0, 300, 0, fairness.Estimate{NGroup: 50_000, NVersus: 1}, "", "300 0.00 1.00 false"},
		"no group was learnt": {0, 900, 0, fairness.Estimate{NVersus: 5000}, "", ""},
		"no other was learnt": {0, 900, 0, fairness.Estimate{NGroup: 5000}, "", ""},
		"of one label":        {800, 200, 0, fairness.Estimate{NGroup: 5000, NVersus: 5000}, fairness.EqualOpportunity, ""},
		"nobody, of a label":  {0, 0, 500, fairness.Estimate{NGroup: 5000, NVersus: 5000}, fairness.EqualOpportunity, "500 0.00 0.00 true"},
	} {
		of := sex
		if c.criterion != "" {
			of.Criterion = c.criterion
		}
		grouper, err := fairness.NewGrouper([]fairness.Comparison{of})
		if err != nil {
			t.Fatal(err)
		}
		g := &grouping{grouper: grouper, learnt: []fairness.Estimate{c.learnt}, counts: make([][fairness.Uncounted + 1]int, 1)}
		g.counts[0][fairness.Group], g.counts[0][fairness.Versus], g.counts[0][fairness.Neither] = c.group, c.versus, c.neither
		got := ""
		for _, s := range g.strangers() {
			got = fmt.Sprintf("%d %.2f %.2f %t", s.Records, s.Is, s.Was, s.None)
			if s.Name != "sex" || s.Attribute != "sex" || s.Group != "m" {
				t.Errorf("%s: %+v", name, s)
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		g.learnt = nil
		if g.strangers() != nil {
			t.Errorf("%s: of a document that measured nothing", name)
		}
	}
	var none *grouping
	none.add(&record.Record{})
	if none.strangers() != nil {
		t.Error("of no document")
	}
}

// TestHowFarSharesAre: of 100 records beside 200, shares of 0.6 and 0.4 are 0.1 from 0.5 and 0.5, of which chance makes 0.04875: with 0.5333 of all records in the
// cell, √(2/π · 0.5333 · 0.4667 · (1/200 + 1/100)).
func TestHowFarSharesAre(t *testing.T) {
	s := spreadBeside(200, map[string][]float64{"town": {.5, .5}})
	s.records = 100
	is, was := shares{.6, .4}, shares{.5, .5}
	if _, by := s.beyond(&is, &was); math.Abs(by-.0512484) > 1e-6 {
		t.Errorf("they are %v beyond chance", by)
	}
}

// TestWhatAColumnCanRead: numbers where it has learnt numbers, whole ones also where a text is one, and booleans where a text is.
func TestWhatAColumnCanRead(t *testing.T) {
	levels := func(texts ...string) (all []bodyLevel) {
		for _, text := range texts {
			all = append(all, bodyLevel{Text: text})
		}
		return all
	}
	for _, c := range []struct {
		column                      bodyColumn
		numbers, integers, booleans bool
	}{
		{bodyColumn{Type: features.Numeric}, true, true, false}, {bodyColumn{Type: undecided}, true, true, true}, {bodyColumn{Type: features.Categorical}, false, false, false},
		{bodyColumn{Type: features.Categorical, Levels: levels("a", "7")}, false, true, false}, {bodyColumn{Type: features.Categorical, Levels: levels("true", "a")}, false, false, true},
		{bodyColumn{Type: features.Categorical, Levels: levels("a", "false")}, false, false, true}, {bodyColumn{Type: features.Categorical, Levels: levels("7.5", "True")}, false, false, false},
	} {
		if in := c.column.input(); in.Numbers != c.numbers || in.Integers != c.integers || in.Booleans != c.booleans || !in.Feature {
			t.Errorf("%+v: %+v", c.column, in)
		}
	}
}

// TestOptionsOfEstimates: a level within 0 and 1, and a record at least.
func TestOptionsOfEstimates(t *testing.T) {
	for _, c := range []struct {
		level   float64
		records int
		want    string
	}{
		{.95, 1, ""}, {5e-324, 30, ""}, {math.Nextafter(1, 0), 30, ""}, {0, 30, "learner.level: 0 is"}, {1, 30, "learner.level: 1 is"}, {math.NaN(), 30, "learner.level: NaN is"},
		{.95, 0, "learner.minimum_records: 0 is"}, {.95, -1, "learner.minimum_records: -1 is"},
	} {
		var config Config
		config.Learner.Level, config.Learner.MinimumRecords = c.level, c.records
		o, err := config.options()
		if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) || err == nil && (o.Level != c.level || o.MinimumRecords != float64(c.records)) {
			t.Errorf("%+v: %+v, %v", c, o, err)
		}
	}
}

// TestAGroupIsReadOverAnother: nothing is left of what was there.
func TestAGroupIsReadOverAnother(t *testing.T) {
	g := Values("a")
	if err := g.UnmarshalJSON([]byte(`"b"`)); err != nil || len(g) != 1 || fmt.Sprint(g[0].Values) != "[b]" {
		t.Errorf("%+v, %v", g, err)
	}
	for _, w := range []fairness.Weighed{{}, {Records: 1, Bounded: 1}, {Records: 4, Bounded: 1}} {
		want := map[int64]float64{0: 0, 1: 1, 4: .25}[w.Records]
		if got := NewWeighed("c", "g", &w); got.Bounded != want || got.Records != w.Records {
			t.Errorf("of %+v: %+v", w, got)
		}
	}
}
