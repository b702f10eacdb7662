package fairness

import (
	"reflect"
	"testing"
)

// TestWhatIsResetIsEmpty: tallies and selections are as new ones, whatever they have counted.
func TestWhatIsResetIsEmpty(t *testing.T) {
	sides := []Side{Group, Unknown}
	decisions, predictions, selection := NewTally(2), NewRegressionTally(2), NewSelection(2)
	for range 2 {
		decisions.AddWithin(true, true, .5, 2, sides, []int{0, 3})
		decisions.AddUnlabelled(true, 2, sides, []int{-1, 1})
		predictions.Add(1, 2, 3, 4, sides)
		selection.Add(true, 1, .5, 2, sides)
		selection.Add(false, 1, .5, 2, sides)
		selection.Expect(true, [2]float64{.5, .5}, 1, 2)
		selection.Weigh(3, true, sides, []bool{true, true})
		if reflect.DeepEqual(decisions, NewTally(2)) || reflect.DeepEqual(predictions, NewRegressionTally(2)) || reflect.DeepEqual(selection, NewSelection(2)) {
			t.Fatal("nothing was counted")
		}
		decisions.Reset()
		predictions.Reset()
		selection.Reset()
		if !reflect.DeepEqual(predictions, NewRegressionTally(2)) || !reflect.DeepEqual(selection, NewSelection(2)) {
			t.Errorf("%+v and %+v are left", predictions, selection)
		}
		for i, c := range decisions.Comparisons {
			if c.Group != (Count{}) || c.Versus != (Count{}) || c.Neither+c.Unknown+c.Excluded != 0 || decisions.Confusion != (Confusion{}) || decisions.LossSum != 0 || decisions.LossSquared != 0 {
				t.Errorf("comparison %d: %+v is left", i, c)
			}
			for _, s := range c.Strata {
				if s != (Sides{}) {
					t.Errorf("comparison %d: %+v is left of a stratum", i, s)
				}
			}
		}
	}
}
