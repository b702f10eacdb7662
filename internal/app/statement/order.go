package statement

import (
	"fmt"
	"io"
	"strings"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/pkg/model"
)

// orderWords say what changes on the way through the records.
func (s *Sample) orderWords() string {
	if len(s.rows) < quarters*leastCompared {
		return ""
	}
	found := s.onTheWay()
	if len(found) == 0 {
		return "no column changes from the first record to the last by more than chance explains, as if the records had been shuffled."
	}
	places := [quarters]string{"the first quarter of the records", "the second quarter of the records", "the third quarter of the records", "the last quarter of the records"}
	var words []string
	for _, d := range found[:min(mostChanged, len(found))] {
		words = append(words, d.words(places[d.part], "the others"))
	}
	verb := "change"
	if len(found) == 1 {
		verb = "changes"
	}
	return fmt.Sprintf("%s of %d %s on the way, by more than chance: %s.", english.Counted(len(found), "column"), len(s.columns), verb, strings.Join(words, "; "))
}

// WriteHoldout says what records that are held out are like beside those that were learnt.
func (s *Sample) WriteHoldout(w io.Writer, held *Sample) {
	if s == nil || held == nil || len(held.rows) == 0 || len(s.rows) < leastSaid {
		return
	}
	s.settle()
	held.settle()
	text := english.Counted(held.records, "record") + " are held out"
	if held.known > 0 && s.known > 0 && s.config.Learner.Task != model.Regression {
		text += fmt.Sprintf(", of which %s have a positive label; of those that were learnt, %s have", english.Share(int(held.positive), int(held.known)), english.Share(int(s.positive), int(s.known)))
	}
	text += "."
	found := held.against(s)
	switch {
	case min(len(held.rows), len(s.rows)) < leastCompared:
	case len(found) == 0:
		text += " No column differs by more than chance."
	default:
		var words []string
		for _, d := range found[:min(mostChanged, len(found))] {
			words = append(words, d.words("these", "those that were learnt"))
		}
		verb := "differ"
		if len(found) == 1 {
			verb = "differs"
		}
		text += fmt.Sprintf(" %s of %d %s by more than chance: %s.", english.Counted(len(found), "column"), len(held.columns), verb, strings.Join(words, "; "))
	}
	(&lines{to: w}).write("Holdout", text+held.timesBeside(s))
}

// timesBeside say from when to when these records go and those that were learnt, by record.time.
func (s *Sample) timesBeside(learnt *Sample) string {
	name := s.config.Record.Time.Field
	if name == "" {
		return ""
	}
	c, other := s.names.Of(name), learnt.names.Of(name)
	if c == nil || other == nil || !c.isTime() || !other.isTime() || !c.numeric || !other.numeric {
		return ""
	}
	these, those := c.sorted(), other.sorted()
	text := fmt.Sprintf(" Their times go from %s to %s, and those of the learnt records from %s to %s.", c.number(these[0]), c.number(these[len(these)-1]), c.number(those[0]), c.number(those[len(those)-1]))
	if min(len(these), len(those)) >= leastCompared && these[len(these)-1-len(these)/20] < those[len(those)/20] {
		text += " So the oldest records are held out, and decisions are about the newest: were the two files exchanged?"
	}
	return text
}
