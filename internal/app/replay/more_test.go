package replay

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
)

// changed are made records of which each has been changed: its cells, by the names of their columns, in the order of the header.
func changed(n int, header string, change func(i int, cells map[string]string)) string {
	names, wanted := []string{"age", "sex", "part", "paid", "pay"}, strings.Split(header, ",")
	text := header + "\n"
	for i, line := range strings.Split(strings.TrimSpace(madeRecords(n)), "\n")[1:] {
		row := strings.Split(line, ",")
		if len(row) != len(names) {
			continue
		}
		cells := map[string]string{}
		for k, name := range names {
			cells[name] = row[k]
		}
		change(i, cells)
		for k, name := range wanted {
			if k > 0 {
				text += ","
			}
			text += cells[name]
		}
		text += "\n"
	}
	return text
}

// TestMoreReplays: what is said of inputs and holdouts that are odd in some way, and of further ways to replay.
func TestMoreReplays(t *testing.T) {
	type flags = map[string]bool
	const columns = "age,sex,part,paid,pay"
	none := func(int, map[string]string) {}
	flip := map[string]string{"0": "1", "1": "0"}
	yes := map[string]string{"1": "yes", "0": "no"}
	keyed := strings.Replace(oneConstraint, "ignore: [pay]", "ignore: [pay], key: id, unlabelled: count", 1)
	for name, c := range map[string]struct {
		asked       Settings
		given       flags
		yaml        string
		relaxations []string
		set         []string
		header      string
		train, test func(i int, cells map[string]string)
		n, m        int // records that are learnt and held out
	}{
		"proxy": {asked: Settings{}, yaml: oneConstraint, header: columns + ",club", train: func(i int, cells map[string]string) {
			if cells["club"] = map[string]string{"M": "rugby", "F": "netball"}[cells["sex"]]; i%40 == 0 {
				cells["club"] = "chess"
			}
		}},
		"keyed": {asked: Settings{}, yaml: keyed, header: columns + ",id", train: func(i int, cells map[string]string) {
			if cells["id"] = fmt.Sprint("k", i); i%5 == 0 {
				cells["paid"] = ""
			}
		}},
		"other-way-round":       {asked: Settings{Holdout: "test.csv"}, yaml: oneConstraint, test: func(_ int, cells map[string]string) { cells["paid"] = flip[cells["paid"]] }},
		"held-out-of-one-label": {asked: Settings{Holdout: "test.csv"}, yaml: oneConstraint, test: func(_ int, cells map[string]string) { cells["paid"] = "0" }, m: 120},
		"held-out-positive":     {asked: Settings{Holdout: "test.csv"}, yaml: oneConstraint, test: func(_ int, cells map[string]string) { cells["paid"] = "1" }, m: 120},
		"held-out-few":          {asked: Settings{Holdout: "test.csv"}, yaml: oneConstraint, test: func(_ int, cells map[string]string) { cells["paid"] = "1" }, m: 60},
		"held-out-words":        {asked: Settings{Holdout: "test.csv"}, yaml: oneConstraint, test: func(_ int, cells map[string]string) { cells["paid"] = yes[cells["paid"]] }, m: 300},
		"held-out-unlabelled":   {asked: Settings{Holdout: "test.csv"}, yaml: oneConstraint, test: func(_ int, cells map[string]string) { cells["paid"] = "" }, m: 300},
		"most-held-out":         {asked: Settings{Holdout: "0.9"}, yaml: oneConstraint},
		"more-held-out":         {asked: Settings{Holdout: "test.csv"}, yaml: oneConstraint, test: none, n: 120, m: 2000},
		"two-files":             {asked: Settings{Inputs: []string{"train.csv", "test.csv"}, Holdout: "0.25", Page: "p.html"}, yaml: oneConstraint, test: none, m: 300},
		"no-constraints":        {asked: Settings{Holdout: "0.25"}, yaml: "record: {label: {field: paid, positive: 1}, ignore: [pay]}\n"},
		"no-constraints-folds":  {asked: Settings{Folds: 2}, given: flags{"folds": true}, yaml: "record: {label: {field: paid, positive: 1}, ignore: [pay]}\n"},
		"relaxation-folds":      {asked: Settings{Folds: 2, Page: "p.html"}, given: flags{"folds": true}, yaml: oneConstraint, relaxations: []string{"sigmoid", "mean-margin"}, n: 400},
		"relaxations-page":      {asked: Settings{Holdout: "0.25", Page: "p.html"}, yaml: oneConstraint, relaxations: []string{"sigmoid", "mean-margin"}, n: 400},
		"save":                  {asked: Settings{Holdout: "0.25", Save: "w.json", Orders: orders{Seed: 3}}, given: flags{"shuffle": true}, yaml: oneConstraint, n: 400},
		"time-of-labels-folds": {asked: Settings{Folds: 2}, given: flags{"folds": true}, yaml: strings.Replace(oneConstraint, "positive: 1}", "positive: 1, time: known}, time: {field: at}", 1), header: columns + ",at,known", train: func(i int, cells map[string]string) {
			cells["at"], cells["known"] = fmt.Sprintf("2024-01-%02dT00:00:00Z", 1+i*28/1500), "2024-02-01T00:00:00Z"
		}},
		"ages-of-labels": {asked: Settings{}, yaml: strings.Replace(oneConstraint, "positive: 1}", "positive: 1, time: known}, time: {field: at}", 1) + "stream: {labels: {age: 48h}}\n", header: columns + ",at,known", train: func(i int, cells map[string]string) {
			cells["at"], cells["known"] = fmt.Sprintf("2024-01-%02dT00:00:00Z", 1+i*28/1500), fmt.Sprintf("2024-01-%02dT00:00:00Z", 2+i*28/1500)
		}},
		"few": {asked: Settings{Holdout: "0.5"}, yaml: oneConstraint, n: 40},
	} {
		t.Run(name, func(t *testing.T) {
			golden := apptest.Golden(t)
			if c.train == nil {
				c.train = none
			}
			if c.header == "" {
				c.header = columns
			}
			if c.n == 0 {
				c.n = 1500
			}
			files := map[string]string{"train.csv": changed(c.n, c.header, c.train)}
			if c.test != nil {
				if c.m == 0 {
					c.m = 1000
				}
				files["test.csv"] = changed(c.m, c.header, c.test)
			}
			inDirectory(t, files)
			if c.asked.Inputs == nil {
				c.asked.Inputs = []string{"train.csv"}
			}
			golden("more-"+name+".txt", replayed(t, c.asked, c.given, c.yaml, nil, c.relaxations, c.set))
		})
	}
}

// ofAdults reads the bundled records.
const ofAdults = `record: {label: {field: income, positive: ">50K"}}
constraints: [{name: sex, attribute: sex, group: Male, versus: Female, tau: 0.05}]
`

// TestTheBundledRecords are learnt, held out and taken in turns like any others.
func TestTheBundledRecords(t *testing.T) {
	for name, c := range map[string]struct {
		asked Settings
		given map[string]bool
	}{
		"folds":  {Settings{Folds: 2}, map[string]bool{"folds": true}},
		"orders": {Settings{Folds: 2, Orders: orders{Seed: 1, Number: 2}}, map[string]bool{"folds": true, "orders": true, "shuffle": true}},
	} {
		t.Run(name, func(t *testing.T) {
			golden := apptest.Golden(t)
			inDirectory(t, nil)
			c.asked.Inputs = []string{input.Bundled}
			golden("bundled-"+name+".txt", replayed(t, c.asked, c.given, ofAdults, nil, nil, nil))
		})
	}
}

// full is a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

// TestWhatCannotBeWrittenOrRead is an error, and no result.
func TestWhatCannotBeWrittenOrRead(t *testing.T) {
	inDirectory(t, map[string]string{"in.csv": madeRecords(300), "cut.parquet": "PAR1 and no more", "c.yaml": oneConstraint})
	for name, c := range map[string]struct {
		asked Settings
		out   io.Writer
		says  string
	}{
		"JSON":              {Settings{Inputs: []string{"in.csv"}, JSON: true}, full{}, "the disk is full"},
		"words":             {Settings{Inputs: []string{"in.csv"}}, full{}, "the disk is full"},
		"JSON of folds":     {Settings{Inputs: []string{"in.csv"}, JSON: true, Folds: 2}, full{}, "the disk is full"},
		"words of folds":    {Settings{Inputs: []string{"in.csv"}, Folds: 2}, full{}, "the disk is full"},
		"an input":          {Settings{Inputs: []string{"cut.parquet"}}, io.Discard, "cut.parquet"},
		"an input of folds": {Settings{Inputs: []string{"cut.parquet"}, Folds: 2}, io.Discard, "cut.parquet"},
		"a holdout":         {Settings{Inputs: []string{"in.csv"}, Holdout: "cut.parquet"}, io.Discard, "cut.parquet"},
	} {
		r := New(&program.Streams{Out: c.out, Err: io.Discard}, c.asked)
		if err := r.CheckArguments(nil, nil, func(flag string) bool { return flag == "folds" && c.asked.Folds > 0 }); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		loaded, err := config.Load(config.Sources{Files: []string{"c.yaml"}, Adjust: r.Adjust}, config.Learning)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Configure(loaded.Config, []string{"c.yaml"}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := r.Run(t.Context()); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat("w.json"); err == nil {
		t.Error("weights were written")
	}
}
