package statement

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// TestHowManyRowsColumnsTellOf: thirty of each class; eight hundred tell that columns know nothing.
func TestHowManyRowsColumnsTellOf(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	of := func(n, ones int) *Sample {
		return sampleOf(numberBy("x", n, func(int) float64 { return random.Float64() })).labelled(func(r int) int { return map[bool]int{true: 1}[r < ones] })
	}
	for _, c := range []struct {
		n, ones int
		want    bool
	}{{60, 30, true}, {60, 29, false}, {60, 31, false}, {200, 170, true}, {200, 171, false}} {
		s := of(c.n, c.ones)
		told := s.tell(s.labels, isFeature)
		if enough := !math.IsNaN(told.together) && len(told.alone) == 1 && len(told.order) == c.n; enough != c.want || !enough && (told.alone != nil || told.order != nil) {
			t.Errorf("%d of %d: %v of %d", c.ones, c.n, told.together, len(told.order))
		}
		if a, deviation := told.areaOf(func(r int) bool { return r > 0 }); c.want && math.IsNaN(a) != (c.ones == 30) || math.IsNaN(a) != math.IsNaN(deviation) {
			t.Errorf("%d of %d but for one: %v", c.ones, c.n, a)
		}
	}
	for n, want := range map[int]bool{800: true, 799: false} {
		s := of(n, n/2)
		if told := s.tell(s.labels, isFeature); told.nothing() != want {
			t.Errorf("of %d rows nothing: %v", n, !want)
		}
	}
	s := of(800, 400)
	if none := s.tell(s.labels, func(*column) bool { return false }); !math.IsNaN(none.together) || none.alone != nil {
		t.Errorf("of no column: %+v", none)
	}
	var columns []*column
	for k := range leastRelated {
		columns = append(columns, numberBy(fmt.Sprint("c", k), mostRows, func(int) float64 { return random.Float64() }))
	}
	s = sampleOf(columns...).labelled(func(r int) int { return r % 2 })
	for n, want := range map[int]bool{leastRelated: true, leastRelated - 1: false} {
		told := s.tell(s.labels, func(c *column) bool { return int(c.place) < n })
		if told.noGroups() != want {
			t.Errorf("%d columns have nothing to do with the groups: %v, together %v", n, !want, told.together)
		}
	}
}

// TestTimesThatGoBackwards: the middle of the first quarter is after nearly all of the last.
func TestTimesThatGoBackwards(t *testing.T) {
	at := func(day int) string { return time.Date(2024, 1, 1+day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly) }
	for name, c := range map[string]struct {
		n    int
		day  func(r int) int
		want bool
	}{
		"in order":           {400, func(r int) int { return r }, false},
		"backwards":          {400, func(r int) int { return 400 - r }, true},
		"fewer":              {396, func(r int) int { return 400 - r }, false},
		"all alike":          {400, func(int) int { return 7 }, false},
		"five later":         {400, func(r int) int { return map[bool]int{true: 500, false: 400 - r}[r >= 395] }, false},
		"four later":         {400, func(r int) int { return map[bool]int{true: 500, false: 400 - r}[r >= 396] }, true},
		"half as late":       {400, func(r int) int { return map[bool]int{true: 9, false: 5}[r < 49] }, false},
		"more than half":     {400, func(r int) int { return map[bool]int{true: 9, false: 5}[r < 50] }, true},
		"in the last, early": {400, func(r int) int { return map[bool]int{true: 1, false: 5}[r >= 300] }, true},
	} {
		if got := backwards(columnBy("at", c.n, func(r int) string { return at(c.day(r)) })); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestNumbersSinceOneDay: in days, months, hours, and, of dates of birth beside a later time, years.
func TestNumbersSinceOneDay(t *testing.T) {
	const n = 200
	start := time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)
	dates := func(name string, days func(r int) int) *column {
		return columnBy(name, n, func(r int) string { return start.AddDate(0, 0, -days(r)).Format(time.DateOnly) })
	}
	since := func(r int) int { return 5 * (r * 7 % n) }
	number := func(of func(r int) float64) *column {
		return numberBy("x", n, func(r int) float64 { return math.Round(of(r)) })
	}
	ages := func(r int) int { return 7000 + 100*(r*7%n) }
	for name, c := range map[string]struct {
		columns []*column
		want    string
	}{
		"days":                        {[]*column{dates("at", since), number(func(r int) float64 { return float64(since(r)) })}, `"x" is the number of days from "at" to 1 March 2024 in`},
		"months":                      {[]*column{dates("at", since), number(func(r int) float64 { return float64(since(r)) * 24 * 60 * 60 * 12 / year })}, `"x" is the number of months from "at" to `},
		"hours":                       {[]*column{dates("at", since), number(func(r int) float64 { return float64(since(r)) * 24 })}, `"x" is the number of hours from "at" to 1 March 2024 in`},
		"a number at random":          {[]*column{dates("at", since), number(func(r int) float64 { return float64(since(r * 3)) })}, ""},
		"a day or two off":            {[]*column{dates("at", since), number(func(r int) float64 { return float64(since(r) + r%2) })}, `"x" is the number of days from "at" to `},
		"two days off":                {[]*column{dates("at", since), number(func(r int) float64 { return float64(since(r) + 2*(r%2)) })}, ""},
		"a few at random":             {[]*column{dates("at", since), number(func(r int) float64 { return float64(since(r) + 900*(r/195)) })}, `"x" is the number of days from "at" to `},
		"more at random":              {[]*column{dates("at", since), number(func(r int) float64 { return float64(since(r) + 900*(r/194)) })}, ""},
		"spread over twenty days":     {[]*column{dates("at", func(r int) int { return r * 21 / n }), number(func(r int) float64 { return float64(r * 21 / n) })}, `"x" is the number of days from "at" to `},
		"spread over fewer":           {[]*column{dates("at", func(r int) int { return r * 20 / n }), number(func(r int) float64 { return float64(r * 20 / n) })}, ""},
		"ages":                        {[]*column{dates("born", ages), number(func(r int) float64 { return float64(ages(r)) * 24 * 60 * 60 / year })}, ""},
		"ages beside years of times":  {[]*column{dates("born", ages), number(func(r int) float64 { return float64(ages(r)) * 24 * 60 * 60 / year }), dates("at", func(r int) int { return r * 10 })}, `"x" is the number of years from "born" to `},
		"ages beside months of times": {[]*column{dates("born", ages), number(func(r int) float64 { return float64(ages(r)) * 24 * 60 * 60 / year }), dates("at", func(r int) int { return r })}, ""},
	} {
		if got := strings.Join(sampleOf(c.columns...).sinceWords(), " "); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	few := sampleOf(columnBy("at", 99, func(r int) string { return start.AddDate(0, 0, -r).Format(time.DateOnly) }), numberBy("x", 99, func(r int) float64 { return float64(r) }))
	if got := few.sinceWords(); got != nil {
		t.Errorf("of few rows: %v", got)
	}
}

// TestColumnsThatTellRecordsApart: the most various one, by which records that are otherwise the same are the same or not.
func TestColumnsThatTellRecordsApart(t *testing.T) {
	const n = 100
	kind := func() *column { return columnBy("kind", n, func(r int) string { return []string{"a", "b"}[r/2%2] }) }
	amount := func(different int) *column {
		return numberBy("amount", n, func(r int) float64 { return float64(r % different) })
	}
	for different, want := range map[int]string{50: "amount", 10: "amount", 9: "", 1: ""} {
		got := ""
		if c := sampleOf(kind(), amount(different)).mostVarious(); c != nil {
			got = c.name
		}
		if got != want {
			t.Errorf("%d amounts: %q, want %q", different, got, want)
		}
	}
	s := sampleOf(kind(), amount(n))
	s.columns[1].beside = true
	if c := s.mostVarious(); c != nil {
		t.Errorf("what is not read: %s", c.name)
	}
	s.columns[1].attribute = true
	if c := s.mostVarious(); c != s.columns[1] {
		t.Errorf("of an attribute: %v", c)
	}
	for name, other := range map[string]*Sample{"without a various column": sampleOf(kind()), "of other columns": sampleOf(numberBy("x", n, func(r int) float64 { return float64(r) }))} {
		if same, pairs := other.alike(sampleOf(kind(), amount(50))); same != 0 || pairs != 0 {
			t.Errorf("%s, %d of %d records are the same", name, same, pairs)
		}
	}
	if possible := sampleOf(kind(), amount(50)).possible(); possible != 2*2*50 {
		t.Errorf("%v records are possible", possible)
	}
	copies := func(n, equal int) *Sample { // all rows are alike but for the amount, in which so many equal the one before
		return sampleOf(columnBy("kind", n, func(int) string { return "a" }), numberBy("amount", n, func(r int) float64 {
			if r < 2*equal {
				return float64(r / 2)
			}
			return float64(r)
		}))
	}
	for _, c := range []struct {
		n, equal int
		twice    bool
	}{{21, 6, true}, {21, 5, false}, {20, 6, false}} {
		s := copies(c.n, c.equal)
		same, pairs := s.alike(s)
		if same != c.equal || pairs != c.n-1 || s.twice(s) != c.twice {
			t.Errorf("%d rows: %d of %d are the same, twice %v", c.n, same, pairs, s.twice(s))
		}
	}
}
