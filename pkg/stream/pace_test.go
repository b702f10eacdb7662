package stream

import (
	"testing"
	"testing/synctest"
)

// TestAVersionBecomesStableOnASample: the records are a millisecond apart, five times as fast as release.rate.
func TestAVersionBecomesStableOnASample(t *testing.T) {
	records := 6000
	if testing.Short() {
		records = 1500 // of which none is promoted
	}
	synctest.Test(t, func(t *testing.T) {
		world, options := releasing(0)
		options.Release.Rate = 200
		var told events
		options.Notify = told.add
		status := inStages(t, world, options, adultLines()[:records]).Status()
		if got := of[ShareHalved](&told); len(got) != 1 || got[0] != (ShareHalved{Share: .125, Rate: 200}) {
			t.Errorf("told %+v", got)
		}
		if testing.Short() {
			return
		}
		promotions := 0
		for _, s := range agrees(t, world, options) {
			if s.Step == "promoted" && s.Record > 2000 {
				promotions++
			}
		}
		// The share falls to an eighth after the first second.
		if r := status.Releases; r == nil || r.Share != .125 || r.Stable.IsZero() || r.Records < 1300 || r.Records > 1900 || promotions < 2 {
			t.Errorf("%d promotions of later records; the status says %+v", promotions, r)
		}
	})
}
