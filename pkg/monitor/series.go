package monitor

import (
	"math"
	"time"
)

// seriesPoints is at most how many points a series has. When it is full, every second point goes and the stride doubles.
const seriesPoints = 384

// Point is what was known of a comparison after some records: the pointwise estimate of the recent window, and the sequence, each rounded to
// 1/32,000. What was not estimable is NaN.
type Point struct {
	Record int64
	Time   time.Time // event time; zero if there is none

	Value, Lo, Hi                         float64
	SequenceValue, SequenceLo, SequenceHi float64
}

// series are the comparisons over time, all at the same records.
type series struct {
	stride int64      // steps between points, a multiple of those between looks
	at     []moment   // of the points
	points [][]values // by comparison
}

// values are the numbers of a point, in the order of Point and units of 1/pointUnits; absent stands for NaN.
type values [6]int16

const (
	pointUnits = 32_000
	absent     = math.MinInt16
)

// point rounds a number in [−1, 1].
func point(x float64) int16 {
	if math.IsNaN(x) {
		return absent
	}
	return int16(math.Round(x * pointUnits))
}

// number is what point rounded.
func number(x int16) float64 {
	if x == absent {
		return math.NaN()
	}
	return float64(x) / pointUnits
}

func newSeries(look, comparisons int) series {
	s := series{stride: int64(look), at: make([]moment, 0, seriesPoints), points: make([][]values, comparisons)}
	for i := range s.points {
		s.points[i] = make([]values, 0, seriesPoints)
	}
	return s
}

// halve keeps every second point: those that lie on the double stride.
func (s *series) halve() {
	for i := 1; i < len(s.at); i += 2 {
		s.at[i/2] = s.at[i]
	}
	s.at = s.at[:len(s.at)/2]
	for k, points := range s.points {
		for i := 1; i < len(points); i += 2 {
			points[i/2] = points[i]
		}
		s.points[k] = points[:len(points)/2]
	}
	s.stride *= 2
}
