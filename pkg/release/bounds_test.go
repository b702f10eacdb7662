package release

import (
	"math"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestTheBoundsOfEachSetting: the least and the largest value of each setting are valid, and the next value beyond is a problem at its key and
// at no other.
func TestTheBoundsOfEachSetting(t *testing.T) {
	up, down := func(x float64) float64 { return math.Nextafter(x, math.Inf(1)) }, func(x float64) float64 { return math.Nextafter(x, math.Inf(-1)) }
	for key, c := range map[string]struct {
		set       func(*Config, float64)
		good, bad []float64
	}{
		"limit":            {func(c *Config, x float64) { c.Limit = x }, []float64{0, down(1)}, []float64{down(0), 1, math.NaN()}},
		"delta":            {func(c *Config, x float64) { c.Delta = x }, []float64{up(0), down(1)}, []float64{0, 1, math.NaN()}},
		"confidence":       {func(c *Config, x float64) { c.Confidence = x }, []float64{0.5, down(1)}, []float64{down(0.5), 1, math.NaN()}},
		"minimum_records":  {func(c *Config, x float64) { c.MinimumRecords = int64(x) }, []float64{1, 1e12}, []float64{0, 1e12 + 1}},
		"minimum_labels":   {func(c *Config, x float64) { c.MinimumLabels = int64(x) }, []float64{100, 1e12}, []float64{99, 1e12 + 1}},
		"most_unknown":     {func(c *Config, x float64) { c.MostUnknown = x }, []float64{up(0), 1}, []float64{0, up(1), math.NaN()}},
		"most_bytes":       {func(c *Config, x float64) { c.MostBytes = int(x) }, []float64{1, math.MaxInt32}, []float64{0, math.MaxInt32 + 1}},
		"deadline":         {func(c *Config, x float64) { c.Deadline, c.Patience = int64(x), max(int64(x), 1) }, []float64{1000, 1e12}, []float64{999, 1e12 + 1}},
		"patience":         {func(c *Config, x float64) { c.Patience = int64(x) }, []float64{100_000, 1e14}, []float64{99_999, 1e14 + 1}},
		"cool_down":        {func(c *Config, x float64) { c.CoolDown = int64(x) }, []float64{1, 1e12}, []float64{0, 1e12 + 1}},
		"run_length":       {func(c *Config, x float64) { c.RunLength = x }, []float64{1000, 1e15}, []float64{down(1000), up(1e15)}},
		"alarm_run_length": {func(c *Config, x float64) { c.AlarmRunLength = x }, []float64{1000, 1e15}, []float64{down(1000), up(1e15)}},
		"anchors":          {func(c *Config, x float64) { c.Anchors = int(x) }, []float64{2, 20}, []float64{1, 21}},
		"share":            {func(c *Config, x float64) { c.Share = x }, []float64{up(0), 1}, []float64{0, up(1), math.NaN()}},
		"rate":             {func(c *Config, x float64) { c.Rate = int64(x) }, []float64{1, 1e12}, []float64{0, 1e12 + 1}},
	} {
		problems := func(x float64) []record.Problem {
			changed := Default()
			c.set(&changed, x)
			return changed.Validate()
		}
		for _, x := range c.good {
			if found := problems(x); len(found) > 0 {
				t.Errorf("%s %v: %v", key, x, found)
			}
		}
		for _, x := range c.bad {
			if found := problems(x); len(found) != 1 || found[0].Path != "release."+key {
				t.Errorf("%s %v: %v", key, x, found)
			}
		}
	}
	for word, good := range map[string]bool{string(Block): true, string(Waive): true, "": false, "blocks": false} {
		changed := Default()
		changed.SmallGroups = SmallGroups(word)
		if found := slices.ContainsFunc(changed.Validate(), func(p record.Problem) bool { return p.Path == "release.small_groups" }); found == good {
			t.Errorf("small_groups %q: a problem: %v", word, found)
		}
	}
}

// TestMore: a number of records that is left is whole, and none is known of none and of very many.
func TestMore(t *testing.T) {
	for records, want := range map[float64]float64{.5: 1, 1: 1, 1.2: 2, mostNeeded / 2: mostNeeded / 2} {
		if got := more(records); got != want {
			t.Errorf("%v: %v, want %v", records, got, want)
		}
	}
	for _, records := range []float64{0, -1, mostNeeded, math.NaN(), math.Inf(1)} {
		if got := more(records); !math.IsNaN(got) {
			t.Errorf("%v: %v", records, got)
		}
	}
}

// TestMeansThatAreWatched: nothing is said of them before both sides have enough records; then their difference is within the limit, beyond tau or either.
func TestMeansThatAreWatched(t *testing.T) {
	of := func(group, versus int, difference float64) *meanWatch {
		w := &meanWatch{tau: 4, limit: 6, minimum: 100, level: .95}
		for side, n := range map[fairness.Side]int{fairness.Group: group, fairness.Versus: versus} {
			for i := range n {
				score := float64(i%2) - .5
				if side == fairness.Group {
					score += difference
				}
				w.add(side, Decision{Score: score})
			}
		}
		return w
	}
	for name, c := range map[string]struct {
		w      *meanWatch
		status fairness.Status
		unfair bool
	}{
		"few of the group": {of(99, 5000, 9), fairness.NotEstimable, false},
		"few of the other": {of(5000, 99, 9), fairness.NotEstimable, false},
		"just enough":      {of(100, 100, 30), fairness.Violated, true},
		"alike":            {of(5000, 5000, 0), fairness.Met, false},
		"beyond tau":       {of(5000, 5000, 5), fairness.Met, true},
		"the other way":    {of(5000, 5000, -5), fairness.Met, true},
		"beyond the limit": {of(5000, 5000, 7), fairness.Violated, true},
		"near the limit":   {of(5000, 5000, 5.99), fairness.Inconclusive, true},
	} {
		g := Gate{Limit: c.w.limit}
		c.w.gate(&g, nil, 10_000)
		enough := c.status != fairness.NotEstimable
		if c.w.status() != c.status || c.w.unfair() != c.unfair || c.w.enough() != enough {
			t.Errorf("%s: %v, unfair %v, enough %v", name, c.w.status(), c.w.unfair(), c.w.enough())
		}
		if enough && g.Verdict != c.status || (g.Reason == fewRecords) == enough || g.Records != c.w.seen.sides[0].records+c.w.seen.sides[1].records || (g.Needed > 0) != (c.status == fairness.Inconclusive) || g.Lo > g.Value || g.Hi < g.Value {
			t.Errorf("%s: the gate is %+v", name, g)
		}
	}
}
