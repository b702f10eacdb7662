package features

import "slices"

// cross is a combination of columns. A combination of their values may earn a weight of its own.
type cross struct {
	names []string
	parts []int32 // the columns' indices; -1 while one has not been seen
}

func newCross(names []string) cross {
	return cross{names: names, parts: slices.Repeat([]int32{-1}, len(names))}
}

// join notes that a new column is part of the cross, and says whether it is.
func (c *cross) join(name string, index int32) bool {
	k := slices.Index(c.names, name)
	if k >= 0 {
		c.parts[k] = index
	}
	return k >= 0
}

// missingToken is what a missing value contributes to crosses, and firstBinToken the first bin of a number. A text
// contributes its hash.
const (
	missingToken  = 1
	firstBinToken = 2
)

// tokens are what the columns of the present record contribute to its crosses.
type tokens struct {
	values []uint64 // by column
	stamps []uint64 // by column: the record that set the value
	record uint64
}

func (t *tokens) addColumn() {
	t.values = append(t.values, 0)
	t.stamps = append(t.stamps, 0)
}

func (t *tokens) set(column int32, token uint64) {
	t.values[column] = token
	t.stamps[column] = t.record
}

// key returns the key of the record's combination, false if the record lacks one of the columns.
func (t *tokens) key(slot Slot, c *cross) (key uint64, complete bool) {
	for _, part := range c.parts {
		if part < 0 || t.stamps[part] != t.record {
			return 0, false
		}
		key = slot.Key(key ^ t.values[part])
	}
	return key, true
}
