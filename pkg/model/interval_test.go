package model_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/model"
)

// difference is the true difference of a table of decisions in a town of one attribute.
func (w *town) difference(table []float64) (difference float64) {
	for combination, decision := range table {
		lean := combination / signals
		difference += decision * (leaning[leans-1-lean] - leaning[lean]) / signals
	}
	return difference
}

// TestIntervalsAreAsWideAsErrors: over many streams, the true difference of a document's weights is off by about as much as
// its interval says. In this town it is 0.78 of that, in root mean square: records with equal features share their
// decision, so that what they owe to themselves is known well. Without the inflation of the variance, by a factor of 1.5, it
// would be 0.96.
func TestIntervalsAreAsWideAsErrors(t *testing.T) {
	t.Parallel()
	streams, records := atNight(60, 240), 24_000
	w := newTown(1, .8)
	config := w.config(model.Classification, .08)
	square, covered := 0.0, 0
	for seed := range streams {
		random := rand.New(rand.NewPCG(uint64(seed), 77))
		l := newLearner(t, config)
		table := w.teach(l, config, records, random)
		claim := documentOf(t, l).Constraints[0]
		truth := w.difference(table)
		off := (truth - claim.Value) / ((claim.Hi - claim.Lo) / 2 / 1.96)
		square += off * off / float64(streams)
		if claim.Lo <= truth && truth <= claim.Hi {
			covered++
		}
	}
	size := math.Sqrt(square)
	t.Logf("errors are %.3f of what the intervals say; %d of %d intervals cover", size, covered, streams)
	if size < .55 || size > .88 {
		t.Errorf("errors are %.3f of what the intervals say", size)
	}
	if float64(covered) < .93*float64(streams) {
		t.Errorf("only %d of %d intervals cover the true difference", covered, streams)
	}
}
