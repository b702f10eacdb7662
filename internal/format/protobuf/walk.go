package protobuf

import (
	"encoding/base64"
	"errors"
	"math"
	"slices"
	"strconv"
	"time"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/pkg/record"
)

// walk gives the values of one message to a decoder of records.
type walk struct {
	format.Decoding[*shape]
	values []value // of the message and those that it lies in
}

// start decodes data. The error is a *record.Rejection.
func (w *walk) start(dst *record.Record, s *shape, data []byte, size int) error {
	w.values = w.values[:0]
	if err := w.Begin(dst, size); err != nil {
		return err
	}
	err := w.Bind(s, s.names)
	if err == nil {
		err = w.message(s, data)
	}
	if err == nil {
		return w.End()
	}
	if rejection, ok := errors.AsType[*record.Rejection](err); ok {
		return rejection
	}
	return &record.Rejection{Reason: record.MalformedMessage, Offset: -1, Detail: err.Error() + ": the message is not what its schema says"}
}

// scan finds the values of a message, which are those of w.values from the given place on.
func (w *walk) scan(s *shape, data []byte) (from int, err error) {
	from = len(w.values)
	w.values = slices.Grow(w.values, len(s.fields))[:from+len(s.fields)]
	clear(w.values[from:])
	return from, scan(s, data, w.values[from:])
}

// message is the outermost one.
func (w *walk) message(s *shape, data []byte) error {
	_, err := w.scan(s, data)
	for i := range s.fields {
		if err != nil {
			return err
		}
		err = w.field(s, i, &w.values[i], data, w.Nodes[i])
	}
	return err
}

// members are the fields of a message inside another.
func (w *walk) members(s *shape, data []byte, n *record.Node) error {
	from, err := w.scan(s, data)
	if err != nil {
		return err
	}
	inside := n.Inside()
	for i := range s.fields {
		member, err := w.Next(&inside, s.fields[i].key)
		if err == nil {
			err = w.field(s, i, &w.values[from+i], data, member)
		}
		if err != nil {
			return err
		}
	}
	w.values = w.values[:from]
	return nil
}

// field gives a field of a message to n.
func (w *walk) field(s *shape, i int, v *value, data []byte, n *record.Node) error {
	f := &s.fields[i]
	switch several := f.list || f.keys != nil; {
	case several && v.times == 0, !f.text() && v.times == 0:
		return nil
	case n.Ignored():
		return w.Skip(n)
	case several:
		return w.several(s, i, data, n)
	case v.times == 0 && f.presence:
		return w.PutNull(n, -1)
	}
	return w.single(f, v, n)
}

// single gives one value to n.
func (w *walk) single(f *field, v *value, n *record.Node) error {
	switch f.kind {
	case protoreflect.BoolKind:
		return w.PutBool(n, v.number != 0, -1)
	case protoreflect.Int32Kind, protoreflect.Sfixed32Kind, protoreflect.Int64Kind, protoreflect.Sfixed64Kind, protoreflect.Sint32Kind, protoreflect.Sint64Kind:
		return w.PutInt(n, signed(f.kind, v.number), -1)
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return w.PutUint(n, uint64(uint32(v.number)), -1)
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return w.PutUint(n, v.number, -1)
	case protoreflect.FloatKind:
		return w.PutFloat(n, float64(math.Float32frombits(uint32(v.number))), 32, -1)
	case protoreflect.DoubleKind:
		return w.PutFloat(n, math.Float64frombits(v.number), 64, -1)
	case protoreflect.StringKind:
		return w.Put(n, v.bytes, -1)
	case protoreflect.BytesKind:
		return w.PutScratch(n, base64.StdEncoding.AppendEncode(w.Scratch(), v.bytes), -1)
	case protoreflect.EnumKind:
		if name, known := f.names[protoreflect.EnumNumber(int32(v.number))]; known {
			return w.Put(n, name, -1)
		}
		return w.PutInt(n, signed(f.kind, v.number), -1)
	}
	if f.inside.special != ordinary {
		return w.special(f.inside, v.bytes, n)
	}
	into, err := w.Open(n)
	if err != nil || !into {
		return err
	}
	err = w.members(f.inside, v.bytes, n)
	w.Close()
	return err
}

// special gives a message that is a single value to n.
func (w *walk) special(s *shape, data []byte, n *record.Node) error {
	var values [3]value
	if err := scan(s, data, values[:len(s.fields)]); err != nil {
		return err
	}
	if s.special == wrapper {
		return w.single(&s.fields[0], &values[0], n)
	}
	text, err := appendSpecial(w.Scratch(), s.special, values)
	if err != nil {
		return err
	}
	return w.PutScratch(n, text, -1)
}

// appendSpecial appends the text of a Timestamp, a Duration or a Decimal.
func appendSpecial(dst []byte, s special, values [3]value) ([]byte, error) {
	if s == decimal {
		return format.AppendDecimal(dst, values[0].bytes, int(int32(values[2].number)))
	}
	seconds, nanos := int64(values[0].number), int64(int32(values[1].number))
	if s == timestamp {
		const first, last = -62135596800, 253402300799 // of the years 1 and 9999
		if seconds < first || seconds > last || nanos < 0 || nanos > 999_999_999 {
			return dst, errors.New("a Timestamp outside the years 1 to 9999")
		}
		return time.Unix(seconds, nanos).UTC().AppendFormat(dst, time.RFC3339Nano), nil
	}
	const most = 315_576_000_000 // 10,000 years
	if seconds < -most || seconds > most || nanos < -999_999_999 || nanos > 999_999_999 || seconds > 0 && nanos < 0 || seconds < 0 && nanos > 0 {
		return dst, errors.New("a Duration of more than 10,000 years, or with two signs")
	}
	return appendDuration(dst, seconds, nanos), nil
}

func appendDuration(dst []byte, seconds, nanos int64) []byte {
	if seconds < 0 || nanos < 0 {
		dst, seconds, nanos = append(dst, '-'), -seconds, -nanos
	}
	dst = strconv.AppendInt(dst, seconds, 10)
	if nanos > 0 {
		digits := strconv.AppendInt(nil, 1_000_000_000+nanos, 10)[1:]
		for digits[len(digits)-1] == '0' {
			digits = digits[:len(digits)-1]
		}
		dst = append(append(dst, '.'), digits...)
	}
	return append(dst, 's')
}

// several gives the values of a list or of a map to places below n.
func (w *walk) several(s *shape, i int, data []byte, n *record.Node) error {
	into, err := w.Open(n)
	if err != nil || !into {
		return err
	}
	f, inside := &s.fields[i], n.Inside()
	err = s.each(i, data, func(v value) error {
		if f.keys != nil {
			return w.entry(f, v.bytes, &inside)
		}
		element, err := w.NextElement(&inside)
		if err != nil {
			return err
		}
		return w.inside(f, v, element)
	})
	w.Close()
	return err
}

// inside gives a value of a list or of a map to n.
func (w *walk) inside(f *field, v value, n *record.Node) error {
	if n.Ignored() {
		return w.Skip(n)
	}
	return w.single(f, &v, n)
}

// entry gives one entry of a map.
func (w *walk) entry(f *field, data []byte, inside *record.Cursor) error {
	key, v, err := f.entry(data)
	if err != nil {
		return err
	}
	var digits [24]byte
	n, err := w.Next(inside, f.name(key, digits[:0]))
	if err != nil {
		return err
	}
	return w.inside(f, v, n)
}
