package inspect

import (
	"fmt"
	"slices"

	"github.com/fairstream/fairstream/pkg/model"
)

// NamedField is a field that a key of the configuration names.
type NamedField struct{ Path, Field string }

// Named lists the fields that a configuration names, but for those that every record must have.
func Named(c model.Config) []NamedField {
	var named []NamedField
	add := func(path string, fields ...string) {
		for _, field := range fields {
			if n := (NamedField{path, field}); field != "" && field != "*" && !slices.Contains(named, n) {
				named = append(named, n)
			}
		}
	}
	add("record.features", c.Record.Features...)
	add("record.ignore", c.Record.Ignore...)
	add("record.id", c.Record.ID)
	add("record.weight", c.Record.Weight)
	add("record.time.field", c.Record.Time.Field)
	for i, constraint := range c.Constraints {
		add(fmt.Sprintf("constraints[%d].attribute", i), constraint.Attribute...)
		add(fmt.Sprintf("constraints[%d].strata", i), constraint.Strata)
	}
	for i, cross := range c.Learner.Crosses {
		add(fmt.Sprintf("learner.crosses[%d]", i), cross...)
	}
	columns := make([]string, 0, len(c.Learner.Columns))
	for column := range c.Learner.Columns {
		columns = append(columns, column)
	}
	slices.Sort(columns)
	add("learner.columns", columns...)
	return named
}
