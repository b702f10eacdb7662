package fairness_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// The covariance of predictions with membership in the group, over the records of both sides, is q(1 − q) times
// the difference of the means, with q the group's share: a bound on one is a bound on the other.
func TestCovarianceIsAMeanDifference(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 4))
		share := .05 + .9*random.Float64()
		var counts fairness.MeanCounts
		var n, sum, members, product float64
		for range 500 {
			side, member := fairness.Versus, 0.0
			if random.Float64() < share {
				side, member = fairness.Group, 1
			}
			p := 100 + random.NormFloat64() + 3*member
			counts.Add(side, p, 1)
			counts.Add(fairness.Neither, 1e6, 1) // of no consequence
			n, sum, members, product = n+1, sum+p, members+member, product+p*member
		}
		covariance := product/n - sum/n*(members/n)
		q := members / n
		e := fairness.Comparison{Name: "sex", Criterion: fairness.MeanDifference, Tau: 1}.EstimateMeans(counts, fairness.DefaultOptions())
		if got := q * (1 - q) * e.Value; math.Abs(got-covariance) > 1e-9 {
			t.Errorf("share %.2f: the covariance is %v, by the difference %v", q, covariance, got)
		}
	}
}
