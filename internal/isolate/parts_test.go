package isolate

import (
	"errors"
	"strings"
	"testing"
)

// TestNoPartIsNeverCutOff: what there is no part for runs at once.
func TestNoPartIsNeverCutOff(t *testing.T) {
	var none *Part
	ran := 0
	none.While(func() { ran++ })
	none.Settle()
	none.Beat()
	if got, ok := Ask(none, func() int { return 7 }); got != 7 || !ok || ran != 1 || !none.Works() || none.Stopped() != nil {
		t.Errorf("%d, %v, %d, %v", got, ok, ran, none.Stopped())
	}
	var silent Probe
	silent.At("a", "b")
	var at string
	Probe(func(part, call string) { at = part + " " + call }).At("page", "status")
	if at != "page status" {
		t.Error(at)
	}
}

// TestAPartThatIsCutOff does no more, and says why, once; another is cut off for the same reason.
func TestAPartThatIsCutOff(t *testing.T) {
	p, other := New("page"), New("releases")
	var told []Stopped
	p.OnStop(func(s Stopped) { told = append(told, s) })
	done := 0
	p.Post(func() { done++ }, nil)
	p.Settle()
	p.While(func() { done++ })
	if done != 2 {
		t.Fatalf("%d of two were done", done)
	}
	p.Cut("a reason")
	p.Cut("another")
	p.While(func() { done++ })
	if p.Try(func() { done++ }) || p.Works() || done != 2 || len(told) != 1 || told[0].Reason != "a reason" || p.Stopped().Reason != "a reason" {
		t.Errorf("%d done, told %+v, %+v", done, told, p.Stopped())
	}
	if got, ok := Ask(p, func() int { return 7 }); ok || got != 0 {
		t.Errorf("it answers %d", got)
	}
	other.CutLike(Stopped{Reason: "a reason", Stack: "a stack"})
	if s := other.Stopped(); s == nil || s.Reason != "a reason" || s.Stack != "a stack" {
		t.Errorf("%+v", s)
	}
	p.OnStop(func(s Stopped) { told = append(told, s) })
	if len(told) != 2 {
		t.Errorf("who asks later is told %+v", told)
	}
}

// TestAPanicIsAnError, with its value and the stack; what runs through is as it was.
func TestAPanicIsAnError(t *testing.T) {
	err := Contained(func() error { panic("a defect") })()
	if panicked := (*Panicked)(nil); !errors.As(err, &panicked) || panicked.Value != "a defect" || !strings.Contains(panicked.Stack, "TestAPanicIsAnError") || !strings.Contains(err.Error(), "a defect") {
		t.Errorf("%v", err)
	}
	plain := errors.New("plain")
	if err := Contained(func() error { return plain })(); !errors.Is(err, plain) {
		t.Error(err)
	}
	if err := Contained(func() error { return nil })(); err != nil {
		t.Error(err)
	}
}
