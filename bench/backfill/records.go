package main

import (
	"bytes"
	"errors"
	"io"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// config is that of the bundled records, at a bound.
func config(tau float64, criterion string) model.Config {
	c := adult.DefaultConstraint()
	return model.Config{Record: adult.RecordConfig(), Learner: model.DefaultLearner(), Constraints: []model.Constraint{{
		Name: c.Name, Attribute: model.OneOrMore{c.Attribute}, Group: model.Values(c.Group), Versus: model.Values(c.Versus),
		Criterion: fairness.Criterion(criterion), Tau: tau}}}
}

// load decodes the bundled records.
func load(c model.Config) (records []record.Record, err error) {
	text, err := io.ReadAll(adult.Open())
	if err != nil {
		return nil, err
	}
	schema, err := c.Schema()
	if err != nil {
		return nil, err
	}
	decoder := schema.NewDecoder()
	reader, err := record.NewReader(bytes.NewReader(text), record.CSV, record.Limits{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	for {
		var r record.Record
		err := reader.Read(decoder, &r)
		if errors.Is(err, io.EOF) {
			return records, nil
		}
		if err != nil {
			return nil, err
		}
		r.Keep(nil)
		records = append(records, r)
	}
}
