package model

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/linear"
)

// plainRegression says what the files regression*.go do with dense vectors and from first principles:
// averages by their definition, means of a side as sums over every record so far, the pressures of several
// constraints by many small steps on the dual problem.
type plainRegression struct {
	config   LearnerConfig
	taus     []float64
	size     int
	label    linear.Squared // a few numbers, tested on its own
	curve    []float64
	prior    []float64   // precision of each weight
	iterate  [][]float64 // per model
	average  [][]float64
	records  float64
	mean     float64 // weight
	error    float64
	past     [][2][]plainRecord // per comparison and side
	shares   [][2]float64
	pressure []float64
	claimed  [][2]float64
	chosen   []bool
}

type plainRecord struct {
	x             []float64
	weight        float64
	shown, excess float64
	claimed       bool
}

func newPlainRegression(config LearnerConfig, taus []float64, size int) *plainRegression {
	p := &plainRegression{config: config, taus: taus, size: size, error: .5,
		past: make([][2][]plainRecord, len(taus)), shares: make([][2]float64, len(taus)),
		pressure: make([]float64, len(taus)), claimed: make([][2]float64, len(taus)), chosen: make([]bool, len(taus))}
	for range len(taus) + 1 {
		p.iterate = append(p.iterate, make([]float64, size))
		p.average = append(p.average, make([]float64, size))
	}
	for range size {
		p.curve = append(p.curve, startCurvature)
		p.prior = append(p.prior, 10)
	}
	p.prior[features.Intercept] = 0
	return p
}

// published are the published weights.
func (p *plainRegression) published() []float64 {
	w := slices.Clone(p.average[0])
	for k, u := range p.pressure {
		for j := range w {
			w[j] += u * (p.average[k+1][j] - p.average[0][j])
		}
	}
	return w
}

// over returns a weighted mean over a side's records, the older ones faded.
func (p *plainRegression) over(past []plainRecord, f func(plainRecord) (float64, bool)) (mean, effective float64) {
	gamma := 1 - 2/(float64(p.config.Window)+1)
	var sum, weight, squares float64
	for i, r := range past {
		x, counts := f(r)
		if !counts {
			continue
		}
		w := r.weight * math.Pow(gamma, float64(len(past)-1-i))
		sum += w * x
		weight += w
		squares += w * w
	}
	return sum / weight, weight * weight / squares
}

func (p *plainRegression) meanOf(k, side int, w []float64) float64 {
	mean, _ := p.over(p.past[k][side], func(r plainRecord) (float64, bool) { return dot(w, r.x), true })
	return mean
}

func (p *plainRegression) difference(k int, w []float64) float64 {
	return p.meanOf(k, 0, w) - p.meanOf(k, 1, w)
}

func (p *plainRegression) learn(x []float64, label, weight float64, sides []fairness.Side) (shown float64) {
	shown = dot(p.published(), x)
	p.records++
	p.mean += (weight - p.mean) * max(1/p.records, 1/float64(p.config.Forgetting))
	weight = min(weight/p.mean, largestWeight)
	push := make([]float64, len(p.iterate))
	for k, side := range sides {
		for i, s := range []fairness.Side{fairness.Group, fairness.Versus} {
			hit := 0.0
			if side == s {
				hit = 1
				r := plainRecord{x: x, weight: weight, shown: shown, excess: shown - p.claimed[k][i], claimed: p.chosen[k]}
				p.past[k][i] = append(p.past[k][i], r)
			}
			p.shares[k][i] += (hit - p.shares[k][i]) * max(1/p.records, 1/float64(p.config.Forgetting))
		}
		if on := p.shares[k]; side <= fairness.Versus && side != fairness.Neither && on[0] > 0 && on[1] > 0 {
			norm := max(math.Sqrt(1/on[0]+1/on[1]), 1/min(on[0], on[1])/largestPush)
			if side == fairness.Group {
				push[k+1] = pressing / on[0] / norm
			} else {
				push[k+1] = -pressing / on[1] / norm
			}
		}
	}
	p.label.Observe(label, weight, &linear.Memory{Records: p.records, Forgetting: float64(p.config.Forgetting)})
	if p.label.Spread() > 0 {
		p.step(x, label-p.label.Centre(), weight, push)
	}
	fade := max(1/(averagingShare*float64(p.config.Forgetting)), 1/(1+p.records/earlyAveraging))
	for k := range p.average {
		for j := range p.average[k] {
			p.average[k][j] += fade * (p.iterate[k][j] - p.average[k][j])
		}
	}
	if int(p.records)%choiceInterval == 0 {
		p.choose()
	}
	return shown
}

// step minimises ½ weight r² + weight push r + ½ Σ (w'−w)²/step with r = (w'⋅x − y)/spread, for every model.
func (p *plainRegression) step(x []float64, y, weight float64, push []float64) {
	spread := p.label.Spread()
	residuals := make([]float64, len(p.iterate))
	square := 0.0
	for k := range p.iterate {
		residuals[k] = min(largestDeviation, max(-largestDeviation, (dot(p.iterate[k], x)-y)/spread))
		square += weight * weight * (residuals[k] + push[k]) * (residuals[k] + push[k]) / float64(len(p.iterate))
	}
	p.error += (residuals[0]*residuals[0] - p.error) * max(1/(startRecords+p.records), 1/errorRecords)
	size := p.config.Step * squaredLossStep
	steps, pulls := make([]float64, p.size), make([]float64, p.size)
	length, moved, leverage := 0.0, 0.0, 0.0
	for j := range x {
		if x[j] == 0 {
			continue
		}
		p.curve[j] = p.curve[j]*(1-1/float64(p.config.Forgetting)) + square*x[j]*x[j]
		// The prior of noise p.error times precision, spread over the records that the curvature sums.
		pulls[j] = p.config.Regularization + p.error*p.prior[j]*(square*x[j]*x[j]/p.curve[j])
		steps[j] = size / (math.Sqrt(p.curve[j]) + size*pulls[j])
		moved += steps[j] * x[j] * x[j]
		leverage += p.error * x[j] * x[j] / (p.curve[j] + p.error*p.error*p.prior[j])
	}
	for j := range steps {
		steps[j] *= min(1, boundOf(leverage)/moved)
		length += weight * steps[j] * x[j] * x[j]
	}
	for k := range p.iterate {
		after := (residuals[k] - length*push[k]) / (1 + length)
		for j := range x {
			p.iterate[k][j] -= steps[j] * (weight*(after+push[k])*x[j]*spread + pulls[j]*p.iterate[k][j])
		}
	}
}

func (p *plainRegression) choose() {
	n := len(p.taus)
	measured := make([]bool, n)
	free, slope, aims := make([]float64, n), make([][]float64, n), make([]float64, n)
	for i := range p.taus {
		measured[i] = true
		for side := range 2 {
			_, effective := p.over(p.past[i][side], func(plainRecord) (float64, bool) { return 0, true })
			measured[i] = measured[i] && effective >= float64(p.config.MinimumRecords)
		}
		free[i] = p.difference(i, p.average[0])
		for k := range p.taus {
			slope[i] = append(slope[i], p.difference(i, p.average[k+1])-free[i])
		}
		variance, measured, excess := 0.0, 0.0, 0.0
		for side, sign := range []float64{1, -1} {
			past := p.past[i][side]
			mean, effective := p.over(past, func(r plainRecord) (float64, bool) { return r.shown, true })
			spread, _ := p.over(past, func(r plainRecord) (float64, bool) { return (r.shown - mean) * (r.shown - mean), true })
			measured += spread / effective
			variance += spread * (1/effective + 1/(float64(p.config.HoldoutRecords)*p.shares[i][side]))
			if p.chosen[i] {
				e, _ := p.over(past, func(r plainRecord) (float64, bool) { return r.excess, r.claimed })
				excess += sign * e
			}
		}
		together := normalQuantile(1-(1-p.config.Confidence)/float64(n)) * math.Sqrt(variance)
		theta := min(max(together, normalQuantile((1+p.config.Level)/2)*math.Sqrt(measured)), (1-leastTarget)*p.taus[i])
		optimism := min(p.taus[i], max(0, excess*math.Copysign(1, free[i])))
		aims[i] = max(p.taus[i]-theta-optimism, leastTarget*p.taus[i])
	}
	// Ascent on the dual from scratch, one coordinate at a time, far longer than needed.
	u := make([]float64, n)
	for range 5000 {
		for i := range u {
			rest := free[i]
			for k := range u {
				if k != i {
					rest += u[k] * slope[i][k]
				}
			}
			u[i] = 0
			if measured[i] && math.Abs(rest) > aims[i] {
				u[i] = math.Copysign(mostRegressionPressure, rest)
				if s := slope[i][i]; s < 0 {
					u[i] = math.Copysign(min(mostRegressionPressure, (math.Abs(rest)-aims[i])/-s), rest)
				}
			}
		}
	}
	p.pressure = u
	for i := range p.claimed {
		p.chosen[i] = p.chosen[i] || measured[i]
		for side := range 2 {
			p.claimed[i][side] = p.meanOf(i, side, p.published())
		}
	}
}

// randomRow draws a sparse row with values; some indices come twice.
func randomRow(random *rand.Rand, size int) (row features.Row, dense []float64) {
	dense = make([]float64, size)
	row.Add(0, 1)
	for range 3 + random.IntN(3) {
		x := 1.0
		if random.IntN(2) == 0 {
			x = random.NormFloat64()
		}
		row.Add(int32(1+random.IntN(size-1)), x)
	}
	slices.Sort(row.Index)
	row.Index = slices.Compact(row.Index)
	row.Spell()
	row.Value = row.Value[:len(row.Index)]
	for i, j := range row.Index {
		dense[j] = row.At(i)
	}
	return row, dense
}

func TestMeansAreWhatTheirCommentsSay(t *testing.T) {
	for _, taus := range [][]float64{nil, {.4}, {.4, .3}, {.2, .3, 5}} {
		t.Run(fmt.Sprint(len(taus)), func(t *testing.T) {
			const size = 25
			random := rand.New(rand.NewPCG(5, uint64(len(taus))))
			config := DefaultLearner()
			config.Window, config.Forgetting, config.HoldoutRecords, config.Regularization = 256, 1000, 500, 1e-3
			var comparisons []fairness.Comparison
			for _, tau := range taus {
				comparisons = append(comparisons, fairness.Comparison{Tau: tau, Enforce: true})
			}
			loss := linear.NewSquared()
			m := newMeans(config, comparisons, loss)
			e, err := features.NewFrozen(features.Parts{Size: size})
			if err != nil {
				t.Fatal(err)
			}
			m.grow(e)
			plain := newPlainRegression(config, taus, size)
			first := []float64{48, 49, 50, 51, 52}
			m.start(first)
			plain.label.Start(first)
			sides := make([]fairness.Side, len(taus))
			pressed := 0
			for record := range 900 {
				row, dense := randomRow(random, size)
				label := 50 + 3*dense[1] - 2*dense[2] + random.NormFloat64()
				for i := range sides {
					sides[i] = fairness.Side(random.IntN(4))
					if dense[1+i] > .5 {
						sides[i] = fairness.Group
					}
				}
				weight := .5 + random.Float64()
				f := m.forecast(&row)
				shown := f.published
				want := plain.learn(dense, label, weight, sides) + loss.Centre()
				if math.Abs(shown-want) > 1e-7*math.Abs(want) {
					t.Fatalf("record %d: the prediction is %v and should be %v", record, shown, want)
				}
				m.learn(&example{row: row, label: label, weight: weight, sides: sides}, f)
				for k := range m.keeper.Interpolation() {
					if math.Abs(m.keeper.Interpolation()[k]-plain.pressure[k]) > 1e-5 {
						t.Fatalf("record %d: the pressure is %v and should be %v", record, m.keeper.Interpolation()[k], plain.pressure[k])
					}
					if plain.pressure[k] != 0 {
						pressed++
					}
				}
			}
			if len(taus) > 0 && pressed < 300 {
				t.Errorf("only %d times is anything pressed", pressed)
			}
			weights := make([]float64, size)
			fill(weights, m.weight)
			for j, w := range plain.published() {
				if j == 0 {
					w += loss.Centre()
				}
				if math.Abs(weights[j]-w) > 1e-6 {
					t.Errorf("weight %d is %v and should be %v", j, weights[j], w)
				}
			}
		})
	}
}

// Further constants of pkg/linear and pkg/control, written out once more.
const (
	pressing, choiceInterval, mostRegressionPressure = .5, 64, 8.0
	squaredLossStep, largestDeviation                = .5, 10.0
)
