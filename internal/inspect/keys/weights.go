package keys

import (
	"slices"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/seen"
	"github.com/fairstream/fairstream/internal/inspect/words"
	"github.com/fairstream/fairstream/internal/profile"
)

// leastCounting is the least share of the records that they should count as.
const leastCounting = .25

// Weights finds weights by which few records count for nearly all.
func Weights(s *find.Search) {
	if n, counts := s.Weights.Records, s.Weights.Count(); s.Config.Record.Weight != "" && n >= find.Enough && counts > 0 && counts < leastCounting*n {
		s.Say(false, "record.weight", "with the weights in %q, %.0f records count as %.0f equal ones would: %.0f have a weight of 0, and some a very large one. Is it the weight of a record?", s.Config.Record.Weight, n, counts, s.Weights.Zeros)
	}
}

// Weighting finds weights whose name says that they are none.
func Weighting(s *find.Search) {
	if weight := s.Config.Record.Weight; weight != "" && s.Column(weight) != nil && (profile.IsAttributeName(weight) || slices.Contains(s.Attributes, weight)) {
		s.Say(false, "record.weight", "%q has the name of a protected attribute, and each record counts in proportion to it: is it the weight of a record, as of a survey? If not, remove the key", weight)
	}
	if c := s.Column(s.Config.Record.Weight); c != nil && c.Kind == profile.Number && c.Values >= find.Enough && c.Distinct >= seen.LeastScores && profile.IsAmountName(c.Name) && !profile.IsWeightName(c.Name) {
		s.Say(false, "record.weight", "%q has the name of an amount, and each record counts in proportion to it, from %s to %s: is it the weight of a record, as of a survey? If not, remove the key, and the column is a feature", c.Name, words.Number(c.Low), words.Number(c.High))
	}
}
