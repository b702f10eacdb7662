package appraise

import (
	"fmt"
	"slices"
	"strings"

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

// New prepares an appraisal against the constraints of a document. withColumns splits the margins by column, which
// takes as long again.
func New(doc *document.Document, withColumns bool) (*Appraisal, error) {
	a := &Appraisal{}
	all, err := doc.Comparisons()
	if err != nil {
		return nil, err
	}
	var comparisons []fairness.Comparison
	for _, c := range all {
		pair := Pair{Name: c.Name, Group: Group{Label: c.GroupLabel()}, Versus: Group{Label: c.VersusLabel()}, attributes: attributesOf(c)}
		unsettled := c.Best && len(c.Versus) == 0
		if !c.Known() || unsettled || slices.ContainsFunc(a.Pairs, func(p Pair) bool { return p.same(&pair) }) {
			continue
		}
		a.Pairs = append(a.Pairs, pair)
		// All records count, whatever the criterion looks at.
		comparisons = append(comparisons, fairness.Comparison{Name: fmt.Sprint(len(a.Pairs)), Criterion: fairness.DemographicParity, Tau: .5,
			Group: c.Group, Versus: c.Versus, Rest: c.Rest})
	}
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

func attributesOf(c fairness.Comparison) string {
	var names []string
	for _, term := range c.Group {
		names = append(names, term.Attribute)
	}
	return strings.Join(names, " & ")
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
		if r.HasLabel {
			a.grouper.Sides(a.sides, a.levels, r.Positive)
		} else {
			a.grouper.Unlabelled(a.sides, a.levels)
		}
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

// Combine adds the records of another appraisal of the same constraints. Of constraints of each value, the two may have
// met different groups.
func (a *Appraisal) Combine(other *Appraisal) {
	a.Records += other.Records
	a.Ranking.combine(&other.Ranking)
	places := make([]int, len(other.Pairs)) // of the other's pairs among these
	for i := range other.Pairs {
		o := &other.Pairs[i]
		places[i] = slices.IndexFunc(a.Pairs, func(p Pair) bool { return p.same(o) })
		if places[i] < 0 {
			places[i] = len(a.Pairs)
			a.Pairs = append(a.Pairs, Pair{Name: o.Name, Group: Group{Label: o.Group.Label}, Versus: Group{Label: o.Versus.Label}, attributes: o.attributes})
		}
		a.Pairs[places[i]].Group.combine(&o.Group)
		a.Pairs[places[i]].Versus.combine(&o.Versus)
	}
	if a.columns != nil && other.columns != nil {
		a.columns.combine(other.columns, places, len(a.Pairs))
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
