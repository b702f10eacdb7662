package fairness

import (
	"math"
	"math/rand/v2"
	"testing"
)

// absence draws records of which some lack an attribute; those have positive labels at another rate.
func absence(random *rand.Rand, records int, missing, known, lacking float64) (a Absence) {
	for range records {
		rate, lacks := known, random.Float64() < missing
		if lacks {
			rate = lacking
		}
		label, decision := 0.0, 0.0
		if random.Float64() < rate {
			label = 1
		}
		if random.Float64() < .3 {
			decision = 1
		}
		a.Add(lacks, label, decision, 1)
	}
	return a
}

// TestMissingAtRandomIsNoBias: false alarms are as rare as biasSigma says, and a difference of 0.12 is found.
func TestMissingAtRandomIsNoBias(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	alarms, looks := 0, 0
	for _, missing := range []float64{.02, .3, .9} {
		for _, rate := range []float64{.05, .5, .9} {
			for range 150 {
				a := absence(random, 9000, missing, rate, rate)
				labels, decided := a.Biased()
				looks++
				if labels != 0 || decided != 0 {
					alarms++
				}
			}
		}
	}
	if alarms > 3 { // at 1 in 1,000, 1.35 are expected
		t.Errorf("%d of %d looks find a bias where there is none", alarms, looks)
	}
	for range 50 {
		a := absence(random, 9000, .1, .2, .32)
		if labels, decided := a.Biased(); !(labels > .03) || decided != 0 {
			t.Fatalf("a difference of 0.12 in labels is found as %v, and 0 in decisions as %v", labels, decided)
		}
	}
}

func TestTooFewMissingAreNoBias(t *testing.T) {
	var a Absence
	for i := range 5000 {
		a.Add(i < biasRecords-1, truth(i < 200), 0, 1)
	}
	if labels, _ := a.Biased(); labels != 0 {
		t.Errorf("%v from %d records", labels, biasRecords-1)
	}
	a.Add(true, 1, 0, 1)
	if labels, decided := a.Biased(); !(labels > .9) || decided != 0 {
		t.Errorf("%v and %v from %d records", labels, decided, biasRecords)
	}
}

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// TestShift: the worst case is where all records without the attribute belong to one side.
func TestShift(t *testing.T) {
	var a, other Absence
	for i := range 800 {
		a.Add(false, truth(i%5 == 0), 0, 2)
	}
	for i := range 200 {
		other.Add(true, truth(i%2 == 0), 0, 2)
	}
	a.Combine(other)
	if a.Share() != .2 {
		t.Errorf("share %v", a.Share())
	}
	labels, _ := a.Biased()
	// A side of a quarter of the known records has 200 of them at a rate of 0.2; with 200 more at 0.5 its rate is 0.35.
	if got := a.Shift(.25, labels); math.Abs(labels-.3) > 1e-12 || math.Abs(got-.15) > 1e-12 {
		t.Errorf("difference %v, shift %v", labels, got)
	}
}
