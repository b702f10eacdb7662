package demo

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/app/replay"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestDemoLines: what the demo says at the beginning, in the middle, without an end, and of too few records.
func TestDemoLines(t *testing.T) {
	at := func(total int64, c fairness.Estimate) standing {
		measured := document.Measurements{Constraints: []fairness.Estimate{c}}
		measured.Recent.Decisions = &document.Decisions{}
		measured.Recent.Accuracy.Value = .8543
		return standing{elapsed: 8 * time.Second, records: 23412, total: total, published: 22500, measured: &measured}
	}
	met := fairness.Estimate{Name: "sex", Value: .019, Lo: .007, Hi: .031, Status: fairness.Met}
	few := fairness.Estimate{Name: "sex", Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Status: fairness.NotEstimable}
	for want, m := range map[string]standing{
		"  1 s  0 of 39,074 records": {elapsed: time.Second, total: 39074},
		"  8 s  23,412 of 39,074 records  accuracy 0.854  sex +0.019 [+0.007, +0.031] met  published 22,500": at(39074, met),
		"  8 s  23,412 records  accuracy 0.854  sex +0.019 [+0.007, +0.031] met  published 22,500":           at(0, met),
		"  8 s  23,412 of 39,074 records  accuracy 0.854  sex – not_estimable  published 22,500":             at(39074, few),
	} {
		if got := m.line(); got != want {
			t.Errorf("the line is\n%q, want\n%q", got, want)
		}
	}
}

// TestTheDemoSaysWhereItStands every two seconds, until its end.
func TestTheDemoSaysWhereItStands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan struct{})
		time.AfterFunc(5*time.Second, func() { close(ended) })
		var out bytes.Buffer
		if err := showLines(&out, ended, func() standing { return standing{total: records} }); err != nil || strings.Count(out.String(), "\n") != 2 {
			t.Errorf("in 5 s: %v\n%s", err, out.String())
		}
	})
}

// full takes so many lines, and no more.
type full struct{ lines int }

func (f *full) Write(p []byte) (int, error) {
	if f.lines--; f.lines < 0 {
		return 0, errors.New("the disk is full")
	}
	return len(p), nil
}

// TestLinesThatCannotBeWritten end the showing, and say why.
func TestLinesThatCannotBeWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		if err := showLines(&full{lines: 1}, make(chan struct{}), func() standing { return standing{} }); err == nil || err.Error() != "the disk is full" || time.Since(began) != 2*toldEvery {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
	})
}

// TestHoldoutsOfADemo are told of one after the other, and what was measured on which records before.
func TestHoldoutsOfADemo(t *testing.T) {
	var s replay.Summary
	if err := json.Unmarshal([]byte(`{"qualities": [{"name": "accuracy", "mean": 0.8514}, {"name": "log loss", "mean": 0.3}],
		"constraints": [{"name": "sex", "mean": 0.0214, "furthest": -0.0312, "tau": 0.05, "within": 4, "holdouts": 5}]}`), &s); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	writeHoldouts(&out, &s)
	before, after, _ := strings.Cut(out.String(), "each fifth of the records in turn:\n\n")
	if want := "  difference   +0.021 on average, -0.031 at most\n  within 0.05  in 4 of 5 holdouts\n  accuracy     0.851 on average\n  log loss     0.300 on average\n"; after != want || !strings.HasPrefix(before, "\nThe lines above measured accuracy on each record before it was learnt") {
		t.Errorf("%s\nwant\n%s", out.String(), want)
	}
}
