package statement

import (
	"fmt"
	"io"
	"strings"

	"github.com/fairstream/fairstream/internal/app/english"
)

// Write says what the records mean, a line of each thing.
func (s *Sample) Write(w io.Writer) {
	if s == nil || len(s.rows) < leastSaid {
		return
	}
	fmt.Fprintln(w, "\nIn plain words. Is each line what you expect?")
	if s.least > 0 {
		writeLine(w, "Records", english.Sprintf("what follows is of %d records that are spread evenly over all %d.", len(s.rows), s.records))
	}
	writeLine(w, "Decision", s.decision())
	for _, limit := range s.limits() {
		writeLine(w, "Limit", limit)
	}
	label := s.tell(s.labels, s.isFeature)
	writeLine(w, "Columns", s.columnsWords(label))
	writeLine(w, "Groups", s.groupWords())
	writeLine(w, "Numbers", s.numberWords())
	writeLine(w, "Weights", s.weightWords())
	writeLine(w, "Times", s.timeWords())
	writeLine(w, "Not known", s.missingWords())
	writeLine(w, "Together 0", s.zeroWords())
	writeLine(w, "Always the same", s.sameWords())
	writeLine(w, "Rare", s.rareWords())
	writeLine(w, "Rules", s.ruleWords())
	writeLine(w, "Copies", s.copiesWords())
	writeLine(w, "Order", s.orderWords())
	writeLine(w, "Labels", s.besideLabels())
	writeLine(w, "Parts", s.partWords(label))
	writeLine(w, "Gaps", s.gapWords())
	writeLine(w, "Settings", s.settingWords())
}

// settingWords list what was set otherwise than by default.
func (s *Sample) settingWords() string {
	if len(s.Settings) == 0 {
		return ""
	}
	return "not the defaults are " + strings.Join(s.Settings, "; ") + "."
}
