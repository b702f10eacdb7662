package plan

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

var question = Question{RateA: .3, RateB: .2, ShareB: .5, Tau: .05, Confidence: .95, Comparisons: 1, RunLength: 50_000}

// TestValidate: every limit, on both sides of it.
func TestValidate(t *testing.T) {
	for _, c := range []struct {
		flag   string
		change func(*Question, float64)
		good   []float64
		bad    []float64
	}{
		{"rate-a", func(q *Question, x float64) { q.RateA = x }, []float64{0, 1}, []float64{-.01, 1.01, math.NaN()}},
		{"rate-b", func(q *Question, x float64) { q.RateB = x }, []float64{0, 1}, []float64{-.01, 1.01, math.NaN()}},
		{"share-b", func(q *Question, x float64) { q.ShareB = x }, []float64{.01, .99}, []float64{0, 1, math.NaN()}},
		{"tau", func(q *Question, x float64) { q.Tau = x }, []float64{.01, .99}, []float64{0, 1, math.NaN()}},
		{"confidence", func(q *Question, x float64) { q.Confidence = x }, []float64{.01, .99}, []float64{0, 1, math.NaN()}},
		{"comparisons", func(q *Question, x float64) { q.Comparisons = int(x) }, []float64{1, 2}, []float64{0, -1}},
		{"run-length", func(q *Question, x float64) { q.RunLength = x }, []float64{1, 1e12}, []float64{.9, 1.1e12, math.NaN()}},
	} {
		for _, x := range c.good {
			q := question
			if c.change(&q, x); q.Validate() != nil {
				t.Errorf("--%s %v: %v", c.flag, x, q.Validate())
			}
		}
		for _, x := range c.bad {
			q := question
			if c.change(&q, x); q.Validate() == nil || !strings.HasPrefix(q.Validate().Error(), "--"+c.flag+": use ") {
				t.Errorf("--%s %v: %v", c.flag, x, q.Validate())
			}
		}
	}
	if n := strings.Count((&Question{RateA: 2}).Validate().Error(), "\n"); n != 5 {
		t.Errorf("%d further problems, want 5", n)
	}
}

// TestAnswers: a difference beyond tau is violated, one within is met, and tau itself is never decided. A smaller difference to
// tau, a smaller share and more comparisons need more records; a change is found in both answers alike.
func TestAnswers(t *testing.T) {
	answer := func(change func(*Question)) (object map[string]any, words string) {
		t.Helper()
		q := question
		change(&q)
		var out strings.Builder
		if err := q.WriteJSON(&out); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(out.String()), &object); err != nil {
			t.Fatal(err)
		}
		out.Reset()
		if err := q.Write(&out); err != nil {
			t.Fatal(err)
		}
		return object, out.String()
	}
	base, words := answer(func(*Question) {})
	for _, line := range []string{"The rates 0.3 and 0.2 differ by 0.1, which is beyond tau 0.05.\n", "verdict   violated after about ", "alarm     about ",
		"with a confidence of 0.95 for 1 comparison.\n", "There are at least 50,000 records between false alarms", "    500   ±", "100,000   ±"} {
		if !strings.Contains(words, line) {
			t.Errorf("%q is not in\n%s", line, words)
		}
	}
	if n := strings.Count(words, "±"); n != len(looks) {
		t.Errorf("%d widths for %d looks", n, len(looks))
	}
	for name, change := range map[string]func(*Question){
		"rate":        func(q *Question) { q.RateB = .22 },
		"share":       func(q *Question) { q.ShareB = .1 },
		"comparisons": func(q *Question) { q.Comparisons = 4 },
		"run length":  func(q *Question) { q.RunLength *= 10 },
	} {
		more, _ := answer(change)
		if name != "run length" && !(more["verdict_records"].(float64) > base["verdict_records"].(float64)) {
			t.Errorf("%s: %v records for a verdict, %v before", name, more["verdict_records"], base["verdict_records"])
		}
		if !(more["alarm_records"].(float64) > base["alarm_records"].(float64)) {
			t.Errorf("%s: %v records for an alarm, %v before", name, more["alarm_records"], base["alarm_records"])
		}
	}
	if object, _ := answer(func(q *Question) { q.Comparisons = 5 }); math.Abs(object["level"].(float64)-.99) > 1e-12 {
		t.Errorf("level %v of five comparisons, want 0.99", object["level"])
	}
	within, words := answer(func(q *Question) { q.RateB = .29 })
	if within["verdict"] != "met" || within["alarm_records"] != nil || !strings.Contains(words, "is within tau") || !strings.Contains(words, "alarm     none is due") {
		t.Errorf("%v\n%s", within, words)
	}
	equal, words := answer(func(q *Question) { q.RateA, q.RateB, q.Tau = .75, .5, .25 })
	if equal["verdict"] != "inconclusive" || equal["verdict_records"] != nil || !strings.Contains(words, "is within tau") || !strings.Contains(words, "inconclusive with any number of records") {
		t.Errorf("%v\n%s", equal, words)
	}
	if n := whole(2.0001); *n != 3 || whole(math.Inf(1)) != nil || *whole(2) != 2 {
		t.Errorf("%d", *n)
	}
}
