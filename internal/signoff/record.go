package signoff

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/history"
)

// record says how far the record behind the report can be trusted.
func (s *Sheet) record() Section {
	chain := fmt.Sprintf("The history is complete: %d entries, the last with SHA-256 %s.", s.Audit.Chain.Entries, s.Audit.Chain.Head.SHA256)
	if !s.Audit.Chain.Whole {
		chain = fmt.Sprintf("The history is broken in %d places: entries were deleted, changed or added, so this report may be incomplete.", len(s.Audit.Chain.Breaks))
	}
	signed := "Signatures were not checked."
	if s.Audit.Signatures.Checked {
		signed = fmt.Sprintf("Signatures: %d accepted, %d rejected.", s.Audit.Signatures.Accepted, len(s.Audit.Signatures.Refused)+len(s.Audit.Signatures.Entries.Refused))
	}
	lost := fmt.Sprintf("Losses of records: %d. Stretches of time without a measurement: %d.", len(s.Audit.Losses), len(s.Audit.Gaps))
	return Section{Title: "Completeness", Sentences: append([]string{chain, signed, lost}, s.unwatched()...)}
}

// unwatched are the times in which fairstream was not running, as far as the processes that took over tell: no sentence or one.
func (s *Sheet) unwatched() []string {
	var all []string
	for _, o := range s.Audit.Owners {
		if span := away(o.Left, o.Time, "from %s to %s (%s)", board.Clock); span != "" {
			all = append(all, span)
		}
	}
	more := ""
	if n := len(all) - mostUnwatched; n > 0 {
		all, more = all[:mostUnwatched], fmt.Sprintf(" There were %d more such times; the audit of the job lists them all.", n)
	}
	if len(all) == 0 {
		return nil
	}
	return []string{"Fairstream was not running, so no alarm could be raised, " + strings.Join(all, "; ") + "." + more}
}

// mostUnwatched keeps a report to two pages.
const mostUnwatched = 3

// LabelWords says what is predicted; empty if that is not known.
func LabelWords(field, positive string) string {
	switch {
	case field == "":
		return ""
	case positive == "":
		return fmt.Sprintf("Each prediction is of the number in the field %q.", field)
	}
	return fmt.Sprintf("An outcome is positive if the field %q is %q. A positive decision predicts a positive outcome.", field, positive)
}

func who(w history.Who) string { return cmp.Or(w.Actor, w.Service+" on "+w.Host) }

func number(x *float64) board.Number {
	if x == nil {
		return board.Unknown()
	}
	return board.Number(*x)
}

// difference is a difference with its sign, or a ratio, which has none.
func difference(x board.Number, criterion fairness.Criterion) string {
	return sign(x, criterion) + decimal(x)
}

func sign(x board.Number, criterion fairness.Criterion) string {
	if x > 0 && !criterion.OfRatio() {
		return "+"
	}
	return ""
}

func decimal(x board.Number) string {
	if !x.Known() {
		return "not known"
	}
	return strings.Replace(strconv.FormatFloat(float64(x), 'f', 3, 64), "-", "−", 1)
}

func share(x board.Number) string {
	if !x.Known() {
		return "not known"
	}
	return strconv.FormatFloat(float64(x)*100, 'f', 1, 64) + " %"
}

func ends(words func(board.Number) string, lo, hi board.Number) string {
	if !lo.Known() || !hi.Known() {
		return "none"
	}
	return words(lo) + " to " + words(hi)
}

func verdictWords(status string) string {
	switch status {
	case "met":
		return "within the limit"
	case "violated":
		return "beyond the limit"
	case "inconclusive":
		return "not known yet"
	}
	return "cannot be estimated"
}
