package statement

import (
	"fmt"
	"strconv"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

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

// nearlyAll is the share of copies from which on there are so few different records that it is asked why.
const nearlyAll = .95

// copiesWords say how many records are the same as another in all that is read, or have its identifier.
func (s *Sample) copiesWords() string {
	of := s.copies.Share()
	if of < leastCopies {
		return s.idWords()
	}
	which := "the records equal"
	if s.compared < s.records {
		which = english.Sprintf("the first %d records equal", s.compared)
	}
	text := fmt.Sprintf("%s of %s an earlier one in all that is read.", english.Percent(of), which)
	if of >= leastTwice && s.twice(s) {
		text += " That is far more than chance explains: were records put in twice, or do files overlap?"
	} else if of >= nearlyAll && 2*float64(s.copies.Different()) < s.possible() {
		text += english.Sprintf(" So only about %d records differ: were they put in many times, or is a column missing that tells them apart?", s.copies.Different())
	}
	if more := s.idWords(); more != "" {
		text += " " + more
	}
	return text
}

// possible is how many different records there could be by the different values of each column: with few, copies are natural.
func (s *Sample) possible() float64 {
	product := 2. // labels
	for _, c := range s.columns {
		if c.beside && !c.attribute {
			continue
		}
		different := map[uint64]bool{}
		for _, hash := range c.hashes {
			different[hash] = true
		}
		product *= float64(len(different))
	}
	return product
}

// manyAgain is the share of the identifiers that came before from which on it is asked whose they are.
const manyAgain = .02

// idWords say how many records have the identifier of an earlier one. Of all records check warns by itself.
func (s *Sample) idWords() string {
	of := s.ids.Share()
	if !s.Quick || of < manyAgain {
		return ""
	}
	return fmt.Sprintf("%s of the records have the %s of an earlier one: does it identify a person rather than a record?", english.Percent(of), strconv.Quote(s.config.Record.ID))
}

const (
	// Records were put in twice if leastTwice of them equal another, and if, of leastPairs or more that equal one in all columns but the most various, mostlyTwice
	// do so in that one too. Of real records that are alike by chance, 12 % do at most.
	leastTwice  = .02
	leastPairs  = 20
	mostlyTwice = .3
	// The most various column is found in so many rows, of which it puts at most commonPairs of the pairs together.
	variousRows = 2048
	commonPairs = .1
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

// mostVarious is the column in which two rows are the same least often; nil if they often are.
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
	if float64(least) > commonPairs*float64(rows)*float64(rows)/2 {
		return nil
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
	copies, of := held.copies.Among(&s.copies)
	if copies < leastPairs || float64(copies) < leastTwice*float64(of) || !held.twice(s) {
		return s.identified(held)
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

// identified says how many of the records that are held out have the identifier of one that was learnt; nothing if few do.
func (s *Sample) identified(held *Sample) string {
	same, of := held.ids.Among(&s.ids)
	if same < leastPairs || float64(same) < leastTwice*float64(of) {
		return ""
	}
	return fmt.Sprintf("%s of the held-out records have the same %s as a learnt record. If they are about the same people, measurements on them say little about other people: hold out people who are in no learnt record", english.Percent(float64(same)/float64(of)), strconv.Quote(s.config.Record.ID))
}
