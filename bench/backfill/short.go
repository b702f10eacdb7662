package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/bench/records"
	"github.com/fairstream/fairstream/pkg/backfill"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// short is a generated history of few records for its columns: normal numbers, of which a fifth speak, and one column of levels, which all do. A quarter of the
// records are of group b, whose labels are positive less often.
type short struct {
	name                            string
	records, numbers, levels, spare int
	warmup                          int // learner.warmup
}

// shorts are the histories of -short.
var shorts = []short{
	{"500 numbers, 5,000 records", 5000, 500, 0, 4000, 1000},
	{"2,000 levels, 3,000 records", 3000, 3, 2000, 20_000, 1000},
	{"500 numbers, 400 records", 400, 500, 0, 4000, 100},
	{"5 numbers, 5 levels, 100 records", 100, 5, 5, 20_000, 20},
}

// text is the records of a seed as CSV, those that are held out at the end.
func (s *short) text(seed uint64) string {
	random := rand.New(rand.NewPCG(seed, 7))
	weights, effects := make([]float64, s.numbers), make([]float64, s.levels)
	speaking := max(1, s.numbers/5)
	for i := range speaking {
		weights[i] = 1.5 * random.NormFloat64() / math.Sqrt(float64(speaking))
	}
	for i := range effects {
		effects[i] = random.NormFloat64()
	}
	var out strings.Builder
	for i := range s.numbers {
		fmt.Fprintf(&out, "x%d,", i)
	}
	if s.levels > 0 {
		out.WriteString("level,")
	}
	out.WriteString("attribute,label\n")
	for range s.records + s.spare {
		group, shift := "a", 0.
		if random.IntN(4) == 0 {
			group, shift = "b", 1
		}
		margin := -.2
		for i, w := range weights {
			x := random.NormFloat64()
			if i < speaking {
				x -= math.Copysign(shift/math.Sqrt(float64(speaking)), w)
			}
			margin += w * x
			out.WriteString(strconv.FormatFloat(x, 'f', 3, 64) + ",")
		}
		if s.levels > 0 {
			level := random.IntN(s.levels)
			margin += effects[level]
			out.WriteString("v" + strconv.Itoa(level) + ",")
		}
		label := "0"
		if random.Float64() < 1/(1+math.Exp(-margin)) {
			label = "1"
		}
		out.WriteString(group + "," + label + "\n")
	}
	return out.String()
}

// worth is what weights of a short history do on the records that were held out: without the constraint, and as published.
type worth struct {
	free, loss float64
	outcome
}

// few writes what one learner and a backfill make of short histories.
func few(out io.Writer, names string, tau float64, seeds int, first uint64) error {
	fmt.Fprintln(out, "| history | weights from | error without constraint | log loss without it | excess over one learner | error | difference | within tau |\n|---|---|---|---|---|---|---|---|")
	for i := range shorts {
		s := &shorts[i]
		if names != "" && !strings.Contains(s.name, names) {
			continue
		}
		var found [3][]worth
		for seed := range seeds {
			one, err := s.compare(tau, first+uint64(seed))
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			for k, w := range one {
				found[k] = append(found[k], w)
			}
		}
		for k, all := range found {
			var free, loss, beyond, errors, differences []float64
			within := 0
			for i, w := range all {
				free, loss, beyond = append(free, w.free), append(loss, w.loss), append(beyond, w.loss-found[0][i].loss)
				errors, differences = append(errors, w.error), append(differences, w.difference)
				if math.Abs(w.difference) <= tau {
					within++
				}
			}
			fmt.Fprintf(out, "| %s | %s | %s | %s | %s | %s | %s | %d of %d |\n", s.name, methods[k], mean(free), mean(loss), mean(beyond), mean(errors), mean(differences), within, len(all))
		}
	}
	return nil
}

// compare has one learner and a backfill learn the history of a seed.
func (s *short) compare(tau float64, seed uint64) (found [3]worth, err error) {
	of := set{record: record.Config{Label: record.Label{Field: "label", Positive: "1"}}, compare: model.Constraint{Name: "group",
		Attribute: model.OneOrMore{"attribute"}, Group: model.Values("a"), Versus: model.Values("b")}}
	config := of.config(tau, string(fairness.DemographicParity))
	config.Learner.Warmup = s.warmup
	all, err := records.All(config, strings.NewReader(s.text(seed)))
	if err != nil {
		return found, err
	}
	t := trial{of: &of, learnt: all[:s.records], held: all[s.records:]}
	alone, err := model.New(config)
	if err != nil {
		return found, err
	}
	for i := range t.learnt {
		alone.Learn(&t.learnt[i])
	}
	history := t.history(s.records)
	result, err := backfill.Run(context.Background(), backfill.Options{Model: config, Source: history})
	if err != nil {
		return found, err
	}
	for k, learner := range []*model.Learner{alone, result.Before, result.Learner} {
		w := &found[k]
		if w.outcome, err = measure(learner, t.held); err != nil {
			return found, err
		}
		free, _, err := learner.UnconstrainedDocument()
		if err != nil {
			return found, err
		}
		report, err := evaluate(free, t.held)
		if err != nil {
			return found, err
		}
		w.free, w.loss = 1-report.Accuracy.Value, report.LogLoss.Value
	}
	return found, nil
}

// evaluate has a document decide about records.
func evaluate(d *document.Document, held []record.Record) (r document.Report, err error) {
	e, err := document.NewEvaluation(d)
	if err != nil {
		return r, err
	}
	for i := range held {
		e.Add(&held[i])
	}
	return e.Report(), nil
}
