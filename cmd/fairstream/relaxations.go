package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// parseRelaxations reads --relaxation. Several of them are compared at one tau.
func (r *replay) parseRelaxations(texts []string) error {
	for _, text := range texts {
		name, err := surrogate.Parse(text)
		if err != nil {
			return fmt.Errorf("--relaxation: %w", err)
		}
		if slices.Contains(r.relaxations, name) {
			return fmt.Errorf("--relaxation %s is given twice: remove one", name)
		}
		r.relaxations = append(r.relaxations, name)
	}
	switch {
	case len(r.relaxations) > 0 && len(r.taus) > 1:
		return errors.New("--relaxation compares relaxations at one bound: give one --tau with it")
	case len(r.relaxations) > 1 && r.save != "":
		return errors.New("--save keeps one document: give one --relaxation with it")
	}
	return nil
}

// adjust puts --relaxation and --tau on the constraints before the configuration is checked: a threshold is checked
// against the relaxation that it is for, and --tau may be the only tau. Of several values it takes the first; the
// learners check the others.
func (r *replay) adjust(c *config.Config) {
	constraints := slices.Clone(c.Constraints)
	for i := range constraints {
		if !constraints[i].Enforced() {
			continue
		}
		if len(r.relaxations) > 0 {
			constraints[i].Relaxation = r.relaxations[0]
		}
		if len(r.taus) > 0 && constraints[i].Tau == 0 {
			constraints[i].Tau = r.taus[0]
		}
	}
	c.Constraints = constraints
}

// relaxed are the configurations of several relaxations, at the given bound if there is one.
func relaxed(base model.Config, names []surrogate.Name, taus []float64) ([]model.Config, error) {
	if !slices.ContainsFunc(base.Constraints, model.Constraint.Enforced) {
		return nil, errors.New("--relaxation changes enforced constraints, and the configuration has none: add one under constraints")
	}
	var configs []model.Config
	for _, name := range names {
		configs = append(configs, withEnforced(base, func(c *model.Constraint) {
			c.Relaxation = name
			if len(taus) > 0 {
				c.Tau = taus[0]
			}
		}))
	}
	return configs, nil
}

// variants is how many configurations are learnt side by side.
func (r *replay) variants() int { return max(1, len(r.taus), len(r.relaxations)) }

// variant is what the command line gave for the i-th configuration.
func (r *replay) variant(i int) (tau *float64, relaxation surrogate.Name) {
	switch {
	case len(r.relaxations) > 0:
		relaxation = r.relaxations[i]
		if len(r.taus) > 0 {
			tau = &r.taus[0]
		}
	case len(r.taus) > 0:
		tau = &r.taus[i]
	}
	return tau, relaxation
}
