package avro

import (
	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	fields "github.com/fairstream/fairstream/pkg/record"
)

// Describe is part of format.Describer.
func (f avroFormat) Describe(value []byte) (*format.Described, error) {
	message := &kafka.Record{Value: value}
	s, _, err := f.Find(message)
	if err != nil {
		return nil, err
	}
	d := &format.Described{Name: f.Name(message), Unfit: func(schema *fields.Schema) error { return unfit(s, schema) }}
	describe(d, s, format.Field{})
	return d, nil
}

// describe appends the fields of a shape; of is what lies around it.
func describe(d *format.Described, s *shape, of format.Field) {
	if !d.Step(of.Name) {
		return
	}
	switch s.kind {
	case record:
		for i := range s.fields {
			inside := format.Field{Name: string(s.fields[i].key), Nullable: of.Nullable, Doc: s.docs[i]}
			if of.Name != "" {
				inside.Name = of.Name + "." + inside.Name
			}
			describe(d, s.fields[i].shape, inside)
		}
		return
	case union:
		describeUnion(d, s, of)
		return
	}
	if of.Kind = kindOf(s); of.Kind == format.Symbol {
		for _, symbol := range s.symbols {
			of.Symbols = append(of.Symbols, string(symbol))
		}
	}
	d.Fields = append(d.Fields, of)
}

// describeUnion describes what a single branch beside null says, and each record among several. Several kinds of single values are texts.
func describeUnion(d *format.Described, s *shape, of format.Field) {
	var values []*shape
	for _, branch := range s.branches {
		switch branch.kind {
		case null:
			of.Nullable = true
		default:
			values = append(values, branch)
		}
	}
	if len(values) == 1 {
		describe(d, values[0], of)
		return
	}
	single, numbers := false, true
	of.Nullable = of.Nullable || len(values) == 0
	for _, branch := range values {
		if branch.kind == record {
			optional := of
			optional.Nullable = true
			describe(d, branch, optional)
		} else if !single {
			single, of.Kind = true, kindOf(branch)
		} else if of.Kind = format.Text; isNumber(branch) && numbers {
			of.Kind = format.Number
		}
		numbers = numbers && isNumber(branch)
	}
	if of.Kind == format.Symbol && len(values) > 1 { // other branches have other texts
		of.Kind = format.Text
	}
	if single || len(values) == 0 {
		d.Fields = append(d.Fields, of)
	}
}

func isNumber(s *shape) bool { return kindOf(s) == format.Integer || kindOf(s) == format.Number }

// kindOf is what the values of a shape other than a record and a union are.
func kindOf(s *shape) format.Kind {
	switch s.kind {
	case boolean:
		return format.Boolean
	case integer, long:
		return format.Integer
	case float, double, decimal, fixedDecimal:
		return format.Number
	case enum:
		return format.Symbol
	case date, timestampMillis, timestampMicros, timestampNanos, localMillis, localMicros, localNanos:
		return format.Time
	case fixedUUID:
		return format.UUID
	case octets, fixed:
		return format.Bytes
	case array, mapping:
		return format.Open
	case text:
		if s.uuid {
			return format.UUID
		}
	}
	return format.Text
}
