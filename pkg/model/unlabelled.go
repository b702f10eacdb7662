package model

import (
	"fmt"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/document"
)

// Records whose label is not known, or not yet.
//
// A constraint that needs no label is kept for everyone about whom is decided, so a record counts in it when it comes, and pushes
// the constrained models; a label that comes later counts in what needs it. See control.Brings.

// unlabelled are the records that came without a label.
type unlabelled struct {
	records int64 // that came without one
	late    int64 // of them, those whose label came later
	first   int64 // number of the first of them that was decided, 0 before it
	proportion
}

// count takes in a record or label, and returns what it brings: the label of a record that came before there were decisions brings both.
func (u *unlabelled) count(brings control.Brings, number int64, ready bool) control.Brings {
	switch brings {
	case control.Itself:
		u.records++
		if u.first == 0 && ready {
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
	if p.labels >= p.came {
		return 1
	}
	return max(leastProportion, p.labels/p.came)
}

// LabelsBy is among how many records the first label is, unless something is wrong.
const LabelsBy = 10_000

// conditions says that no label has come for long. field is that of the label.
func (u *unlabelled) conditions(labels int64, field string) []document.Condition {
	if labels > 0 || u.records < LabelsBy {
		return nil
	}
	return []document.Condition{{Code: document.NoLabels, Detail: fmt.Sprintf(
		"%d records came, and no label: is record.label.field %q the name of the field? If labels come later, they have not come yet", u.records, field)}}
}

func (u *unlabelled) fields(c *codec.Coder) {
	c.Section(func() {
		c.Count(&u.records)
		c.Count(&u.late)
		c.Int(&u.first)
		c.Sum(&u.came)
		c.Sum(&u.labels)
	})
}
