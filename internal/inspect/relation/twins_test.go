package relation

import (
	"testing"

	"github.com/fairstream/fairstream/internal/clue"
	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/seen"
	"github.com/fairstream/fairstream/internal/table/tabletest"
)

// TestTwinsOnALine: half of the records lie on the line of two columns, to within a tenth of the middle half of the second one. Columns that are not kept may be twins.
func TestTwinsOnALine(t *testing.T) {
	holdsOf := func(off func(i int) float64) bool {
		columns := map[string][]float64{}
		for i := range 400 {
			columns["a"] = append(columns["a"], float64(1+i))
			columns["b"] = append(columns["b"], 1000+2*float64(1+i)+off(i)) // the middle half is 400 wide
		}
		columns["a"][7], columns["b"][9] = 0, 0 // none
		columns["c"] = make([]float64, 400)
		s := &find.Search{Records: &seen.Records{Even: *tabletest.Cells(columns)}}
		for _, other := range []string{"none", "c"} {
			if !holds(s, clue.Twin{First: "a", Second: other, Factor: 2}) || !holds(s, clue.Twin{First: other, Second: "a", Factor: 2}) {
				t.Errorf("a beside %s is no twin", other)
			}
		}
		return holds(s, clue.Twin{First: "a", Second: "b", Factor: 2})
	}
	far := func(times, by int) func(i int) float64 { // so many of eight
		return func(i int) float64 {
			if i%8 < times {
				return float64(by * (1 - 2*(i/8%2)))
			}
			return 0
		}
	}
	for name, c := range map[string]struct {
		off  func(i int) float64
		want bool
	}{
		"on it": {far(0, 0), true}, "beside it": {func(int) float64 { return 500 }, true}, "a few far off": {far(3, 300), true}, "most far off": {far(5, 300), false}, "most a little off": {far(5, 39), true}, "most a little more": {far(5, 44), false},
	} {
		if got := holdsOf(c.off); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
