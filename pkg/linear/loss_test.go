package linear

import "testing"

// TestLabelsOfTheLosses: a decision's label is 1 or −1 whatever number came with it, and its margins are logarithms of odds; a number's
// is the number, and its margins are in units of the spread about the centre.
func TestLabelsOfTheLosses(t *testing.T) {
	decision, number := NewLogistic(), NewSquared()
	decision.Start([]float64{3, 4})
	number.Start([]float64{2, 4, 6, 8})
	for _, test := range []struct {
		what      string
		got, want float64
	}{
		{"a positive label", decision.Label(true, 7), 1}, {"a negative label", decision.Label(false, 7), -1},
		{"a number", number.Label(true, 7), 7}, {"a number of a negative label", number.Label(false, -7), -7},
		{"the curvature of the logistic loss", decision.Curvature(), 0}, {"that of the squared one", number.Curvature(), 1},
		{"the unit of log odds", decision.Unit(), 1}, {"the unit of numbers", number.Unit() * number.Unit(), 5},
		{"the centre of decisions", decision.Centre(), 0}, {"that of numbers", number.Centre(), 5},
		{"a margin as log odds", decision.Prediction(-1.5), -1.5}, {"a margin of numbers", number.Prediction(-1.5), 3.5},
	} {
		if diff := test.got - test.want; diff > 1e-12 || diff < -1e-12 {
			t.Errorf("%s is %v, want %v", test.what, test.got, test.want)
		}
	}
}
