package linear

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLabelsAreWhatTheirDocumentationSays: the centre is the median of the first labels; mean and spread are those of the labels so
// far by their definition, older ones faded, none further out than ten standard deviations.
func TestLabelsAreWhatTheirDocumentationSays(t *testing.T) {
	random := rand.New(rand.NewPCG(71, 1))
	for _, count := range []int{1, 2, 3, 10, 199, 200, 201, 202, 401, 1000} {
		first := make([]float64, count)
		for i := range first {
			first[i] = 50 + 3*random.NormFloat64()
		}
		first[0] = 1e6
		var l Labels
		l.Start(first)
		sorted := slices.Sorted(slices.Values(first))
		median := sorted[count/2]
		if count%2 == 0 {
			median = (sorted[count/2-1] + sorted[count/2]) / 2
		}
		// Two hundredths in a thousand at either end count as no further out than the others.
		out := int(.005 * float64(count-1))
		mean, square := 0.0, 0.0
		for i := range sorted {
			y := sorted[min(max(i, out), count-1-out)] - median
			mean, square = mean+y/float64(count), square+y*y/float64(count)
		}
		same := func(what string, got, want float64) {
			t.Helper()
			if math.Abs(got-want) > 1e-7*max(1, math.Abs(want)) {
				t.Fatalf("%d labels: %s is %v and should be %v", count, what, got, want)
			}
		}
		same("the centre", l.Centre(), median)
		same("the mean", l.Constant(), median+mean)
		variance := square - mean*mean
		same("the variance", l.Spread()*l.Spread(), variance)
		if count < 199 {
			continue
		}
		records := float64(count)
		for i := range 500 {
			y, weight := 50+3*random.NormFloat64(), .1+2*random.Float64()
			if i%50 == 0 {
				y = 1e7 * float64(1-i%100/25)
			}
			l.observe(y, weight, 300)
			records++
			fade := min(1, weight*max(1/records, 1./300))
			d := y - median - mean
			d = min(10*math.Sqrt(variance), max(-10*math.Sqrt(variance), d))
			mean += d * fade
			variance += (d*d - variance) * fade
			same("the mean", l.Constant(), median+mean)
			same("the spread", l.Spread(), math.Sqrt(variance))
		}
	}
}

// TestAHeavyLabelIsAllThereIs at most: the mean goes no further than to the label.
func TestAHeavyLabelIsAllThereIs(t *testing.T) {
	for weight, want := range map[float64]float64{.5: 4.5, 1: 5, 2: 6, 3: 6, 100: 6} {
		var l Labels
		l.Start([]float64{4})
		l.observe(6, weight, 300) // half of all labels
		if got := l.Constant(); math.Abs(got-want) > 1e-12 {
			t.Errorf("beside 4, a label of 6 with the weight %v: the mean is %v, want %v", weight, got, want)
		}
	}
}

// Where all but the outlying labels are equal, these count; without any label there is no scale.
func TestLabelsThatAreNearlyEqual(t *testing.T) {
	labels := slices.Repeat([]float64{4}, 999)
	var l Labels
	l.Start(labels)
	if l.Spread() != 0 || l.Residual(7, 4) != 0 {
		t.Errorf("the spread of equal labels is %v, a residual %v", l.Spread(), l.Residual(7, 4))
	}
	l.observe(7, 2, 300) // the first label that differs
	if want := math.Sqrt(9 * 2 / 300.); math.Abs(l.Spread()-want) > 1e-12 {
		t.Errorf("after one that differs the spread is %v, want %v", l.Spread(), want)
	}
	l = Labels{}
	l.Start(append(labels, 14))
	if want := math.Sqrt(.001 * .999 * 100); math.Abs(l.Spread()-want) > 1e-9 || math.Abs(l.Constant()-4.01) > 1e-9 {
		t.Errorf("of one that differs the spread is %v, want %v, the mean %v", l.Spread(), want, l.Constant())
	}
	l = Labels{}
	if l.Start(nil); l != (Labels{}) {
		t.Errorf("no labels give %+v", l)
	}
}

// Predictions and residuals are bounded, at the bound and not before it.
func TestPredictionsAndResidualsAreBounded(t *testing.T) {
	l := Labels{centre: 8, variance: 4}
	for margin, want := range map[float64]float64{0: 8, -3: 5, LargestPrediction: LargestPrediction, -2 * LargestPrediction: 8, 1.01 * LargestPrediction: 8, math.NaN(): 8} {
		if got := l.Prediction(margin); got != want {
			t.Errorf("a margin of %v predicts %v, want %v", margin, got, want)
		}
	}
	for label, want := range map[float64]float64{8: 0, 12: 2, 4: -2, 27: 9.5, 30: 10, -100: -10} {
		if got := l.Residual(label, 8); got != want {
			t.Errorf("the residual of %v is %v, want %v", label, got, want)
		}
	}
}
