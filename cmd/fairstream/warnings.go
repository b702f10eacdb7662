package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// warn tells of what is not wrong but probably not meant: labels that are all alike, fields that the
// configuration names and the input has not, and groups of nobody.
func (r *replay) warn(p *pass, seen *labels) {
	warn := func(format string, arguments ...any) {
		english.Fprintf(r.err, "Warning: "+format+"\n", arguments...)
	}
	switch {
	case seen.differ:
	case r.config.Learner.Task == model.Regression:
		warn("every label is the same number: is record.label.field the one to predict?")
	case seen.first.Positive:
		warn("every record is positive: is record.label.positive written as in %s?", p.source.name)
	default:
		warn("no record is positive: is record.label.positive written as in %s?", p.source.name)
	}
	has := func(name string) bool {
		return slices.ContainsFunc(p.fields, func(field string) bool { return field == name || strings.HasPrefix(field, name+".") })
	}
	for _, named := range r.namedFields() {
		if len(p.fields) > 0 && !has(named.field) {
			warn("%s: %s has no field %q%s", named.path, p.source.name, named.field, meant(named.field, p.fields))
		}
	}
	r.warnGroups(has, warn, p.source.name)
}

// warnGroups tells of attributes that are always missing, and of groups of which there is no record while there
// are records with values that no group has, as when a value is written in another way than in the input.
func (r *replay) warnGroups(has func(field string) bool, warn func(format string, arguments ...any), input string) {
	for _, e := range r.learners[0].Measurements().Prequential.Constraints {
		i := slices.IndexFunc(r.config.Constraints, func(c model.Constraint) bool { return c.Name == e.Name })
		if !slices.ContainsFunc(r.config.Constraints[i].Attribute, func(field string) bool { return !has(field) }) && e.NUnknown > 0 && e.NGroup+e.NVersus+e.NNeither == 0 {
			warn("constraints[%d].attribute: missing in all records that %s looks at, %d", i, e.Criterion, e.NUnknown)
		}
		if e.NNeither == 0 {
			continue
		}
		known := e.NGroup + e.NVersus + e.NNeither
		if e.NGroup == 0 {
			warn("constraints[%d].group: none of the %d records that %s looks at is %s: is it written as in %s?", i, known, e.Criterion, e.Group, input)
		}
		if e.NVersus == 0 {
			warn("constraints[%d].versus: none of the %d records that %s looks at is %s: is it written as in %s?", i, known, e.Criterion, e.Versus, input)
		}
	}
}

// labels knows whether there were different ones.
type labels struct {
	any, differ bool
	first       struct {
		Positive bool
		Number   float64
	}
}

func (l *labels) add(rec *record.Record) {
	if !l.any {
		l.any = true
		l.first.Positive, l.first.Number = rec.Positive, rec.Label
	}
	l.differ = l.differ || rec.Positive != l.first.Positive || rec.Label != l.first.Number
}

type namedField struct{ path, field string }

// namedFields lists the fields that the configuration names, but for those that every record must have.
func (r *replay) namedFields() []namedField {
	var named []namedField
	add := func(path string, fields ...string) {
		for _, field := range fields {
			if n := (namedField{path, field}); field != "" && field != "*" && !slices.Contains(named, n) {
				named = append(named, n)
			}
		}
	}
	add("record.features", r.config.Record.Features...)
	add("record.ignore", r.config.Record.Ignore...)
	add("record.id", r.config.Record.ID)
	add("record.time.field", r.config.Record.Time.Field)
	for i, constraint := range r.config.Constraints {
		add(fmt.Sprintf("constraints[%d].attribute", i), constraint.Attribute...)
	}
	for i, cross := range r.config.Learner.Crosses {
		add(fmt.Sprintf("learner.crosses[%d]", i), cross...)
	}
	columns := make([]string, 0, len(r.config.Learner.Columns))
	for column := range r.config.Learner.Columns {
		columns = append(columns, column)
	}
	slices.Sort(columns)
	add("learner.columns", columns...)
	return named
}
