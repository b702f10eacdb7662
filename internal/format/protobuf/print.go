package protobuf

import (
	"encoding/base64"
	"errors"
	"math"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// AppendJSON is part of format.Printer.
func (f protobuf) AppendJSON(dst, value []byte) ([]byte, error) {
	s, at, err := f.Find(&kafka.Record{Value: value})
	if err != nil {
		return dst, err
	}
	p := printer{steps: maxPrinted}
	if dst, err = p.members(dst, s, value[at:]); err != nil {
		return dst, &record.Rejection{Reason: record.MalformedMessage, Offset: -1, Detail: err.Error() + ": the message is not what its schema says"}
	}
	return dst, nil
}

// printer writes messages as JSON from which pkg/record reads the record that a walk over them gives.
type printer struct {
	steps int // values that a record may still have
}

const (
	maxPrinted = 1 << 20
	maxLine    = 64 << 20 // bytes of the JSON of one record
)

var errTooMany = errors.New("a record has more than 1,048,576 values, or 64 MiB as JSON")

// step counts a value.
func (p *printer) step(dst []byte) error {
	if p.steps--; p.steps < 0 || len(dst) > maxLine {
		return errTooMany
	}
	return nil
}

// members appends a message as an object.
func (p *printer) members(dst []byte, s *shape, data []byte) ([]byte, error) {
	if p.steps -= len(s.fields); p.steps < 0 {
		return dst, errTooMany
	}
	values := make([]value, len(s.fields))
	if err := scan(s, data, values); err != nil {
		return dst, err
	}
	dst = append(dst, '{')
	first := len(dst)
	for i := range s.fields {
		f, v := &s.fields[i], values[i]
		if v.times == 0 && !f.text() {
			continue
		}
		if len(dst) > first {
			dst = append(dst, ',')
		}
		dst = append(format.AppendQuoted(dst, f.key), ':')
		var err error
		switch {
		case f.list || f.keys != nil:
			dst, err = p.several(dst, s, i, data)
		case v.times == 0 && f.presence:
			dst = append(dst, "null"...)
		default:
			dst, err = p.single(dst, f, v)
		}
		if err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// single appends one value.
func (p *printer) single(dst []byte, f *field, v value) ([]byte, error) {
	if err := p.step(dst); err != nil {
		return dst, err
	}
	switch f.kind {
	case protoreflect.FloatKind:
		return format.AppendFloat(dst, float64(math.Float32frombits(uint32(v.number))), 32), nil
	case protoreflect.DoubleKind:
		return format.AppendFloat(dst, math.Float64frombits(v.number), 64), nil
	case protoreflect.StringKind:
		return format.AppendQuoted(dst, v.bytes), nil
	case protoreflect.BytesKind:
		return append(base64.StdEncoding.AppendEncode(append(dst, '"'), v.bytes), '"'), nil
	case protoreflect.EnumKind:
		if name, known := f.names[protoreflect.EnumNumber(int32(v.number))]; known {
			return format.AppendQuoted(dst, name), nil
		}
	}
	switch {
	case f.inside == nil:
		return appendWhole(dst, f.kind, v.number), nil
	case f.inside.special == ordinary:
		return p.members(dst, f.inside, v.bytes)
	}
	var values [3]value
	if err := scan(f.inside, v.bytes, values[:len(f.inside.fields)]); err != nil {
		return dst, err
	}
	if f.inside.special == wrapper {
		return p.single(dst, &f.inside.fields[0], values[0])
	}
	if f.inside.special == decimal {
		return appendSpecial(dst, decimal, values)
	}
	dst, err := appendSpecial(append(dst, '"'), f.inside.special, values)
	return append(dst, '"'), err
}

// several appends a list or a map.
func (p *printer) several(dst []byte, s *shape, i int, data []byte) ([]byte, error) {
	f := &s.fields[i]
	open, end := byte('['), byte(']')
	if f.keys != nil {
		open, end = '{', '}'
	}
	dst = append(dst, open)
	first := len(dst)
	err := s.each(i, data, func(v value) (err error) {
		if len(dst) > first {
			dst = append(dst, ',')
		}
		if f.keys != nil {
			var key value
			if key, v, err = f.entry(v.bytes); err != nil {
				return err
			}
			var digits [24]byte
			dst = append(format.AppendQuoted(dst, f.name(key, digits[:0])), ':')
		}
		dst, err = p.single(dst, f, v)
		return err
	})
	return append(dst, end), err
}
