package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/bench/population"
	"github.com/fairstream/fairstream/bench/synthetic"
	"github.com/fairstream/fairstream/pkg/model"
)

// drawnFrom is what streams are drawn from.
type drawnFrom struct {
	name   string
	looks  []int // records after which the document is looked at
	config func(tau float64) model.Config
	open   func(c model.Config) (population.Source, error)
}

// populations are the Adult records, also with few women, and worlds that differ in the size of a group, base rates and how well features tell
// labels and groups apart. Their first look is at some 200 records of the smaller side.
func populations() []drawnFrom {
	all := []drawnFrom{{"adult", []int{10_000, 20_000, 40_000}, population.AdultConfig, population.Adult}}
	for _, w := range []struct {
		name  string
		world synthetic.World
		first int
	}{
		{"world: equal groups", synthetic.World{Share: .5, BaseA: .5, BaseB: .25, Separation: 1.2, Proxy: 1}, 2000},
		{"world: a tenth", synthetic.World{Share: .1, BaseA: .5, BaseB: .25, Separation: 1.2, Proxy: 1}, 2000},
		{"world: clear labels", synthetic.World{Share: .5, BaseA: .5, BaseB: .25, Separation: 2, Proxy: .5}, 2000},
		{"world: clear groups", synthetic.World{Share: .5, BaseA: .8, BaseB: .4, Separation: 1, Proxy: 2}, 2000},
		{"world: a favoured tenth", synthetic.World{Share: .1, BaseA: .2, BaseB: .5, Separation: 1, Proxy: 2}, 2000},
		{"world: rare positives", synthetic.World{Share: .3, BaseA: .1, BaseB: .05, Separation: 2, Proxy: 1}, 2000},
	} {
		all = append(all, drawnFrom{w.name, []int{w.first, 10_000, 40_000}, synthetic.Config, func(model.Config) (population.Source, error) {
			return population.World(w.world), nil
		}})
	}
	return append(all, drawnFrom{"minority of 8 %", []int{10_000, 20_000}, population.AdultConfig, func(c model.Config) (population.Source, error) {
		s, err := population.Adult(c)
		return s.Minority("Female", .08), err
	}})
}

// fromFile is a CSV file with the columns label and attribute.
func fromFile(path, group, versus, at string) (p drawnFrom, err error) {
	p = drawnFrom{name: filepath.Base(path), config: func(tau float64) model.Config { return population.FileConfig(tau, group, versus) }}
	for text := range strings.SplitSeq(at, ",") {
		records, err := strconv.Atoi(text)
		if err != nil || records < 1 {
			return p, fmt.Errorf("-at: %q is not a number of records", text)
		}
		p.looks = append(p.looks, records)
	}
	p.open = func(c model.Config) (s population.Source, err error) {
		file, err := os.Open(path)
		if err != nil {
			return s, err
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		return population.File(c, file)
	}
	return p, nil
}
