package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/fairstream/fairstream/bench/population"
	"github.com/fairstream/fairstream/bench/synthetic"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// scenario is a stream and what should be said of it.
type scenario struct {
	name    string
	records int
	config  model.Config
	// causes are the conditions that name what is wrong; none if nothing is.
	causes []document.ConditionCode
	open   func(c model.Config) (population.Source, error)
}

// small are the conditions that say that there are too few records for this tau.
var small = []document.ConditionCode{document.Imprecise, document.BelowSamplingError, document.TooFewRecords}

func cases(data string) []scenario {
	adult := func(tau float64) model.Config { return population.AdultConfig(tau) }
	steady := synthetic.World{Share: .4, BaseA: .5, BaseB: .25, Separation: 1.2, Proxy: 1}
	reversed := steady
	reversed.BaseA, reversed.BaseB = steady.BaseB, steady.BaseA
	all := []scenario{
		{"steady adult", 40_000, adult(.05), nil, population.Adult},
		{"steady world", 40_000, synthetic.Config(.05), nil, func(model.Config) (population.Source, error) { return population.World(steady), nil }},
		{"missing at random adult", 40_000, adult(.05), nil, lacking(func(*record.Record) float64 { return .3 })},
	}
	for _, length := range []int{4096, 8192, 16384} {
		all = append(all, scenario{fmt.Sprintf("laws alternate after %d", length), 4*16384 + length, synthetic.Config(.05), []document.ConditionCode{document.Unsteady},
			func(model.Config) (population.Source, error) {
				return population.Alternating(steady, reversed, length), nil
			}})
	}
	for _, share := range []float64{.005, .01} {
		all = append(all, scenario{fmt.Sprintf("group of %g adult", share), 13_000, adult(.05), small, func(c model.Config) (population.Source, error) {
			s, err := population.Adult(c)
			return s.Minority("Female", share), err
		}})
	}
	tiny := synthetic.World{Share: .01, BaseA: .5, BaseB: .25, Separation: 1.2, Proxy: 1}
	all = append(all,
		scenario{"group of 0.01 world", 10_000, synthetic.Config(.05), small, func(model.Config) (population.Source, error) { return population.World(tiny), nil }},
		scenario{"tau below sampling error adult", 4000, adult(.01), small, population.Adult},
		scenario{"tau below sampling error world", 5000, synthetic.Config(.02), small, func(model.Config) (population.Source, error) { return population.World(steady), nil }},
		scenario{"biased missing women", 40_000, adult(.05), []document.ConditionCode{document.MissingWithBias}, lacking(func(r *record.Record) float64 {
			if r.Positive && population.Is(r, "Female") {
				return .7
			}
			return .27
		})},
		scenario{"biased missing men", 40_000, adult(.05), []document.ConditionCode{document.MissingWithBias}, lacking(func(r *record.Record) float64 {
			if !r.Positive && population.Is(r, "Male") {
				return .5
			}
			return .1
		})},
	)
	if data != "" {
		all = append(all, scenario{"tau below sampling error compas", 5000, population.FileConfig(.02, "African-American", "Caucasian"), small,
			func(c model.Config) (population.Source, error) {
				file, err := os.Open(filepath.Join(data, "compas.csv"))
				if err != nil {
					return population.Source{}, err
				}
				defer file.Close() //nolint:errcheck // it was only read
				return population.File(c, file)
			}})
	}
	return all
}

// lacking draws Adult records that lack the attribute with a probability.
func lacking(probability func(r *record.Record) float64) func(c model.Config) (population.Source, error) {
	return func(c model.Config) (population.Source, error) {
		s, err := population.Adult(c)
		return s.Lacking(probability), err
	}
}
