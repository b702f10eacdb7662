package main

import (
	"fmt"
	"slices"
	"strings"
)

// warn tells of what is not wrong but probably not meant: fields that the configuration names and the
// input has not, and labels that are all alike.
func (r *replay) warn(p *pass, learnt, positives int64) {
	warn := func(format string, arguments ...any) {
		fmt.Fprintf(r.err, "Warning: "+format+"\n", arguments...)
	}
	switch positives {
	case 0:
		warn("no record is positive: is record.label.positive written as in %s?", p.source.name)
	case learnt:
		warn("every record is positive: is record.label.positive written as in %s?", p.source.name)
	}
	has := func(name string) bool {
		return slices.ContainsFunc(p.fields, func(field string) bool { return field == name || strings.HasPrefix(field, name+".") })
	}
	for _, named := range r.namedFields() {
		if len(p.fields) > 0 && !has(named.field) {
			warn("%s: %s has no field %q%s", named.path, p.source.name, named.field, meant(named.field, p.fields))
		}
	}
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
