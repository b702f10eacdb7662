package parquetlines

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// appendGroup appends the fields of a row, or of a group in it, in the order of the schema.
func appendGroup(dst []byte, fields []parquet.Field, value any) []byte {
	row, _ := value.(map[string]any)
	dst = append(dst, '{')
	first := true
	for _, field := range fields {
		inner := row[field.Name()]
		if inner == nil && !field.Leaf() {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(appendText(dst, field.Name()), ':')
		dst = appendNode(dst, field, inner)
	}
	return append(dst, '}')
}

// appendNode appends a value of a node of the schema.
func appendNode(dst []byte, node parquet.Node, value any) []byte {
	if value == nil {
		return append(dst, "null"...)
	}
	if list, ok := value.([]any); ok {
		element := node
		if inner := node.Fields(); !node.Leaf() && len(inner) == 1 && inner[0].Repeated() {
			element = inner[0]
			if !element.Leaf() && len(element.Fields()) == 1 {
				element = element.Fields()[0]
			}
		}
		dst = append(dst, '[')
		for i, x := range list {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendNode(dst, element, x)
		}
		return append(dst, ']')
	}
	if node.Leaf() {
		return appendLeaf(dst, node.Type().LogicalType(), value)
	}
	if fields := node.Fields(); len(fields) == 1 && fields[0].Repeated() && len(fields[0].Fields()) == 2 { // a map
		if entries, ok := value.(map[string]any); ok && entries[fields[0].Name()] == nil {
			return appendMap(dst, fields[0].Fields()[1], entries)
		}
	}
	return appendGroup(dst, node.Fields(), value)
}

func appendMap(dst []byte, node parquet.Node, entries map[string]any) []byte {
	dst = append(dst, '{')
	for i, key := range slices.Sorted(maps.Keys(entries)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendNode(append(appendText(dst, key), ':'), node, entries[key])
	}
	return append(dst, '}')
}

// appendLeaf appends a single value by its meaning, nil if it has none but its type.
func appendLeaf(dst []byte, logical *format.LogicalType, value any) []byte {
	var meaning format.LogicalTypeValue
	if logical != nil {
		meaning = logical.Value
	}
	switch x := value.(type) {
	case bool:
		return strconv.AppendBool(dst, x)
	case int32:
		if _, date := meaning.(*format.DateType); date {
			return appendTime(dst, time.Unix(int64(x)*86400, 0), time.DateOnly)
		}
		return strconv.AppendInt(dst, int64(x), 10)
	case int64:
		if moment, ok := meaning.(*format.TimestampType); ok {
			return appendTimestamp(dst, moment, x)
		}
		return strconv.AppendInt(dst, x, 10)
	case int:
		return strconv.AppendInt(dst, int64(x), 10)
	case uint32:
		return strconv.AppendUint(dst, uint64(x), 10)
	case uint64:
		return strconv.AppendUint(dst, x, 10)
	case float32:
		return appendNumber(dst, float64(x), 32)
	case float64:
		return appendNumber(dst, x, 64)
	case string:
		return appendText(dst, x)
	case []byte:
		if _, uuid := meaning.(*format.UUIDType); uuid && len(x) == 16 {
			return appendText(dst, fmt.Sprintf("%x-%x-%x-%x-%x", x[:4], x[4:6], x[6:8], x[8:10], x[10:]))
		}
		return appendText(dst, hex.EncodeToString(x))
	case time.Time:
		return appendTime(dst, x, time.RFC3339Nano)
	}
	return appendText(dst, fmt.Sprint(value))
}

func appendTimestamp(dst []byte, moment *format.TimestampType, x int64) []byte {
	t := time.UnixMilli(x)
	if moment.Unit.Value != nil {
		switch moment.Unit.Value.Duration() {
		case time.Microsecond:
			t = time.UnixMicro(x)
		case time.Nanosecond:
			t = time.Unix(0, x)
		}
	}
	layout := time.RFC3339Nano
	if !moment.IsAdjustedToUTC {
		layout = "2006-01-02T15:04:05.999999999"
	}
	return appendTime(dst, t, layout)
}

func appendTime(dst []byte, t time.Time, layout string) []byte {
	return append(t.UTC().AppendFormat(append(dst, '"'), layout), '"')
}

func appendNumber(dst []byte, x float64, bits int) []byte {
	switch {
	case math.IsNaN(x):
		return append(dst, "null"...)
	case math.IsInf(x, 0):
		return appendText(dst, strconv.FormatFloat(x, 'g', -1, 64))
	}
	return strconv.AppendFloat(dst, x, 'g', -1, bits)
}

// appendText appends a JSON string. Bytes that are not UTF-8 stay what they are, so that the record is rejected for them.
func appendText(dst []byte, text string) []byte {
	if utf8.ValidString(text) {
		quoted, err := json.Marshal(text)
		if err == nil {
			return append(dst, quoted...)
		}
	}
	dst = append(dst, '"')
	for i := range len(text) {
		if c := text[i]; c >= ' ' && c != '"' && c != '\\' {
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}
