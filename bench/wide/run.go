package main

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"time"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// result is what one seed of a world gave.
type result struct {
	batch, learner quality
	peers          peers   // if there is a Python
	early, way     float64 // log loss on the way, after earlyRecords and at the end
	constant       float64 // log loss of the better constant
	few            float64 // 1 if there were few records for the weights in use
	speed          float64 // records a second
	memory         float64 // MiB on the heap after learning
}

const (
	earlyRecords = 2000
	heldOut      = 4000
)

// options are who else learns, whether a constraint is enforced, and whether fields are declared categorical.
type options struct {
	constraint, categorical, alone bool
	python                         string // interpreter of the peers, "" for none
}

// once draws a world, learns its records in one pass, and measures all learners on records held out.
func once(w world, seed uint64, records int, o options) (result, error) {
	random := rand.New(rand.NewPCG(seed, 7))
	draw := w.start(random)
	fresh := heldOut
	if w.records > 0 {
		fresh = w.records / heldShare
		records = w.records - fresh
	}
	learnt, held := make([]sample, records), make([]sample, fresh)
	for i := range learnt {
		learnt[i] = draw()
		learnt[i].group = random.IntN(2) == 0
	}
	for i := range held {
		held[i] = draw()
	}
	var r result
	if !o.alone {
		r.batch = batch(w.columns, learnt, held)
	}
	if o.python != "" {
		var err error
		if r.peers, err = compare(context.Background(), o.python, learnt, held); err != nil {
			return r, err
		}
	}
	c := config(o.constraint)
	if o.categorical {
		c.Learner.Columns = declared(learnt)
	}
	l, err := model.New(c)
	if err != nil {
		return r, err
	}
	before := heap()
	started := time.Now()
	for i := range learnt {
		one := learnt[i].record(o.constraint)
		l.Learn(&one)
		if i+1 == earlyRecords {
			r.early = l.Report().LogLoss.Value
		}
	}
	r.speed = float64(records) / time.Since(started).Seconds()
	r.memory = heap() - before
	for _, c := range l.Measurements().Conditions {
		if c.Code == document.FewRecordsPerWeight {
			r.few = 1
		}
	}
	report := l.Report()
	r.way = report.LogLoss.Value
	p := report.PositiveLabels.Value
	r.constant = -p*math.Log(p) - (1-p)*math.Log(1-p)
	for i := range held {
		one := held[i].record(o.constraint)
		r.learner.add(l.Margin(&one), held[i].positive, len(held))
	}
	runtime.KeepAlive(learnt)
	return r, nil
}

// config is the default one, with or without a constraint on two groups that are drawn by a coin.
func config(constraint bool) model.Config {
	c := model.Config{Record: record.Config{Label: record.Label{Field: "label", Positive: "1"}}, Learner: model.DefaultLearner()}
	if constraint {
		c.Constraints = []model.Constraint{{Name: "group", Attribute: model.OneOrMore{"group"}, Group: model.Values("a"), Versus: model.Values("b"), Tau: 0.05}}
	} else {
		c.Learner.Mode = model.Unconstrained
	}
	return c
}

// declared declares the fields of samples that are named by a number categorical.
func declared(samples []sample) map[string]features.ColumnConfig {
	columns := map[string]features.ColumnConfig{}
	for i := range samples {
		for _, f := range samples[i].fields {
			if strings.HasPrefix(f.Name, name(0)[:1]) {
				columns[f.Name] = features.ColumnConfig{Type: features.Categorical}
			}
		}
	}
	return columns
}

func (s *sample) record(constraint bool) record.Record {
	r := record.Record{HasLabel: true, Positive: s.positive, Weight: 1, Features: s.fields}
	if s.table != nil {
		r.Features = s.table.fields(s.line)
	}
	if constraint {
		group := "b"
		if s.group {
			group = "a"
		}
		r.Attributes = []record.Value{{Text: []byte(group)}}
	}
	return r
}

// heap is the memory in use, in MiB.
func heap() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / (1 << 20)
}
