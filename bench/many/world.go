package main

import (
	"math/rand/v2"
	"strconv"

	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

const (
	columns = 10
	// speaking columns decide the label, with noise of standard deviation 1: a linear model is right in 83.3 % of records
	// at best.
	speaking = 3
	// lean is by how much the first column of a binding value is off the others, unless -lean says otherwise: the rates of
	// positive decisions then differ by 0.13 or so.
	lean = 0.6
)

// values are how many values each attribute has. Each value against the rest is a comparison.
var values = []int{10, 6, 12, 12, 10}

// world makes records whose attributes say nothing about the features, but for a few values that do.
type world struct {
	comparisons int     // the first of all values against the rest
	binding     int     // of these, spread evenly: the records of their values have larger first columns, or smaller ones
	lean        float64 // by how much the first column of their records is off
	rarity      float64 // the n-th value of an attribute is this many times as frequent as the one before
}

// place is a value of an attribute.
type place struct{ attribute, value int }

// places are the comparisons, in the order of attributes and values.
func (w world) places() (all []place) {
	for a, count := range values {
		for v := range count {
			if len(all) < w.comparisons {
				all = append(all, place{a, v})
			}
		}
	}
	return all
}

// signs says in which direction, if any, the first column of the records of each value is off.
func (w world) signs() map[place]int {
	signs := map[place]int{}
	places := w.places()
	for i := range w.binding {
		signs[places[i*len(places)/w.binding]] = 1 - i%2*2
	}
	return signs
}

// attributes is how many attributes the comparisons have: all records have these.
func (w world) attributes() int {
	places := w.places()
	if len(places) == 0 {
		return 0
	}
	return places[len(places)-1].attribute + 1
}

func (w world) config(tau float64) model.Config {
	c := model.Config{Record: record.Config{Label: record.Label{Field: "label", Positive: "1"}}, Learner: model.DefaultLearner()}
	for _, p := range w.places() {
		name, value := "attribute-"+strconv.Itoa(p.attribute), strconv.Itoa(p.value)
		c.Constraints = append(c.Constraints, model.Constraint{Name: name + "-" + value, Attribute: model.OneOrMore{name},
			Group: model.Values(value), Versus: model.Values(model.Rest), Tau: tau})
	}
	return c
}

// shares are how often each value of an attribute occurs, in proportion.
func (w world) shares() (shares [][]float64) {
	for a := range w.attributes() {
		var of []float64
		share := 1.0
		for range values[a] {
			of = append(of, share)
			share *= w.rarity
		}
		shares = append(shares, of)
	}
	return shares
}

// draw makes so many records.
func (w world) draw(random *rand.Rand, count int) []record.Record {
	records := make([]record.Record, count)
	signs, shares := w.signs(), w.shares()
	for i := range records {
		var attributes []record.Value
		shift := 0.0
		for a := range shares {
			v := pick(random, shares[a])
			shift += w.lean * float64(signs[place{a, v}])
			attributes = append(attributes, record.Value{Text: []byte(strconv.Itoa(v))})
		}
		records[i] = w.person(random, shift)
		records[i].Attributes = attributes
	}
	return records
}

// person makes a record whose first column is shifted.
func (w world) person(random *rand.Rand, shift float64) record.Record {
	r := record.Record{HasLabel: true, Weight: 1}
	sum := random.NormFloat64()
	for k := range columns {
		x := random.NormFloat64()
		if k == 0 {
			x += shift
		}
		if k < speaking {
			sum += x
		}
		r.Features = append(r.Features, field("x"+strconv.Itoa(k), int32(k), strconv.FormatFloat(x, 'g', 6, 64)))
	}
	r.Positive = sum > 0
	return r
}

// pick draws an index in proportion to shares.
func pick(random *rand.Rand, shares []float64) int {
	total := 0.0
	for _, s := range shares {
		total += s
	}
	at := random.Float64() * total
	for v, s := range shares {
		if at -= s; at < 0 {
			return v
		}
	}
	return len(shares) - 1
}

func field(name string, id int32, text string) record.Field {
	f := record.Field{Name: name, ID: id, Text: []byte(text)}
	f.Hash = record.Hash(f.Text)
	return f
}

// withoutConstraints are the same records, without attributes.
func (s stream) withoutConstraints() stream {
	var stripped []record.Record
	for _, r := range s.learnt {
		r.Attributes = nil
		stripped = append(stripped, r)
	}
	return stream{s.world, stripped, s.fresh}
}
