// Package synthetic makes streams of records whose rates and whose best fair classifier are known, for
// property tests and for the drift study.
package synthetic

import (
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// World is how one record comes about. Groups are "a" and "b". Given the group, the label is drawn with
// the group's base rate; given both, the features are independent:
//
//	signal1, signal2   normal, mean ±Separation/2 by the label
//	proxy              normal, mean ±Proxy/2 by the group
//	kind               one of six values, whose odds lean by the label and, with Proxy, by the group
//	skewed             exp of a normal that leans by the label, zero in 60 % of the records
type World struct {
	Share      float64 // of group a
	BaseA      float64 // P(positive | a)
	BaseB      float64 // P(positive | b)
	Separation float64 // how well features tell the label
	Proxy      float64 // how well features tell the group
}

// Person is a record with what only its maker knows.
type Person struct {
	Record record.Record
	A      bool
	// Score is P(positive | features), GroupScore P(a | features).
	Score, GroupScore float64
}

const kinds = 6

// Config returns the configuration of a learner for such records.
func Config(tau float64) model.Config {
	return model.Config{
		Record:  record.Config{Label: record.Label{Field: "label", Positive: "1"}},
		Learner: model.DefaultLearner(),
		Constraints: []model.Constraint{{Name: "group", Attribute: model.OneOrMore{"group"}, Group: model.Values("a"),
			Versus: model.Values("b"), Tau: tau}},
	}
}

// Draw makes one record.
func (w World) Draw(random *rand.Rand) Person {
	p := Person{A: random.Float64() < w.Share}
	base, group := w.BaseB, "b"
	if p.A {
		base, group = w.BaseA, "a"
	}
	positive := random.Float64() < base
	y, s := -.5, -.5
	if positive {
		y = .5
	}
	if p.A {
		s = .5
	}
	signal1 := random.NormFloat64() + y*w.Separation
	signal2 := random.NormFloat64() + y*w.Separation
	proxy := random.NormFloat64() + s*w.Proxy
	kind := w.kind(random, y, s)
	zero := random.Float64() < .6
	skewed := random.NormFloat64() + y*w.Separation
	p.score(w, signal1+signal2, proxy, kind, zero, skewed)

	p.Record = record.Record{HasLabel: true, Positive: positive, Weight: 1,
		Attributes: []record.Value{{Text: []byte(group)}}}
	p.field("signal1", number(signal1))
	p.field("signal2", number(signal2))
	p.field("proxy", number(proxy))
	p.field("kind", "kind-"+strconv.Itoa(kind))
	if zero {
		p.field("skewed", "0")
	} else {
		p.field("skewed", number(1000*math.Exp(2*skewed)))
	}
	return p
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

func (p *Person) field(name, text string) {
	f := record.Field{Name: name, ID: record.NoName, Text: []byte(text)}
	f.Hash = record.Hash(f.Text)
	p.Record.Features = append(p.Record.Features, f)
}

// odds of a kind lean linearly, so that their ratios are easy to state.
func (w World) kindOdds(kind int, y, s float64) float64 {
	tilt := float64(kind)/(kinds-1) - .5 // −0.5 to 0.5
	return math.Exp(tilt * (w.Separation*y + w.Proxy*s))
}

func (w World) kind(random *rand.Rand, y, s float64) int {
	total := 0.0
	for k := range kinds {
		total += w.kindOdds(k, y, s)
	}
	at := random.Float64() * total
	for k := range kinds {
		if at -= w.kindOdds(k, y, s); at < 0 {
			return k
		}
	}
	return kinds - 1
}

// score computes the two posteriors by Bayes' rule over group and label.
func (p *Person) score(w World, signals, proxy float64, kind int, zero bool, skewed float64) {
	var joint [2][2]float64 // group a?, positive?
	total := 0.0
	for i, s := range [2]float64{-.5, .5} {
		prior, base := 1-w.Share, w.BaseB
		if i == 1 {
			prior, base = w.Share, w.BaseA
		}
		for j, y := range [2]float64{-.5, .5} {
			likelihood := prior * (1 - base)
			if j == 1 {
				likelihood = prior * base
			}
			normal := y*w.Separation*signals + s*w.Proxy*proxy
			if !zero {
				normal += y * w.Separation * skewed
			}
			all := 0.0
			for k := range kinds {
				all += w.kindOdds(k, y, s)
			}
			// Terms that are the same for both signs cancel.
			joint[i][j] = likelihood * math.Exp(normal) * w.kindOdds(kind, y, s) / all
			total += joint[i][j]
		}
	}
	p.Score = (joint[0][1] + joint[1][1]) / total
	p.GroupScore = (joint[1][0] + joint[1][1]) / total
}

// Oracle is the best classifier of these features that keeps the true difference within tau, measured on
// a sample: it decides by P(positive | x) − 1/2 > pressure × (P(a|x)/P(a) − P(b|x)/P(b)), which no linear
// model can beat (Zeng, Dobriban and Cheng, "Bayes-optimal classifiers under group fairness", 2022,
// theorem for unaware classifiers). It returns its error and that of the best unconstrained one.
func (w World) Oracle(sample []Person, tau float64) (constrained, unconstrained float64) {
	decide := func(pressure float64) (errors, difference float64) {
		var positive, count [2]float64
		for i := range sample {
			p := &sample[i]
			lean := p.GroupScore/w.Share - (1-p.GroupScore)/(1-w.Share)
			decision := p.Score-.5 > pressure*lean
			side := 1
			if p.A {
				side = 0
			}
			count[side]++
			if decision {
				positive[side]++
			}
			if decision != p.Record.Positive {
				errors++
			}
		}
		return errors / float64(len(sample)), positive[0]/count[0] - positive[1]/count[1]
	}
	unconstrained, difference := decide(0)
	if math.Abs(difference) <= tau {
		return unconstrained, unconstrained
	}
	sign := 1.0
	if difference < 0 {
		sign = -1
	}
	low, high := 0.0, 2.0
	for range 30 {
		middle := (low + high) / 2
		if _, d := decide(sign * middle); sign*d > tau {
			low = middle
		} else {
			high = middle
		}
	}
	constrained, _ = decide(sign * high)
	return constrained, unconstrained
}
