// Package population has what the studies of intervals and conditions draw their streams from, with a truth that is known: of a
// file all records, of a synthetic world a large sample.
package population

import (
	"io"
	"math/rand/v2"

	"github.com/fairstream/fairstream/bench/records"
	"github.com/fairstream/fairstream/bench/synthetic"
	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// Source draws records, and holds those that the truth is measured on.
type Source struct {
	// Draw returns the record at a place of the stream, from 0.
	Draw  func(random *rand.Rand, at int) record.Record
	Truth []record.Record
}

// truthRecords is how many records of a world the truth is measured on: enough for a standard error of 0.002.
const truthRecords = 200_000

// AdultConfig keeps the difference of men and women within tau.
func AdultConfig(tau float64) model.Config {
	c := adult.DefaultConstraint()
	return model.Config{Record: adult.RecordConfig(), Learner: model.DefaultLearner(),
		Constraints: []model.Constraint{{Name: c.Name, Attribute: record.OneOrMore{c.Attribute}, Group: model.Values(c.Group),
			Versus: model.Values(c.Versus), Tau: tau}}}
}

// Adult draws from the Adult records with replacement.
func Adult(c model.Config) (Source, error) { return File(c, adult.Open()) }

// FileConfig keeps the difference between two values of the column "attribute" within tau; the column "label" holds 1 for
// positive labels.
func FileConfig(tau float64, group, versus string) model.Config {
	return model.Config{Record: record.Config{Label: record.Label{Field: "label", Positive: "1"}}, Learner: model.DefaultLearner(),
		Constraints: []model.Constraint{{Name: "attribute", Attribute: record.OneOrMore{"attribute"}, Group: model.Values(group),
			Versus: model.Values(versus), Tau: tau}}}
}

// File draws from the records of a CSV file with replacement.
func File(c model.Config, file io.Reader) (s Source, err error) {
	s.Truth, err = records.All(c, file)
	s.Draw = func(random *rand.Rand, _ int) record.Record { return s.Truth[random.IntN(len(s.Truth))] }
	return s, err
}

// World draws from a synthetic world. Both groups are measured alike, whatever their shares, so that the rate of each is
// known equally well; weights restore the shares.
func World(w synthetic.World) Source {
	return Source{Truth: sample(w, truthRecords), Draw: func(random *rand.Rand, _ int) record.Record { return w.Draw(random).Record }}
}

// Alternating draws from two worlds in turn, so many records of each. The truth is that of their mixture.
func Alternating(a, b synthetic.World, length int) Source {
	worlds := [2]synthetic.World{a, b}
	return Source{
		Truth: append(sample(a, truthRecords/2), sample(b, truthRecords/2)...),
		Draw:  func(random *rand.Rand, at int) record.Record { return worlds[at/length%2].Draw(random).Record },
	}
}

func sample(w synthetic.World, records int) []record.Record {
	truth := make([]record.Record, records)
	fresh, even := rand.New(rand.NewPCG(0, 2)), w
	even.Share = .5
	for i := range truth {
		p := even.Draw(fresh)
		p.Record.Weight = 2 * (1 - w.Share)
		if p.A {
			p.Record.Weight = 2 * w.Share
		}
		truth[i] = p.Record
	}
	return truth
}

// Minority draws the records of a value of the attribute with another share, and weighs the truth so.
func (s Source) Minority(value string, share float64) Source {
	var inside, outside []record.Record
	for _, r := range s.Truth {
		if Is(&r, value) {
			inside = append(inside, r)
		} else {
			outside = append(outside, r)
		}
	}
	weigh := func(records []record.Record, share float64) (weighed []record.Record) {
		for _, r := range records {
			r.Weight = share * float64(len(s.Truth)) / float64(len(records))
			weighed = append(weighed, r)
		}
		return weighed
	}
	return Source{
		Truth: append(weigh(inside, share), weigh(outside, 1-share)...),
		Draw: func(random *rand.Rand, _ int) record.Record {
			if random.Float64() < share {
				return inside[random.IntN(len(inside))]
			}
			return outside[random.IntN(len(outside))]
		},
	}
}

// Lacking draws records of which the attribute is missing with a probability. The truth knows all attributes.
func (s Source) Lacking(probability func(r *record.Record) float64) Source {
	draw := s.Draw
	s.Draw = func(random *rand.Rand, at int) record.Record {
		r := draw(random, at)
		if random.Float64() < probability(&r) {
			r.Attributes = []record.Value{{Missing: true}}
		}
		return r
	}
	return s
}

// Is says whether the attribute of a record has a value.
func Is(r *record.Record, value string) bool {
	return !r.Attributes[0].Missing && string(r.Attributes[0].Text) == value
}
