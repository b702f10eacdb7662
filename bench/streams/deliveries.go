package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/fairstream/fairstream/bench/synthetic"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

const (
	// week is how many records seven days take, of which the last two have other people.
	week = 7000
	// long is the length of streams in which something is rare.
	long = 250_000
	// towns is how many values the attribute of the stream of fifty comparisons has.
	towns = 50
)

// deliveries are streams that came together from several sources, or late, or in large deliveries, and such of rare groups.
func deliveries() []scenario {
	var all []scenario
	add := func(name string, p plant) {
		all = append(all, scenario{"delivered: " + name, false, synthetic.Config, p.order})
	}
	other := usual
	other.BaseA, other.BaseB = usual.BaseB, usual.BaseA
	// Half of the records have the labels of another definition, by which the other group is favoured.
	redefine := func(from int, name bool) func(at int, p *synthetic.Person, r *rand.Rand) {
		return func(at int, p *synthetic.Person, r *rand.Rand) {
			source := "first"
			if at >= from && r.Float64() < .5 {
				instead(p, other, r)
				source = "second"
			}
			if name {
				give(p, "source", source)
			}
		}
	}
	add("two definitions of the label, mixed", plant{world: steadily(usual), bend: redefine(0, false)})
	add("two definitions of the label, mixed from 24,700 on", plant{world: steadily(usual), bend: redefine(breaks, false)})
	add("two definitions of the label, of named sources", plant{world: steadily(usual), bend: redefine(0, true)})
	add("a second source with another definition from 24,700 on", plant{world: steadily(usual), bend: redefine(breaks, true)})
	add("a group that comes after 200,000", plant{length: long, every: 5000, world: func(at int) synthetic.World {
		w := usual
		if w.Share = 0; at >= 200_000 {
			w.Share = .3
		}
		return w
	}})
	half := usual
	half.Share = .5
	add("batches of 50,000 of one group", plant{length: long, every: 10_000, batch: 50_000, world: steadily(half)})
	for _, share := range []float64{.001, .01, .99, .999} {
		w := usual
		w.Share = share
		add("a group of "+strconv.FormatFloat(100*share, 'g', -1, 64)+" %", plant{length: long, every: 10_000, world: steadily(w)})
	}
	add("weeks of 7,000 records, of a whole one", plant{ahead: week, world: func(at int) synthetic.World {
		w := usual
		if at%week >= 5*week/7 {
			w.Share, w.BaseA, w.BaseB = .6, .3, .35
		}
		return w
	}})
	add("5 % of the records a second time", plant{world: steadily(usual), arrange: func(records []record.Record, random *rand.Rand) []record.Record {
		return arrived(records, func(*record.Record) (float64, float64) {
			if random.Float64() < .05 {
				return 0, 500 * random.Float64()
			}
			return 0, -1
		})
	}})
	add("positive labels 5,000 records later than others", plant{world: steadily(usual), arrange: late(5000)})
	add("the same, and base rates that drift", plant{arrange: late(5000), world: func(at int) synthetic.World {
		return drifted(passed(at, 16_000, breaks))
	}})
	add("proxy is 0 from 24,700 on", plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, _ *rand.Rand) {
		if at >= breaks {
			set(p, "proxy", "0")
		}
	}})
	add("kind has one value from 24,700 on", plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, _ *rand.Rand) {
		if at >= breaks {
			set(p, "kind", "kind-3")
		}
	}})
	add("labels that mean the contrary from 24,700 on", plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, _ *rand.Rand) {
		if at >= breaks {
			p.Record.Positive = !p.Record.Positive
		}
	}})
	add("signal1 is absent in one group from 24,700 on", plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, _ *rand.Rand) {
		if at >= breaks && p.A {
			lose(p, "signal1")
		}
	}})
	add("signal1 grows a hundredfold within 20,000", plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, _ *rand.Rand) {
		set(p, "signal1", text(number(p, "signal1")*math.Pow(100, passed(at, breaks, 20_000))))
	}})
	add("a third of one group has no attribute from 24,700 on", plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, r *rand.Rand) {
		if at >= breaks && p.A && r.Float64() < .33 {
			p.Record.Attributes = []record.Value{{Missing: true}}
		}
	}})
	add("hours of 300 records, each with another share", plant{ahead: 24 * 300, world: func(at int) synthetic.World {
		w := usual
		w.Share, w.BaseA = .1+.6*float64(at/300%24)/23, .3+.4*float64(at/300%24)/23
		return w
	}})
	add("a new kind for a fifth of one group from 24,700 on", plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, r *rand.Rand) {
		if at >= breaks && p.A && r.Float64() < .2 {
			set(p, "kind", "kind-new")
		}
	}})
	add("500 columns, 2,000 records", plant{length: 2000, every: 500, people: 1000, world: steadily(usual), bend: func(_ int, p *synthetic.Person, r *rand.Rand) {
		for i := len(p.Record.Features); i < 500; i++ {
			give(p, "noise"+strconv.Itoa(i), text(r.NormFloat64()))
		}
	}})
	return append(all, scenario{"delivered: fifty comparisons, three columns", false, fifty, plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, r *rand.Rand) {
		lose(p, "signal2")
		lose(p, "skewed")
		// The group lives in the first towns more often.
		town := int(towns * r.Float64())
		if p.A {
			town = int(towns * r.Float64() * r.Float64())
		}
		p.Record.Attributes = append(p.Record.Attributes, record.Value{Text: []byte("town-" + strconv.Itoa(town))})
	}}.order})
}

// fifty compares each town with the rest.
func fifty(tau float64) model.Config {
	c := synthetic.Config(tau)
	for i := range towns - 1 {
		name := "town-" + strconv.Itoa(i)
		c.Constraints = append(c.Constraints, model.Constraint{Name: name, Attribute: model.OneOrMore{"town"}, Group: model.Values(name),
			Versus: model.Values(model.Rest), Tau: tau})
	}
	return c
}

// late delays the records with positive labels, by so many records on average.
func late(mean float64) func(records []record.Record, random *rand.Rand) []record.Record {
	return func(records []record.Record, random *rand.Rand) []record.Record {
		return arrived(records, func(r *record.Record) (float64, float64) {
			if r.Positive {
				return mean * random.ExpFloat64(), -1
			}
			return 0, -1
		})
	}
}

// arrived orders records by when they come: some time after their place, and once more after another time unless that is below 0.
func arrived(records []record.Record, delays func(r *record.Record) (first, second float64)) []record.Record {
	type delivery struct {
		at float64
		of int
	}
	var all []delivery
	for i := range records {
		first, second := delays(&records[i])
		all = append(all, delivery{float64(i) + first, i})
		if second >= 0 {
			all = append(all, delivery{float64(i) + second, i})
		}
	}
	slices.SortStableFunc(all, func(a, b delivery) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return 0
	})
	ordered := make([]record.Record, 0, len(records))
	for _, d := range all[:len(records)] {
		ordered = append(ordered, records[d.of])
	}
	return ordered
}
