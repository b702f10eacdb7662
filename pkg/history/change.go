package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Change is one key of a configuration whose value changed.
type Change struct {
	// Key is its path, as in constraints[0].tau.
	Key string `json:"key"`
	// Old and New are the values as JSON; null stands for a key that was not there.
	Old json.RawMessage `json:"old"`
	New json.RawMessage `json:"new"`
}

// String is the change in words: "constraints[0].tau: 0.05 -> 0.15".
func (c Change) String() string { return fmt.Sprintf("%s: %s -> %s", c.Key, c.Old, c.New) }

// Differences lists the keys in which two configurations differ, as JSON objects, in the order of the keys.
// Numbers are compared as they are written.
func Differences(before, after []byte) ([]Change, error) {
	a, err := tree(before)
	if err != nil {
		return nil, err
	}
	b, err := tree(after)
	if err != nil {
		return nil, err
	}
	return differences("", a, b), nil
}

func tree(text []byte) (node any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&node); err != nil {
		return nil, errors.New("history: a configuration is not JSON")
	}
	return node, nil
}

func differences(path string, a, b any) (changes []Change) {
	x, isObject := a.(map[string]any)
	y, isObjectToo := b.(map[string]any)
	if isObject && isObjectToo {
		keys := maps.Clone(x)
		maps.Copy(keys, y)
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			changes = append(changes, differences(join(path, key), x[key], y[key])...)
		}
		return changes
	}
	first, isList := a.([]any)
	second, isListToo := b.([]any)
	if isList && isListToo && len(first) == len(second) {
		for i := range first {
			changes = append(changes, differences(fmt.Sprintf("%s[%d]", path, i), first[i], second[i])...)
		}
		return changes
	}
	from, _ := json.Marshal(a) // what was JSON becomes JSON
	to, _ := json.Marshal(b)
	if bytes.Equal(from, to) {
		return nil
	}
	return []Change{{path, from, to}}
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
