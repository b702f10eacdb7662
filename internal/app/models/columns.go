package models

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/findings"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/appraise"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// columnSample is how many of the newest records of a topic are looked at.
const columnSample = 20000

// ByColumn explains a model by column, over records.
type ByColumn struct {
	*Weights
	Input, Format string // a file of records; empty: the newest of the input topic
	Top           int    // columns; 0 is all
}

// columnReport is what is known of one column, in JSON.
type columnReport struct {
	Column string `json:"column"`
	// Records is the share of the records for which the column has a weight.
	Records float64 `json:"records"`
	// Importance is the standard deviation of what the column adds to the margin.
	Importance float64 `json:"importance"`
	// Differences is, by pair of groups, the mean of what it adds in the group less that in the other.
	Differences []columnDifference `json:"differences,omitempty"`
}

type columnDifference struct {
	Constraint string   `json:"constraint"`
	Group      string   `json:"group"`
	Versus     string   `json:"versus"`
	Difference *float64 `json:"difference"` // null while a group has no records
}

// Explain prints for how many records each column counts, how much it moves the margin and how much of a difference comes from it.
func (b *ByColumn) Explain(ctx context.Context) error {
	_, doc, err := b.one(ctx)
	if err != nil {
		return err
	}
	appraisal, err := appraise.New(doc, true)
	if err != nil {
		return err
	}
	observe, err := appraisal.Observer(doc)
	if err != nil {
		return err
	}
	schema, err := doc.Schema()
	if err != nil {
		return err
	}
	name, err := b.each(ctx, schema, func(rec *record.Record) {
		if rec.Weight > 0 {
			observe(rec, 0)
		}
	})
	if err != nil {
		return err
	}
	if appraisal.Records == 0 {
		return fmt.Errorf("%s holds no records that can be read: give others with --input", name)
	}
	if b.JSON {
		return b.writeJSON(appraisal)
	}
	return b.write(appraisal, doc, name)
}

// each hands on the records, and says where they came from.
func (b *ByColumn) each(ctx context.Context, schema *record.Schema, use func(*record.Record)) (name string, err error) {
	decoder := schema.NewDecoder()
	var rec record.Record
	var rejected input.Rejections
	s := input.Sample{Reject: rejected.Add}
	s.Use = func(raw []byte) {
		if s.Decode(decoder, &rec, raw) {
			use(&rec)
		}
	}
	switch {
	case b.Input != "":
		var from input.Source
		if from, err = input.NewSource(b.Input, b.Format, b.In); err != nil {
			return "", err
		}
		name, err = from.Name, s.FromFile(ctx, from, schema.Config())
	case b.Config != nil:
		s.Most = columnSample
		name = "the newest records of topic " + b.Config.Topics.Input
		err = cluster.With(ctx, b.Config.Kafka, b.Err, func(ctx context.Context, client *kafka.Client) error {
			return s.FromTopic(ctx, client, input.Topic{Name: b.Config.Topics.Input, Record: b.Config.Record, Registry: b.Config.Registry})
		})
	default:
		return "", errors.New("--columns needs records: add --input FILE")
	}
	rejected.Write(b.Err, int64(s.Read), name)
	return name, err
}

func (b *ByColumn) columns(a *appraise.Appraisal) []appraise.Column {
	all := a.Columns()
	if b.Top > 0 {
		all = all[:min(b.Top, len(all))]
	}
	return all
}

func (b *ByColumn) writeJSON(a *appraise.Appraisal) error {
	encoder := json.NewEncoder(b.Out)
	for _, c := range b.columns(a) {
		line := columnReport{Column: c.Name, Records: c.Share, Importance: c.Importance}
		for i, p := range a.Pairs {
			line.Differences = append(line.Differences, columnDifference{p.Name, p.Group.Label, p.Versus.Label, findings.Finite(c.Differences[i])})
		}
		if err := encoder.Encode(&line); err != nil {
			return err
		}
	}
	return nil
}

func (b *ByColumn) write(a *appraise.Appraisal, doc *document.Document, name string) error {
	format, unit := "%.3f", "log odds"
	if doc.Task == model.Regression {
		format, unit = "%.4g", "units of "+doc.Config.Record.Label.Field
	}
	t := english.NewTable()
	header := table.Row{"column", "records", "importance"}
	const most = 2 // pairs, within 80 columns
	for _, p := range a.Pairs[:min(most, len(a.Pairs))] {
		header = append(header, fmt.Sprintf("%s:\n%s − %s", p.Name, english.Clipped(p.Group.Label, 10), english.Clipped(p.Versus.Label, 10)))
	}
	t.AppendHeader(header)
	for _, c := range b.columns(a) {
		row := table.Row{english.Clipped(c.Name, 26), fmt.Sprintf("%.1f %%", 100*c.Share), fmt.Sprintf(format, c.Importance)}
		for i := range a.Pairs[:min(most, len(a.Pairs))] {
			cell := "–"
			if !math.IsNaN(c.Differences[i]) {
				cell = fmt.Sprintf("%+"+format[1:], c.Differences[i])
			}
			row = append(row, cell)
		}
		t.AppendRow(row)
	}
	_, err := english.Fprintf(b.Out, "Version %d of job %s, on %s: %s.\n\n%s\n\n%s\n", doc.Version, doc.Job, name, english.Counted(a.Records, "record"), english.Render(t),
		english.Prose("records: the share of the records for which the column has a weight. importance: the standard deviation of what the column adds to the margin, in "+unit+
			". The last columns: the mean of what it adds in the first group less that in the second; they add up to the difference of the mean margins."))
	if more := len(a.Pairs) - most; err == nil && more > 0 {
		_, err = fmt.Fprintf(b.Out, "%d more pairs of groups: --json shows them.\n", more)
	}
	for _, note := range paying(a.Columns(), a.Pairs, doc) {
		if err == nil {
			_, err = fmt.Fprintf(b.Out, "\n%s\n", note)
		}
	}
	return err
}
