package main

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/stream"
)

// jobFrame is what run --watch shows at a moment.
type jobFrame struct {
	elapsed time.Duration
	learnt  int64 // since the process began
	status  stream.Status
	log     []string // the newest lines
}

// screen draws the frame for a terminal, in at most 80 columns.
func (f *jobFrame) screen() string {
	var b strings.Builder
	row := func(label, words string) {
		fmt.Fprintf(&b, " %-14s %s\n", clipped(label, 14), words)
	}
	s := &f.status
	row("job", clipped(s.Job, 40)+"   Ctrl-C ends it")
	if s.Reason != "" {
		row(string(s.Phase), clipped(s.Reason, 62))
	}
	lag := int64(0)
	for _, p := range s.Partitions {
		lag += p.Lag()
	}
	row("records", english.Sprintf("%d learnt, %.0f a second, %d to go", s.Version, float64(f.learnt)/max(f.elapsed.Seconds(), .001), lag))
	if m := s.Measurements; m == nil {
		row("", "the first measurement comes after the warm-up")
	} else {
		for _, q := range measuresOf(&m.Recent).qualities() {
			row(q.name, q.words())
		}
		const most = 8
		for i, c := range m.Constraints[:min(most, len(m.Constraints))] {
			row(c.Name, clipped(fmt.Sprintf("%s − %s, %s, tau %s", c.Group, c.Versus, c.Criterion, written(c.Tau)), 64))
			row("", differenceWords(c))
			if free := m.UnconstrainedRecent; free != nil && i < len(free.Constraints) {
				row("", "without constraints "+differenceWords(free.Constraints[i]))
			}
		}
		if more := len(m.Constraints) - most; more > 0 {
			row("", counted(more, "more comparison"))
		}
		f.conditions(row, m.Conditions)
	}
	if s.Published == 0 {
		row("published", "nothing yet: "+clipped(orElse(s.Useless, "first it must be known whether tau is kept"), 48))
	} else {
		row("published", english.Sprintf("version %d, %.0f s ago", s.Published, time.Since(s.PublishedAt).Seconds()))
	}
	for _, line := range f.log {
		fmt.Fprintf(&b, " %s\n", clipped(line, 78))
	}
	return b.String()
}

func (f *jobFrame) conditions(row func(label, words string), all []document.Condition) {
	for i, c := range all {
		label := ""
		if i == 0 {
			label = "conditions"
		}
		row(label, clipped(conditionWords(c), 64))
	}
}

// differenceWords is a difference with its verdict.
func differenceWords(c fairness.Estimate) string {
	if c.Status == fairness.NotEstimable {
		return string(c.Status)
	}
	return difference(c) + "   " + string(c.Status)
}

// line is the frame in one line, for a log.
func (f *jobFrame) line() string {
	parts := []string{english.Sprintf("%3.0f s  %d records", f.elapsed.Seconds(), f.status.Version)}
	if m := f.status.Measurements; m != nil {
		parts = append(parts, measuresOf(&m.Recent).qualities()[0].name+" "+measuresOf(&m.Recent).qualities()[0].words())
		for _, c := range m.Constraints {
			parts = append(parts, c.Name+" "+differenceWords(c))
		}
	}
	if f.status.Published > 0 {
		parts = append(parts, english.Sprintf("published %d", f.status.Published))
	}
	return strings.Join(parts, "   ")
}

// newestLines keeps the newest lines of a log, for the panel to show: written below it, they would tear it.
type newestLines struct {
	mutex sync.Mutex
	lines []string
	open  []byte // the beginning of a line
}

const shownLines = 5

// Write takes in a part of a log.
func (n *newestLines) Write(p []byte) (int, error) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.open = append(n.open, p...)
	for {
		line, rest, found := bytes.Cut(n.open, []byte("\n"))
		if !found {
			return len(p), nil
		}
		n.lines = append(n.lines, string(line))
		n.lines = n.lines[max(0, len(n.lines)-shownLines):]
		n.open = append([]byte(nil), rest...)
	}
}

func (n *newestLines) newest() []string {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	return append([]string(nil), n.lines...)
}

// framer looks at the stream now and again.
func (r *streaming) framer(newest *newestLines) func() picture {
	begun, first := time.Now(), int64(-1)
	return func() picture {
		f := &jobFrame{elapsed: time.Since(begun), status: stream.Status{Job: r.config.Job}}
		if learner := r.status.Load(); learner != nil {
			f.status = learner.Status()
			if first < 0 && f.status.Version > 0 {
				first, begun = f.status.Version, time.Now()
			}
			f.learnt = f.status.Version - max(0, first)
		}
		if newest != nil {
			f.log = newest.newest()
		}
		return f
	}
}
