package profile

import (
	"fmt"
	"math"
	"testing"
	"time"
)

// tallied is a tally of a column in which so many values are different.
func tallied(name string, values, different int, set func(*tally)) *tally {
	c := newTally(name)
	c.values, c.told = values, values
	for i := range different {
		c.seen.Make(uint64(i)+1, 1)
	}
	if set != nil {
		set(c)
	}
	return c
}

// TestBoundsOfKinds: at each bound a column is of the one kind, and just below it of the next one.
func TestBoundsOfKinds(t *testing.T) {
	numbers := func(c *tally) { c.numbers, c.rising, c.falling = c.values, false, false }
	integers := func(low, high float64, width int) func(*tally) {
		return func(c *tally) { numbers(c); c.integers, c.low, c.high, c.width = c.values, low, high, width }
	}
	for name, c := range map[string]struct {
		tally *tally
		share float64
		want  Kind
	}{
		"no value":                             {tallied("c", 0, 0, nil), 0, Empty},
		"one value":                            {tallied("c", 5, 1, nil), .2, Constant},
		"one value before there was no room":   {tallied("c", 5, 1, func(c *tally) { c.full = true }), .2, ManyValues},
		"booleans":                             {tallied("c", 5, 2, func(c *tally) { c.booleans = 5 }), .4, Boolean},
		"booleans but one":                     {tallied("c", 5, 2, func(c *tally) { c.booleans = 4 }), .4, Category},
		"known identifiers":                    {tallied("c", 100, 90, func(c *tally) { c.known = 95 }), .5, Identifier},
		"fewer known identifiers":              {tallied("c", 100, 90, func(c *tally) { c.known = 94 }), .5, Category},
		"numbers":                              {tallied("c", 50, 30, numbers), .6, Number},
		"formatted":                            {tallied("c", 100, fewTexts+1, func(c *tally) { c.formatted, c.numbers = 94, 1 }), .3, Formatted},
		"formatted, few":                       {tallied("c", 100, fewTexts+1, func(c *tally) { c.formatted, c.numbers = 93, 1 }), .1, Category},
		"formatted, of few texts":              {tallied("c", 100, fewTexts, func(c *tally) { c.formatted, c.numbers = 94, 1 }), .1, Category},
		"formatted identifiers":                {tallied("id", 100, fewTexts+1, func(c *tally) { c.formatted, c.numbers = 94, 1 }), .1, Category},
		"mostly numbers":                       {tallied("c", 100, 50, func(c *tally) { c.numbers = 80 }), .5, Spoilt},
		"less than mostly numbers":             {tallied("c", 100, 50, func(c *tally) { c.numbers = 79 }), .5, Category},
		"sentences":                            {tallied("c", leastValues, 10, func(c *tally) { c.words = 3 * leastValues }), .3, FreeText},
		"sentences, too few":                   {tallied("c", leastValues-1, 10, func(c *tally) { c.words = 3 * leastValues }), .3, Category},
		"sentences, too short":                 {tallied("c", leastValues, 10, func(c *tally) { c.words = 3*leastValues - 1 }), .3, Category},
		"sentences that repeat":                {tallied("c", leastValues, 10, func(c *tally) { c.words = 3 * leastValues }), .29, Category},
		"many sentences that repeat":           {tallied("c", 10_000, 500, func(c *tally) { c.words = 30_000 }), .05, FreeText},
		"fewer sentences that repeat":          {tallied("c", 10_000, 499, func(c *tally) { c.words = 30_000 }), .05, Category},
		"mostly different":                     {tallied("c", leastValues, 18, nil), .9, Identifier},
		"mostly different, too few":            {tallied("c", leastValues-1, 18, nil), .9, Category},
		"not mostly different":                 {tallied("c", leastValues, 17, nil), .89, Category},
		"named, half of them different":        {tallied("id", leastValues, 10, nil), .5, Identifier},
		"named, too few":                       {tallied("id", leastValues-1, 10, nil), .5, Category},
		"named, less than half different":      {tallied("id", leastValues, 9, nil), .49, Category},
		"many values":                          {tallied("c", 505, manyDistinct+1, nil), .2, ManyValues},
		"not so many values":                   {tallied("c", 505, manyDistinct, nil), .2, Category},
		"many values of a small share":         {tallied("c", 5000, manyDistinct+1, nil), .19, Category},
		"whole numbers by name":                {tallied("id", leastValues, 10, integers(1, 9, -1)), .5, Identifier},
		"whole numbers by name, too few":       {tallied("id", leastValues-1, 10, integers(1, 9, -1)), .5, Number},
		"whole numbers by name that repeat":    {tallied("id", leastValues, 9, integers(1, 9, -1)), .49, Number},
		"numbers by name, one with a fraction": {tallied("id", leastValues, 10, func(c *tally) { integers(1, 9, -1)(c); c.integers-- }), .5, Number},
		"whole numbers that rise":              {tallied("c", leastValues, 20, func(c *tally) { integers(1, 900, -1)(c); c.rising = true }), 1, Identifier},
		"whole numbers that fall":              {tallied("c", leastValues, 20, func(c *tally) { integers(1, 900, -1)(c); c.falling = true }), 1, Identifier},
		"whole numbers that count":             {tallied("c", leastLong, leastLong, integers(5, 4+leastLong, -1)), 1, Identifier},
		"whole numbers that do not count":      {tallied("c", leastLong, leastLong, integers(5, 5+leastLong, -1)), 1, Number},
		"whole numbers that count, too few":    {tallied("c", leastLong-1, leastLong-1, integers(5, 3+leastLong, -1)), 1, Number},
		"whole numbers that count, one twice":  {tallied("c", leastLong, leastLong-1, integers(5, 4+leastLong, -1)), .99, Number},
		"long numbers":                         {tallied("c", leastLong, leastLong, integers(100_000, 999_999, longNumber)), 1, Identifier},
		"numbers that are less long":           {tallied("c", leastLong, leastLong, integers(10_000, 99_999, longNumber-1)), 1, Number},
		"long numbers, too few":                {tallied("c", leastLong-1, leastLong-1, integers(100_000, 999_999, longNumber)), 1, Number},
		"long numbers, one twice":              {tallied("c", leastLong, leastLong-1, integers(100_000, 999_999, longNumber)), .99, Number},
	} {
		if got, why := c.tally.kind(c.share); got != c.want {
			t.Errorf("%s: %s (%s), want %s", name, got, why, c.want)
		}
	}
}

// TestBoundsOfTimes: texts that are nearly all times, and numbers of seconds or milliseconds that are many, different, and in the years 2000 to 2040.
func TestBoundsOfTimes(t *testing.T) {
	const first, last = 946684800, 2208988800
	seconds := func(low, high float64) func(*tally) {
		return func(c *tally) { c.integers, c.low, c.high, c.rising = c.values, low, high, true }
	}
	texts := func(layout, n int) func(*tally) { return func(c *tally) { c.times[layout] = n } }
	compact := len(timeLayouts) - 1
	for name, c := range map[string]struct {
		tally *tally
		want  bool
	}{
		"texts":                        {tallied("c", 100, 50, texts(0, 95)), true},
		"fewer texts":                  {tallied("c", 100, 50, texts(0, 94)), false},
		"eight digits":                 {tallied("c", leastValues, 10, texts(compact, leastValues)), true},
		"eight digits, too few":        {tallied("c", leastValues-1, 10, texts(compact, leastValues-1)), false},
		"eight digits, not all":        {tallied("c", 100, 10, texts(compact, 99)), false},
		"eight digits and a date":      {tallied("c", 5, 5, func(c *tally) { c.times[compact], c.times[0] = 4, 1 }), true},
		"seconds":                      {tallied("c", leastValues, 11, seconds(first, last)), true},
		"milliseconds":                 {tallied("c", leastValues, 11, seconds(1000*first, 1000*last)), true},
		"seconds, too early":           {tallied("c", leastValues, 11, seconds(first-1, last)), false},
		"seconds, too late":            {tallied("c", leastValues, 11, seconds(first, last+1)), false},
		"milliseconds, too early":      {tallied("c", leastValues, 11, seconds(1000*first-1, 1000*last)), false},
		"milliseconds, too late":       {tallied("c", leastValues, 11, seconds(1000*first, 1000*last+1)), false},
		"seconds, too few":             {tallied("c", leastValues-1, 11, seconds(first, last)), false},
		"seconds that repeat":          {tallied("c", leastValues, 10, seconds(first, last)), false},
		"seconds, one with a fraction": {tallied("c", leastValues, 11, func(c *tally) { seconds(first, last)(c); c.integers-- }), false},
		"seconds in any order":         {tallied("c", leastValues, 11, func(c *tally) { seconds(first, last)(c); c.rising = false }), false},
		"seconds by name":              {tallied("created_at", leastValues, 11, func(c *tally) { seconds(first, last)(c); c.rising = false }), true},
	} {
		if got := c.tally.isTime(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestTimesThatAreReadInOneWay: no eight digits, no month that may be a day, and no year that stands for never.
func TestTimesThatAreReadInOneWay(t *testing.T) {
	at := time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"2026-03-04": at, "04.03.2026": at, "2026-03-04T05:06:07Z": at.Add(5*time.Hour + 6*time.Minute + 7*time.Second), "2026-03-04 05:06": at.Add(5*time.Hour + 6*time.Minute),
		"20260304": {}, "03/04/2026": {}, "13/04/2026": {}, "9999-12-31": {}, "0001-01-01": {}, "2026-3-4": {}, "-026-03-04": {}, "x": {},
		"2026-03-04T05:06:07.000000000123456+01:00": {}, "2026-03-04T05:06:07.00000000000000+01:00": at.Add(4*time.Hour + 6*time.Minute + 7*time.Second), "1799-12-31": {}, "2200-01-01": {},
	} {
		got, ok := ParseTime([]byte(text))
		if ok == want.IsZero() || ok && !got.Equal(want) {
			t.Errorf("%s: %v, %v", text, got, ok)
		}
	}
}

// TestWhatATallyKeepsOfNumbers: ends and how many they are, the next ones, the spread, and whether they rise or fall.
func TestWhatATallyKeepsOfNumbers(t *testing.T) {
	tally := func(texts ...string) *tally {
		c := newTally("c")
		for i, text := range texts {
			c.add([]byte(text), uint64(i)+1, true)
		}
		return c
	}
	for name, c := range map[string]struct {
		texts                        []string
		low, high, nextLow, nextHigh float64
		lows, highs, width, integers int
		rising, falling              bool
	}{
		"one":     {[]string{"7"}, 7, 7, math.Inf(1), math.Inf(-1), 1, 1, 1, 1, true, true},
		"rising":  {[]string{"7", "8", "9"}, 7, 9, 8, 8, 1, 1, 1, 3, true, false},
		"falling": {[]string{"19", "18", "17"}, 17, 19, 18, 18, 1, 1, 2, 3, false, true},
		"equal":   {[]string{"7", "7"}, 7, 7, math.Inf(1), math.Inf(-1), 2, 2, 1, 2, false, false},
		"mixed":   {[]string{"1", "12", "1", "12", "5.5"}, 1, 12, 5.5, 5.5, 2, 2, -1, 4, false, false},
		"a text":  {[]string{"1", "x", "2"}, 1, 2, 2, 1, 1, 1, 1, 2, false, false},
	} {
		got := tally(c.texts...)
		if got.low != c.low || got.high != c.high || got.nextLow != c.nextLow || got.nextHigh != c.nextHigh || got.lows != c.lows || got.highs != c.highs ||
			got.width != c.width || got.integers != c.integers || got.rising != c.rising || got.falling != c.falling {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if d := tally("1", "3", "5", "7").describe(9); math.Abs(d.Deviation-math.Sqrt(5)) > 1e-12 || d.Records != 9 || d.Values != 4 || d.Distinct != 4 || d.DistinctShare != 1 {
		t.Errorf("%+v", d)
	}
	c := newTally("c")
	for i := range fewOdd + 1 {
		if c.add(fmt.Append(nil, "text ", i), uint64(i)+1, true); c.oddMany != (i == fewOdd) {
			t.Errorf("after %d odd texts: too many %v", i+1, c.oddMany)
		}
	}
	full := newTally("c")
	if more := full.add([]byte("a"), 1, false); more != 0 || !full.full || full.told != 0 || full.texts != nil {
		t.Errorf("without room: %+v", full)
	}
	if more := full.add([]byte("b"), 2, true); more != 0 || full.seen.Len() != 0 {
		t.Errorf("after there was no room: %d more", more)
	}
}

// TestColumnsThatAreNoFeatures: of which kinds they are, and what it takes that nobody doubts it.
func TestColumnsThatAreNoFeatures(t *testing.T) {
	for kind, want := range map[Kind]bool{Empty: false, Constant: false, Boolean: false, Number: false, Spoilt: false, Formatted: false, Category: false, ManyValues: false, Identifier: true, Time: true, FreeText: true} {
		if kind.NoFeature() != want {
			t.Errorf("%s is no feature: %v", kind, !want)
		}
	}
	counted := func(low, high float64, rising, falling bool) func(*tally) {
		return func(c *tally) {
			c.numbers, c.low, c.high, c.rising, c.falling = c.values, low, high, rising, falling
		}
	}
	numbers := counted(0, 1e6, false, false)
	halfTexts := func(c *tally) { c.numbers, c.rising, c.falling = c.values/2, false, false }
	for name, c := range map[string]struct {
		name   string
		values int
		set    func(*tally)
		kind   Kind
		share  float64
		want   bool
	}{
		"texts":                             {"c", 100, nil, Identifier, .95, true},
		"fewer texts":                       {"c", 99, nil, Identifier, .95, false},
		"texts of which more repeat":        {"c", 100, nil, Identifier, .94, false},
		"half of them numbers":              {"c", 100, halfTexts, Identifier, .95, false},
		"a counter":                         {"c", 100, counted(1, 200, true, false), Identifier, 1, true},
		"a counter that goes down":          {"c", 100, counted(1, 200, false, true), Identifier, 1, true},
		"a counter with more gaps":          {"c", 100, counted(1, 201, true, false), Identifier, 1, false},
		"numbers in any order":              {"c", 100, counted(1, 100, false, false), Identifier, 1, false},
		"numbers by their name":             {"customer_id", 100, numbers, Identifier, .95, true},
		"numbers of which more repeat":      {"customer_id", 100, numbers, Identifier, .94, false},
		"formatted":                         {"c", 100, nil, Formatted, .95, true},
		"formatted of which more repeat":    {"c", 100, nil, Formatted, .94, false},
		"formatted, half of them plain":     {"c", 100, halfTexts, Formatted, .95, false},
		"free text":                         {"c", 100, nil, FreeText, .9, true},
		"free text of which more repeats":   {"c", 100, nil, FreeText, .89, false},
		"times":                             {"c", 100, nil, Time, .5, true},
		"times of which more repeat":        {"c", 100, nil, Time, .49, false},
		"times as numbers":                  {"c", 100, numbers, Time, .5, false},
		"texts of another kind":             {"c", 100, nil, ManyValues, 1, false},
		"numbers that are all their values": {"c", 100, numbers, Number, 1, false},
	} {
		if got := tallied(c.name, c.values, 2, c.set).certain(&Column{Kind: c.kind, DistinctShare: c.share}); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
