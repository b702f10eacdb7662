package statement

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestHeldOutLabelsInWords: shares of both parts where both have labels that are no numbers, and when the files seem exchanged.
func TestHeldOutLabelsInWords(t *testing.T) {
	of := func(n, known int, days func(r int) int) *Sample {
		s := sampleOf(columnBy("at", n, func(r int) string { return time.Date(2024, 1, 1+days(r), 0, 0, 0, 0, time.UTC).Format(time.DateOnly) })).labelled(func(r int) int {
			if r >= known {
				return -1
			}
			return r % 2
		})
		s.config.Record.Time.Field = "at"
		return s
	}
	said := func(learnt, held *Sample) string {
		var text strings.Builder
		learnt.WriteHoldout(&text, held)
		return strings.Join(strings.Fields(text.String()), " ")
	}
	rising := func(r int) int { return r }
	later := func(r int) int { return 300 + r }
	const labels = ", of which 50 % have a positive label; of those that were learnt, 50 % have."
	for name, c := range map[string]struct{ learnt, held int }{"both": {2, 2}, "none is learnt": {0, 2}, "none is held out": {2, 0}} {
		if got := said(of(100, c.learnt, rising), of(100, c.held, later)); strings.Contains(got, labels) != (name == "both") {
			t.Errorf("%s: %s", name, got)
		}
	}
	numbers := of(100, 2, rising)
	numbers.config.Learner.Task = model.Regression
	if got := said(numbers, of(100, 2, later)); strings.Contains(got, "positive label") {
		t.Errorf("of numbers: %s", got)
	}
	if one, none := of(1, 1, rising), of(100, 2, rising); !strings.HasPrefix(said(none, one), "- Holdout: 1 record are held out") || strings.Contains(said(none, one), "chance") {
		t.Error(said(none, one))
	}
	// The oldest twentieth of the learnt records and the newest twentieth of these do not count.
	for name, c := range map[string]struct {
		n, learnt int
		older     int // of the learnt records
		newer     int // of those that are held out
		want      bool
	}{"older": {100, 100, 0, 0, true}, "but for a twentieth": {100, 100, 5, 5, true}, "but for more old ones": {100, 100, 6, 0, false}, "but for more new ones": {100, 100, 0, 6, false}, "of fewer": {99, 100, 0, 0, false}, "of fewer learnt": {100, 99, 0, 0, false}} {
		learnt := of(c.learnt, 2, func(r int) int {
			if r < c.older {
				return r
			}
			return 300 + r
		})
		held := of(c.n, 2, func(r int) int {
			if r >= c.n-c.newer {
				return 600 + r
			}
			return 100 + r
		})
		if got := held.timesBeside(learnt); strings.Contains(got, "were the two files exchanged?") != c.want || !strings.HasPrefix(got, " Their times go from ") {
			t.Errorf("%s: %s", name, got)
		}
	}
	plain := rowsOf(100)
	if got := plain.timesBeside(of(100, 2, rising)); got != "" {
		t.Errorf("without record.time: %s", got)
	}
	for _, name := range []string{"none", "x"} {
		if plain.config.Record.Time.Field = name; plain.timesBeside(rowsOf(100)) != "" {
			t.Errorf("by %s", name)
		}
	}
}

// TestWhoseWeightsCount: those of both groups that are known.
func TestWhoseWeightsCount(t *testing.T) {
	const n = 300
	weights := columnBy("w", n, func(r int) string {
		switch {
		case r%100 == 7:
			return ""
		case r < 200:
			return strconv.Itoa(1 + r%2)
		}
		return "999"
	})
	s := sampleOf(weights).sided(func(r int) fairness.Side {
		return []fairness.Side{fairness.Group, fairness.Versus, fairness.Neither}[min(r%2+2*(r/200), 2)]
	})
	if got := s.weightByGroup(weights); got != "" { // 98 of f have a weight
		t.Errorf("of too few: %s", got)
	}
	s.sides[0][299], s.sides[0][298] = fairness.Versus, fairness.Versus
	if got := s.weightByGroup(weights); got != " On average, a record of f counts 21.94 times as much as one of m." { // 98 of 2, and two of 999
		t.Errorf("%s", got)
	}
}

// TestHowManyColumnsRulesAreLookedForIn: sixteen of numbers and sixteen of texts.
func TestHowManyColumnsRulesAreLookedForIn(t *testing.T) {
	const n = 400
	for last, want := range map[int]bool{ruleColumns - 1: true, ruleColumns: false} {
		var amounts, texts []*column
		for k := range ruleColumns + 1 {
			amounts = append(amounts, numberBy(fmt.Sprint("n", k), n, func(r int) float64 { // of which only the first and the last are in order
				switch {
				case k == 0:
					return float64(r % 61)
				case k == last && r%100 == 3:
					return -1
				case k == last:
					return float64(r%61 + 1 + r%5)
				}
				return float64(r * (k + 3) % 89)
			}))
			texts = append(texts, columnBy(fmt.Sprint("t", k), n, func(r int) string {
				switch {
				case k == last && r%100 == 3:
					return "w"
				case k == 0 || k == last:
					return fmt.Sprint("v", r%3)
				}
				return fmt.Sprint("v", r/(k+2)%3)
			}))
		}
		if got, words := sampleOf(amounts...).ruleWords(), fmt.Sprintf(`"n0" is at most "n%d", but for `, last); strings.Contains(got, words) != want {
			t.Errorf("%d: %q", last, got)
		}
		if got, words := sampleOf(texts...).ruleWords(), fmt.Sprintf(`"t%d" follows from "t0", but for 4 of 400 records`, last); strings.Contains(got, words) != want {
			t.Errorf("%d: %q", last, got)
		}
	}
}

// TestRowsThatAreKept: with the delays of their labels, where both times are known, and their values in the columns that there is room for.
func TestRowsThatAreKept(t *testing.T) {
	s, err := New(configured(func(c *model.Config) { c.Record.Time.Field, c.Record.Weight = "at", "w" }))
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)
	field := func(name, text string) record.Field {
		return record.Field{Name: name, Text: []byte(text), Hash: record.Hash([]byte(text)), Missing: text == ""}
	}
	long := strings.Repeat("x", mostText+9)
	s.Add(&record.Record{HasLabel: true, Positive: true, Weight: 2.5, Time: at, LabelTime: at.Add(48 * time.Hour), Propensity: .5, Label: 1, ID: []byte("a"),
		Attributes: []record.Value{{Text: []byte("m")}}, Features: []record.Field{field("x", "7"), field("long", long), field("none", "")}}, []record.Field{field("x", "8"), field("ignored", "z"), field("y", "1")})
	s.Add(&record.Record{Weight: 1, Time: at, ID: []byte("a"), Attributes: []record.Value{{Missing: true}}, Features: []record.Field{field("x", "9")}}, nil)
	s.settle()
	if first, second := s.rows[0], s.rows[1]; first.delay != 48*time.Hour || first.labelAt != at.Add(48*time.Hour).Unix() || first.propensity != .5 || first.label != 1 || second.delay != timeless || second.labelled || s.known != 1 || s.positive != 1 || s.records != 2 {
		t.Errorf("%+v and %+v", first, second)
	}
	var names []string
	for _, c := range s.columns {
		names = append(names, fmt.Sprint(c.name, c.feature))
	}
	if got := strings.Join(names, " "); got != "xtrue longtrue sexfalse nonetrue atfalse wfalse ignoredfalse" {
		t.Errorf("the columns are %s", got)
	}
	x, w, sex := s.names.Of("x"), s.names.Of("w"), s.names.Of("sex")
	if x.numbers[0] != 7 || x.numbers[1] != 9 || w.numbers[0] != 2.5 || w.numbers[1] != 1 || !sex.attribute || sex.hashes[1] != 0 || !math.IsNaN(sex.numbers[1]) || s.names.Of("long").texts != nil {
		t.Errorf("x %v, w %v, sex %v", x.numbers, w.numbers, sex.hashes)
	}
	if s.ids.Share() != .5 || s.sides[0][0] != fairness.Group || s.sides[0][1] == fairness.Group {
		t.Errorf("identifiers %v, sides %v", s.ids.Share(), s.sides[0])
	}
	for columns, want := range map[int]int{1: mostRows, 47: mostRows, 48: mostRows, 49: mostCells / 49, 500: mostCells / 500} {
		s := Sample{columns: make([]*column, columns)}
		if s.room() != want {
			t.Errorf("%d columns: room for %d rows, want %d", columns, s.room(), want)
		}
		if s.Quick = true; s.room() != min(mostRows, quickCells/columns) {
			t.Errorf("%d columns, quick: room for %d rows", columns, s.room())
		}
		if s.least = 1; s.room() != min(quickRows, quickCells/columns) {
			t.Errorf("%d columns, quick and long: room for %d rows", columns, s.room())
		}
	}
}

// TestWhatNothingTells: groups that four columns surely have nothing to do with, values that are too many to learn from, and a cut text beside a rare one.
func TestWhatNothingTells(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	var columns []*column
	for k := range leastRelated {
		columns = append(columns, numberBy(fmt.Sprint("c", k), mostRows, func(int) float64 { return random.Float64() }))
	}
	of := sampleOf(columns...).sided(func(r int) fairness.Side { return []fairness.Side{fairness.Group, fairness.Versus}[r%2] })
	const question = " That is no better than chance: was sex joined to the right records, and is it about the same people?"
	if got := of.groupWords(); !strings.Contains(got, question) {
		t.Error(got)
	}
	if of.columns = columns[:leastRelated-1]; strings.Contains(of.groupWords(), question) {
		t.Errorf("of fewer columns: %s", of.groupWords())
	}
	for values, want := range map[int]float64{mostValues - 1: 1, mostValues: .5} { // and all others are one more
		n := 24 * values
		s := sampleOf(columnBy("code", n, func(r int) string { return fmt.Sprint("v", r%values) })).labelled(func(r int) int { return r % values % 2 })
		if told := s.tell(s.labels, isFeature); math.Abs(told.together-want) > .02 {
			t.Errorf("%d values tell %v", values, told.together)
		}
	}
	long := columnBy("name", 400, func(r int) string { return []string{"abcdefgh", "bcdefghi", "cdefghij", "defghijk", "one", "two"}[r%6] })
	odd := columnBy("kind", 400, func(r int) string { return map[bool]string{true: "odd", false: "even"}[r == 7] })
	const cut = `"name" has 4 texts of exactly 8 letters, and none of 6 is longer: were they cut off?`
	if got := sampleOf(long, odd).rareWords(); got != cut+`; "kind" is odd in 1 record.` {
		t.Error(got)
	}
	if got := sampleOf(long).rareWords(); got != cut {
		t.Error(got)
	}
	texts := sampleOf(long)
	if got := texts.numberWords(); got != "" {
		t.Errorf("of no number: %s", got)
	}
	texts.sided(func(int) fairness.Side { return fairness.Neither })
	if got := texts.limits(); len(got) != 1 || !strings.HasSuffix(got[0], " In neither group: 100 % of the records.") { // in the attribute, nobody has a value
		t.Errorf("%q", got)
	}
	if same, pairs := sampleOf(numberBy("x", 60, func(r int) float64 { return float64(r) })).alike(texts); same != 0 || pairs != 0 {
		t.Errorf("beside a sample without the column: %d of %d", same, pairs)
	}
}
