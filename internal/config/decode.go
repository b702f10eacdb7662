package config

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/fairstream/fairstream/internal/spelling"
)

// decoder sets values of a Config from YAML nodes, gathers everything that is wrong, and remembers
// where each value came from.
//
// The YAML library decodes single values only: walking the sections here is what gives all problems
// at once, each with its key and line.
type decoder struct {
	source   func(*yaml.Node) string
	origins  map[string]string // path → source
	problems Problems
	unread   bool // some file could not be read: what is missing may be there
}

func (d *decoder) problem(node *yaml.Node, path, format string, arguments ...any) {
	d.problems = append(d.problems, Problem{Source: d.source(node), Path: path, Message: fmt.Sprintf(format, arguments...)})
}

// set sets into, which is addressable, from node. A node without a value changes nothing.
func (d *decoder) set(node *yaml.Node, into reflect.Value, path string) {
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if node.ShortTag() == "!!null" {
		return
	}
	d.origins[path] = d.source(node)
	switch shapeOf(into.Type()) {
	case section:
		d.setSection(node, into, path)
	case list:
		d.setList(node, into, path)
	case table:
		d.setTable(node, into, path)
	default:
		d.setLeaf(node, into, path)
	}
}

func (d *decoder) setSection(node *yaml.Node, into reflect.Value, path string) {
	fields := fieldsOf(into.Type())
	d.eachKey(node, path, func(key, value *yaml.Node) {
		for _, f := range fields {
			if f.key == key.Value {
				d.set(value, into.FieldByIndex(f.index), join(path, f.key))
				return
			}
		}
		d.problem(key, join(path, key.Value), "unknown key%s", suggestKey(key.Value, fields))
		d.setMeant(node, key.Value, value, fields, into, path)
	})
}

// setMeant reads what stands below a misspelt key as if it were written right, so that all its problems are told at
// once, and what it sets is not told to be missing.
func (d *decoder) setMeant(node *yaml.Node, key string, value *yaml.Node, fields []field, into reflect.Value, path string) {
	known := make([]string, len(fields))
	for i, f := range fields {
		known[i] = f.key
	}
	near := spelling.Nearest(key, known)
	for i := 0; i < len(node.Content); i += 2 {
		if node.Content[i].Value == near {
			return // it is written right elsewhere
		}
	}
	if i := slices.Index(known, near); i >= 0 {
		d.set(value, into.FieldByIndex(fields[i].index), join(path, near))
	}
}

func (d *decoder) setList(node *yaml.Node, into reflect.Value, path string) {
	if node.Kind != yaml.SequenceNode {
		d.problem(node, path, "is %s, not a list: begin each entry with a hyphen", kindWords(node))
		return
	}
	entries := reflect.MakeSlice(into.Type(), len(node.Content), len(node.Content))
	for i, entry := range node.Content {
		d.set(entry, entries.Index(i), fmt.Sprintf("%s[%d]", path, i))
	}
	into.Set(entries)
}

func (d *decoder) setTable(node *yaml.Node, into reflect.Value, path string) {
	d.eachKey(node, path, func(key, value *yaml.Node) {
		changeEntry(into, key.Value, func(entry reflect.Value) { d.set(value, entry, join(path, key.Value)) })
	})
}

// changeEntry changes one entry of a copy of m, which may be shared with the configuration that was
// begun from, and sets m to the copy.
func changeEntry(m reflect.Value, name string, change func(entry reflect.Value)) {
	entries := reflect.MakeMap(m.Type())
	for at := m.MapRange(); at.Next(); {
		entries.SetMapIndex(at.Key(), at.Value())
	}
	entry := reflect.New(m.Type().Elem()).Elem()
	if present := m.MapIndex(reflect.ValueOf(name)); present.IsValid() {
		entry.Set(present)
	}
	change(entry)
	entries.SetMapIndex(reflect.ValueOf(name), entry)
	m.Set(entries)
}

// eachKey visits the keys of a mapping, the first of those that are written twice.
func (d *decoder) eachKey(node *yaml.Node, path string, visit func(key, value *yaml.Node)) {
	if node.Kind != yaml.MappingNode {
		d.problem(node, path, "is %s, not keys with values: indent its keys below it", kindWords(node))
		return
	}
	lines := map[string]int{}
	for i := 0; i < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		switch first, twice := lines[key.Value]; {
		case key.Kind != yaml.ScalarNode:
			d.problem(key, path, "a key is %s: write it as text", kindWords(key))
		case key.ShortTag() == "!!merge":
			d.problem(key, path, "<< is not supported: write the keys out, or give a whole section an alias")
		case twice:
			d.problem(key, join(path, key.Value), "is written twice, first on line %d: remove one", first)
		default:
			lines[key.Value] = key.Line
			visit(key, value)
		}
	}
}

func (d *decoder) setLeaf(node *yaml.Node, into reflect.Value, path string) {
	words, several := holds(into.Type())
	if node.Kind == yaml.MappingNode && into.Type() != groupType {
		d.problem(node, path, "is %s, not %s", kindWords(node), words)
		return
	}
	fresh := reflect.New(into.Type())
	if err := node.Decode(fresh.Interface()); err != nil {
		switch {
		case into.Type() == groupType:
			d.problem(node, path, "is not %s; a range has the keys from and below, each with a finite number", words)
		case node.Kind == yaml.ScalarNode && !several && into.Type() != secretType:
			d.problem(node, path, "%q is not %s%s", node.Value, words, writeNumber(node.Value, words))
		case node.Kind == yaml.ScalarNode && several:
			d.problem(node, path, "is a single value, not %s: write %s", words, asList(node.Value))
		case node.Kind == yaml.SequenceNode && path == "record.label.positive":
			d.problem(node, path, "is a list, and one value is positive: keep one, since every other value is negative. If several values are positive, "+
				"write them as one where the records are made")
		case node.Kind == yaml.SequenceNode && !several:
			d.problem(node, path, "is a list, not %s: keep one value, without brackets", words)
		default:
			d.problem(node, path, "is %s, not %s", kindWords(node), words)
		}
		return
	}
	into.Set(fresh.Elem())
}

// duration is a number of days or weeks, or a bare number.
var duration = regexp.MustCompile(`^(\d{1,5}) ?(d|day|days|w|week|weeks|)$`)

// writeDuration says how a duration is written that is in days or weeks, or has no unit.
func writeDuration(text string) string {
	found := duration.FindStringSubmatch(strings.TrimSpace(text))
	if found == nil {
		return ""
	}
	n, err := strconv.Atoi(found[1])
	switch {
	case err != nil:
		return ""
	case found[2] == "":
		return fmt.Sprintf(": write the unit, as in %ds, %dm or %dh", n, n, n)
	case found[2][0] == 'w':
		n *= 7
	}
	return fmt.Sprintf(": write hours, %dh", 24*n)
}

// writeNumber says how a number is written that has a decimal comma or a sign of per cent, and how a duration is.
func writeNumber(text, words string) string {
	if strings.HasPrefix(words, "a duration") {
		return writeDuration(text)
	}
	if words != "a number" {
		return ""
	}
	number, isShare := strings.CutSuffix(strings.TrimSpace(text), "%")
	value, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(number), ",", "."), 64)
	if err != nil {
		return ""
	}
	if isShare {
		value /= 100
	}
	return ": write " + strconv.FormatFloat(value, 'g', -1, 64)
}

// asList is a list of one text. One with an @ may hold a password, and is not shown.
func asList(text string) string {
	if strings.Contains(text, "@") {
		return "it in brackets, as in [VALUE]"
	}
	return fmt.Sprintf("[%q]", text)
}

func kindWords(node *yaml.Node) string {
	switch node.Kind {
	case yaml.SequenceNode:
		return "a list"
	case yaml.MappingNode:
		return "keys with values"
	}
	return "a single value"
}
