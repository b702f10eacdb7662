package history

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// followed reads entries that stand in this order.
func followed(t *testing.T, entries ...Entry) *Log {
	t.Helper()
	l := NewLog()
	for i, value := range write(t, entries...) {
		if err := l.Add(int64(i), value, Seal{}); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

// TestOwnersWithOtherClocks: whatever the clocks of the owners show, shares are in [0, 1] and sum to at most 1, versions are in use one after
// the other for as long as the period is, and gaps do not overlap.
func TestOwnersWithOtherClocks(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 42))
	statuses := []string{met, violated, inconclusive, notEstimable}
	for round := range 400 {
		var entries []Entry
		hours, version, back := 0., int64(0), false
		for term := range int64(2 + random.IntN(5)) {
			skew := (random.Float64() - .5) * []float64{.01, 2, 48}[random.IntN(3)]
			for range 1 + random.IntN(6) {
				hours += random.ExpFloat64() / 3
				version++
				e := published(hours+skew, term+1, version, .05, .04, .03, .06, statuses[random.IntN(4)])
				e.ID = fmt.Sprint(term, version)
				if len(entries) > 0 && e.Time.Before(entries[len(entries)-1].Time) {
					back = true
				}
				if random.IntN(8) == 0 {
					e.Publication.Constraints = append(e.Publication.Constraints, e.Publication.Constraints[0])
				}
				entries = append(entries, e)
			}
		}
		at := func(h float64) time.Time { return begin.Add(time.Duration(h * float64(time.Hour))) }
		period := Period{}
		if random.IntN(2) == 0 {
			period.Since = at(hours * random.Float64())
		}
		if random.IntN(2) == 0 {
			period.Until = at(hours * (1 + random.Float64()))
		}
		a := followed(t, entries...).Audit(period, at(hours), 20*time.Minute)
		if period.Until.IsZero() && len(a.Versions) < len(entries) && period.Since.IsZero() {
			t.Fatalf("round %d: %d of %d versions", round, len(a.Versions), len(entries))
		}
		if back != (len(a.Clocks.Back) > 0) || back != (a.Clocks.Largest > 0) {
			t.Fatalf("round %d: clocks went back: %t; %+v", round, back, a.Clocks)
		}
		used, whole := 0., a.Until.Sub(a.Since).Seconds()
		for i, v := range a.Versions {
			if used += v.InUse; v.InUse < 0 || i > 0 && v.Time.Before(a.Versions[i-1].Time) {
				t.Fatalf("round %d: version %d in use for %v s since %v", round, i, v.InUse, v.Time)
			}
		}
		for _, c := range a.Constraints {
			sum := 0.
			for _, status := range append(slices.Clone(statuses), "none") {
				if share := c.Share[status]; share < 0 || share > 1+1e-12 {
					t.Fatalf("round %d: share %v of %s", round, share, status)
				}
				sum += c.Share[status]
			}
			if math.Abs(sum-1) > 1e-9 && whole > 0 || c.Within.Lo < 0 || c.Within.Lo > c.Within.Hi+1e-12 || c.Within.Hi > 1 {
				t.Fatalf("round %d: shares %v, within %+v", round, c.Share, c.Within)
			}
			if want := (1 - c.Share["none"]) * whole; math.Abs(used-want) > 1e-6 {
				t.Fatalf("round %d: versions in use for %v s of %v s", round, used, want)
			}
		}
		for i, g := range a.Gaps {
			if g.Seconds <= 0 || g.From.Before(a.Since) || g.To.After(a.Until) || i > 0 && g.From.Before(a.Gaps[i-1].To) {
				t.Fatalf("round %d: gaps %+v", round, a.Gaps)
			}
		}
	}
}

// TestClocksThatWentBack: an owner whose clock is an hour ahead, then one whose clock is an hour behind. The audit says how far, and its
// period reaches to the last entry although the clock of the auditor does not.
func TestClocksThatWentBack(t *testing.T) {
	owner := at(1, 1, Owned)
	owner.Owner = &Owner{}
	l := followed(t, owner, published(1.25, 1, 10, .05, .01, 0, .02, met), published(-.5, 2, 20, .05, .01, 0, .02, violated), published(1.75, 2, 30, .05, .01, 0, .02, met))
	a := l.Audit(Period{}, begin.Add(45*time.Minute), time.Hour)
	if !a.Since.Equal(begin.Add(time.Hour)) || !a.Until.Equal(begin.Add(105*time.Minute+time.Second)) || len(a.Versions) != 3 || len(a.Owners) != 1 {
		t.Errorf("from %v to %v: %d versions", a.Since, a.Until, len(a.Versions))
	}
	want := ClockStep{3, 2, "h", begin.Add(75 * time.Minute), begin.Add(-30 * time.Minute), 105 * 60}
	if c := a.Clocks; len(c.Back) != 1 || c.Back[0] != want || c.Largest != want.Seconds || c.Moved != 1 || c.Ahead != 3600 {
		t.Errorf("%+v", a.Clocks)
	}
	if v := a.Versions[1]; !v.Time.Equal(want.Before) || !v.Clock.Equal(want.Clock) || !a.Versions[0].Clock.IsZero() {
		t.Errorf("%+v", v.Event)
	}
}
