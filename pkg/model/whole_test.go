package model_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/goldentest"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestTheWholeOfALearner compares all that learners measure and publish with files: of every mode and kind of constraint, for decisions and predictions, from
// records whose labels come with them, late, never, or depend on the record, some of which are reserved.
func TestTheWholeOfALearner(t *testing.T) {
	configs := everyConfiguration()
	for name, c := range map[string]struct {
		of     string
		labels func(random *rand.Rand, r *record.Record) string // how the label of a record comes
	}{
		"together": {"adaptive/bins/several", func(*rand.Rand, *record.Record) string { return "with" }},
		"late": {"adaptive/piecewise-linear/one", func(random *rand.Rand, _ *record.Record) string {
			return []string{"with", "late", "late"}[random.IntN(3)]
		}},
		"selective": {"adaptive/bins/kinds", selective},
		"free":      {"unconstrained/bins/kinds", selective},
		"paper":     {"paper/bins/several", func(*rand.Rand, *record.Record) string { return "with" }},
		"numbers":   {"regression/adaptive/standardized/several", func(*rand.Rand, *record.Record) string { return "with" }},
		"rare":      {"regression/adaptive/bins/several", selective},
	} {
		t.Run(name, func(t *testing.T) {
			config := configs[c.of]
			if name == "late" || name == "numbers" {
				config.Evaluation.Share = .2
			}
			records := readRecords(t, config, peopleText(13, 1500))
			l, random := newLearner(t, config), rand.New(rand.NewPCG(13, 14))
			var text strings.Builder
			waiting := map[int]int{} // the record whose label comes after a record
			for i := range records {
				r := records[i]
				comes := c.labels(random, &r)
				if comes != "with" {
					r.HasLabel = false
				}
				var made model.Made
				switch comes {
				case "with":
					made = l.Learn(&r)
				case "late":
					made = l.Count(&r, int64(i+1))
					waiting[i+1+random.IntN(200)] = i
				default:
					made = l.Add(&r)
				}
				if late, due := waiting[i]; due {
					l.LearnLate(&records[late], int64(late+1))
				}
				if i%300 == 299 {
					text.WriteString(goldentest.Print(fmt.Sprintf("record %d", i+1), made))
				}
				if i == len(records)-1 {
					text.WriteString(goldentest.Print(fmt.Sprintf("measured after %d", i+1), l.Measurements()))
				}
			}
			d := documentOf(t, l)
			text.WriteString(goldentest.Print("document", []any{d.Task, d.Mode, d.Version, d.Records, d.Unlabelled, d.Weights, d.Label, d.Found, d.Measurements.Evaluation}))
			if d.Spread != nil {
				text.WriteString(goldentest.Print("spread", d.Spread.Columns[:2]))
			}
			if free, learnt, err := l.UnconstrainedDocument(); err != nil || learnt {
				text.WriteString(goldentest.Print("without constraints", []any{learnt, err == nil, free.Weights}))
			}
			goldentest.Compare(t, "whole-"+name+".txt", text.String())
		})
	}
}

// selective says that the label of a record comes more often where a column has a low value, and never otherwise.
func selective(random *rand.Rand, r *record.Record) string {
	if len(r.Features[0].Text) > 0 && r.Features[0].Text[0] < '4' || random.IntN(4) == 0 {
		return "with"
	}
	return "never"
}
