package backfill

import (
	"slices"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// codes are how labels and groups are written in the first records of a file. One file of many may write a label as 1 that all others write as yes: each
// of its records would be taken for a negative one.
type codes struct {
	Records  int   `json:"records"`
	Labelled int   `json:"labelled"`
	Positive int   `json:"positive"`
	Grouped  []int `json:"grouped"` // by comparison: records in a group that it names
}

// groups finds the groups of records.
type groups struct {
	of     *fairness.Grouper
	at     []int // of each attribute, among those of a record
	levels []fairness.Level
	sides  []fairness.Side
}

// compared are the comparisons whose groups are named, each once whatever is compared of them.
func compared(c model.Config) (list []fairness.Comparison) {
	for _, one := range c.WithDefaults().Comparisons() {
		known := slices.ContainsFunc(list, func(other fairness.Comparison) bool { return other.Name == one.Name })
		if one.Criterion, one.Strata = fairness.DemographicParity, ""; !one.Each && !known {
			list = append(list, one)
		}
	}
	return list
}

func newGroups(of []fairness.Comparison, schema *record.Schema) (*groups, error) {
	grouper, err := fairness.NewGrouper(of)
	if err != nil {
		return nil, err
	}
	g := &groups{of: grouper, sides: make([]fairness.Side, len(of))}
	for _, name := range grouper.Attributes() {
		g.at = append(g.at, slices.Index(schema.Attributes(), name))
	}
	g.levels = make([]fairness.Level, len(g.at))
	return g, nil
}

func (c *codes) add(r *record.Record, g *groups) {
	c.Records++
	if r.HasLabel {
		c.Labelled++
	}
	if r.Positive {
		c.Positive++
	}
	for i, at := range g.at {
		g.levels[i] = fairness.MissingLevel
		if v := &r.Attributes[at]; !v.Missing {
			g.levels[i] = g.of.Known(i, v.Text)
		}
	}
	g.of.Members(g.sides, g.levels)
	if c.Grouped == nil {
		c.Grouped = make([]int, len(g.sides))
	}
	for i, side := range g.sides {
		if side == fairness.Group || side == fairness.Versus && !g.of.Comparisons()[i].Rest {
			c.Grouped[i]++
		}
	}
}

// coded are the codes of a file.
type coded struct {
	file int
	codes
}
