package backfill

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/internal/envelope"
	"github.com/fairstream/fairstream/pkg/record"
)

// part is what one of several workers finds in a pass.
type part interface {
	take(at Place, r *record.Record)
	// join takes in the part of another worker in the same pass.
	join(other part)
	// fields are what another process needs of the part.
	fields(c *codec.Coder)
}

// kind is what a pass is to find.
type kind string

const (
	surveyPass kind = "survey"
	samplePass kind = "sample"
	newestPass kind = "newest"
	sumsPass   kind = "sums"
)

// task is all that a worker has to know of a pass, beside the configuration of the model.
type task struct {
	Kind   kind            `json:"kind"`
	Keys   []string        `json:"keys"`
	ByTime bool            `json:"by_time"`
	Of     json.RawMessage `json:"of"` // what the kind needs
}

// over makes a pass in this process or elsewhere, where newPart makes the part of a worker, and of is what its kind needs.
func (r *reader) over(ctx context.Context, is kind, of any, newPart func(shard int) part) (part, error) {
	if r.elsewhere != nil {
		return r.overElsewhere(ctx, is, of, newPart)
	}
	parts := make([]part, r.shards)
	for i := range parts {
		parts[i] = newPart(i)
	}
	if err := r.pass(ctx, func(shard int) func(Place, *record.Record) { return parts[shard].take }); err != nil {
		return nil, err
	}
	for _, other := range parts[1:] {
		parts[0].join(other)
	}
	return parts[0], nil
}

func (r *reader) overElsewhere(ctx context.Context, is kind, of any, newPart func(shard int) part) (part, error) {
	needs, err := json.Marshal(of)
	if err != nil {
		return nil, fmt.Errorf("backfill: %w", err)
	}
	data, err := json.Marshal(task{is, r.keys, r.byTime, needs})
	if err != nil {
		return nil, fmt.Errorf("backfill: %w", err)
	}
	whole := newPart(0)
	for found, err := range r.elsewhere.Pass(ctx, data) {
		if err != nil {
			return nil, err
		}
		other := newPart(0)
		if err := open(found, is, other); err != nil {
			return nil, err
		}
		whole.join(other)
	}
	return whole, nil
}

// partFormat is that of the parts which workers send:
//
//	envelope "FSBFPART" 2 { kind, fields of the part }
var partFormat = envelope.Format{Magic: "FSBFPART", Version: 2, What: "a part of a backfill's pass"}

// seal writes what a worker has found.
func seal(is kind, p part) []byte {
	c := codec.NewWriter(partFormat.Begin(nil))
	codec.Text(c, &is)
	p.fields(c)
	return envelope.Seal(c.Bytes(), 0)
}

// open reads a part of a kind into p, which has found nothing yet.
func open(data []byte, of kind, p part) error {
	body, err := partFormat.Open(data)
	if err != nil {
		return fmt.Errorf("backfill: %w", err)
	}
	c := codec.NewReader(body)
	var is kind
	codec.Text(c, &is)
	c.Check(is == of)
	p.fields(c)
	if err := c.End(); err != nil {
		return fmt.Errorf("backfill: a part of a pass: %w", err)
	}
	return nil
}
