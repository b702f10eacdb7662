package model_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// adultConfig is the configuration of the first command.
func adultConfig(mode model.Mode) model.Config {
	return model.Config{Record: adult.RecordConfig(), Learner: learnerConfig(mode), Constraints: []model.Constraint{{
		Name: "sex", Attribute: model.OneOrMore{"sex"}, Group: model.OneOrMore{"Male"}, Versus: model.OneOrMore{"Female"},
		Tau: .05, Threshold: 2,
	}}}
}

func learnerConfig(mode model.Mode) model.LearnerConfig {
	c := model.DefaultLearner()
	c.Mode = mode
	return c
}

// adultRecords decodes the bundled records.
func adultRecords(tb testing.TB) []record.Record {
	tb.Helper()
	text, err := io.ReadAll(adult.Open())
	if err != nil {
		tb.Fatal(err)
	}
	return readRecords(tb, adultConfig(model.Adaptive), string(text))
}

// readRecords decodes a CSV file; the records share nothing.
func readRecords(tb testing.TB, config model.Config, text string) []record.Record {
	tb.Helper()
	schema, err := config.Schema()
	if err != nil {
		tb.Fatal(err)
	}
	decoder := schema.NewDecoder()
	reader, err := record.NewReader(bytes.NewReader([]byte(text)), record.CSV, record.Limits{})
	if err != nil {
		tb.Fatal(err)
	}
	var records []record.Record
	for {
		var r record.Record
		err := reader.Read(decoder, &r)
		if err == io.EOF {
			return records
		}
		if err != nil {
			tb.Fatal(err)
		}
		for i := range r.Features {
			r.Features[i].Text = bytes.Clone(r.Features[i].Text)
		}
		for i := range r.Attributes {
			r.Attributes[i].Text = bytes.Clone(r.Attributes[i].Text)
		}
		records = append(records, r)
	}
}

func BenchmarkLearn(b *testing.B) {
	records := adultRecords(b)
	for _, mode := range []model.Mode{model.Adaptive, model.Unconstrained, model.Paper} {
		b.Run(string(mode), func(b *testing.B) {
			l, err := model.New(adultConfig(mode))
			if err != nil {
				b.Fatal(err)
			}
			for i := range records {
				l.Learn(&records[i])
			}
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				l.Learn(&records[i%len(records)])
			}
		})
	}
}
