package goldentest

import (
	"math"
	"testing"
	"time"
)

// TestPrint: all that is not zero, behind its path, in the order of fields and of sorted keys.
func TestPrint(t *testing.T) {
	type part struct {
		Of  string
		At  time.Time
		Own []float64
	}
	value := struct {
		None  int
		Name  string
		Parts []*part
		By    map[string]any
		Flags [2]bool
		small uint8
	}{Name: "a\nb", Parts: []*part{nil, {Of: "x", At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Own: []float64{1, 2.0 / 3, math.NaN()}}},
		By: map[string]any{"z": int8(-3), "b": part{Of: "y"}}, Flags: [2]bool{false, true}, small: 7}
	const want = `v: Name="a\nb" Flags=[false true] small=7
v.Parts[1]: Of="x" At=2026-01-02T03:04:05Z Own=[1 0.6666667 NaN]
v.By["b"]: Of="y"
v.By["z"]: -3
`
	if got := Print("v", value); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
