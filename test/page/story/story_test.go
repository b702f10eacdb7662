package story

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/signoff"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestStoriesAgree: at every moment of every story, what is on one page agrees: sums and rates with counts, differences with rates, verdicts with intervals, the
// headline with the verdicts, what happened with the history, and no time lies ahead.
func TestStoriesAgree(t *testing.T) {
	for _, state := range States() {
		t.Run(state, func(t *testing.T) {
			for _, s := range New(t, state, nil).scenes {
				if state != "marked" && state != "unreleased" { // which are edited
					s.versionsAgree(t)
				}
				s.timesAgree(t)
				s.countsAgree(t)
				s.comparisonsAgree(t)
				s.headlineAgrees(t)
				s.historyAgrees(t)
				s.seriesAgree(t)
				s.programsAgree(t)
			}
		})
	}
}

var clocks = regexp.MustCompile(`\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d UTC`)

// timesAgree: no time, and no time in a sentence, is later than now.
func (s *Scene) timesAgree(t *testing.T) {
	t.Helper()
	text, err := json.Marshal(s.Status)
	if err != nil {
		t.Fatal(err)
	}
	sheet := signoff.Sheet{Audit: s.Audit, Made: s.At, Status: s.Status}
	for _, found := range append(clocks.FindAllString(string(text), -1), clocks.FindAllString(sheet.Text(), -1)...) {
		if at, err := time.Parse("2 Jan 2006, 15:04 UTC", found); err != nil || at.After(s.At) {
			t.Errorf("at %v the page tells of %s, %v", s.At, found, err)
		}
	}
	for _, found := range regexp.MustCompile(`"\d{4}-\d\d-\d\dT[^"]*"`).FindAllString(string(text), -1) {
		if at, err := time.Parse(`"`+time.RFC3339Nano+`"`, found); err != nil || at.After(s.At) {
			t.Errorf("at %v the status has %s, %v", s.At, found, err)
		}
	}
}

// countsAgree: the groups of an attribute are all decisions, and their parts add up.
func (s *Scene) countsAgree(t *testing.T) {
	t.Helper()
	if r := s.Status.Records; r.Seen != r.Learnt+r.Rejected+r.Unlabelled || r.Waiting > r.Unlabelled {
		t.Errorf("records %+v", r)
	}
	sums, positive := map[string]int64{}, map[string]int64{}
	highest := map[string]board.Number{}
	for _, g := range s.Status.Groups {
		if g.Subject != s.Status.Deciding.Subject {
			continue
		}
		sums[g.Attribute] += g.Records
		positive[g.Attribute] += g.Positive
		if g.Positive > g.Records || g.Labelled+g.Unlabelled != g.Records || g.TP+g.FP+g.FN+g.TN != g.Labelled || g.TP+g.FP > g.Positive {
			t.Errorf("group %+v", g)
		}
		if g.Rate.Known() && !near(g.Rate, float64(g.Positive)/float64(g.Records)) {
			t.Errorf("the share of %s is %v", g.Group, g.Rate)
		}
		if g.ImpactRatio.Known() {
			highest[g.Attribute] = max(highest[g.Attribute], g.ImpactRatio)
		}
	}
	for attribute, sum := range sums {
		if d := s.Status.Deciding; d.Subject == "stable" && (sum != d.Records || !near(d.Positive, float64(positive[attribute])/float64(sum))) {
			t.Errorf("the groups of %s are %d decisions with %d positive ones, of %d and %v", attribute, sum, positive[attribute], d.Records, d.Positive)
		}
		if most, known := highest[attribute]; known && !near(most, 1) {
			t.Errorf("the highest ratio among the groups of %s is %v", attribute, most)
		}
	}
}

// comparisonsAgree: a difference is that of the rates beside it, which are those of the groups, and a verdict is that of its interval.
func (s *Scene) comparisonsAgree(t *testing.T) {
	t.Helper()
	groups := map[string]board.Group{}
	for _, g := range s.Status.Groups {
		if g.Subject == s.Status.Deciding.Subject {
			groups[g.Group] = g
		}
	}
	for i := range s.Status.Deciding.Constraints {
		c := &s.Status.Deciding.Constraints[i]
		if c.Value.Known() && c.GroupMeasure.Known() {
			want := float64(c.GroupMeasure - c.VersusMeasure)
			if c.Criterion.OfRatio() {
				want = min(float64(c.GroupMeasure/c.VersusMeasure), float64(c.VersusMeasure/c.GroupMeasure))
			}
			if !near(c.Value, want) {
				t.Errorf("%s: %v beside the rates %v and %v", c.Name, c.Value, c.GroupMeasure, c.VersusMeasure)
			}
		}
		if g, known := groups[c.Group]; known && c.Subject == "stable" && (c.Criterion == fairness.DemographicParity || c.Criterion.OfRatio()) &&
			(g.Records != c.NGroup || c.GroupMeasure.Known() && !near(c.GroupMeasure, float64(g.Rate))) {
			t.Errorf("%s: %s has %d decisions here and %d among the groups", c.Name, c.Group, c.NGroup, g.Records)
		}
		lo, hi := float64(c.Lo), float64(c.Hi)
		if q := c.Sequence; q != nil {
			lo, hi = float64(q.Lo), float64(q.Hi)
		}
		verdict := fairness.Inconclusive
		switch ratio := c.Criterion.OfRatio(); {
		case math.IsNaN(lo):
			verdict = fairness.NotEstimable
		case ratio && lo >= c.Tau, !ratio && lo >= -c.Tau && hi <= c.Tau:
			verdict = fairness.Met
		case ratio && hi < c.Tau, !ratio && (lo > c.Tau || hi < -c.Tau):
			verdict = fairness.Violated
		}
		if got := c.Verdict(); got != verdict && got != fairness.Inconclusive { // with few positive decisions no interval is enough
			t.Errorf("%s: %v to %v is %s", c.Name, lo, hi, got)
		}
	}
}

// headlineAgrees: it counts the verdicts below it.
func (s *Scene) headlineAgrees(t *testing.T) {
	t.Helper()
	d, beyond := &s.Status.Deciding, 0
	headline := regexp.MustCompile(`^Not known now\. Last known, at [^:]+:\d\d UTC: `).ReplaceAllString(d.Answers.Headline, "")
	for i := range d.Constraints {
		if d.Constraints[i].Verdict() == fairness.Violated {
			beyond++
		}
	}
	if says := strings.HasPrefix(headline, "No:") || strings.HasPrefix(headline, "no, "); says != (beyond > 0) {
		t.Errorf("%q with %d comparisons beyond their bounds", d.Answers.Headline, beyond)
	}
	if found := regexp.MustCompile(`^(?:No:|no,) (\d+) of (\d+) `).FindStringSubmatch(headline); found != nil && (found[1] != strconv.Itoa(beyond) || found[2] != strconv.Itoa(len(d.Constraints))) {
		t.Errorf("%q with %d of %d beyond", d.Answers.Headline, beyond, len(d.Constraints))
	}
}

// versionsAgree: the version in use is the same wherever it is named, and came into use when it is said to have.
func (s *Scene) versionsAgree(t *testing.T) {
	t.Helper()
	r, d := s.Status.Release, &s.Status.Deciding
	if r == nil || r.Stable == nil {
		return
	}
	if d.Version == nil || *d.Version != *r.Stable {
		t.Errorf("%+v is in use, and the verdicts are about %+v", r.Stable, d.Version)
	}
	for _, step := range r.Steps {
		if strings.Contains(step.Text, "came into use") {
			if d.Since == nil || !step.Time.Equal(*d.Since) || !strings.Contains(step.Text, "version "+board.Grouped(r.Stable.Version)) && !strings.Contains(step.Text, "Version "+board.Grouped(r.Stable.Version)+" came") {
				t.Errorf("%q at %v, and the top says since %v", step.Text, step.Time, d.Since)
			}
			break
		}
	}
	inUse := 0
	for i, v := range s.Status.Versions {
		if v.Version > s.Status.Version || v.Published.After(s.At) || i > 0 && v.Version >= s.Status.Versions[i-1].Version {
			t.Errorf("version %d of %v at %d records", v.Version, v.Published, s.Status.Version)
		}
		for _, alias := range v.Alias {
			if alias == "stable" {
				inUse++
				if v.Version != r.Stable.Version {
					t.Errorf("version %d is said to be in use, and %d is", v.Version, r.Stable.Version)
				}
			}
		}
	}
	if inUse > 1 {
		t.Errorf("%d versions are said to be in use", inUse)
	}
}

// historyAgrees: what the top tells of is in the history, and every alarm that the top tells of begins and ends there.
func (s *Scene) historyAgrees(t *testing.T) {
	t.Helper()
	count := func(since, until time.Time, words string) (n int) {
		for _, h := range s.Status.History {
			if !h.Time.Before(since) && h.Time.Before(until) && regexp.MustCompile(words).MatchString(h.Text) {
				n++
			}
		}
		return n
	}
	day, before, _ := strings.Cut(s.Status.Deciding.Answers.Happened, ". The six days before: ")
	yesterday := s.At.Add(-24 * time.Hour)
	for text, span := range map[string][2]time.Time{day: {yesterday, s.At.Add(1)}, before: {s.At.Add(-7 * 24 * time.Hour), yesterday}} {
		for _, told := range [][3]string{ // of one, of several, and in the history
			{`version [0-9,]+ withdrawn by [^;]+, and`, `the last of (\d+) withdrawals by people`, "^A person withdrew"}, {"version [0-9,]+ came into use", `the last of (\d+) versions that came into use`, "^Version [0-9,]+ came into use"},
			{"version [0-9,]+ found beyond its limit for", `the last of (\d+) findings`, "was found beyond a limit"}, {"settings changed", `the last of (\d+) changes`, "^Setting of|^Comparison [0-9]"},
		} {
			n := 0
			if several := regexp.MustCompile(told[1]).FindStringSubmatch(text); several != nil {
				n, _ = strconv.Atoi(several[1])
			} else if regexp.MustCompile(told[0]).MatchString(text) {
				n = 1
			}
			if entries := count(span[0], span[1], told[2]); entries != n && len(s.Status.History) < board.MostHappenings {
				t.Errorf("%q, and the history has %d entries like %s", text, entries, told[2])
			}
		}
	}
	for _, alarm := range s.Status.Deciding.Alarms {
		for _, at := range []*time.Time{&alarm.Began, alarm.Ended} {
			found := at == nil
			for _, h := range s.Status.History {
				found = found || h.Kind == "release" && h.Time.Equal(*at)
			}
			if !found {
				t.Errorf("the history has no entry of %v, when an alarm began or ended: %s", at, alarm.Text)
			}
		}
	}
	for _, c := range s.Status.Deciding.Constraints {
		if c.Alarm != nil && c.Alarm.Raised && !strings.Contains(fmt.Sprint(s.Status.Deciding.Alarms), c.Group+" and "+board.Others(c.Versus)) {
			t.Errorf("an alarm about %s and %s is not at the top: %v", c.Group, c.Versus, s.Status.Deciding.Alarms)
		}
	}
}

// programsAgree: programs decide as much as the verdicts are about, and none uses a version before it came into use or under test.
func (s *Scene) programsAgree(t *testing.T) {
	t.Helper()
	r, d := s.Status.Release, &s.Status.Deciding
	if s.Status.Serving == nil || r == nil || r.Stable == nil || s.Status.Serving.Known > len(s.Status.Serving.Instances) {
		return // none decides by a version in use, or not all are shown
	}
	sum := int64(0)
	for _, one := range s.Status.Serving.Instances {
		for _, use := range one.Uses {
			sum += use.Decisions
			if use.Alias == "stable" && (use.Version != r.Stable.Version || use.Since.Before(*d.Since)) || use.Alias == "candidate" && use.Version != r.Candidate.Version || use.Since.After(s.At) {
				t.Errorf("%s uses %+v", one.Name, use)
			}
		}
	}
	if sum != d.Records {
		t.Errorf("programs made %d decisions, and the verdicts are about %d", sum, d.Records)
	}
}

// seriesAgree: a chart ends at the records that were learnt, and rises in records and time.
func (s *Scene) seriesAgree(t *testing.T) {
	t.Helper()
	for _, series := range s.Series {
		for i, p := range series.Points {
			if p.N > s.Status.Version || i > 0 && p.N <= series.Points[i-1].N || p.Time != nil && p.Time.After(s.At) {
				t.Errorf("%s: point %d of %d records at %v", series.Name, i, p.N, p.Time)
			}
		}
	}
}

func near(a board.Number, b float64) bool { return math.Abs(float64(a)-b) < 1e-6 }
