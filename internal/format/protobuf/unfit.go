package protobuf

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/fairstream/fairstream/pkg/record"
)

// unfit says why no message of a type can be a record of the schema: the label, or an attribute, is gone or has a type that it cannot
// have. Without it, a field that its writers removed or retyped would be learnt as missing, or as another value. Nil if it fits.
func unfit(s *shape, schema *record.Schema) error {
	config := schema.Config()
	if way := strings.Join(schema.Within(), "."); way != "" {
		f, dynamic := s.below(way)
		if f == nil || dynamic || f.inside == nil || f.list || f.keys != nil {
			return fmt.Errorf("has no message %q, where record.at says that the record is", way)
		}
		s = f.inside
	}
	if schema.OnlyScored() {
		return nil
	}
	label, known := found(s, &config, config.Label.Field)
	switch {
	case !known && schema.LabelRequired():
		return fmt.Errorf("has no field %q, which record.label.field names: list its new name under record.renamed", config.Label.Field)
	case label != nil && !label.text():
		return fmt.Errorf("makes the label %q a message, a list or a map", config.Label.Field)
	case label != nil && !couldBe(label, string(config.Label.Positive)):
		return fmt.Errorf("gives the label %q a type that can never have the value of record.label.positive", config.Label.Field)
	case known && config.Key != "":
		return nil // it may bring labels alone
	}
	for _, name := range schema.Attributes() {
		switch attribute, known := found(s, &config, name); {
		case !known:
			return fmt.Errorf("has no field %q, the attribute of a constraint: list its new name under record.renamed", name)
		case attribute != nil && !attribute.text():
			return fmt.Errorf("makes the attribute %q of a constraint a message, a list or a map", name)
		case attribute != nil:
			if groups := schema.Groups(name); len(groups) > 0 && !slices.ContainsFunc(groups, func(text string) bool { return couldBe(attribute, text) }) {
				return fmt.Errorf("gives the attribute %q a type that cannot have any value of its groups: name the new values under constraints, or let the producers keep the type", name)
			}
		}
	}
	return nil
}

// found is a field as the configuration names it; known and nil if only messages show it.
func found(s *shape, config *record.Config, path string) (f *field, known bool) {
	paths := []string{path}
	for _, rename := range config.Renamed {
		if rename.Was == path {
			paths = append(paths, rename.Field)
		}
	}
	for _, path := range paths {
		switch f, dynamic := s.below(path); {
		case dynamic:
			return nil, true
		case f != nil:
			return f, true
		}
	}
	return nil, false
}

// couldBe says whether a value of a field may be a text, or a number if that is empty.
func couldBe(f *field, wanted string) bool {
	switch f.kind {
	case protoreflect.EnumKind:
		return named(f, wanted)
	case protoreflect.BoolKind:
		return wanted == "true" || wanted == "false"
	case protoreflect.StringKind:
		return true
	case protoreflect.BytesKind:
		return wanted != ""
	case protoreflect.MessageKind, protoreflect.GroupKind:
		if f.inside.special == wrapper {
			return couldBe(&f.inside.fields[0], wanted)
		}
		if f.inside.special == decimal {
			_, err := strconv.ParseFloat(wanted, 64)
			return wanted == "" || err == nil
		}
		return wanted != "" // a time or a duration
	}
	_, err := strconv.ParseFloat(wanted, 64)
	return wanted == "" || err == nil
}

func named(f *field, value string) bool {
	for _, name := range f.names {
		if string(name) == value {
			return true
		}
	}
	return false
}
