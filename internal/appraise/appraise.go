package appraise

import (
	"slices"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
)

// Appraisal gathers what is known of weights, or of the weights of several folds together.
type Appraisal struct {
	grouper *fairness.Grouper
	levels  []fairness.Level
	sides   []fairness.Side
	columns *columns // nil if nobody asks for them

	// Ranking orders the records by margin. It stays empty in a regression.
	Ranking Ranking
	// Pairs are the groups that constraints compare, each pair once.
	Pairs []Pair
	// Records is how many records were added.
	Records int64
}

// New prepares an appraisal against the constraints of a configuration. withColumns splits the margins by column, which
// takes as long again.
func New(config document.Config, withColumns bool) (*Appraisal, error) {
	a := &Appraisal{}
	var comparisons []fairness.Comparison
	for _, constraint := range config.Constraints {
		c := constraint.Comparison()
		c.Tau, c.Criterion = .5, fairness.DemographicParity // which looks at every record
		if slices.ContainsFunc(comparisons, func(known fairness.Comparison) bool { return samePair(known, c) }) {
			continue
		}
		comparisons = append(comparisons, c)
		a.Pairs = append(a.Pairs, Pair{Name: c.Name, Group: Group{Label: c.GroupLabel()}, Versus: Group{Label: c.VersusLabel()}})
	}
	var err error
	if a.grouper, err = fairness.NewGrouper(comparisons); err != nil {
		return nil, err
	}
	a.levels = make([]fairness.Level, len(a.grouper.Attributes()))
	a.sides = make([]fairness.Side, len(comparisons))
	if withColumns {
		a.columns = newColumns(len(comparisons))
	}
	return a, nil
}

func samePair(a, b fairness.Comparison) bool {
	return slices.Equal(a.Group, b.Group) && slices.Equal(a.Versus, b.Versus) && a.Rest == b.Rest
}

// Observer returns what takes in labelled records, each with the margin that a document gives it. The records come from
// the document's Schema.
func (a *Appraisal) Observer(doc *document.Document) (func(r *record.Record, margin float64), error) {
	split := func(*record.Record, []fairness.Side) {}
	if a.columns != nil {
		var err error
		if split, err = a.columns.observer(doc); err != nil {
			return nil, err
		}
	}
	places, err := a.places(doc)
	if err != nil {
		return nil, err
	}
	classifies := doc.Task != document.Regression
	return func(r *record.Record, margin float64) {
		a.Records++
		for i, at := range places {
			a.levels[i] = fairness.MissingLevel
			if v := &r.Attributes[at]; !v.Missing {
				a.levels[i] = a.grouper.Level(i, v.Text)
			}
		}
		a.grouper.Sides(a.sides, a.levels, r.Positive)
		split(r, a.sides)
		if !classifies || !r.HasLabel {
			return
		}
		a.Ranking.Add(r.Positive, margin, r.Weight)
		for i, side := range a.sides {
			switch side {
			case fairness.Group:
				a.Pairs[i].Group.add(r.Positive, margin, r.Weight)
			case fairness.Versus:
				a.Pairs[i].Versus.add(r.Positive, margin, r.Weight)
			}
		}
	}, nil
}

// Combine adds the records of another appraisal of the same constraints.
func (a *Appraisal) Combine(other *Appraisal) {
	a.Records += other.Records
	a.Ranking.combine(&other.Ranking)
	for i := range a.Pairs {
		a.Pairs[i].Group.combine(&other.Pairs[i].Group)
		a.Pairs[i].Versus.combine(&other.Pairs[i].Versus)
	}
	if a.columns != nil && other.columns != nil {
		a.columns.combine(other.columns)
	}
}

// places finds the attributes of the grouper among those of the records.
func (a *Appraisal) places(doc *document.Document) ([]int, error) {
	schema, err := doc.Schema()
	if err != nil {
		return nil, err
	}
	var places []int
	for _, name := range a.grouper.Attributes() {
		places = append(places, slices.Index(schema.Attributes(), name))
	}
	return places, nil
}

// HasColumns says whether margins are split by column.
func (a *Appraisal) HasColumns() bool { return a.columns != nil }

// Columns returns what each column contributes, the most important first; nil unless New was asked for them.
func (a *Appraisal) Columns() []Column {
	if a.columns == nil {
		return nil
	}
	return a.columns.all()
}
