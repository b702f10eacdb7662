package model

import (
	"math"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// Sizes of the recent part of the measurements: recentBlocks complete blocks and the one that is being
// filled.
const (
	blockRecords = 1024
	recentBlocks = 8
)

// prequential is the "test, then train" evaluation of one model (Dawid, JRSS A 147, 1984): every record is
// decided before it is learnt. It is kept over the whole stream and over its recent part.
type prequential struct {
	total  *fairness.Tally   // of all complete blocks
	blocks []*fairness.Tally // the latest complete blocks, a ring
	next   int               // where the next complete block goes
	open   *fairness.Tally   // the block that is being filled
}

func newPrequential(comparisons int) *prequential {
	return &prequential{total: fairness.NewTally(comparisons), open: fairness.NewTally(comparisons)}
}

func (p *prequential) add(margin float64, positive bool, weight float64, sides []fairness.Side) {
	p.open.Add(positive, margin > 0, logLoss(margin, positive), weight, sides)
	if p.open.Confusion.Records == blockRecords {
		p.close()
	}
}

func (p *prequential) close() {
	p.total.Combine(p.open)
	full := p.open
	if len(p.blocks) < recentBlocks {
		p.blocks = append(p.blocks, full)
		p.open = fairness.NewTally(len(full.Comparisons))
		return
	}
	p.open, p.blocks[p.next] = p.blocks[p.next], full
	p.open.Reset()
	p.next = (p.next + 1) % recentBlocks
}

// all is the evaluation over the whole stream.
func (p *prequential) all() *fairness.Tally {
	sum := fairness.NewTally(len(p.open.Comparisons))
	sum.Combine(p.total)
	sum.Combine(p.open)
	return sum
}

// recent is the evaluation over the last 8,192 to 9,215 records, or all if there are fewer.
func (p *prequential) recent() *fairness.Tally {
	sum := fairness.NewTally(len(p.open.Comparisons))
	for i := range p.blocks {
		sum.Combine(p.blocks[(p.next+i)%len(p.blocks)])
	}
	sum.Combine(p.open)
	return sum
}

// largestLoss stands for −ln of a probability that is 0 to machine precision.
const largestLoss = 709

// logLoss is −ln P(label).
func logLoss(margin float64, positive bool) float64 {
	if !positive {
		margin = -margin
	}
	p := surrogate.Logistic(margin)
	if !(p > 0) {
		return largestLoss
	}
	return min(largestLoss, -math.Log(p))
}
