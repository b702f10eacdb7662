package server

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/stream"
)

// witnessed fills in what is known of the decisions as they were made: sequences and alarms of the constraints, and all
// counts of groups.
func witnessed(b *board.Status, m *stream.Monitored) {
	r := m.Report
	b.Confidence, b.Comparisons = r.Confidence, len(r.Comparisons)
	if b.Kind == board.Monitor { // nobody else judges
		for i := range r.Comparisons {
			row := board.NewConstraint(r.Comparisons[i].All, r.Subject.ID)
			row.Name, row.Enforced = nameOf(r.Comparisons[i].Comparison, r.Subject), false
			b.Constraints = append(b.Constraints, row)
		}
	}
	subject := board.Subject{ID: r.Subject.ID, Title: r.Subject.Title, Kind: string(r.Subject.Kind), Records: r.Records, Since: m.Since}
	if r.Cluster != "" {
		subject.Cluster = &board.Cluster{Field: r.Cluster, Repeated: r.Apart.Repeated, Unknown: r.Apart.Unknown}
	}
	b.Subjects = append(b.Subjects, subject)
	if b.Kind == board.Monitor {
		b.Records.Labelled += r.Labelled
	}
	if !r.First.IsZero() {
		b.Time = &board.Span{First: r.First, Last: r.Last}
	}
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		for k := range b.Constraints {
			if row := &b.Constraints[k]; keyOf(c.Comparison, r.Subject) == row.Key() {
				judge(row, c, m)
			}
		}
	}
	counted(b, r, r.Subject.ID)
}

// counted fills in the groups that a monitor counts, and the gaps between them.
func counted(b *board.Status, r *monitor.Report, subject string) {
	for i := range r.Comparisons {
		for _, gap := range gapsOf(subject, &r.Comparisons[i]) {
			b.Gaps = addGap(b.Gaps, gap)
		}
	}
	for i := range r.Groups {
		g := groupOf(subject, &r.Groups[i])
		b.Groups = append(b.Groups, g)
		if !g.Unknown {
			b.Calibration = append(b.Calibration, calibrationOf(g, r.Groups[i].Calibration, r.Level))
		}
	}
}

func keyOf(c fairness.Comparison, of monitor.Subject) board.Key {
	return board.Key{Name: nameOf(c, of), Criterion: c.Criterion, Group: c.GroupLabel(), Versus: c.VersusLabel()}
}

// nameOf tells the rows of several models apart.
func nameOf(c fairness.Comparison, of monitor.Subject) string {
	if of.Kind == monitor.External && of.ID != stream.OnlyModel {
		return fmt.Sprintf("%s (%s)", c.Name, of.ID)
	}
	return c.Name
}

// planned is the change, in units of tau, of which a row says how soon it would raise the alarm. docs/monitoring.md has measured
// delays of such changes.
const planned = 3

// judge adds the sequence and the alarm of a comparison to its row.
func judge(row *board.Constraint, c *monitor.ComparisonReport, m *stream.Monitored) {
	s := c.Sequence
	row.Sequence, row.Totals = sequenceOf(s, m), sequenceOf(c.Totals, m)
	row.RecordsNeeded, row.Recent = nil, recentOf(&c.Recent)
	if !math.IsNaN(c.Needed) {
		n := int64(c.Needed)
		row.RecordsNeeded = &n
	}
	if row.Alarm = nil; !c.Weighed || c.Alarm.Raised {
		row.Alarm = alarmOf(c, m)
	}
	if s.Status == fairness.NotEstimable {
		row.Reason = s.Reason
	}
	row.Sentence = board.Sentence(row)
}

func alarmOf(c *monitor.ComparisonReport, m *stream.Monitored) *board.Alarm {
	a := &board.Alarm{Evidence: board.Number(c.Alarm.Evidence), Threshold: board.Number(c.Alarm.Threshold), RunLength: board.Number(c.Alarm.Threshold),
		Raised: c.Alarm.Raised}
	if c.Alarm.Raised {
		a.Since = &board.Moment{Record: m.Since + c.Alarm.Since, Time: timeOrNil(c.Alarm.SinceTime)}
	}
	change := math.Round(planned*c.Comparison.Tau*1e9) / 1e9 // 0.15 rather than 0.15000000000000002
	if after := m.Report.AlarmAfter(c, change); !math.IsNaN(after) {
		a.Plan = &board.AlarmPlan{Difference: board.Number(change), Records: int64(after)}
	}
	return a
}

func sequenceOf(s fairness.Sequence, m *stream.Monitored) *board.Sequence {
	return &board.Sequence{Value: board.Number(s.Value), Lo: board.Number(s.Lo), Hi: board.Number(s.Hi), Level: s.Level,
		N: s.NGroup + s.NVersus, Since: m.Since, Subject: m.Report.Subject.ID, Status: s.Status, Reason: s.Reason}
}

func timeOrNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// addGap adds a gap, once for two comparisons of the same groups: that which a bound is about.
func addGap(gaps []board.Gap, gap board.Gap) []board.Gap {
	for i, g := range gaps {
		if g.Subject == gap.Subject && g.Measure == gap.Measure && g.Group == gap.Group && g.Versus == gap.Versus &&
			(g.Value == gap.Value || !g.Value.Known() && !gap.Value.Known()) {
			if gap.Tau.Known() {
				gaps[i] = gap
			}
			return gaps
		}
	}
	return append(gaps, gap)
}

// gapsOf are the differences of all measures between the two sides of a comparison.
func gapsOf(subject string, c *monitor.ComparisonReport) (gaps []board.Gap) {
	for _, g := range c.Gaps {
		tau := board.Unknown()
		if g.Bounded {
			tau = board.Number(c.Comparison.Tau)
		}
		gaps = append(gaps, board.Gap{Subject: subject, Measure: string(g.Measure), Group: c.Comparison.GroupLabel(), Versus: c.Comparison.VersusLabel(),
			Constraint: c.Comparison.Name, Value: board.Number(g.Value), Lo: board.Number(g.Lo), Hi: board.Number(g.Hi), Tau: tau, Status: g.Status, Reason: g.Reason,
			NGroup: g.NGroup, NVersus: g.NVersus, EffectiveGroup: board.Number(g.EffectiveGroup), EffectiveVersus: board.Number(g.EffectiveVersus)})
	}
	return gaps
}

func groupOf(subject string, g *monitor.GroupReport) board.Group {
	o := g.All
	b := board.Group{Subject: subject, Attribute: strings.Join(g.Attributes, " & "), Members: map[string]string{}, Records: o.Records(), Share: board.Number(g.Share),
		Positive: o.Positive, Rate: board.Number(g.Rate.Value), Lo: board.Number(g.Rate.Lo), Hi: board.Number(g.Rate.Hi), ImpactRatio: board.Number(g.ImpactRatio),
		Labelled: o.Labelled(), TP: o.TruePositive, FP: o.FalsePositive, FN: o.FalseNegative, TN: o.TrueNegative,
		Unlabelled: o.Records() - o.Labelled(), UnlabelledPositive: o.UnlabelledPositive(), UnlabelledNegative: o.UnlabelledNegative(), Unknown: g.Unknown}
	var words []string
	for i, attribute := range g.Attributes {
		word := g.Values[i]
		switch {
		case g.Levels[i] == fairness.MissingLevel:
			word = "not known"
		case word == "":
			word = "all other values"
		}
		b.Members[attribute] = word
		words = append(words, word)
	}
	b.Group = strings.Join(words, " & ")
	if o.Records() == 0 {
		b.Reason = "no record so far"
	}
	return b
}

func calibrationOf(g board.Group, c monitor.Calibration, level float64) board.Calibration {
	b := board.Calibration{Subject: g.Subject, Group: g.Attribute + ": " + g.Group, SignedError: board.Number(c.SignedError()), Bins: []board.Bin{}}
	for i, bin := range c.Bins(level) {
		b.Bins = append(b.Bins, board.Bin{From: bin.From, To: bin.To, Records: c.Records[i], MeanScore: board.Number(bin.MeanScore),
			Rate: board.Number(bin.Rate.Value), Lo: board.Number(bin.Rate.Lo), Hi: board.Number(bin.Rate.Hi)})
	}
	return b
}

// overTime is a comparison over time, with what happened to it; nil if the key names none.
func overTime(m *stream.Monitored, key board.Key) *board.Series {
	for _, c := range m.Report.Comparisons {
		own := keyOf(c.Comparison, m.Report.Subject)
		if !key.Fits(own) {
			continue
		}
		s := &board.Series{Name: own.Name, Criterion: own.Criterion, Group: own.Group, Versus: own.Versus, Tau: c.Comparison.Tau, Points: []board.Point{}, Marks: []board.Mark{}}
		for _, p := range m.Series[c.Index] {
			s.Points = append(s.Points, board.Point{N: m.Since + p.Record, Time: timeOrNil(p.Time), Value: board.Number(p.Value), Lo: board.Number(p.Lo), Hi: board.Number(p.Hi),
				SequenceValue: board.Number(p.SequenceValue), SequenceLo: board.Number(p.SequenceLo), SequenceHi: board.Number(p.SequenceHi)})
		}
		for _, e := range m.Events {
			if e.Comparison == c.Index {
				s.Marks = mark(s.Marks, board.Mark{N: m.Since + e.Record, Time: timeOrNil(e.Time), Kind: markOf(e.Kind), Text: told(e)})
			}
		}
		return s
	}
	return nil
}

func markOf(c monitor.Change) board.MarkKind {
	if c == monitor.VerdictChanged {
		return board.MarkVerdict
	}
	return board.MarkAlarm
}

// told is an event in words.
func told(e monitor.Event) string {
	switch e.Kind {
	case monitor.AlarmRaised:
		return "alarm: the newest decisions are beyond the limit"
	case monitor.AlarmEnded:
		return "the alarm ended: the newest decisions are within the limit again"
	}
	return fmt.Sprintf("verdict: from %q to %q", verdictWords(e.From), verdictWords(e.To))
}
