package serve

import (
	"slices"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/follow"
	"github.com/fairstream/fairstream/pkg/scoring"
)

// judge decides by one document, and counts what it decides. It belongs to one goroutine.
type judge struct {
	*scoring.Decider
	model               *follow.Model
	rejected            prometheus.Counter
	decided             [2]prometheus.Counter // negative and positive decisions; of a regression the first alone
	explored, anonymous prometheus.Counter
	unread              *prometheus.CounterVec

	grouper    *fairness.Grouper // nil: no groups are counted
	attributes []int             // of a record, for those of grouper
	levels     []fairness.Level
	sides      []fairness.Side
	groups     []sideCounters // by comparison
}

// sideCounters count decisions of a group, and of the one that it is compared with.
type sideCounters struct{ group, versus [2]prometheus.Counter }

// of returns the judge of a document: j itself if it decides by that one, nil without a document.
func (j *judge) of(m *follow.Model, s *Service) (*judge, error) {
	switch {
	case m == nil:
		return nil, nil
	case j != nil && j.model == m:
		return j, nil
	}
	decider, err := scoring.NewBareDecider(m, s.o.ID)
	if err == nil {
		err = decider.Explorable(s.o.Explore)
	}
	if err != nil {
		return nil, err
	}
	counts := s.counts
	j = &judge{Decider: decider, model: m, rejected: counts.decisions.WithLabelValues(m.Alias, rejected),
		unread: counts.unread.MustCurryWith(prometheus.Labels{"alias": m.Alias})}
	if !decider.Decides() {
		j.decided[0] = counts.decisions.WithLabelValues(m.Alias, "predicted")
		return j, nil
	}
	j.decided = byDecision(counts.decisions, m.Alias)
	j.explored, j.anonymous = counts.explored.WithLabelValues(m.Alias, "explored"), counts.explored.WithLabelValues(m.Alias, "no_identifier")
	return j, j.compare(counts)
}

// document is the one that decides; nil of no judge.
func (j *judge) document() *follow.Model {
	if j == nil {
		return nil
	}
	return j.model
}

// compare prepares to count the decisions of each group.
func (j *judge) compare(counts *counts) (err error) {
	var comparisons []fairness.Comparison
	for _, constraint := range j.model.Document.Config.Constraints {
		c := constraint.Comparison()
		if c.Each {
			continue // its groups are values of records, of which a counter each would be too many
		}
		c.Criterion, c.Strata = fairness.DemographicParity, "" // every decision counts, whatever its label will be
		comparisons = append(comparisons, c)
	}
	if len(comparisons) == 0 {
		return nil
	}
	if j.grouper, err = fairness.NewGrouper(comparisons); err != nil {
		return err
	}
	all := j.model.Document.Config.Attributes()
	for _, name := range j.grouper.Attributes() {
		j.attributes = append(j.attributes, slices.Index(all, name))
	}
	j.levels, j.sides = make([]fairness.Level, len(j.attributes)), make([]fairness.Side, len(comparisons))
	for _, c := range comparisons {
		j.groups = append(j.groups, sideCounters{byDecision(counts.groups, j.model.Alias, c.Name, c.GroupLabel()),
			byDecision(counts.groups, j.model.Alias, c.Name, c.VersusLabel())})
	}
	return nil
}

func byDecision(of *prometheus.CounterVec, labels ...string) [2]prometheus.Counter {
	return [2]prometheus.Counter{of.WithLabelValues(append(slices.Clone(labels), "0")...), of.WithLabelValues(append(slices.Clone(labels), "1")...)}
}

// explore explores the decision about the last record, by its identifier or else its key.
func (j *judge) explore(share float64, key []byte, o scoring.Outcome) scoring.Outcome {
	if id := j.ID(); id != nil {
		key = id
	}
	o = scoring.Explore(share, key, o)
	switch {
	case o.Explored:
		j.explored.Inc()
	case o.Anonymous():
		j.anonymous.Inc()
	}
	return o
}

// count counts what the document decided of the last record.
func (j *judge) count(o scoring.Outcome) {
	if o.Rejection != nil {
		j.rejected.Inc()
		return
	}
	for _, column := range o.Unread {
		j.unread.WithLabelValues(column).Inc()
	}
	decision := 0
	if o.Positive {
		decision = 1
	}
	j.decided[decision].Inc()
	if j.grouper == nil {
		return
	}
	values := j.Attributes()
	for i, at := range j.attributes {
		j.levels[i] = fairness.MissingLevel
		if v := &values[at]; !v.Missing {
			j.levels[i] = j.grouper.Level(i, v.Text)
		}
	}
	j.grouper.Sides(j.sides, j.levels, true)
	for i, side := range j.sides {
		switch side {
		case fairness.Group:
			j.groups[i].group[decision].Inc()
		case fairness.Versus:
			j.groups[i].versus[decision].Inc()
		}
	}
}
