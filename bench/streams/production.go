package main

import (
	"cmp"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/fairstream/fairstream/bench/synthetic"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// plant is where synthetic records come from, and what happens to them on the way. What is nil does nothing.
type plant struct {
	world func(at int) synthetic.World
	batch int                                             // if above 0, so many records of one group come one after the other
	bend  func(at int, p *synthetic.Person, r *rand.Rand) // changes the record at a place of the stream
	again func(records []record.Record, at int)           // puts earlier records in
	ahead int                                             // the truth is that of so many records to come, or that of the moment
	// arrange puts the records in another order, or some in twice.
	arrange func(records []record.Record, random *rand.Rand) []record.Record
	length  int // of the stream, 0 for the usual one
	every   int // records between two looks, 0 for as many as usual
	people  int // that the truth is measured on in a round, 0 for as many as usual
}

// breaks is the place at which most streams change, between two looks: what has not begun cannot be known.
const breaks = 24_700

// season is how many records a season takes.
const season = 5000

// usual are the people before anything happens. Without a constraint their rates differ by some 0.3.
var usual = synthetic.World{Share: .4, BaseA: .5, BaseB: .25, Separation: 1.2, Proxy: 1}

func steadily(w synthetic.World) func(int) synthetic.World {
	return func(int) synthetic.World { return w }
}

// production are streams whose records do not change one at a time and for good, but as they do where they are produced.
func production() []scenario {
	var all []scenario
	add := func(name string, p plant) {
		all = append(all, scenario{"production: " + name, false, synthetic.Config, p.order})
	}
	for _, w := range []struct {
		name  string
		world synthetic.World
	}{
		{"two fifths", usual}, {"half", synthetic.World{Share: .5, BaseA: .5, BaseB: .25, Separation: 1.2, Proxy: 1}},
		{"a tenth", synthetic.World{Share: .1, BaseA: .5, BaseB: .25, Separation: 1.2, Proxy: 1}},
		{"base rates .1 and .05", synthetic.World{Share: .3, BaseA: .1, BaseB: .05, Separation: 2, Proxy: 1}},
		{"base rates .3 and .3", synthetic.World{Share: .3, BaseA: .3, BaseB: .3, Separation: 1, Proxy: 1}},
	} {
		all = append(all, scenario{"steady: " + w.name, true, synthetic.Config, plant{world: steadily(w.world)}.order})
	}
	// Who comes.
	add("batches of 500 of one group, base rates that drift", plant{batch: 500, world: func(at int) synthetic.World {
		return drifted(passed(at, 16_000, breaks))
	}})
	add("a group of 50 % that falls to 2 %", plant{world: func(at int) synthetic.World {
		w := usual
		w.Share = .5 - .48*passed(at, 16_000, 20_000)
		return w
	}})
	add("a group that comes after 20,000", plant{world: func(at int) synthetic.World {
		w := usual
		if w.Share = 0; at >= 20_000 {
			w.Share = .3
		}
		return w
	}})
	add("shares of .1 and .7 in turn, 3,000 each", plant{world: func(at int) synthetic.World {
		w := usual
		w.Share = .1 + .6*float64(at/3000%2)
		return w
	}})
	add("the last 2,000 records once more after each 8,000", plant{world: steadily(usual), again: replay(8000, 2000, 1)})
	add("the last 2,000 records five times more after each 12,000", plant{world: steadily(usual), again: replay(12_000, 2000, 5)})
	// What labels say.
	add("positive labels of 0.5 %, and back after 12,000", plant{world: func(at int) synthetic.World {
		w := usual
		if at >= breaks && at < breaks+12_000 {
			w.BaseA, w.BaseB = .0075, .0035
		}
		return w
	}})
	add("positive labels that fall to 0.5 % within 10,000", plant{world: func(at int) synthetic.World {
		w, t := usual, passed(at, breaks, 10_000)
		w.BaseA, w.BaseB = .5*math.Pow(.015, t), .25*math.Pow(.015, t)
		return w
	}})
	seasons := func(at int) synthetic.World {
		w, t := usual, math.Sin(2*math.Pi*float64(at)/season)
		w.BaseA, w.BaseB = .5+.15*t, .25-.1*t
		return w
	}
	add("seasons of 5,000 records, of the moment", plant{world: seasons})
	add("seasons of 5,000 records, of a whole one", plant{world: seasons, ahead: season})
	add("a fifth of the labels of one group are wrong", plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, r *rand.Rand) {
		if at >= breaks && p.A && r.Float64() < .2 {
			p.Record.Positive = !p.Record.Positive
		}
	}})
	// What fields say.
	for _, field := range []string{"signal1", "proxy"} {
		add(field+" is 0 for 8,000 records", plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, _ *rand.Rand) {
			if at >= breaks && at < breaks+8000 {
				set(p, field, "0")
			}
		}})
		add(field+" is absent for 8,000 records", plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, _ *rand.Rand) {
			if at >= breaks && at < breaks+8000 {
				lose(p, field)
			}
		}})
		add(field+" is a hundred times as large", plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, _ *rand.Rand) {
			if at >= breaks {
				set(p, field, text(100*number(p, field)))
			}
		}})
		add(field+" is a hundred times as large in one group", plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, _ *rand.Rand) {
			if at >= breaks && p.A {
				set(p, field, text(100*number(p, field)))
			}
		}})
	}
	add("proxy comes after 24,000", plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, _ *rand.Rand) {
		if at < breaks {
			lose(p, "proxy")
		}
	}})
	add("proxy tells the other way round", plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, _ *rand.Rand) {
		if at >= breaks {
			set(p, "proxy", text(-number(p, "proxy")))
		}
	}})
	add("one group's signals rise by half a deviation", plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, _ *rand.Rand) {
		if at >= breaks && p.A {
			set(p, "signal1", text(number(p, "signal1")+.5))
			set(p, "signal2", text(number(p, "signal2")+.5))
		}
	}})
	add("amounts with a tail of 1.1", plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, r *rand.Rand) {
		set(p, "skewed", text(number(p, "skewed")*math.Pow(1-r.Float64(), -1/1.1)))
		set(p, "signal1", text(math.Copysign(math.Exp(math.Abs(3*number(p, "signal1"))), number(p, "signal1"))))
	}})
	add("weights with a tail of 1.5", plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, r *rand.Rand) {
		p.Record.Weight *= min(1000, math.Pow(1-r.Float64(), -1/1.5)) / 3
	}})
	return append(all, scenario{"production: two attributes, one of 0.1 %", false, two, plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, r *rand.Rand) {
		second := "no"
		if r.Float64() < .001 {
			second = "yes"
		}
		p.Record.Attributes = append(p.Record.Attributes, record.Value{Text: []byte(second)})
	}}.order})
}

// passed is how much of a time has passed, from 0 to 1.
func passed(at, from, length int) float64 {
	return min(1, max(0, float64(at-from)/float64(length)))
}

// drifted is the usual world after a share of a drift that exchanges the base rates.
func drifted(share float64) synthetic.World {
	w := usual
	w.BaseA, w.BaseB = w.BaseA-.25*share, w.BaseB+.25*share
	return w
}

// two compares a second attribute, too.
func two(tau float64) model.Config {
	c := synthetic.Config(tau)
	c.Constraints = append(c.Constraints, model.Constraint{Name: "second", Attribute: model.OneOrMore{"second"}, Group: model.Values("yes"),
		Versus: model.Values("no"), Tau: tau})
	return c
}

// replay puts the last records in again, so many times, whenever so many have come.
func replay(each, last, times int) func(records []record.Record, at int) {
	return func(records []record.Record, at int) {
		if phase := at % each; at >= each && phase < last*times {
			records[at] = records[at-phase-last+phase%last]
		}
	}
}

func set(p *synthetic.Person, name, text string) {
	for i := range p.Record.Features {
		if f := &p.Record.Features[i]; f.Name == name {
			f.Text = []byte(text)
			f.Hash = record.Hash(f.Text)
		}
	}
}

func lose(p *synthetic.Person, name string) {
	kept := p.Record.Features[:0]
	for _, f := range p.Record.Features {
		if f.Name != name {
			kept = append(kept, f)
		}
	}
	p.Record.Features = kept
}

func number(p *synthetic.Person, name string) float64 {
	x, err := strconv.ParseFloat(written(p, name), 64)
	if err != nil {
		panic(err)
	}
	return x
}

func text(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// truthRecords is how many new records the truth is measured on in a round, as many of each group: a standard error of 0.01. After mostRounds, it is 0.0035.
const (
	truthRecords = 8000
	mostRounds   = 8
)

// order is one stream of a plant. Its truth is that of people to come.
func (p plant) order(_ pool, random *rand.Rand) stream {
	s := stream{rounds: mostRounds, from: min(10_000, cmp.Or(p.length, length)/4), every: p.every}
	fresh := rand.New(rand.NewPCG(random.Uint64(), 6))
	draw := func(at int, w synthetic.World, random *rand.Rand) record.Record {
		person := w.Draw(random)
		if p.bend != nil {
			p.bend(at, &person, random)
		}
		return person.Record
	}
	side := 0.0 // of the batch
	for at := range cmp.Or(p.length, length) {
		w := p.world(at)
		if p.batch > 0 {
			if at%p.batch == 0 {
				if side = 0; random.Float64() < w.Share {
					side = 1
				}
			}
			w.Share = side
		}
		s.records = append(s.records, draw(at, w, random))
		if p.again != nil {
			p.again(s.records, at)
		}
	}
	if p.arrange != nil {
		s.records = p.arrange(s.records, random)
	}
	s.truth = func(learnt int) (people []record.Record) {
		for i := range cmp.Or(p.people, truthRecords) {
			at := learnt + int(float64(p.ahead)*fresh.Float64())
			w := p.world(at)
			share := 1 - w.Share
			if w.Share = float64(i % 2); i%2 == 1 {
				share = 1 - share
			}
			r := draw(at, w, fresh)
			r.Weight *= 2 * share
			people = append(people, r)
		}
		return people
	}
	return s
}
