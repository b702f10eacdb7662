package control

import (
	"math"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/linear"
)

// fixedSums are means of two models for the two sides of one comparison.
type fixedSums struct{ means [2][2]float64 } // by sum and model

func (s fixedSums) Join() int                                        { return 1 }
func (s fixedSums) Add(int, *features.Row, *linear.Margins, float64) {}
func (s fixedSums) Mean(sum, model int) float64                      { return s.means[sum][model] }
func (s fixedSums) Total(int) float64                                { return 1000 }
func (s fixedSums) Weight(int, []float64) float64                    { return 0 }
func (s fixedSums) Effective(int) float64                            { return 1000 }
func (s fixedSums) Part(int, []float64, int, int) float64            { return 0 }

// TestTheGapIsInTheDirectionOfTheDifference: what the differences on unseen records exceeded the claimed ones by is allowed for,
// whichever side has the higher mean; where they fell short, nothing is.
func TestTheGapIsInTheDirectionOfTheDifference(t *testing.T) {
	for _, sign := range []float64{1, -1} {
		for excess, want := range map[float64]float64{.15: .15, -.15: 0, 2: 1} {
			m := NewMeans(Settings{Aim: NewAim(.95, 1, 10000, .95), Window: 1000, Minimum: 30, Forgetting: 20000},
				[]fairness.Comparison{{Tau: 1, Enforce: true}}, fixedSums{[2][2]float64{{sign * 2, sign*2 - 1.5}, {0, 0}}})
			c := &m.constraints[0]
			c.shares = shares{.5, .5}
			c.sides[0].excess, c.sides[1].excess = sign*excess*2/3, -sign*excess/3
			m.choose()
			if math.Abs(c.gap-want) > 1e-12 {
				t.Errorf("difference of sign %v, exceeded by %v: the allowance is %v, want %v", sign, excess, c.gap, want)
			}
			if expected := math.Abs(m.expected(0)); math.Abs(expected-c.target()) > 1e-9 || m.expected(0)*sign < 0 {
				t.Errorf("difference of sign %v: %v is expected, the target is %v", sign, m.expected(0), c.target())
			}
		}
	}
}

// TestTheAimIsOneSidedAndChanceTwoSided: the doubt of .05 in K equal parts: quantiles 1.645, 1.960, 2.128 of the normal distribution for
// what is kept below tau, 1.960, 2.241, 2.394 for what chance makes of a difference of either sign.
func TestTheAimIsOneSidedAndChanceTwoSided(t *testing.T) {
	a := NewAim(.95, 3, 10000, .95)
	for i, want := range []struct{ quantile, evidence float64 }{{1.6449, 1.9600}, {1.9600, 2.2414}, {2.1280, 2.3940}} {
		if math.Abs(a.quantile(i+1)-want.quantile) > 1e-4 || math.Abs(a.evidence[i]-want.evidence) > 1e-4 {
			t.Errorf("of %d: %v and %v, want %v", i+1, a.quantile(i+1), a.evidence[i], want)
		}
	}
	if math.Abs(a.interval-1.9600) > 1e-4 {
		t.Errorf("intervals have %v", a.interval)
	}
}

// weighing gives the j-th number of a row the weight j+1.
type weighing struct{ fixedSums }

func (weighing) Weight(j int, _ []float64) float64 { return float64(j + 1) }

// TestPredictionsBesideConstraints: the means of a comparison that is only measured are those of the rows of its sides.
func TestPredictionsBesideConstraints(t *testing.T) {
	m := NewMeans(Settings{Aim: NewAim(.95, 1, 10000, .95), Window: 1 << 30, Minimum: 30, Forgetting: 20000}, []fairness.Comparison{{Tau: 1}}, weighing{})
	sides := []fairness.Side{fairness.Group, fairness.Versus, fairness.Neither}
	var sums, weights [3]float64
	if _, ok := m.Predicted(0); ok {
		t.Error("means of no records")
	}
	for i := range 300 {
		row, weight := &features.Row{}, 1+float64(i%2)
		row.Add(int32(i%5), float64(i%7))
		at := i % len(sides)
		sums[at] += weight * float64(i%7) * float64(i%5+1)
		weights[at] += weight
		m.Push(&Record{Row: row, Relative: weight, Weight: weight, Sides: sides[at : at+1], Margins: &linear.Margins{Average: []float64{0}, Iterate: []float64{0}}})
	}
	means, ok := m.Predicted(0)
	for at := range means {
		if want := sums[at] / weights[at]; !ok || math.Abs(means[at]-want) > 1e-5 {
			t.Errorf("side %d: %v %v, want %v", at, means[at], ok, want)
		}
	}
}
