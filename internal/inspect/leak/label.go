package leak

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/seen"
	"github.com/fairstream/fairstream/internal/inspect/words"
	"github.com/fairstream/fairstream/internal/profile"
)

// Leaks finds features and attributes that tell the label.
func Leaks(s *find.Search) {
	copies, _ := s.Copies.Found()
	for _, c := range s.Columns {
		t := s.Label.Of(c.Name, copies == 0)
		if !t.NearlyAll() {
			having(s, c.Name, copies == 0)
			continue
		}
		if at := s.ConstraintOn(c.Name); at != "" {
			s.Say(false, at, "is %q the label under another name? Alone it tells %d of %d labels", c.Name, t.Records-t.Wrong, t.Records)
			continue
		}
		s.Say(false, "record.ignore", "add %q unless it is known before the label: alone it predicts %d of %d labels, so it probably holds the label itself or what followed from it",
			c.Name, t.Records-t.Wrong, t.Records)
	}
}

// having finds a column that only records of one label have a value of.
func having(s *find.Search, name string, withCopies bool) {
	t, first, found := s.Label.Only(name, withCopies)
	what := "have a value for it"
	if !found {
		t, first, found = s.Label.OnlyAbove(name, withCopies)
		what = "have a number above 0 in it"
	}
	if s.ConstraintOn(name) != "" {
		return
	}
	if !found {
		lacking(s, name, withCopies)
		return
	}
	of, label := t.Records-t.First, "negative"
	if first {
		of, label = t.First, "positive"
	}
	s.Say(false, "record.ignore", "add %q unless it is known before the label: %d of the %d records that %s are %s, so it is probably filled in after the outcome",
		name, of, t.Records, what, label)
}

// mostApart is by how much the shares of records with a value may differ between the labels.
const mostApart = .35

// lacking finds a column whose value is missing far more often beside one label than beside the other.
func lacking(s *find.Search, name string, withCopies bool) {
	present, all := s.Label.Present(name, withCopies)
	positive, negative := all.First, all.Records-all.First
	if min(positive, negative) < find.LeastUnknown {
		return
	}
	of, among := float64(present.First)/float64(positive), float64(present.Records-present.First)/float64(negative)
	if math.Abs(of-among) > mostApart {
		s.Say(false, "record.ignore", "add %q unless it is known before the label: %s of the positive records have a value for it, and %s of the negative ones, so it is probably filled in, or emptied, with the outcome",
			name, words.Percent(of), words.Percent(among))
	}
}

// Together finds two columns that tell the label by how they compare, though neither does alone.
func Together(s *find.Search) {
	a, b, t, found := s.Beside.Best(func(name string) bool { return s.MayTell(name) })
	if !found {
		return
	}
	s.Say(false, "record.ignore", "add %q or %q unless both are known before the label: which of the two is larger, or there at all, tells %d of %d labels, so one of them was probably filled in after the outcome",
		a, b, t.Records-t.Wrong, t.Records)
}

// The score of a model spares leastSpared of the errors of the constant prediction, and any other column at most half as many.
const leastSpared = .4

// Scores finds a column that is probably the score of another model: it tells far more of the label than any other column does.
func Scores(s *find.Search) {
	copies, _ := s.Copies.Found()
	if s.Nearly > 0 { // each value comes several times with one label
		return
	}
	spared := func(name string) float64 { // of the errors of the constant prediction
		t := s.Label.Of(name, copies == 0)
		rarer := min(t.First, t.Records-t.First)
		if rarer < seen.LeastScores {
			return 0
		}
		return 1 - float64(t.Wrong)/float64(rarer)
	}
	for _, c := range s.Columns {
		if c.Kind != profile.Number || !seen.IsScore(&c) || c.Distinct < seen.LeastScores || !s.MayTell(c.Name) || spared(c.Name) < leastSpared {
			continue
		}
		if slices.ContainsFunc(s.Columns, func(o profile.Column) bool {
			return o.Name != c.Name && s.Features[o.Name] && spared(o.Name) > spared(c.Name)/2
		}) {
			continue
		}
		t := s.Label.Of(c.Name, copies == 0)
		s.Say(false, "record.ignore", "add %q if it is the score of another model, or was made from labels: alone it predicts %d of %d labels, far more than any other column. What is learnt from it repeats that model, with how it treats groups",
			c.Name, t.Records-t.Wrong, t.Records)
	}
}
