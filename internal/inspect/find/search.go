package find

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/inspect/seen"
	"github.com/fairstream/fairstream/internal/inspect/words"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/internal/spelling"
	"github.com/fairstream/fairstream/pkg/record"
)

// Search holds what was seen of the records against the configuration. Checks ask it, and tell it what they found; what an earlier one found is known to
// later ones.
type Search struct {
	*seen.Records
	Columns []profile.Column
	Left    []string // columns that a learner leaves out
	Nearly  int      // records that are copies but for one field
	Akin    bool     // records are about the same, though several fields differ
	Changed []string // columns that it was said of why they change on the way
	Found   []Finding
}

// New begins a search in what was seen.
func New(r *seen.Records) *Search {
	return &Search{Records: r, Columns: r.Columns(), Left: r.LeftOut()}
}

// Say adds a finding about a key of the configuration.
func (s *Search) Say(fatal bool, path, format string, arguments ...any) {
	s.Found = append(s.Found, Finding{Fatal: fatal, Path: path, Text: fmt.Sprintf(format, arguments...)})
}

// Column is a column by its name, or nil.
func (s *Search) Column(name string) *profile.Column {
	for i := range s.Columns {
		if s.Columns[i].Name == name {
			return &s.Columns[i]
		}
	}
	return nil
}

// Has says whether a record has the field or something below it.
func (s *Search) Has(name string) bool {
	return slices.ContainsFunc(s.Columns, func(c profile.Column) bool {
		return c.Name == name || strings.HasPrefix(c.Name, name+".")
	})
}

// Meant is the field that a name is likely to stand for: one of the same last part, or the nearest.
func (s *Search) Meant(name string) string {
	var names []string
	for _, c := range s.Columns {
		if c.Name != name { // it may be there in records that are rejected
			names = append(names, c.Name)
		}
	}
	if like := spelling.Field(name, names); like != "" {
		return fmt.Sprintf(" (did you mean %q?)", like)
	}
	return ""
}

// Values are those of a column that can be told apart, the most frequent first.
func (s *Search) Values(name string) (values []profile.Value) {
	if c := s.Column(name); c != nil && len(c.Shown) > 0 {
		return c.Shown
	}
	if w := s.Written[name]; w != nil {
		for _, t := range w.Texts {
			values = append(values, profile.Value{Text: t.Text, Count: t.Records})
		}
	}
	slices.SortFunc(values, func(a, b profile.Value) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Text, b.Text))
	})
	return values
}

// TextOf is the text of a value by its hash, or words for it where it is not kept.
func (s *Search) TextOf(column string, hash uint64) string {
	for _, v := range s.Values(column) {
		if record.Hash([]byte(v.Text)) == hash && len(v.Text) <= seen.ShownText {
			return words.Quote(v.Text)
		}
	}
	return "one value"
}

// ConstraintOf is the key of a constraint by its name.
func (s *Search) ConstraintOf(name string) string {
	for at, c := range s.Config.Constraints {
		if c.Name == name {
			return fmt.Sprintf("constraints[%d]", at)
		}
	}
	return "constraints"
}

// ConstraintOn is the key of the first constraint that names an attribute, or nothing.
func (s *Search) ConstraintOn(attribute string) string {
	for at, c := range s.Config.Constraints {
		if slices.Contains(c.Attribute, attribute) {
			return fmt.Sprintf("constraints[%d].attribute", at)
		}
	}
	return ""
}
