// Package propensity learns with which probability the label of a record is known, given the record, the decision about it and its groups: labels that
// come only after positive decisions. It is the propensity of Rosenbaum and Rubin (Biometrika 70, 1983, pp. 41–55).
//
// Labelled records that are weighed by the inverse of it stand for all records, as far as whether a label is known depends on nothing
// else (Horvitz and Thompson, JASA 47, 1952, pp. 663–685). There is a linear model of the record for each decision, whose margin is
// corrected for each group, because groups are no features.
//
// Imports of the project: internal/codec, internal/logistic, pkg/fairness, pkg/features, pkg/linear.
package propensity

import (
	"math"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/internal/logistic"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/linear"
)

const (
	// fewest is how many records of either kind come before anything is weighed.
	fewest = 500
	// mostFactor bounds factors, either way.
	mostFactor = 20.0
	// memory is how many records the share of labels remembers.
	memory = 20_000.0
	// largestMargin bounds what a group may add in a state that is read.
	largestMargin = 1e6
	// groupStep is the step of AdaGrad for a group.
	groupStep = .5
	// regularization is that of the models.
	regularization = 1e-6
)

// Model is the propensity. A zero one knows nothing.
type Model struct {
	state
	margins *linear.Margins // scratch
}

// state is what a snapshot saves.
type state struct {
	models      [2]*linear.Models // by decision; nil until a record never gets its label
	known, lack float64           // records with a label and without one, so far
	share       float64           // of the records whose label is known, the older ones faded
	groups      [][2]group        // by comparison: of the group and of versus
}

// Record is what a label may depend on.
type Record struct {
	Row      *features.Row
	Positive bool            // decision
	Sides    []fairness.Side // whatever the label
}

// group is what being on a side adds to the margin, learnt by steps of AdaGrad.
type group struct{ margin, squares float64 }

// begin makes room for the models.
func (m *Model) begin(comparisons int) {
	for i := range m.models {
		m.models[i] = linear.New(linear.Settings{Step: 1, Regularization: regularization, Forgetting: memory}, linear.NewLogistic())
	}
	m.margins = m.models[0].NewMargins()
	m.groups = make([][2]group, comparisons)
}

func (s *Record) decision() int {
	if s.Positive {
		return 1
	}
	return 0
}

// offset is what the groups of a record add to the margin.
func (m *Model) offset(s *Record) (offset float64) {
	for i, side := range s.Sides {
		if at := sideOf(side); at >= 0 {
			offset += m.groups[i][at].margin
		}
	}
	return offset
}

// sideOf is where what is known of a side stands; -1 for neither.
func sideOf(side fairness.Side) int {
	switch side {
	case fairness.Group:
		return 0
	case fairness.Versus:
		return 1
	}
	return -1
}

// Known takes in a record with its label while there are no others.
func (m *Model) Known() { m.known++ }

// Learn takes in whether the label of a record is known.
func (m *Model) Learn(s *Record, e *features.Frozen, known bool) {
	if m.models[0] == nil {
		if known {
			m.known++
			return // all are, so far
		}
		m.begin(len(s.Sides))
		m.share = m.known / (m.known + 1)
	}
	label := 0.0
	if known {
		m.known++
		label = 1
	} else {
		m.lack++
	}
	m.share += float64((label - m.share) * max(1/(1+m.known+m.lack), 1/memory))
	models := m.models[s.decision()]
	models.Grow(e)
	models.Margins(m.margins, s.Row)
	offset := m.offset(s)
	miss := label - logistic.Probability(m.margins.Iterate[0]+offset)
	m.margins.Iterate[0] += offset // the models learn what the groups do not say
	models.Step(s.Row, m.margins, []float64{0}, models.Loss().Label(known, label), models.Count(1))
	models.Adapt(e)
	for i, side := range s.Sides {
		if at := sideOf(side); at >= 0 {
			g := &m.groups[i][at]
			g.squares += float64(miss * miss)
			g.margin += float64(groupStep * miss / math.Sqrt(1+g.squares))
		}
	}
}

// Factor is by how much a labelled record counts more than others: the share of labels divided by its propensity, from 1/20 to 20. It
// is 1 until enough records of either kind have come. bounded says that it would be smaller or larger.
func (m *Model) Factor(s *Record, e *features.Frozen) (factor float64, bounded bool) {
	if m.lack < fewest || m.known < fewest {
		return 1, false
	}
	models := m.models[s.decision()]
	models.Grow(e)
	models.Margins(m.margins, s.Row)
	free := m.share / logistic.Probability(m.margins.Average[0]+m.offset(s))
	factor = min(mostFactor, max(1/mostFactor, free))
	return factor, factor != free
}

// Given is Factor for a propensity that is known by design: nothing bounds it.
func (m *Model) Given(propensity float64) float64 {
	if m.models[0] == nil {
		return 1 / propensity // every label is known so far
	}
	return m.share / propensity
}

// Fields codes the state, for rows of so many weights and so many comparisons. To read, m must be zero.
func (m *Model) Fields(c *codec.Coder, e *features.Frozen, comparisons int) {
	c.Section(func() {
		c.Sum(&m.known)
		c.Sum(&m.lack)
		c.Within(&m.share, 1)
		begun := m.models[0] != nil
		if c.Bool(&begun); !begun || c.Err() != nil {
			return
		}
		if c.Reading() {
			m.begin(comparisons)
		}
		for _, models := range m.models {
			models.Grow(e)
			models.Fields(c, e.Size())
		}
		for i := range m.groups {
			for side := range m.groups[i] {
				c.Within(&m.groups[i][side].margin, largestMargin)
				c.Sum(&m.groups[i][side].squares)
			}
		}
	})
}
