package config

import (
	"encoding"
	"reflect"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/model"
)

// shape is how a type is written.
type shape int

const (
	leaf    shape = iota // one value, or a list of values
	section              // keys that the type fixes: a struct
	list                 // sections in a row: a slice of structs
	table                // sections under names that the user chooses: a map of structs
)

var (
	textType       = reflect.TypeFor[encoding.TextUnmarshaler]()
	callbackType   = reflect.TypeFor[interface{ UnmarshalYAML(func(any) error) error }]()
	durationType   = reflect.TypeFor[time.Duration]()
	secretType     = reflect.TypeFor[kafka.Secret]()
	groupType      = reflect.TypeFor[model.Group]()
	sequenceOfText = "text, or a list of texts"
	groupWords     = "a value, a list of values, or a range of a number such as {from: 40, below: 65}"
)

func shapeOf(t reflect.Type) shape {
	pointer := reflect.PointerTo(t)
	switch {
	case pointer.Implements(textType), pointer.Implements(callbackType):
		return leaf
	case t.Kind() == reflect.Struct:
		return section
	case t.Kind() == reflect.Slice && shapeOf(t.Elem()) == section:
		return list
	case t.Kind() == reflect.Map && shapeOf(t.Elem()) == section:
		return table
	}
	return leaf
}

// holds is what a leaf holds, in words, and whether it holds several values.
func holds(t reflect.Type) (words string, several bool) {
	switch {
	case t == durationType:
		return "a duration such as 30s or 5m", false
	case t == groupType:
		return groupWords, true
	case reflect.PointerTo(t).Implements(callbackType):
		return sequenceOfText, true
	case reflect.PointerTo(t).Implements(textType):
		return "text", false
	}
	switch t.Kind() {
	case reflect.Pointer:
		return holds(t.Elem())
	case reflect.Bool:
		return "true or false", false
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "a whole number", false
	case reflect.Float32, reflect.Float64:
		return "a number", false
	case reflect.Slice:
		of, nested := holds(t.Elem())
		if nested {
			return "a list of lists of " + strings.TrimPrefix(of, "a list of "), true
		}
		return "a list of " + of + "s", true
	}
	return "text", false
}

// field is one key of a section.
type field struct {
	key   string // as written in YAML; it may hold dots
	index []int  // as reflect.Value.FieldByIndex takes it
	typ   reflect.Type
}

// fieldsOf returns the keys of a section in the order of the struct. The keys of a struct that is inline stand among
// them.
func fieldsOf(t reflect.Type) []field {
	fields := make([]field, 0, t.NumField())
	for i := range t.NumField() {
		f := t.Field(i)
		key, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if options == "inline" {
			for _, inner := range fieldsOf(f.Type) {
				inner.index = append([]int{i}, inner.index...)
				fields = append(fields, inner)
			}
			continue
		}
		if !f.IsExported() || key == "-" {
			continue
		}
		if key == "" {
			panic("config: " + t.String() + "." + f.Name + " has no yaml key")
		}
		fields = append(fields, field{key: key, index: []int{i}, typ: f.Type})
	}
	return fields
}
