package observe

import (
	"math"
	"math/bits"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// Made is a decision. The learner writes one for each record into memory that the observers' processor has, so its size counts.
type Made struct {
	// Score is the probability of a positive label, NaN if the model gives none. While the decision is pending, it is the margin.
	Score float64
	// Known is false for a record that was not decided, for example during a warm-up.
	Known    bool
	Positive bool
	pending  bool // decide computes Positive and Score
	Levels   []fairness.Level
	// Model names the model that decided; empty if there is one model only.
	Model string
}

// personOf is a hash of what names the person that a record is about; 0 if the record has none, or no field is configured.
func personOf(r *record.Record) uint64 {
	if r.Cluster == nil {
		return 0
	}
	return max(1, record.Hash(r.Cluster))
}

// marksOf are hashes by which copies of a record are noticed: of all that is read of it, its features, which are the decision and the score
// of another model, and its groups; and of its identifier, or else the key of its message.
func marksOf(r *record.Record, levels []fairness.Level, key []byte) (content, identity uint64) {
	content = uint64(len(r.Features))
	mix := func(x uint64) { content = (bits.RotateLeft64(content, 27) ^ x) * 0x9e3779b97f4a7c15 }
	for i := range r.Features {
		mix(r.Features[i].Hash)
	}
	for _, level := range levels {
		mix(uint64(level))
	}
	if r.ID != nil {
		key = r.ID
	}
	if key != nil {
		identity = max(1, record.Hash(key))
	}
	return max(1, content), identity
}

// set makes m, which is zero, the decision of a learner. It does so field by field: to copy a structure whose fields were
// just stored, a processor waits until all that it stored before is in its cache.
func (m *Made) set(by model.Made) {
	m.Known, m.pending, m.Score = by.Known, by.Known, by.Margin
	if !by.Known {
		m.Score = math.NaN()
	}
}

// decide computes the decision and its score. The learner leaves this to whoever observes the decision.
func (m *Made) decide() {
	if m.pending {
		d := document.NewDecision(m.Score, 0)
		m.Positive, m.Score, m.pending = d.Positive, d.Score, false
	}
}
