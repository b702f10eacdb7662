package avro

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	fields "github.com/fairstream/fairstream/pkg/record"
)

// unfit says why no message of a shape can be a record of the schema: the label, or an attribute, is gone or has a type that it cannot have.
// Without it, a field that its writers removed or retyped would be learnt as missing, or as another value. Nil if it fits.
func unfit(s *shape, schema *fields.Schema) error {
	config := schema.Config()
	if way := strings.Join(schema.Within(), "."); way != "" {
		if s = below(s, way); s == nil {
			return fmt.Errorf("has no field %q, where record.at says that the record is", way)
		}
	}
	if schema.OnlyScored() {
		return nil
	}
	label := found(s, &config, config.Label.Field)
	if label == nil && schema.LabelRequired() {
		return fmt.Errorf("has no field %q, which record.label.field names: list its new name under record.renamed", config.Label.Field)
	}
	if label != nil && !couldBe(label, string(config.Label.Positive)) {
		return fmt.Errorf("gives the label %q a type that can never have the value of record.label.positive", config.Label.Field)
	}
	if label != nil && config.Key != "" {
		return nil // it may bring labels alone
	}
	for _, attribute := range schema.Attributes() {
		switch at := found(s, &config, attribute); {
		case at == nil:
			return fmt.Errorf("has no field %q, the attribute of a constraint: list its new name under record.renamed", attribute)
		case !scalar(at):
			return fmt.Errorf("makes the attribute %q of a constraint an object or an array", attribute)
		default:
			if groups := schema.Groups(attribute); len(groups) > 0 && !slices.ContainsFunc(groups, func(text string) bool { return couldBe(at, text) }) {
				return fmt.Errorf("gives the attribute %q a type that cannot have any value of its groups: name the new values under constraints, or let the producers keep the type", attribute)
			}
		}
	}
	return nil
}

// anything stands for what only messages show: what is below a map or an array.
var anything = &shape{kind: text}

// found is the shape of a dotted path as the configuration names it; nil if no message has it.
func found(s *shape, config *fields.Config, path string) *shape {
	for _, rename := range config.Renamed {
		if rename.Was == path {
			if at := below(s, rename.Field); at != nil {
				return at
			}
		}
	}
	return below(s, path)
}

func below(s *shape, path string) *shape {
	switch s.kind {
	case array, mapping:
		return anything
	case union:
		var best *shape
		for _, branch := range s.branches {
			if at := below(branch, path); at != nil && (best == nil || scalar(at)) {
				best = at
			}
		}
		return best
	case record:
		for i := range s.fields {
			key := string(s.fields[i].key)
			if key == path {
				return s.fields[i].shape
			}
			if rest, inside := strings.CutPrefix(path, key+"."); inside {
				if at := below(s.fields[i].shape, rest); at != nil {
					return at
				}
			}
		}
	}
	return nil
}

// scalar says whether values of a shape may be texts.
func scalar(s *shape) bool {
	switch s.kind {
	case record, array, mapping, null:
		return false
	case union:
		for _, branch := range s.branches {
			if scalar(branch) {
				return true
			}
		}
		return false
	}
	return true
}

// couldBe says whether a value of a shape may be a text, or a number if that is empty.
func couldBe(s *shape, wanted string) bool {
	switch s.kind {
	case record, array, mapping, null:
		return false
	case union:
		for _, branch := range s.branches {
			if couldBe(branch, wanted) {
				return true
			}
		}
		return false
	case boolean:
		return wanted == "true" || wanted == "false"
	case integer, long, float, double, decimal, fixedDecimal:
		_, err := strconv.ParseFloat(wanted, 64)
		return wanted == "" || err == nil
	case enum:
		for _, symbol := range s.symbols {
			if bytes.Equal(symbol, []byte(wanted)) {
				return true
			}
		}
		return false
	case text:
		return true
	}
	return wanted != ""
}
