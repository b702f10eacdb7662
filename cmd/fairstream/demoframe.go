package main

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// frame is what the demo shows at a moment.
type frame struct {
	elapsed      time.Duration
	records      int64 // learnt
	total        int64 // 0: no end
	published    int64 // version
	publishedAgo time.Duration
	publications int64
	topic        string
	measured     *document.Measurements // nil before the first
}

// frame looks at the stream.
func (d *demo) frame() picture {
	s := d.learner.Status()
	f := &frame{elapsed: time.Since(d.begun), records: s.Version, total: records, published: s.Published,
		publications: d.publications.Load(), topic: d.config.Topics.Model, measured: s.Measurements}
	if d.keepRunning {
		f.total = 0
	}
	if !s.PublishedAt.IsZero() {
		f.publishedAgo = time.Since(s.PublishedAt)
	}
	return f
}

// The axis of differences: a cell is 0.01 wide.
const (
	axisLow, axisHigh = -.08, .24
	axisCells         = 32
)

// cell is the place of a difference on the axis, at its end if it lies beyond.
func cell(difference float64) int {
	at := math.Round((difference - axisLow) / (axisHigh - axisLow) * axisCells)
	return int(min(max(at, 0), axisCells))
}

// screen draws the frame for a terminal, in at most 80 columns.
func (f *frame) screen() string {
	var b strings.Builder
	row := func(label, format string, arguments ...any) {
		fmt.Fprintf(&b, " %-14s %s\n", label, english.Sprintf(format, arguments...))
	}
	row("records", "%s", f.progress())
	m := cmp.Or(f.measured, &document.Measurements{})
	if f.measured == nil {
		row("", "the first measurement comes after the warm-up")
	} else {
		row("accuracy", "%s   a constant decision has %.3f", measureWords(m.Recent.Accuracy), m.Recent.ConstantAccuracy.Value)
		row("log loss", "%s   on the last %d records, at level %v", measureWords(m.Recent.LogLoss), m.Recent.Records, m.Recent.LogLoss.Level)
	}
	for i, c := range m.Constraints {
		b.WriteString("\n")
		row(c.Name, "rate of yes: %s − %s, tau %v", c.Group, c.Versus, c.Tau)
		row("", "%s", axisHead(c.Tau))
		row("fairstream", "%s", axisRow(c))
		if m.UnconstrainedRecent != nil {
			row("unconstrained", "%s", axisRow(m.UnconstrainedRecent.Constraints[i]))
		}
	}
	for _, c := range m.Control {
		row("multiplier", "%+.3f, to keep the difference near %.3f", c.Multiplier, c.Target)
	}
	b.WriteString("\n")
	if f.published == 0 {
		row("published", "nothing yet: first it must be known whether tau is kept")
	} else {
		row("published", "version %d on %s, %.0f s ago (%d so far)", f.published, f.topic, f.publishedAgo.Seconds(), f.publications)
	}
	return b.String()
}

// progress is how many records are learnt, and how fast.
func (f *frame) progress() string {
	rate := english.Sprintf("%.0f a second", float64(f.records)/max(f.elapsed.Seconds(), .001))
	if f.total == 0 {
		return english.Sprintf("%d   %s   Ctrl-C ends it", f.records, rate)
	}
	const cells = 20
	full := int(min(f.records, f.total) * cells / f.total)
	bar := text.FgGreen.Sprint(strings.Repeat("━", full)) + strings.Repeat("─", cells-full)
	return english.Sprintf("%d of %d   %s   %s", f.records, f.total, bar, rate)
}

// axisHead names the places on the axis.
func axisHead(tau float64) string {
	line := []rune(strings.Repeat(" ", axisCells+4))
	place := func(at int, words string) { copy(line[max(0, at):], []rune(words)) }
	place(cell(-tau)-1, "−tau")
	place(cell(0), "0")
	place(cell(tau)-1, "+tau")
	return strings.TrimRight(string(line), " ")
}

// axisRow draws an estimate and its interval between the bounds, and says it in numbers.
func axisRow(e fairness.Estimate) string {
	line := []rune(strings.Repeat(" ", axisCells+1))
	colour := text.FgYellow
	if e.Status != fairness.NotEstimable {
		for at := cell(e.Lo); at <= cell(e.Hi); at++ {
			line[at] = '─'
		}
	}
	mark := func(at int, with rune) {
		if line[at] == ' ' {
			line[at] = with
		}
	}
	mark(cell(0), '│')
	mark(cell(-e.Tau), '┊')
	mark(cell(e.Tau), '┊')
	switch e.Status {
	case fairness.NotEstimable:
		return string(line) + " " + colour.Sprint(string(e.Status))
	case fairness.Met:
		colour = text.FgGreen
	case fairness.Violated:
		colour = text.FgRed
	}
	line[cell(e.Value)] = '●'
	return strings.ReplaceAll(string(line), "●", colour.Sprint("●")) + " " + colour.Sprintf("%+.3f", e.Value) + fmt.Sprintf(" [%+.3f, %+.3f]", e.Lo, e.Hi)
}

// line is the frame in one line, for a log.
func (f *frame) line() string {
	parts := []string{english.Sprintf("%3.0f s  %d records", f.elapsed.Seconds(), f.records)}
	if f.total > 0 {
		parts[0] = english.Sprintf("%3.0f s  %d of %d records", f.elapsed.Seconds(), f.records, f.total)
	}
	if m := f.measured; m != nil {
		parts = append(parts, fmt.Sprintf("accuracy %s", measureWords(m.Recent.Accuracy)), fmt.Sprintf("log loss %.3f", m.Recent.LogLoss.Value))
		for _, c := range m.Constraints {
			parts = append(parts, fmt.Sprintf("%s %s %s", c.Name, difference(c), c.Status))
		}
		for _, c := range m.Control {
			parts = append(parts, fmt.Sprintf("multiplier %+.3f", c.Multiplier))
		}
	}
	if f.published > 0 {
		parts = append(parts, english.Sprintf("published %d", f.published))
	}
	return strings.Join(parts, "   ")
}
