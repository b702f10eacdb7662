package serve

import (
	"encoding/binary"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"unicode/utf8"

	"github.com/fairstream/fairstream/pkg/document"
)

// tensor is an input of the Open Inference Protocol: a value of a field for each record, as JSON.
type tensor struct {
	field    string
	values   []byte
	ends     []int // of each value in values
	datatype string
}

// datatypes are those that are understood, and the bytes of an element; 0: it has a length of its own.
var datatypes = map[string]int{"BOOL": 1, "UINT8": 1, "UINT16": 2, "UINT32": 4, "UINT64": 8, "INT8": 1, "INT16": 2, "INT32": 4, "INT64": 8, "FP32": 4, "FP64": 8, "BYTES": 0}

func isFloat(datatype string) bool { return datatype == "FP32" || datatype == "FP64" }

// accepts says whether values of a type can mean something for a field.
func accepts(in document.Input, datatype string) bool {
	switch {
	case datatype == "BYTES":
		return true
	case datatype == "BOOL":
		return in.Booleans
	case isFloat(datatype):
		return in.Numbers
	}
	return in.Integers
}

func (t *tensor) end() { t.ends = append(t.ends, len(t.values)) }

// add appends the value of record number i.
func (t *tensor) add(line []byte, i int) []byte {
	begin := 0
	if i > 0 {
		begin = t.ends[i-1]
	}
	return append(line, t.values[begin:t.ends[i]]...)
}

func (t *tensor) wrong(format string, values ...any) error {
	return &refusal{http.StatusBadRequest, fmt.Sprintf("inference input %s: ", shown(t.field)) + fmt.Sprintf(format, values...)}
}

// number appends a number: NaN is missing.
func (t *tensor) number(f float64) error {
	switch {
	case math.IsNaN(f):
		t.values = append(t.values, "null"...)
	case math.IsInf(f, 0):
		return t.wrong("element %d is infinite", len(t.ends))
	default:
		format := byte('f')
		if size := math.Abs(f); size != 0 && (size < 1e-6 || size >= 1e21) {
			format = 'e'
		}
		t.values = strconv.AppendFloat(t.values, f, format, -1, 64)
	}
	t.end()
	return nil
}

// raw reads the elements from the bytes of the binary extension: little-endian, BYTES with a length of 4 bytes each.
func (t *tensor) raw(data []byte, elements int) error {
	size := datatypes[t.datatype]
	if size > 0 && len(data) != size*elements {
		return t.wrong("%d bytes are not the %d elements of its shape", len(data), elements)
	}
	for range elements {
		if size == 0 {
			if len(data) < 4 || uint64(binary.LittleEndian.Uint32(data)) > uint64(len(data)-4) {
				return t.wrong("its bytes end within element %d", len(t.ends))
			}
			size := int(binary.LittleEndian.Uint32(data))
			if err := t.text(data[4 : 4+size]); err != nil {
				return err
			}
			data = data[4+size:]
			continue
		}
		if err := t.fixed(data[:size]); err != nil {
			return err
		}
		data = data[size:]
	}
	if size == 0 && len(data) > 0 {
		return t.wrong("%d bytes are left behind its elements", len(data))
	}
	return nil
}

// text appends an element of BYTES: the empty one is missing.
func (t *tensor) text(b []byte) error {
	switch {
	case len(b) == 0:
		t.values = append(t.values, "null"...)
	case !utf8.Valid(b):
		return t.wrong("element %d is not UTF-8", len(t.ends))
	default:
		t.values = appendText(t.values, string(b))
	}
	t.end()
	return nil
}

// fixed appends an element of a fixed size.
func (t *tensor) fixed(b []byte) error {
	little := binary.LittleEndian
	switch t.datatype {
	case "FP32":
		return t.number(float64(math.Float32frombits(little.Uint32(b))))
	case "FP64":
		return t.number(math.Float64frombits(little.Uint64(b)))
	case "BOOL":
		if b[0] > 1 {
			return t.wrong("element %d is neither 0 nor 1", len(t.ends))
		}
		t.values = strconv.AppendBool(t.values, b[0] == 1)
	case "INT8":
		t.values = strconv.AppendInt(t.values, int64(int8(b[0])), 10)
	case "INT16":
		t.values = strconv.AppendInt(t.values, int64(int16(little.Uint16(b))), 10)
	case "INT32":
		t.values = strconv.AppendInt(t.values, int64(int32(little.Uint32(b))), 10)
	case "INT64":
		t.values = strconv.AppendInt(t.values, int64(little.Uint64(b)), 10)
	case "UINT8":
		t.values = strconv.AppendUint(t.values, uint64(b[0]), 10)
	case "UINT16":
		t.values = strconv.AppendUint(t.values, uint64(little.Uint16(b)), 10)
	case "UINT32":
		t.values = strconv.AppendUint(t.values, uint64(little.Uint32(b)), 10)
	case "UINT64":
		t.values = strconv.AppendUint(t.values, little.Uint64(b), 10)
	}
	t.end()
	return nil
}

// list reads the elements from JSON: an array, flat or nested to a depth. Each depth is one more pass over the bytes.
func (t *tensor) list(data []byte, count, depth int) error {
	_, err := elements(data, 0, func(element []byte) error {
		if element[0] == '[' {
			if depth == 0 {
				return t.wrong("its data is nested deeper than its shape")
			}
			return t.list(element, count, depth-1)
		}
		if len(t.ends) == count {
			return t.wrong("there are more elements than the %d of its shape", count)
		}
		return t.element(element)
	})
	return err
}

// element appends an element in JSON: null, and NaN as some clients write it, are missing.
func (t *tensor) element(token []byte) error {
	size := datatypes[t.datatype]
	word := string(token)
	var err error
	switch {
	case word == "null", word == "NaN" && isFloat(t.datatype), word == `""` && size == 0:
		t.values = append(t.values, "null"...)
		t.end()
		return nil
	case size == 0:
		if token[0] != '"' {
			return t.wrong("element %d is not a text", len(t.ends))
		}
		t.values = append(t.values, token...)
		t.end()
		return nil
	case isFloat(t.datatype):
		var f float64
		if f, err = strconv.ParseFloat(word, 8*size); err == nil && isNumber(token) {
			return t.number(f)
		}
	case t.datatype == "BOOL":
		if word == "true" || word == "false" {
			t.values = append(t.values, token...)
			t.end()
			return nil
		}
	case t.datatype[0] == 'U':
		var n uint64
		if n, err = strconv.ParseUint(word, 10, 8*size); err == nil {
			t.values = strconv.AppendUint(t.values, n, 10)
			t.end()
			return nil
		}
	default:
		var n int64
		if n, err = strconv.ParseInt(word, 10, 8*size); err == nil && isNumber(token) {
			t.values = strconv.AppendInt(t.values, n, 10)
			t.end()
			return nil
		}
	}
	return t.wrong("element %d is not of type %s", len(t.ends), t.datatype)
}

// isNumber tells a number of JSON from what strconv also takes.
func isNumber(token []byte) bool {
	return token[0] == '-' && len(token) > 1 && token[1] >= '0' && token[1] <= '9' || token[0] >= '0' && token[0] <= '9' && !(len(token) > 1 && (token[1] == 'x' || token[1] == 'X'))
}
