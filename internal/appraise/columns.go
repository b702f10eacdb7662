package appraise

import (
	"cmp"
	"math"
	"slices"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
)

// Column is what one column, or one cross, contributes to the margins, in log odds or in units of the label.
type Column struct {
	Name string
	// Share is the share of the records for which the column has a weight, by weight of the records.
	Share float64
	// Importance is the standard deviation of the contribution over the records: how far the column moves margins.
	Importance float64
	// Differences has one entry for each pair: the mean contribution in the group less that in versus. Over all
	// columns they add up to the difference of the mean margins. NaN while a side has no records.
	Differences []float64
}

// columns sums contributions up, by name: several documents may be measured together.
type columns struct {
	index  map[string]int
	names  []string
	weight float64      // of all records
	sides  [][2]float64 // by pair: the weights of group and versus
	sums   []columnSums
}

type columnSums struct {
	weight, sum, squares float64
	sides                [][2]float64 // by pair: the sums in group and versus
}

func newColumns(pairs int) *columns {
	return &columns{index: map[string]int{}, sides: make([][2]float64, pairs)}
}

// observer adds the contributions of one document.
func (c *columns) observer(doc *document.Document) (func(r *record.Record, sides []fairness.Side), error) {
	contributions, err := doc.Contributions()
	if err != nil {
		return nil, err
	}
	places := make([]int, len(contributions.Names()))
	for i, name := range contributions.Names() {
		places[i] = c.place(name)
	}
	return func(r *record.Record, sides []fairness.Side) {
		c.weight += r.Weight
		for i, side := range sides {
			if at, ok := sideIndex(side); ok {
				c.sides[i][at] += r.Weight
			}
		}
		contributions.Of(r, func(name int, x float64) {
			s := &c.sums[places[name]]
			s.weight += r.Weight
			s.sum += r.Weight * x
			s.squares += r.Weight * x * x
			for i, side := range sides {
				if at, ok := sideIndex(side); ok {
					s.sides[i][at] += r.Weight * x
				}
			}
		})
	}, nil
}

// combine adds other columns, whose pairs have these places among as many.
func (c *columns) combine(other *columns, pairs []int, among int) {
	c.weight += other.weight
	widen := func(sides *[][2]float64) {
		for len(*sides) < among {
			*sides = append(*sides, [2]float64{})
		}
	}
	widen(&c.sides)
	for i := range c.sums {
		widen(&c.sums[i].sides)
	}
	for i, pair := range pairs {
		c.sides[pair][0] += other.sides[i][0]
		c.sides[pair][1] += other.sides[i][1]
	}
	for i, name := range other.names {
		s, o := &c.sums[c.place(name)], &other.sums[i]
		s.weight += o.weight
		s.sum += o.sum
		s.squares += o.squares
		for i, pair := range pairs {
			s.sides[pair][0] += o.sides[i][0]
			s.sides[pair][1] += o.sides[i][1]
		}
	}
}

// place returns the place of a name, and makes one if it is new.
func (c *columns) place(name string) int {
	at, known := c.index[name]
	if !known {
		at = len(c.names)
		c.index[name] = at
		c.names = append(c.names, name)
		c.sums = append(c.sums, columnSums{sides: make([][2]float64, len(c.sides))})
	}
	return at
}

func sideIndex(side fairness.Side) (int, bool) {
	switch side {
	case fairness.Group:
		return 0, true
	case fairness.Versus:
		return 1, true
	}
	return 0, false
}

// all returns the columns, the most important first.
func (c *columns) all() []Column {
	var found []Column
	for i, s := range c.sums {
		if s.weight == 0 {
			continue
		}
		mean := s.sum / c.weight
		column := Column{Name: c.names[i], Share: s.weight / c.weight, Importance: math.Sqrt(max(0, s.squares/c.weight-mean*mean))}
		for pair := range c.sides {
			column.Differences = append(column.Differences, s.sides[pair][0]/c.sides[pair][0]-s.sides[pair][1]/c.sides[pair][1])
		}
		found = append(found, column)
	}
	slices.SortStableFunc(found, func(a, b Column) int { return cmp.Compare(b.Importance, a.Importance) })
	return found
}
