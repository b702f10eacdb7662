package inspect

import (
	"slices"

	"github.com/fairstream/fairstream/internal/profile"
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
		if !value.Missing {
			i.label.Tell(i.attributes[a], record.Hash(value.Text), asNumber(value.Text), false, i.rec.Positive, repeated)
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
	if !found || s.constraintOn(name) != "" {
		return
	}
	of, label := t.Records-t.First, "negative"
	if first {
		of, label = t.First, "positive"
	}
	s.add(false, "record.ignore", "add %q unless it is known before the label: %d of the %d records that have a value for it are %s, so it is probably filled in after the outcome",
		name, of, t.Records, label)
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
}
