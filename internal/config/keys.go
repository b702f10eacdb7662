package config

import (
	"reflect"
	"strings"

	"github.com/fairstream/fairstream/pkg/model"
)

// Key is one key of the configuration.
type Key struct {
	// Path is how messages and --set name it. In a list of sections it has the index 0, under names that
	// the user chooses the name NAME.
	Path string
	// Variable is the environment variable that sets it.
	Variable string
	// Holds says in words what the value is.
	Holds string
	// Default is the default in YAML, empty when there is none.
	Default string
	// Help is the key's description.
	Help string
}

// VariablePrefix begins the name of every environment variable.
const VariablePrefix = "FAIRSTREAM_"

// Keys lists every key, in the order of the file.
func Keys() []Key {
	var keys []Key
	help := descriptions()
	defaults := Default()
	defaults.Constraints = []model.Constraint{model.DefaultConstraint()}
	walk(reflect.ValueOf(defaults), "", func(path string, value reflect.Value) {
		words, _ := holds(value.Type())
		keys = append(keys, Key{
			Path:     path,
			Variable: variable(path),
			Holds:    words,
			Default:  defaultOf(path, value),
			Help:     help[path],
		})
	})
	return keys
}

// defaultOf renders the default of a leaf. The entries of lists and tables have no zeros as defaults:
// what is zero there is required or has no effect.
func defaultOf(path string, v reflect.Value) string {
	if v.IsZero() && strings.Contains(path, "[0]") {
		return ""
	}
	return inOneLine(v)
}

// walk visits every leaf below v: the first entry of a list, or an empty one, and one entry of a table.
func walk(v reflect.Value, path string, visit func(path string, value reflect.Value)) {
	switch shapeOf(v.Type()) {
	case section:
		for _, f := range fieldsOf(v.Type()) {
			walk(v.FieldByIndex(f.index), join(path, f.key), visit)
		}
	case list:
		entry := reflect.Zero(v.Type().Elem())
		if v.Len() > 0 {
			entry = v.Index(0)
		}
		walk(entry, path+"[0]", visit)
	case table:
		walk(reflect.Zero(v.Type().Elem()), join(path, "NAME"), visit)
	default:
		visit(path, v)
	}
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// variable is the name of the environment variable for a path: constraints[0].tau is
// FAIRSTREAM_CONSTRAINTS_0_TAU. Tables are set as a whole, by the variable of the table.
func variable(path string) string {
	if before, _, inTable := strings.Cut(path, ".NAME"); inTable {
		path = before
	}
	return VariablePrefix + variableWord(path)
}

var variableWords = strings.NewReplacer(".", "_", "-", "_", "[", "_", "]", "")

func variableWord(path string) string { return strings.ToUpper(variableWords.Replace(path)) }
