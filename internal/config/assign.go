package config

import (
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Assignment is a value for one key from a flag.
type Assignment struct {
	// Flag names the flag in messages, such as --set or --mode.
	Flag string
	// Path is the key.
	Path string
	// Value is the value: text as it is for a single value, YAML or items separated by commas for several.
	Value string
}

// assign sets the value at path, whose source is d's.
func (d *decoder) assign(root reflect.Value, path, value string) {
	if fault := d.descend(root, "", path, value); fault != "" {
		d.problems = append(d.problems, Problem{Source: d.source(nil), Path: path, Message: fault})
	}
}

// descend goes from v, which is at path, to the rest of the way and sets the value there. It returns
// what is wrong with the way.
func (d *decoder) descend(v reflect.Value, path, rest, value string) (fault string) {
	if rest == "" {
		d.setText(v, path, value)
		return ""
	}
	switch shapeOf(v.Type()) {
	case section:
		fields := fieldsOf(v.Type())
		for _, f := range fields {
			if below, found := strings.CutPrefix(rest, f.key); found && (below == "" || below[0] == '.' || below[0] == '[') {
				return d.descend(v.FieldByIndex(f.index), join(path, f.key), strings.TrimPrefix(below, "."), value)
			}
		}
		return "unknown key" + suggestKey(rest, fields)
	case list:
		return d.descendList(v, path, rest, value)
	case table:
		for _, f := range fieldsOf(v.Type().Elem()) {
			if name, found := strings.CutSuffix(rest, "."+f.key); found {
				changeEntry(v, name, func(entry reflect.Value) {
					fault = d.descend(entry.FieldByIndex(f.index), join(path, rest), "", value)
				})
				return fault
			}
		}
		return "unknown key: write " + path + ".NAME.KEY"
	}
	return "has no keys below it: set " + path + " itself"
}

var indexed = regexp.MustCompile(`^\[(\d{1,4})\]\.?(.*)$`)

// descendList enters an entry of a list; the index after the last makes a new one.
func (d *decoder) descendList(v reflect.Value, path, rest, value string) (fault string) {
	match := indexed.FindStringSubmatch(rest)
	if match == nil {
		return fmt.Sprintf("name an entry, the first being %s[0]", path)
	}
	index, _ := strconv.Atoi(match[1]) // four digits at most
	if index > v.Len() {
		return fmt.Sprintf("there are %d entries: the next one is %s[%d]", v.Len(), path, v.Len())
	}
	// The entries are copied, because they may be shared with the configuration that was begun from.
	entries := reflect.MakeSlice(v.Type(), max(v.Len(), index+1), max(v.Len(), index+1))
	reflect.Copy(entries, v)
	v.Set(entries)
	return d.descend(entries.Index(index), fmt.Sprintf("%s[%d]", path, index), match[2], value)
}

// setText sets v from text: as it is where one value is held, else as YAML or as items with commas.
func (d *decoder) setText(v reflect.Value, path, text string) {
	_, several := holds(v.Type())
	isList := strings.HasPrefix(strings.TrimSpace(text), "[")
	switch {
	case shapeOf(v.Type()) != leaf, several && isList:
		var document yaml.Node
		if err := yaml.Load([]byte(text), &document); err != nil {
			d.problem(nil, path, "is not YAML: %s", yamlMessage(err))
			return
		}
		d.set(document.Content[0], v, path)
	case several && !reflect.PointerTo(v.Type()).Implements(callbackType):
		items := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
		for item := range strings.SplitSeq(text, ",") {
			items.Content = append(items.Content, textNode(v.Type().Elem(), strings.TrimSpace(item)))
		}
		d.set(items, v, path)
	default:
		d.set(textNode(v.Type(), text), v, path)
	}
}

// textNode is a single value whose characters are text. Where text is wanted it is not YAML: >50K and
// # are what they say.
func textNode(t reflect.Type, text string) *yaml.Node {
	node := &yaml.Node{Kind: yaml.ScalarNode, Value: text}
	if words, _ := holds(t); words == "text" || words == sequenceOfText {
		node.Tag = "!!str"
	}
	return node
}
