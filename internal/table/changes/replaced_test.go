package changes

import (
	"testing"

	"github.com/fairstream/fairstream/internal/table/tabletest"
)

// TestReplaced: a text is gone if 40 rows and 8 % had it; one that has grown by three quarters of that, and by five deviations of chance, took its place.
func TestReplaced(t *testing.T) {
	for name, c := range map[string]struct {
		gone, before, after int // rows with the text that is gone, and with the one that takes its place
		all                 float64
		want                bool
	}{
		"its place is taken":         {200, 300, 460, 1000, true},
		"three quarters":             {200, 300, 450, 1000, true},
		"less than that":             {200, 300, 449, 1000, false},
		"by chance":                  {80, 120, 188, 400, false}, // 5 √(0.385 · 0.615 · 2/400) is 0.172, and 68 of 400 are 0.17
		"by more than chance":        {80, 120, 190, 400, true},
		"forty rows":                 {40, 100, 180, 200, true},
		"fewer":                      {39, 100, 180, 200, false},
		"eight in a hundred":         {80, 300, 420, 1000, true},
		"fewer in a hundred":         {79, 300, 420, 1000, false},
		"a new text takes its place": {200, 0, 200, 1000, true},
	} {
		texts, others := map[uint64]int{5: c.gone, 7: c.before, 9: 50}, map[uint64]int{7: c.after, 9: 50}
		gone, taken, share := replaced(texts, others, c.all, c.all)
		if found := share > 0; found != c.want || found && (gone != 5 || taken != 7 || share != float64(c.gone)/c.all) {
			t.Errorf("%s: %d by %d, %v", name, gone, taken, share)
		}
	}
	for range 20 { // in whatever order texts come
		gone, taken, share := replaced(map[uint64]int{4: 100, 3: 100, 6: 90, 8: 300, 9: 300}, map[uint64]int{8: 600, 9: 600}, 1000, 1000)
		if gone != 3 || taken != 8 || share < .289 || share > .291 {
			t.Fatalf("of several: %d by %d, %v", gone, taken, share)
		}
	}
	if _, _, share := replaced(map[uint64]int{8: 500}, map[uint64]int{8: 500}, 500, 500); share != 0 {
		t.Errorf("none is gone: %v", share)
	}
}

// TestHoursOfFewTimes: two hundred times are needed, of eight hours of the day, none of which has more than half.
func TestHoursOfFewTimes(t *testing.T) {
	const hour = 3600.
	found := func(n int, at func(i int) float64) bool {
		var x []float64
		for i := range n {
			of := at(i)
			if 2*i >= n {
				of += 6
			}
			x = append(x, 1_700_006_400+86_400*float64(i)+hour*of)
		}
		turn, is := Clock(tabletest.Cells(map[string][]float64{"at": x}), "at", tabletest.Anything)
		return is && turn.Category == "" && turn.Hours == 6
	}
	few := func(different int) func(i int) float64 {
		return func(i int) float64 { return 8 + float64(i%different) }
	}
	for name, c := range map[string]struct {
		n    int
		at   func(i int) float64
		want bool
	}{
		"enough": {500, few(5), true}, "of few times": {199, few(5), false}, "of eight hours": {500, few(4), true}, "of six hours": {500, few(3), false}, "of few hours": {500, func(int) float64 { return 8 }, false},
	} {
		if got := found(c.n, c.at); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	var h hourly
	for _, at := range []float64{0, 3599, 3600, 86_399, 86_400, -1} {
		h.add(at)
	}
	if h.n != 6 || h.of[0] != 3 || h.of[1] != 1 || h.of[23] != 2 || h.different() != 3 {
		t.Errorf("%+v", h)
	}
	var early, late hourly
	for i := range 400 {
		early.add(hour * float64(8+i%4))
		late.add(hour * float64(8+5+i%4))
	}
	if by, back, same := late.turnedFrom(&early), early.turnedFrom(&late), early.turnedFrom(&early); by != 5 || back != -5 || same != 0 {
		t.Errorf("turned by %d, %d and %d hours", by, back, same)
	}
	var night hourly
	for i := range 400 {
		night.add(hour * float64((8+12+i%4)%24))
	}
	if by, back := night.turnedFrom(&early), early.turnedFrom(&night); by != 12 || back != 12 {
		t.Errorf("half a day: %d and %d hours", by, back)
	}
	if got := late.apart(&early, 5); got != 0 {
		t.Errorf("%v apart once they are turned", got)
	}
}
