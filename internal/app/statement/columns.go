package statement

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/chance"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
)

const (
	// So many columns are named that tell most of the label, and that differ in how they are filled in.
	mostTelling = 5
	mostChanged = 3
	// From nearlyCertain on the columns probably know the outcome. A column goes with a class by its size from nearlyChance on.
	nearlyCertain = .98
	nearlyChance  = .55
	// One column of real records tells less than tellsMuch of the label.
	tellsMuch = .85
)

// isFeature says whether decisions depend on a column.
func isFeature(c *column) bool { return c.feature }

// columnsWords say what the columns tell of the label.
func (s *Sample) columnsWords(t telling) string {
	n := 0
	for _, c := range s.columns {
		if c.feature {
			n++
		}
	}
	text := fmt.Sprintf("decisions depend on %s, which must be known by then.", english.Counted(n, "column"))
	if s.omitted {
		text = fmt.Sprintf("decisions depend on more than %d columns, which must be known by then.", n)
	}
	if s.config.Learner.Task == model.Regression || len(t.alone) == 0 {
		return text
	}
	text += fmt.Sprintf(" Of 100 pairs of a positive and a negative record, they together tell %s apart; 50 is chance.", pairs(t.together))
	switch {
	case t.together >= nearlyCertain:
		text += " That is rarely possible before the outcome is known: does one of them know it?"
	case t.nothing():
		text += " That is no better than chance: are the labels beside the right records?"
	}
	var words []string
	for _, a := range t.alone[:min(mostTelling, len(t.alone))] {
		word := fmt.Sprintf("%s %s", quoted(a.column.name), pairs(a.area))
		switch {
		case a.rising >= nearlyChance:
			word += " (more where it is larger)"
		case a.rising <= 1-nearlyChance:
			word += " (more where it is smaller)"
		case a.area >= nearlyChance+(nearlyChance-.5) && !math.IsNaN(a.rising):
			word += " (not by its size: is it a code?)"
		}
		words = append(words, word)
	}
	text += " Alone: " + strings.Join(words, ", ") + "."
	if a := t.alone[0]; a.area >= tellsMuch && t.together < nearlyCertain {
		text += fmt.Sprintf(" A single column rarely tells as much as %s does: is it known before the outcome, and not a result of it?", quoted(a.column.name))
	}
	return text
}

// manyFilled is the difference between the shares of the labels from which on it is a sign of a mistake.
const manyFilled = .25

// filledIn says which columns are missing, or written otherwise, in one part of the rows, and how large the largest difference is.
func (s *Sample) filledIn(sides []side, of, others string, is func(*column) bool) (said string, size float64) {
	var all []difference
	for _, d := range s.between(0, sides, missing|writing, is) {
		if d.kind == missing || d.kind == writing && d.column.texts == nil { // of a category, how it is written follows from its value
			all = append(all, d)
		}
	}
	var words []string
	for _, d := range beyond(all) {
		words = append(words, d.words(of, others))
		size = max(size, d.size)
	}
	return strings.Join(words[:min(mostChanged, len(words))], "; "), size
}

// tellsUnused is from when on a column that is not used separates the groups.
const tellsUnused = .9

// groupWords say which columns differ between the groups of the first constraint.
func (s *Sample) groupWords() string {
	for k, c := range s.grouper.Comparisons() {
		if !c.Known() {
			continue
		}
		class := func(r int) (first, known bool) {
			side := s.sides[k][r]
			return side == fairness.Group, side == fairness.Group || side == fairness.Versus
		}
		t := s.tell(class, isFeature)
		if len(t.alone) == 0 {
			continue
		}
		var words []string
		for _, a := range t.alone[:min(mostTelling, len(t.alone))] {
			words = append(words, fmt.Sprintf("%s %s", quoted(a.column.name), pairs(a.area)))
		}
		group, versus := quoted(c.GroupLabel()), quoted(c.VersusLabel())
		text := fmt.Sprintf("of 100 pairs of %s and %s, the same columns tell %s apart.", group, versus, pairs(t.together))
		if t.noGroups() {
			text += fmt.Sprintf(" That is no better than chance: was %s joined to the right records, and is it about the same people?", attributes(c))
		}
		text += " Alone: " + strings.Join(words, ", ") + "."
		text += s.turnedWords(t, attributes(c))
		unused := s.tell(class, func(c *column) bool { return !c.feature && !c.attribute })
		for _, a := range unused.alone[:min(1, len(unused.alone))] {
			if a.area >= tellsUnused {
				text += fmt.Sprintf(" %s, which no decision depends on, tells %s: are both groups from the same time and the same source?", quoted(a.column.name), pairs(a.area))
			}
		}
		if words, _ := s.filledIn(s.divided(class), group, versus, isFeature); words != "" {
			text += " Recorded differently: " + words + "."
		}
		return text
	}
	return ""
}

const (
	// Groups are told the other way round in a part if the columns tell at most turned of the pairs there, and at least told of all.
	turned = .4
	told   = .6
	// A part of the rows is one text of a column with at most mostTexts; of the first partColumns such columns.
	mostTexts   = 12
	partColumns = 24
)

// turnedWords say in which records with one text of a column the other columns tell the groups apart the other way round than elsewhere.
func (s *Sample) turnedWords(t telling, attribute string) string {
	if !(t.together >= told) {
		return ""
	}
	var most tally
	where, surprise, tried, columns := "", 0., 0, 0
	for _, c := range s.columns {
		if len(c.texts) < 2 || len(c.texts) > mostTexts || columns == partColumns {
			continue
		}
		columns++
		for code, part := range t.byText(c) {
			if code == 0 || min(part.ones, part.below) < leastOfClass {
				continue
			}
			tried++
			a := part.area()
			if by := chance.Tail((.5 - a) / deviationOf(a, part.ones, part.below)); a <= turned && by > surprise {
				most, surprise = part, by
				where = fmt.Sprintf("%s is %s", strconv.Quote(c.name), quoted(c.texts[c.of[code]]))
			}
		}
	}
	if where == "" || surprise < beyondChance+math.Log(float64(tried)) {
		return ""
	}
	return fmt.Sprintf(" Where %s, they tell %s, the other way round: does %s have the same codes there?", where, pairs(most.area()), attribute)
}

// besideLabels say which columns are filled in otherwise beside positive labels.
func (s *Sample) besideLabels() string {
	words, size := s.filledIn(s.divided(s.labels), "the positive records", "the negative ones", isFeature)
	if words != "" {
		words += "."
	}
	if size >= manyFilled {
		words += " Was this filled in after the outcome, or are some of the records made up?"
	}
	unused := func(c *column) bool { return !c.feature && !c.attribute }
	if others, size := s.filledIn(s.divided(s.labels), "the positive records", "the negative ones", unused); size >= manyFilled {
		words = strings.TrimSpace(words + " Of the columns that are not read, and should stay unread: " + others + ".")
	}
	return words
}
