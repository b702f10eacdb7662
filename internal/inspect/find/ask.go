package find

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/profile"
)

const (
	// Enough records are needed to judge a field.
	Enough = 200
	// LeastUnknown records must be on each side of what is compared where a value may be missing.
	LeastUnknown = 100
)

// IsLearnt says whether a column is a feature that is not left out.
func (s *Search) IsLearnt(name string) bool {
	return s.Features[name] && !slices.Contains(s.Left, name)
}

// IsRead is isLearnt, or an attribute.
func (s *Search) IsRead(name string) bool {
	return s.IsLearnt(name) || slices.Contains(s.Attributes, name)
}

// IsTold says whether something was said of a column already.
func (s *Search) IsTold(column string) bool {
	return slices.ContainsFunc(s.Found, func(f Finding) bool { return strings.Contains(f.Text, fmt.Sprintf("%q", column)) })
}

// IsAmount says whether a column is one of numbers that are learnt.
func (s *Search) IsAmount(name string) bool {
	c := s.Column(name)
	return c != nil && c.Kind == profile.Number && s.IsLearnt(name)
}

// leastVaried is how many different numbers a column has of which more is asked than what its single values say.
const leastVaried = 30

// IsVaried says whether a column is one of many different numbers that are learnt.
func (s *Search) IsVaried(name string) bool {
	return s.IsAmount(name) && s.Column(name).Distinct >= leastVaried
}

// MayTell says whether a column is learnt, and was not named as one that tells the label alone.
func (s *Search) MayTell(name string) bool {
	copies, _ := s.Copies.Found()
	_, _, only := s.Label.Only(name, copies == 0)
	_, _, above := s.Label.OnlyAbove(name, copies == 0)
	only = only || above
	return s.Features[name] && !slices.Contains(s.Left, name) && s.ConstraintOn(name) == "" && !only && !s.Label.Of(name, copies == 0).NearlyAll()
}
