package observe

import (
	"math"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
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
