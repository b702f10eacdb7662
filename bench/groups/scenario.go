package main

import (
	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// scenario is a set of constraints.
type scenario struct {
	name, what  string
	constraints []model.Constraint
	// pair says that there is one constraint of two sides, with which the batch optimum is compared.
	pair bool
	// world is what records are drawn from; nil for the bundled ones.
	world *regions
}

func scenarios() []scenario {
	from := 40.0
	constraint := func(name, attribute string, criterion fairness.Criterion, tau float64, group, versus model.Group) model.Constraint {
		return model.Constraint{Name: name, Attribute: model.OneOrMore{attribute}, Group: group, Versus: versus, Criterion: criterion, Tau: tau}
	}
	sex := constraint("sex", "sex", fairness.DemographicParity, 0.05, model.Values("Male"), model.Values("Female"))
	ratio := sex
	ratio.Criterion, ratio.Tau = fairness.ImpactRatio, 0.8
	within := sex
	within.Strata = "occupation"
	age := constraint("age", "age", fairness.DemographicParity, 0.05, model.Group{{Range: &fairness.Range{From: &from}}}, nil)
	rest := constraint("race", "race", fairness.DemographicParity, 0.05, model.Values(model.Each), model.Values(model.Rest))
	region := model.Constraint{Name: "minority", Attribute: model.OneOrMore{"minority"}, Group: model.Values("no"), Versus: model.Values("yes"), Tau: 0.05}
	regional := region
	regional.Strata = "region"
	best := rest
	best.Versus = model.Values(model.Best)
	return []scenario{
		{"ratio", "Impact ratio by sex, at least 0.8", []model.Constraint{ratio}, true, nil},
		{"age", "Age from 40 against below, tau 0.05", []model.Constraint{age}, true, nil},
		{"each", "Each race against the rest, and sex, tau 0.05", []model.Constraint{rest, sex}, false, nil},
		{"best", "Each race against the best-treated one, and sex, tau 0.05", []model.Constraint{best, sex}, false, nil},
		{"strata", "Sex within occupation, tau 0.05", []model.Constraint{within}, true, nil},
		{"regions", "A minority of 8 % within 24 regions of a synthetic world, tau 0.05", []model.Constraint{regional}, true, &regions{}},
		{"minority", "The same minority across the regions, tau 0.05", []model.Constraint{region}, true, &regions{}},
	}
}

// config is that of a scenario. Race and sex are no features, whatever is compared.
func (s scenario) config() model.Config {
	if s.world != nil {
		return model.Config{Record: record.Config{Label: record.Label{Field: "label", Positive: "1"}}, Learner: model.DefaultLearner(), Constraints: s.constraints}.WithDefaults()
	}
	c := model.Config{Record: adult.RecordConfig(), Learner: model.DefaultLearner(), Constraints: s.constraints}
	c.Record.Ignore = append([]string(nil), c.Record.Ignore...)
	attributes := c.Attributes()
	for _, field := range []string{"sex", "race"} {
		if !contains(attributes, field) {
			c.Record.Ignore = append(c.Record.Ignore, field)
		}
	}
	return c.WithDefaults()
}

func contains(all []string, one string) bool {
	for _, text := range all {
		if text == one {
			return true
		}
	}
	return false
}
