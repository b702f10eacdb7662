package server

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/release"
	"github.com/fairstream/fairstream/pkg/stream"
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

// followsOfStable says what becomes of the version in use. The rows are those of the comparisons that are watched, in their order.
func followsOfStable(r *release.Report, rows []board.Constraint, orders bool) string {
	var counted, watched []string
	for _, i := range beyond(rows) {
		if gate := gateOf(r.Guard.Gates, r.Guard.Decided.Comparisons[i].Index); gate != nil && gate.Decides {
			counted = append(counted, fmt.Sprintf("%s (limit %s)", rows[i].Name, strconv.FormatFloat(math.Round(gate.Limit*1e4)/1e4, 'f', -1, 64)))
		} else {
			watched = append(watched, rows[i].Name)
		}
	}
	var text []string
	switch {
	case len(counted)+len(watched) == 0:
		return ""
	case r.Guard.Marked:
		text = append(text, fmt.Sprintf("The version stays in use although %s is outside its limit, because no earlier version is better. A person has to decide.", r.Guard.Outside))
	case r.Pinned:
		text = append(text, "The version stays in use, whatever is found, because a person has ordered it. Only a person can change that.")
	case len(counted) == 0:
		text = append(text, fmt.Sprintf("The version stays in use until a person decides: %s only watched, so %s neither for a withdrawal nor in the tests of new versions.", bounds(watched), counts(watched)))
	default:
		text = append(text, fmt.Sprintf("The version stays in use for now. The program withdraws it only if %s is found beyond its limit, which is wider than its bound, and an earlier version is better.", named4(counted)))
		if len(watched) > 0 {
			text = append(text, fmt.Sprintf("But %s only watched: there a person has to decide.", bounds(watched)))
		}
	}
	switch {
	case r.Previous.IsZero():
		text = append(text, "There is no earlier version to go back to.")
	case orders:
		text = append(text, "It can be withdrawn below, under Versions and their tests.")
	default:
		text = append(text, "Those who run the job can withdraw it.")
	}
	return strings.Join(text, " ")
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

// bounds are those of the comparisons as the subject of a sentence.
func bounds(names []string) string {
	switch {
	case len(names) == 1:
		return "the bound of " + names[0] + " is"
	case len(names) > mostNamed:
		return fmt.Sprintf("%d of the bounds are", len(names))
	}
	return "the bounds of " + strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1] + " are"
}

func counts(names []string) string {
	if len(names) == 1 {
		return "it counts"
	}
	return "they count"
}

// followsOfNewest says what follows while no version in use is watched.
func followsOfNewest(rows []board.Constraint, tested bool) string {
	switch {
	case len(beyond(rows)) == 0:
		return ""
	case tested:
		return "The newest version stays in use until one has passed its tests. Whether it may, a person has to decide."
	}
	return "New versions come into use without tests, and none is withdrawn. A person has to decide."
}

// followsOfOthers says what follows for the decisions of another model.
func followsOfOthers(rows []board.Constraint) string {
	if len(beyond(rows)) == 0 {
		return ""
	}
	return "The program watches these decisions and changes nothing about them. A person has to decide."
}

// standStill puts the answers into the past while the job has stopped or Kafka is away: what was known may hold no longer.
func standStill(b *board.Status, s *stream.Status) {
	if s == nil || b.AsOf == nil || s.Phase == stream.PhaseStandby || s.Phase != stream.PhaseHalted && b.Outage == nil {
		return
	}
	a := &b.Deciding.Answers
	a.Headline = board.Past(*b.AsOf, a.Headline)
	since := board.Clock(b.AsOf.Truncate(time.Second))
	switch v := b.Deciding.Version; {
	case b.Kind == board.Monitor:
		a.Follows = fmt.Sprintf("The model that is watched goes on deciding, and nobody has watched it since %s.", since)
	case v != nil:
		a.Follows = fmt.Sprintf("Programs that decide by version %s go on with it. Nobody has watched what it decides since %s, and it is not withdrawn.", board.Grouped(v.Version), since)
	case len(b.Versions) > 0:
		a.Follows = fmt.Sprintf("Programs go on deciding by the newest version that they have. Nobody has watched what it decides since %s.", since)
	}
}
