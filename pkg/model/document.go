package model

import (
	"encoding/json"
	"fmt"

	"github.com/fairstream/fairstream/pkg/document"
)

// Document returns what would be published now. It changes nothing. The error says that the weights have
// diverged.
func (l *Learner) Document() (*document.Document, error) {
	s := l.settled()
	if err := s.diverged(); err != nil {
		return nil, err
	}
	return s.document(s.published())
}

// UnconstrainedDocument is Document for the model without constraints that mode adaptive learns
// alongside. Mode paper learns none, and learnt is false.
func (l *Learner) UnconstrainedDocument() (d *document.Document, learnt bool, err error) {
	s := l.settled()
	weights := make([]float64, s.encoder.Size())
	if s.regression != nil {
		s.regression.model.unconstrained(weights)
	} else if a, ok := s.trainer.(*adaptive); ok {
		a.unconstrained(weights)
	} else {
		return nil, false, nil
	}
	d, err = s.document(weights)
	return d, err == nil, err
}

func (l *Learner) document(weights []float64) (*document.Document, error) {
	d, err := document.New(l.config.Learner.Task, &l.encoder.Frozen, weights)
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	d.Mode = l.config.Learner.Mode
	d.Version, d.Records = l.version, l.version
	d.Measurements = l.Measurements()
	d.Constraints = d.Measurements.Constraints
	d.Lineage.ConfigSHA256 = l.config.Fingerprint()
	if d.Config, err = l.config.published(); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	if l.regression != nil {
		label := &l.regression.model.label
		d.Label = &document.LabelSummary{Mean: label.constant(), StandardDeviation: label.spread()}
	}
	return d, nil
}

// published is the configuration as a document holds it.
func (c Config) published() (document.Config, error) {
	whole, err := json.Marshal(c)
	if err != nil {
		return document.Config{}, err
	}
	return document.NewConfig(whole)
}
