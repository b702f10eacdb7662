package values_test

import (
	"fmt"
	"testing"

	"github.com/fairstream/fairstream/internal/table/tabletest"
	"github.com/fairstream/fairstream/internal/table/values"
)

// TestNothingIsNothing: of a column that is not there, of few rows, and of rows that are all alike, all that is given is zero.
func TestNothingIsNothing(t *testing.T) {
	for _, n := range []float64{9, 1000} {
		made := tabletest.Cells(map[string][]float64{"x": tabletest.Times(7, n), "text": tabletest.Times(-1, n)})
		for _, name := range []string{"none", "x", "text"} {
			factor, rows, of := values.Multiplied(made, name)
			below, signed := values.Turned(made, name)
			x, often, all := values.Spike(made, name)
			if got, want := fmt.Sprint(factor, rows, of, below, signed, x, often, all), fmt.Sprint(0., 0, 0, 0, 0, 0., 0, 0); got != want {
				t.Errorf("%v rows, %s: %s, want %s", n, name, got, want)
			}
		}
	}
}
