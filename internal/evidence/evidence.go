// Package evidence codes change detectors, which the states of a monitor and of releases hold.
//
// Imports of the project: internal/codec, pkg/fairness.
package evidence

import (
	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// Rates codes a detector of rates. With old it is read as it was saved before blocks paired all records: its evidence
// continues, and what was in its open block is lost.
func Rates(c *codec.Coder, d *fairness.Detector, old bool) {
	if old {
		oldFields(c, &d.Bets, &d.Blocks, func() {
			c.Count(new(int64)) // wanted
			c.Count(new(int64)) // taken
			c.Count(new(int64)) // positives
			c.Count(new(int64)) // records since the block began
		})
	} else {
		fields(c, &d.Bets, &d.Blocks)
		Differences(c, &d.Differences)
	}
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

// Means codes a detector of means, as Rates does.
func Means(c *codec.Coder, d *fairness.MeanDetector, old bool) {
	if old {
		oldFields(c, &d.Bets, &d.Blocks, func() {
			c.Count(new(int64))    // wanted
			c.Count(new(int64))    // taken
			c.Count(new(int64))    // records since the block began
			c.Finite(new(float64)) // sum
		})
	} else {
		fields(c, &d.Bets, &d.Blocks)
	}
	c.Count(&d.Ended)
	c.Finite(&d.Mean)
	c.Sum(&d.Variance)
	c.Check(d.Valid())
}

// leastPart is how many bytes a part takes at least: whole numbers below 128 take one.
const leastPart = 2 + 2*8

func fields(c *codec.Coder, bets *fairness.Bets, blocks *fairness.Blocks) {
	for order := range bets {
		betFields(c, bets[order][:])
	}
	for i := range blocks.Seen {
		c.Count(&blocks.Seen[i])
		partFields(c, &blocks.Open[i])
	}
	codec.Slice(c, &blocks.Waiting, leastPart, func(p *fairness.Part) { partFields(c, p) })
	codec.Index(c, &blocks.Waits, 2)
}

// oldFields reads bets, and of each side the records seen and the rest.
func oldFields(c *codec.Coder, bets *fairness.Bets, blocks *fairness.Blocks, rest func()) {
	betFields(c, bets[0][:])
	bets[1] = bets[0]
	for i := range blocks.Seen {
		c.Count(&blocks.Seen[i])
		rest()
	}
}

func partFields(c *codec.Coder, p *fairness.Part) {
	c.Count(&p.Wanted)
	c.Count(&p.Taken)
	c.Finite(&p.Sum)
	c.Sum(&p.Places)
}

func betFields(c *codec.Coder, bets []float64) {
	for i := range bets {
		c.Within(&bets[i], fairness.MostEvidence)
	}
}
