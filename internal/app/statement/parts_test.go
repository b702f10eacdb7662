package statement

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestWithinPlaces: the areas of all places but one count by their pairs, if they have thirty rows of each class.
func TestWithinPlaces(t *testing.T) {
	place := func(ones, below, area float64) tally {
		return tally{ones: ones, below: below, wins: area * ones * below}
	}
	none, a, b, c, few := place(99, 99, .1), place(30, 40, .8), place(60, 60, .7), place(50, 50, .2), place(29, 90, .1)
	area, deviation := within([]tally{none, a, b, c, few, {}}, 3)
	pairs := 30.*40 + 60*60
	if want := (1200*.8 + 3600*.7) / pairs; math.Abs(area-want) > 1e-12 {
		t.Errorf("area %v, want %v", area, want)
	}
	if want := math.Hypot(1200*deviationOf(.8, 30, 40), 3600*deviationOf(.7, 60, 60)) / pairs; math.Abs(deviation-want) > 1e-12 {
		t.Errorf("deviation %v, want %v", deviation, want)
	}
	if area, _ := within([]tally{none, a, few}, 1); !math.IsNaN(area) {
		t.Errorf("of no other place: %v", area)
	}
	// Hanley and McNeil's deviation of an area of one half, and of 0.8 with 30 and 40 rows.
	for _, c := range []struct{ a, ones, others, want float64 }{{.5, 30, 40, math.Sqrt((.25 + 29*(1./3-.25) + 39*(1./3-.25)) / 1200)}, {.8, 30, 40, math.Sqrt((.16 + 29*(.8/1.2-.64) + 39*(1.28/1.8-.64)) / 1200)}} {
		if got := deviationOf(c.a, c.ones, c.others); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("of %v: %v, want %v", c.a, got, c.want)
		}
	}
}

// TestNumbersFarOff: by five times, either way, of one sign, and no times.
func TestNumbersFarOff(t *testing.T) {
	number, day := columnOf("x", "1", "2"), columnOf("at", "2024-01-02", "2024-01-03")
	for _, c := range []struct {
		of       *column
		part, to float64
		want     bool
	}{{number, 5, 1, true}, {number, 1, 5, true}, {number, 4.99, 1, false}, {number, 1, 4.99, false}, {number, -5, -1, true}, {number, -5, 1, false}, {number, 5, 0, false}, {number, 0, 5, false}, {number, .5, .1, true}, {day, 5, 1, false}} {
		if got := (&difference{column: c.of, middle: [2]float64{c.part, c.to}}).farOff(); got != c.want {
			t.Errorf("%s %v beside %v: %v", c.of.name, c.part, c.to, got)
		}
	}
	for n, want := range map[int]bool{1: false, 2: true, mostTexts: true, mostTexts + 1: false} {
		if got := columnBy("c", 100, func(r int) string { return fmt.Sprint("t", r%n) }).isCategory(); got != want {
			t.Errorf("%d texts are a category: %v", n, got)
		}
	}
	if columnOf("x", "1", "2", "1").isCategory() {
		t.Error("numbers are a category")
	}
}

// TestGapsInPlaces: of a column that has no value in half of the records of a place, or numbers of another size there, in places of a hundred records.
func TestGapsInPlaces(t *testing.T) {
	const n = 1200
	const question = `"x" has no value in `
	place := func(r int) string { return fmt.Sprint("p", r%3) }
	number := func(r int) int { return 100 + r%37 }
	for name, c := range map[string]struct {
		place func(r int) string
		x     func(r int) string
		want  string
	}{
		"everywhere": {place, func(r int) string { return fmt.Sprint(number(r)) }, ""},
		"no value in half": {place, func(r int) string {
			return map[bool]string{true: fmt.Sprint(number(r))}[r%3 > 0 || r/3%2 > 0]
		}, question + `50 % of the records where "place" is p0 and in 0 % of the others.`},
		"no value in fewer": {place, func(r int) string {
			return map[bool]string{true: fmt.Sprint(number(r))}[r%3 > 0 || r/3%100 >= 49]
		}, ""},
		"a small place": {func(r int) string { return map[bool]string{true: "small", false: "p" + fmt.Sprint(r%2)}[r < 100] }, func(r int) string {
			return map[bool]string{true: fmt.Sprint(number(r))}[r >= 100]
		}, question + `100 % of the records where "place" is small and in 0 % of the others.`},
		"a smaller place": {func(r int) string { return map[bool]string{true: "small", false: "p" + fmt.Sprint(r%2)}[r < 99] }, func(r int) string {
			return map[bool]string{true: fmt.Sprint(number(r))}[r >= 99]
		}, ""},
		"another unit": {place, func(r int) string {
			return fmt.Sprint(map[bool]int{true: 1000, false: 1}[r%3 == 0] * number(r))
		}, `"x" is at most 136 in 0 % of the records where "place" is p0 and in 100 % of the others. Is "x" in the same unit there?`},
		"larger by five": {place, func(r int) string {
			return fmt.Sprint(map[bool]int{true: 5, false: 1}[r%3 == 0] * number(r))
		}, `"x" is at most 136 in 0 % of the records where "place" is p0 and in 100 % of the others. Is "x" in the same unit there?`},
		"larger by a half": {place, func(r int) string {
			return fmt.Sprint(map[bool]int{true: 30, false: 0}[r%3 == 0] + number(r))
		}, ""},
		"days of another year": {place, func(r int) string {
			return time.Date(map[bool]int{true: 2010, false: 2020}[r%3 == 0], 1, 1+r%28, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		}, `"x" is at most 28 January 2010 in 100 % of the records where "place" is p0 and in 0 % of the others.`},
		"one of two places": {func(r int) string { return fmt.Sprint("p", r%2) }, func(r int) string {
			return map[bool]string{true: fmt.Sprint(number(r))}[r%2 > 0]
		}, question},
	} {
		got := sampleOf(columnBy("place", n, c.place), columnBy("x", n, c.x)).gapWords()
		if c.want == "" && got != "" || !strings.HasPrefix(got, c.want) || c.want != question && got != c.want || c.want == question && strings.Count(got, question) != 1 {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestHowManyGapsAreLookedFor: a quick sample of all records is looked at as others are, one of a long input in fewer places.
func TestHowManyGapsAreLookedFor(t *testing.T) {
	const places, numbers = 10, 8
	place := columnBy("place", mostRows, func(r int) string { return fmt.Sprint("p", r%places) })
	hashes := slices.Sorted(maps.Keys(place.texts))
	last := place.texts[hashes[places-1]] // it is looked at last
	columns := []*column{place}
	for k := range numbers {
		columns = append(columns, columnBy(fmt.Sprint("x", k), mostRows, func(r int) string {
			return map[bool]string{true: fmt.Sprint(r % 37)}[k < numbers-1 || fmt.Sprint("p", r%places) != last]
		}))
	}
	for _, c := range []struct {
		quick bool
		least int
		want  bool
	}{{false, 0, true}, {false, 1, true}, {true, 0, true}, {true, 1, false}} {
		s := sampleOf(columns...)
		s.Quick, s.least = c.quick, c.least
		if got := s.gapWords(); strings.Contains(got, last) != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// TestColumnsThatAreTurnedRound in one place: which way, and how far on either side.
func TestColumnsThatAreTurnedRound(t *testing.T) {
	const n = 1600
	for name, c := range map[string]struct {
		there, elsewhere int // positive of a hundred in the upper half of x, and as many fewer in the lower half
		places           int
		want             string
	}{
		"rarer there":         {20, 80, 4, `Where "place" is p0, positive labels are rarer for larger values of "x"; in the other records it is the other way round. Does that column have the same unit and direction in both?`},
		"more frequent there": {80, 20, 4, `Where "place" is p0, positive labels are more frequent for larger values of "x"; in the other records it is the other way round. Does that column have the same unit and direction in both?`},
		"as elsewhere":        {80, 80, 4, ""},
		"hardly turned":       {47, 80, 4, ""},
		"turned of little":    {20, 53, 4, ""},
		"one place":           {20, 80, 1, ""},
	} {
		x := numberBy("x", n, func(r int) float64 { return float64(r / 4 % 100) })
		s := sampleOf(x, columnBy("place", n, func(r int) string { return fmt.Sprint("p", r%c.places) })).labelled(func(r int) int {
			upper := c.elsewhere
			if r%4 == 0 {
				upper = c.there
			}
			if r/4%100 < 50 {
				upper = 100 - upper
			}
			return map[bool]int{true: 1}[r/4*37%100 < upper]
		})
		if got := s.turnedColumn(s.tell(s.labels, isFeature)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestPlacesWhereColumnsTellNothing: labels that go with nothing in one place, or in one quarter, though they do elsewhere; not where few rows say so, and not where
// other columns tell them in a way of their own.
func TestPlacesWhereColumnsTellNothing(t *testing.T) {
	const n = 2400
	label := func(r int) int { return map[bool]int{true: 1}[r*37%100 < 50] } // by x below
	x := func(r int) float64 { return float64(r * 37 % 100) }
	random := func(r int) int { return r * r / 7 % 2 }
	for name, c := range map[string]struct {
		label func(r int) int
		own   func(r int) float64
		want  string
	}{
		"nowhere": {label, nil, ""},
		"in a place": {func(r int) int {
			if r/100%4 == 1 {
				return random(r)
			}
			return label(r)
		}, nil, `where "place" is p1, the columns tell `},
		"in the last quarter": {func(r int) int {
			if r >= 1800 {
				return random(r)
			}
			return label(r)
		}, nil, "in the last quarter of the records, the columns tell "},
		"in a way of its own": {func(r int) int {
			if r/100%4 == 1 {
				return random(r)
			}
			return label(r)
		}, func(r int) float64 {
			if r/100%4 == 1 {
				return float64(100*random(r) + r%90)
			}
			return float64(r % 190)
		}, ""},
	} {
		columns := []*column{numberBy("x", n, x), columnBy("place", n, func(r int) string { return fmt.Sprint("p", r/100%4) })}
		if c.own != nil {
			columns = append(columns, numberBy("own", n, c.own))
		}
		s := sampleOf(columns...).labelled(c.label)
		if got := s.partWords(s.tell(s.labels, isFeature)); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	few := sampleOf(numberBy("x", 50, x)).labelled(label)
	if got := few.partWords(few.tell(few.labels, isFeature)); got != "" {
		t.Errorf("of few rows: %q", got)
	}
}

// TestGroupsToldTheOtherWayRound in one place: of groups that the columns tell well enough in all records, and far enough the other way there.
func TestGroupsToldTheOtherWayRound(t *testing.T) {
	const n = 2000
	for name, c := range map[string]struct {
		there, elsewhere int // of a hundred with an x of the upper half that are of the first group, and as many fewer of the lower half
		rows             int // that are there
		places           int
		want             string
	}{
		"turned":                 {10, 90, 400, 5, ` Where "place" is p0, they tell 10`},
		"as elsewhere":           {90, 90, 400, 5, ""},
		"hardly turned":          {40, 90, 400, 5, ""},
		"not told in all":        {10, 60, 1000, 2, ""},
		"turned, of few":         {10, 90, 50, 3, ""},
		"one of two places":      {10, 90, 400, 2, ` Where "place" is p0, they tell 10`},
		"one of twelve places":   {10, 90, 400, mostTexts, ` Where "place" is p0, they tell 10`},
		"turned, of thirty":      {0, 90, 60, 3, ` Where "place" is p0, they tell `},
		"turned, of fewer":       {0, 90, 59, 3, ""},
		"one of too many places": {10, 90, 400, mostTexts + 1, ""},
	} {
		x := numberBy("x", n, func(r int) float64 { return float64(r * 37 % 100) })
		s := sampleOf(x, columnBy("place", n, func(r int) string {
			if r < c.rows {
				return "p0"
			}
			return fmt.Sprint("p", 1+r/100%(c.places-1))
		})).labelled(func(r int) int {
			first := c.elsewhere
			if r < c.rows {
				first = c.there
			}
			if r*37%100 < 50 {
				first = 100 - first
			}
			return map[bool]int{true: 1}[r*61%100 < first]
		})
		told := s.tell(s.labels, func(c *column) bool { return c == x })
		got := s.turnedWords(told, `"sex"`)
		if !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") || got != "" && !strings.HasSuffix(got, `, the other way round: does "sex" have the same codes there?`) {
			t.Errorf("%s: together %v: %q, want %q", name, told.together, got, c.want)
		}
	}
}
