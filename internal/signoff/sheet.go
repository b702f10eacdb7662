package signoff

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/release"
)

// Sheet is what a report is made of.
type Sheet struct {
	// Audit answers for the period.
	Audit *history.Audit
	// Made is when the report was made.
	Made time.Time
	// Label says in words what is predicted; empty if that is not known.
	Label string
	// Status is what a process knows of its job at Made; nil if no process was asked.
	Status *board.Status
}

// Section is a part of a report: sentences, and a table if it has rows.
type Section struct {
	Title     string
	Sentences []string
	Head      []string
	Rows      [][]string
	inTime    bool // rows are in the order of time
}

// mostRows and fewRows keep a report to two pages; the audit has all. Of a job with more than mostRows comparisons the report has their limits and their
// differences, up to mostComparisons, and fewer rows of everything else.
const (
	mostRows        = 10
	fewRows         = 5
	mostComparisons = 20
)

// Title names job and period.
func (s *Sheet) Title() string { return fmt.Sprintf("Fairness report of the job %q", s.Audit.Job) }

// Period is the period in words.
func (s *Sheet) Period() string {
	return fmt.Sprintf("From %s to %s. Made %s.", board.Clock(s.Audit.Since), board.Clock(s.Audit.Until), board.Clock(s.Made))
}

// Sections are the parts in the order in which they are read.
func (s *Sheet) Sections() []Section {
	all := []Section{s.verdict(), s.population(), s.rule(), s.versions(), s.differences()}
	all = append(all, s.alarms()...)
	all = append(all, s.changes(), s.record())
	most := s.most()
	for i := range all {
		keep := most
		if i == ruleAt || i == differencesAt {
			keep = max(most, min(s.comparisons(), mostComparisons))
		}
		if more := len(all[i].Rows) - keep; more > 0 {
			which := "more"
			if all[i].inTime {
				which, all[i].Rows = "earlier ones", all[i].Rows[more:]
			} else {
				all[i].Rows = all[i].Rows[:keep]
			}
			all[i].Sentences = append(all[i].Sentences, fmt.Sprintf("%d %s are left out here; the audit of the job lists them all.", more, which))
		}
	}
	return all
}

// ruleAt and differencesAt are where these sections are.
const (
	ruleAt        = 2
	differencesAt = 4
)

// comparisons is how many the job has.
func (s *Sheet) comparisons() int {
	if s.Status != nil {
		return len(s.Status.Deciding.Constraints)
	}
	return len(s.Audit.Constraints)
}

// most is how many rows a section has that is not about each comparison.
func (s *Sheet) most() int {
	if s.comparisons() > mostRows {
		return fewRows
	}
	return mostRows
}

func (s *Sheet) verdict() Section {
	if s.Status == nil {
		return Section{Title: "Verdict", Sentences: []string{"This report is made from the history of the job alone: no running instance of fairstream was asked about current decisions."}}
	}
	a := s.Status.Deciding.Answers
	sentences := []string{a.Headline + ".", a.Follows, a.Fair, a.Sure, a.Since, a.Unchecked}
	return Section{Title: "Verdict on " + board.Clock(s.Made), Sentences: slices.DeleteFunc(sentences, func(text string) bool { return text == "" })}
}

func (s *Sheet) population() Section {
	section := Section{Title: "Population"}
	if s.Label != "" {
		section.Sentences = append(section.Sentences, s.Label)
	}
	if s.Status == nil {
		if n := len(s.Audit.Versions); n > 0 {
			section.Sentences = append(section.Sentences, fmt.Sprintf("The newest version of the period was learnt from %s records; %s were rejected.", board.Grouped(s.Audit.Versions[n-1].Version), board.Grouped(s.Audit.Versions[n-1].Rejected)))
		}
		return section
	}
	r := s.Status.Records
	section.Sentences = append(section.Sentences, fmt.Sprintf("Since the job began, %s records were learnt, %s were rejected, and the outcome of %s is not known.", board.Grouped(r.Learnt), board.Grouped(r.Rejected), board.Grouped(r.Unlabelled)))
	section.Head = []string{"Group", "Decisions", "Share of positive decisions", "Interval for one look"}
	for _, g := range byAttribute(s.Status.Groups) {
		if g.Subject == s.Status.Deciding.Subject {
			section.Rows = append(section.Rows, []string{g.Attribute + ": " + g.Group, board.Grouped(g.Records), share(g.Rate), ends(share, g.Lo, g.Hi)})
		}
	}
	return section
}

// byAttribute puts the groups of an attribute together, in the order in which attributes first come.
func byAttribute(groups []board.Group) []board.Group {
	first := map[string]int{}
	for i := range groups {
		if _, known := first[groups[i].Attribute]; !known {
			first[groups[i].Attribute] = i
		}
	}
	sorted := slices.Clone(groups)
	slices.SortStableFunc(sorted, func(a, b board.Group) int { return cmp.Compare(first[a.Attribute], first[b.Attribute]) })
	return sorted
}

func (s *Sheet) rule() Section {
	section := Section{Title: "Rule", Head: []string{"Comparison", "Groups", "What is compared", "Limit"},
		Sentences: []string{"A difference must not exceed its limit in either direction; a ratio must not be below its limit."}}
	for _, c := range s.Audit.Constraints {
		var taus []string
		for _, tau := range c.Taus {
			taus = append(taus, strconv.FormatFloat(tau, 'g', -1, 64))
		}
		section.Rows = append(section.Rows, []string{c.Name, c.Group + " and " + board.Others(c.Versus), fmt.Sprintf("%s (%s)", board.Compared(fairness.Criterion(c.Criterion)), strings.ReplaceAll(c.Criterion, "-", " ")), strings.Join(taus, ", then ")})
	}
	return section
}

// versions are those that decided in the period.
func (s *Sheet) versions() Section {
	section := Section{Title: "Versions in use", inTime: true, Head: []string{"In use from", "Version", "SHA-256 of the weights", "Why", "By"}}
	for _, r := range s.Audit.Releases {
		if movesStable(&r.Released) {
			section.Rows = append(section.Rows, []string{board.Clock(r.Time), called(r.To), r.To.WeightsSHA256, cmp.Or(WhyWords(r.Reason), StepWords(&r.Released)), cmp.Or(r.Actor, "fairstream")})
		}
	}
	if len(section.Rows) == 0 {
		section.Sentences = []string{"The version in use did not change in the period."}
		if s.Status != nil && s.Status.Deciding.Version != nil {
			v := s.Status.Deciding.Version
			section.Rows = [][]string{{"before", board.Grouped(v.Version), v.WeightsSHA256, "", ""}}
		}
	}
	return section
}

func movesStable(r *history.Released) bool {
	return r.To != nil && (r.From == nil || *r.From != *r.To)
}

// differences are those of the version that decides, of the versions before when they were chosen, and how long the newest weights were within.
func (s *Sheet) differences() Section {
	section := Section{Title: "Differences", Head: []string{"Decisions", "Comparison", "Difference", "Interval", "Records", "Verdict"}}
	if s.Status != nil {
		worst := slices.Clone(s.Status.Deciding.Constraints) // first, since long lists are cut
		slices.SortStableFunc(worst, func(a, b board.Constraint) int { return cmp.Compare(urgency(&a), urgency(&b)) })
		for _, c := range worst {
			lo, hi, n := c.Lo, c.Hi, c.NGroup+c.NVersus
			if q := c.Sequence; q != nil {
				lo, hi, n = q.Lo, q.Hi, q.N
			}
			section.Rows = append(section.Rows, []string{"version in use now", c.Name, difference(c.Measured(), c.Criterion), ends(func(x board.Number) string { return sign(x, c.Criterion) + board.Near(x, c.Tau) }, lo, hi), board.Grouped(n), verdictWords(string(c.Verdict()))})
		}
	}
	for _, r := range s.Audit.Releases {
		if !movesStable(&r.Released) {
			continue
		}
		for _, g := range r.Gates {
			if criterion := fairness.Criterion(g.Criterion); g.Constraint != "" {
				section.Rows = append(section.Rows, []string{"version " + called(r.Version) + ", when it was tested", g.Constraint, difference(number(g.Value), criterion), ends(func(x board.Number) string { return difference(x, criterion) }, number(g.Lo), number(g.Hi)), board.Grouped(g.Records), s.tested(&g)})
			}
		}
	}
	for _, c := range s.Audit.Constraints {
		if c.Within.Hi-c.Within.Lo > mostOpen {
			continue
		}
		section.Sentences = append(section.Sentences, fmt.Sprintf("%s: the newest version was within the limit for at least %s and at most %s of the period.", c.Name, share(board.Number(c.Within.Lo)), share(board.Number(c.Within.Hi))))
	}
	section.Sentences = section.Sentences[:min(len(section.Sentences), s.most())]
	return section
}

// mostOpen is the share of a period that may be unmeasured for a report to say how long a limit was kept: beyond it, the bounds of that tell hardly anything.
const mostOpen = 0.9

// urgency orders comparisons: those beyond their limit first, and those within it last.
func urgency(c *board.Constraint) int {
	return slices.Index([]fairness.Status{fairness.Violated, fairness.Inconclusive, fairness.NotEstimable, fairness.Met}, c.Verdict())
}

// tested is the result of a test of a version, which is about a limit, and about the bound of the comparison where that says more.
func (s *Sheet) tested(g *history.Gate) string {
	one := board.Gate{Name: g.Name, Constraint: g.Constraint, Criterion: fairness.Criterion(g.Criterion), Status: fairness.Status(g.Status), Lo: number(g.Lo), Hi: number(g.Hi), Limit: number(g.Limit), Tau: board.Unknown()}
	for _, c := range s.Audit.Constraints {
		if c.Name == g.Constraint && c.Criterion == g.Criterion && len(c.Taus) == 1 { // else nobody knows which bound held then
			one.Tau = board.Number(c.Taus[0])
		}
	}
	one.Tell()
	return one.Text
}

// alarms are those of the period about the stable version, and of a monitored model; and by themselves those about trial decisions, if there are any.
func (s *Sheet) alarms() []Section {
	var d Diary
	for _, r := range s.Audit.Releases {
		d.Note(&history.Entry{Kind: history.Release, Time: r.Time, Release: &r.Released})
	}
	for _, j := range s.Audit.Decisions {
		d.Note(&history.Entry{Kind: history.Decisions, Time: j.Time, Decisions: &j.Judged})
	}
	section, trials := Section{Title: "Alarms", inTime: true}, Section{Title: "Alarms about trial decisions, which no one received", inTime: true}
	for i := range d.alarms {
		of := &section
		if d.alarms[i].origin == asMade {
			of = &trials
		}
		of.Rows = append(of.Rows, []string{d.alarms[i].told().Text})
	}
	for _, r := range s.Audit.Releases {
		if kind := release.StepKind(r.Step); kind == release.Withdrawn || kind == release.Marked {
			section.Rows = append(section.Rows, []string{fmt.Sprintf("On %s version %s was found beyond its tolerance: %s.", board.Clock(r.Time), called(r.Version), cmp.Or(WhyWords(r.Reason), StepWords(&r.Released)))})
		}
	}
	if len(section.Rows) == 0 {
		section.Sentences = []string{"No alarm was raised in the period."}
		if len(trials.Rows) > 0 {
			section.Sentences = []string{"No alarm about the decisions that people received was raised in the period."}
		}
	}
	if len(trials.Rows) == 0 {
		return []Section{section}
	}
	return []Section{section, trials}
}

// row is one with its time.
type row struct {
	at    time.Time
	cells []string
}

func (s *Sheet) changes() Section {
	section := Section{Title: "Who changed what", Head: []string{"When", "What", "Who", "Reason"}, inTime: true}
	var all []row
	for _, c := range s.Audit.Changes {
		all = append(all, row{c.Time, []string{board.ChangeWords(c.Key, string(c.Old), string(c.New)), who(c.Who), c.Who.Reason}})
	}
	for _, r := range s.Audit.Releases {
		if r.Actor != "" {
			all = append(all, row{r.Time, []string{StepWords(&r.Released), r.Actor, r.Reason}})
		}
	}
	for _, e := range s.Audit.Resets {
		all = append(all, row{e.Time, []string{"What the job had learnt was deleted, and learning began again", who(e.Who), e.Who.Reason}})
	}
	slices.SortStableFunc(all, func(a, b row) int { return a.at.Compare(b.at) })
	for _, r := range all {
		section.Rows = append(section.Rows, append([]string{board.Clock(r.at)}, r.cells...))
	}
	if len(section.Rows) == 0 {
		section.Sentences = []string{"Nobody changed the settings or gave an order about versions in the period."}
	}
	return section
}
