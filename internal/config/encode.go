package config

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// hidden stands in for a secret wherever the configuration is shown.
const hidden = "***"

// YAML renders the configuration as a file that would give it again, but for secrets, which are hidden.
// A comment says where each value was set, if it is not the default.
func (l *Loaded) YAML() ([]byte, error) {
	return yaml.Dump(l.encode(reflect.ValueOf(l.Config), ""), yaml.WithLineWidth(-1))
}

// JSON renders the configuration as one JSON object, secrets hidden and keys sorted: equal configurations
// give equal bytes.
func (l *Loaded) JSON() (json.RawMessage, error) {
	var tree map[string]any
	if err := l.encode(reflect.ValueOf(l.Config), "").Decode(&tree); err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	return json.Marshal(tree)
}

func (l *Loaded) encode(v reflect.Value, path string) *yaml.Node {
	switch shapeOf(v.Type()) {
	case section:
		return l.encodeSection(v, path)
	case list:
		node := &yaml.Node{Kind: yaml.SequenceNode, Style: styleOfEmpty(v)}
		for i := range v.Len() {
			node.Content = append(node.Content, l.encode(v.Index(i), fmt.Sprintf("%s[%d]", path, i)))
		}
		return node
	case table:
		node := &yaml.Node{Kind: yaml.MappingNode, Style: styleOfEmpty(v)}
		names := v.MapKeys()
		slices.SortFunc(names, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, name := range names {
			node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name.String()}, l.encode(v.MapIndex(name), join(path, name.String())))
		}
		return node
	}
	node := encodeLeaf(v)
	node.LineComment = l.origins[path]
	return node
}

func (l *Loaded) encodeSection(v reflect.Value, path string) *yaml.Node {
	node := &yaml.Node{Kind: yaml.MappingNode}
	for _, f := range fieldsOf(v.Type()) {
		value := v.FieldByIndex(f.index)
		if omitted(v.Type().FieldByIndex(f.index).Tag) && value.IsZero() {
			continue
		}
		node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: f.key}, l.encode(value, join(path, f.key)))
	}
	return node
}

func omitted(tag reflect.StructTag) bool {
	_, options, _ := strings.Cut(tag.Get("yaml"), ",")
	return options == "omitempty"
}

func styleOfEmpty(v reflect.Value) yaml.Style {
	if v.Len() == 0 {
		return yaml.FlowStyle
	}
	return 0
}

// encodeLeaf is the value of a key, whose type can be written.
func encodeLeaf(v reflect.Value) *yaml.Node {
	var node yaml.Node
	if err := node.Encode(v.Interface()); err != nil {
		panic("config: a " + v.Type().String() + " cannot be written: " + err.Error())
	}
	if v.Type() == secretType && !v.IsZero() {
		node.SetString(hidden)
	}
	if node.Kind == yaml.SequenceNode {
		node.Style = yaml.FlowStyle
	}
	return &node
}
