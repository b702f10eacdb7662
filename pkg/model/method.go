package model

import (
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/linear"
	"github.com/fairstream/fairstream/pkg/record"
)

// held is one of the first records, which are held back until the types and bins of columns are inferred from them.
type held struct {
	positive bool
	label    float64 // of a regression
	weight   float64
	levels   []fairness.Level
	fields   []record.Field // by name; texts and names are its own
}

// hold copies a record and the levels of its attributes.
func hold(r *record.Record, levels []fairness.Level) held {
	h := held{positive: r.Positive, label: r.Label, weight: r.Weight, levels: slices.Clone(levels)}
	length := 0
	for i := range r.Features {
		length += len(r.Features[i].Text)
	}
	texts := make([]byte, 0, length) // of all fields: a thousand records are held at once
	h.fields = make([]record.Field, 0, len(r.Features))
	for _, f := range r.Features {
		from := len(texts)
		texts = append(texts, f.Text...)
		f.Text, f.ID = texts[from:len(texts):len(texts)], record.NoName
		h.fields = append(h.fields, f)
	}
	slices.SortFunc(h.fields, func(a, b record.Field) int { return strings.Compare(a.Name, b.Name) })
	return h
}

// code codes the record. levels is how many levels each attribute has.
func (h *held) code(c *codec.Coder, levels []int) {
	c.Bool(&h.positive)
	c.Within(&h.label, record.MaxLabel)
	c.Float(&h.weight)
	c.Check(h.weight > 0 && h.weight <= record.MaxWeight)
	if c.Reading() {
		h.levels = make([]fairness.Level, len(levels))
	}
	for i := range levels {
		level := int(h.levels[i])
		codec.Index(c, &level, levels[i])
		h.levels[i] = fairness.Level(level)
	}
	codec.Slice(c, &h.fields, 3, func(f *record.Field) {
		text := string(f.Text)
		codec.Text(c, &f.Name)
		c.Bool(&f.Missing)
		codec.Text(c, &text)
		if c.Reading() {
			f.ID = record.NoName
			if !f.Missing {
				f.Text = []byte(text)
				f.Hash = record.Hash(f.Text)
			}
		}
	})
}

// absent lists the attributes that no record held back has. The configuration probably misspells them, and then a field
// of which the name is near holds what must not be a feature.
func absent(attributes []string, first []held) (absent []string) {
	for i, name := range attributes {
		if !slices.ContainsFunc(first, func(h held) bool { return h.levels[i] != fairness.MissingLevel }) {
			absent = append(absent, name)
		}
	}
	return absent
}

// noFeatures lists the columns of the records held back that are no features beyond doubt, such as identifiers: the rule
// is in internal/profile.
func (c Config) noFeatures(first []held) (names []string) {
	var seen profile.Profile
	for i := range first {
		seen.Add(&record.Record{Features: first[i].fields})
	}
	for _, column := range seen.NoFeatures() {
		if !c.Declares(column.Name) {
			names = append(names, column.Name)
		}
	}
	return names
}

// example is a record whose columns are known.
type example struct {
	brings     control.Brings // whether it has its label, or is one that came later
	number     int64          // of a record and of its label, if these do not come together
	never      bool           // it has no label, and never gets one
	unmeasured bool           // what is predicted for it says nothing of the stream
	row        features.Row
	sides      []fairness.Side  // by comparison
	levels     []fairness.Level // by attribute
	strata     []int            // by comparison, nil if none is within strata
	factors    []float64        // by comparison, of the weight in it, nil if none is within strata
	positive   bool             // the label of a decision
	label      float64          // the label of a regression
	weight     float64          // above 0
	labelled   float64          // weight among the records that have labels
	propensity float64          // of the label, 0 if it is not known by design
	scale      float64          // of what constraints push that need no label: see proportion
}

// weightIn is the weight of the record in a comparison.
func (e *example) weightIn(comparison int) float64 {
	if e.factors == nil {
		return e.weight
	}
	return e.weight * e.factors[comparison]
}

// strata are how many records of each side there are in each stratum of each comparison, the older ones faded, in all strata at
// once so that their shares stay. They make
// records of both sides comparable as they arrive: see fairness.PairCounts.Standardized.
type strata struct {
	fading float64 // records of a stratum after which the counts are halved

	weights [][][2]float64 // by comparison and stratum: of the group and of versus; nil without strata
}

func newStrata(comparisons []fairness.Comparison, forgetting int) *strata {
	s := &strata{fading: float64(forgetting), weights: make([][][2]float64, len(comparisons))}
	for i := range comparisons {
		if comparisons[i].Strata != "" {
			s.weights[i] = make([][2]float64, 0, fairness.MostFound)
		}
	}
	return s
}

// observe takes in a record, and writes by how much its weight is multiplied in each comparison: by the share of the other
// side in its stratum, in units of the mean of that share over the records of its own side. So each side keeps its weight: if
// the factors of the smaller side were larger, as the shares are, a push would move the rates of both sides instead of their
// difference. A comparison without strata has 1.
func (s *strata) observe(factors []float64, sides []fairness.Side, at []int, weight float64) {
	for i, stratum := range at {
		factors[i] = 1
		side := sides[i]
		if stratum < 0 || side != fairness.Group && side != fairness.Versus {
			continue
		}
		for len(s.weights[i]) <= stratum {
			s.weights[i] = append(s.weights[i], [2]float64{})
		}
		w := &s.weights[i][stratum]
		own, other := 0, 1
		if side == fairness.Versus {
			own, other = 1, 0
		}
		w[own] += weight
		factors[i] = max(leastFactor, w[other]/(w[own]+w[other])/s.mean(i, own))
		if w[0]+w[1] > s.fading {
			for k := range s.weights[i] {
				s.weights[i][k][0] /= 2
				s.weights[i][k][1] /= 2
			}
		}
	}
}

// mean is the share of the other side in its stratum, averaged over the records of a side; 1 while no stratum has both.
func (s *strata) mean(comparison, own int) float64 {
	total, common := 0.0, 0.0
	for _, w := range s.weights[comparison] {
		total += w[own]
		if w[0] > 0 && w[1] > 0 {
			common += float64(w[0] / (w[0] + w[1]) * w[1])
		}
	}
	if common == 0 {
		return 1
	}
	return common / total
}

// leastFactor keeps weights above 0: the first record of a stratum has no other beside it.
const leastFactor = 1e-6

func (s *strata) fields(c *codec.Coder) {
	c.Section(func() {
		for i := range s.weights {
			codec.Slice(c, &s.weights[i], 16, func(w *[2]float64) {
				c.Sum(&w[0])
				c.Sum(&w[1])
			})
		}
	})
}

// forecast is what is made of a row before it is learnt.
type forecast struct {
	// published and free are the predictions of the published model and of the one without constraints: of a
	// classifier the margins.
	published, free float64
	// margins are those of all models, valid until the next forecast.
	margins *linear.Margins
}

// method is how weights are learnt. A method has the margin 0 until it has learnt.
type method interface {
	// start takes the labels of the first records, before any is learnt.
	start(labels []float64)
	// grow makes room for the weights of the encoder.
	grow(e *features.Frozen)
	// forecast predicts a row.
	forecast(row *features.Row) forecast
	// learn takes one step from an example and its forecast: without its label, from the constraints that need none.
	learn(e *example, f forecast)
	// adapt does what is not done for every record.
	adapt(e *features.Frozen)
	// weight is the j-th weight of the published model.
	weight(j int) float64
	// weights writes the weights of the published model from the from-th on, and those of the model without constraints; learnt is false if there is
	// none.
	weights(published, free []float64, from int) (learnt bool)
	// control says how each enforced constraint is kept.
	control(comparisons []fairness.Comparison) []control.Report
	// counts are the decisions that the published model makes of recent records of the sides of a comparison, and by how much their difference varies
	// more than that of as many independent ones; ok is false where they are not kept.
	counts(comparison int) (group, versus fairness.Count, inflation float64, ok bool)
	// means are the mean predictions that the published model makes of recent records of the sides of a comparison; ok is false
	// where they are not kept.
	means(comparison int) (means [2]float64, ok bool)
	// outlook says what the next decisions will be like.
	outlook() outlook
	// inUse is how many weights the records determine rather than their prior, and from how many records; 0 where there is
	// no prior.
	inUse() (weights, records float64)
	// fields codes all that has been learnt of so many weights.
	fields(c *codec.Coder, size int32)
}

// outlook is what the next decisions will be like, as far as the ones before do not show it.
type outlook struct {
	// constant says that on recent records only (nearly) constant decisions keep every enforced constraint.
	constant bool
	// collapse is whether the next decisions depend on the records.
	collapse fairness.CollapseState
}
