package board

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// combined joins the attributes of groups that are told apart by several.
const combined = " & "

// Cover says what the comparisons leave out: of each, by which attributes nobody compares the same; of all, the groups and measures that none looks at.
// attribute names what a comparison tells its groups apart by, joined by " & ". Decisions of several models are left as they are.
func (d *Deciding) Cover(groups []Group, gaps []Gap, attribute func(name string) string) {
	if slices.ContainsFunc(d.Constraints, func(c Constraint) bool { return c.Subject != d.Subject }) {
		return
	}
	groups = slices.DeleteFunc(slices.Clone(groups), func(g Group) bool { return g.Subject != d.Subject || g.Unknown || g.Records == 0 })
	gaps = slices.DeleteFunc(slices.Clone(gaps), func(g Gap) bool { return g.Subject != d.Subject })
	if len(d.Constraints) == 0 || len(groups) == 0 {
		return
	}
	by, missed := attribute(d.Constraints[0].Name), ""
	for i := range d.Constraints {
		text, others := d.covers(&d.Constraints[i], groups, attribute)
		d.Constraints[i].Covers, missed = text, cmp.Or(missed, others)
		if attribute(d.Constraints[i].Name) != by {
			by = ""
		}
	}
	if n := len(d.Constraints); by != "" && n > 1 && d.Answers.Verdict == string(fairness.Met) {
		d.Answers.Headline += fmt.Sprintf(", %s by %s only", map[bool]string{true: "both", false: "all"}[n == 2], by)
	}
	parts := []string{unlimited(gaps, d.largest()), missed, d.alone(groups, attribute)}
	d.Answers.Unchecked = strings.Join(slices.DeleteFunc(parts, func(text string) bool { return text == "" }), " ")
}

// isSide says whether a group is what a side of a comparison is called, whatever the order of its attributes. A range is called by its attribute, too.
func (g *Group) isSide(side, by string) bool {
	attributes, values := strings.Split(by, combined), strings.Split(side, combined)
	own, words := strings.Split(g.Attribute, combined), strings.Split(g.Group, combined)
	if len(attributes) != len(values) || len(own) != len(words) || len(own) != len(attributes) {
		return false
	}
	for i, name := range attributes {
		at := slices.Index(own, name)
		if at < 0 || words[at] != values[i] && name+" "+words[at] != values[i] {
			return false
		}
	}
	return true
}

// covers is about one comparison. missed names a group by which a ratio misses its limit by another attribute; it is empty if none does.
func (d *Deciding) covers(c *Constraint, groups []Group, attribute func(name string) string) (text, missed string) {
	by := attribute(c.Name)
	if strings.Contains(by, combined) {
		return d.combinations(c, by, groups, attribute), ""
	}
	known := false
	var others []string
	for _, g := range groups {
		known = known || g.Attribute == by
		elsewhere := func(other Constraint) bool {
			return other.Criterion == c.Criterion && attribute(other.Name) == g.Attribute
		}
		if g.Attribute != by && !strings.Contains(g.Attribute, combined) && !slices.Contains(others, g.Attribute) && !slices.ContainsFunc(d.Constraints, elsewhere) {
			others = append(others, g.Attribute)
		}
	}
	if !known || len(others) == 0 {
		return "", ""
	}
	text = "Not judged: the same by " + listed(others)
	if !c.Criterion.OfRatio() {
		return text + ".", ""
	}
	var least *Group
	for i := range groups {
		if g := &groups[i]; slices.Contains(others, g.Attribute) && g.ImpactRatio.Known() && (least == nil || g.ImpactRatio < least.ImpactRatio) {
			least = g
		}
	}
	if least != nil && least.ImpactRatio < 1 {
		text += fmt.Sprintf(", where the lowest ratio to the highest share is %.2f (%s)", float64(least.ImpactRatio), least.Group)
		if float64(least.ImpactRatio) < c.Tau {
			missed = fmt.Sprintf("%q is not judged by %s, where the lowest ratio is %.2f (%s).", c.Name, least.Attribute, float64(least.ImpactRatio), least.Group)
		}
	}
	return text + ".", missed
}

// combinations names the one that is farthest from the other side of a comparison, among those that no comparison looks at. It names none whose share is
// not clearly another one.
func (d *Deciding) combinations(c *Constraint, by string, groups []Group, attribute func(name string) string) string {
	if c.Criterion != fairness.DemographicParity {
		return ""
	}
	at := slices.IndexFunc(groups, func(g Group) bool { return g.isSide(c.Versus, by) })
	if at < 0 {
		return ""
	}
	versus, farthest := &groups[at], -1
	away := func(g *Group) Number { return max(g.Rate-versus.Rate, versus.Rate-g.Rate) }
	for i := range groups {
		g := &groups[i]
		side := func(other Constraint) bool {
			by := attribute(other.Name)
			return g.isSide(other.Group, by) || g.isSide(other.Versus, by)
		}
		apart := g.Attribute == versus.Attribute && (g.Hi < versus.Lo || g.Lo > versus.Hi) // false where one is not known
		if apart && !slices.ContainsFunc(d.Constraints, side) && (farthest < 0 || away(g) > away(&groups[farthest])) {
			farthest = i
		}
	}
	if farthest < 0 {
		return ""
	}
	return fmt.Sprintf("Not judged: %s against %s, %s.", groups[farthest].Group, versus.Group, Signed(groups[farthest].Rate-versus.Rate))
}

// alone says how many groups are no side of a comparison by themselves, and which of them fares worst.
func (d *Deciding) alone(groups []Group, attribute func(name string) string) string {
	n := 0
	var least *Group
	for i := range groups {
		g := &groups[i]
		compared := func(c Constraint) bool {
			by := attribute(c.Name)
			return g.isSide(c.Group, by) || g.isSide(c.Versus, by)
		}
		if slices.ContainsFunc(d.Constraints, compared) {
			continue
		}
		n++
		if g.ImpactRatio.Known() && (least == nil || g.ImpactRatio < least.ImpactRatio) {
			least = g
		}
	}
	if n == 0 {
		return ""
	}
	text := fmt.Sprintf("%s of the %s below %s compared on %s own.", Grouped(int64(n)), Counted(len(groups), "group"), plural(n, "is not", "are not"), plural(n, "its", "their"))
	if least != nil && least.ImpactRatio < 1 {
		text = fmt.Sprintf("%s The lowest share of positive decisions among them is %s (%s to %s), for %s.",
			text, percent(least.Rate), percent(least.Lo), percent(least.Hi), least.Group)
	}
	return text
}

// largest is the largest difference that has a limit, as it was measured; 0 if none is known.
func (d *Deciding) largest() (most Number) {
	for i := range d.Constraints {
		if c := &d.Constraints[i]; !c.Criterion.OfRatio() && c.Criterion != fairness.MeanDifference && c.Measured().Known() {
			most = max(most, c.Measured(), -c.Measured())
		}
	}
	return most
}

// unlimited names the largest difference that has no limit: the one whose interval is farthest from 0. most is the largest one that has.
func unlimited(gaps []Gap, most Number) string {
	away := func(g *Gap) Number { return max(g.Lo, -g.Hi) }
	some, largest := false, -1
	for i := range gaps {
		if g := &gaps[i]; !g.Tau.Known() && g.Lo.Known() && g.Hi.Known() {
			some = true
			if away(g) > 0 && (largest < 0 || away(g) > away(&gaps[largest])) {
				largest = i
			}
		}
	}
	switch {
	case !some:
		return ""
	case largest < 0:
		return "Some kinds of difference are not judged, because no limit is set; none of them is clearly different from 0."
	}
	g := &gaps[largest]
	text := fmt.Sprintf("Not judged, because no limit is set: %s minus %s in the %s, %s (%s to %s)",
		g.Group, Others(g.Versus), MeasureWords(g.Measure), Signed(g.Value), Signed(g.Lo), Signed(g.Hi))
	if most > 0 && away(g) > most {
		return text + ". This difference is larger than every one that has a limit."
	}
	return text + ", which is the largest such difference."
}

// MeasureWords are a measure of a gap as a sentence has it.
func MeasureWords(measure string) string {
	switch measure {
	case "selection_rate":
		return Compared(fairness.DemographicParity)
	case "tpr":
		return Compared(fairness.EqualOpportunity)
	case "fpr":
		return Compared(fairness.PredictiveEquality)
	case "ppv":
		return "share of positive outcomes among positive decisions"
	case "accuracy":
		return "share of right decisions"
	}
	return measure
}

// listed joins names: a, b and c.
func listed(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
