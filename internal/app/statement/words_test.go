package statement

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
)

// rowsOf has n rows of one number.
func rowsOf(n int) *Sample {
	return sampleOf(numberBy("x", n, func(r int) float64 { return float64(r) }))
}

// sided gives the rows a side of the only comparison.
func (s *Sample) sided(side func(r int) fairness.Side) *Sample {
	s.sides[0] = make([]fairness.Side, len(s.rows))
	for r := range s.rows {
		s.sides[0][r] = side(r)
	}
	return s
}

// quartered are rows in four quarters of 220: 100 of the group, of whom so many are positive, and 120 of the other one.
func quartered(group, versus [quarters]int) *Sample {
	return rowsOf(quarters * 220).sided(func(r int) fairness.Side {
		if r%220 < 100 {
			return fairness.Group
		}
		return fairness.Versus
	}).labelled(func(r int) int {
		if at := r % 220; at < group[r/220] || at >= 100 && at < 100+versus[r/220] {
			return 1
		}
		return 0
	})
}

// TestGapsByQuarter: the difference of the last quarter is unlike the others from 29 points on: with a variance of 0.0048 in all, that is 4.2 deviations.
func TestGapsByQuarter(t *testing.T) {
	base := [quarters]int{50, 50, 50, 50}
	for last, want := range map[int]string{
		50: "", 78: "", 79: " In the four quarters of the records that difference is 20, 20, 20 and 49 points.", 22: "", 21: " In the four quarters of the records that difference is 20, 20, 20 and -9 points.",
	} {
		group := base
		group[3] = last
		if got := quartered(group, [quarters]int{36, 36, 36, 36}).gaps(0); got != want {
			t.Errorf("%d in the last quarter: %q, want %q", last, got, want)
		}
	}
	for n, want := range map[int]bool{30: true, 29: false} { // of the group in the first quarter
		s := quartered([quarters]int{100, 10, 10, 10}, base).sided(func(r int) fairness.Side {
			switch {
			case r%220 >= 100:
				return fairness.Versus
			case r < 100 && r >= n:
				return fairness.Unknown
			}
			return fairness.Group
		})
		if got := s.gaps(0); (got != "") != want {
			t.Errorf("%d of the group in the first quarter: %q", n, got)
		}
	}
	if got := quartered([quarters]int{100, 100, 100, 100}, [quarters]int{}).gaps(0); got != "" {
		t.Errorf("without any spread: %q", got)
	}
}

// TestLimitsBesideLabels: what the labels of both groups are, of those who have one, and when a limit is as wide as they are.
func TestLimitsBesideLabels(t *testing.T) {
	const wide, few = "Both shares are below this limit", "The labels differ by far less"
	for name, c := range map[string]struct {
		tau           float64
		group, versus int // positive of 100
		want          string
	}{
		"a limit":                 {.05, 60, 40, ""},
		"at the larger share":     {.6, 60, 40, wide},
		"below it":                {.59, 60, 20, ""},
		"at the share of the one": {.6, 40, 60, wide},
		"twice the difference":    {.5, 75, 50, few},
		"less than that":          {.49, 75, 50, ""},
		"a quarter":               {.25, 60, 50, few},
		"less than a quarter":     {.24, 60, 50, ""},
		"the other way":           {.5, 50, 75, few},
	} {
		s := rowsOf(202).sided(func(r int) fairness.Side {
			return []fairness.Side{fairness.Group, fairness.Versus, fairness.Group}[r/100]
		}).labelled(func(r int) int {
			switch {
			case r >= 200:
				return -1
			case r < c.group || r >= 100 && r < 100+c.versus:
				return 1
			}
			return 0
		})
		comparison := s.grouper.Comparisons()[0]
		comparison.Tau = c.tau
		got := s.limit(0, comparison)
		if strings.Contains(got, wide) != (c.want == wide) || strings.Contains(got, few) != (c.want == few) || !strings.Contains(got, fmt.Sprintf(" Of the labels, %d %% are positive for m (100 records) and %d %% for f (100).", c.group, c.versus)) {
			t.Errorf("%s: %s", name, got)
		}
	}
	for _, lacking := range []fairness.Side{fairness.Group, fairness.Versus} {
		s := rowsOf(100).sided(func(r int) fairness.Side { return fairness.Group + fairness.Versus - lacking }).labelled(func(r int) int { return r % 2 })
		comparison := s.grouper.Comparisons()[0]
		comparison.Tau = .9
		if got := s.limit(0, comparison); strings.Contains(got, "Of the labels") || strings.Contains(got, "Both shares") {
			t.Errorf("without one group: %s", got)
		}
	}
	spread := func(labels ...float64) string {
		s := rowsOf(len(labels) + 1)
		for r, label := range labels {
			s.rows[r].labelled, s.rows[r].label = true, label
		}
		s.rows[len(labels)].label = 1e6 // not known
		return s.ofSpread(3)
	}
	for want, got := range map[string]string{" That is 1.5 of their standard deviation, 2.": spread(1, 5, 1, 5), " That is 3 of their standard deviation, 1.": spread(7, 9)} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if one, same := spread(4), spread(4, 4, 4); one != "" || same != "" {
		t.Errorf("%q of one label, %q of equal ones", one, same)
	}
}

// TestWhatColumnsTellInWords: at the bounds between what is asked of a column, and of all together.
func TestWhatColumnsTellInWords(t *testing.T) {
	s := rowsOf(3)
	x, y := s.columns[0], columnOf("y", "1", "2", "3")
	nan := math.NaN()
	for name, c := range map[string]struct {
		together float64
		alone    []alone
		want     string
	}{
		"nearly certain":           {.98, []alone{{x, .9, nan}}, "they together tell 98 apart; 50 is chance. That is rarely possible before the outcome is known: does one of them know it? Alone: x 90."},
		"less than that":           {.979, []alone{{x, .85, nan}}, "they together tell 98 apart; 50 is chance. Alone: x 85. A single column rarely tells as much as x does: is it known before the outcome, and not a result of it?"},
		"a column that tells less": {.9, []alone{{x, .849, nan}}, "they together tell 90 apart; 50 is chance. Alone: x 85."},
		"larger":                   {.7, []alone{{x, .6, .55}, {y, .6, .549}}, "they together tell 70 apart; 50 is chance. Alone: x 60 (more where it is larger), y 60 (not by its size: is it a code?)."},
		"smaller":                  {.7, []alone{{x, .6, .45}, {y, .6, .451}}, "they together tell 70 apart; 50 is chance. Alone: x 60 (more where it is smaller), y 60 (not by its size: is it a code?)."},
		"no code":                  {.7, []alone{{x, .599, .5}, {y, .6, nan}}, "they together tell 70 apart; 50 is chance. Alone: x 60, y 60."},
		"six columns":              {.7, slices.Repeat([]alone{{x, .5, .5}}, 6), "Alone: x 50, x 50, x 50, x 50, x 50."},
		"no column":                {nan, nil, "which must be known by then."},
	} {
		if got := s.columnsWords(telling{together: c.together, alone: c.alone}); !strings.HasSuffix(got, c.want) || strings.Contains(got, "pairs") != (c.alone != nil) {
			t.Errorf("%s: %s\nwant %s", name, got, c.want)
		}
	}
	s.omitted = true
	if got := s.columnsWords(telling{}); got != "decisions depend on more than 1 columns, which must be known by then." {
		t.Error(got)
	}
}

// TestHowGroupsAreTold: by columns that are used, by one that is not, and the other way round in some records.
func TestHowGroupsAreTold(t *testing.T) {
	const n = 1200
	side := func(r int) fairness.Side { return []fairness.Side{fairness.Group, fairness.Versus}[r%2] }
	height := func(swapped func(r int) bool) *column {
		return numberBy("height", n, func(r int) float64 {
			if (r%2 == 0) != swapped(r) {
				return float64(170 + r/2%20)
			}
			return float64(160 + r/2%20)
		})
	}
	never := func(int) bool { return false }
	place := columnBy("place", n, func(r int) string { return []string{"a", "b", "c", "d"}[r/2%4] })
	unused := func(name string, wrong int) *column {
		c := numberBy(name, n, func(r int) float64 {
			if r < wrong {
				return float64(r)
			}
			return float64(n*(r%2) + r)
		})
		c.feature = false
		return c
	}
	for name, c := range map[string]struct {
		columns []*column
		want    []string
		without []string
	}{
		"as elsewhere":      {[]*column{height(never), place}, []string{"of 100 pairs of m and f, the same columns tell 87 apart. Alone: height 87, place 49."}, []string{"?", "which no decision depends on"}},
		"turned in a place": {[]*column{height(func(r int) bool { return r/2%4 == 2 }), place}, []string{` Where "place" is c, they tell `, ", the other way round: does sex have the same codes there?"}, nil},
		"two unused":        {[]*column{height(never), unused("first", 0), unused("second", 100)}, []string{" first, which no decision depends on, tells 100: are both groups from the same time and the same source?"}, []string{" second, which"}},
		"an unused one":     {[]*column{height(never), unused("other", 700)}, nil, []string{"which no decision depends on"}},
	} {
		got := sampleOf(c.columns...).sided(side).groupWords()
		for _, words := range c.want {
			if !strings.Contains(got, words) {
				t.Errorf("%s: %q is not in %s", name, words, got)
			}
		}
		for _, words := range c.without {
			if strings.Contains(got, words) {
				t.Errorf("%s: %q is in %s", name, words, got)
			}
		}
	}
}

// TestWeightsInWords: how much more a group counts, in means over a hundred records or more, and whether propensities fit.
func TestWeightsInWords(t *testing.T) {
	weighed := func(n int, group, versus float64) string {
		s := sampleOf(numberBy("w", 2*n, func(r int) float64 { return []float64{group, versus}[r%2] })).sided(func(r int) fairness.Side { return []fairness.Side{fairness.Group, fairness.Versus}[r%2] })
		return s.weightByGroup(s.columns[0])
	}
	for _, c := range []struct {
		n             int
		group, versus float64
		want          string
	}{
		{100, 3, 2, " On average, a record of m counts 1.50 times as much as one of f."}, {100, 2, 3, " On average, a record of f counts 1.50 times as much as one of m."}, {99, 3, 2, ""},
		{100, 2.125, 2, " On average, a record of m counts 1.06 times as much as one of f."}, {100, 2.0625, 2, ""}, {100, 2, 2, ""}, {100, 0, 2, ""}, {100, 2, 0, ""},
	} {
		if got := weighed(c.n, c.group, c.versus); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
	fits := func(n, labels int, propensity float64) string {
		s := rowsOf(n).labelled(func(r int) int { return map[bool]int{true: 1, false: -1}[r < labels] })
		s.config.Record.Propensity = "p"
		for r := range s.rows {
			s.rows[r].propensity = propensity
		}
		return s.weightWords()
	}
	const asked = ": these two should be about equal. Is it the probability that the label becomes known?"
	for _, c := range []struct {
		n, labels  int
		propensity float64
		want       string
	}{
		{400, 200, .5, "stand for 400 of 400 records, as they should."}, {4000, 2200, .5, "stand for 4400 of 4,000 records, as they should."}, {4000, 2210, .5, "stand for 4420 of 4,000 records" + asked}, {4000, 1790, .5, "stand for 3580 of 4,000 records" + asked},
		{400, 280, .5, "stand for 560 of 400 records" + asked}, {400, 120, .5, "stand for 240 of 400 records" + asked}, {100, 68, .5, "stand for 136 of 100 records, as they should."},
	} {
		if got := fits(c.n, c.labels, c.propensity); got != "By p, the records with a label "+c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// TestDelaysInWords: how late labels are, of those whose times are known, which are before their records, which at one moment, and which too late.
func TestDelaysInWords(t *testing.T) {
	const day = 24 * time.Hour
	delays := func(age time.Duration, moment func(r int) int64, days ...int) string {
		s := rowsOf(len(days) + 2)
		for r, d := range days {
			s.rows[r] = row{labelled: true, delay: time.Duration(d) * day, labelAt: moment(r)}
		}
		s.rows[len(days)] = row{labelled: true, delay: timeless}
		s.rows[len(days)+1] = row{delay: -900 * day}
		s.Age = age
		return s.delayWords()
	}
	rising := func(r int) int64 { return int64(r) }
	same := func(int) int64 { return 7 }
	for want, got := range map[string]string{
		"Labels are known 1 to 4 days after their records, half of them within 3":                                                                                                                              delays(0, rising, 4, 1, 2, 3),
		"Labels are known -1 to 4 days after their records, half of them within 2; 33.3 % of them before the record: are both times written alike, day and month included?":                                    delays(0, rising, 4, -1, 2),
		"Labels are known 0 to 4 days after their records, half of them within 2":                                                                                                                              delays(0, rising, 4, 0, 2),
		"Labels are known 1 to 4 days after their records, half of them within 3. 25 % of them come later than stream.labels.age, which is 3 days, and such labels are not learnt: should that age be longer?": delays(3*day, rising, 4, 1, 2, 3),
		"Labels are known 1 to 4 days after their records, half of them within 3.":                                                                                                                             delays(4*day, rising, 4, 1, 2, 3) + ".",
		"Labels are known 5 to 5 days after their records, half of them within 5. All of them became known at the same moment: is that the time of an export?":                                                 delays(0, same, slices.Repeat([]int{5}, 100)...),
		"Labels are known 6 to 6 days after their records, half of them within 6":                                                                                                                              delays(0, same, slices.Repeat([]int{6}, 99)...),
		"Labels are known 1 to 2 days after their records, half of them within 1. 9.1 % of them come later than stream.labels.age, which is 1 days, and such labels are not learnt":                            delays(day, rising, append(slices.Repeat([]int{1}, 10), 2)...),
		"Labels are known 2 to 3 days after their records, half of them within 2. 10 % of them come later than stream.labels.age, which is 2 days, and such labels are not learnt: should that age be longer?": delays(2*day, rising, append(slices.Repeat([]int{2}, 9), 3)...),
		"": delays(0, rising),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestTimesInWords: of two columns of times at most, their ends, and whether the time of records is one of births.
func TestTimesInWords(t *testing.T) {
	dates := func(name string, n, every int) *column {
		c := columnBy(name, n, func(r int) string { return time.Date(2000, 1, 1+every*r, 0, 0, 0, 0, time.UTC).Format(time.DateOnly) })
		c.beside, c.feature = true, false
		return c
	}
	s := sampleOf(dates("a", 40, 1), dates("b", 40, 2), dates("c", 40, 3))
	if got, want := s.timeWords(), `"a" goes from 1 January 2000 to 9 February 2000. "b" goes from 1 January 2000 to 19 March 2000.`; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	for days, want := range map[int]bool{10957: false, 10958: true} { // thirty years of 365.25 days are 10,957.5
		s := sampleOf(dates("at", 2, days))
		s.config.Record.Time.Field = "at"
		if got := s.timeWords(); strings.Contains(got, ": is it the time of the record, and not a date such as that of birth?") != want {
			t.Errorf("%d days: %s", days, got)
		}
	}
	// Labels that change are asked about where times are recent, but for a twentieth at either end, and no decision depends on them.
	for name, c := range map[string]struct {
		early, late int // of 400
		feature     bool
		want        bool
	}{"recent": {0, 0, false, true}, "a twentieth early, a twentieth late": {20, 20, false, true}, "more early": {21, 20, false, false}, "more late": {20, 21, false, false}, "a feature": {0, 0, true, false}} {
		c1 := columnBy("at", 400, func(r int) string {
			year := 2000
			if r < c.early {
				year = 1900
			} else if r >= 400-c.late {
				year = 2100
			}
			return time.Date(year, 1, 1+r, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		})
		c1.feature = c.feature
		s := sampleOf(c1).labelled(func(r int) int { return map[bool]int{true: 1}[r >= 300 || r%4 == 0] })
		if got := s.timeWords(); strings.Contains(got, "does the label mean the same throughout") != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
	column := dates("at", 40, 1)
	if got := column.span(); got != 35*24*60*60 { // without two at either end
		t.Errorf("a span of %v seconds", got)
	}
}

// TestHowMuchIsListed: twelve columns of numbers, eight that lack values, five rare values, and a number that is frequent.
func TestHowMuchIsListed(t *testing.T) {
	var columns []*column
	for k := range mostNumbers + 1 {
		columns = append(columns, columnBy(fmt.Sprint("n", k), 200, func(r int) string {
			if r <= k {
				return ""
			}
			return strconv.Itoa(r)
		}))
	}
	s := sampleOf(columns...)
	if got := s.numberWords(); !strings.HasSuffix(got, "; n11 12, 106, 199; and 1 column more.") {
		t.Error(got)
	}
	if got := sampleOf(columns[:mostNumbers]...).numberWords(); !strings.HasSuffix(got, "; n11 12, 106, 199.") {
		t.Error(got)
	}
	if got := s.missingWords(); !strings.HasPrefix(got, "n12 in 6.5 %, n11 in 6 %, ") || !strings.HasSuffix(got, "n5 in 3 % and 5 more of the records. 1 have none in any column that decisions depend on, and of these 0 have a positive label: were they joined to nothing?") {
		t.Error(got)
	}
	for rare, want := range map[int]string{5: `"k4" is odd in 1 record.`, 7: `"k4" is odd in 1 record; 2 more.`} {
		var columns []*column
		for k := range rare {
			columns = append(columns, columnBy(fmt.Sprint("k", k), 400, func(r int) string { return map[bool]string{true: "odd", false: "even"}[r == k] }))
		}
		if got := sampleOf(columns...).rareWords(); !strings.HasSuffix(got, want) {
			t.Errorf("of %d: %s", rare, got)
		}
	}
	for _, c := range []struct {
		often, next int // of 200
		want        string
	}{{10, 2, "(7.5 in 5 %)"}, {9, 2, "x 0, 104.5"}, {12, 3, "(7.5 in 6 %)"}, {12, 4, "x 0, "}} {
		got := sampleOf(numberBy("x", 200, func(r int) float64 {
			switch {
			case r > 0 && r <= c.often:
				return 7.5
			case r > c.often && r <= c.often+c.next:
				return 150.5
			}
			return float64(r)
		})).numberWords()
		if frequent := strings.Contains(got, "7.5 in"); frequent != strings.Contains(c.want, "7.5 in") || !strings.Contains(got, strings.TrimSuffix(c.want, ".")) && frequent {
			t.Errorf("%+v: %s", c, got)
		}
	}
	same := sampleOf(columnOf("a", "x", "", "x"), columnOf("b", "x", "y", "x"), columnOf("c", "7", "7", "7"))
	if got := same.sameWords(); got != "a and c, wherever there is a value." {
		t.Error(got)
	}
	s.Settings = []string{"a: 1", "b: 2"}
	if got := s.settingWords(); got != "not the defaults are a: 1; b: 2." {
		t.Error(got)
	}
}

// TestCopiesInWords: one of two thousand is told of; copies are put in twice or natural; identifiers that come again are asked about in a quick sample.
func TestCopiesInWords(t *testing.T) {
	counted := func(n, again int) *Sample {
		s := rowsOf(30)
		for i := range n {
			s.copies.Add(uint64(max(i, again)))
			s.ids.Add(uint64(max(i, again)))
		}
		s.records, s.compared = int64(n), int64(n)
		s.config.Record.ID = "id"
		return s
	}
	if got := counted(1999, 1).copiesWords(); got != "less than 0.1 % of the records equal an earlier one in all that is read." {
		t.Error(got)
	}
	if got := counted(2001, 1).copiesWords(); got != "" {
		t.Error(got)
	}
	for different, want := range map[int]bool{29: true, 30: false, 31: false} { // half of those that are possible are no few
		s := counted(1000, 1000-different)
		s.columns = []*column{numberBy("x", 30, func(r int) float64 { return float64(r) })}
		if got := s.copiesWords(); strings.Contains(got, "So only about") != want || s.possible() != 60 {
			t.Errorf("%d of %v that are possible: %q", different, s.possible(), got)
		}
	}
	s := counted(200, 190) // ten different ones
	s.Quick, s.compared = true, 100
	if got := s.copiesWords(); got != `95 % of the first 100 records equal an earlier one in all that is read. So only about 10 records differ: were they put in many times, or is a column missing that tells them apart? 95 % of the records have the "id" of an earlier one: does it identify a person rather than a record?` {
		t.Error(got)
	}
	for again, want := range map[int]bool{2: true, 1: false} { // of 100: a share of 0.02 is asked about
		s := counted(100, again)
		s.Quick = true
		if got := s.idWords(); (got != "") != want {
			t.Errorf("%d come again: %q", again, got)
		}
		if s.Quick = false; s.idWords() != "" {
			t.Error("of all records check warns by itself")
		}
	}
	for n, want := range map[int]bool{20: true, 19: false} {
		learnt, held := rowsOf(30), rowsOf(30)
		learnt.config.Record.ID, held.config.Record.ID = "id", "id"
		for i := range 1000 {
			learnt.ids.Add(uint64(i))
			held.ids.Add(uint64(i + 1000 - n))
		}
		if got := learnt.identified(held); (got != "") != want {
			t.Errorf("%d of learnt records: %q", n, got)
		}
	}
}

// TestOfTwentyRecords something is said, of fewer nothing, whatever there is beside them.
func TestOfTwentyRecords(t *testing.T) {
	for n, want := range map[int]bool{leastSaid: true, leastSaid - 1: false} {
		var whole, held strings.Builder
		nobody := func(int) fairness.Side { return fairness.Neither }
		rowsOf(n).sided(nobody).Write(&whole)
		rowsOf(n).WriteHoldout(&held, rowsOf(1))
		if (whole.Len() > 0) != want || (held.Len() > 0) != want {
			t.Errorf("%d records: %q, and beside held-out ones %q", n, whole.String(), held.String())
		}
	}
}

// TestHeldOutCopies: numbers as labels are not compared, and of how many records that is said.
func TestHeldOutCopies(t *testing.T) {
	of := func() *Sample {
		s := sampleOf(numberBy("x", 60, func(r int) float64 { return float64(r) }), columnBy("kind", 60, func(r int) string { return fmt.Sprint("k", r%30) }))
		for r := range s.rows {
			s.copies.Add(uint64(r))
		}
		return s
	}
	learnt, held := of(), of()
	const rest = ". Measurements on them do not hold for new records: hold others out, or use --folds 5"
	if got := learnt.Learnt(held); got != "60 of 60 records were learnt: they equal a learnt record in all that is read, the label too"+rest {
		t.Error(got)
	}
	learnt.config.Learner.Task, held.records = model.Regression, 61
	if got := learnt.Learnt(held); got != "60 of 60 records that were compared were learnt: they equal a learnt record in all that is read"+rest {
		t.Error(got)
	}
}
