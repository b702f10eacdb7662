package stream

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/fairstream/fairstream/internal/modeltopic"
)

// A document is not published again without new learning. Who takes over a job at the version that was published last
// publishes nothing until it has learnt something, unless the sections record, learner or constraints of the configuration
// changed: under another tau the weights are the same, but the document's verdicts are not.

// isUnchanged says whether the newest document on the topic says all that the present one would.
func (l *learning) isUnchanged(ctx context.Context, p *modeltopic.Publisher) (bool, error) {
	newest, there := p.Newest()
	if !there || newest.Version != l.learner.Version() {
		return false, nil
	}
	published, err := p.Document(ctx, newest.Place())
	if err != nil || published == nil { // a document that cannot be read is published again
		return false, err
	}
	present, err := l.document()
	if err != nil {
		return false, &Divergence{err}
	}
	before, err := json.Marshal(published.Config)
	if err != nil {
		return false, err
	}
	now, err := json.Marshal(present.Config)
	return published.WeightsSHA256 == present.WeightsSHA256 && bytes.Equal(before, now), err
}
