package main

import (
	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// constraintSets are the names of what can be asked for at once.
var constraintSets = []string{"sex", "race-and-sex", "intersections", "four-intersections"}

// pair is one comparison of groups; attributes are separate terms.
type pair struct {
	name                      string
	attributes, group, versus []string
}

func pairOf(name, attribute, group, versus string) pair {
	return pair{name, []string{attribute}, []string{group}, []string{versus}}
}

// pairs returns the comparisons of a set.
func pairs(set string) []pair {
	all := []pair{pairOf("sex", "sex", "Male", "Female")}
	if set == "sex" {
		return all
	}
	all = append(all, pairOf("White", "race", "White", "rest"), pairOf("Black", "race", "Black", "rest"))
	if set == "race-and-sex" {
		return all
	}
	if set == "four-intersections" {
		all = nil
	}
	for _, race := range []string{"White", "Black"} {
		for _, sex := range []string{"Male", "Female"} {
			all = append(all, pair{race + " " + sex, []string{"race", "sex"}, []string{race, sex}, []string{"rest"}})
		}
	}
	return all
}

// config is that of one row of the table. No attribute is a feature.
func (o options) config(tau float64, relaxation surrogate.Name) model.Config {
	c := model.Config{Record: adult.RecordConfig(), Learner: model.DefaultLearner()}
	bound := tau
	if tau == 0 {
		c.Learner.Mode = model.Unconstrained
		bound = .05
	}
	for _, p := range pairs(o.constraints) {
		c.Constraints = append(c.Constraints, model.Constraint{
			Name: p.name, Attribute: p.attributes, Group: model.Values(p.group...), Versus: model.Values(p.versus...),
			Criterion: o.criterion, Tau: bound, Relaxation: relaxation,
		})
	}
	o.set(&c)
	return c
}
