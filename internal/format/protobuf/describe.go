package protobuf

import (
	"maps"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// Describe is part of format.Describer.
func (f protobuf) Describe(value []byte) (*format.Described, error) {
	message := &kafka.Record{Value: value}
	s, _, err := f.Find(message)
	if err != nil {
		return nil, err
	}
	d := &format.Described{Name: f.Name(message), Unfit: func(schema *record.Schema) error { return unfit(s, schema) }}
	describe(d, s, format.Field{})
	return d, nil
}

// describe appends the fields of a type; of is what lies around it.
func describe(d *format.Described, s *shape, of format.Field) {
	for i := range s.fields {
		f := &s.fields[i]
		own := format.Field{Name: string(f.key), Kind: f.described(), Nullable: of.Nullable || f.presence, Doc: strings.Join(strings.Fields(f.doc), " ")}
		if of.Name != "" {
			own.Name = of.Name + "." + own.Name
		}
		if !d.Step(own.Name) {
			continue
		}
		if own.Kind != format.Open && f.inside != nil && f.inside.special == ordinary {
			describe(d, f.inside, own)
			continue
		}
		if own.Kind == format.Symbol {
			for _, number := range slices.Sorted(maps.Keys(f.names)) {
				own.Symbols = append(own.Symbols, string(f.names[number]))
			}
		}
		d.Fields = append(d.Fields, own)
	}
}

// described is what the values of a field are.
func (f *field) described() format.Kind {
	if f.list || f.keys != nil {
		return format.Open
	}
	if f.inside != nil {
		switch f.inside.special {
		case timestamp:
			return format.Time
		case decimal:
			return format.Number
		case wrapper:
			return f.inside.fields[0].described()
		}
		return format.Text
	}
	switch f.kind {
	case protoreflect.BoolKind:
		return format.Boolean
	case protoreflect.EnumKind:
		return format.Symbol
	case protoreflect.StringKind:
		return format.Text
	case protoreflect.BytesKind:
		return format.Bytes
	case protoreflect.FloatKind, protoreflect.DoubleKind:
		return format.Number
	}
	return format.Integer
}
