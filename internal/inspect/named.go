package inspect

import (
	"fmt"
	"slices"

	"github.com/fairstream/fairstream/internal/profile"
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
	add("record.label.time", c.Record.Label.Time)
	add("record.weight", c.Record.Weight)
	add("record.propensity", c.Record.Propensity)
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

const (
	// A field is judged by leastNamed records or more. The field of record.id should have a value of its own in nearly every record, leastOfID. That of
	// record.key is shared by a record, its label and a few corrections, so there should be leastOfKey different values for each record.
	leastNamed = 200
	leastOfID  = .9
	leastOfKey = .2
)

// identifiers finds fields that should tell records apart but have few different values.
func (s *search) identifiers() {
	few := func(field string, least float64) *profile.Column {
		c := s.column(field)
		if field == "" || c == nil || c.AtLeast || c.Values < leastNamed || float64(c.Distinct) >= least*float64(c.Values) {
			return nil
		}
		return c
	}
	if c := few(s.config.Record.ID, leastOfID); c != nil {
		s.add(false, "record.id", "%q has %s in %d records, and a monitor counts decisions with the same identifier once: name a field that has another value in every record",
			c.Name, different(c.Distinct), c.Values)
	}
	if c := few(s.config.Record.Key, leastOfKey); c != nil {
		s.add(false, "record.key", "%q has %s in %d records, so labels are joined to other records than their own, unless these are updates of a record: name the field that only a record and its label share",
			c.Name, different(c.Distinct), c.Values)
	}
}

const (
	// Records are of the same persons if an identifier of a person, which is no feature, has leastPerPerson records for each value, and mostPerPerson at most.
	leastPerPerson = 1.3
	mostPerPerson  = 50
)

// persons finds several records about one person where the configuration names no field for persons.
func (s *search) persons() {
	if s.cluster != "" {
		return
	}
	for _, c := range s.columns {
		if s.isLearnt(c.Name) || c.Name == s.config.Record.Key || c.Name == s.config.Record.ID || !profile.NamesPerson(c.Name) || c.Values < leastNamed || c.DistinctShare == 0 {
			continue
		}
		if each := 1 / c.DistinctShare; each >= leastPerPerson && each <= mostPerPerson {
			s.add(false, "record", "%q names each person in %.2g records on average. Records about one person are no independent evidence, so intervals become too narrow: name the field in monitor.cluster, and hold out persons rather than records", c.Name, each)
			return
		}
	}
}

func different(values int) string {
	if values == 1 {
		return "one value"
	}
	return fmt.Sprintf("%d different values", values)
}
