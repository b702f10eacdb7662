package demo

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

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
