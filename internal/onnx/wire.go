package onnx

import (
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// Types of elements, as onnx.proto numbers them.
const (
	float32Type = 1
	int64Type   = 7
	stringType  = 8
	boolType    = 9
	float64Type = 11
)

// Versions of the operators of core ONNX, of those of ai.onnx.ml, and of the format.
const (
	Opset     = 17
	OpsetML   = 2
	irVersion = 8
	domainML  = "ai.onnx.ml"
)

// message is an encoded protobuf message.
type message []byte

func (m message) text(field protowire.Number, value string) message {
	return protowire.AppendString(protowire.AppendTag(m, field, protowire.BytesType), value)
}

func (m message) bytes(field protowire.Number, value []byte) message {
	return protowire.AppendBytes(protowire.AppendTag(m, field, protowire.BytesType), value)
}

func (m message) number(field protowire.Number, value int64) message {
	return protowire.AppendVarint(protowire.AppendTag(m, field, protowire.VarintType), uint64(value))
}

// tensor is a TensorProto. Numbers are in raw_data.
func tensor(name string, kind int64, shape []int64) message {
	var m message
	for _, n := range shape {
		m = m.number(1, n)
	}
	return m.number(2, kind).text(8, name)
}

func doubles(name string, shape []int64, values []float64) message {
	raw := make([]byte, 0, 8*len(values))
	for _, x := range values {
		raw = protowire.AppendFixed64(raw, math.Float64bits(x))
	}
	return tensor(name, float64Type, shape).bytes(9, raw)
}

func integers(name string, shape, values []int64) message {
	raw := make([]byte, 0, 8*len(values))
	for _, x := range values {
		raw = protowire.AppendFixed64(raw, uint64(x))
	}
	return tensor(name, int64Type, shape).bytes(9, raw)
}

// attribute is an AttributeProto with one of the values.
func attribute(name string, value any) message {
	const (
		integer, integerList, textList = 2, 7, 8
	)
	m := message(nil).text(1, name)
	switch v := value.(type) {
	case int64:
		return m.number(3, v).number(20, integer)
	case []int64:
		for _, x := range v {
			m = m.number(8, x)
		}
		return m.number(20, integerList)
	case []string:
		for _, x := range v {
			m = m.text(9, x)
		}
		return m.number(20, textList)
	}
	panic("onnx: an attribute of a type that is not written")
}

// rows is a ValueInfoProto of a tensor [N, 1].
func rows(name string, kind int64) message {
	dimensions := message(nil).bytes(1, message(nil).text(2, "N")).bytes(1, message(nil).number(1, 1))
	typed := message(nil).bytes(1, message(nil).number(1, kind).bytes(2, dimensions))
	return message(nil).text(1, name).bytes(2, typed)
}

// property is a StringStringEntryProto.
func property(key, value string) message { return message(nil).text(1, key).text(2, value) }

// operators is an OperatorSetIdProto.
func operators(domain string, version int64) message {
	return message(nil).text(1, domain).number(2, version)
}
