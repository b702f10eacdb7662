package main

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestIntervalsCover is the quick version of the study: in each world, of some documents after 2,000 records, so many
// intervals hold the true difference as a level of .95 makes all but certain. At .95, 24 of 30 are missed once in 700.
func TestIntervalsCover(t *testing.T) {
	s := study{runs: 30, seed: 1, tau: .05, relaxation: "approximation-1"}
	if testing.Short() {
		s.runs = 10
	}
	for _, p := range populations() {
		if strings.HasPrefix(p.name, "world") {
			s.check(t, p.name, p)
		}
	}
	// The constraint is only measured; the interval is that on the records that are never learnt.
	measured, reserved := s, s
	measured.measured, reserved.share = true, .3
	worlds := populations()
	measured.check(t, worlds[1].name+", measured", worlds[1])
	reserved.check(t, worlds[2].name+", reserved", worlds[2])
}

func (s study) check(t *testing.T, name string, p drawnFrom) {
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		p.looks = p.looks[:1]
		looks, err := s.measure(p)
		if err != nil {
			t.Fatal(err)
		}
		covered := share(looks, look.covered)
		t.Logf("%.2f of %d intervals cover", covered, len(looks))
		if covered < .8 {
			t.Errorf("only %.2f of %d intervals cover the true difference", covered, len(looks))
		}
		for _, l := range looks {
			if width := l.claim.Hi - l.claim.Lo; !(width > 0 && width < .4) {
				t.Errorf("an interval of width %v", width)
			}
		}
	})
}

// TestOnceLearnsEachRecordOnce: of 400 records, 300 come, each once, and the truth is that of the other 100, with its doubt.
func TestOnceLearnsEachRecordOnce(t *testing.T) {
	world := populations()[1]
	c := world.config(.05)
	from, err := world.open(c)
	if err != nil {
		t.Fatal(err)
	}
	from.Truth = from.Truth[:400]
	looks, err := study{once: true}.follow(c, from, []int{250, 300}, 5)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range looks {
		if !(l.doubt > .05 && l.doubt < .5) || l.covered() != (math.Abs(l.claim.Value-l.truth) <= math.Hypot((l.claim.Hi-l.claim.Lo)/2, l.doubt)) {
			t.Errorf("%+v", l)
		}
	}
	again, err := study{}.follow(c, from, []int{250}, 5)
	if err != nil || again[0].doubt != 0 || again[0].truth == looks[0].truth {
		t.Errorf("with replacement: %+v, %v", again, err)
	}
	if err := run([]string{"-once"}, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "-file") {
		t.Errorf("-once without a file: %v", err)
	}
}

func TestMoments(t *testing.T) {
	looks := []look{{truth: 1}, {truth: 2}, {truth: 6}}
	mean, sd := moments(looks, func(l look) float64 { return l.truth })
	if mean != 3 || math.Abs(sd-math.Sqrt(7)) > 1e-12 {
		t.Errorf("mean %v, standard deviation %v", mean, sd)
	}
}

func TestArguments(t *testing.T) {
	for _, args := range [][]string{{"-runs", "1"}, {"-relaxation", "none"}} {
		if err := run(args, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), args[0]) {
			t.Errorf("%v: %v", args, err)
		}
	}
}

// TestWithin: of a difference at tau half of the samples are within, and of one far below nearly all; with sides of a half each at rates
// of a half, the standard error of 10,000 records is a hundredth.
func TestWithin(t *testing.T) {
	at := func(value float64) *fairness.Estimate {
		return &fairness.Estimate{Value: value, Tau: .05, RateSides: &fairness.RateSides{RateGroup: .5, RateVersus: .5}}
	}
	for value, want := range map[float64]float64{.05: .5, -.05: .5, .04: .841345, .06: .158655, 0: .9999994} {
		if got := within(at(value), .5, .5); math.Abs(got-want) > 1e-6 {
			t.Errorf("at %v: %v instead of %v", value, got, want)
		}
	}
}
