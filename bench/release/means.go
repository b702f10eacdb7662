package main

import (
	"math"
	"math/rand/v2"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/release"
)

// meanFate is a kind of stable version of a regression. All is in units of tau: the standard deviation of the predictions for one group, and the
// difference of means of the stable version before and after the change, and of the version before it after the change.
type meanFate struct {
	name          string
	spread        float64
	share         float64 // of the group
	before, after float64
	earlier       float64
	draw          func(*rand.Rand) float64 // with mean 0 and standard deviation 1; nil for a normal one
	widens        float64                  // what multiplies the spread at the change; 0 for 1
	alone         bool                     // there is no earlier version
}

const meanLimit = 1.4 // tau

// meanFates are the rows: each spread and share with a version that drifts and with one that stays, and then the rest.
func meanFates() (all []meanFate) {
	for _, in := range [...]float64{0.3, 0.02} {
		for _, spread := range [...]float64{2, 5, 10} {
			all = append(all, meanFate{name: "+0.4, then +3", spread: spread, share: in, before: 0.4, after: 3, earlier: 0.4},
				meanFate{name: "+0.8 throughout", spread: spread, share: in, before: 0.8, after: 0.8})
		}
	}
	usual := meanFate{spread: 5, share: 0.3, before: 0.4, after: 3, earlier: 0.4}
	add := func(name string, change func(*meanFate)) {
		f := usual
		f.name = name
		change(&f)
		all = append(all, f)
	}
	add("+0.4, then -3", func(f *meanFate) { f.after = -3 })
	add("+0.4, then +2", func(f *meanFate) { f.after = 2 })
	add("+0.4, then +3, and the earlier one too", func(f *meanFate) { f.earlier = 3 })
	add("+0.4, then +3, without an earlier one", func(f *meanFate) { f.alone = true })
	add("+0.4, then +3, lognormal predictions", func(f *meanFate) { f.draw = lognormal })
	steady := func(difference float64) { usual.before, usual.after, usual.earlier = difference, difference, 0 }
	steady(0.8)
	add("+0.8 throughout, lognormal predictions", func(f *meanFate) { f.draw = lognormal })
	add("-0.8 throughout, lognormal predictions", func(f *meanFate) { f.draw, f.before, f.after = lognormal, -0.8, -0.8 })
	add("+0.8 throughout, three times the deviation after the change", func(f *meanFate) { f.widens = 3 })
	steady(meanLimit)
	add("+1.4 throughout: at the limit", func(*meanFate) {})
	return all
}

func lognormal(r *rand.Rand) float64 {
	return (math.Exp(r.NormFloat64()) - math.Sqrt(math.E)) / math.Sqrt((math.E-1)*math.E)
}

// meanLives follows one stable version of a regression in each stream.
func (s study) meanLives(f meanFate) life {
	g, err := fairness.NewGrouper([]fairness.Comparison{{Name: "group", Criterion: fairness.MeanDifference, Tau: 1, Rest: true, Enforce: true,
		Group: []fairness.Term{fairness.Is("group", "0")}}})
	if err != nil {
		panic(err) // the comparison is written here
	}
	return s.follow(f.before != f.after, func(i int) (*release.Machine, func(n int) *release.Record) {
		stable := 2
		if f.alone {
			stable = 1
		}
		m := machine(release.Config{Regression: true}, g, stable)
		random := rand.New(rand.NewPCG(uint64(i), 17))
		var r release.Record
		return m, func(n int) *release.Record {
			spread, difference := f.spread, f.before
			if n >= changeAt {
				difference = f.after
				spread *= max(1, f.widens)
			}
			in := random.Float64() < f.share
			r.Number, r.Levels, r.Decisions = int64(n+1), append(r.Levels[:0], fairness.OtherLevel), r.Decisions[:0]
			if in {
				r.Levels[0]++
			}
			common := f.predict(random)
			for _, v := range m.Wanted() {
				// Versions agree but for a tenth of the variance: they were learnt from the same records.
				x := spread * (math.Sqrt(commonPart)*common + math.Sqrt(1-commonPart)*random.NormFloat64())
				switch {
				case !in:
				case v == name(stable):
					x += difference
				default:
					x += f.earlier
				}
				r.Decisions = append(r.Decisions, release.Decision{Known: true, Score: x})
			}
			return &r
		}
	})
}

func (f *meanFate) predict(r *rand.Rand) float64 {
	if f.draw == nil {
		return r.NormFloat64()
	}
	return f.draw(r)
}
