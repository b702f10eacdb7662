package models

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/model"
)

// Explain prints each weight in plain words, the top largest of them, or all if top is 0.
func (m *Weights) Explain(ctx context.Context, top int) error {
	_, doc, err := m.one(ctx)
	if err != nil {
		return err
	}
	terms, err := doc.Explain()
	if err != nil {
		return err
	}
	total := len(terms)
	if top > 0 {
		slices.SortStableFunc(terms, func(a, b document.Term) int { return byMagnitude(b.Weight, a.Weight) })
		terms = terms[:min(top, total)]
	}
	if m.JSON {
		encoder := json.NewEncoder(m.Out)
		for i := range terms {
			if err := encoder.Encode(&terms[i]); err != nil {
				return err
			}
		}
		return nil
	}
	t := english.NewTable()
	t.AppendHeader(table.Row{"weight", "column", "level", "kind"})
	format := "%+.3f"
	if doc.Task == model.Regression {
		format = "%+.4g"
	}
	for _, term := range terms {
		t.AppendRow(table.Row{fmt.Sprintf(format, term.Weight), term.Column, term.Level, term.Kind})
	}
	positive := fmt.Sprintf("push towards the label %q", string(doc.Config.Record.Label.Positive))
	if doc.Task == model.Regression {
		positive = "raise the prediction"
	}
	_, err = english.Fprintf(m.Out, "Version %d of job %s: %d of %s. Positive ones %s.\n\n%s\n",
		doc.Version, doc.Job, len(terms), english.Counted(total, "weight"), positive, english.Render(t))
	return err
}

// byMagnitude compares absolute values.
func byMagnitude(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) }
