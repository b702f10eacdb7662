package monitor

import (
	"math"
	"testing"
)

// TestPointsOfASeries: points are rounded, NaN stays NaN, and every second point stays when the series is halved.
func TestPointsOfASeries(t *testing.T) {
	for x, want := range map[float64]int16{0: 0, 1: 32_000, -1: -32_000, .5: 16_000, 1.4 / 32_000: 1, 1.6 / 32_000: 2} {
		if got := point(x); got != want || math.Abs(number(got)-x) > .5/32_000 {
			t.Errorf("%v is %d, want %d", x, got, want)
		}
	}
	if point(math.NaN()) != math.MinInt16 || !math.IsNaN(number(point(math.NaN()))) || math.IsNaN(number(math.MinInt16+1)) {
		t.Error("no number")
	}
	s := newSeries(64, 2)
	for i := range 5 {
		s.at = append(s.at, moment{record: int64(64 * i)})
		for k := range s.points {
			s.points[k] = append(s.points[k], values{int16(10*k + i)})
		}
	}
	s.halve()
	if s.stride != 128 || len(s.at) != 2 || s.at[0].record != 64 || s.at[1].record != 192 || len(s.points[0]) != 2 || s.points[0][0][0] != 1 || s.points[0][1][0] != 3 || s.points[1][1][0] != 13 {
		t.Errorf("%+v", s)
	}
}
