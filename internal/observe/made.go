package observe

import (
	"math"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/persons"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/release"
)

// Made is a decision. The learner writes one for each record into memory that the observers' processor has, so its size counts.
type Made struct {
	// Score is the probability of a positive label, NaN if the model gives none. While the decision is pending, it is the margin.
	Score float64
	// Known is false for a record that was not decided, for example during a warm-up.
	Known    bool
	Positive bool
	pending  bool // decide computes Positive and Score
	// Weight is for how many records a labelled one stands: 1 unless labels depend on records; 0 if that is not known.
	Weight float32
	Levels []fairness.Level
	// Model names the model that decided; empty if there is one model only.
	Model string
}

// Entry is one record of the input.
type Entry struct {
	Source    *kafka.Record
	Rejection error // a *record.Rejection; Record is not to be used then
	// levels are those of the record's attributes; nil: they are not known yet.
	levels []fairness.Level
	Record record.Record
	// decided are the decisions of the batch's panel; empty if the record is not in its sample.
	decided []release.Decision
}

// Sight is what is observed of a record.
type Sight struct {
	Made  // its levels are the batch's, once it is seen
	Entry *Entry
	// Number is how many records were learnt or kept, this one included.
	Number int64
	// Record is the one that was decided. Waits is the record that waits for its label now, or waited until this one brought it.
	Record *record.Record
	Waits  *Waiting
}

// Waiting is what is known of a decision whose label comes later.
type Waiting struct {
	Known, Positive bool
	Score           float64
	// Number is that of the sight; 0 if it is not known.
	Number int64
}

// joined says whether the record is one that waited.
func (s *Sight) joined() bool { return s.Record != &s.Entry.Record }

// personOf is a hash of what names the person that a record is about; 0 if the record has none, or no field is configured.
func personOf(r *record.Record) uint64 {
	if r.Cluster == nil {
		return 0
	}
	return max(1, record.Hash(r.Cluster))
}

// marksOf are hashes by which copies of a record are noticed: of all that is read of it, and of its identifier, or else the key of its message.
func marksOf(r *record.Record, levels []fairness.Level, key []byte) (content, identity uint64) {
	if r.ID != nil {
		key = r.ID
	}
	if key != nil {
		identity = max(1, record.Hash(key))
	}
	return persons.ContentOf(r, levels), identity
}

// set makes m, which is zero, the decision of a learner. It does so field by field: to copy a structure whose fields were
// just stored, a processor waits until all that it stored before is in its cache.
func (m *Made) set(by model.Made) {
	m.Known, m.pending, m.Score, m.Weight = by.Known, by.Known, by.Margin, float32(by.Weight)
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
