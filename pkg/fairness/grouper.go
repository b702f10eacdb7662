package fairness

import (
	"errors"
	"fmt"
	"slices"
)

// Side is where a record stands in one comparison.
type Side uint8

// The sides. A relaxation (pkg/surrogate) pushes the records of Group and Versus and no others.
const (
	Neither  Side = iota // meets the condition, attributes known, in neither group
	Group                // in the group
	Versus               // in the other group
	Unknown              // meets the condition, but an attribute is missing
	Excluded             // does not meet the condition
)

// Level is the value of an attribute as a small number, as far as the
// comparisons tell values apart.
type Level uint16

// Levels that every attribute has; the values that comparisons name follow.
const (
	MissingLevel Level = iota // the record lacks the attribute
	OtherLevel                // a value that no comparison names
	firstNamedLevel
)

// Grouper decides on which side of every comparison a record stands.
//
// A record's attribute values are resolved to levels once, by Level; the side in
// each comparison is then a table look-up. Nothing allocates, and a Grouper is
// immutable after NewGrouper and safe for concurrent use.
type Grouper struct {
	comparisons []Comparison
	attributes  []attribute
	tables      []sideTable
}

type attribute struct {
	name   string
	values []string // value i has level firstNamedLevel + i
	// index serves attributes with so many values that scanning them is slower.
	index map[string]Level
}

// scanLimit is the number of values up to which comparing with each is faster
// than hashing.
const scanLimit = 8

// sideTable holds the side of every combination of levels of the attributes of
// one comparison, in mixed radix.
type sideTable struct {
	attributes []int
	strides    []int
	sides      []Side
	condition  Condition
}

// tableLimit bounds one comparison's table: an intersection of so many named
// values is a mistake, or wants several comparisons.
const tableLimit = 1 << 20

// NewGrouper prepares the comparisons, splitting equalized odds into its parts.
// It returns every problem of every comparison, with its position.
func NewGrouper(comparisons []Comparison) (*Grouper, error) {
	g := &Grouper{}
	var problems []error
	type row struct {
		name      string
		criterion Criterion
	}
	seen := map[row]bool{}
	for i, comparison := range comparisons {
		found := comparison.Validate()
		for _, problem := range found {
			problems = append(problems, fmt.Errorf("comparison %d (%s): %w", i+1, comparison.Name, problem))
		}
		if len(found) > 0 {
			continue
		}
		for _, part := range comparison.Parts() {
			key := row{part.Name, part.Criterion}
			if seen[key] {
				problems = append(problems, fmt.Errorf("comparison %d (%s): %w", i+1, part.Name,
					FieldError{"name", "is used twice with " + string(part.Criterion) + ": give each comparison its own"}))
				continue
			}
			seen[key] = true
			g.comparisons = append(g.comparisons, part)
		}
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	// Levels first, for all comparisons, because a table spans every level of
	// its attributes, also those that only other comparisons name.
	for _, comparison := range g.comparisons {
		for _, term := range slices.Concat(comparison.Group, comparison.Versus) {
			g.addValue(term)
		}
	}
	for i := range g.attributes {
		g.attributes[i].buildIndex()
	}
	for _, comparison := range g.comparisons {
		table, err := g.buildTable(comparison)
		if err != nil {
			return nil, err
		}
		g.tables = append(g.tables, table)
	}
	return g, nil
}

func (g *Grouper) addValue(term AttributeValue) {
	i := g.attributeIndex(term.Attribute)
	if i < 0 {
		g.attributes = append(g.attributes, attribute{name: term.Attribute})
		i = len(g.attributes) - 1
	}
	a := &g.attributes[i]
	if !slices.Contains(a.values, term.Value) {
		a.values = append(a.values, term.Value)
	}
}

func (g *Grouper) attributeIndex(name string) int {
	return slices.IndexFunc(g.attributes, func(a attribute) bool { return a.name == name })
}

func (a *attribute) buildIndex() {
	if len(a.values) <= scanLimit {
		return
	}
	a.index = make(map[string]Level, len(a.values))
	for i, value := range a.values {
		a.index[value] = firstNamedLevel + Level(i)
	}
}

func (a *attribute) levels() int { return int(firstNamedLevel) + len(a.values) }

func (g *Grouper) buildTable(c Comparison) (sideTable, error) {
	table := sideTable{condition: c.Criterion.Condition()}
	size := 1
	for _, term := range c.Group {
		i := g.attributeIndex(term.Attribute)
		table.attributes = append(table.attributes, i)
		table.strides = append(table.strides, size)
		size *= g.attributes[i].levels()
		if size > tableLimit {
			return sideTable{}, fmt.Errorf("comparison %s: %w", c.Name,
				FieldError{"group", "combines too many attribute values: compare fewer attributes at once"})
		}
	}
	group, versus := g.levelsOf(c.Group, table.attributes), g.levelsOf(c.Versus, table.attributes)
	table.sides = make([]Side, size)
	levels := make([]Level, len(table.attributes))
	for code := range table.sides {
		for k, i := range table.attributes {
			levels[k] = Level(code / table.strides[k] % g.attributes[i].levels())
		}
		switch {
		case slices.Contains(levels, MissingLevel):
			table.sides[code] = Unknown
		case slices.Equal(levels, group):
			table.sides[code] = Group
		case c.Rest || slices.Equal(levels, versus):
			table.sides[code] = Versus
		}
	}
	return table, nil
}

// levelsOf returns the levels of the terms in the order of the attributes.
func (g *Grouper) levelsOf(terms []AttributeValue, attributes []int) []Level {
	levels := make([]Level, 0, len(attributes))
	for _, i := range attributes {
		for _, term := range terms {
			if term.Attribute == g.attributes[i].name {
				levels = append(levels, g.LevelString(i, term.Value))
			}
		}
	}
	return levels
}

// Comparisons returns the comparisons in the order of the sides that Sides
// writes, equalized odds split. The slice is shared: do not change it.
func (g *Grouper) Comparisons() []Comparison { return g.comparisons }

// Attributes returns the names of the attributes in the order of the levels that
// Sides reads: the order in which the comparisons first name them.
func (g *Grouper) Attributes() []string {
	var names []string
	for _, a := range g.attributes {
		names = append(names, a.name)
	}
	return names
}

// Level returns the level of a value of Attributes()[attribute]. Values compare
// byte for byte. Whether a value counts as missing is the caller's to decide.
func (g *Grouper) Level(attribute int, value []byte) Level {
	a := &g.attributes[attribute]
	if a.index == nil {
		for i := range a.values {
			if string(value) == a.values[i] {
				return firstNamedLevel + Level(i)
			}
		}
		return OtherLevel
	}
	if level, ok := a.index[string(value)]; ok {
		return level
	}
	return OtherLevel
}

// LevelString is Level for a string.
func (g *Grouper) LevelString(attribute int, value string) Level {
	a := &g.attributes[attribute]
	if i := slices.Index(a.values, value); i >= 0 {
		return firstNamedLevel + Level(i)
	}
	return OtherLevel
}

// Sides writes the side of a labelled record in every comparison. levels has one
// entry per attribute; dst one per comparison.
func (g *Grouper) Sides(dst []Side, levels []Level, positive bool) {
	for i := range g.tables {
		table := &g.tables[i]
		if table.condition.Holds(positive) {
			dst[i] = table.side(levels)
		} else {
			dst[i] = Excluded
		}
	}
}

func (t *sideTable) side(levels []Level) Side {
	code := 0
	for k, i := range t.attributes {
		code += t.strides[k] * int(levels[i])
	}
	return t.sides[code]
}
