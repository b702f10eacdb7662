package avro

import (
	"encoding/base64"
	"errors"
	"strconv"

	"github.com/fairstream/fairstream/internal/format"
)

// printer writes values as JSON from which pkg/record reads the record that a walk over them gives.
type printer struct {
	in    input
	steps int // values that a record may still have
}

// maxLine bounds the JSON of one record.
const maxLine = 64 << 20

// value appends the next value.
func (p *printer) value(dst []byte, s *shape) ([]byte, error) {
	if p.steps--; p.steps < 0 || len(dst) > maxLine {
		return dst, errors.New("a record has more than 1,048,576 values, or 64 MiB as JSON")
	}
	switch s.kind {
	case null:
		return append(dst, "null"...), nil
	case boolean:
		value, err := p.in.boolean()
		return strconv.AppendBool(dst, value), err
	case integer:
		value, err := p.in.int()
		return strconv.AppendInt(dst, value, 10), err
	case long:
		value, err := p.in.long()
		return strconv.AppendInt(dst, value, 10), err
	case float:
		value, err := p.in.float()
		return format.AppendFloat(dst, value, 32), err
	case double:
		value, err := p.in.double()
		return format.AppendFloat(dst, value, 64), err
	case text:
		value, err := p.in.text()
		return format.AppendQuoted(dst, value), err
	case enum:
		symbol, err := p.choice(len(s.symbols))
		if err != nil {
			return dst, err
		}
		return format.AppendQuoted(dst, s.symbols[symbol]), nil
	case union:
		branch, err := p.choice(len(s.branches))
		if err != nil {
			return dst, err
		}
		return p.value(dst, s.branches[branch])
	case record:
		return p.object(dst, s)
	case array:
		return p.blocks(dst, s, '[', ']')
	case mapping:
		return p.blocks(dst, s, '{', '}')
	}
	return p.made(dst, s)
}

func (p *printer) choice(n int) (int, error) {
	w := walk{in: p.in}
	i, err := w.choice(n)
	p.in = w.in
	return i, err
}

func (p *printer) object(dst []byte, s *shape) (_ []byte, err error) {
	dst = append(dst, '{')
	for i := range s.fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(format.AppendQuoted(dst, s.fields[i].key), ':')
		if dst, err = p.value(dst, s.fields[i].shape); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

func (p *printer) blocks(dst []byte, s *shape, open, end byte) ([]byte, error) {
	dst = append(dst, open)
	for first := true; ; {
		count, err := p.in.block()
		if err != nil {
			return dst, err
		}
		if count == 0 {
			return append(dst, end), nil
		}
		for ; count > 0; count-- {
			if !first {
				dst = append(dst, ',')
			}
			first = false
			if s.kind == mapping {
				key, err := p.in.text()
				if err != nil {
					return dst, err
				}
				dst = append(format.AppendQuoted(dst, key), ':')
			}
			if dst, err = p.value(dst, s.inside); err != nil {
				return dst, err
			}
		}
	}
}

// made appends a value that has a text of its own.
func (p *printer) made(dst []byte, s *shape) ([]byte, error) {
	var b []byte
	var err error
	switch s.kind {
	case octets, decimal:
		b, err = p.in.text()
	case fixed, fixedDecimal, fixedUUID, duration:
		b, err = p.in.cut(int64(s.size))
	case date, timeMillis:
		value, err := p.in.int()
		return append(appendTime(append(dst, '"'), s.kind, value), '"'), err
	default:
		value, err := p.in.long()
		return append(appendTime(append(dst, '"'), s.kind, value), '"'), err
	}
	if err != nil {
		return dst, err
	}
	switch s.kind {
	case decimal, fixedDecimal:
		return format.AppendDecimal(dst, b, s.scale)
	case fixedUUID:
		return append(appendUUID(append(dst, '"'), b), '"'), nil
	case duration:
		return append(appendDuration(append(dst, '"'), b), '"'), nil
	}
	return append(base64.StdEncoding.AppendEncode(append(dst, '"'), b), '"'), nil
}
