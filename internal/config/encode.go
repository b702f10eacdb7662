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
	node, err := l.encode(reflect.ValueOf(l.Config), "")
	if err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	return yaml.Dump(node, yaml.WithLineWidth(-1))
}

// JSON renders the configuration as one JSON object, secrets hidden and keys sorted: equal configurations
// give equal bytes.
func (l *Loaded) JSON() (json.RawMessage, error) {
	node, err := l.encode(reflect.ValueOf(l.Config), "")
	if err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	var tree map[string]any
	if err := node.Decode(&tree); err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	return json.Marshal(tree)
}

func (l *Loaded) encode(v reflect.Value, path string) (*yaml.Node, error) {
	switch shapeOf(v.Type()) {
	case section:
		return l.encodeSection(v, path)
	case list:
		node := &yaml.Node{Kind: yaml.SequenceNode, Style: styleOfEmpty(v)}
		for i := range v.Len() {
			entry, err := l.encode(v.Index(i), fmt.Sprintf("%s[%d]", path, i))
			if err != nil {
				return nil, err
			}
			node.Content = append(node.Content, entry)
		}
		return node, nil
	case table:
		node := &yaml.Node{Kind: yaml.MappingNode, Style: styleOfEmpty(v)}
		names := v.MapKeys()
		slices.SortFunc(names, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, name := range names {
			entry, err := l.encode(v.MapIndex(name), join(path, name.String()))
			if err != nil {
				return nil, err
			}
			node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name.String()}, entry)
		}
		return node, nil
	}
	node, err := encodeLeaf(v)
	if err == nil {
		node.LineComment = l.origins[path]
	}
	return node, err
}

func (l *Loaded) encodeSection(v reflect.Value, path string) (*yaml.Node, error) {
	node := &yaml.Node{Kind: yaml.MappingNode}
	for _, f := range fieldsOf(v.Type()) {
		value := v.FieldByIndex(f.index)
		if omitted(v.Type().FieldByIndex(f.index).Tag) && value.IsZero() {
			continue
		}
		entry, err := l.encode(value, join(path, f.key))
		if err != nil {
			return nil, err
		}
		node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: f.key}, entry)
	}
	return node, nil
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

func encodeLeaf(v reflect.Value) (*yaml.Node, error) {
	var node yaml.Node
	if err := node.Encode(v.Interface()); err != nil {
		return nil, err
	}
	if v.Type() == secretType && !v.IsZero() {
		node.SetString(hidden)
	}
	if node.Kind == yaml.SequenceNode {
		node.Style = yaml.FlowStyle
	}
	return &node, nil
}
