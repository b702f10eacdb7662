package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	drawn "github.com/fairstream/fairstream/bench/population"
	"github.com/fairstream/fairstream/bench/synthetic"
	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// stream is what is learnt: records drawn with replacement from a population, on all of which the truth is measured.
type stream struct {
	name, title string
	records     int
	config      func(tau float64) model.Config
	population  population
	// next chooses the i-th record; nil draws from the whole population.
	next func(random *rand.Rand, i int) *record.Record
	// change is the record from which on later is the truth; 0 for none.
	change int
	later  population
}

// population is all records, and those of each group.
type population struct {
	all    []record.Record
	groups [2][]int
}

// rare are the shares of women in the streams with a small group.
var rare = []struct {
	name  string
	share float64
}{{"hundredth", .01}, {"five-hundredth", .002}}

func openStreams(directory string, bursts []burst, shorter int) ([]stream, error) {
	config := drawn.AdultConfig
	people, err := read(adult.Open(), config(.05))
	if err != nil {
		return nil, err
	}
	swapped := people.swapped()
	records := 40_000 / shorter
	streams := []stream{
		{name: "adult", title: "Adult", records: records, config: config, population: people},
		{name: "exchange", title: "Adult, the groups exchange their names half-way", records: records, config: config, population: people,
			change: records / 2, later: swapped, next: func(random *rand.Rand, i int) *record.Record {
				if i < records/2 {
					return people.draw(random)
				}
				return swapped.draw(random)
			}},
		{name: "bursts", title: "Adult, 1,000 men after 500 women", records: records, config: config, population: people,
			next: func(random *rand.Rand, i int) *record.Record { return people.of(random, (i%1500)/500 > 0) }},
	}
	for _, r := range rare {
		streams = append(streams, stream{name: r.name, title: fmt.Sprintf("Adult, %.1f %% women", 100*r.share), records: records, config: config,
			population: people, next: func(random *rand.Rand, _ int) *record.Record {
				return people.of(random, random.Float64() >= r.share)
			}})
	}
	for _, b := range bursts {
		streams = append(streams, b.streams(records, config, people)...)
	}
	streams = append(streams, reversal(records), noProxy(records))
	more, err := openFiles(directory, records)
	return append(streams, more...), err
}

// reversal is a stream whose bias turns around half-way: the labels favour the other group from then on.
func reversal(records int) stream {
	before := synthetic.World{Share: .4, BaseA: .5, BaseB: .25, Separation: 1.2, Proxy: 1}
	after := before
	after.BaseA, after.BaseB = before.BaseB, before.BaseA
	first, later := draw(before), draw(after)
	return stream{name: "reversal", title: "synthetic: the bias reverses half-way", records: records, config: synthetic.Config,
		population: first, change: records / 2, later: later, next: func(random *rand.Rand, i int) *record.Record {
			if i < records/2 {
				return first.draw(random)
			}
			return later.draw(random)
		}}
}

func noProxy(records int) stream {
	return stream{name: "no proxy", title: "synthetic: features tell the groups apart by way of the label only", records: records,
		config: synthetic.Config, population: draw(synthetic.World{Share: .4, BaseA: .5, BaseB: .25, Separation: 1.2, Proxy: 0})}
}

// draw draws a population from a synthetic world.
func draw(w synthetic.World) (p population) {
	random := rand.New(rand.NewPCG(0, 2))
	for range 50_000 {
		p.all = append(p.all, w.Draw(random).Record)
	}
	p.split("a")
	return p
}

// openFiles reads the data sets of a directory. Their columns are named as bench/quality names them.
func openFiles(directory string, records int) (streams []stream, err error) {
	if directory == "" {
		return nil, nil
	}
	paths, err := filepath.Glob(filepath.Join(directory, "*.csv"))
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("-records: %s has no CSV file", directory)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".csv")
		if name == "adult" || err != nil {
			continue
		}
		text, problem := os.ReadFile(path)
		if problem != nil {
			return nil, problem
		}
		// Which value is the group is of no consequence here.
		group := "group"
		config := func(tau float64) model.Config {
			return model.Config{Record: record.Config{Label: record.Label{Field: "label", Positive: "1"}}, Learner: model.DefaultLearner(),
				Constraints: []model.Constraint{{Name: "attribute", Attribute: record.OneOrMore{"attribute"},
					Group: model.Values(group), Versus: model.Values(model.Rest), Tau: tau}}}
		}
		people, problem := read(bytes.NewReader(text), config(.05))
		if problem != nil {
			return nil, fmt.Errorf("%s: %w", path, problem)
		}
		group = string(people.all[0].Attributes[0].Text)
		people.split(group)
		streams = append(streams, stream{name: name, title: name, records: min(records, len(people.all)), config: config, population: people})
	}
	return streams, err
}

func read(from io.Reader, c model.Config) (population, error) {
	source, err := drawn.File(c.WithDefaults(), from)
	p := population{all: source.Truth}
	p.split(adult.DefaultConstraint().Group)
	return p, err
}

// split finds the records of the group, and all others.
func (p *population) split(group string) {
	p.groups = [2][]int{}
	for i := range p.all {
		side := 0
		if string(p.all[i].Attributes[0].Text) == group {
			side = 1
		}
		p.groups[side] = append(p.groups[side], i)
	}
}

// swapped is the population with the two values of its attribute exchanged.
func (p population) swapped() population {
	texts := [2][]byte{p.all[p.groups[0][0]].Attributes[0].Text, p.all[p.groups[1][0]].Attributes[0].Text}
	s := population{all: slices.Clone(p.all), groups: [2][]int{p.groups[1], p.groups[0]}}
	for side, text := range texts {
		for _, i := range s.groups[side] {
			s.all[i].Attributes = slices.Clone(s.all[i].Attributes)
			s.all[i].Attributes[0].Text = text
		}
	}
	return s
}

func (p *population) draw(random *rand.Rand) *record.Record { return &p.all[random.IntN(len(p.all))] }

// of draws a record of the group or of the others.
func (p *population) of(random *rand.Rand, group bool) *record.Record {
	side := 0
	if group {
		side = 1
	}
	return &p.all[p.groups[side][random.IntN(len(p.groups[side]))]]
}
