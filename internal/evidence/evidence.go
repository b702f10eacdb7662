// Package evidence codes change detectors, which the states of a monitor and of releases hold.
//
// Imports of the project: internal/codec, pkg/fairness.
package evidence

import (
	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// Rates codes a detector of rates.
func Rates(c *codec.Coder, d *fairness.Detector) {
	fields(c, &d.Bets, &d.Blocks)
	Differences(c, &d.Differences)
	c.Check(d.Valid())
}

// Differences codes those of a detector's blocks.
func Differences(c *codec.Coder, d *fairness.Differences) {
	c.Count(&d.Blocks)
	for i := range d.Records {
		c.Count(&d.Records[i])
	}
	c.Within(&d.Mean, 2)
	c.Sum(&d.Squares)
	c.Check(d.Valid())
}

// Means codes a detector of means.
func Means(c *codec.Coder, d *fairness.MeanDetector) {
	fields(c, &d.Bets, &d.Blocks)
	c.Count(&d.Ended)
	c.Finite(&d.Mean)
	c.Sum(&d.Variance)
	c.Check(d.Valid())
}

// leastPart is how many bytes a part takes at least: whole numbers below 128 take one.
const leastPart = 2 + 2*8

func fields(c *codec.Coder, bets *fairness.Bets, blocks *fairness.Blocks) {
	for order := range bets {
		for i := range bets[order] {
			c.Within(&bets[order][i], fairness.MostEvidence)
		}
	}
	for i := range blocks.Seen {
		c.Count(&blocks.Seen[i])
		partFields(c, &blocks.Open[i])
	}
	codec.Slice(c, &blocks.Waiting, leastPart, func(p *fairness.Part) { partFields(c, p) })
	codec.Index(c, &blocks.Waits, 2)
}

func partFields(c *codec.Coder, p *fairness.Part) {
	c.Count(&p.Wanted)
	c.Count(&p.Taken)
	c.Finite(&p.Sum)
	c.Sum(&p.Places)
}
