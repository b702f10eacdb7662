package server

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/release"
)

// What follows from a verdict beyond a bound, from an alarm, and from a job that stands still: who has to do something, and who decides meanwhile.

// beyond are the rows that are beyond their bound, or of which an alarm lasts.
func beyond(rows []board.Constraint) (at []int) {
	for i := range rows {
		if row := &rows[i]; row.Verdict() == fairness.Violated || row.Alarm != nil && row.Alarm.Raised {
			at = append(at, i)
		}
	}
	return at
}

// followsOfStable says what becomes of the version in use: what withdraws it, which version may replace it, and how a person can. The rows are those of the
// comparisons that are watched, in their order. b has the releases as the page shows them.
func followsOfStable(r *release.Report, rows []board.Constraint, b *board.Release) string {
	var counted, watched []string
	for _, i := range beyond(rows) {
		name := strconv.Quote(rows[i].Name)
		if gate := gateOf(r.Guard.Gates, r.Guard.Decided.Comparisons[i].Index); gate != nil && gate.Decides {
			counted = append(counted, fmt.Sprintf("%s (tolerance %s)", name, strconv.FormatFloat(math.Round(gate.Limit*1e4)/1e4, 'f', -1, 64)))
		} else {
			watched = append(watched, name)
		}
	}
	var text []string
	switch {
	case len(counted)+len(watched) == 0:
		return ""
	case r.Pinned:
		text = append(text, "The version stays in use whatever is found, because a person has ordered it. Only a person can change that.")
	case r.Guard.Marked:
		text = append(text, fmt.Sprintf("The version is not withdrawn, although %s is beyond its tolerance, because no earlier version is better.", r.Guard.Outside))
	case len(counted) > 0:
		text = append(text, fmt.Sprintf("Fairstream withdraws this version only if %s is found beyond its tolerance, which is wider than its limit, and an earlier version is better.", named4(counted)))
	}
	if len(watched) > 0 && !r.Pinned {
		text = append(text, fmt.Sprintf("Fairstream does not withdraw this version because of %s: the job is set to report %s. A person has to decide whether the version may stay.",
			named4(watched), plural(watched, "that limit, not to enforce it", "those limits, not to enforce them")))
	}
	text = append(text, replaced(r, b.Trial, rows))
	switch {
	case r.Previous.IsZero():
		text = append(text, "There is no earlier version to go back to.")
	case b.Orders:
		text = append(text, "You can withdraw it below, under Versions and their tests.")
	default:
		text = append(text, "Those who run the job can withdraw it.")
	}
	return strings.Join(slices.DeleteFunc(text, func(part string) bool { return part == "" }), " ")
}

// replaced says which version may replace the one in use, whether that one keeps the limits of the rows that are beyond theirs, and when; it is empty if a person has
// ordered that this one stays.
func replaced(r *release.Report, trial *board.Trial, rows []board.Constraint) string {
	const stop = "unless somebody pauses new versions."
	after := ""
	if r.CoolDown > 0 {
		after = "after " + records(r.CoolDown, "more record")
		if r.Share > 0 && r.Share < 1 { // the pause counts those only that are looked at
			after = "after about " + records(int64(math.Ceil(float64(r.CoolDown)/r.Share)), "more record")
		}
	}
	switch {
	case r.Pinned:
		return ""
	case r.Paused:
		return "A person has paused new versions, so this one stays in use until a person decides."
	case trial == nil || r.Candidate.IsZero():
		if after != "" {
			after = ", at the earliest " + after
		}
		return fmt.Sprintf("A new version may replace it once it has passed its tests%s, %s", after, stop)
	}
	passed := true
	var also, within, open []string
	for i := range trial.Gates {
		g := &trial.Gates[i]
		passed = passed && (!g.Decides || g.Status == fairness.Met)
		name := strconv.Quote(g.Constraint)
		isRow := func(at int) bool { return rows[at].Name == g.Constraint && rows[at].Criterion == g.Criterion }
		switch {
		case g.Beyond && !slices.Contains(also, name):
			also = append(also, name)
		case g.Beyond || !slices.ContainsFunc(beyond(rows), isRow):
		case g.Within():
			within = append(within, name)
		default:
			open = append(open, name)
		}
	}
	which := fmt.Sprintf("Version %s, which is under test", board.Grouped(r.Candidate.Version))
	if len(also) > 0 {
		which += " and also beyond the limit of " + named4(also)
	}
	if len(within) > 0 {
		which += " and within the limit of " + named4(within)
	}
	if len(open) > 0 {
		which += " and not yet known to keep the limit of " + named4(open)
	}
	when := "at any moment"
	switch {
	case passed && after != "":
		when = after
	case !passed && after != "":
		when = "once it has passed its tests, at the earliest " + after
	case !passed:
		when = "once it has passed its tests"
	}
	return fmt.Sprintf("%s, may replace it %s, %s", which, when, stop)
}

func gateOf(gates []release.Gate, index int) *release.Gate {
	for i := range gates {
		if gates[i].Index == index {
			return &gates[i]
		}
	}
	return nil
}

// mostNamed bounds the comparisons that a sentence names.
const mostNamed = 4

func named4(names []string) string {
	if len(names) > mostNamed {
		return fmt.Sprintf("one of %d comparisons", len(names))
	}
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

func plural(names []string, one, many string) string {
	if len(names) == 1 {
		return one
	}
	return many
}

// followsOfNewest says what follows while no version in use is watched.
func followsOfNewest(rows []board.Constraint, tested bool) string {
	switch {
	case len(beyond(rows)) == 0:
		return ""
	case tested:
		return "The newest version stays in use until one has passed its tests. A person has to decide whether that is acceptable."
	}
	return "New versions come into use without tests, and none is withdrawn. A person has to decide what to do."
}

// followsOfOthers says what follows for the decisions of another model.
func followsOfOthers(rows []board.Constraint) string {
	if len(beyond(rows)) == 0 {
		return ""
	}
	return "Fairstream watches these decisions but does not change them. A person has to decide what to do."
}
