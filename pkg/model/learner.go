package model

import (
	"cmp"
	"errors"

	"github.com/fairstream/fairstream/internal/order"
	"github.com/fairstream/fairstream/internal/propensity"
	"github.com/fairstream/fairstream/internal/reserve"
	"github.com/fairstream/fairstream/internal/rolling"
	"github.com/fairstream/fairstream/internal/spelling"
	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

// Learner turns a sequence of records into weights. It belongs to one goroutine; what it hands out
// (documents, reports, states) is independent of it.
type Learner struct {
	// Settings.
	config  Config
	grouper *fairness.Grouper
	about   about // the comparisons, equalized odds split

	// State: what a snapshot saves.
	version    int64 // records and later labels that came: learnt, held back or reserved
	unlabelled unlabelled
	first      []held  // the first records, until types and bins are inferred from them
	ready      bool    // they were
	strata     *strata // nil if no comparison is within strata
	encoder    *features.Learning
	method     method
	evaluation evaluation
	absences   rolling.Rolling[absences] // of the attributes
	order      *order.Order
	reserve    *reserve.Reserve

	// Scratch.
	long    bool // the last state was too long to be held
	example example
	levels  []fairness.Level
}

// New returns a learner that has seen nothing. The error joins a record.Problem for everything that is
// wrong with the configuration.
func New(config Config) (*Learner, error) {
	config = config.WithDefaults()
	var problems []error
	for _, problem := range config.Validate() {
		problems = append(problems, problem)
	}
	if problems != nil {
		return nil, errors.Join(problems...)
	}
	grouper, err := fairness.NewGrouper(config.Comparisons())
	if err != nil {
		return nil, err
	}
	l := &Learner{
		config: config, grouper: grouper, encoder: features.NewLearning(config.Learner.Config),
		about: about{grouper.Comparisons(), fairness.Options{Level: config.Learner.Level, MinimumRecords: float64(config.Learner.MinimumRecords)},
			config.Learner.HoldoutRecords},
	}
	l.encoder.Resembles = func(name, field string) bool { return spelling.Field(name, []string{field}) != "" }
	l.levels = make([]fairness.Level, len(grouper.Attributes()))
	l.example.levels = l.levels
	l.reserve = reserve.New(config.Evaluation.Share, config.Learner.Window)
	l.unlabelled = newUnlabelled(l.about.comparisons, config.Learner.Forgetting)
	l.absences = rolling.New(func() absences { return make(absences, len(grouper.Attributes())) })
	l.order = order.New(len(grouper.Attributes()))
	l.example.sides = make([]fairness.Side, len(l.about.comparisons))
	if grouper.Within() {
		l.strata = newStrata(l.about.comparisons, config.Learner.Forgetting)
		l.example.strata = make([]int, len(l.about.comparisons))
		l.example.factors = make([]float64, len(l.about.comparisons))
	}
	if l.method, l.evaluation, err = newMethod(config.Learner, l.about.comparisons, config.perComparison()); err != nil {
		return nil, err
	}
	l.method.grow(&l.encoder.Frozen)
	return l, nil
}

// Learn measures the record and learns from it, or keeps it for evaluation (evaluation.share). The record must have a label; nothing of it is kept
// beyond the call, but for the first records, which are copied. It returns the decision that the record was measured by.
func (l *Learner) Learn(r *record.Record) (made Made) { return l.LearnAt(r, nil) }

// LearnAt is Learn of a record whose Levels are known, in which no value is met for the first time. nil says that they are not known.
func (l *Learner) LearnAt(r *record.Record, levels []fairness.Level) (made Made) {
	if !r.HasLabel {
		panic("model: Learn needs a record with a label")
	}
	l.version++
	return l.accept(r, levels, both, 0)
}

// Count takes in a record whose label is not known, and perhaps never will be: it counts in the comparisons whose criterion needs no
// label, once the first records with labels have been learnt. number tells it from others until its label comes; numbers must grow from
// one such record to the next. It returns the decision that the record was measured by. Mode Paper only measures it.
func (l *Learner) Count(r *record.Record, number int64) (made Made) {
	if r.HasLabel {
		panic("model: Count needs a record without a label")
	}
	l.version++
	return l.accept(r, nil, waits, number)
}

// Add is Learn of a record with a label, and Count of one that never gets one.
func (l *Learner) Add(r *record.Record) Made {
	if r.HasLabel {
		return l.Learn(r)
	}
	l.version++
	return l.accept(r, nil, never, 0)
}

// Never takes in that a record which was given to Count waits for its label no more. No weights change.
func (l *Learner) Never(r *record.Record) {
	if l.ready && r.Weight > 0 && !l.reserve.Takes(r, l.version) {
		l.read(r)
		l.encoder.Frozen.Encode(&l.example.row, r)
		l.example.weight = r.Weight
		l.compare(false, l.method.forecast(&l.example.row))
	}
}

// LearnLate learns from a record that was given to Count with this number, now that its label is known. It counts in what needs the
// label, and not a second time in what does not.
func (l *Learner) LearnLate(r *record.Record, number int64) (made Made) {
	if !r.HasLabel {
		panic("model: LearnLate needs a record with a label")
	}
	l.version++
	return l.accept(r, nil, late, number)
}

func (l *Learner) accept(r *record.Record, levels []fairness.Level, how coming, number int64) (made Made) {
	if r.Weight <= 0 {
		return made // a weight of 0 contributes nothing
	}
	brings := how.brings()
	toLearn := l.unlabelled.count(brings, number, l.ready)
	if l.reserve.Takes(r, cmp.Or(number, l.version)) {
		l.reserve.Add(r, brings)
		return l.Meet(r)
	}
	brings = toLearn
	if levels == nil {
		l.read(r)
	}
	copy(l.levels, levels)
	if !l.ready {
		if brings == control.Itself {
			return made // there is no decision yet
		}
		l.first = append(l.first, hold(r, l.levels))
		if len(l.first) >= l.config.Learner.Warmup {
			l.begin()
		}
		return made
	}
	l.example.brings, l.example.number = brings, number
	l.example.positive, l.example.label, l.example.weight = r.Positive, r.Label, r.Weight
	l.example.never, l.example.propensity = how == never, r.Propensity
	margin := l.learn(r)
	made = Made{Known: l.config.Learner.Task == Classification, Margin: margin}
	if brings != control.Itself {
		made.Weight = l.example.labelled / r.Weight
	}
	return made
}

// Meet decides a record that has no label yet, by the present weights. It does not learn from the record.
func (l *Learner) Meet(r *record.Record) Made {
	if l.config.Learner.Task != Classification || !l.ready {
		return Made{}
	}
	l.read(r)
	return Made{Known: true, Margin: l.Margin(r)}
}

// read finds the levels of a record's attributes. Values that only reserved records have are met by nobody.
func (l *Learner) read(r *record.Record) {
	level := (*fairness.Grouper).Level
	if l.reserve.Takes(r, l.version) {
		level = (*fairness.Grouper).Known
	}
	for i := range l.levels {
		l.levels[i] = fairness.MissingLevel
		if v := &r.Attributes[i]; !v.Missing {
			l.levels[i] = level(l.grouper, i, v.Text)
		}
	}
}

// chooseEvery is how often, in records, the best-treated value of a constraint of each is looked for until it is settled.
const chooseEvery = 1000

// learn is one step of "test, then train": the same for every task and mode. It returns the published prediction
// of the test.
func (l *Learner) learn(r *record.Record) (published float64) {
	e := &l.example
	if e.brings == control.Itself {
		return l.countOnly(r)
	}
	if l.Learnt()%chooseEvery == 0 && l.grouper.Unsettled() {
		l.grouper.Choose(l.evaluation.rate(l.about))
	}
	if e.brings == control.Both {
		l.grouper.Sides(e.sides, l.levels, e.positive)
	} else {
		l.grouper.Late(e.sides, l.levels, e.positive)
	}
	l.standardize(e)
	l.encoder.Encode(&e.row, r)
	if e.brings == control.Both {
		l.order.Observe(r, l.levels, &l.encoder.Frozen)
	}
	l.method.grow(&l.encoder.Frozen)
	forecast := l.method.forecast(&e.row)
	l.compare(true, forecast)
	residual, variance := l.evaluation.add(e, forecast)
	l.absences.Open.add(e, l.evaluation.outcome(forecast))
	l.absences.Count(l.absences.Open.records())
	l.encoder.Reveal(residual, variance, e.weight)
	l.method.grow(&l.encoder.Frozen) // what has earned weights
	l.method.learn(e, forecast)
	l.method.adapt(&l.encoder.Frozen)
	return forecast.published
}

// countOnly takes in a record without its label. It encodes the record as it is published: columns change with labelled ones.
func (l *Learner) countOnly(r *record.Record) (published float64) {
	e := &l.example
	l.grouper.Unlabelled(e.sides, l.levels)
	l.standardize(e)
	l.encoder.Frozen.Encode(&e.row, r)
	l.order.Observe(r, l.levels, &l.encoder.Frozen)
	forecast := l.method.forecast(&e.row)
	l.evaluation.add(e, forecast)
	if e.never {
		l.compare(false, forecast)
	}
	l.method.learn(e, forecast)
	return forecast.published
}

// compare takes in an example whose label is known, or never comes, and how much a known one counts for others.
func (l *Learner) compare(known bool, f forecast) {
	e, u := &l.example, &l.unlabelled
	e.labelled = e.weight
	if u.records == 0 {
		u.propensity.Known()
		return
	}
	l.grouper.Members(u.members, l.levels)
	free, outcome := f.free, l.evaluation.outcome(f)
	if l.config.Learner.Task == Classification {
		free = newProbabilities(free).positive
	}
	u.compare(known, outcome, free, e.weight)
	one := propensity.Record{Row: &e.row, Positive: outcome > 0 && l.config.Learner.Task == Classification, Sides: u.members}
	if known {
		e.labelled = u.weigh(e, &one, &l.encoder.Frozen)
	}
	u.propensity.Learn(&one, &l.encoder.Frozen, known)
	if l.config.Learner.Task == Classification {
		u.expect(known, outcome, free, e)
	}
}

// standardize finds the stratum of an example in each comparison, and by how much its weight is multiplied there.
func (l *Learner) standardize(e *example) {
	e.scale = l.unlabelled.observe(e.brings, e.weight)
	if e.strata != nil {
		l.grouper.Strata(e.strata, l.levels)
		l.strata.observe(e.factors, e.sides, e.strata, e.weight)
	}
}

// begin infers the columns from the first records, and learns these.
func (l *Learner) begin() {
	first := l.first
	l.first, l.ready = nil, true
	l.encoder.Refuse(absent(l.config.Attributes(), first))
	l.encoder.LeaveOut(l.config.noFeatures(first))
	labels := make([]float64, len(first))
	for i := range first {
		l.encoder.Observe(first[i].fields)
		labels[i] = first[i].label
	}
	l.encoder.Infer()
	l.method.start(labels)
	// Nobody was decided by the weights of this moment. That does no harm while every record has its label; else it is not known for whom these stand.
	l.example.unmeasured = l.unlabelled.records > 0
	for i := range first {
		h := &first[i]
		copy(l.levels, h.levels)
		l.example.brings = control.Both
		l.example.positive, l.example.label, l.example.weight, l.example.propensity = h.positive, h.label, h.weight, 0
		l.learn(&record.Record{Features: h.fields})
	}
	l.example.unmeasured = false
}

// begun returns l, or, while first records are held back, a learner that has learnt them.
func (l *Learner) begun() *Learner {
	if l.ready {
		return l
	}
	early, err := New(l.config)
	if err != nil {
		panic("model: a configuration that was valid no longer is")
	}
	if err := early.grouper.Adopt(l.grouper.Found()); err != nil {
		panic("model: the values that a learner has met are not its own")
	}
	early.version, early.unlabelled = l.version, l.unlabelled
	early.first, early.reserve = l.first, l.reserve
	early.begin()
	return early
}

// Version is the number of records that came, those reserved for evaluation included, and of labels that came later than their record.
func (l *Learner) Version() int64 { return l.version }

// Labelled is how many records came with their label, or got it later; records are reserved or learnt.
func (l *Learner) Labelled() int64 { return l.version - l.unlabelled.records }

// Learnt is how many records were learnt with their labels.
func (l *Learner) Learnt() int64 { return l.Labelled() - l.reserve.Labelled() }

// Margin is that of the weights that Document would publish now, bit for bit, at a cost of O(non-zeros): the prediction
// of a regression, or what a classifier decides by. A learner that is not Ready has no weights yet: its margin is 0.
func (l *Learner) Margin(r *record.Record) float64 {
	margin := 0.0
	if l.ready {
		row := &l.example.row
		l.encoder.Frozen.Encode(row, r)
		for i, j := range row.Index {
			margin += float64(l.method.weight(int(j)) * row.At(i))
		}
	}
	return margin
}
