package main

import (
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/record"
)

// What a monitor says of equal opportunity, about the decisions as they were made: one that is told what labelled records stand for, and one that
// is not.

// lookEvery is after how many records the sequence is looked at.
const lookEvery = 512

// opportunity is the index of the comparison.
const opportunity = 1

// watched is what a monitor said in one stream.
type watched struct {
	estimate  fairness.Estimate // at the end
	truth     float64           // then, by the labels of all records
	estimable bool              // it had a sequence at some look
	missed    bool              // a sequence did not contain the truth of its moment
	met       bool              // a sequence was within tau
	falsely   bool              // a verdict, met or violated, was not true
	alarms    int
}

// watch is two monitors of one stream.
type watch struct {
	monitors [2]*monitor.Monitor // weighed, bare
	results  [2]watched
	records  int
	// sides are the decisions on records with a positive label, of the group and of versus; since are those when weighing began.
	sides, since [2]fairness.Count
	weighs       bool
	decision     monitor.Decision
	all          []fairness.Side
	grouper      *fairness.Grouper
}

func newWatch(g *fairness.Grouper) (*watch, error) {
	w := &watch{grouper: g, all: make([]fairness.Side, len(g.Comparisons()))}
	for i := range w.monitors {
		m, err := monitor.New(monitor.Config{Grouper: g})
		if err != nil {
			return nil, err
		}
		w.monitors[i] = m
	}
	return w, nil
}

// observe takes in a record, and its label if that came with it.
func (w *watch) observe(made model.Made, r *record.Record, levels []fairness.Level, labelled bool) {
	if !made.Known {
		return
	}
	w.fill(made, r, levels, labelled)
	if r.Positive {
		w.grouper.Sides(w.all, levels, true)
		if side := w.all[opportunity]; side == fairness.Group || side == fairness.Versus {
			w.sides[side-fairness.Group].Add(w.decision.Positive, 1)
		}
	}
	w.each(made, (*monitor.Monitor).Observe)
	if w.records++; w.records%lookEvery == 0 {
		w.look()
	}
}

// label takes in a label that came later.
func (w *watch) label(p *pending, learnt model.Made) {
	if !p.made.Known {
		return
	}
	w.fill(p.made, &p.record, p.levels, true)
	w.each(learnt, (*monitor.Monitor).Label)
}

func (w *watch) fill(made model.Made, r *record.Record, levels []fairness.Level, labelled bool) {
	d := made.Decision()
	w.decision = monitor.Decision{Levels: levels, Positive: d.Positive, Score: d.Score, Labelled: labelled, Label: labelled && r.Positive}
}

func (w *watch) each(made model.Made, give func(*monitor.Monitor, *monitor.Decision)) {
	for i, m := range w.monitors {
		if w.decision.Weight = 0; i == 0 {
			w.decision.Weight = made.Weight
		}
		give(m, &w.decision)
	}
	if !w.weighs && w.monitors[0].Weighs() {
		w.weighs, w.since = true, w.sides
	}
}

// truth is the difference of the decisions that a monitor speaks of, by the labels of all records.
func (w *watch) truth(i int) float64 {
	rate := func(side int) float64 {
		n := w.sides[side]
		if i == 0 && w.weighs {
			n.Weight -= w.since[side].Weight
			n.PositiveWeight -= w.since[side].PositiveWeight
		}
		return n.PositiveWeight / n.Weight
	}
	return rate(0) - rate(1)
}

func (w *watch) look() {
	for i, m := range w.monitors {
		r := &w.results[i]
		s, truth := m.Report().Comparisons[opportunity].Sequence, w.truth(i)
		if s.Status == fairness.NotEstimable {
			continue
		}
		tau := w.grouper.Comparisons()[opportunity].Tau
		r.estimable = true
		r.missed = r.missed || truth < s.Lo || truth > s.Hi
		r.met = r.met || s.Status == fairness.Met
		r.falsely = r.falsely || s.Status == fairness.Met && (truth < -tau || truth > tau) || s.Status == fairness.Violated && truth >= -tau && truth <= tau
	}
}

func (w *watch) end() []watched {
	for i, m := range w.monitors {
		r := &w.results[i]
		r.estimate, r.truth = m.Report().Comparisons[opportunity].All, w.truth(i)
		for _, e := range m.Events(0) {
			if e.Kind == monitor.AlarmRaised && e.Comparison == opportunity {
				r.alarms++
			}
		}
	}
	return w.results[:]
}
