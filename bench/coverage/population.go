package main

import (
	"errors"
	"io"
	"math/rand/v2"
	"slices"

	"github.com/fairstream/fairstream/bench/synthetic"
	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// population is what a stream is drawn from.
type population struct {
	name   string
	looks  []int // records after which the document is looked at
	config func(tau float64) model.Config
	// open prepares the population.
	open func(c model.Config) (source, error)
}

// source draws records, and holds those that the truth is measured on.
type source struct {
	draw  func(random *rand.Rand) record.Record
	truth []record.Record
}

// truthRecords is how many records of a world the truth is measured on: enough for a standard error of .002.
const truthRecords = 200_000

// populations are the Adult records, and worlds that differ in the size of a group, base rates and how well features tell
// labels and groups apart. Their first look is at some 200 records of the smaller side.
func populations() []population {
	all := []population{{"adult", []int{10_000, 20_000, 40_000}, adultConfig, openAdult}}
	for _, w := range []struct {
		name  string
		world synthetic.World
		first int
	}{
		{"world: equal groups", synthetic.World{Share: .5, BaseA: .5, BaseB: .25, Separation: 1.2, Proxy: 1}, 2000},
		{"world: a tenth", synthetic.World{Share: .1, BaseA: .5, BaseB: .25, Separation: 1.2, Proxy: 1}, 2000},
		{"world: clear labels", synthetic.World{Share: .5, BaseA: .5, BaseB: .25, Separation: 2, Proxy: .5}, 2000},
		{"world: clear groups", synthetic.World{Share: .5, BaseA: .8, BaseB: .4, Separation: 1, Proxy: 2}, 2000},
		{"world: a favoured tenth", synthetic.World{Share: .1, BaseA: .2, BaseB: .5, Separation: 1, Proxy: 2}, 2000},
		{"world: rare positives", synthetic.World{Share: .3, BaseA: .1, BaseB: .05, Separation: 2, Proxy: 1}, 2000},
	} {
		all = append(all, population{w.name, []int{w.first, 10_000, 40_000}, synthetic.Config, func(model.Config) (source, error) {
			return openWorld(w.world), nil
		}})
	}
	return all
}

func adultConfig(tau float64) model.Config {
	c := adult.DefaultConstraint()
	return model.Config{Record: adult.RecordConfig(), Learner: model.DefaultLearner(),
		Constraints: []model.Constraint{{Name: c.Name, Attribute: record.OneOrMore{c.Attribute}, Group: model.Values(c.Group),
			Versus: model.Values(c.Versus), Tau: tau}}}
}

func openAdult(c model.Config) (s source, err error) {
	schema, err := c.Schema()
	if err != nil {
		return s, err
	}
	reader, err := record.NewReader(adult.Open(), record.CSV, record.Limits{})
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	decoder := schema.NewDecoder()
	for {
		var r record.Record
		if err := reader.Read(decoder, &r); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return s, err
		}
		for i := range r.Features {
			r.Features[i].Text = slices.Clone(r.Features[i].Text)
		}
		for i := range r.Attributes {
			r.Attributes[i].Text = slices.Clone(r.Attributes[i].Text)
		}
		s.truth = append(s.truth, r)
	}
	s.draw = func(random *rand.Rand) record.Record { return s.truth[random.IntN(len(s.truth))] }
	return s, nil
}

// openWorld measures both groups alike, whatever their shares, so that the rate of each is known equally well; weights
// restore the shares.
func openWorld(w synthetic.World) source {
	s := source{draw: func(random *rand.Rand) record.Record { return w.Draw(random).Record }}
	fresh, even := rand.New(rand.NewPCG(0, 2)), w
	even.Share = .5
	for range truthRecords {
		p := even.Draw(fresh)
		p.Record.Weight = 2 * (1 - w.Share)
		if p.A {
			p.Record.Weight = 2 * w.Share
		}
		s.truth = append(s.truth, p.Record)
	}
	return s
}
