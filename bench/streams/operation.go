package main

import (
	"math"
	"math/rand/v2"

	"github.com/fairstream/fairstream/bench/synthetic"
	"github.com/fairstream/fairstream/pkg/record"
)

// night is how many records a day takes, of which the last ones come at night.
const night = 1000

// operation are streams of a system that its operators change: where it is used, how its fields are written, who is sent to it, and what a label means.
func operation() []scenario {
	var all []scenario
	add := func(name string, p plant) {
		all = append(all, scenario{"operated: " + name, false, synthetic.Config, p.order})
	}
	// Who comes.
	add("a region that starts at 24,700", plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, r *rand.Rand) {
		region := "north"
		if at >= breaks && r.Float64() < .3 {
			region = "south"
			instead(p, synthetic.World{Share: .4, BaseA: .3, BaseB: .45, Separation: 1.2, Proxy: 1}, r)
		}
		give(p, "region", region)
	}})
	add("nights of 300 records after 700 of a day, of a whole day", plant{ahead: night, world: func(at int) synthetic.World {
		w := usual
		if at%night >= 7*night/10 {
			w.Share, w.BaseA, w.BaseB = .1, .2, .4
		}
		return w
	}})
	add("of one group only those with signal1 above 0 from 24,700 on", plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, r *rand.Rand) {
		for at >= breaks && p.A && number(p, "signal1") < 0 {
			instead(p, usual, r)
		}
	}})
	add("records of one group 4,000 later than the others, and base rates that drift", plant{world: func(at int) synthetic.World {
		return drifted(passed(at, 16_000, breaks))
	}, arrange: func(records []record.Record, random *rand.Rand) []record.Record {
		return arrived(records, func(r *record.Record) (float64, float64) {
			if string(r.Attributes[0].Text) == "a" {
				return 4000 * random.ExpFloat64(), -1
			}
			return 0, -1
		})
	}})
	add("a sixth of the records are those of 10,000 records ago, and base rates that drift", plant{world: func(at int) synthetic.World {
		return drifted(passed(at, 16_000, breaks))
	}, again: func(records []record.Record, at int) {
		if at >= 10_000 && at%6 == 0 { // what was 10,000 ago is no copy itself
			records[at] = records[at-10_000]
		}
	}})
	// What labels and attributes say.
	add("half of the labels that were positive are negative from 24,700 on", plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, r *rand.Rand) {
		if at >= breaks && r.Float64() < .5 {
			p.Record.Positive = false
		}
	}})
	add("a tenth of the attributes are of the other group from 24,700 on", plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, r *rand.Rand) {
		if at >= breaks && r.Float64() < .1 {
			p.Record.Attributes = []record.Value{{Text: []byte(map[bool]string{true: "b", false: "a"}[p.A])}}
		}
	}})
	// How fields are written.
	add("signal2 in another unit in one group from 24,700 on", plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, _ *rand.Rand) {
		if at >= breaks && p.A {
			set(p, "signal2", text(1.8*number(p, "signal2")+.5))
		}
	}})
	for _, from := range []struct {
		name string
		at   int
	}{{"two sources that write fields in their own ways, in turn", 0}, {"a second source that writes fields in its own way from 24,700 on", breaks}} {
		add(from.name, plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, r *rand.Rand) {
			if at >= from.at && r.Float64() < .5 {
				set(p, "kind", "K"+written(p, "kind")[len("kind-"):])
				set(p, "signal1", text(math.Round(10*number(p, "signal1"))))
			}
		}})
	}
	add("a new kind that takes over within 20,000", plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, r *rand.Rand) {
		if r.Float64() < passed(at, breaks, 20_000) {
			set(p, "kind", "kind-new")
		}
	}})
	add("signal1 is rounded and proxy is cut at 0.5 from 24,700 on", plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, _ *rand.Rand) {
		if at >= breaks {
			set(p, "signal1", text(math.Round(number(p, "signal1"))))
			set(p, "proxy", text(min(.5, max(-.5, number(p, "proxy")))))
		}
	}})
	add("signal1 and proxy in each other's place from 24,700 on", plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, _ *rand.Rand) {
		if at >= breaks {
			signal, proxy := written(p, "signal1"), written(p, "proxy")
			set(p, "signal1", proxy)
			set(p, "proxy", signal)
		}
	}})
	return all
}

// instead makes a person one of the same group in another world.
func instead(p *synthetic.Person, w synthetic.World, r *rand.Rand) {
	if w.Share = 0; p.A {
		w.Share = 1
	}
	*p = w.Draw(r)
}

// give adds a field.
func give(p *synthetic.Person, name, text string) {
	f := record.Field{Name: name, ID: record.NoName, Text: []byte(text)}
	f.Hash = record.Hash(f.Text)
	p.Record.Features = append(p.Record.Features, f)
}

// written is the text of a field.
func written(p *synthetic.Person, name string) string {
	for _, f := range p.Record.Features {
		if f.Name == name {
			return string(f.Text)
		}
	}
	panic("no field " + name)
}
