package seen

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/profile"
)

// endsOf are the ends of a column with these numbers.
func endsOf(numbers ...[]float64) *Ends {
	e := &Ends{}
	for _, x := range slices.Concat(numbers...) {
		e.Add(x)
		e.powers.add(x)
		e.rise.add(x)
	}
	return e
}

// spread are n numbers between low and high, in a random order.
func spread(n int, low, high float64) (x []float64) {
	for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(n) {
		x = append(x, low+(high-low)*float64(i)/float64(n))
	}
	return x
}

func times(x []float64, factor float64) (y []float64) {
	for _, v := range x {
		y = append(y, v*factor)
	}
	return y
}

// TestFactor: the unit changes by each factor that is known, in both directions, and by no other.
func TestFactor(t *testing.T) {
	first := spread(UnitNumbers, 50, 60)
	for _, f := range factors {
		for _, f := range []float64{f, 1 / f} {
			if got := endsOf(first, times(first, f)).Factor(); got != f {
				t.Errorf("%v times larger: %v", f, got)
			}
		}
	}
	for name, e := range map[string]*Ends{
		"the same":               endsOf(first, first),
		"one number too few":     endsOf(first, times(first, 100)[1:]),
		"no known factor":        endsOf(first, times(first, 5)),
		"other numbers at first": endsOf(first, times(first, 100), first), // the newest are the first again
		"of another shape":       endsOf(first, times(spread(UnitNumbers, 20, 90), 100)),
		"nine different ones":    endsOf(slices.Repeat(spread(9, 50, 60), 57)[:UnitNumbers], times(slices.Repeat(spread(9, 50, 60), 57)[:UnitNumbers], 100)),
	} {
		if got := e.Factor(); got != 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
	ten := slices.Repeat(spread(10, 50, 60), 52)[:UnitNumbers]
	if got := endsOf(ten, times(ten, 100)).Factor(); got != 100 {
		t.Errorf("ten different ones: %v", got)
	}
	if got := endsOf(first, first, times(first, 12)).Factor(); got != 12 {
		t.Errorf("the newest numbers: %v", got)
	}
}

// TestLeftAndContinues: which columns leave what they were, and which go on as another was.
func TestLeftAndContinues(t *testing.T) {
	low, high := spread(UnitNumbers, 10, 20), spread(UnitNumbers, 30, 40)
	a, b, same := endsOf(low, high), endsOf(high, low), endsOf(low, low)
	if !a.Left() || !b.Left() || same.Left() || endsOf(low, high[1:]).Left() {
		t.Error("which columns left what they were")
	}
	if half := slices.Concat(low[:UnitNumbers/2], high[UnitNumbers/2:]); !endsOf(low, half).Left() {
		t.Error("half of the numbers are others, and the column did not leave what it was")
	}
	if !a.Continues(b) || !b.Continues(a) || a.Continues(same) || !same.Continues(a) || a.Continues(a) {
		t.Error("which columns go on as others were")
	}
}

// TestSorted: numbers that rise or fall, but for one step in two hundred.
func TestSorted(t *testing.T) {
	climb := func(up, down int) *Ends {
		x := make([]float64, 0, up+down+1)
		at := 0.
		for range up + 1 {
			at += 3
			x = append(x, at)
		}
		for range down { // down and up again are two steps; the last of x is above its neighbour by three
			at--
			x = append(x, at)
		}
		return endsOf(x)
	}
	for _, c := range []struct {
		up, down int
		want     bool
	}{{20, 0, true}, {19, 0, false}, {200, 1, true}, {199, 1, false}, {0, 20, true}, {1, 200, true}, {1, 199, false}, {400, 2, true}} {
		if got := climb(c.up, c.down).Sorted(); got != c.want {
			t.Errorf("%d steps up and %d down: %v", c.up, c.down, got)
		}
	}
	if endsOf(slices.Repeat([]float64{7}, 100)).Sorted() {
		t.Error("equal numbers are sorted")
	}
}

// TestGap: numbers of two kinds, how many of each there are, how far apart they are, and how many differ.
func TestGap(t *testing.T) {
	kinds := func(low, high []float64) *Ends {
		x := slices.Concat(low, high)
		rand.New(rand.NewPCG(3, 4)).Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
		return endsOf(x)
	}
	g := kinds(spread(150, 10, 20), spread(150, 1000, 2000)).Gap()
	if g.Low != 10 || math.Abs(g.Below-20) > .1 || g.Above != 1000 || math.Abs(g.High-2000) > 10 || g.Upper != .5 || g.Of != 300 {
		t.Errorf("%+v", g)
	}
	for name, c := range map[string]struct {
		e    *Ends
		want bool
	}{
		"eight times apart":      {kinds(spread(150, 10, 20.0001), append(spread(149, 170, 900), 160.1)), true},
		"less":                   {kinds(append(spread(149, 10, 20), 20), append(spread(149, 170, 900), 159)), false},
		"two hundred numbers":    {kinds(spread(100, 10, 20), spread(100, 1000, 2000)), true},
		"one fewer":              {kinds(spread(100, 10, 20), spread(99, 1000, 2000)), false},
		"a twentieth":            {kinds(spread(285, 10, 20), spread(15, 1000, 2000)), true},
		"less than a twentieth":  {kinds(spread(286, 10, 20), spread(14, 1000, 2000)), false},
		"nine different ones":    {kinds(spread(150, 10, 20), slices.Repeat(spread(9, 1000, 2000), 20)), false},
		"ten different ones":     {kinds(spread(150, 10, 20), slices.Repeat(spread(10, 1000, 2000), 20)), true},
		"zeros do not count":     {kinds(spread(100, 10, 20), append(spread(99, 1000, 2000), 0)), false},
		"percent beside shares":  {kinds(spread(200, .2, .9), times(spread(200, .2, .9), 100)), true},
		"degrees of two scales":  {kinds(spread(200, 200, 210), spread(200, 1.8*200+32, 1.8*210+32)), false}, // less than twice apart
		"degrees that are apart": {kinds(spread(200, 10, 12), spread(200, 1.8*10+32, 1.8*12+32)), true},
		"two shapes, four times": {kinds(spread(200, 10, 12), slices.Repeat(spread(20, 50, 300), 10)), false},
	} {
		if got := c.e.Gap().Upper > 0; got != c.want {
			t.Errorf("%s: %+v", name, c.e.Gap())
		}
	}
	both := slices.Concat(spread(UnitNumbers/2, 10, 20), spread(UnitNumbers/2, 1000, 2000))
	if endsOf(both, both).Gap().Upper == 0 || endsOf(both, spread(UnitNumbers, 10, 20)).Gap().Upper > 0 || endsOf(both, times(both, 1000)).Gap().Upper > 0 {
		t.Error("a gap must be at both ends of a long column")
	}
}

// TestFar: a few numbers that are more than 2^10 times all others.
func TestFar(t *testing.T) {
	for name, c := range map[string]struct {
		e           *Ends
		above       int64
		below, from int
	}{
		"far":             {endsOf(slices.Repeat([]float64{100}, 195), slices.Repeat([]float64{1 << 18}, 5)), 5, 7, 18},
		"just far":        {endsOf(slices.Repeat([]float64{1}, 195), slices.Repeat([]float64{1 << 11}, 5)), 5, 1, 11},
		"not quite":       {endsOf(slices.Repeat([]float64{1}, 195), slices.Repeat([]float64{1 << 10}, 5)), 0, 0, 0},
		"too few of all":  {endsOf(slices.Repeat([]float64{1}, 194), slices.Repeat([]float64{1 << 20}, 5)), 0, 0, 0},
		"a twentieth":     {endsOf(slices.Repeat([]float64{1}, 190), slices.Repeat([]float64{1 << 20}, 10)), 10, 1, 20},
		"too many":        {endsOf(slices.Repeat([]float64{1}, 189), slices.Repeat([]float64{1 << 20}, 11)), 0, 0, 0},
		"of two sizes":    {endsOf(slices.Repeat([]float64{1}, 190), slices.Repeat([]float64{1 << 20}, 5), slices.Repeat([]float64{-1 << 22}, 5)), 10, 1, 20},
		"zero, infinity":  {endsOf(slices.Repeat([]float64{1}, 199), []float64{math.Inf(1), 0, 0}), 0, 0, 0},
		"between is some": {endsOf(slices.Repeat([]float64{1}, 190), []float64{1 << 8}, slices.Repeat([]float64{1 << 15}, 9)), 0, 0, 0},
	} {
		above, all, below, from := c.e.Far()
		if above != c.above || below != c.below || from != c.from || all < 190 {
			t.Errorf("%s: %d of %d, between 2^%d and 2^%d", name, above, all, below, from)
		}
	}
}

// TestCodes: which numbers stand for "not known".
func TestCodes(t *testing.T) {
	column := func(change func(c *profile.Column)) *profile.Column {
		c := &profile.Column{Values: 1000, Distinct: 200, Low: 18, LowCount: 20, NextLow: 19, High: 90, HighCount: 3, NextHigh: 89, Mean: 40}
		change(c)
		return c
	}
	low := func(code, next float64, count int) func(c *profile.Column) {
		return func(c *profile.Column) { c.Low, c.NextLow, c.LowCount = code, next, count }
	}
	high := func(code, next float64, count int) func(c *profile.Column) {
		return func(c *profile.Column) { c.High, c.NextHigh, c.HighCount = code, next, count }
	}
	for name, c := range map[string]struct {
		change func(c *profile.Column)
		want   string
	}{
		"none":                   {func(*profile.Column) {}, ""},
		"-1":                     {low(-1, 0, 10), "-1"},
		"-1 in few":              {low(-1, 0, 9), ""},
		"-1 among negative ones": {low(-1, -.5, 10), ""},
		"-999":                   {low(-999, 18, 10), "-999"},
		"-777":                   {low(-777, 18, 10), "-777"},
		"-88":                    {low(-88, 18, 10), "-88"},
		"-555":                   {low(-555, 18, 10), ""},
		"-998":                   {low(-998, 18, 10), ""},
		"-9":                     {low(-9, 0, 10), "-9"},
		"-7":                     {low(-7, 0, 10), "-7"},
		"-9 in few":              {low(-9, 0, 9), ""},
		"-9 among negative ones": {low(-9, -8, 10), ""},
		"-6":                     {low(-6, 0, 10), ""},
		"-99.5":                  {low(-99.5, 18, 10), ""},
		"0 far from all":         {low(0, 18, 20), "0"},
		"0 in few":               {low(0, 18, 19), ""},
		"0 in most":              {low(0, 18, 401), ""},
		"0 in two fifths":        {low(0, 18, 400), "0"},
		"0 near the others":      {low(0, 4.7, 20), ""},
		"0 beside 1":             {func(c *profile.Column) { low(0, 1, 20)(c); c.High, c.Mean = 2, 1 }, ""},
		"0, of many, by mean":    {func(c *profile.Column) { low(0, 5, 20)(c); c.High = 2000 }, "0"},
		"0, of few, by mean":     {func(c *profile.Column) { low(0, 5, 20)(c); c.High, c.Distinct = 2000, 99 }, ""},
		"0, near the mean":       {func(c *profile.Column) { low(0, 4.7, 20)(c); c.High = 2000 }, ""},
		"0, at a distance":       {func(c *profile.Column) { low(0, 30, 20)(c); c.High, c.Distinct = 200, 99 }, "0"},
		"0, by the mean":         {func(c *profile.Column) { low(0, 12, 20)(c); c.High, c.Mean = 2000, 100 }, "0"},
		"far by half":            {func(c *profile.Column) { high(99, 67, 20)(c); c.Low = 3 }, ""},
		"9999":                   {high(9999, 90, 20), "9999"},
		"99, near the others":    {high(99, 90, 20), ""},
		"999 in few":             {high(999, 90, 19), ""},
		"888":                    {high(888, 90, 20), ""},
		"far by half the range":  {high(99, 72.1, 20), ""},
		"far by just more":       {high(99, 71.9, 20), "99"},
		"far from all above 18":  {func(c *profile.Column) { high(99, 66.5, 20)(c); c.Low = 2 }, "99"},
		"not as far above 18":    {func(c *profile.Column) { high(99, 66.5, 20)(c); c.Low = 1 }, ""},
		"both":                   {func(c *profile.Column) { low(-1, 18, 10)(c); high(9999, 90, 20)(c) }, "-1 9999"},
		"of more values":         {func(c *profile.Column) { low(-1, 18, 10)(c); c.Values = 2001 }, ""},
		"of as many":             {func(c *profile.Column) { low(-1, 18, 10)(c); c.Values = 2000 }, "-1"},
	} {
		got := ""
		for _, code := range CodesOf(column(c.change)) {
			if got += " " + code.Text; code.Count < 10 || code.Low > code.High {
				t.Errorf("%s: %+v", name, code)
			}
		}
		if got != map[bool]string{true: " "}[c.want != ""]+c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	for _, c := range []struct {
		low, high float64
		name      string
		want      bool
	}{{0, 1, "p", true}, {.25, .75, "p", true}, {.26, 1, "p", false}, {0, .74, "p", false}, {0, 1.1, "p", false}, {0, 100, "p", true}, {200, 900, "p", true}, {0, 1001, "p", false}, {-.1, 1, "p", false}, {0, 90, "age", false}} {
		if got := IsScore(&profile.Column{Name: c.name, Low: c.low, High: c.high}); got != c.want {
			t.Errorf("%s from %v to %v is a score: %v", c.name, c.low, c.high, got)
		}
	}
}

// TestNumerals: how numbers are written.
func TestNumerals(t *testing.T) {
	for _, c := range []struct {
		text string
		want Numerals
	}{
		{"12", Numerals{Short: 1}}, {"1234", Numerals{Other: 1}}, {"1.234", Numerals{Thousands: 1}}, {"123.456", Numerals{Thousands: 1}}, {"0.234", Numerals{Other: 1}}, {"1.23", Numerals{Other: 1}},
		{"1.2345", Numerals{Other: 1}}, {"-1.234", Numerals{Other: 1}}, {".234", Numerals{Other: 1}}, {"1.23E+05", Numerals{Other: 1, Exponents: 1}}, {"1.23e5", Numerals{Other: 1}}, {"1.a34", Numerals{Other: 1}}, {"999", Numerals{Short: 1}},
	} {
		var n Numerals
		if n.add([]byte(c.text)); n != c.want {
			t.Errorf("%s: %+v", c.text, n)
		}
	}
}
