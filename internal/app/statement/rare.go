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
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
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
func isCode(ways map[form]int) bool {
	most := 0
	for _, n := range ways {
		most = max(most, n)
	}
	return float64(most) >= (1-rarely)*float64(sum(ways))
}

// key is the same of rows that are the same in all that is read, of another sample too.
func (s *Sample) key(r int) (all uint64) {
	if s.rows[r].positive {
		all = 1
	}
	for _, c := range s.columns {
		if c.hashes[r] != 0 && (!c.beside || c.attribute) {
			all += record.Mix(c.id, c.hashes[r]) // in any order
		}
	}
	return all
}

// leastCopies is the share of copies from which on they are told of.
const leastCopies = .0005

// copiesWords say how many records are the same as another in all that is read.
func (s *Sample) copiesWords() string {
	of := s.copies.share()
	if of < leastCopies {
		return ""
	}
	which := "the records equal"
	if s.compared < s.records {
		which = english.Sprintf("the first %d records equal", s.compared)
	}
	text := fmt.Sprintf("%s of %s an earlier one in all that is read.", share(of), which)
	if of >= leastTwice && s.twice(s) {
		text += " That is far more than chance explains: were records put in twice, or do files overlap?"
	}
	return text
}

const (
	// Records were put in twice if leastTwice of them equal another, and if, of leastPairs or more that equal one in all columns but the most various, mostlyTwice
	// do so in that one too. Of real records that are alike by chance, 12 % do at most.
	leastTwice  = .02
	leastPairs  = 20
	mostlyTwice = .3
	// The most various column is found in so many rows.
	variousRows = 2048
)

// twice says whether rows that equal one of another sample, or an earlier one of the same, do so because it is the same record.
func (s *Sample) twice(other *Sample) bool {
	same, pairs := s.alike(other)
	return pairs >= leastPairs && float64(same) >= mostlyTwice*float64(pairs)
}

// alike is how many rows equal one of another sample, or an earlier one of the same, in all columns but the most various, and how many of these in that one too.
func (s *Sample) alike(other *Sample) (same, pairs int) {
	c := s.mostVarious()
	if c == nil {
		return 0, 0
	}
	last := map[uint64]uint64{} // the value of the most various column, by all the others
	if other != s {
		of := other.names.Of(c.name)
		if of == nil {
			return 0, 0
		}
		for r := range other.rows {
			last[other.keyWithout(of, r)] = of.hashes[r]
		}
	}
	for r := range s.rows {
		key := s.keyWithout(c, r)
		if hash, known := last[key]; known {
			if pairs++; hash == c.hashes[r] {
				same++
			}
		}
		if other == s {
			last[key] = c.hashes[r]
		}
	}
	return same, pairs
}

// keyWithout is the same of rows that are the same in all that is read but for one column.
func (s *Sample) keyWithout(c *column, r int) uint64 {
	key := s.key(r)
	if c.hashes[r] != 0 {
		key -= record.Mix(c.id, c.hashes[r])
	}
	return key
}

// mostVarious is the column in which two rows are the same least often.
func (s *Sample) mostVarious() (most *column) {
	least, rows := 0, min(len(s.rows), variousRows)
	for _, c := range s.columns {
		if c.beside && !c.attribute {
			continue
		}
		counts, together := map[uint64]int{}, 0
		for _, hash := range c.hashes[:rows] {
			together += counts[hash]
			counts[hash]++
		}
		if most == nil || together < least {
			most, least = c, together
		}
	}
	return most
}

// Learnt says, in a warning, how many of the records that are held out were learnt; nothing if chance explains them.
func (s *Sample) Learnt(held *Sample) string {
	if s == nil || held == nil || len(held.rows) == 0 || len(s.rows) < leastSaid {
		return ""
	}
	s.settle()
	held.settle()
	copies, of := held.copies.among(&s.copies)
	if copies < leastPairs || float64(copies) < leastTwice*float64(of) || !held.twice(s) {
		return ""
	}
	which := english.Counted(of, "record")
	if int64(of) < held.records {
		which += " that were compared"
	}
	label := ", the label too"
	if s.config.Learner.Task == model.Regression {
		label = "" // it is a number that is not compared
	}
	return english.Sprintf("%d of %s were learnt: they equal a learnt record in all that is read%s. Measurements on them do not hold for new records: hold others out, or use --folds 5", copies, which, label)
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
	most := slices.Max(all)
	exceptions, different := rows, 0
	for of := range slices.Chunk(with, width) {
		if frequent := slices.Max(of); frequent > 0 {
			exceptions -= frequent
			different++
		}
	}
	if different < 2 || most == rows || !holds(exceptions, rows-most, rows) {
		return nil
	}
	return []rule{{fmt.Sprintf("%s follows from %s", strconv.Quote(b.name), strconv.Quote(a.name)), exceptions, rows}}
}

// holds says whether a rule holds nearly always, and not by chance.
func holds(exceptions, chance, rows int) bool {
	return rows >= leastCompared && exceptions >= fewExceptions && float64(exceptions) <= exceptional*float64(rows) && chance >= manyMore*exceptions
}
