package inspect

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// tellLabel lets the features and the attributes of the present record tell its label.
func (i *Inspection) tellLabel(repeated bool) {
	i.label.Add(i.rec.Positive, repeated)
	for f := range i.rec.Features {
		if field := &i.rec.Features[f]; i.features[field.Name] {
			i.label.Tell(field.Name, field.Hash, i.parsed[f], field.Missing, i.rec.Positive, repeated)
		}
	}
	for a, value := range i.rec.Attributes {
		if !value.Missing && !i.features[i.attributes[a]] { // a feature has told
			i.label.Tell(i.attributes[a], record.Hash(value.Text), table.Number(value.Text), false, i.rec.Positive, repeated)
		}
	}
}

// leaks finds features and attributes that tell the label.
func (s *search) leaks() {
	copies, _ := s.copies.Found()
	for _, c := range s.columns {
		t := s.label.Of(c.Name, copies == 0)
		if !t.NearlyAll() {
			s.having(c.Name, copies == 0)
			continue
		}
		if at := s.constraintOn(c.Name); at != "" {
			s.add(false, at, "is %q the label under another name? Alone it tells %d of %d labels", c.Name, t.Records-t.Wrong, t.Records)
			continue
		}
		s.add(false, "record.ignore", "add %q unless it is known before the label: alone it predicts %d of %d labels, so it probably holds the label itself or what followed from it",
			c.Name, t.Records-t.Wrong, t.Records)
	}
}

// having finds a column that only records of one label have a value of.
func (s *search) having(name string, withCopies bool) {
	t, first, found := s.label.Only(name, withCopies)
	what := "have a value for it"
	if !found {
		t, first, found = s.label.OnlyAbove(name, withCopies)
		what = "have a number above 0 in it"
	}
	if s.constraintOn(name) != "" {
		return
	}
	if !found {
		s.lacking(name, withCopies)
		return
	}
	of, label := t.Records-t.First, "negative"
	if first {
		of, label = t.First, "positive"
	}
	s.add(false, "record.ignore", "add %q unless it is known before the label: %d of the %d records that %s are %s, so it is probably filled in after the outcome",
		name, of, t.Records, what, label)
}

// mostApart is by how much the shares of records with a value may differ between the labels.
const mostApart = .35

// lacking finds a column whose value is missing far more often beside one label than beside the other.
func (s *search) lacking(name string, withCopies bool) {
	present, all := s.label.Present(name, withCopies)
	positive, negative := all.First, all.Records-all.First
	if min(positive, negative) < leastUnknown {
		return
	}
	of, among := float64(present.First)/float64(positive), float64(present.Records-present.First)/float64(negative)
	if math.Abs(of-among) > mostApart {
		s.add(false, "record.ignore", "add %q unless it is known before the label: %s of the positive records have a value for it, and %s of the negative ones, so it is probably filled in, or emptied, with the outcome",
			name, percent(of), percent(among))
	}
}

// together finds two columns that tell the label by how they compare, though neither does alone.
func (s *search) together() {
	a, b, t, found := s.beside.Best(func(name string) bool { return s.mayTell(name) })
	if !found {
		return
	}
	s.add(false, "record.ignore", "add %q or %q unless both are known before the label: which of the two is larger, or there at all, tells %d of %d labels, so one of them was probably filled in after the outcome",
		a, b, t.Records-t.Wrong, t.Records)
}

// mayTell says whether a column is learnt, and was not named as one that tells the label alone.
func (s *search) mayTell(name string) bool {
	copies, _ := s.copies.Found()
	_, _, only := s.label.Only(name, copies == 0)
	_, _, above := s.label.OnlyAbove(name, copies == 0)
	only = only || above
	return s.features[name] && !slices.Contains(s.left, name) && s.constraintOn(name) == "" && !only && !s.label.Of(name, copies == 0).NearlyAll()
}

const (
	// The score of a model is a number from 0 to 1, 100 or 1,000 of which leastScores are different. It spares leastSpared of the errors of the constant
	// prediction, and any other column at most half as many.
	leastScores = 100
	leastSpared = .4
)

// scores finds a column that is probably the score of another model: it tells far more of the label than any other column does.
func (s *search) scores() {
	copies, _ := s.copies.Found()
	if s.nearly > 0 { // each value comes several times with one label
		return
	}
	spared := func(name string) float64 { // of the errors of the constant prediction
		t := s.label.Of(name, copies == 0)
		rarer := min(t.First, t.Records-t.First)
		if rarer < leastScores {
			return 0
		}
		return 1 - float64(t.Wrong)/float64(rarer)
	}
	for _, c := range s.columns {
		if c.Kind != profile.Number || !isScore(&c) || c.Distinct < leastScores || !s.mayTell(c.Name) || spared(c.Name) < leastSpared {
			continue
		}
		if slices.ContainsFunc(s.columns, func(o profile.Column) bool {
			return o.Name != c.Name && s.features[o.Name] && spared(o.Name) > spared(c.Name)/2
		}) {
			continue
		}
		t := s.label.Of(c.Name, copies == 0)
		s.add(false, "record.ignore", "add %q if it is the score of another model, or was made from labels: alone it predicts %d of %d labels, far more than any other column. What is learnt from it repeats that model, with how it treats groups",
			c.Name, t.Records-t.Wrong, t.Records)
	}
}

// isScore says whether the numbers of a column have the range of scores: from 0 to 1, to 100 or to 1,000.
func isScore(c *profile.Column) bool {
	return c.Low >= 0 && !profile.IsAgeName(c.Name) && slices.ContainsFunc([]float64{1, 100, 1000}, func(most float64) bool {
		return c.Low <= most/4 && c.High <= most && c.High >= most*3/4
	})
}

// turned finds a positive value that says no to what the label's name says is wanted.
func (s *search) turned() {
	label := s.config.Record.Label
	if positive := string(label.Positive); s.sequence.positive > 0 && profile.IsWantedName(label.Field) && slices.Contains(sameAnswer[1], plainWord(positive)) {
		s.add(false, "record.label.positive", "%s is the positive value of %q, so tau bounds the rates at which groups do not get it: give the other value if rates of getting it are meant", Quote(positive), label.Field)
	}
}

// roles finds a label that has the name of a protected attribute, and an attribute that has the name of a label.
func (s *search) roles() {
	if label := s.config.Record.Label.Field; s.config.Learner.Task == model.Classification && s.column(label) != nil && profile.IsAttributeName(label) && !profile.IsLabelName(label) {
		s.add(false, "record.label.field", "%q has the name of a protected attribute: is it what the model is to predict?", label)
	}
	for _, attribute := range s.attributes {
		if s.column(attribute) != nil && profile.IsLabelName(attribute) && !profile.IsAttributeName(attribute) {
			s.add(false, s.constraintOn(attribute), "%q has the name of a label: are its values groups of people?", attribute)
		}
	}
	s.asFeature()
}
