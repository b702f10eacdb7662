package model

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
)

// Report measures the whole stream so far.
func (l *Learner) Report() document.Report {
	s := l.begun()
	all, _, _, _ := s.evaluation.reports(s.about)
	return all
}

// Measurements returns everything known of the quality of the model.
func (l *Learner) Measurements() document.Measurements {
	s := l.begun()
	m := document.Measurements{Constraints: s.evaluation.current(s.about, s.method), Control: s.control()}
	m.Prequential, m.Recent, m.Unconstrained, m.UnconstrainedRecent = s.evaluation.reports(s.about)
	attributes, absences := s.grouper.Attributes(), s.absences.Recent()
	m.Missing = missing(attributes, absences, s.about.options.Level)
	selected, selective, never := s.unlabelled.selected(s.about, s.config, s.Labelled())
	if selective || never {
		m.Selective(never)
	}
	m.Conditions = slices.Concat(selected, s.evaluation.conditions(&m, s.about, s.method), missingConditions(s.about, attributes, absences, &m),
		unlistedValues(s.grouper), columnConditions(s.encoder, s.config.Learner.Vocabulary), movedConditions(s.order, attributes, s.encoder), crowdedWeights(s.method, s.config.Learner.Forgetting))
	m.Judge(l.config.Learner.MinimumRecords, l.config.Learner.Mode != Unconstrained)
	return m
}

func (l *Learner) control() (controls []document.Control) {
	for _, r := range l.method.control(l.about.comparisons) {
		controls = append(controls, document.Control{Name: r.Name, Criterion: r.Criterion, Group: r.Group, Multiplier: r.Multiplier, Target: r.Target,
			Theta: r.Theta, Optimism: r.Gap, Difference: r.Difference, EffectiveConstant: r.EffectiveConstant, Slackness: r.Slackness(), Reachable: r.Reachable, Changes: r.Changes})
	}
	return controls
}

// Document returns what would be published now. It changes nothing. The error says that the weights have
// diverged.
func (l *Learner) Document() (*document.Document, error) {
	s := l.begun()
	weights, err := s.published()
	if err != nil {
		return nil, err
	}
	return s.document(weights)
}

// UnconstrainedDocument is Document for the model without constraints that mode adaptive learns
// alongside. Mode paper learns none, and learnt is false.
func (l *Learner) UnconstrainedDocument() (d *document.Document, learnt bool, err error) {
	s := l.begun()
	weights, learnt := s.free()
	if !learnt {
		return nil, false, nil
	}
	d, err = s.document(weights)
	return d, err == nil, err
}

// free returns the weights of the model without constraints, if one is learnt.
func (l *Learner) free() (weights []float64, learnt bool) {
	weights = make([]float64, l.encoder.Size())
	for j := range weights {
		if weights[j], learnt = l.method.unconstrained(j); !learnt {
			return nil, false
		}
	}
	return weights, learnt
}

func (l *Learner) document(weights []float64) (*document.Document, error) {
	d, err := document.New(l.config.Learner.Task, &l.encoder.Frozen, weights)
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	if free, learnt := l.free(); learnt && d.Task == document.Classification {
		if d.Probability, err = document.NewProbability(&l.encoder.Frozen, free); err != nil {
			return nil, fmt.Errorf("model: %w", err)
		}
	}
	d.Mode = l.config.Learner.Mode
	d.Version, d.Records, d.Unlabelled = l.version, l.Learnt(), l.Unlabelled()
	d.Measurements = l.Measurements()
	d.Constraints = d.Measurements.Constraints
	d.Label = l.evaluation.labels()
	d.Found = l.found()
	d.Lineage.ConfigSHA256 = l.config.Fingerprint()
	if d.Config, err = l.config.published(); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	if d.Measurements.Evaluation, err = l.reserve.Measure(d, len(l.levels)); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	return d, nil
}

// found are the groups and strata that were met, nil if the configuration names all of them.
func (l *Learner) found() *fairness.Found {
	if !l.grouper.Meets() {
		return nil
	}
	found := l.grouper.Found()
	return &found
}

// published is the configuration as a document holds it.
func (c Config) published() (document.Config, error) {
	whole, err := json.Marshal(c)
	if err != nil {
		return document.Config{}, err
	}
	return document.NewConfig(whole)
}

// Config returns the configuration with every default filled in.
func (l *Learner) Config() Config { return l.config }

// Weights is how many weights there are.
func (l *Learner) Weights() int { return int(l.encoder.Size()) }

// Ready says whether the learner has weights: the first records are held back until the types of columns are known.
func (l *Learner) Ready() bool { return l.ready }

// Decide is the decision of the weights that Document would publish now. The learner must be a classifier.
func (l *Learner) Decide(r *record.Record) document.Decision {
	if l.config.Learner.Task != Classification {
		panic("model: a regression has no decisions")
	}
	return document.NewDecision(l.Margin(r), 0)
}

// published returns the published weights. The error says that they have become infinite or not a number, which only
// step sizes that are far too large bring about.
func (l *Learner) published() ([]float64, error) {
	weights := make([]float64, l.encoder.Size())
	for j := range weights {
		w := l.method.weight(j)
		if math.IsNaN(w) || math.IsInf(w, 0) {
			key := "a smaller learner.step"
			if l.config.Learner.Mode == Paper {
				key = "a larger learner.paper.k"
			}
			return nil, fmt.Errorf("model: the weights diverged after %d records: use smaller steps (%s)", l.Learnt(), key)
		}
		weights[j] = w
	}
	return weights, nil
}

// Unlabelled is how many of the records that came have no label so far.
func (l *Learner) Unlabelled() int64 { return l.unlabelled.records - l.unlabelled.late }

// Levels are those of a record's attributes, in the order of Grouper.Attributes. They are valid until the next record.
func (l *Learner) Levels(r *record.Record) []fairness.Level {
	l.read(r)
	return l.levels
}

// LastLevels are the Levels of the record that the learner met last.
func (l *Learner) LastLevels() []fairness.Level { return l.levels }

// Grouper tells the sides of records in the comparisons of the configuration.
func (l *Learner) Grouper() *fairness.Grouper { return l.grouper }
