package column

import (
	"fmt"

	"github.com/fairstream/fairstream/internal/inspect/find"
)

// Lines are sums of others if mostTotals of all records are at most: a category may have such a name, too.
const mostTotals = .05

// Sums finds lines that are sums of others.
func Sums(s *find.Search) {
	if s.Totals > 0 && float64(s.Totals) <= mostTotals*float64(s.Profile.Records()) {
		s.Say(false, "record", "%d records are probably sums of others: they hold a word such as \"Total\" and lack other values. Remove these lines", s.Totals)
	}
}

// Many texts that hold lines are no mistake: at most one in seldomLines records, those that it holds included.
const seldomLines = 50

// Swallowed finds texts that hold lines of a file.
func Swallowed(s *find.Search) {
	l := &s.Lost
	if l.Texts == 0 || seldomLines*l.Texts > s.Profile.Records()+l.Lines {
		return
	}
	which := fmt.Sprintf("the text of %q in record %d holds", l.Field, l.Record)
	if l.Texts > 1 {
		which = fmt.Sprintf("%d texts, the first of them that of %q in record %d, hold", l.Texts, l.Field, l.Record)
	}
	s.Say(false, "record", "%s %d lines that look like records: a quotation mark there is probably not closed, so these lines are lost. Close or remove it in the file", which, l.Lines)
}
