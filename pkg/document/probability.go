package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/fairstream/fairstream/pkg/features"
)

// Probability is a second set of weights for the encoder of the model: those of the model without constraints, which is
// learnt beside it. Constraints move margins away from the log odds, so only these weights give a calibrated probability.
type Probability struct {
	// SHA256 is the SHA-256, in hexadecimal, of the value of Weights as it stands in the JSON with insignificant space
	// removed.
	SHA256 string `json:"sha256"`
	// Weights is an array of numbers: one for each weight of the model, in the order in which docs/document.md goes
	// through the model.
	Weights json.RawMessage `json:"weights"`
}

// NewProbability returns the weights of the model without constraints for a document. The encoder is that of its model,
// and weights has one for each of its indices. It is an error if one is infinite or not a number.
func NewProbability(encoder features.Parts, weights []float64) (*Probability, error) {
	b := newBody(encoder, weights)
	text, err := json.Marshal(b.ordered())
	if err != nil {
		return nil, fmt.Errorf("document: probability: %w", err)
	}
	return &Probability{SHA256: sum(text), Weights: text}, nil
}

// ordered returns all weights of a model, in the order in which assemble takes them.
func (b *body) ordered() []float64 {
	all := []float64{b.Intercept}
	levels := func(levels []bodyLevel) {
		for _, l := range levels {
			all = append(all, l.Weight)
		}
	}
	for i := range b.Columns {
		c := &b.Columns[i]
		if c.Missing != nil {
			all = append(all, *c.Missing)
		}
		if c.Standardized != nil {
			all = append(all, c.Standardized.Weight)
		}
		all = append(all, c.KnotWeights...)
		if c.Linear != nil {
			all = append(all, c.Linear.Weight)
		}
		all = append(append(all, c.Bins...), c.CoarseBins...)
		levels(c.Levels)
	}
	for i := range b.Crosses {
		levels(b.Crosses[i].Levels)
	}
	return append(all, b.Buckets...)
}

// check compares the weights with their hash.
func (p *Probability) check() error {
	var compact bytes.Buffer
	if err := json.Compact(&compact, p.Weights); err != nil {
		return fmt.Errorf("document: probability without weights: %w", err)
	}
	if found := sum(compact.Bytes()); found != p.SHA256 {
		return fmt.Errorf("document: damaged: the weights of its probability have SHA-256 %s and should have %s", found, p.SHA256)
	}
	p.Weights = compact.Bytes()
	return nil
}

// read returns the weights, of which there must be so many; nil if the document has none.
func (p *Probability) read(count int) (weights []float64, err error) {
	if p == nil {
		return nil, nil
	}
	if err := json.Unmarshal(p.Weights, &weights); err != nil {
		return nil, fmt.Errorf("document: the weights of its probability cannot be read: %w", err)
	}
	if len(weights) != count {
		return nil, errors.New("document: the weights of its probability and its model do not match")
	}
	return weights, nil
}
