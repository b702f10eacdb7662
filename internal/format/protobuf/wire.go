package protobuf

import (
	"math"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// value is what stands on the wire for a field.
type value struct {
	number uint64 // of a varint or of fixed bytes
	bytes  []byte // of a text, of bytes, or of a message
	times  int    // that the field occurred; 0: it is absent
	merged bool   // bytes are our own
}

// wireType is how a single value of a kind stands on the wire.
func wireType(kind protoreflect.Kind) protowire.Type {
	switch kind {
	case protoreflect.FloatKind, protoreflect.Fixed32Kind, protoreflect.Sfixed32Kind:
		return protowire.Fixed32Type
	case protoreflect.DoubleKind, protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind:
		return protowire.Fixed64Type
	case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.MessageKind:
		return protowire.BytesType
	case protoreflect.GroupKind:
		return protowire.StartGroupType
	}
	return protowire.VarintType
}

// one reads a value of a wire type, and returns how many bytes it takes; below 0 is an error of protowire.
func one(data []byte, number protowire.Number, wire protowire.Type) (v value, n int) {
	switch wire {
	case protowire.VarintType:
		v.number, n = protowire.ConsumeVarint(data)
	case protowire.Fixed32Type:
		var x uint32
		x, n = protowire.ConsumeFixed32(data)
		v.number = uint64(x)
	case protowire.Fixed64Type:
		v.number, n = protowire.ConsumeFixed64(data)
	case protowire.BytesType:
		v.bytes, n = protowire.ConsumeBytes(data)
	case protowire.StartGroupType:
		v.bytes, n = protowire.ConsumeGroup(number, data)
	default:
		n = protowire.ConsumeFieldValue(number, wire, data)
	}
	v.times = 1
	return v, n
}

// scan finds the last value of every field of a message. Of fields with several values it counts those.
func scan(s *shape, data []byte, values []value) error {
	for len(data) > 0 {
		number, wire, n := tag(data)
		if n < 0 {
			return protowire.ParseError(n)
		}
		data = data[n:]
		at := s.index(number)
		if at >= 0 && s.fields[at].alone && wire == s.fields[at].wire { // most fields
			v := &values[at]
			if wire == protowire.VarintType {
				if len(data) > 0 && data[0] < 0x80 {
					v.number, n = uint64(data[0]), 1
				} else {
					v.number, n = protowire.ConsumeVarint(data)
				}
			} else if len(data) > 0 && data[0] < 0x80 && int(data[0]) < len(data) {
				n = 1 + int(data[0])
				v.bytes = data[1:n]
			} else {
				v.bytes, n = protowire.ConsumeBytes(data)
			}
			if n < 0 {
				return protowire.ParseError(n)
			}
			v.times, data = 1, data[n:]
			continue
		}
		v, n := one(data, number, wire)
		if n < 0 {
			return protowire.ParseError(n)
		}
		data = data[n:]
		if at >= 0 {
			s.found(at, wire, v, values)
		}
	}
	return nil
}

// tag reads the number and the wire type of a field, and returns how many bytes they take.
func tag(data []byte) (number protowire.Number, wire protowire.Type, n int) {
	if c := data[0]; c < 0x80 && c >= 8 {
		return protowire.Number(c >> 3), protowire.Type(c & 7), 1
	}
	return protowire.ConsumeTag(data)
}

// found takes note of a value of a field.
func (s *shape) found(at int, wire protowire.Type, v value, values []value) {
	f, old := &s.fields[at], &values[at]
	switch {
	case f.list || f.keys != nil:
		old.times++
		return
	case wire != f.wire:
		return // as if the field were unknown
	case f.oneof > 0:
		for i := range s.fields {
			if s.fields[i].oneof == f.oneof && i != at {
				values[i] = value{}
			}
		}
	}
	if f.inside != nil && old.times > 0 { // messages are merged, which is what both in a row mean
		if !old.merged {
			old.bytes = append([]byte(nil), old.bytes...)
		}
		v.bytes, v.merged = append(old.bytes, v.bytes...), true
	}
	*old = v
}

// each gives the values of a list, or the entries of a map, in the order of the message: it reads the message once more, since they may stand anywhere
// in it. The message has been scanned.
func (s *shape) each(i int, data []byte, use func(value) error) (err error) {
	f := &s.fields[i]
	for len(data) > 0 && err == nil {
		number, wire, length := protowire.ConsumeTag(data)
		data = data[length:]
		v, length := one(data, number, wire)
		data = data[length:]
		switch single := wireType(f.kind); {
		case s.index(number) != i:
		case f.keys != nil:
			if wire == protowire.BytesType {
				err = use(v)
			}
		case wire == single:
			err = use(v)
		case wire == protowire.BytesType && single != protowire.StartGroupType: // packed
			for packed := v.bytes; len(packed) > 0 && err == nil; {
				element, length := one(packed, number, single)
				if length < 0 {
					return protowire.ParseError(length)
				}
				packed = packed[length:]
				err = use(element)
			}
		}
	}
	return err
}

// entry reads one entry of a map: a message of a key and a value, either of which may be absent.
func (f *field) entry(data []byte) (key, v value, err error) {
	for len(data) > 0 {
		number, wire, length := protowire.ConsumeTag(data)
		if length < 0 {
			return key, v, protowire.ParseError(length)
		}
		data = data[length:]
		read, length := one(data, number, wire)
		if length < 0 {
			return key, v, protowire.ParseError(length)
		}
		data = data[length:]
		switch {
		case number == 1 && wire == wireType(f.keys.kind):
			key = read
		case number == 2 && wire == wireType(f.kind):
			v = read
		}
	}
	return key, v, nil
}

// name is the text of a key of a map; digits are room for that of a number.
func (f *field) name(key value, digits []byte) []byte {
	if f.keys.kind == protoreflect.StringKind {
		return key.bytes
	}
	return appendWhole(digits, f.keys.kind, key.number)
}

// appendWhole appends a number of a kind of integers, or a bool.
func appendWhole(dst []byte, kind protoreflect.Kind, number uint64) []byte {
	switch kind {
	case protoreflect.BoolKind:
		return strconv.AppendBool(dst, number != 0)
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return strconv.AppendUint(dst, uint64(uint32(number)), 10)
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return strconv.AppendUint(dst, number, 10)
	}
	return strconv.AppendInt(dst, signed(kind, number), 10)
}

// signed is the number of a kind of signed integers, or of an enum.
func signed(kind protoreflect.Kind, number uint64) int64 {
	switch kind {
	case protoreflect.Int32Kind, protoreflect.Sfixed32Kind, protoreflect.EnumKind:
		return int64(int32(number))
	case protoreflect.Sint32Kind:
		return int64(int32(protowire.DecodeZigZag(number & math.MaxUint32)))
	case protoreflect.Sint64Kind:
		return protowire.DecodeZigZag(number)
	}
	return int64(number)
}
