package model

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// changeable are the keys of a configuration that may differ when a learner is restored from a snapshot:
// they change what is aimed at or reported from then on, and leave the meaning of the state alone. Every
// other key needs the state to be reset. A path ends at a key; "[]" stands for any element. record.id has conditions: see
// identifies.
var changeable = []string{
	"constraints[].tau",
	"learner.confidence",
	"learner.holdout_records",
	"learner.level",
	"learner.minimum_records",
	"record.at",
	"record.csv",
	"record.id",
	"record.limits",
	"record.renamed",
	"record.unlabelled",
}

// Changeable lists the keys that may differ when a learner is restored.
func Changeable() []string { return slices.Clone(changeable) }

// Fingerprint is the SHA-256 of the whole configuration, defaults filled in: of equal fingerprints every
// key is equal.
func (c Config) Fingerprint() string {
	data, _ := json.Marshal(c.WithDefaults().tree()) // what was JSON becomes JSON
	digest := sha256.Sum256(data)
	return hex.EncodeToString(digest[:])
}

// fixed is the configuration as a tree without its changeable keys.
func (c Config) fixed() map[string]any {
	tree := c.WithDefaults().tree()
	for _, path := range changeable {
		remove(tree, strings.Split(strings.ReplaceAll(path, "[]", ".[]"), "."))
	}
	return tree
}

// conflicts are the keys in which c and the configuration of a state differ, though they may not. The field of another record.id may leave
// record.ignore, or enter it.
func (c Config) conflicts(saved Config) []string {
	if ids := []string{c.Record.ID, saved.Record.ID}; ids[0] != ids[1] && slices.Equal(without(c.Record.Ignore, ids), without(saved.Record.Ignore, ids)) {
		saved.Record.Ignore = c.Record.Ignore
	}
	return differences(saved.fixed(), c.fixed(), "")
}

// without returns the other names, in order.
func without(names, some []string) []string {
	rest := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(some, name) })
	slices.Sort(rest)
	return rest
}

// identifies says whether a state goes on under the record.id of c: if no field becomes a feature by it, and none that is learnt, so that it
// has a weight, ceases to be one; and if the identifier did not choose which records are never learnt.
func (c Config) identifies(saved Config, isLearnt func(field string) bool) bool {
	if c.Record.ID == saved.Record.ID {
		return true
	}
	before, err := saved.Schema()
	now, problem := c.Schema()
	if err != nil || problem != nil || c.Evaluation.Share > 0 {
		return false
	}
	return !slices.ContainsFunc([]string{saved.Record.ID, c.Record.ID}, func(field string) bool {
		was, is := before.Feature(field), now.Feature(field)
		return field != "" && (is && !was || was && !is && isLearnt(field))
	})
}

// json is the configuration as a state keeps it.
func (c Config) json() []byte {
	data, err := json.Marshal(c)
	if err != nil {
		panic("model: a configuration that cannot be written as JSON")
	}
	return data
}

func (c Config) tree() map[string]any {
	var tree map[string]any
	_ = json.Unmarshal(c.json(), &tree) // an object
	return tree
}

func remove(node any, path []string) {
	if list, ok := node.([]any); ok && path[0] == "[]" {
		for _, element := range list {
			remove(element, path[1:])
		}
		return
	}
	object, ok := node.(map[string]any)
	if !ok {
		return
	}
	if len(path) == 1 {
		delete(object, path[0])
		return
	}
	remove(object[path[0]], path[1:])
}

// differences returns the paths of the keys in which two trees differ.
func differences(a, b any, path string) (paths []string) {
	x, isObject := a.(map[string]any)
	y, isObjectToo := b.(map[string]any)
	if isObject && isObjectToo {
		keys := sortedKeys(x)
		for _, key := range sortedKeys(y) {
			if _, known := x[key]; !known {
				keys = append(keys, key)
			}
		}
		for _, key := range keys {
			at := key
			if path != "" {
				at = path + "." + key
			}
			paths = append(paths, differences(x[key], y[key], at)...)
		}
		return paths
	}
	first, isList := a.([]any)
	second, isListToo := b.([]any)
	if isList && isListToo && len(first) == len(second) {
		for i := range first {
			paths = append(paths, differences(first[i], second[i], fmt.Sprintf("%s[%d]", path, i))...)
		}
		return paths
	}
	if !reflect.DeepEqual(a, b) {
		return []string{path}
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
