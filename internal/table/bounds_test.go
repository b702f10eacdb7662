package table_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestExpectedAreaCountsPairs: of one row of the first class and one of the others, each as often in a bin as elsewhere, it is how often the first has the
// higher score; a tie counts half.
func TestExpectedAreaCountsPairs(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 8))
	for range 20 {
		const bins = 20
		order := random.Perm(bins * 7)
		place, first := make([]int, len(order)), make([]bool, len(order)) // 0: in the part, 1: elsewhere, 2: neither
		for r := range order {
			place[r], first[r] = random.IntN(3), random.IntN(3) == 0
		}
		var n, m [bins]float64
		for k, r := range order {
			of, rest, ones := 0., 0., 0.
			for _, other := range order[k/7*7 : k/7*7+7] {
				if place[other] == 1 {
					if rest++; first[other] {
						ones++
					}
				}
			}
			if place[r] == 0 {
				of = 1
			}
			if rest > 0 {
				n[k/7] += of * ones / rest
				m[k/7] += of * (rest - ones) / rest
			}
		}
		wins, pairs := 0., 0.
		for i := range bins {
			for j := range bins {
				pairs += n[i] * m[j]
				wins += n[i] * m[j] * map[bool]float64{true: 1}[i > j]
				if i == j {
					wins += n[i] * m[j] / 2
				}
			}
		}
		got := table.ExpectedArea(order, func(r int) bool { return place[r] == 0 }, func(r int) bool { return place[r] == 1 }, func(r int) bool { return first[r] })
		if math.Abs(got-wins/pairs) > 1e-12 {
			t.Errorf("%v, want %v", got, wins/pairs)
		}
	}
	if got := table.ExpectedArea([]int{0, 1, 2}, func(int) bool { return true }, func(int) bool { return false }, func(int) bool { return false }); !math.IsNaN(got) {
		t.Errorf("with nobody elsewhere: %v", got)
	}
}

// TestRecordsThatPass are those that would not be kept: a table is the same whether they are asked for or not, and it has at most 4,096 rows.
func TestRecordsThatPass(t *testing.T) {
	for _, first := range []bool{false, true} {
		asked, unasked := table.Table{First: first}, table.Table{First: first}
		passed := 0
		for i := range 10_000 {
			fields := []record.Field{{Name: "x", Text: []byte(fmt.Sprint(i)), Hash: uint64(i + 1)}}
			unasked.Add(fields, true, i%3 == 0, i%7 == 0)
			if asked.Passes() {
				passed++
			} else {
				asked.Add(fields, true, i%3 == 0, i%7 == 0)
			}
			if thinned := !first && i >= 4096; unasked.Thinned() != thinned {
				t.Fatalf("thinned after %d records: %v", i+1, !thinned)
			}
		}
		if !reflect.DeepEqual(asked, unasked) || asked.Records != 10_000 || asked.Rows() > 4096 || asked.Rows() < 1024 {
			t.Errorf("first %v: %d rows of %d records, without asking %d of %d", first, asked.Rows(), asked.Records, unasked.Rows(), unasked.Records)
		}
		if first && passed != 10_000-4096 || !first && passed < 1000 {
			t.Errorf("first %v: %d passed", first, passed)
		}
	}
}

// TestCodingsAreKept until the next record.
func TestCodingsAreKept(t *testing.T) {
	var made table.Table
	add := func(text string, hash uint64) {
		made.Add([]record.Field{{Name: "a", Text: []byte(text), Hash: hash}}, true, true, false)
	}
	for i := range uint64(4) {
		add("x", 1+i%2)
	}
	before := made.Coded()
	if again := made.Coded(); &again[0] != &before[0] {
		t.Error("they are made again though no record came")
	}
	add("y", 3)
	if after := made.Coded(); len(after[0].Levels) != 3 || len(after[0].Places) != 5 {
		t.Errorf("after another record: %+v", after)
	}
}

// TestNumbersOfTexts have 32 signs at most, and begin like a number.
func TestNumbersOfTexts(t *testing.T) {
	long := "1" + strings.Repeat("0", 31)
	for text, want := range map[string]float64{"9": 9, "-3.5": -3.5, "1e3": 1000, long: 1e31, long + "0": math.NaN(), "": math.NaN(), ":": math.NaN(), "inf": math.NaN(), "NaN": math.NaN(), "1,5": math.NaN(), "1x": math.NaN()} {
		if got := table.Number([]byte(text)); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
}

// TestApartAtAThousandth: exactly a thousandth more is the same number, whichever sample has it.
func TestApartAtAThousandth(t *testing.T) {
	a, b := []float64{1000, 5000}, []float64{1001, 5005}
	if table.Apart(a, b, 1) != 0 || table.Apart(b, a, 1) != 0 || table.Apart(a, []float64{500.5, 2502.5}, 2) != 0 {
		t.Errorf("%v, %v, %v", table.Apart(a, b, 1), table.Apart(b, a, 1), table.Apart(a, []float64{500.5, 2502.5}, 2))
	}
	if !slices.IsSorted(a) || table.Apart(nil, b, 1) != 0 {
		t.Error("of no numbers")
	}
}
