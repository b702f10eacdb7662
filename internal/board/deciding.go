package board

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// Deciding is about the decisions that count: of the stable version since it is stable; of the newest weights, while no version is stable; or of
// the model that is monitored.
type Deciding struct {
	// Subject is stable, current, or the id of the monitored model; empty while nothing is known.
	Subject string `json:"subject"`
	// Version is the one that decides; nil for another model, or while there is none.
	Version *Place `json:"version"`
	// Since is when it began to decide; nil if that is not known.
	Since *time.Time `json:"since"`
	// Records is how many decisions are judged, and Time the span of the records' times; nil if they carry none.
	Records int64 `json:"records"`
	Time    *Span `json:"time"`
	// Positive is the share of positive decisions among them.
	Positive Number `json:"positive"`
	// Confidence is that of all sequences together; 0 if each interval is for one look.
	Confidence float64 `json:"confidence"`
	// Constraints are the comparisons of these decisions. All numbers of a row are of the same records.
	Constraints []Constraint `json:"constraints"`
	Answers     Answers      `json:"answers"`
	// Alarms are those of the last week, the newest first.
	Alarms []AlarmTime `json:"alarms"`
}

// AlarmTime is an alarm about the decisions that count.
type AlarmTime struct {
	// ID tells alarms apart.
	ID    string     `json:"id"`
	Began time.Time  `json:"began"`
	Ended *time.Time `json:"ended"`
	// Text says when, what, and for how long.
	Text string `json:"text"`
}

// Answers are what a person asks first, in words.
type Answers struct {
	// Verdict is met, violated, inconclusive or not_estimable, or one_sided if nearly everybody gets the same decision.
	Verdict string `json:"verdict"`
	// Headline is the verdict in a line. Fair says of which decisions, Sure how sure it is, Since since when, and Happened what happened in the last
	// day and week.
	Headline string `json:"headline"`
	Fair     string `json:"fair"`
	Sure     string `json:"sure"`
	Since    string `json:"since"`
	Happened string `json:"happened"`
	// Follows says what follows from a verdict beyond a bound, from an alarm, or from a job that has stopped; empty if nothing does. Unchecked says which
	// groups and measures no comparison looks at, with the largest difference among them; empty if there are none.
	Follows   string `json:"follows"`
	Unchecked string `json:"unchecked"`
}

// OneSided is the verdict on decisions of which nearly all are the same.
const OneSided = "one_sided"

// nearlyAll is the share of equal decisions from which on equal treatment says little.
const nearlyAll = 0.95

// Clock is a moment as the page and the reports tell it.
func Clock(t time.Time) string { return t.UTC().Format("2 Jan 2006, 15:04 UTC") }

// Past is a headline that was true at a moment, after which nobody knows.
func Past(at time.Time, headline string) string {
	for _, answer := range []string{"No", "Yes"} {
		if rest, is := strings.CutPrefix(headline, answer+": "); is {
			headline = strings.ToLower(answer) + ", " + rest
		}
	}
	return "Not known now. Last known, at " + Clock(at) + ": " + headline
}

// Answer fills in verdict, headline, and how sure they are.
func (d *Deciding) Answer() {
	a := &d.Answers
	counts := map[fairness.Status]int{}
	var worst *Constraint
	for i := range d.Constraints {
		c := &d.Constraints[i]
		counts[c.Verdict()]++
		if c.Verdict() == fairness.Violated && (worst == nil || worst.excess() < c.excess()) {
			worst = c
		}
	}
	all := len(d.Constraints)
	open := all - counts[fairness.Met] - counts[fairness.Violated]
	switch violated := counts[fairness.Violated]; {
	case all == 0:
		a.Verdict, a.Headline = string(fairness.NotEstimable), "Not known: no groups are compared"
	case violated == 1 && all == 1:
		a.Verdict, a.Headline = string(fairness.Violated), "No: the only comparison is beyond its limit: "+d.worse(worst)
	case violated == 1:
		a.Verdict, a.Headline = string(fairness.Violated), fmt.Sprintf("No: 1 of %d comparisons is beyond its limit: %s", all, d.worse(worst))
	case violated > 0:
		a.Verdict, a.Headline = string(fairness.Violated), fmt.Sprintf("No: %d of %d comparisons are beyond their limits, most of all %s", violated, all, d.worse(worst))
	case d.raised() > 0:
		a.Verdict, a.Headline = string(fairness.Inconclusive), d.alarmed()
	case d.sided():
		a.Verdict, a.Headline = OneSided, fmt.Sprintf("Nearly everybody gets the same decision: %s of all are positive", percent(d.Positive))
	case open == 0:
		a.Verdict, a.Headline = string(fairness.Met), "Yes: the only comparison is within its limit: "+d.called(&d.Constraints[0])
		if all > 1 {
			a.Headline = fmt.Sprintf("Yes: all %d comparisons are within their limits", all)
			if all == 2 {
				a.Headline = "Yes: both comparisons are within their limits"
			}
		}
	case counts[fairness.Met] > 0:
		a.Verdict, a.Headline = string(fairness.Inconclusive), fmt.Sprintf("Not known yet for %d of %d comparisons; the others are within their limits", open, all)
	case counts[fairness.Inconclusive] > 0:
		a.Verdict, a.Headline = string(fairness.Inconclusive), "Not known yet: there are too few decisions"
	default:
		a.Verdict, a.Headline = string(fairness.NotEstimable), "Not known: the groups cannot be compared yet"
	}
	if counts[fairness.Violated] > 0 && open > 0 {
		a.Headline += fmt.Sprintf("; %s within, %s not known", are(counts[fairness.Met]), are(open))
	}
	a.Sure = d.sure()
	if a.Verdict == OneSided {
		a.Sure = "When nearly everybody gets the same decision, a difference between groups cannot show. This is no proof of fairness. " + a.Sure
	}
}

func (d *Deciding) sure() string {
	if len(d.Constraints) == 0 {
		return "No groups are compared."
	}
	if d.Confidence == 0 {
		return fmt.Sprintf("Each interval is right in %s of cases if you look once. The more often you look, the more errors you should expect.", levelWords(d.Constraints[0].Level))
	}
	given := 0
	for i := range d.Constraints {
		if is := d.Constraints[i].Verdict(); is == fairness.Met || is == fairness.Violated {
			given++
		}
	}
	right := fmt.Sprintf("all %d verdicts reached are right", given)
	switch {
	case given == 0:
		right = "all intervals of the differences are right"
	case given == 1 && len(d.Constraints) == 1:
		right = "the verdict is right"
	case given == 1:
		right = "the one verdict reached so far is right"
	case given == 2:
		right = "both verdicts reached are right"
	}
	text := fmt.Sprintf("With a probability of at least %s, %s, however often you look.", levelWords(d.Confidence), right)
	if open := len(d.Constraints) - given; given > 0 && open > 0 {
		text += fmt.Sprintf(" %s %s no verdict.", Counted(open, "comparison"), plural(open, "has", "have"))
	}
	return text
}

// are is a number of comparisons with its verb: 1 is, 2 are.
func are(n int) string { return fmt.Sprintf("%d %s", n, plural(n, "is", "are")) }

// levelWords are a level or a confidence: 95 %, 98.75 %.
func levelWords(x float64) string {
	return strconv.FormatFloat(math.Round(x*1e6)/1e4, 'f', -1, 64) + " %"
}

// called is the name of a comparison, with its groups where others have the same name.
func (d *Deciding) called(c *Constraint) string {
	if d.ambiguous(c) {
		return fmt.Sprintf("%s (%s and %s)", c.Name, c.Group, Others(c.Versus))
	}
	return c.Name
}

// worse is the name of a comparison, and who is worse off.
func (d *Deciding) worse(c *Constraint) string {
	what, lower, higher := "lower", c.Group, Others(c.Versus)
	if c.Criterion == fairness.DemographicParity || c.Criterion.OfRatio() {
		what = "fewer positive decisions"
	}
	turned := c.Measured() > 0
	switch {
	case !c.Criterion.OfRatio() && c.Measured()*c.bounds().Value <= 0: // the shares of all say one thing, and those at equal time another
		return d.called(c)
	case c.Criterion.OfRatio():
		if !c.GroupMeasure.Known() || !c.VersusMeasure.Known() {
			return d.called(c)
		}
		turned = c.GroupMeasure > c.VersusMeasure
	}
	if turned {
		lower, higher = higher, lower
	}
	if d.ambiguous(c) {
		lower += " than for " + higher
	}
	return fmt.Sprintf("%s (%s for %s)", c.Name, what, lower)
}

// ambiguous says whether another comparison has the same name.
func (d *Deciding) ambiguous(c *Constraint) bool {
	for i := range d.Constraints {
		if other := &d.Constraints[i]; other != c && other.Name == c.Name {
			return true
		}
	}
	return false
}

// raised counts the comparisons with an alarm.
func (d *Deciding) raised() (n int) {
	for i := range d.Constraints {
		if alarm := d.Constraints[i].Alarm; alarm != nil && alarm.Raised {
			n++
		}
	}
	return n
}

// alarmed is the headline while no verdict is beyond its bound and an alarm lasts.
func (d *Deciding) alarmed() string {
	if n := d.raised(); n > 1 {
		return fmt.Sprintf("Alarm: in the newest decisions, %d of %d comparisons are beyond their limits", n, len(d.Constraints))
	}
	at := slices.IndexFunc(d.Constraints, func(c Constraint) bool { return c.Alarm != nil && c.Alarm.Raised })
	c := &d.Constraints[at]
	return fmt.Sprintf("Alarm: in the newest decisions, %s and %s are farther apart than the limit allows", c.Group, Others(c.Versus))
}

// sided says whether nearly all decisions are the same.
func (d *Deciding) sided() bool {
	return d.Positive.Known() && (d.Positive >= nearlyAll || d.Positive <= 1-nearlyAll)
}

// excess is how far a row lies beyond its bound.
func (c *Constraint) excess() Number {
	value := c.Measured()
	if c.Criterion.OfRatio() {
		return Number(c.Tau) - value
	}
	return max(value, -value) - Number(c.Tau)
}

// Lasted is the time between two moments in words.
func Lasted(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "less than a minute"
	case d < 2*time.Hour:
		return Counted(int(d.Minutes()), "minute")
	case d < 48*time.Hour:
		return Counted(int(d.Hours()), "hour")
	}
	return Counted(int(d.Hours()/24), "day")
}

// Counted is a number of things: 1 alarm, 2 alarms.
func Counted(n int, one string) string { return fmt.Sprintf("%d %s", n, plural(n, one, one+"s")) }

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// percent is a share with at most one place.
func percent(x Number) string {
	return strings.TrimSuffix(strconv.FormatFloat(float64(x)*100, 'f', 1, 64), ".0") + " %"
}

// Grouped writes a number with its thousands apart.
func Grouped(n int64) string {
	text := fmt.Sprint(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
