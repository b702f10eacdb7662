package statement

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/statement/form"
	"github.com/fairstream/fairstream/internal/chance"
)

const (
	// A way of writing is rare if at most rarely of the values have it, and a text if at most seldom of them do. At most mostRare are named.
	rarely   = .02
	seldom   = .005
	mostRare = 5
	// Of columns with many ways of writing, as of free text, nothing is said.
	mostWays = 8
)

// rareWords name what only a few values are: another text than those of nearly all, or written in another way.
func (s *Sample) rareWords() string {
	type rare struct {
		words string
		rows  int
	}
	var found []rare
	for _, c := range s.columns {
		all := c.given
		if c.texts != nil && len(c.texts) <= mostTexts && !c.numeric {
			texts := c.textsOf(nil, neither)
			for _, hash := range slices.Sorted(maps.Keys(texts)) {
				if n := texts[hash]; float64(n) <= seldom*float64(all) {
					found = append(found, rare{fmt.Sprintf("%s is %s in %s", strconv.Quote(c.name), quoted(c.texts[hash]), english.Counted(n, "record")), n})
				}
			}
			continue
		}
		ways := c.whole(writing).forms
		if len(ways) > mostWays || c.numeric && !c.isTime() && !isCode(ways) {
			continue
		}
		for _, way := range slices.Sorted(maps.Keys(ways)) {
			if n := ways[way]; float64(n) <= rarely*float64(all) {
				found = append(found, rare{fmt.Sprintf("%s is written %s in %s", strconv.Quote(c.name), way, english.Counted(n, "record")), n})
			}
		}
	}
	if cut := s.cutWords(); len(found) == 0 {
		return cut
	} else if cut != "" {
		found = append(found, rare{words: strings.TrimSuffix(cut, ".")}) // the first
	}
	slices.SortStableFunc(found, func(a, b rare) int { return cmp.Compare(a.rows, b.rows) })
	var words []string
	for _, f := range found[:min(mostRare, len(found))] {
		words = append(words, f.words)
	}
	if more := len(found) - mostRare; more > 0 {
		words = append(words, fmt.Sprintf("%d more", more))
	}
	return strings.Join(words, "; ") + "."
}

const (
	// Texts may be cut if leastCut or more different ones, mostlyCut of all, have the length of the longest, which is of cutLetters at least, and some are shorter.
	leastCut   = 4
	mostlyCut  = .4
	cutLetters = 8
)

// cutWords name a column of which many texts have one length, and none is longer.
func (s *Sample) cutWords() string {
	for _, c := range s.columns {
		if c.texts == nil || c.numeric {
			continue
		}
		longest, with, spaced := 0, 0, false
		for _, text := range c.texts {
			n := utf8.RuneCountInString(text)
			if n > longest {
				longest, with, spaced = n, 0, false
			}
			if n == longest {
				with++
				spaced = spaced || strings.HasSuffix(text, " ")
			}
		}
		if of := len(c.texts); longest >= cutLetters && with < of && (spaced && with > 1 || with >= leastCut && float64(with) >= mostlyCut*float64(of)) {
			return fmt.Sprintf("%s has %d texts of exactly %d letters, and none of %d is longer: were they cut off?", strconv.Quote(c.name), with, longest, of)
		}
	}
	return ""
}

// isCode says whether nearly all numbers of a column are written in one way: then another is of note.
func isCode(ways map[form.Form]int) bool {
	most := 0
	for _, n := range ways {
		most = max(most, n)
	}
	return float64(most) >= (1-rarely)*float64(chance.Sum(ways))
}

const (
	// A rule holds nearly always if it has fewExceptions or more, in at most exceptional of the rows, and if by chance manyMore times as many would break it. The first
	// ruleColumns columns of numbers and of texts are held against each other, in at most ruleRows rows.
	fewExceptions = 3
	exceptional   = .02
	manyMore      = 10
	ruleColumns   = 16
	ruleRows      = 4096
)

// rule is what holds in nearly all rows.
type rule struct {
	words            string
	exceptions, rows int
}

// ruleWords name rules that a few records break.
func (s *Sample) ruleWords() string {
	var found []rule
	var amounts, texts []*column
	for _, c := range s.columns {
		switch {
		case c.numeric && len(amounts) < ruleColumns:
			amounts = append(amounts, c)
		case !c.numeric && c.texts != nil && len(c.texts) > 1 && len(texts) < ruleColumns:
			texts = append(texts, c)
		}
	}
	n := min(ruleRows, len(s.rows))
	for i, a := range amounts {
		for _, b := range amounts[:i] {
			if a.isTime() == b.isTime() {
				found = append(append(found, ordered(a, b, n)...), ordered(b, a, n)...)
			}
		}
	}
	for _, a := range texts {
		for _, b := range texts {
			if a != b {
				found = append(found, following(a, b, n)...)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b rule) int { return cmp.Compare(a.exceptions, b.exceptions) })
	var words []string
	for _, r := range found[:min(mostChanged, len(found))] {
		words = append(words, fmt.Sprintf("%s, but for %s", r.words, english.Sprintf("%d of %d records", r.exceptions, r.rows)))
	}
	if len(words) == 0 {
		return ""
	}
	return strings.Join(words, "; ") + "."
}

// ordered is the rule that the numbers of a column are at most those of another, beside them in the row.
func ordered(a, b *column, n int) []rule {
	rows, exceptions, chance, equal := 0, 0, 0, 0
	for r := range n {
		x, y := a.numbers[r], b.numbers[r]
		if math.IsNaN(x) || math.IsNaN(y) {
			continue
		}
		rows++
		if x > y {
			exceptions++
		}
		if x == y {
			equal++
		}
		if other := b.numbers[(r+n/2)%n]; x > other {
			chance++
		}
	}
	if !holds(exceptions, chance, rows) || 2*equal > rows {
		return nil
	}
	return []rule{{fmt.Sprintf("%s is at most %s", strconv.Quote(a.name), strconv.Quote(b.name)), exceptions, rows}}
}

// following is the rule that the text of a column goes with one text of another.
func following(a, b *column, n int) []rule {
	width := len(b.of)
	with, all := make([]int, len(a.of)*width), make([]int, width) // few: both columns have few texts
	rows := 0
	for r := range n {
		x, y := a.codes[r], b.codes[r]
		if x == 0 || y == 0 {
			continue
		}
		with[int(x)*width+int(y)]++
		all[y]++
		rows++
	}
	exceptions := rows
	for of := range slices.Chunk(with, width) {
		exceptions -= slices.Max(of)
	}
	if !holds(exceptions, rows-slices.Max(all), rows) {
		return nil
	}
	return []rule{{fmt.Sprintf("%s follows from %s", strconv.Quote(b.name), strconv.Quote(a.name)), exceptions, rows}}
}

// holds says whether a rule holds nearly always, and not by chance.
func holds(exceptions, chance, rows int) bool {
	return exceptions >= fewExceptions && float64(exceptions) <= exceptional*float64(rows) && chance >= manyMore*exceptions
}
