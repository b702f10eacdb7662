package onnx

import (
	"fmt"
	"strings"

	"github.com/fairstream/fairstream/pkg/features"
)

// Bounds of what a cross is searched for, and of the table that it becomes.
const (
	mostCombinations = 20_000_000
	mostCells        = 4_000_000
)

// addCross adds what a combination of columns adds to the margin. A document names its levels by keys, so the combination of each is found among
// the tokens of the columns.
func (e *exporter) addCross(index int, names []string, levels []*features.Level) error {
	parts := make([]*column, len(names))
	for i, name := range names {
		if parts[i] = e.columns[name]; parts[i] == nil {
			return nil // no record has all of them
		}
	}
	if len(levels) == 0 {
		return nil
	}
	texts := make([][]string, len(names))
	for _, l := range levels {
		if pieces := strings.Split(l.Text, " & "); len(pieces) == len(names) {
			for i, piece := range pieces {
				texts[i] = append(texts[i], piece)
			}
		}
	}
	tokens, places := make([][]uint64, len(names)), make([]value, len(names))
	for i, c := range parts {
		tokens[i], places[i] = e.tokens(c, texts[i])
	}
	found, err := combinations(features.CrossSlot(index), tokens, levels)
	if err != nil {
		return fmt.Errorf("the cross of %s: %w: remove it from learner.crosses and learn again", strings.Join(names, ", "), err)
	}
	return e.addCombinations(names, places, tokens, found)
}

// combination is a level, as the place of the token of each column.
type combination struct {
	places []int
	weight int32
}

// combinations finds the levels among all combinations of tokens.
func combinations(slot features.Slot, tokens [][]uint64, levels []*features.Level) (found []combination, err error) {
	total := 1
	for _, t := range tokens {
		if total *= len(t); total > mostCombinations {
			return nil, fmt.Errorf("it has more than %d combinations", mostCombinations)
		}
	}
	weights := make(map[uint64]int32, len(levels))
	for _, l := range levels {
		weights[l.Key] = l.Weight
	}
	places := make([]int, len(tokens))
	var try func(part int, key uint64)
	try = func(part int, key uint64) {
		if part == len(tokens) {
			if weight, is := weights[key]; is {
				found = append(found, combination{append([]int(nil), places...), weight})
			}
			return
		}
		for i, token := range tokens[part] {
			places[part] = i
			try(part+1, slot.Key(key^token))
		}
	}
	try(0, 0)
	seen := map[int32]bool{}
	for _, c := range found {
		seen[c.weight] = true
	}
	if len(seen) < len(levels) {
		return nil, fmt.Errorf("%d of its %d combinations contain values that the document does not spell out", len(levels)-len(seen), len(levels))
	}
	return found, nil
}

// addCombinations walks over the columns: after each, a row is at the number of the beginning that it shares with a combination, or at the number of
// beginnings if it shares none.
func (e *exporter) addCombinations(names []string, places []value, tokens [][]uint64, found []combination) error {
	at, before := value(""), map[string]int{"": 0}
	beginning := func(c *combination, parts int) string { return fmt.Sprint(c.places[:parts]) }
	for part := range names {
		width, next := len(tokens[part])+1, map[string]int{}
		for i := range found {
			if key := beginning(&found[i], part+1); next[key] == 0 {
				next[key] = len(next) + 1
			}
		}
		rows := len(before) + 1
		if part == 0 {
			rows = 1
		}
		if rows*width > mostCells {
			return fmt.Errorf("the cross of %s needs a table of more than %d cells: remove it from learner.crosses and learn again", strings.Join(names, ", "), mostCells)
		}
		table := make([]int64, rows*width) // 0: no combination begins so
		for i := range found {
			row := 0
			if part > 0 {
				row = before[beginning(&found[i], part)]
			}
			table[row*width+found[i].places[part]] = int64(next[beginning(&found[i], part+1)])
		}
		cell := places[part]
		if part > 0 {
			cell = e.add("Add", nil, e.add("Mul", nil, at, e.integers(int64(width))), cell)
		}
		at, before = e.mapped(table, cell), next
	}
	weights := e.zeros(len(before) + 1)
	for i := range found {
		e.fill(weights, before[beginning(&found[i], len(names))], found[i].weight)
	}
	e.term(e.lookUp(weights, e.width(), at))
	return nil
}
