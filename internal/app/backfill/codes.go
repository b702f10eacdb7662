package backfill

import (
	"cmp"
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// byChance is about how often chance makes a file among all look as if it were written in another way.
const byChance = 1e-3

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

// odd names files in which a label or the groups of a comparison are never seen, too often for chance.
func odd(all []coded, name func(file int) string, comparisons []fairness.Comparison) (lines []string) {
	slices.SortFunc(all, func(a, b coded) int { return cmp.Compare(a.file, b.file) })
	// lacking has a line for each file that has none of what some records have.
	lacking := func(count func(*codes) (of, found int), line func(of int, share float64) string) {
		of, found := 0, 0
		for i := range all {
			n, k := count(&all[i].codes)
			of, found = of+n, found+k
		}
		share := float64(found) / math.Max(1, float64(of))
		lines = append(lines, told(all, func(c coded) string {
			n, k := count(&c.codes)
			if k > 0 || float64(n)*-math.Log1p(-share) < math.Log(float64(len(all))/byChance) {
				return ""
			}
			return english.Sprintf("In %s, %s", name(c.file), line(n, 100*share))
		})...)
	}
	lacking(func(c *codes) (int, int) { return c.Labelled, c.Positive }, func(of int, share float64) string {
		return english.Sprintf("none of %s has the positive label, and %.1f %% of all have it: is it written in another way there?", english.Counted(of, "record"), share)
	})
	lacking(func(c *codes) (int, int) { return c.Labelled, c.Labelled - c.Positive }, func(of int, share float64) string {
		return english.Sprintf("each of %s has the positive label, and %.1f %% of all have it.", english.Counted(of, "record"), 100-share)
	})
	for i := range comparisons {
		lacking(func(c *codes) (int, int) { return c.Records, c.Grouped[i] }, func(of int, share float64) string {
			return english.Sprintf("none of %s is in a group of the constraint %s, and %.1f %% of all are: are groups written in another way there?", english.Counted(of, "record"), comparisons[i].Name, share)
		})
	}
	return lines
}
