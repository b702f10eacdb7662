package main

import (
	"math/rand/v2"
	"strings"

	"github.com/fairstream/fairstream/bench/synthetic"
	"github.com/fairstream/fairstream/pkg/record"
)

// mistakes are streams whose writers make a mistake: fields have other names, other codes or the values of another record, numbers are written for
// another country, records come twice, and records come that are nobody's.
func mistakes() []scenario {
	var all []scenario
	add := func(name string, p plant) {
		all = append(all, scenario{"mistaken: " + name, false, synthetic.Config, p.order})
	}
	from := func(bend func(p *synthetic.Person, r *rand.Rand)) plant {
		return plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, r *rand.Rand) {
			if at >= breaks {
				bend(p, r)
			}
		}}
	}
	add("signal1 and proxy have other names from 24,700 on", from(func(p *synthetic.Person, _ *rand.Rand) {
		rename(p, "signal1", "signal_1")
		rename(p, "proxy", "proxy_1")
	}))
	add("fields in capitals from 24,700 on", from(func(p *synthetic.Person, _ *rand.Rand) {
		for i := range p.Record.Features {
			p.Record.Features[i].Name = strings.ToUpper(p.Record.Features[i].Name)
		}
	}))
	for _, of := range []struct{ name, what string }{{"the label", "signal1"}, {"the group", "proxy"}} {
		add("a code that tells "+of.name+" is 1 and 0, and 0 and 1 from 24,700 on", plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, _ *rand.Rand) {
			code := "0"
			if number(p, of.what) > 0 != (at >= breaks) {
				code = "1"
			}
			set(p, of.what, code)
		}})
	}
	// A join that is off by one takes the value of somebody else.
	for _, of := range []struct {
		name string
		a    bool
	}{{"", false}, {" in one group", true}} {
		add("signal1 and kind are those of another record"+of.name+" from 24,700 on", from(func(p *synthetic.Person, r *rand.Rand) {
			if p.A || !of.a {
				other := usual.Draw(r)
				set(p, "signal1", written(&other, "signal1"))
				set(p, "kind", written(&other, "kind"))
			}
		}))
	}
	for _, field := range []string{"signal1", "proxy"} {
		add("decimal commas in "+field+" from 24,700 on", from(func(p *synthetic.Person, _ *rand.Rand) {
			set(p, field, strings.Replace(written(p, field), ".", ",", 1))
		}))
	}
	add("each record twice, one after the other", plant{world: steadily(usual), again: copies(1)})
	add("each record twice, one after the other, and base rates that drift", plant{again: copies(1), world: func(at int) synthetic.World {
		return drifted(passed(at, 16_000, breaks))
	}})
	add("each record twice, 5,000 apart", plant{world: steadily(usual), again: copies(5001)})
	nobody := usual
	nobody.Share = 1
	add("a third of the records are one and the same for 8,000", plant{world: steadily(usual), bend: func(at int, p *synthetic.Person, r *rand.Rand) {
		if at >= breaks && at < breaks+8000 && r.Float64() < .33 {
			*p = nobody.Draw(rand.New(rand.NewPCG(1, 1)))
			p.Record.Positive = false
		}
	}})
	return all
}

func rename(p *synthetic.Person, name, other string) {
	for i := range p.Record.Features {
		if p.Record.Features[i].Name == name {
			p.Record.Features[i].Name = other
		}
	}
}

// copies makes every other record a copy of the one that came so many places before, an odd number.
func copies(before int) func(records []record.Record, at int) {
	return func(records []record.Record, at int) {
		if at%2 == 1 && at >= before {
			records[at] = records[at-before]
		}
	}
}
