package protobuf

import (
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
		number, wire, n := protowire.ConsumeTag(data)
		if n < 0 {
			return protowire.ParseError(n)
		}
		data = data[n:]
		v, n := one(data, number, wire)
		if n < 0 {
			return protowire.ParseError(n)
		}
		data = data[n:]
		at := s.place(number)
		if at < 0 {
			continue
		}
		f, old := &s.fields[at], &values[at]
		switch {
		case f.list || f.keys != nil:
			old.times++
			continue
		case wire != wireType(f.kind):
			continue // as if the field were unknown
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
	return nil
}
