package document

import (
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/features"
)

// TestTwoProductsAreThoseOfEach, bit for bit, of rows with values and of rows of ones.
func TestTwoProductsAreThoseOfEach(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(28, 2))
	one, other := make([]float64, 50), make([]float64, 50)
	for j := range one {
		one[j], other[j] = random.NormFloat64(), 1e3*random.NormFloat64()
	}
	for i := range 1000 {
		s := Scorer{row: features.Row{}}
		for range random.IntN(30) {
			value := 1.
			if i%2 == 0 && random.IntN(3) == 0 {
				value = random.NormFloat64()
			}
			s.row.Add(int32(random.IntN(50)), value)
		}
		if a, b := s.products(one, other); a != s.product(one) || b != s.product(other) {
			t.Fatalf("%v: %v and %v together, %v and %v alone", s.row, a, b, s.product(one), s.product(other))
		}
	}
}
