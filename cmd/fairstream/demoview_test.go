package main

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// madeUpFrame is a moment in the middle.
func madeUpFrame(constraint, free fairness.Estimate) frame {
	m := document.Measurements{Constraints: []fairness.Estimate{constraint}, UnconstrainedRecent: &document.Report{Constraints: []fairness.Estimate{free}},
		Control: []document.Control{{Name: "sex", Multiplier: .1961, Target: .0262}}}
	m.Recent.Decisions = &document.Decisions{}
	m.Recent.Accuracy = fairness.Measure{Value: .854, Lo: .846, Hi: .861}
	m.Recent.LogLoss = fairness.Measure{Value: .339, Lo: .33, Hi: .348, Level: .95}
	m.Recent.Records = 8990
	m.Recent.ConstantAccuracy.Value = .764
	return frame{elapsed: 8 * time.Second, records: 23412, total: 39074, published: 22500, publishedAgo: 800 * time.Millisecond,
		publications: 8, topic: "adult.models", measured: &m}
}

func TestFrames(t *testing.T) {
	met := madeUp("sex", .05, true, 700, 6000, 390, 4000)
	notMet := madeUp("sex", .05, true, 1800, 6000, 400, 4000)
	few := madeUp("sex", .05, true, 5, 20, 1, 3)
	endless := madeUpFrame(notMet, madeUp("sex", .05, true, 5000, 6000, 400, 4000))
	endless.total = 0
	var all strings.Builder
	for _, f := range []frame{{elapsed: time.Second, total: 39074}, madeUpFrame(met, notMet), endless, madeUpFrame(few, few)} {
		all.WriteString(f.screen() + "\n" + f.line() + "\n\n")
		for line := range strings.Lines(withoutColour(f.screen())) {
			if width := len([]rune(strings.TrimRight(line, "\n"))); width > 80 {
				t.Errorf("a line of %d columns does not fit into 80: %s", width, line)
			}
		}
	}
	golden(t, "frames.txt", withoutColour(all.String()))
}

func withoutColour(text string) string {
	var plain strings.Builder
	for {
		before, after, found := strings.Cut(text, "\x1b[")
		plain.WriteString(before)
		if !found {
			return plain.String()
		}
		_, text, _ = strings.Cut(after, "m")
	}
}

// TestViewer drives what is shown on a terminal without one.
func TestViewer(t *testing.T) {
	ended := make(chan struct{})
	interrupts := 0
	v := &viewer{frame: func() picture { return &frame{total: records} }, ended: ended, interrupt: func() { interrupts++ }}
	press := func(key tea.Key) tea.Cmd {
		_, command := v.Update(tea.KeyPressMsg(key))
		return command
	}
	if _, command := v.Update(tick{}); command == nil || !strings.Contains(v.View().Content, "0 of 39,074") {
		t.Errorf("a frame is\n%s", v.View().Content)
	}
	if press(tea.Key{Code: 'x', Text: "x"}); interrupts != 0 {
		t.Error("any key interrupts")
	}
	if command := press(tea.Key{Code: 'c', Mod: tea.ModCtrl}); interrupts != 1 || command != nil {
		t.Errorf("Ctrl-C: %d interrupts", interrupts)
	}
	if command := press(tea.Key{Code: 'q', Text: "q"}); command == nil || command() != tea.Interrupt() {
		t.Error("the second Ctrl-C waits")
	}
	close(ended)
	if _, command := v.Update(tick{}); command == nil || command() != tea.Quit() {
		t.Error("the end of the demo is not the end of the view")
	}
}

func TestViewerWithoutATerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan struct{})
		time.AfterFunc(5*time.Second, func() { close(ended) })
		var out bytes.Buffer
		v := &viewer{frame: func() picture { return &frame{total: records} }, ended: ended, out: &out}
		if err := v.show(); err != nil || strings.Count(out.String(), "\n") != 2 {
			t.Errorf("in 5 s: %v\n%s", err, out.String())
		}
	})
}
