package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/pkg/model"
)

func (r *replay) parseTaus(texts []string, given bool) error {
	if given && len(texts) == 0 {
		return errors.New("--tau is empty: give numbers above 0, such as 0.02,0.05,0.10")
	}
	for _, text := range texts {
		tau, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !(tau > 0 && tau <= math.MaxFloat64) {
			return fmt.Errorf("--tau %s: give numbers above 0, such as 0.02,0.05,0.10", text)
		}
		r.taus = append(r.taus, tau)
	}
	if r.save != "" && len(r.taus) > 1 {
		return errors.New("--save keeps one document: give one --tau with it")
	}
	return nil
}

// findSources finds out what --input and --holdout name. --format is of standard input if one of them is that,
// and of both otherwise.
func (r *replay) findSources() error {
	format := func(name string) string {
		if name != input.StandardInput && (r.input == input.StandardInput || r.holdout == input.StandardInput) {
			return ""
		}
		return r.format
	}
	if r.input == input.StandardInput && r.holdout == input.StandardInput {
		return errors.New("--input and --holdout are both standard input: name a file for one of them")
	}
	var badInput, badHoldout error
	if r.input == input.Bundled {
		r.train, r.test = input.PartOfBundled(false), input.PartOfBundled(true)
	} else {
		r.train, badInput = input.NewSource(r.input, format(r.input), r.In)
	}
	if r.holdout == input.Bundled {
		badHoldout = errors.New("--holdout adult: the bundled records are for --input, which holds out every fifth of them: name a file")
	} else if r.holdout != "" {
		r.test, badHoldout = input.NewSource(r.holdout, format(r.holdout), r.In)
		r.train.Takes = nil // with a holdout of its own the input is learnt from whole
	}
	return errors.Join(badInput, badHoldout)
}

// prepare makes the learners. What is wrong then is the configuration.
func (r *replay) prepare() error {
	r.learners = nil
	configs, err := r.configs()
	if err != nil {
		return err
	}
	for _, c := range configs {
		for range max(1, r.folds) {
			learner, err := model.New(c)
			if err != nil {
				return err
			}
			r.learners = append(r.learners, learner)
		}
	}
	// Taus change no schema, so all learners may share the records of one.
	r.schema, err = configs[0].Schema()
	return err
}

// configs returns the configuration of each learner.
func (r *replay) configs() ([]model.Config, error) {
	base := r.config.Model()
	if len(r.relaxations) > 0 {
		return relaxed(base, r.relaxations, r.taus)
	}
	if len(r.taus) == 0 {
		return []model.Config{base}, nil
	}
	if len(base.Constraints) == 0 {
		return nil, errors.New("--tau bounds constraints, and the configuration has none: add one under constraints")
	}
	if err := oneKindOfTau(base.Constraints); err != nil {
		return nil, err
	}
	var configs []model.Config
	for _, tau := range r.taus {
		if tau >= 1 && base.Learner.Task == model.Classification {
			return nil, fmt.Errorf("--tau %v: give numbers between 0 and 1, such as 0.02,0.05,0.10", tau)
		}
		configs = append(configs, withEnforced(base, func(c *model.Constraint) { c.Tau = tau }))
	}
	return configs, nil
}

// withEnforced is a configuration whose enforced constraints are changed.
func withEnforced(base model.Config, change func(*model.Constraint)) model.Config {
	c := base
	c.Constraints = append([]model.Constraint(nil), base.Constraints...)
	for i := range c.Constraints {
		if c.Constraints[i].Enforced() {
			change(&c.Constraints[i])
		}
	}
	return c
}

// oneKindOfTau says if --tau would be a difference for some constraints and a ratio for others.
func oneKindOfTau(constraints []model.Constraint) error {
	var difference, ratio string
	for _, c := range constraints {
		switch {
		case !c.Enforced():
		case c.Criterion.OfRatio():
			ratio = c.Name
		default:
			difference = c.Name
		}
	}
	if difference != "" && ratio != "" {
		return fmt.Errorf("--tau is a largest difference for %s and a least ratio for %s: set enforce: false of one of them, or give tau in the configuration", difference, ratio)
	}
	return nil
}
