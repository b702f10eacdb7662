package control

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/linear"
)

// listed is the rows of a sum: their margins, weights and what was published of them.
type listed struct {
	margins           []float64
	weight, published float64
	claimed           float64
	counts            bool // after the first choice
}

// lists are sums that keep every row. They fade as those of pkg/linear do.
type lists struct {
	window int
	rows   [][]listed // by sum
	models int
}

func (l *lists) Join() int {
	l.models++
	l.rows = append(l.rows, nil, nil)
	return l.models
}

func (l *lists) Add(sum int, _ *features.Row, at *linear.Margins, weight float64) {
	l.rows[sum] = append(l.rows[sum], listed{margins: at.Average, weight: weight})
}

// over is a mean over those rows of a sum for which of says so, and their effective number.
func (l *lists) over(sum int, of func(listed) (x float64, counts bool)) (mean, total, effective float64) {
	squared, fade := 0.0, 1.0
	for i := len(l.rows[sum]) - 1; i >= 0; i-- {
		if x, counts := of(l.rows[sum][i]); counts {
			weight := fade * l.rows[sum][i].weight
			mean += weight * x
			total += weight
			squared += weight * weight
		}
		fade *= 1 - 2/(float64(l.window)+1)
	}
	return mean / total, total, total * total / squared
}

func (l *lists) Mean(sum, model int) float64 {
	mean, _, _ := l.over(sum, func(r listed) (float64, bool) { return r.margins[model], true })
	return mean
}

func (l *lists) Total(sum int) float64 {
	_, total, _ := l.over(sum, func(listed) (float64, bool) { return 0, true })
	return total
}

func (l *lists) Effective(sum int) float64 {
	if len(l.rows[sum]) == 0 {
		return 0
	}
	_, _, effective := l.over(sum, func(listed) (float64, bool) { return 0, true })
	return effective
}

func (l *lists) Weight(int, []float64) float64 { return 0 }

func (l *lists) Part(int, []float64, int, int) float64 { return 0 }

// plainMeans is Means written down from its documentation: means by their definition over all rows so far.
type plainMeans struct {
	settings      Settings
	taus          []float64
	sums          *lists
	records       float64
	interpolation []float64
	kept          []plainMean
}

type plainMean struct {
	shares            [2]float64
	claimed           [2]float64
	theta, gap        float64
	chosen, reachable bool
}

func (c *plainMean) target(tau float64) float64 { return max(.2*tau, tau-c.theta-c.gap) }

// publish is the margin at interpolation weights.
func (p *plainMeans) publish(margins []float64) float64 {
	margin := margins[0]
	for k, value := range p.interpolation {
		margin += value * (margins[k+1] - margins[0])
	}
	return margin
}

// push takes in a record, and returns what is added to the gradients.
func (p *plainMeans) push(r *Record) []float64 {
	p.records++
	pushes := make([]float64, len(p.taus)+1)
	for k := range p.kept {
		c := &p.kept[k]
		at := -1
		for i, on := range []fairness.Side{fairness.Group, fairness.Versus} {
			hit := 0.0
			if r.Sides[k] == on {
				at, hit = i, 1
			}
			c.shares[i] += (hit - c.shares[i]) * max(1/p.records, 1/p.settings.Forgetting)
		}
		if at < 0 {
			continue
		}
		p.sums.Add(2*k+at, r.Row, r.Margins, r.Relative)
		row := &p.sums.rows[2*k+at][len(p.sums.rows[2*k+at])-1]
		row.published, row.claimed, row.counts = r.Published, c.claimed[at], c.chosen
		if min(c.shares[0], c.shares[1]) > 0 {
			norm := max(math.Sqrt(1/c.shares[0]+1/c.shares[1]), 1/min(c.shares[0], c.shares[1])/10)
			pushes[k+1] = float64(1-2*at) * .5 / c.shares[at] / norm
		}
	}
	return pushes
}

func (p *plainMeans) observe() {
	if int(p.records)%64 == 0 {
		p.choose()
	}
}

// choose sets the interpolation weights by ascent on the dual from scratch, one coordinate at a time, far longer than needed.
func (p *plainMeans) choose() {
	n := len(p.taus)
	measured, free, slopes := make([]bool, n), make([]float64, n), make([][]float64, n)
	for i, tau := range p.taus {
		c := &p.kept[i]
		measured[i] = min(p.sums.Effective(2*i), p.sums.Effective(2*i+1)) >= float64(p.settings.Minimum)
		if !measured[i] {
			continue
		}
		difference := func(model int) float64 { return p.sums.Mean(2*i, model) - p.sums.Mean(2*i+1, model) }
		free[i] = difference(0)
		for k := range p.taus {
			slopes[i] = append(slopes[i], difference(k+1)-free[i])
		}
		window, variance, excess := 0.0, 0.0, 0.0
		for at, sign := range []float64{1, -1} {
			mean, _, effective := p.sums.over(2*i+at, func(r listed) (float64, bool) { return r.published, true })
			spread, _, _ := p.sums.over(2*i+at, func(r listed) (float64, bool) { return (r.published - mean) * (r.published - mean), true })
			window += spread / effective
			variance += spread * (1/effective + 1/(p.settings.Aim.holdout*c.shares[at]))
			if c.chosen {
				more, total, _ := p.sums.over(2*i+at, func(r listed) (float64, bool) { return r.published - r.claimed, r.counts })
				if total > 0 {
					excess += sign * more
				}
			}
		}
		c.theta = min(.8*tau, max(p.settings.Aim.quantiles[n-1]*math.Sqrt(variance), p.settings.Aim.interval*math.Sqrt(window)))
		c.gap = min(tau, max(0, excess*math.Copysign(1, free[i])))
	}
	expected := func(i int) float64 {
		d := free[i]
		for k, value := range p.interpolation {
			d += value * slopes[i][k]
		}
		return d
	}
	clear(p.interpolation)
	for range 1000 {
		for i, tau := range p.taus {
			if !measured[i] {
				continue
			}
			p.interpolation[i] = 0
			if rest, aim := expected(i), p.kept[i].target(tau); math.Abs(rest) > aim {
				p.interpolation[i] = math.Copysign(8, rest)
				if slope := slopes[i][i]; slope < 0 {
					p.interpolation[i] = math.Copysign(min(8, (math.Abs(rest)-aim)/-slope), rest)
				}
			}
		}
	}
	for i, tau := range p.taus {
		c := &p.kept[i]
		if !measured[i] {
			continue
		}
		c.chosen, c.reachable = true, math.Abs(expected(i)) <= c.target(tau)*(1+1e-9)
		for at := range c.claimed {
			c.claimed[at], _, _ = p.sums.over(2*i+at, func(r listed) (float64, bool) { return p.publish(r.margins), true })
		}
	}
}

func TestMeansAreWhatTheirDocumentationSays(t *testing.T) {
	reached, out, pressed := 0, 0, 0
	for _, test := range []struct {
		taus   []float64
		slopes []float64 // by model: what a unit of it takes from the difference
	}{{nil, nil}, {[]float64{.4}, []float64{-.6}}, {[]float64{.2}, []float64{.1}}, {[]float64{.4, .3}, []float64{-.5, -.4}}, {[]float64{.2, .3, 5}, []float64{-.9, -.02, -.1}}} {
		t.Run(fmt.Sprint(test.taus), func(t *testing.T) {
			var comparisons []fairness.Comparison
			for k, tau := range test.taus {
				comparisons = append(comparisons, fairness.Comparison{Name: fmt.Sprint(k), Tau: tau, Enforce: true, Criterion: fairness.MeanDifference})
			}
			settings := Settings{Aim: NewAim(.95, len(test.taus), 400, .95), Window: 100, Minimum: 20, Forgetting: 300}
			fast := NewMeans(settings, comparisons, &lists{window: 100})
			slow := &plainMeans{settings: settings, taus: test.taus, sums: &lists{window: 100}, interpolation: make([]float64, len(test.taus)), kept: make([]plainMean, len(test.taus))}
			for k := range slow.kept {
				slow.kept[k].reachable = true
				slow.sums.Join()
			}
			random := rand.New(rand.NewPCG(31, uint64(len(test.taus))))
			for i := range 450 {
				if i%97 == 50 {
					writer := codec.NewWriter(nil)
					fast.Fields(writer, 0)
					sums := fast.sums.(*lists)
					fast = NewMeans(settings, comparisons, &lists{window: 100})
					fast.sums = sums
					reader := codec.NewReader(writer.Bytes())
					if fast.Fields(reader, 0); reader.End() != nil {
						t.Fatal(reader.End())
					}
				}
				record, sign := meanRecord(random, test.slopes, i), 1.0
				again := record
				if i >= 250 {
					sign = -1
				}
				for k := range record.Margins.Average {
					record.Margins.Average[k] *= sign
				}
				record.Published, again.Published = fast.Publish(record.Margins.Average), slow.publish(record.Margins.Average)
				got, want := append(fast.Push(&record), record.Published), append(slow.push(&again), again.Published)
				fast.Observe(&record, nil)
				slow.observe()
				for k, r := range fast.Reports(comparisons) {
					c := &slow.kept[k]
					if c.chosen && c.reachable {
						reached++
					}
					if !c.reachable {
						out++
					}
					if slow.interpolation[k] != 0 {
						pressed++
					}
					if r.Reachable != c.reachable || r.Comparison != k || r.Name != fmt.Sprint(k) || r.Rarest != 1 || r.AtFloor != (c.chosen && c.theta >= .8*r.Tau) {
						t.Fatalf("record %d: %+v, should be %+v", i, r, c)
					}
					got = append(got, r.Tau, r.Theta, r.Gap, r.Target, r.Multiplier, fast.Interpolation()[k])
					want = append(want, test.taus[k], c.theta, c.gap, c.target(test.taus[k]), slow.interpolation[k]/2, slow.interpolation[k])
				}
				for k := range got {
					if math.Abs(got[k]-want[k]) > 1e-7*max(1, math.Abs(want[k])) {
						t.Fatalf("record %d: value %d is %v and should be %v: %+v", i, k, got[k], want[k], slow.kept)
					}
				}
			}
		})
	}
	if reached < 300 || out < 50 || pressed < 300 {
		t.Errorf("the test looks at little: %d records within the target, %d out of reach, %d pressed", reached, out, pressed)
	}
}

// meanRecord is a record on random sides, whose margins under the models differ between the sides.
func meanRecord(random *rand.Rand, slopes []float64, i int) Record {
	r := Record{Row: &features.Row{}, Margins: &linear.Margins{}, Weight: 1, Relative: .5 + random.Float64()}
	margin := random.NormFloat64()
	for k := range slopes {
		side := fairness.Side(random.IntN(4))
		if k == 0 && i < 100 && random.IntN(4) > 0 { // one side is rare for a while
			side = fairness.Versus
		}
		if r.Sides = append(r.Sides, side); side == fairness.Group {
			margin += .8
		}
	}
	r.Margins.Average = append(r.Margins.Average, margin)
	for k, slope := range slopes {
		other := margin + .1*random.NormFloat64()
		if r.Sides[k] == fairness.Group {
			other += slope
		}
		r.Margins.Average = append(r.Margins.Average, other)
	}
	return r
}
