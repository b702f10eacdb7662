package monitor

import (
	"slices"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// mostCells bounds the groups that are counted. Records of later ones count in comparisons, and not as a group.
const mostCells = 4096

// groups are the groups that are counted for themselves: every value of every attribute, and the intersections of attributes that
// comparisons name together.
type groups struct {
	kinds []kind
	// State: what a snapshot saves.
	cells  []cell
	beyond int64 // records of groups beyond mostCells

	// Scratch.
	key []byte
}

// kind is a set of attributes that comparisons name together.
type kind struct {
	attributes []int
	index      map[string]int // by levels: the cell
}

// cell is one combination of levels.
type cell struct {
	kind        int
	levels      []fairness.Level
	calibration Calibration
}

func newGroups(grouper *fairness.Grouper, comparisons []fairness.Comparison) groups {
	var g groups
	names := grouper.Attributes()
	for _, c := range comparisons {
		var all []int
		for _, term := range c.Group {
			i := slices.Index(names, term.Attribute)
			all = append(all, i)
			g.addKind([]int{i})
		}
		slices.Sort(all)
		g.addKind(all)
	}
	return g
}

func (g *groups) addKind(attributes []int) {
	if !slices.ContainsFunc(g.kinds, func(k kind) bool { return slices.Equal(k.attributes, attributes) }) {
		g.kinds = append(g.kinds, kind{attributes, map[string]int{}})
	}
}

// cell returns the cell of a record in a kind, which is new if the record is the first; −1 beyond mostCells.
func (g *groups) cell(k int, levels []fairness.Level) (at int, isNew bool) {
	g.key = g.key[:0]
	for _, i := range g.kinds[k].attributes {
		g.key = append(g.key, byte(levels[i]), byte(levels[i]>>8))
	}
	if at, ok := g.kinds[k].index[string(g.key)]; ok {
		return at, false
	}
	if len(g.cells) == mostCells {
		return -1, false
	}
	own := make([]fairness.Level, 0, len(g.kinds[k].attributes))
	for _, i := range g.kinds[k].attributes {
		own = append(own, levels[i])
	}
	return g.add(k, own), true
}

// add takes a new cell in.
func (g *groups) add(k int, levels []fairness.Level) int {
	key := make([]byte, 0, 2*len(levels))
	for _, level := range levels {
		key = append(key, byte(level), byte(level>>8))
	}
	g.kinds[k].index[string(key)] = len(g.cells)
	g.cells = append(g.cells, cell{kind: k, levels: levels})
	return len(g.cells) - 1
}
