package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/release"
)

// What releases make of a version that is worse on all records, and better on those that have a label.

const (
	// learntBefore is how many records are learnt before the candidate is frozen.
	learntBefore = 8_000
	// flippedOften and flippedSeldom are the shares of decisions that the stable version turns where labels are many, and the candidate where they
	// are few.
	flippedOften, flippedSeldom = .06, .12
)

// trial is what became of a candidate.
type trial struct {
	promoted, promotedBare bool    // with weights, and by the labelled records as they are
	all, labelled          float64 // by how much more the candidate errs: on all records that came, and on the labelled ones
}

// releases prints how often such a candidate became stable.
func (p *plan) releases(w io.Writer, only string) error {
	for _, s := range selections {
		if s.name != "by education" && s.name != "by own decision" || only != "" && !strings.Contains(";"+only+";", ";"+s.name+";") {
			continue
		}
		trials, err := parallel(p.streams, func(i int) (trial, error) { return p.try(&s, p.seed+uint64(i)) })
		if err != nil {
			return err
		}
		var promoted, bare, all, labelled fairness.Moments
		for _, t := range trials {
			promoted.Add(hit(t.promoted), 1)
			bare.Add(hit(t.promotedBare), 1)
			all.Add(t.all, 1)
			labelled.Add(t.labelled, 1)
		}
		n := float64(p.streams)
		fmt.Fprintf(w, "%s: errs more on all records by %.4f, on labelled ones by %.4f; became stable in %.4f (%.4f) of %d streams, without weights in %.4f\n",
			s.name, all.Mean, labelled.Mean, promoted.Mean, math.Sqrt(promoted.Squares/max(1, n-1)/n), p.streams, bare.Mean)
	}
	return nil
}

// try learns a stream, and has two machines judge the candidate: one is told what labelled records stand for, and the other is not.
func (p *plan) try(s *selection, seed uint64) (t trial, err error) {
	config, off := p.config, false
	config.Constraints = slices.Clone(config.Constraints)
	for i := range config.Constraints {
		config.Constraints[i].Enforce = &off // losses alone decide
	}
	learner, err := model.New(config)
	if err != nil {
		return t, err
	}
	random, chance, flips := rand.New(rand.NewPCG(seed, 1)), rand.New(rand.NewPCG(seed, 2)), rand.New(rand.NewPCG(seed, 3))
	var machines [2]*release.Machine
	var base *document.Scorer
	var came, labels float64
	for at := range learntBefore + p.records {
		r := p.from.Draw(random, at)
		a := applicantOf(&r)
		a.accepted = !learner.Ready() || learner.Decide(&r).Positive
		known := s.comes(chance, a)
		if at == learntBefore {
			if base, err = scorer(learner); err == nil {
				machines, err = judges(learner.Grouper())
			}
			if err != nil {
				return t, err
			}
		}
		bare, made := r, model.Made{}
		if bare.HasLabel, bare.Positive = false, false; known {
			if s.own {
				r.Propensity = s.known(a)
			}
			made = learner.Learn(&r)
		} else {
			learner.Add(&bare)
		}
		if base == nil {
			continue
		}
		stable, candidate := turned(base, &r, s.known(a), flips)
		came++
		t.all += hit(candidate.Positive != r.Positive) - hit(stable.Positive != r.Positive)
		if known {
			labels++
			t.labelled += hit(candidate.Positive != r.Positive) - hit(stable.Positive != r.Positive)
		}
		for i, m := range machines {
			promoted := [2]*bool{&t.promoted, &t.promotedBare}[i]
			if *promoted || m == nil {
				continue
			}
			seen := release.Record{Number: int64(at) + 1, Levels: learner.LastLevels(), Labelled: known, Label: known && r.Positive}
			if i == 0 {
				seen.Weight = made.Weight
			}
			for _, v := range m.Wanted() {
				seen.Decisions = append(seen.Decisions, map[bool]release.Decision{true: stable, false: candidate}[v == version(1)])
			}
			m.Observe(&seen)
			for _, step := range m.Steps() {
				*promoted = *promoted || step.Kind == release.Promoted && step.Version == version(2)
				if step.Kind == release.Rejected {
					machines[i] = nil
				}
			}
		}
	}
	t.all /= came
	t.labelled /= labels
	return t, nil
}

func scorer(l *model.Learner) (*document.Scorer, error) {
	d, err := l.Document()
	if err != nil {
		return nil, err
	}
	return d.Scorer()
}

func version(n int) release.Version {
	return release.Version{Term: 1, Version: int64(n), SHA256: fmt.Sprintf("%064x", n)}
}

// judges are machines with a stable version and a candidate. Nothing is enforced, so losses alone decide.
func judges(g *fairness.Grouper) (machines [2]*release.Machine, err error) {
	for i := range machines {
		m, err := release.New(release.Config{}, g)
		if err != nil {
			return machines, err
		}
		if err := m.Command(release.Command{ID: "1", Action: release.Promote, Version: version(1), Actor: "study", Reason: "the beginning"}); err != nil {
			return machines, err
		}
		m.Offer(version(2), release.Integrity{GoldenRows: 8, GoldenEqual: 8, Bytes: 1000})
		m.Steps()
		machines[i] = m
	}
	return machines, nil
}

// turned are the decisions of the two versions: those of one document, of which a share is turned where labels are many, and where they are few.
func turned(base *document.Scorer, r *record.Record, known float64, flips *rand.Rand) (stable, candidate release.Decision) {
	d := document.NewDecision(base.Margin(r), 0)
	own := release.Decision{Known: true, Positive: d.Positive, Score: d.Score}
	other := release.Decision{Known: true, Positive: !d.Positive, Score: 1 - d.Score}
	stable, candidate = own, own
	switch u := flips.Float64(); {
	case known > .5 && u < flippedOften:
		stable = other
	case known <= .5 && u < flippedSeldom:
		candidate = other
	}
	return stable, candidate
}
