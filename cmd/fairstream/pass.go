package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/pkg/record"
)

// pass goes over a source once, in order, and hands every record on. It is the only loop that decodes the
// records of files; produce has one over their lines.
type pass struct {
	source source
	schema *record.Schema
	// labelled rejects records without a label.
	labelled bool
	// each is given every record that was decoded; it is valid during the call only.
	each func(*record.Record)
	// reject is given every rejection in the place of a record.
	reject func(*record.Rejection)

	reader *record.Reader
	fields []string     // of a CSV file, or of the first good JSON record
	rows   atomic.Int64 // read so far, for whoever watches; it lags by up to watchEvery
}

// watchEvery is after how many rows a pass tells how far it is and looks whether it should stop.
const watchEvery = 1024

// open opens the source. That a CSV file has no column for the label is seen here already.
func (p *pass) open() error {
	reader, err := p.source.open(p.schema.Config().Limits)
	if err != nil {
		return err
	}
	p.reader = reader
	if header := reader.Header(); header != nil {
		p.fields = header.Names()
		if p.labelled && !slices.Contains(p.fields, p.label()) {
			return errors.Join(p.noLabel(), reader.Close())
		}
	}
	return nil
}

// run reads to the end and closes the source.
func (p *pass) run(ctx context.Context) error {
	if p.source.shuffled != nil {
		for _, rejection := range p.source.shuffled.rejected {
			p.reject(rejection)
		}
	}
	return errors.Join(p.ahead(ctx), p.reader.Close())
}

// decode decodes all rows. next gives room for the next one, and is called again once that is filled.
func (p *pass) decode(ctx context.Context, next func() *item) error {
	decoder := p.schema.NewDecoder()
	to := next()
	for row := 0; ; row++ {
		if row%watchEvery == 0 {
			p.rows.Store(int64(row))
			if ctx.Err() != nil {
				return fmt.Errorf("interrupted after %d rows of %s", row, p.source.name)
			}
		}
		err := p.reader.Next()
		if err == nil {
			if p.source.takes != nil && !p.source.takes(row) {
				continue
			}
			if len(p.fields) == 0 && row < watchEvery {
				p.fields = fieldsOf(p.reader.Raw())
			}
			err = p.reader.Decode(decoder, &to.record)
		}
		if err == nil && p.labelled && !to.record.HasLabel {
			err = &record.Rejection{Reason: record.MissingLabel, Field: p.label(), Offset: -1}
		}
		switch err := err.(type) {
		case nil:
			to.rejection = nil
		case *record.Rejection:
			err.Line = p.lineOf(row)
			to.rejection = err
		default:
			p.rows.Store(int64(row))
			if err == io.EOF {
				return nil
			}
			return fmt.Errorf("%s: %w", p.source.name, err)
		}
		to = next()
	}
}

// hand hands a row on.
func (p *pass) hand(row *item) {
	if row.rejection != nil {
		p.reject(row.rejection)
		return
	}
	p.each(&row.record)
}

// lineOf returns on which line of the file the present row begins, which is the row-th that was read.
func (p *pass) lineOf(row int) int64 {
	if p.source.shuffled != nil {
		return p.source.shuffled.line(row)
	}
	return p.reader.Line()
}

func (p *pass) label() string { return p.schema.Config().Label.Field }

// noLabel says why no record has the label, and which fields there are. A first line that names no field of the
// configuration is perhaps no header but a record, of which no value may be shown.
func (p *pass) noLabel() error {
	if slices.Contains(p.fields, p.label()) {
		return fmt.Errorf("no record of %s has the label: the field %q (record.label.field) holds only what record.missing lists", p.source.name, p.label())
	}
	problem := fmt.Sprintf("no record of %s has the label: record.label.field is %q%s", p.source.name, p.label(), english.DidYouMeanField(p.label(), p.fields))
	switch {
	case p.namesConfigured() || len(p.fields) == 0:
		return fmt.Errorf("%s; the fields are %s", problem, english.List(p.fields))
	case p.reader.Header() != nil:
		return fmt.Errorf("%s, and none of the %s in the first line is in the configuration: is that line a header?", problem, english.Counted(len(p.fields), "name"))
	}
	return fmt.Errorf("%s, and none of the %s in the first record is in the configuration", problem, english.Counted(len(p.fields), "field"))
}

// namesConfigured says whether one of the fields is in the configuration.
func (p *pass) namesConfigured() bool {
	c := p.schema.Config()
	named := slices.Concat(p.schema.Attributes(), c.Features, c.Ignore, []string{c.Weight, c.ID, c.Time.Field, c.Key})
	return slices.ContainsFunc(p.fields, func(field string) bool { return field != "" && slices.Contains(named, field) })
}

// fieldsOf returns the fields of a JSON record, whatever the configuration makes of them, and none if it
// is malformed.
func fieldsOf(raw []byte) []string {
	const noField = "\x00" // every field is a feature
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: noField, Positive: noField}}, nil)
	if err != nil {
		return nil
	}
	var rec record.Record
	var fields []string
	if schema.LabelOptional().NewDecoder().DecodeJSON(&rec, raw) == nil {
		for _, field := range rec.Features {
			fields = append(fields, field.Name)
		}
	}
	return fields
}
