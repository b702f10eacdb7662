package model

import (
	"math"
	"math/rand/v2"
	"testing"
)

// interacting draws levels of two columns, correlated and uneven, and residuals around an effect.
func interacting(random *rand.Rand, records int, effect func(a, b int) float64) (a, b []uint8, r residuals) {
	for range records {
		i := min(random.IntN(5), random.IntN(5))
		j := (i + random.IntN(4)) % 6
		p := .1 + .6*random.Float64()
		y := 0.0
		if random.Float64() < p+p*(1-p)*effect(i, j) {
			y = 1
		}
		if random.IntN(30) == 0 {
			i = unlisted
		}
		a, b = append(a, uint8(i)), append(b, uint8(j))
		r.residual = append(r.residual, y-p)
		r.variance = append(r.variance, p*(1-p))
		r.weight = append(r.weight, .5+random.Float64())
	}
	return a, b, r
}

// deviations is by how many standard deviations a table explains more than by chance.
func (t *interaction) deviations(a, b []uint8, r residuals) float64 {
	statistic, freedom := t.fit(a, b, r)
	return (statistic - freedom) / math.Sqrt(2*freedom)
}

// What is left in the table is orthogonal to each column's own effects, which is what a weighted least squares
// fit of these leaves.
func TestInteractionsAreBeyondTheColumns(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 1))
	a, b, r := interacting(random, 4000, func(a, b int) float64 { return float64(a)/2 - float64(b)/3 })
	var fitted interaction
	if strength := fitted.deviations(a, b, r); math.Abs(strength) > 3 {
		t.Errorf("two additive effects have the strength %v", strength)
	}
	for line := range pairLevels {
		rows, columns := 0.0, 0.0
		for k := range pairLevels {
			rows += fitted.sum[line*pairLevels+k]
			columns += fitted.sum[k*pairLevels+line]
		}
		if math.Abs(rows) > .01 || math.Abs(columns) > 1e-9 {
			t.Errorf("line %d: sums are %v and %v", line, rows, columns)
		}
	}
	parity := func(a, b int) float64 { return .6 * float64(1-2*((a+b)%2)) }
	a, b, r = interacting(random, 4000, parity)
	if strength := fitted.deviations(a, b, r); strength < 5 {
		t.Errorf("an interaction has the strength %v", strength)
	}
	c, d, fresh := interacting(random, 4000, parity)
	if evidence := fitted.evidence(c, d, fresh); evidence < 5 {
		t.Errorf("other records bear it out by %v", evidence)
	}
	var rest interaction
	rest.explain(c, d, fresh)
	if evidence := fitted.evidence(c, d, fresh); math.Abs(evidence) > 4 {
		t.Errorf("explained, it is still borne out by %v", evidence)
	}
}

// Without interaction strength has mean 0 and standard deviation 1, about, and evidence is normal.
func TestInteractionsByChance(t *testing.T) {
	random := rand.New(rand.NewPCG(22, 1))
	const runs = 300
	var fitted interaction
	var moments [4]float64
	for range runs {
		a, b, r := interacting(random, 1500, func(int, int) float64 { return 0 })
		strength := fitted.deviations(a, b, r)
		c, d, fresh := interacting(random, 1500, func(int, int) float64 { return 0 })
		evidence := fitted.evidence(c, d, fresh)
		for i, x := range [...]float64{strength, strength * strength, evidence, evidence * evidence} {
			moments[i] += x / runs
		}
	}
	if math.Abs(moments[0]) > .25 || math.Abs(moments[1]-1) > .4 {
		t.Errorf("strength: mean %v, mean square %v", moments[0], moments[1])
	}
	if math.Abs(moments[2]) > .2 || math.Abs(moments[3]-1) > .25 {
		t.Errorf("evidence: mean %v, mean square %v", moments[2], moments[3])
	}
}

// Columns that cannot interact are no candidates.
func TestPairsWithoutInteraction(t *testing.T) {
	random := rand.New(rand.NewPCG(23, 1))
	a, b, r := interacting(random, 1000, func(int, int) float64 { return 0 })
	constant, absent := make([]uint8, len(a)), make([]uint8, len(a))
	for i := range absent {
		absent[i] = unlisted
	}
	var fitted interaction
	for name, pair := range map[string][2][]uint8{"constant": {constant, b}, "absent": {absent, b}, "the same column": {a, a}} {
		if _, freedom := fitted.fit(pair[0], pair[1], r); freedom != 0 {
			t.Errorf("%s: %v degrees of freedom", name, freedom)
		}
		if evidence := fitted.evidence(pair[0], pair[1], r); math.Abs(evidence) > 4 {
			t.Errorf("%s: evidence %v", name, evidence)
		}
	}
}
