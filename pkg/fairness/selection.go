package fairness

import "math"

// Selection compares the records whose label is known with those whose label never comes. If they differ, what is measured on the
// former does not hold of all.
type Selection struct {
	Known, Never Chosen
	// Weighed are the labelled records as they are weighed, and Sides those of them that each side of a comparison is about.
	Weighed Weighed
	Sides   [][2]Weighed
	// Expected are how often decisions are expected to be right: those that are published, and those of the model without constraints.
	Expected [2]Expected
}

// Expected is how often decisions are expected to be right, by the probability that a model gives to the label: those about all records whose label is known or
// never comes, and those about labelled records as they are weighed.
type Expected struct{ All, Known Moments }

// Expect counts the probabilities that the decisions about one record are right: of weight among all, and, if its label is known, of weight labelled among these.
func (s *Selection) Expect(known bool, right [2]float64, weight, labelled float64) {
	for i := range s.Expected {
		e := &s.Expected[i]
		if e.All.Add(right[i], weight); known {
			e.Known.Add(right[i], labelled)
		}
	}
}

// Correct makes an accuracy of weighed labelled records a doubly robust one (Robins, Rotnitzky and Zhao, JASA 89, 1994, pp. 846-866): it adds what is expected of
// all records and is not of the labelled ones. This is right if either the weights are or the model is, and nearly so if both nearly are. m may rest on
// labels of before, which say nothing of others.
func (e *Expected) Correct(m Measure) Measure {
	if e.Known.Records == 0 || e.All.Records == 0 || m.Records == 0 {
		return m
	}
	shift := float64((e.All.Mean - e.Known.Mean) * min(1, float64(e.Known.Records)/float64(m.Records)))
	for _, x := range []*float64{&m.Value, &m.Lo, &m.Hi} {
		*x = min(1, max(0, *x+shift))
	}
	m.Method = MethodDoublyRobust
	return m
}

// Weighed are records, and what they stand for.
type Weighed struct {
	Records       int64
	Bounded       int64   // of these, those whose weight would be larger or smaller without a bound
	Weight        float64 // Σ w
	WeightSquared float64 // Σ w²
}

func (w *Weighed) add(weight float64, bounded bool) {
	w.Records++
	if bounded {
		w.Bounded++
	}
	w.Weight += weight
	w.WeightSquared += float64(weight * weight)
}

func (w *Weighed) combine(other *Weighed) {
	w.Records += other.Records
	w.Bounded += other.Bounded
	w.Weight += other.Weight
	w.WeightSquared += other.WeightSquared
}

// Effective is Kish's effective size (Σw)²/Σw², 0 without records.
func (w *Weighed) Effective() float64 {
	return Count{Weight: w.Weight, WeightSquared: w.WeightSquared}.Effective()
}

// Differ says whether some records stand for more than others.
func (w *Weighed) Differ() bool { return weighted(w.Records, w.Effective()) }

// Weigh counts the weight of a labelled record. sides are those of comparisons given the label; of others nothing is counted.
func (s *Selection) Weigh(weight float64, bounded bool, sides []Side, given []bool) {
	s.Weighed.add(weight, bounded)
	for i, side := range sides {
		if at := int(side) - int(Group); given[i] && (side == Group || side == Versus) {
			s.Sides[i][at].add(weight, bounded)
		}
	}
}

// Chosen are the decisions about some records, what is predicted for them, and on which side of each comparison they are.
type Chosen struct {
	Decided   Moments   // 1 for a positive decision, or the prediction of a number
	Predicted Moments   // by the model without constraints: the probability of a positive label, or the number
	Groups    []Moments // by comparison: 1 for the group, 0 for versus
}

// NewSelection returns a selection of no records, for so many comparisons.
func NewSelection(comparisons int) *Selection {
	return &Selection{Known: Chosen{Groups: make([]Moments, comparisons)}, Never: Chosen{Groups: make([]Moments, comparisons)}, Sides: make([][2]Weighed, comparisons)}
}

// Add counts one record. sides are those whatever its label is.
func (s *Selection) Add(known bool, decided, predicted, weight float64, sides []Side) {
	c := &s.Never
	if known {
		c = &s.Known
	}
	c.Decided.Add(decided, weight)
	c.Predicted.Add(predicted, weight)
	for i, side := range sides {
		switch side {
		case Group:
			c.Groups[i].Add(1, weight)
		case Versus:
			c.Groups[i].Add(0, weight)
		}
	}
}

// Combine adds the records of another selection.
func (s *Selection) Combine(other *Selection) {
	s.Known.combine(&other.Known)
	s.Never.combine(&other.Never)
	s.Weighed.combine(&other.Weighed)
	for i := range s.Expected {
		s.Expected[i].All.Combine(other.Expected[i].All)
		s.Expected[i].Known.Combine(other.Expected[i].Known)
	}
	for i := range s.Sides {
		for side := range s.Sides[i] {
			s.Sides[i][side].combine(&other.Sides[i][side])
		}
	}
}

func (c *Chosen) combine(other *Chosen) {
	c.Decided.Combine(other.Decided)
	c.Predicted.Combine(other.Predicted)
	for i := range c.Groups {
		c.Groups[i].Combine(other.Groups[i])
	}
}

// Reset returns it to no records, keeping its memory.
func (s *Selection) Reset() {
	for _, c := range []*Chosen{&s.Known, &s.Never} {
		clear(c.Groups)
		*c = Chosen{Groups: c.Groups}
	}
	clear(s.Sides)
	s.Weighed, s.Expected = Weighed{}, [2]Expected{}
}

// Share is the share of the records, by weight, whose label is known; NaN without records.
func (s *Selection) Share() float64 {
	return s.Known.Decided.Weight / (s.Known.Decided.Weight + s.Never.Decided.Weight)
}

// Dependence is what a label may depend on.
type Dependence struct {
	// Decided and Predicted are the means of the known records less those of the others, 0 where that may be chance.
	Decided, Predicted float64
	// Group is the same of the group's share in the comparison where it is largest.
	Group      float64
	Comparison int
}

// Selective says whether a label depends on anything.
func (d *Dependence) Selective() bool { return d.Decided != 0 || d.Predicted != 0 || d.Group != 0 }

// Dependence says on what it depends whether a label is known.
func (s *Selection) Dependence() (d Dependence) {
	d.Decided = -differing(s.Known.Decided, s.Never.Decided)
	d.Predicted = -differing(s.Known.Predicted, s.Never.Predicted)
	for i := range s.Known.Groups {
		if g := -differing(s.Known.Groups[i], s.Never.Groups[i]); math.Abs(g) > math.Abs(d.Group) {
			d.Group, d.Comparison = g, i
		}
	}
	return d
}
