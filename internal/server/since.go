package server

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/release"
)

// Since when a version is in use and a verdict holds.

// becauseOf says who or what brought the version into use.
func becauseOf(step *board.Step) string {
	switch kind := release.StepKind(step.Kind); {
	case kind == release.RolledBack:
		return fmt.Sprintf(", when %s withdrew version %s", cmp.Or(step.Actor, "a person"), board.Grouped(step.Version))
	case kind == release.Withdrawn:
		return fmt.Sprintf(", when fairstream withdrew version %s", board.Grouped(step.Version))
	case step.Actor != "":
		return ", by order of " + step.Actor
	}
	return ""
}

// fromOn is since when records have come, if they tell.
func fromOn(span *board.Span) string {
	if span == nil {
		return ""
	}
	return ", since " + board.Clock(span.First)
}

// changed says since when comparisons are beyond their bounds, or else which verdict changed last.
func changed(r *monitor.Report, rows []board.Constraint) (text string) {
	newest, beyond := -1, 0
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		switch is := rows[i].Verdict(); {
		case c.SinceTime.IsZero() || is == fairness.NotEstimable:
		case is == fairness.Violated:
			if beyond++; beyond <= mostBeyond {
				text += fmt.Sprintf(" %q has been found beyond its limit since %s%s.", rows[i].Name, board.Clock(c.SinceTime), alarmBefore(c))
			}
		case newest < 0 || c.SinceTime.After(r.Comparisons[newest].SinceTime):
			newest = i
		}
	}
	if unmet := func(row board.Constraint) bool { return row.Verdict() != fairness.Met }; newest >= 0 && len(rows) > 1 && !slices.ContainsFunc(rows, unmet) {
		return fmt.Sprintf(" All comparisons have been within their limits since %s, when %q was the last to be decided.", board.Clock(r.Comparisons[newest].SinceTime), rows[newest].Name)
	}
	if beyond == 0 && newest >= 0 {
		text = fmt.Sprintf(" The last verdict to change was that on %q; it has been %q since %s.", rows[newest].Name, verdictWords(rows[newest].Verdict()),
			board.Clock(r.Comparisons[newest].SinceTime))
	}
	return text
}

// alarmBefore says why an alarm came before the verdict, if it did.
func alarmBefore(c *monitor.ComparisonReport) string {
	if !c.Alarm.Raised || c.Alarm.Since >= c.Since {
		return ""
	}
	return "; the alarm, which looks only at the newest decisions, came earlier"
}

// mostBeyond bounds the comparisons of which the answer tells; the cards show the others.
const mostBeyond = 2
