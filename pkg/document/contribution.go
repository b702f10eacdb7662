package document

import (
	"strings"

	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

// Contributions splits margins by column: the margin of a record is the intercept plus what each column and each cross
// contributes. It belongs to one goroutine.
type Contributions struct {
	scorer *Scorer
	owners []int32 // of each weight: an index of names, or -1 for the intercept
	names  []string
	sums   []float64 // scratch: by name, of the present record
	used   []int32   // scratch: the names with a sum, in the order of the row
	marked []bool    // scratch: by name
}

// Contributions returns what splits the margins of the document's own scorer.
func (d *Document) Contributions() (*Contributions, error) {
	scorer, err := d.Scorer()
	if err != nil {
		return nil, err
	}
	parts := scorer.encoder.Parts()
	c := &Contributions{scorer: scorer}
	for _, column := range parts.Columns {
		c.names = append(c.names, column.Name)
	}
	for _, cross := range parts.Crosses {
		c.names = append(c.names, strings.Join(cross, " & "))
	}
	others := int32(len(c.names)) // weights that texts of all columns share
	c.names = append(c.names, bucketWords)
	for j, owner := range scorer.encoder.Owners(nil) {
		switch {
		case int32(j) == features.Intercept:
			owner = -1
		case owner == features.NoOwner:
			owner = others
		case owner%2 == 0:
			owner /= 2
		default:
			owner = int32(len(parts.Columns)) + owner/2
		}
		c.owners = append(c.owners, owner)
	}
	c.sums, c.marked = make([]float64, len(c.names)), make([]bool, len(c.names))
	return c, nil
}

// Names are those of the columns, then of the crosses, then that of the values without a weight of their own.
func (c *Contributions) Names() []string { return c.names }

// Of passes to use the index of the name and the contribution, in log odds or in units of the label, of each column that
// has a weight for the record.
func (c *Contributions) Of(r *record.Record, use func(name int, contribution float64)) {
	row := &c.scorer.row
	c.scorer.encoder.Encode(row, r)
	c.used = c.used[:0]
	for i, j := range row.Index {
		owner := c.owners[j]
		if owner < 0 {
			continue
		}
		if !c.marked[owner] {
			c.marked[owner] = true
			c.used = append(c.used, owner)
		}
		c.sums[owner] += float64(c.scorer.weights[j] * row.At(i))
	}
	for _, owner := range c.used {
		use(int(owner), c.sums[owner])
		c.sums[owner], c.marked[owner] = 0, false
	}
}
