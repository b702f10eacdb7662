package statement

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// numbered are records with a number, a label that goes with it, and a group, each twice in a row if twice is set.
func numbered(t *testing.T, n int, quick, twice bool) *Sample {
	t.Helper()
	s, err := New(adults())
	if err != nil {
		t.Fatal(err)
	}
	s.Quick = quick
	for i := range n {
		if twice {
			i /= 2
		}
		number := []byte(strconv.Itoa(i))
		s.Add(&record.Record{HasLabel: true, Positive: i%3 == 0, Weight: 1, Attributes: []record.Value{{Text: []byte([]string{"Male", "Female"}[i%2])}},
			Features: []record.Field{{Name: "number", Text: number, Hash: record.Hash(number)}}}, nil)
	}
	return s
}

// TestQuick: a quick sample says the same of few records, and says of how many it speaks where these are not all.
func TestQuick(t *testing.T) {
	const few, many = 12_000, 150_000
	text := func(s *Sample) string {
		var text strings.Builder
		s.Write(&text)
		return strings.Join(strings.Fields(text.String()), " ")
	}
	if got, want := text(numbered(t, few, true, true)), text(numbered(t, few, false, true)); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	s := numbered(t, many, true, true)
	if got := text(s); !strings.Contains(got, fmt.Sprintf("of %d,%03d records that are spread evenly over all 150,000. For more of them, use check.", len(s.rows)/1000, len(s.rows)%1000)) ||
		!strings.Contains(got, "Copies: 50 % of the first 98,304 records") || !strings.Contains(got, "50,000 of 150,000 records have that label") {
		t.Error(got)
	}
	if len(s.rows) > quickRows || len(s.rows) < quickRows/3 {
		t.Errorf("%d rows", len(s.rows))
	}
}

// TestOrder: the rows of a column are in the order of their numbers, also where these are large and close, and equal ones in that of the rows.
func TestOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, number := range []func() float64{
		func() float64 { return float64(random.IntN(50) - 25) },
		random.NormFloat64,
		func() float64 { return 9e15 + float64(random.IntN(1000)) },
		func() float64 { return []float64{math.Inf(1), math.Inf(-1), 0, 1e-300}[random.IntN(4)] },
	} {
		c := column{values: values{hashes: make([]uint64, 2000), numbers: make([]float64, 2000), codes: make([]uint16, 2000), of: []uint64{0}}}
		for r := range c.numbers {
			c.hashes[r], c.numbers[r] = uint64(r+1), number()
		}
		c.finish(map[uint64]uint16{}, nil)
		want := make([]uint16, len(c.numbers))
		for r := range want {
			want[r] = uint16(r)
		}
		slices.SortStableFunc(want, func(a, b uint16) int {
			if c.numbers[a] < c.numbers[b] {
				return -1
			} else if c.numbers[a] > c.numbers[b] {
				return 1
			}
			return 0
		})
		if !slices.Equal(c.order, want) {
			t.Errorf("%v of %v", c.order[:10], want[:10])
		}
	}
}

// TestArea against all pairs.
func TestArea(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	const n = 300
	score, class, order := make([]float64, n), make([]side, n), make([]uint16, n)
	for r := range n {
		score[r], class[r], order[r] = float64(random.IntN(20)), side(random.IntN(3)), uint16(r)
	}
	slices.SortFunc(order, func(a, b uint16) int { return int(score[a] - score[b]) })
	may := func(r int) bool { return r%4 != 0 }
	wins, pairs := 0., 0.
	for a := range n {
		for b := range n {
			if class[a] != ofPart || class[b] != ofRest || !may(a) || !may(b) {
				continue
			}
			pairs++
			switch {
			case score[a] > score[b]:
				wins++
			case score[a] == score[b]:
				wins += .5
			}
		}
	}
	if got, ones, others := area(order, score, class, may); math.Abs(got-wins/pairs) > 1e-12 || ones*others != pairs {
		t.Errorf("%v of %v pairs, want %v of %v", got, ones*others, wins/pairs, pairs)
	}
}
