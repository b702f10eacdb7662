package replay

import (
	"testing"

	"github.com/fairstream/fairstream/pkg/document"
)

// TestConditionsOfFolds: a condition that several comparisons of a constraint have counts once in each fold.
func TestConditionsOfFolds(t *testing.T) {
	few := func(constraint string) document.Condition {
		return document.Condition{Code: document.TooFewRecords, Constraint: constraint}
	}
	var f folded
	f.addConditions([]document.Condition{few("race"), few("race"), few("sex")})
	f.addConditions([]document.Condition{few("race")})
	if len(f.Conditions) != 2 || f.Conditions[0].Folds != 2 || f.Conditions[1].Folds != 1 {
		t.Errorf("%+v", f.Conditions)
	}
}
