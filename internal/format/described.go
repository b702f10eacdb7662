package format

import (
	"strings"

	"github.com/fairstream/fairstream/pkg/record"
)

// Describer is a Printer that also says what the schema of a message tells of all messages with that schema.
type Describer interface {
	Printer
	// Describe returns the schema of a message, given as Whole has it. The error is a *record.Rejection or a *Pending.
	Describe(value []byte) (*Described, error)
}

// Described is what a schema says of its messages, before any of them is read.
type Described struct {
	Name string // such as "schema id 7"
	// Fields are the single values, and the maps and arrays, in the order of the schema.
	Fields []Field
	// Unfit says why no message can be a record of the given schema; nil if messages can be.
	Unfit func(*record.Schema) error

	steps int
}

// Step counts a part of a schema that is looked at, and says whether it is within the bounds: types that are shared multiply, and so do their names.
func (d *Described) Step(name string) bool {
	d.steps++
	return d.steps <= 4*MaxFields && len(d.Fields) < MaxFields && len(name) <= longestName
}

// Within are the fields of the record that lies on a path in its message, named from there.
func (d *Described) Within(path []string) []Field {
	if len(path) == 0 {
		return d.Fields
	}
	way := strings.Join(path, ".") + "."
	var inside []Field
	for _, f := range d.Fields {
		if name, is := strings.CutPrefix(f.Name, way); is {
			f.Name = name
			inside = append(inside, f)
		}
	}
	return inside
}

// Field is what a schema says of one field.
type Field struct {
	Name     string // a dotted path
	Kind     Kind
	Nullable bool     // records may lack it, or have null
	Symbols  []string // of a Symbol, all that the schema has
	Doc      string
}

// Kind is what the values of a field are.
type Kind uint8

// The kinds.
const (
	Text Kind = iota
	Integer
	Number // that may have a fraction
	Boolean
	Symbol // one of a list
	Time
	UUID
	Bytes
	Open // a map or an array: only messages show the fields below it
)

// MaxFields bounds the fields that a schema is described with: shared types multiply them.
const MaxFields = 4096

// longestName bounds a dotted path that is described.
const longestName = 4096
