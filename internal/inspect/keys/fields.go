package keys

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/words"
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
	for _, renamed := range c.Record.Renamed {
		add("record.renamed", renamed.Field)
	}
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

// Fields finds fields that the configuration names and no record has.
func Fields(s *find.Search) {
	if len(s.Columns) == 0 {
		return
	}
	for _, named := range Named(s.Config) {
		if s.Has(named.Field) {
			continue
		}
		advice := ""
		if named.Path != "record.ignore" { // a field to be ignored may well be absent
			advice = s.Meant(named.Field)
		}
		if parts := severalNames(s, named.Field); parts != nil {
			advice = fmt.Sprintf(": it is %d names in one text. Write them as a list, [%s]", len(parts), strings.Join(parts, ", "))
		}
		s.Say(false, named.Path, "no record has a field %q%s", named.Field, advice)
	}
}

// severalNames are the names of fields in one text, such as "age, sex" for [age, sex]; nil if it is none or one.
func severalNames(s *find.Search, text string) (names []string) {
	parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",;|", r) })
	for _, part := range parts {
		name := strings.Trim(part, " \t\"'[]")
		if !s.Has(name) {
			return nil
		}
		names = append(names, words.Quote(name))
	}
	if len(names) < 2 {
		return nil
	}
	return names
}
