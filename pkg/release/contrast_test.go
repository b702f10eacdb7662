package release

import (
	"math"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestWhatAnEarlierVersionDecided: decisions of both versions are counted by side; what the stable one gained is the difference of the two sides' means, with the variance
// that decisions leave of which most agree, as if two more had differed on each side.
func TestWhatAnEarlierVersionDecided(t *testing.T) {
	var k rateContrast
	add := func(side fairness.Side, count int, stable, earlier bool) {
		for range count {
			k.add(side, Decision{Known: true, Positive: stable}, Decision{Known: true, Positive: earlier})
		}
	}
	add(fairness.Group, 150, true, true)
	add(fairness.Group, 50, true, false)
	add(fairness.Group, 10, false, true)
	add(fairness.Group, 190, false, false)
	add(fairness.Versus, 90, true, true)
	add(fairness.Versus, 30, true, false)
	add(fairness.Versus, 60, false, true)
	add(fairness.Versus, 420, false, false)
	if want := (rateContrast{{400, 200, 160, 60}, {600, 120, 150, 90}}); k != want {
		t.Fatalf("%+v, want %+v", k, want)
	}
	if present := k.present(); math.Abs(present-.3) > 1e-15 { // .5 less .2
		t.Errorf("the stable version's difference is %v", present)
	}
	if group, versus := k.of(false); group.Positives != 160 || group.Records != 400 || versus.Positives != 150 || versus.Records != 600 {
		t.Errorf("the earlier version has %+v and %+v", group, versus)
	}
	value, lo, hi := k.gain(.95)
	variance := (62./400-.1*.1)/400 + (92./600-.05*.05)/600
	half := sequenceHalf(1000, 1000*variance, .95)
	if math.Abs(value-.15) > 1e-15 || math.Abs(lo-(.15-half)) > 1e-12 || math.Abs(hi-(.15+half)) > 1e-12 || half <= 0 {
		t.Errorf("gained %v from %v to %v, want .15 ± %v", value, lo, hi, half)
	}
}
