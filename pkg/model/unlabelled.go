package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/internal/propensity"
	"github.com/fairstream/fairstream/internal/rolling"
	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/linear"
)

// Records whose label is not known, or not yet.
//
// A constraint that needs no label is kept for everyone about whom is decided, so a record counts in it when it comes, and pushes
// the constrained models; a label that comes later counts in what needs it. See control.Brings.

// unlabelled are the records that came without a label.
type unlabelled struct {
	records int64 // that came without one
	late    int64 // of them, those whose label came later
	never   int64 // of them, those that wait no more, or never did
	first   int64 // number of the first of them that was decided, 0 before it
	proportion

	// selection compares the records with labels with those that never get one, since the first that came without.
	selection  rolling.Rolling[*fairness.Selection]
	selective  bool // labels depended on the records when the last block of these was full
	propensity propensity.Model
	given      []bool          // by comparison: its criterion needs a label
	members    []fairness.Side // scratch
}

func newUnlabelled(all []fairness.Comparison, forgetting int) unlabelled {
	comparisons, given := len(all), make([]bool, len(all))
	for i := range all {
		given[i] = all[i].Criterion.NeedsLabel()
	}
	return unlabelled{given: given, proportion: proportion{keep: 1 - 1/float64(forgetting)}, members: make([]fairness.Side, comparisons),
		selection: rolling.New(func() *fairness.Selection { return fairness.NewSelection(comparisons) })}
}

// coming is how a record comes.
type coming uint8

const (
	both  coming = iota // with its label
	waits               // without it
	never               // without any
	late                // its label comes
)

func (c coming) brings() control.Brings {
	return [...]control.Brings{control.Both, control.Itself, control.Itself, control.Label}[c]
}

// count takes in a record or label, and returns what it brings: the label of a record that came before there were decisions brings both.
func (u *unlabelled) count(brings control.Brings, number int64, ready bool) control.Brings {
	switch brings {
	case control.Itself:
		u.records++
		if u.first == 0 && ready && number > 0 {
			u.first = number
		}
	case control.Label:
		u.late++
		if u.first == 0 || number < u.first {
			return control.Both
		}
	}
	return brings
}

// proportion is that of labels to records, by weight, since the first record that came without its label.
//
// Every record pushes the constrained models, and only one with a label steps against its loss. Where most labels never come
// there would be many pushes for each step of the loss, and the models would be far from any optimum. So a push is multiplied by the
// proportion if that is below 1: constraints then press as they do where all records have labels.
type proportion struct {
	keep         float64 // of the sums, for each record or label
	came, labels float64 // faded sums of weights, 0 until a record comes without its label
}

// leastProportion keeps the proportion above 0 while no label has come.
const leastProportion = 1e-6

// observe takes in a record, and returns the proportion.
func (p *proportion) observe(brings control.Brings, weight float64) float64 {
	if p.came == 0 && brings == control.Both {
		return 1
	}
	p.came, p.labels = float64(p.came*p.keep), float64(p.labels*p.keep)
	if brings != control.Label {
		p.came += weight
	}
	if brings != control.Itself {
		p.labels += weight
	}
	return min(1, max(leastProportion, p.labels/p.came))
}

// compare takes in a record whose label is known, or never comes, with members filled in.
func (u *unlabelled) compare(known bool, decided, free, weight float64) {
	u.selection.Open.Add(known, decided, free, weight, u.members)
	open := u.selection.Open
	counted := open.Known.Decided.Records + open.Never.Decided.Records
	u.selection.Count(counted)
	if counted == rolling.Block {
		depends := u.selection.Recent().Dependence()
		u.selective = depends.Selective()
	}
	if !known {
		u.never++
	}
}

// expect takes in how probable it is that a decision is right, and that of the model without constraints, whose probability of a positive label is free.
func (u *unlabelled) expect(known bool, decided, free float64, e *example) {
	right := [2]float64{free, max(free, 1-free)}
	if decided == 0 {
		right[0] = 1 - free
	}
	u.selection.Open.Expect(known, right, e.weight, e.labelled)
}

// weigh is the weight with which an example counts among those that have a label.
func (u *unlabelled) weigh(e *example, of *propensity.Record, encoder *features.Frozen) float64 {
	factor, bounded := 1., false
	switch {
	case e.propensity > 0:
		factor = u.propensity.Given(e.propensity)
	case u.selective:
		factor, bounded = u.propensity.Factor(of, encoder)
	}
	weight := e.weight * factor
	u.selection.Open.Weigh(weight, bounded, e.sides, u.given)
	return weight
}

func (u *unlabelled) fields(c *codec.Coder, e *features.Frozen) {
	c.Section(func() {
		c.Count(&u.records)
		c.Count(&u.late)
		c.Count(&u.never)
		c.Int(&u.first)
		c.Bool(&u.selective)
		c.Sum(&u.came)
		c.Sum(&u.labels)
		u.selection.Fields(c, func(s *fairness.Selection) {
			for _, chosen := range []*fairness.Chosen{&s.Known, &s.Never} {
				momentFields(c, &chosen.Decided, linear.LargestPrediction)
				momentFields(c, &chosen.Predicted, linear.LargestPrediction)
				for i := range chosen.Groups {
					momentFields(c, &chosen.Groups[i], 1)
				}
			}
		})
		u.propensity.Fields(c, e, len(u.members))
		if c.More() {
			u.selection.Each(func(s *fairness.Selection) {
				weighedFields(c, &s.Weighed)
				for i := range s.Sides {
					weighedFields(c, &s.Sides[i][0])
					weighedFields(c, &s.Sides[i][1])
				}
			})
		}
		if c.More() {
			u.selection.Each(func(s *fairness.Selection) {
				for i := range s.Expected {
					momentFields(c, &s.Expected[i].All, 1)
					momentFields(c, &s.Expected[i].Known, 1)
				}
			})
		}
	})
}

func weighedFields(c *codec.Coder, w *fairness.Weighed) {
	c.Count(&w.Records)
	c.Count(&w.Bounded)
	c.Sum(&w.Weight)
	c.Sum(&w.WeightSquared)
}

// weighed describes how recent labelled records are weighed, and nothing if they are not.
func (u *unlabelled) weighed(a about) (rows []document.Weighed) {
	recent := u.selection.Recent()
	if !recent.Weighed.Differ() {
		return nil
	}
	rows = append(rows, document.NewWeighed("", "", &recent.Weighed))
	for i, c := range a.comparisons {
		if u.given[i] && c.Known() {
			rows = append(rows, document.NewWeighed(c.Name, c.GroupLabel(), &recent.Sides[i][0]), document.NewWeighed(c.Name, c.VersusLabel(), &recent.Sides[i][1]))
		}
	}
	return rows
}

// correct makes the accuracies of a stream's reports, and of those of its recent part, speak of all records where labelled ones are weighed.
func (u *unlabelled) correct(all, recent, free, freeRecent *document.Report) {
	one := func(s *fairness.Selection, published, free *document.Report) {
		if !s.Weighed.Differ() {
			return
		}
		for i, r := range []*document.Report{published, free} {
			if r != nil && r.Decisions != nil {
				r.Accuracy = s.Expected[i].Correct(r.Accuracy)
			}
		}
	}
	if u.never > 0 {
		one(u.selection.All(), all, free)
		one(u.selection.Recent(), recent, freeRecent)
	}
}

const (
	// LabelsBy is among how many records the first label is, unless something is wrong.
	LabelsBy = 10_000
	// mostOpen is the share of the records whose labels may be open without a word.
	mostOpen = .1
	// fewestNever is how many records without any label make a condition.
	fewestNever = 100
)

// selected says what is not known because labels are not, and whether labels depend on records.
func (u *unlabelled) selected(a about, config Config, labels int64) (conditions []document.Condition, selective, never bool) {
	add := func(code document.ConditionCode, format string, arguments ...any) {
		conditions = append(conditions, document.Condition{Code: code, Detail: fmt.Sprintf(format, arguments...)})
	}
	if labels == 0 {
		if u.records >= LabelsBy {
			add(document.NoLabels, "%d records came, and no label: is record.label.field %q the name of the field? If labels come later, they have not come yet, or are held until stream.labels.age", u.records, config.Record.Label.Field)
		}
		return conditions, false, false
	}
	if open := u.records - u.late; u.never == 0 && u.records >= LabelsBy && float64(open) > mostOpen*float64(u.records) {
		add(document.LabelsOpen, "%.0f %% of the records that came without a label wait for it, and it is not known which of them never get one: accuracy, and criteria that need a label, are of the others. "+
			"Records wait for as long as stream.labels.age says; without it, for ever", 100*float64(open)/float64(u.records))
	}
	if u.never == 0 {
		return conditions, false, false
	}
	recent, decisions := u.selection.Recent(), config.Learner.Task == Classification
	for _, who := range withoutLabels(recent, a, decisions) {
		add(document.LabelsNever, "no recent record %s has a label: what becomes of them cannot be learnt, and no measurement that needs a label is about them; --explore finds out about a small share", who)
	}
	never = len(conditions) > 0
	depends := recent.Dependence()
	if !depends.Selective() {
		return conditions, false, never
	}
	w := &recent.Weighed
	add(document.LabelsSelective, "labels are known for %.0f %% of the recent records, and whether one is known depends on the record: %s. Labelled records are weighted to stand for all, which is right if it depends on nothing else: "+
		"%d are worth as much as %.0f of equal weight, and the weight of %.2g %% is bounded", 100*recent.Share(), dependence(&depends, recent, a, decisions), w.Records, w.Effective(), 100*float64(w.Bounded)/float64(max(1, w.Records)))
	return conditions, true, never
}

// withoutLabels names the decisions and groups that have no label.
func withoutLabels(s *fairness.Selection, a about, decisions bool) (who []string) {
	missing := func(known, never *fairness.Moments, value float64) bool {
		share := never.Mean
		if value == 0 {
			share = 1 - share
		}
		return known.Records >= fewestNever && known.Mean == 1-value && float64(never.Records)*share >= fewestNever
	}
	if decisions {
		for value, word := range []string{"negative", "positive"} {
			if missing(&s.Known.Decided, &s.Never.Decided, float64(value)) {
				who = append(who, "with a "+word+" decision")
			}
		}
	}
	for i, c := range a.comparisons {
		for value, group := range []string{c.VersusLabel(), c.GroupLabel()} {
			if words := "of " + group; c.Known() && missing(&s.Known.Groups[i], &s.Never.Groups[i], float64(value)) && !slices.Contains(who, words) {
				who = append(who, words)
			}
		}
	}
	return who
}

// dependence says on what labels depend.
func dependence(d *fairness.Dependence, s *fairness.Selection, a about, decisions bool) string {
	var words []string
	add := func(what string, known, never *fairness.Moments) {
		words = append(words, fmt.Sprintf("%s %.3g among those with a label and %.3g among the others", what, known.Mean, never.Mean))
	}
	if d.Decided != 0 && decisions {
		add("the share of positive decisions is", &s.Known.Decided, &s.Never.Decided)
	}
	if d.Group != 0 {
		c := &a.comparisons[d.Comparison]
		add(fmt.Sprintf("the share of %s (of %s and %s) is", c.GroupLabel(), c.GroupLabel(), c.VersusLabel()), &s.Known.Groups[d.Comparison], &s.Never.Groups[d.Comparison])
	}
	if d.Predicted != 0 && words == nil {
		what := "the mean prediction is"
		if decisions {
			what = "the mean probability of a positive label is predicted to be"
		}
		add(what, &s.Known.Predicted, &s.Never.Predicted)
	}
	return strings.Join(words, ", and ")
}
