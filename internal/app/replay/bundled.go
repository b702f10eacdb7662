package replay

import (
	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
)

// BundledConfig is the configuration for the bundled records, if no configuration is given.
func BundledConfig() *config.Config {
	c := config.Default()
	constraint := adult.DefaultConstraint()
	c.Job = "adult"
	c.Record = adult.RecordConfig()
	c.Constraints = []model.Constraint{{
		Name:      constraint.Name,
		Attribute: model.OneOrMore{constraint.Attribute},
		Group:     model.Values(constraint.Group),
		Versus:    model.Values(constraint.Versus),
		Criterion: fairness.Criterion(constraint.Criterion),
		Tau:       constraint.Tau,
	}}
	return &c
}
