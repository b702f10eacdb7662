package statement

import (
	"fmt"
	"io"
	"strings"

	"github.com/fairstream/fairstream/internal/app/english"
)

// Write says what the records mean, and returns how many questions it asks: each is a sign of a mistake.
func (s *Sample) Write(w io.Writer) (questions int) {
	if s == nil || len(s.rows) < leastSaid {
		return 0
	}
	s.settle()
	said := lines{to: w}
	fmt.Fprintln(w, "\nIn plain words. Is each line what you expect?")
	if s.least > 0 {
		text := english.Sprintf("what follows is of %d records that are spread evenly over all %d.", len(s.rows), s.records)
		if s.Quick && s.roomOfAll() > quickRows {
			text += " For more of them, use check."
		}
		said.write("Records", text)
	}
	said.write("Decision", s.decision())
	for _, limit := range s.limits() {
		said.write("Limit", limit)
	}
	label := s.tell(s.labels, isFeature)
	if s.Decision == "" {
		said.write("Columns", s.columnsWords(label))
		said.write("Groups", s.groupWords())
	}
	said.write("Numbers", s.numberWords())
	said.write("Weights", s.weightWords())
	said.write("Times", s.timeWords())
	said.write("Not known", s.missingWords())
	said.write("Together 0", s.zeroWords())
	said.write("Always the same", s.sameWords())
	said.write("Rare", s.rareWords())
	said.write("Rules", s.ruleWords())
	if s.Decision == "" { // else features are not read
		said.write("Copies", s.copiesWords())
	}
	said.write("Order", s.orderWords())
	said.write("Labels", s.besideLabels())
	if s.Decision == "" {
		said.write("Parts", s.partWords(label))
		said.write("Gaps", s.gapWords())
	}
	said.write("Settings", s.settingWords())
	return said.questions
}

// settingWords list what was set otherwise than by default.
func (s *Sample) settingWords() string {
	if len(s.Settings) == 0 {
		return ""
	}
	return "not the defaults are " + strings.Join(s.Settings, "; ") + "."
}
