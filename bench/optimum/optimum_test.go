package optimum

import (
	"math"
	"testing"
)

func TestCurveBetweenMultipliers(t *testing.T) {
	c := &Curve{Values: []float64{0.2, 0.4, 0.8}, Errors: []float64{0.1, 0.2, 0.25}}
	if got := c.At(0.3); math.Abs(got-0.15) > 1e-12 {
		t.Errorf("at 0.3: %v", got)
	}
	if got := c.At(0.9); !math.IsNaN(got) {
		t.Errorf("beyond the last multiplier: %v", got)
	}
}
