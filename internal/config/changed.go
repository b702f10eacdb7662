package config

import (
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Setting is a key whose value is another than its default.
type Setting struct{ Path, Value, Default string }

// Changed lists the settings below some paths that differ from their defaults, in the order of the file. A list or a table of sections is one setting.
func (c Config) Changed(below ...string) (changed []Setting) {
	var compare func(is, was reflect.Value, path string)
	compare = func(is, was reflect.Value, path string) {
		if shapeOf(is.Type()) == section {
			for _, f := range fieldsOf(is.Type()) {
				compare(is.FieldByIndex(f.index), was.FieldByIndex(f.index), join(path, f.key))
			}
			return
		}
		if !slices.ContainsFunc(below, func(above string) bool { return covers(above, path) }) {
			return
		}
		if value, standard := inOneLine(is), inOneLine(was); value != standard {
			changed = append(changed, Setting{path, value, standard})
		}
	}
	compare(reflect.ValueOf(c), reflect.ValueOf(Default().WithDefaults()), "")
	return changed
}

// inOneLine is a value in YAML, empty if there is none.
func inOneLine(v reflect.Value) string {
	if v.IsZero() && !v.CanInt() && !v.CanFloat() {
		return ""
	}
	node := encodeLeaf(v)
	flow(node)
	text, err := yaml.Dump(node, yaml.WithLineWidth(-1))
	if err != nil {
		panic("config: a " + v.Type().String() + " cannot be written: " + err.Error())
	}
	return strings.TrimSpace(string(text))
}

func flow(node *yaml.Node) {
	if node.Kind == yaml.SequenceNode || node.Kind == yaml.MappingNode {
		node.Style = yaml.FlowStyle
	}
	for _, below := range node.Content {
		flow(below)
	}
}
