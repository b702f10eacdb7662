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
	return differences("", a, b)
}

func tree(text []byte) (node any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&node); err != nil {
		return nil, errors.New("history: a configuration is not JSON")
	}
	return node, nil
}

func differences(path string, a, b any) (changes []Change, err error) {
	x, isObject := a.(map[string]any)
	y, isObjectToo := b.(map[string]any)
	if isObject && isObjectToo {
		keys := maps.Clone(x)
		maps.Copy(keys, y)
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			below, err := differences(join(path, key), x[key], y[key])
			if err != nil {
				return nil, err
			}
			changes = append(changes, below...)
		}
		return changes, nil
	}
	first, isList := a.([]any)
	second, isListToo := b.([]any)
	if isList && isListToo && len(first) == len(second) {
		for i := range first {
			below, err := differences(fmt.Sprintf("%s[%d]", path, i), first[i], second[i])
			if err != nil {
				return nil, err
			}
			changes = append(changes, below...)
		}
		return changes, nil
	}
	from, err := json.Marshal(a)
	if err != nil {
		return nil, fmt.Errorf("history: %s: %w", path, err)
	}
	to, err := json.Marshal(b)
	if err != nil {
		return nil, fmt.Errorf("history: %s: %w", path, err)
	}
	if bytes.Equal(from, to) {
		return nil, nil
	}
	return []Change{{path, from, to}}, nil
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
