package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/halves"
	"github.com/fairstream/fairstream/internal/reserve"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

// Report measures the whole stream so far.
func (l *Learner) Report() document.Report {
	s := l.begun()
	all, recent, free, freeRecent := s.evaluation.reports(s.about)
	s.unlabelled.correct(&all, &recent, free, freeRecent)
	return all
}

// Measurements returns everything known of the quality of the model.
func (l *Learner) Measurements() document.Measurements {
	s := l.begun()
	m := document.Measurements{Constraints: s.evaluation.current(s.about, s.method), Control: s.control()}
	m.Prequential, m.Recent, m.Unconstrained, m.UnconstrainedRecent = s.evaluation.reports(s.about)
	s.unlabelled.correct(&m.Prequential, &m.Recent, m.Unconstrained, m.UnconstrainedRecent)
	attributes, absences := s.grouper.Attributes(), s.absences.Recent()
	m.Missing = missing(attributes, absences, s.about.options.Level)
	selected, selective, never := s.unlabelled.selected(s.about, s.config, s.Labelled())
	m.Weighed = s.unlabelled.weighed(s.about)
	if selective || never {
		m.Selective(never)
	}
	m.Conditions = slices.Concat(selected, s.evaluation.conditions(&m, s.about, s.method), missingConditions(s.about, attributes, absences, &m),
		unlistedValues(s.grouper), columnConditions(s.encoder, s.config.Learner.Vocabulary), movedConditions(s.order, attributes, s.encoder),
		oneValueConditions(s.order, s.encoder), copiesConditions(s.order), crowdedWeights(s.method, s.config.Learner.Forgetting))
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
	d, err := l.Draft()
	if err != nil {
		return nil, err
	}
	return d.Document()
}

// UnconstrainedDocument is Document for the model without constraints that mode adaptive learns
// alongside. Mode paper learns none, and learnt is false.
func (l *Learner) UnconstrainedDocument() (d *document.Document, learnt bool, err error) {
	s := l.begun()
	_, free, finite := s.weights()
	if free == nil {
		return nil, false, nil
	}
	draft, err := s.draft(free, free, finite)
	if err != nil {
		return nil, false, err
	}
	d, err = draft.Document()
	return d, err == nil, err
}

// Draft is a document in the making: all that it needs of the learner, as of one moment. To write and to measure the document takes most of
// the time, and may happen on another goroutine while the learner goes on.
type Draft struct {
	// About is the document but for its model, its probability and its measurements on reserved records.
	About document.Document

	learner  *Learner // of the moment
	parts    features.Parts
	weights  []float64
	free     []float64 // of the model without constraints; nil if the document has none
	reserved *reserve.Reserve
}

// Draft takes what Document needs now. It changes nothing. The error says that the weights have diverged.
func (l *Learner) Draft() (*Draft, error) {
	s := l.begun()
	published, free, finite := s.weights()
	return s.draft(published, free, finite)
}

// draft is that of any weights, beside those of the model without constraints. finite says whether all are numbers.
func (l *Learner) draft(weights, free []float64, finite bool) (d *Draft, err error) {
	if !finite {
		return nil, l.diverged()
	}
	d = &Draft{learner: l, parts: l.encoder.Parts(), weights: weights, reserved: l.reserve.Hold()}
	d.parts.Columns, d.parts.Levels = slices.Clone(d.parts.Columns), slices.Clip(d.parts.Levels) // levels do not change, columns do
	if l.config.Learner.Task == Classification {
		d.free = free
	}
	a := &d.About
	a.Task, a.Mode = l.config.Learner.Task, l.config.Learner.Mode
	a.Version, a.Records, a.Unlabelled = l.version, l.Learnt(), l.Unlabelled()
	a.Measurements = l.Measurements()
	a.Constraints = a.Measurements.Constraints
	a.Label = l.evaluation.labels()
	a.Found = l.found()
	a.Spread = l.spread()
	a.Lineage.ConfigSHA256 = l.config.Fingerprint()
	if a.Config, err = l.config.published(); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	return d, nil
}

// Document makes the document. It is called once, and reads nothing that learning changes.
func (d *Draft) Document() (*document.Document, error) {
	made := &d.About
	err := made.SetModel(d.parts, d.weights)
	if err == nil && d.free != nil {
		made.Probability, err = document.NewProbability(d.parts, d.free)
	}
	if err == nil {
		made.Measurements.Evaluation, err = d.reserved.Measure(made, len(d.learner.levels))
		made.Measurements.Limit(made.Measurements.Evaluation)
	}
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	return made, nil
}

// Margin is Learner.Margin by the weights of the draft. It must not be called once the learner has learnt more.
func (d *Draft) Margin(r *record.Record) float64 { return d.learner.Margin(r) }

// Levels gives the columns of the draft, and of each the texts of some levels: all of them if there are at most so many, else the first and
// some of the others.
func (d *Draft) Levels(most int) (columns []string, texts [][]string) {
	for i := range d.parts.Columns {
		columns = append(columns, d.parts.Columns[i].Name)
	}
	texts = make([][]string, len(columns))
	all := d.parts.Levels
	for i, step := 0, 1; i < len(all); i += step {
		if column, ok := all[i].Slot.Column(); ok {
			texts[column] = append(texts[column], all[i].Text)
		}
		if i == most/2 {
			step = max(1, len(all)/(most-most/2))
		}
	}
	return columns, texts
}

// weighing is what finds all weights, half of them on another processor if one is free: learning waits for it.
type weighing struct {
	published, free []float64
	learnt, finite  [2]bool // by half
}

// weighedAtOnce is how many weights are looked at while they are in a processor's cache.
const weighedAtOnce = 1024

// weights returns the published weights, and those of the model without constraints, nil if none is learnt. finite says whether all are numbers.
func (l *Learner) weights() (published, free []float64, finite bool) {
	size := int(l.encoder.Size())
	w := weighing{published: make([]float64, size), free: make([]float64, size)}
	halves.New(func(half int) {
		from, to := 0, size/2
		if half == 1 {
			from, to = size/2, size
		}
		w.learnt[half], w.finite[half] = true, true
		for ; from < to; from += weighedAtOnce {
			end := min(to, from+weighedAtOnce)
			published, free := w.published[from:end], w.free[from:end]
			learnt := l.method.weights(published, free, from)
			w.learnt[half] = w.learnt[half] && learnt
			w.finite[half] = w.finite[half] && areFinite(published) && areFinite(free)
		}
	}).Run(size)
	if !w.learnt[0] || !w.learnt[1] {
		w.free = nil
	}
	return w.published, w.free, w.finite[0] && w.finite[1]
}

// leastSpread is how many records the shares of values are to be worth before they are told of.
const leastSpread = 50

// spread is how the values of the columns were spread among the records that were learnt.
func (l *Learner) spread() *document.Spread {
	records, columns := l.order.Shares()
	if records < leastSpread {
		return nil
	}
	s := &document.Spread{Records: math.Round(records)}
	for i, c := range l.encoder.Parts().Columns[:len(columns)] {
		of := document.ColumnSpread{Name: c.Name}
		for _, share := range columns[i] {
			of.Shares = append(of.Shares, math.Round(share*spreadDigits)/spreadDigits)
		}
		s.Columns = append(s.Columns, of)
	}
	return s
}

// spreadDigits rounds shares to so many parts.
const spreadDigits = 1e4

// areFinite says whether all weights are numbers.
func areFinite(weights []float64) bool {
	for _, w := range weights {
		if !(math.Abs(w) <= math.MaxFloat64) {
			return false
		}
	}
	return true
}

// diverged is the error of weights that have become infinite or not a number, which only step sizes that are far too large bring about.
func (l *Learner) diverged() error {
	key := "a smaller learner.step"
	if l.config.Learner.Mode == Paper {
		key = "a larger learner.paper.k"
	}
	return fmt.Errorf("model: the weights diverged after %d records: use smaller steps (%s)", l.Learnt(), key)
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
	return document.NewConfig(c.json())
}

// Config returns the configuration with every default filled in.
func (l *Learner) Config() Config { return l.config }

// Weights is how many weights there are.
func (l *Learner) Weights() int { return int(l.encoder.Size()) }

// Ready reports whether the learner has weights: the first records are held back until the types of columns are known.
func (l *Learner) Ready() bool { return l.ready }

// LeftOut returns the columns that are no features beyond doubt, such as identifiers. That is known once the learner is ready.
func (l *Learner) LeftOut() (columns []string, known bool) { return l.encoder.LeftOut(), l.ready }

// Decide is the decision of the weights that Document would publish now. The learner must be a classifier.
func (l *Learner) Decide(r *record.Record) document.Decision {
	if l.config.Learner.Task != Classification {
		panic("model: a regression has no decisions")
	}
	return document.NewDecision(l.Margin(r), 0)
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
