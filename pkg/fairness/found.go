package fairness

import (
	"errors"
	"math"
	"slices"
)

// MostEach is how many groups a comparison of Each has. Values join in the order in which records first have them; a
// later one has no comparison of its own, and is among the rest in those of the others.
const MostEach = 32

// Rows is how many comparisons a Grouper makes of this one.
func (c Comparison) Rows() int {
	rows := len(c.Parts())
	if c.Each {
		rows *= MostEach
	}
	return rows
}

// family is the comparisons that one of Each stands for, with places for groups that are still to be met.
type family struct {
	attributes []int
	first      int       // the first of its MostEach comparisons
	groups     [][]Level // by place: the levels of the group, in the order of the attributes
	reference  int       // the place that the others are compared with, −1 before it is known and with Rest
}

// addFamily gives a comparison of Each its places.
func (g *Grouper) addFamily(c Comparison) {
	g.families = append(g.families, family{first: len(g.comparisons), reference: -1})
	for range MostEach {
		place := c
		place.Group = slices.Clone(c.Group)
		g.comparisons = append(g.comparisons, place)
	}
}

// meet writes the sides of a record in the comparisons of a family. A group that was not met before takes the next place.
func (g *Grouper) meet(f *family, dst []Side, levels []Level) {
	sides := dst[f.first : f.first+MostEach]
	known := true
	for _, i := range f.attributes {
		known = known && levels[i] != MissingLevel
	}
	if !known {
		for place := range sides {
			sides[place] = Unknown
		}
		return
	}
	own, other := g.place(f, levels), Neither
	if g.comparisons[f.first].Rest || own >= 0 && own == f.reference {
		other = Versus
	}
	for place := range sides {
		sides[place] = Neither
		if place < len(f.groups) {
			sides[place] = other
		}
	}
	if own >= 0 {
		sides[own] = Group
	}
	if f.reference >= 0 {
		sides[f.reference] = Neither // nobody is compared with oneself
	}
}

// place returns the place of a record's group, −1 if it has none.
func (g *Grouper) place(f *family, levels []Level) int {
	for place, group := range f.groups {
		same := true
		for k, i := range f.attributes {
			same = same && group[k] == levels[i]
		}
		if same {
			return place
		}
	}
	group := make([]Level, 0, 4)
	for _, i := range f.attributes {
		if !g.attributes[i].single(levels[i]) {
			return -1
		}
		group = append(group, levels[i])
	}
	if len(f.groups) == MostEach {
		for _, i := range f.attributes {
			g.attributes[i].refused = true
		}
		return -1
	}
	g.join(f, group)
	return len(f.groups) - 1
}

// join gives a group the next place.
func (g *Grouper) join(f *family, group []Level) {
	c := &g.comparisons[f.first+len(f.groups)]
	for k, i := range f.attributes {
		c.Group[k].Members = Value(g.attributes[i].text(group[k]))
	}
	f.groups = append(f.groups, group)
	if len(c.Versus) > 0 && equal(c.Group, c.Versus) {
		f.reference = len(f.groups) - 1
	}
}

// refer makes a place that which the others of the family are compared with.
func (g *Grouper) refer(f *family, place int) {
	f.reference = place
	group := slices.Clone(g.comparisons[f.first+place].Group)
	for i := range MostEach {
		g.comparisons[f.first+i].Versus = group
	}
}

// Unsettled says whether it is not settled yet which value is Best in some comparison of Each.
func (g *Grouper) Unsettled() bool {
	for i := range g.families {
		if g.unsettled(&g.families[i]) {
			return true
		}
	}
	return false
}

func (g *Grouper) unsettled(f *family) bool { return g.comparisons[f.first].Best && f.reference < 0 }

// Choose chooses the value that is Best in the comparisons of Each that have none yet: the value with the highest rate. rate
// returns a lower limit of a group's rate, or that it has too few records; at least two values must have enough. The choice
// is final: a comparison whose other side changed would have no interval.
func (g *Grouper) Choose(rate func(comparison int) (atLeast float64, ok bool)) {
	for i := range g.families {
		f := &g.families[i]
		if !g.unsettled(f) {
			continue
		}
		best, most, known := -1, math.Inf(-1), 0
		for place := range f.groups {
			if x, ok := rate(f.first + place); ok {
				known++
				if x > most {
					best, most = place, x
				}
			}
		}
		if known > 1 {
			g.refer(f, best)
		}
	}
}

// Found is the values that a Grouper has met, for comparisons of Each and for strata.
type Found struct {
	// Values are those of each attribute that no comparison names, in the order in which they were met.
	Values [][]string `json:"values"`
	// Groups are by comparison of Each, equalized odds split: for each group its value of every attribute.
	Groups [][][]string `json:"groups"`
	// Best are, by comparison of Each, the values that the others are compared with; none where it is not settled.
	Best [][]string `json:"best,omitempty"`
	// Refused are the attributes of which values were met when there was no room to tell them apart.
	Refused []string `json:"refused,omitempty"`
}

// Meets says whether there are comparisons of Each or within strata, whose values are met rather than named.
func (g *Grouper) Meets() bool { return len(g.families) > 0 || g.Within() }

// Found returns what was met so far.
func (g *Grouper) Found() Found {
	var found Found
	for _, a := range g.attributes {
		if a.refused {
			found.Refused = append(found.Refused, a.name)
		}
		values := []string{}
		for _, v := range a.found {
			values = append(values, v.text)
		}
		found.Values = append(found.Values, values)
	}
	for _, f := range g.families {
		groups := [][]string{}
		for _, group := range f.groups {
			var texts []string
			for k, i := range f.attributes {
				texts = append(texts, g.attributes[i].text(group[k]))
			}
			groups = append(groups, texts)
		}
		found.Groups = append(found.Groups, groups)
		var best []string
		if g.comparisons[f.first].Best && f.reference >= 0 {
			best = groups[f.reference]
		}
		found.Best = append(found.Best, best)
	}
	return found
}

var errFound = errors.New("fairness: the values that were met are not those of the comparisons")

// Adopt takes over the values that another Grouper of the same comparisons has met. g must not have met any value.
func (g *Grouper) Adopt(found Found) error {
	if len(found.Values) != len(g.attributes) || len(found.Groups) != len(g.families) || len(found.Best) > len(g.families) {
		return errFound
	}
	for i, values := range found.Values {
		a := &g.attributes[i]
		if len(values) > 0 && !a.open || len(values) > MostFound {
			return errFound
		}
		for _, value := range values {
			if _, known := a.index[value]; known {
				return errFound
			}
			a.meet(value, a.interval([]byte(value)))
		}
	}
	for i := range g.attributes {
		g.attributes[i].refused = slices.Contains(found.Refused, g.attributes[i].name)
	}
	for i, groups := range found.Groups {
		f := &g.families[i]
		if len(groups) > MostEach {
			return errFound
		}
		for _, texts := range groups {
			if len(texts) != len(f.attributes) {
				return errFound
			}
			var group []Level
			for k, at := range f.attributes {
				level, known := g.attributes[at].index[texts[k]]
				if !known {
					return errFound
				}
				group = append(group, level)
			}
			if slices.ContainsFunc(f.groups, func(other []Level) bool { return slices.Equal(other, group) }) {
				return errFound
			}
			g.join(f, group)
		}
		if i < len(found.Best) && len(found.Best[i]) > 0 {
			place := slices.IndexFunc(groups, func(texts []string) bool { return slices.Equal(texts, found.Best[i]) })
			if place < 0 || !g.comparisons[f.first].Best {
				return errFound
			}
			g.refer(f, place)
		}
	}
	return nil
}
