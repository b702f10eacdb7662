package statement

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/statement/form"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// columnBy is a feature of n rows; an empty text is no value.
func columnBy(name string, n int, text func(r int) string) *column {
	c := &column{name: name, id: record.Hash([]byte(name)), feature: true, texts: map[uint64]string{},
		values: values{hashes: make([]uint64, n), numbers: make([]float64, n), ways: make([]uint8, n), codes: make([]uint16, n), forms: []form.Form{0}, of: []uint64{0}}}
	for r := range n {
		c.numbers[r] = math.NaN()
		if is := text(r); is != "" {
			v := c.read([]byte(is), record.Hash([]byte(is)))
			if c.hashes[r], c.numbers[r], c.ways[r] = v.hash, v.number, v.way; v.time {
				c.times++
			}
		}
	}
	c.finish(map[uint64]uint16{}, nil)
	return c
}

func columnOf(name string, texts ...string) *column {
	return columnBy(name, len(texts), func(r int) string { return texts[r] })
}

// numberBy is a column of n numbers.
func numberBy(name string, n int, number func(r int) float64) *column {
	return columnBy(name, n, func(r int) string { return strconv.FormatFloat(number(r), 'f', -1, 64) })
}

// sampleOf has the rows of some columns, without labels.
func sampleOf(columns ...*column) *Sample {
	s, err := New(configured(nil))
	if err != nil {
		panic(err)
	}
	s.columns, s.rows, s.settled = columns, make([]row, len(columns[0].hashes)), true
	for at, c := range columns {
		c.place = uint16(at)
		s.names.Make(c.name, c)
	}
	s.space = [2][]float64{make([]float64, 0, len(s.rows)), make([]float64, 0, len(s.rows))}
	s.records = int64(len(s.rows))
	return s
}

// labelled gives the rows labels: 1, 0, or none for another number.
func (s *Sample) labelled(label func(r int) int) *Sample {
	for r := range s.rows {
		of := &s.rows[r]
		of.labelled, of.positive = label(r) == 0 || label(r) == 1, label(r) == 1
		if of.labelled {
			s.known++
		}
		if of.positive {
			s.positive++
		}
	}
	return s
}

// TestTextsThatWereCutOff: enough texts have the length of the longest, or one blank at the end more than once, and others are shorter.
func TestTextsThatWereCutOff(t *testing.T) {
	short := []string{"one", "two", "three", "four", "five", "six", "seven"}
	long := []string{"abcdefgh", "bcdefghi", "cdefghij", "defghijk"}
	for name, c := range map[string]struct {
		texts []string
		want  string
	}{
		"four of ten":                   {slices.Concat(long, short[:6]), `"c" has 4 texts of exactly 8 letters, and none of 10 is longer: were they cut off?`},
		"four of eleven":                {slices.Concat(long, short), ""},
		"three of five":                 {slices.Concat(long[:3], short[:2]), ""},
		"all":                           {long, ""},
		"of seven letters":              {[]string{"abcdefg", "bcdefgh", "cdefghi", "defghij", "one"}, ""},
		"of eight letters, not bytes":   {[]string{"äbcdefgh", "bcdëfghi", "cdéfghij", "defghijk", "one"}, `"c" has 4 texts of exactly 8 letters, and none of 5 is longer: were they cut off?`},
		"a blank at one end":            {[]string{"abcdefg ", "bcdefghi", "one"}, `"c" has 2 texts of exactly 8 letters, and none of 3 is longer: were they cut off?`},
		"a blank at the end of one":     {[]string{"abcdefg ", "one"}, ""},
		"a blank before a longer text":  {[]string{"abcdefg ", "bcdefghi", "abcdefghi", "bcdefghij", "one"}, ""},
		"numbers":                       {[]string{"12345678", "23456789", "34567890", "45678901", "1"}, ""},
		"a longer text before the rest": {[]string{"abcdefghij", "abcdefgh", "bcdefghi", "cdefghij", "defghijk"}, ""},
	} {
		if got := sampleOf(columnOf("c", c.texts...)).cutWords(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if got := sampleOf(columnBy("c", 101, func(r int) string { return fmt.Sprintf("text %04d", r) }), columnOf("d", append(slices.Repeat([]string{"one"}, 97), long...)...)).cutWords(); !strings.HasPrefix(got, `"d" has 4 texts`) {
		t.Errorf("beside a column of many texts: %q", got)
	}
}

// TestZerosTogether: three columns or more that are 0 in enough of the same rows, and none that mostly is 0; of six and enough rows it is asked.
func TestZerosTogether(t *testing.T) {
	const n = 100
	for name, c := range map[string]struct {
		columns, zeros int
		mostly         bool
		want           string
	}{
		"three":                     {3, 5, false, "c0, c1 and c2 in the same 5 % of the records."},
		"two":                       {2, 5, false, ""},
		"two and one that mostly":   {2, 5, true, ""},
		"three and one that mostly": {3, 5, true, "c0, c1 and c2 in the same 5 % of the records."},
		"fewer rows":                {3, 4, false, ""},
		"five, many rows":           {5, 15, false, "c0, c1, c2, c3 and c4 in the same 15 % of the records."},
		"six, fewer rows":           {6, 14, false, "c0, c1, c2, c3, c4 and c5 in the same 14 % of the records."},
		"six, many rows":            {6, 15, false, `c0, c1, c2, c3, c4 and c5 in the same 15 % of the records. Does 0 stand for "not known"?`},
		"nine":                      {9, 15, false, `c0, c1, c2, c3, c4, c5, c6, c7 and 1 more in the same 15 % of the records. Does 0 stand for "not known"?`},
	} {
		var columns []*column
		for k := range c.columns {
			columns = append(columns, numberBy(fmt.Sprint("c", k), n, func(r int) float64 { return float64(max(0, r-c.zeros+1)) }))
		}
		if c.mostly {
			columns = append(columns, numberBy("mostly", n, func(r int) float64 { return float64(r / 50) }))
		}
		columns = append(columns, columnBy("text", n, func(int) string { return "a" }))
		if got := sampleOf(columns...).zeroWords(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	apart := func(from int) func(r int) float64 {
		return func(r int) float64 {
			if r >= from && r < from+6 || r >= 50 && r < 60 {
				return 0
			}
			return float64(r + 1)
		}
	}
	if got, want := sampleOf(numberBy("a", n, apart(0)), numberBy("b", n, apart(0)), numberBy("c", n, apart(0)), numberBy("d", n, apart(20))).zeroWords(), "a, b, c and d in the same 10 % of the records."; got != want {
		t.Errorf("of two sets: %q, want %q", got, want)
	}
}

// TestFrequentNumbers: which one is the most frequent, how often it and the next come, and whether numbers are standardized.
func TestFrequentNumbers(t *testing.T) {
	for _, c := range []struct {
		x       []float64
		most    float64
		n, next int
	}{
		{nil, 0, 0, 0}, {[]float64{7}, 7, 1, 0}, {[]float64{1, 1, 2}, 1, 2, 1}, {[]float64{1, 2, 2}, 2, 2, 1}, {[]float64{1, 1, 2, 2}, 1, 2, 2}, {[]float64{1, 2, 2, 2, 3, 3}, 2, 3, 2}, {[]float64{1, 1, 2, 3, 3, 3}, 3, 3, 2},
	} {
		if most, n, next := mostFrequent(c.x); most != c.most || n != c.n || next != c.next {
			t.Errorf("%v: %v %d times, the next %d times", c.x, most, n, next)
		}
	}
	for name, c := range map[string]struct {
		x    []float64
		want bool
	}{
		"of mean 0 and deviation 1":     {[]float64{-1.2, -.8, .8, 1.2}, true}, // the mean of the squares is 1.04
		"whole numbers":                 {[]float64{-1, -1, 1, 1}, false},
		"a mean a little above 0":       {[]float64{-1.181, -.781, .819, 1.219}, true},
		"a mean further above 0":        {[]float64{-1.179, -.779, .821, 1.221}, false},
		"a mean below 0":                {[]float64{-1.221, -.821, .779, 1.179}, false},
		"a deviation a little above 1":  {[]float64{-1.2, -.81, .81, 1.2}, false},
		"a deviation far below 1":       {[]float64{-.5, -.25, .25, .5}, false},
		"a far mean, and a deviation 1": {[]float64{8.8, 9.2, 10.8, 11.2}, false},
	} {
		if got := standardized(c.x); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestNumbersThatWereFilledIn: the mean or the middle of two hundred others or more, and no round number.
func TestNumbersThatWereFilledIn(t *testing.T) {
	const mean, middle = ", the mean of the others: was it filled in where the value is not known?", ", the middle of the others: was it filled in where the value is not known?"
	even := func(n int) (x []float64) { // with the mean n and the deviation 2n/√12
		for i := range n {
			x = append(x, float64(2*i+1))
		}
		return x
	}
	skewed := func(n int) (x []float64) {
		for i := range n {
			x = append(x, float64(i*i))
		}
		return x
	}
	for name, c := range map[string]struct {
		others []float64
		often  float64
		want   string
	}{
		"the mean":                {even(202), 202, mean},
		"of fewer others":         {even(199), 198, ""},
		"of just enough others":   {even(200), 202, mean},
		"a round number":          {even(210), 210, ""},
		"another round number":    {even(205), 205, ""},
		"near the mean":           {even(202), 204, mean},
		"not so near":             {even(202), 206, ""},
		"the middle":              {skewed(203), 10201, middle},
		"below the middle":        {skewed(203), 9962, middle},
		"further below it":        {skewed(203), 9901, ""},
		"other numbers, repeated": {slices.Sorted(slices.Values(append(even(150), even(150)...))), 150.4, ""},
	} {
		x := slices.Sorted(slices.Values(append(slices.Repeat([]float64{c.often}, 50), c.others...)))
		if got := filledWords(x, c.often); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestRulesThatAreBroken: three times or more, in one of fifty rows at most, and by chance in ten times as many.
func TestRulesThatAreBroken(t *testing.T) {
	for _, c := range []struct {
		exceptions, chance, rows int
		want                     bool
	}{
		{3, 30, 150, true}, {2, 30, 150, false}, {3, 29, 150, false}, {3, 30, 149, false}, {4, 40, 200, true}, {4, 39, 200, false}, {5, 50, 249, false}, {0, 0, 150, false},
	} {
		if got := holds(c.exceptions, c.chance, c.rows); got != c.want {
			t.Errorf("%d of %d rows, %d by chance: %v", c.exceptions, c.rows, c.chance, got)
		}
	}
	const n = 200
	low := numberBy("low", n, func(r int) float64 { return float64(r % 70) })
	high := func(broken, equal, missing int) *column {
		return columnBy("high", n, func(r int) string {
			switch {
			case r >= 1 && r <= broken:
				return "-1"
			case r >= 50 && r < 50+missing:
				return ""
			case r >= n-equal:
				return strconv.Itoa(r % 70)
			}
			return strconv.Itoa(r%70 + 1 + r%7)
		})
	}
	for name, c := range map[string]struct {
		high *column
		want []rule
	}{
		"three times":                 {high(3, 0, 0), []rule{{`"low" is at most "high"`, 3, n}}},
		"twice":                       {high(2, 0, 0), nil},
		"equal in half of the rows":   {high(3, 100, 0), []rule{{`"low" is at most "high"`, 3, n}}},
		"equal in more of the rows":   {high(3, 101, 0), nil},
		"without some of the numbers": {high(3, 0, 50), []rule{{`"low" is at most "high"`, 3, n - 50}}},
	} {
		if got := ordered(low, c.high, n); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	town := columnBy("town", n, func(r int) string { return []string{"Kiel", "Ulm", "Bonn"}[r%3] })
	for name, c := range map[string]struct {
		state func(r int) string
		want  []rule
	}{
		"three times": {func(r int) string {
			return map[bool]string{true: "HH", false: []string{"SH", "BW", "NW"}[r%3]}[r%60 == 7]
		}, []rule{{`"state" follows from "town"`, 4, n}}},
		"not at all": {func(r int) string { return []string{"SH", "BW", "NW"}[r%3] }, nil},
		"at random":  {func(r int) string { return []string{"SH", "BW", "NW"}[r/3%3] }, nil},
		"one state":  {func(r int) string { return "SH" }, nil},
		"some without a state": {func(r int) string {
			if r < 20 {
				return ""
			}
			return map[bool]string{true: "HH", false: []string{"SH", "BW", "NW"}[r%3]}[r%60 == 27]
		}, []rule{{`"state" follows from "town"`, 3, n - 20}}},
	} {
		if got := following(town, columnBy("state", n, c.state), n); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	if got := following(columnBy("a", n, func(int) string { return "x" }), columnBy("b", n, func(r int) string { return []string{"u", "v"}[r/197] }), n); got != nil {
		t.Errorf("from one text: %v", got)
	}
}

// TestLabelsByQuarter: shares of a hundred rows or more in each quarter, unlike if the rarer label is half again as frequent in one as in another.
func TestLabelsByQuarter(t *testing.T) {
	const n = 8000
	labels := func(known int, positive ...int) func(r int) int { // of each quarter
		return func(r int) int {
			if at := r % 2000; at >= known {
				return -1
			} else if at < positive[r/2000] {
				return 1
			}
			return 0
		}
	}
	plain := func(n int) *Sample { return sampleOf(numberBy("x", n, func(r int) float64 { return float64(r) })) }
	for name, c := range map[string]struct {
		label  func(r int) int
		unlike bool
	}{
		"alike":                              {labels(2000, 240, 240, 240, 240), false},
		"half again as frequent":             {labels(2000, 240, 240, 240, 360), true},
		"a little less":                      {labels(2000, 240, 240, 240, 359), false},
		"half again as frequent, the first":  {labels(2000, 360, 240, 240, 240), true},
		"of the rarer label":                 {labels(2000, 1760, 1760, 1760, 1640), true},
		"of the rarer label, a little less":  {labels(2000, 1760, 1760, 1760, 1641), false},
		"where half are positive":            {labels(2000, 1300, 900, 900, 900), false},
		"enough known":                       {labels(100, 0, 0, 0, 100), true},
		"too few known":                      {labels(99, 0, 0, 0, 99), false},
		"much more frequent, but by chance":  {labels(100, 2, 2, 2, 6), false},
		"not known in three of the quarters": {func(r int) int { return map[bool]int{true: r % 2, false: -1}[r < 2000] }, false},
	} {
		s := plain(n).labelled(c.label)
		if got := s.unlikeByQuarter(s.all()); got != c.unlike {
			t.Errorf("%s: unlike %v", name, got)
		}
	}
	even := func(r int) int { return r % 2 }
	s := plain(400).labelled(even)
	if got := s.byQuarter(s.all()); !slices.Equal(got, []string{"50 %", "50 %", "50 %", "50 %"}) {
		t.Errorf("of 400: %v", got)
	}
	if got := s.byQuarter(s.all()[:399]); got != nil {
		t.Errorf("of 399: %v", got)
	}
	s = plain(400).labelled(func(r int) int { return []int{1, -1, 0, 1}[r/100] })
	if got := s.byQuarter(s.all()); !slices.Equal(got, []string{"100 %", "none is known", "0 %", "100 %"}) {
		t.Errorf("not known in one quarter: %v", got)
	}
	s.config.Learner.Task = model.Regression
	if got := s.byQuarter(s.all()); got != nil {
		t.Errorf("of numbers: %v", got)
	}
	if s := plain(400); s.byQuarter(s.all()) != nil {
		t.Error("of no label")
	}
	const half = "That is exactly half: was the file balanced?"
	for n, want := range map[int]bool{1000: true, 998: false, 1001: false} {
		if got := plain(n).labelled(even).decision(); strings.Contains(got, half) != want {
			t.Errorf("of %d: %s", n, got)
		}
	}
}

// TestWhatTwoPartsAreComparedIn: parts of a hundred rows, and values of thirty.
func TestWhatTwoPartsAreComparedIn(t *testing.T) {
	number := func(given int) *column {
		return columnBy("x", 300, func(r int) string { return map[bool]string{true: strconv.Itoa(r % 40)}[r%100 < given] })
	}
	kinds := func(c *column, n, m int) (found []kind) {
		sides := make([]side, 300)
		for r := range n {
			sides[r] = ofPart
		}
		for r := range m {
			sides[299-r] = ofRest
		}
		var space [2][]float64
		p, rest := c.parts(sides, missing|writing|numbers|category, &space)
		for _, d := range compare(c, p, rest, c.numeric) {
			found = append(found, d.kind)
		}
		return found
	}
	text := columnBy("t", 300, func(r int) string { return []string{"a", "b"}[r%2] })
	many := columnBy("m", 300, func(r int) string { return fmt.Sprint("text ", r) })
	for name, c := range map[string]struct{ got, want []kind }{
		"numbers":                  {kinds(number(100), 100, 100), []kind{missing, writing, numbers}},
		"a smaller part":           {kinds(number(100), 99, 100), nil},
		"a smaller rest":           {kinds(number(100), 100, 99), nil},
		"thirty values":            {kinds(number(30), 100, 100), []kind{missing, writing, numbers}},
		"fewer values":             {kinds(number(29), 100, 100), []kind{missing}},
		"texts":                    {kinds(text, 100, 100), []kind{missing, writing, category}},
		"more texts than are kept": {kinds(many, 100, 100), []kind{missing, writing}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
	a, b := &column{name: "a"}, &column{name: "b"}
	limit := math.Log(3) + beyondChance
	found := beyond([]difference{{column: a, surprise: limit, size: .1}, {column: b, surprise: 99, size: .2}, {column: a, surprise: limit, size: .3}})
	if len(found) != 2 || found[0].column != a || found[0].size != .3 || found[1].column != b {
		t.Errorf("%+v", found)
	}
	if found := beyond([]difference{{column: a, surprise: math.Nextafter(math.Log(1)+beyondChance, 0), size: .1}}); found != nil {
		t.Errorf("by chance: %+v", found)
	}
	for limit, want := range map[float64]float64{0: 0, 1: .25, 1.5: .25, 2: .75, 3: 1, 4: 1} {
		if got := upTo([]float64{1, 2, 2, 3}, limit); got != want {
			t.Errorf("up to %v: %v, want %v", limit, got, want)
		}
	}
	if got := upTo(nil, 1); got != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

// TestNumbersAndTextsInWords: years and amounts, fractions, days, texts that would not be seen as one word, and lists.
func TestNumbersAndTextsInWords(t *testing.T) {
	plain := columnOf("x", "1")
	for x, want := range map[float64]string{0: "0", math.Copysign(0, -1): "0", 9999: "9999", 10000: "10,000", -9999: "-9999", -10000: "-10,000", 1e15: "1e+15", 999999999999999: "999,999,999,999,999", 1.23456: "1.235"} {
		if got := plain.number(x); got != want {
			t.Errorf("%v: %q, want %q", x, got, want)
		}
	}
	for _, c := range []struct {
		texts []string
		want  string
	}{{[]string{"2024-01-02", "7"}, "7"}, {[]string{"2024-01-02", "2024-01-03", "7"}, "1 January 1970"}} {
		if got := columnOf("at", c.texts...).number(7); got != c.want {
			t.Errorf("%q: %q, want %q", c.texts, got, c.want)
		}
	}
	for text, want := range map[string]string{"": `""`, "a": "a", "a b": `"a b"`, "a,b": `"a,b"`, `a"b`: `"a\"b"`, "a\u200bb": `"a\u200bb"`, "ä": "ä"} {
		if got := quoted(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	for most, want := range map[int]string{1: "a and 2 more", 2: "a, b and 1 more", 3: "a, b and c"} {
		if got := some([]string{"a", "b", "c"}, most); got != want {
			t.Errorf("%d at most: %q, want %q", most, got, want)
		}
	}
	var text strings.Builder
	said := lines{to: &text}
	said.write("A", "")
	said.write("B", "one? two? And three?")
	said.write("C", "what? no.")
	said.write("D", "none")
	if want := "- B: one? two? And three?\n- C: what? no.\n- D: none\n"; text.String() != want || said.questions != 4 {
		t.Errorf("%d questions in %q", said.questions, text.String())
	}
}

// TestRareValues: texts of one in two hundred values, ways to write one in fifty, and nothing of columns that are written in many ways.
func TestRareValues(t *testing.T) {
	const n = 400
	texts := func(rare, different int) *column {
		return columnBy("kind", n, func(r int) string {
			if r < rare {
				return "odd"
			}
			return fmt.Sprint("k", r%different)
		})
	}
	codes := func(rare int, ways ...string) *column {
		return columnBy("code", n, func(r int) string {
			if r < rare {
				return ways[r%len(ways)]
			}
			return fmt.Sprintf("%c%03d", 'A'+r%26, r)
		})
	}
	for name, c := range map[string]struct {
		column *column
		want   string
	}{
		"a text of one in two hundred":         {texts(2, 3), `"kind" is odd in 2 records.`},
		"a text of more":                       {texts(3, 3), ""},
		"one of twelve texts":                  {texts(2, mostTexts-1), `"kind" is odd in 2 records.`},
		"one of thirteen texts":                {texts(2, mostTexts), `"kind" is written with small letters in 2 records.`},
		"a way to write one in fifty":          {codes(8, "12-34"), `"code" is written`},
		"a way to write more":                  {codes(9, "12-34"), ""},
		"eight ways to write":                  {codes(7, "1-2", "a1", "a", "A", "a b", "A-", "ä"), `"code" is written`},
		"numbers, one in fifty otherwise":      {columnBy("n", n, func(r int) string { return map[bool]string{true: "1.5", false: strconv.Itoa(1000 + r)}[r < 8] }), `"n" is written`},
		"numbers, more otherwise":              {columnBy("n", n, func(r int) string { return map[bool]string{true: "1.5", false: strconv.Itoa(1000 + r)}[r < 9] }), ""},
		"nine ways to write":                   {codes(8, "1-2", "a1", "a", "A", "a b", "A-", "ä", "aA"), ""},
		"numbers that are written in one way":  {columnBy("n", n, func(r int) string { return map[bool]string{true: "1.5", false: strconv.Itoa(1000 + r)}[r < 4] }), `"n" is written`},
		"numbers that are written in two ways": {columnBy("n", n, func(r int) string { return map[bool]string{true: "1.5", false: strconv.Itoa(1000 + r)}[r < 200] }), ""},
	} {
		if got := sampleOf(c.column).rareWords(); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
