package labels

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/internal/table/tabletest"
)

// rowsOf are n rows with labels and one column, whose bins a function gives.
func rowsOf(n int, row func(at int) (positive bool, bin int)) *binned {
	b := &binned{rows: make([]int, n), positive: make([]bool, n), names: []string{"x"}, bins: [][]int{make([]int, n)}, levels: [][]uint64{nil}, numeric: []bool{false}}
	for at := range n {
		b.positive[at], b.bins[0][at] = row(at)
	}
	b.scores = b.scored(func(int) bool { return true }, -1)
	return b
}

// TestTurnedAtItsBounds: a part of a hundred rows and half of all at most, with thirty of each label, beside a hundred others.
func TestTurnedAtItsBounds(t *testing.T) {
	for _, c := range []struct {
		n, inside, positive int
		want                bool
	}{
		{400, 100, 50, true}, {400, 99, 50, false}, {200, 100, 50, true}, {199, 100, 50, false}, {300, 150, 75, true}, {300, 151, 75, false},
		{400, 100, 30, true}, {400, 100, 29, false}, {400, 100, 70, true}, {400, 100, 71, false},
	} {
		part := make([]int, c.n)
		b := rowsOf(c.n, func(at int) (positive bool, bin int) {
			if at >= c.inside {
				return at%2 == 0, at % 2
			}
			part[at] = 1
			return at < c.positive, one(at < c.positive)
		})
		rows, deviations, severed := b.turned(part, 1, -1)
		if rows > 0 != c.want || c.want && (rows != c.inside || deviations > -leastFlipped) || severed {
			t.Errorf("%+v: %d rows by %v deviations, severed %v", c, rows, deviations, severed)
		}
	}
}

// TestSeveredAtItsBounds: labels that go with nothing in a part, of which so many are positive that chance brings no area half-way to that of the others.
func TestSeveredAtItsBounds(t *testing.T) {
	for positive, want := range map[int]bool{50: true, 36: true, 30: false} {
		part := make([]int, 500)
		b := rowsOf(500, func(at int) (bool, int) {
			if at >= 100 {
				return at/2%2 == 0, at / 2 % 2
			}
			part[at] = 1
			return at%50 < positive/2, at / 50
		})
		if rows, _, severed := b.turned(part, 1, -1); severed != want || rows > 0 != want {
			t.Errorf("%d of 100 positive: %d rows, severed %v", positive, rows, severed)
		}
	}
	own := rowsOf(500, func(at int) (bool, int) { // in the part another bin tells the label
		if at >= 100 {
			return at/2%2 == 0, at / 2 % 2
		}
		return at/4%2 == 0, 2 + at/4%2
	})
	part := make([]int, 500)
	for at := range 100 {
		part[at] = 1
	}
	if rows, _, _ := own.turned(part, 1, -1); rows != 0 {
		t.Errorf("labels that are told in a way of their own: %d rows", rows)
	}
	if area, deviations := own.ranked(own.scores, func(at int) bool { return at < 100 && own.positive[at] }); area != .5 || deviations != 0 {
		t.Errorf("of one label: %v, %v", area, deviations)
	}
	if area, deviations := own.ranked([]float64{0, 1, 1, 0}, func(at int) bool { return at < 4 }); area != .5 || deviations != 0 {
		t.Errorf("of four rows: %v, %v", area, deviations)
	}
	four := rowsOf(5, func(at int) (bool, int) { return at > 1, 0 })
	if area, deviations := four.ranked([]float64{0, 2, 1, 2, 3}, func(int) bool { return true }); math.Abs(area-4.5/6) > 1e-12 || math.Abs(deviations-.25/math.Sqrt(6./72)) > 1e-12 {
		t.Errorf("with equal scores: %v, %v", area, deviations)
	}
}

// TestWhatIsBinned: two hundred rows with a label that are no copies; of a column of texts the first hundred have a bin of their own.
func TestWhatIsBinned(t *testing.T) {
	made := func(n int) *table.Table {
		var x, texts []float64
		for i := range n {
			x, texts = append(x, tabletest.Pick(i == 3, 0, float64(1+i))), append(texts, tabletest.Pick(i == 5, 0, -float64(1+i%(table.MostLevels+1))))
		}
		of := tabletest.Cells(map[string][]float64{"t": texts, "x": x, "z": x})
		for r := range of.Kept {
			of.Kept[r] = table.Row{Labelled: r%300 != 1, Repeated: r == 2, Positive: r%2 == 0}
		}
		return of
	}
	may := func(name string) bool { return name != "z" }
	if b := binnedBy(made(201), may); len(b.rows) != 199 || b.bins != nil {
		t.Errorf("of 199 rows: %d columns", len(b.bins))
	}
	b := binnedBy(made(202), may)
	if len(b.rows) != 200 || fmt.Sprint(b.names, b.numeric) != "[t x] [false true]" || len(b.levels[0]) != table.MostLevels || b.levels[1] != nil {
		t.Fatalf("%d rows of %v, %v", len(b.rows), b.names, b.numeric)
	}
	if bins := b.bins[0]; b.rows[0] != 0 || b.rows[1] != 3 || bins[0] != 0 || bins[1] != 1 || bins[3] != table.MostLevels || bins[101] != table.MostLevels-1 || bins[104] != table.MostLevels {
		t.Errorf("texts: %v", bins)
	}
	if bins := b.bins[1]; bins[0] != 0 || bins[1] != numberBins || bins[199] != numberBins-1 {
		t.Errorf("numbers: %v", bins)
	}
}

// TestColumnsThatAreLookedAt for a level in which labels are turned round: twelve, of two to twelve texts each.
func TestColumnsThatAreLookedAt(t *testing.T) {
	flipped := func(columns, turned, levels int) bool {
		of := map[string][]float64{}
		positive := make([]bool, 1200)
		for i := range positive {
			level := i / 2 * 7 % levels
			positive[i] = (i%2 == 0) != (level == 0)
			of["x"] = append(of["x"], float64(1+i%2))
			for k := range columns {
				of[fmt.Sprintf("c%02d", k)] = append(of[fmt.Sprintf("c%02d", k)], -float64(1+tabletest.Pick(k == turned, float64(level), float64(i/2/(1+k)%3))))
			}
		}
		made := tabletest.Cells(of)
		for r := range made.Kept {
			made.Kept[r] = table.Row{Labelled: true, Positive: positive[r]}
		}
		made.Records = len(positive)
		flip, found := Flipped(made, tabletest.Anything)
		return found && flip.Column == fmt.Sprintf("c%02d", turned) && !flip.Severed
	}
	for _, c := range []struct {
		columns, turned, levels int
		want                    bool
	}{{3, 1, 5, true}, {13, 11, 5, true}, {13, 12, 5, false}, {1, 0, 12, true}, {1, 0, 13, false}, {1, 0, 3, true}, {1, 0, 2, true}, {1, 0, 1, false}} {
		if got := flipped(c.columns, c.turned, c.levels); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestEndingAtItsBounds: forty rows at the end and half of all at most, which chance brings with a probability of exp(−25) at most.
func TestEndingAtItsBounds(t *testing.T) {
	for _, c := range []struct {
		n, run int
		every  int // before the run, one in so many is positive
		want   bool
	}{{200, 40, 2, true}, {200, 39, 2, false}, {200, 100, 2, true}, {200, 101, 2, false}, {39, 20, 2, false}, {1000, 233, 10, false}, {1000, 234, 10, true}} {
		made := tabletest.Cells(map[string][]float64{"at": tabletest.Rising(1000, c.n)})
		for r := range made.Kept {
			made.Kept[r] = table.Row{Labelled: true, Positive: r < c.n-c.run && (c.n-c.run-1-r)%c.every == 0}
		}
		if run, positive, found := Ending(made, "at"); found != c.want || found && (run != c.run || positive) {
			t.Errorf("%+v: %d rows, positive %v, %v", c, run, positive, found)
		}
		for r := range made.Kept {
			made.Kept[r].Positive = !made.Kept[r].Positive
		}
		if run, positive, found := Ending(made, "at"); found != c.want || found && (run != c.run || !positive) {
			t.Errorf("%+v turned round: %d rows, positive %v, %v", c, run, positive, found)
		}
	}
	if _, _, found := Ending(tabletest.Cells(map[string][]float64{"at": {1}}), "none"); found {
		t.Error("of no column")
	}
}

// TestTellingAsOftenAsChance: chance must have brought twenty rows of the other label, and of two such values the one with the larger hash is told of.
func TestTellingAsOftenAsChance(t *testing.T) {
	made := func(rest, negative int, values ...float64) *table.Table {
		var cells []float64
		for _, v := range values {
			cells = append(cells, tabletest.Times(-v, 100)...)
		}
		positive := len(cells)
		of := tabletest.Cells(map[string][]float64{"c": append(cells, tabletest.Times(-9, float64(rest+negative))...)})
		for r := range of.Kept {
			of.Kept[r] = table.Row{Labelled: true, Positive: r < positive+rest}
		}
		return of
	}
	for negative, want := range map[int]bool{83: true, 82: false} { // of 415 rows, 83 negative: 100 · 83 / 415 is 20
		if _, _, found := Telling(made(232, negative, 1), "c"); found != want {
			t.Errorf("%d of the other label: %v", negative, found)
		}
	}
	for range 20 { // in whatever order levels come
		if level, positive, found := Telling(made(100, 600, 3, 5, 2), "c"); !found || !positive || level.Hash != 5 {
			t.Fatalf("of three values: %+v", level)
		}
	}
	if _, _, found := TellingOf(made(232, 83, 1), "none", "c", nil, nil); found {
		t.Error("of no column")
	}
}

// TestStump against all thresholds, with either side called positive, and the label that is the rarer one for all.
func TestStump(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 7))
	for range 200 {
		points := make([]point, 1+random.IntN(12))
		positive := 0
		for i := range points {
			points[i] = point{x: float64(random.IntN(6)), positive: random.IntN(2) == 0}
			positive += one(points[i].positive)
		}
		slices.SortFunc(points, func(a, b point) int { return cmp.Compare(a.x, b.x) })
		rarer := min(positive, len(points)-positive)
		least := rarer
		for threshold := range 7 {
			wrong := 0
			for _, p := range points {
				wrong += one((p.x >= float64(threshold)) != p.positive)
			}
			least = min(least, wrong, len(points)-wrong)
		}
		if got, of := stump(points); got != float64(least) || of != float64(rarer) {
			t.Fatalf("%v: wrong %v, rarer %v, want %d and %d", points, got, of, least, rarer)
		}
	}
	b := rowsOf(4, func(at int) (bool, int) { return at < 3, at % 2 })
	// Of the positive rows two are in the bin 0 and one in 1, of the negative row it is in 1.
	for bin, want := range []float64{math.Log(3. / 5 * 3 / 1), math.Log(2. / 5 * 3 / 2)} {
		if got := b.scores[bin]; math.Abs(got-want) > 1e-12 {
			t.Errorf("bin %d: %v, want %v", bin, got, want)
		}
	}
	if scores := b.scored(func(at int) bool { return at > 0 }, 0); !slices.Equal(scores, make([]float64, 4)) {
		t.Errorf("of no column: %v", scores)
	}
}
