package model

import (
	"github.com/fairstream/fairstream/internal/logistic"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// Sizes of the recent part of the measurements: recentBlocks complete blocks and the one that is being
// filled.
const (
	blockRecords = 1024
	recentBlocks = 8
)

// tally counts measured records; each has counted a part of the stream.
type tally[T any] interface {
	Combine(other T)
	Reset()
}

// rolling is a tally over the whole stream and over its recent part.
type rolling[T tally[T]] struct {
	total  T   // of all complete blocks
	blocks []T // the latest complete blocks, a ring
	next   int // where the next complete block goes
	open   T   // the block that is being filled

	empty func() T
}

func newRolling[T tally[T]](empty func() T) rolling[T] {
	return rolling[T]{total: empty(), open: empty(), empty: empty}
}

// close ends the open block.
func (r *rolling[T]) close() {
	r.total.Combine(r.open)
	full := r.open
	if len(r.blocks) < recentBlocks {
		r.blocks = append(r.blocks, full)
		r.open = r.empty()
		return
	}
	r.open, r.blocks[r.next] = r.blocks[r.next], full
	r.open.Reset()
	r.next = (r.next + 1) % recentBlocks
}

// all is the tally of the whole stream.
func (r *rolling[T]) all() T {
	sum := r.empty()
	sum.Combine(r.total)
	sum.Combine(r.open)
	return sum
}

// recent is the tally of the last 8,192 to 9,215 records, or of all if there are fewer.
func (r *rolling[T]) recent() T {
	sum := r.empty()
	for i := range r.blocks {
		sum.Combine(r.blocks[(r.next+i)%len(r.blocks)])
	}
	sum.Combine(r.open)
	return sum
}

// prequential is the "test, then train" evaluation of one classifier (Dawid, JRSS A 147, 1984): every record
// is decided before it is learnt.
type prequential struct{ rolling[*fairness.Tally] }

func newPrequential(comparisons int) *prequential {
	return &prequential{newRolling(func() *fairness.Tally { return fairness.NewTally(comparisons) })}
}

func (p *prequential) add(forecast forecast, positive bool, weight float64, sides []fairness.Side) {
	p.open.Add(positive, forecast.margin > 0, forecast.loss(positive), weight, sides)
	if p.open.Confusion.Records == blockRecords {
		p.close()
	}
}

// forecast is what a classifier makes of a record: the margin, and the probabilities of both labels.
type forecast struct{ margin, positive, negative float64 }

func newForecast(margin float64) forecast {
	positive, negative := logistic.Probabilities(margin)
	return forecast{margin, positive, negative}
}

// loss is −ln P(label).
func (f forecast) loss(positive bool) float64 {
	if positive {
		return logistic.Loss(f.positive)
	}
	return logistic.Loss(f.negative)
}

// residual is how far the label is off its probability.
func (f forecast) residual(positive bool) float64 {
	if positive {
		return f.negative
	}
	return -f.positive
}
