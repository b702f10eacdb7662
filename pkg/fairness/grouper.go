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
	Neither   Side = iota // meets the condition, attributes known, in neither group
	Group                 // in the group
	Versus                // in the other group
	Unknown               // meets the condition, but an attribute is missing
	Excluded              // does not meet the condition
	Uncounted             // does not count now: its label is not known, or it counted when it came without one
)

// Grouper decides on which side of every comparison a record stands.
//
// A record's attribute values are resolved to levels once, by Level; the side in each comparison is then a table look-up,
// which does not allocate. A Grouper without comparisons of Each and without strata is immutable after NewGrouper and safe
// for concurrent use. Others note the values that they meet (found.go), and belong to one goroutine.
type Grouper struct {
	comparisons []Comparison
	attributes  []attribute
	tables      []sideTable // by comparison; of one of Each, empty
	families    []family
	strata      []int // by comparison: the attribute of its strata, −1 for none
}

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

// NewGrouper prepares the comparisons, splitting equalized odds into its parts and giving one of Each its MostEach places.
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
			if part.Each {
				g.addFamily(part)
			} else {
				g.comparisons = append(g.comparisons, part)
			}
		}
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	g.readAttributes()
	for _, comparison := range g.comparisons {
		table := sideTable{condition: comparison.Criterion.Condition()}
		if !comparison.Each {
			var err error
			if table, err = g.buildTable(comparison); err != nil {
				return nil, err
			}
		}
		g.tables = append(g.tables, table)
	}
	return g, nil
}

// readAttributes finds the levels of all comparisons, because a table spans every level of its attributes, also those that
// only other comparisons name.
func (g *Grouper) readAttributes() {
	for _, c := range g.comparisons {
		for _, terms := range [...][]Term{c.Group, c.Versus} {
			for _, term := range terms {
				a := &g.attributes[g.attribute(term.Attribute)]
				a.include(term.Members)
				a.open = a.open || c.Each
			}
		}
	}
	for _, c := range g.comparisons {
		stratum := -1
		if c.Strata != "" {
			stratum = g.attribute(c.Strata)
			g.attributes[stratum].open = true
		}
		g.strata = append(g.strata, stratum)
	}
	for i := range g.attributes {
		g.attributes[i].settle()
	}
	for i := range g.families {
		f := &g.families[i]
		for _, term := range g.comparisons[f.first].Group {
			f.attributes = append(f.attributes, g.attribute(term.Attribute))
		}
	}
}

// attribute returns the index of an attribute, which it adds if it is new.
func (g *Grouper) attribute(name string) int {
	for i := range g.attributes {
		if g.attributes[i].name == name {
			return i
		}
	}
	g.attributes = append(g.attributes, attribute{name: name})
	return len(g.attributes) - 1
}

func (g *Grouper) buildTable(c Comparison) (sideTable, error) {
	table := sideTable{condition: c.Criterion.Condition()}
	size := 1
	for _, term := range c.Group {
		i := g.attribute(term.Attribute)
		table.attributes = append(table.attributes, i)
		table.strides = append(table.strides, size)
		size *= g.attributes[i].fixed()
		if size > tableLimit {
			return sideTable{}, fmt.Errorf("comparison %s: %w", c.Name,
				FieldError{"group", "combines too many attribute values: compare fewer attributes at once"})
		}
	}
	table.sides = make([]Side, size)
	for code := range table.sides {
		table.sides[code] = g.sideOf(c, func(k int) Level {
			return Level(code / table.strides[k] % g.attributes[table.attributes[k]].fixed())
		})
	}
	return table, nil
}

// sideOf is the side of a record whose k-th attribute, in the order of the terms of the group, is at a level.
func (g *Grouper) sideOf(c Comparison, level func(k int) Level) Side {
	group, versus := true, true
	for k, term := range c.Group {
		a, at := &g.attributes[g.attribute(term.Attribute)], level(k)
		other := membersOf(c.Versus, term.Attribute)
		if at == MissingLevel || (term.Range != nil || other.Range != nil) && !a.numeric(at) {
			return Unknown
		}
		group = group && a.in(at, term.Members)
		versus = versus && a.in(at, other)
	}
	switch {
	case group:
		return Group
	case c.Rest || versus:
		return Versus
	}
	return Neither
}

// Comparisons returns the comparisons in the order of the sides that Sides writes, equalized odds split and those of Each
// with the groups that were met so far: see Known. The slice is shared: do not change it.
func (g *Grouper) Comparisons() []Comparison { return g.comparisons }

// Attributes returns the names of the attributes in the order of the levels that
// Sides reads: the order in which the comparisons first name them, strata that are no attributes last.
func (g *Grouper) Attributes() []string {
	var names []string
	for _, a := range g.attributes {
		names = append(names, a.name)
	}
	return names
}

// Level returns the level of a value of Attributes()[attribute]. Values compare byte for byte, and with a range as the
// numbers that they are. Whether a value counts as missing is the caller's to decide.
func (g *Grouper) Level(attribute int, value []byte) Level {
	return g.attributes[attribute].level(value)
}

// Known is Level of a value that is to leave no trace: one that was not met before stays so.
func (g *Grouper) Known(attribute int, value []byte) Level {
	a := &g.attributes[attribute]
	if _, met := a.index[string(value)]; a.open && !met {
		return a.interval(value)
	}
	return a.level(value)
}

// Levels is how many levels an attribute has.
func (g *Grouper) Levels(attribute int) int {
	a := &g.attributes[attribute]
	return a.fixed() + len(a.found)
}

// Sides writes the side of a labelled record in every comparison. levels has one
// entry per attribute; dst one per comparison.
func (g *Grouper) Sides(dst []Side, levels []Level, positive bool) {
	for i := range g.families {
		g.meet(&g.families[i], dst, levels)
	}
	for i := range g.tables {
		table := &g.tables[i]
		switch {
		case !table.condition.Holds(positive):
			dst[i] = Excluded
		case table.sides != nil:
			dst[i] = g.side(table, levels)
		}
		if s := g.strata[i]; s >= 0 && dst[i] != Excluded && levels[s] < firstNamedLevel {
			dst[i] = Unknown // no stratum
		}
	}
}

// Unlabelled is Sides of a record whose label is not known: Uncounted in the comparisons whose condition needs it.
func (g *Grouper) Unlabelled(dst []Side, levels []Level) {
	g.Sides(dst, levels, false)
	for i := range g.tables {
		if g.tables[i].condition != AnyLabel {
			dst[i] = Uncounted
		}
	}
}

// Late is Sides of a record whose label came after it: Uncounted in the comparisons whose condition does not need it, in
// which Unlabelled counted it.
func (g *Grouper) Late(dst []Side, levels []Level, positive bool) {
	g.Sides(dst, levels, positive)
	for i := range g.tables {
		if g.tables[i].condition == AnyLabel {
			dst[i] = Uncounted
		}
	}
}

// Members is Sides of a record whatever its label: nobody is Excluded, and strata do not matter.
func (g *Grouper) Members(dst []Side, levels []Level) {
	for i := range g.families {
		g.meet(&g.families[i], dst, levels)
	}
	for i := range g.tables {
		if table := &g.tables[i]; table.sides != nil {
			dst[i] = g.side(table, levels)
		}
	}
}

func (g *Grouper) side(t *sideTable, levels []Level) Side {
	code := 0
	for k, i := range t.attributes {
		code += t.strides[k] * int(g.attributes[i].plain(levels[i]))
	}
	return t.sides[code]
}

// Within says whether some comparison is within strata.
func (g *Grouper) Within() bool {
	return slices.ContainsFunc(g.strata, func(s int) bool { return s >= 0 })
}

// Strata writes the stratum of a record in every comparison, as a small number; −1 for a comparison without strata and for
// a record without a stratum.
func (g *Grouper) Strata(dst []int, levels []Level) {
	for i, s := range g.strata {
		dst[i] = -1
		if s >= 0 && levels[s] >= firstNamedLevel {
			dst[i] = int(levels[s] - firstNamedLevel)
		}
	}
}
