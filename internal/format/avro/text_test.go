package avro

import (
	"encoding/binary"
	"strings"
	"testing"
)

// TestTextsOfLogicalTypes: UUIDs, durations and times, as the specification lays out their bytes; a fixed type of another size is plain bytes.
func TestTextsOfLogicalTypes(t *testing.T) {
	const sixteen, twelve = "0123456789abcdef", "\x02\x00\x00\x00\x03\x00\x00\x00\xdc\x05\x00\x00" // 2 months, 3 days, 1,500 ms
	varint := func(x int64) string { return string(binary.AppendVarint(nil, x)) }
	const second = int64(1_700_000_000) // 2023-11-14 22:13:20
	for _, c := range [][3]string{
		{`{"type":"fixed","name":"u","size":16,"logicalType":"uuid"}`, sixteen, `"30313233-3435-3637-3839-616263646566"`},
		{`{"type":"fixed","name":"u","size":15,"logicalType":"uuid"}`, sixteen[:15], `"MDEyMzQ1Njc4OWFiY2Rl"`},
		{`{"type":"fixed","name":"d","size":12,"logicalType":"duration"}`, twelve, `"P2M3DT1.5S"`},
		{`{"type":"fixed","name":"d","size":11,"logicalType":"duration"}`, twelve[:11], `"AgAAAAMAAADcBQA="`},
		{`{"type":"int","logicalType":"date"}`, varint(19675), `"2023-11-14"`},
		{`{"type":"int","logicalType":"time-millis"}`, varint(80_000_250), `"22:13:20.25"`},
		{`{"type":"long","logicalType":"time-micros"}`, varint(80_000_000_001), `"22:13:20.000001"`},
		{`{"type":"long","logicalType":"timestamp-millis"}`, varint(second * 1000), `"2023-11-14T22:13:20Z"`},
		{`{"type":"long","logicalType":"timestamp-micros"}`, varint(second*1_000_000 + 1), `"2023-11-14T22:13:20.000001Z"`},
		{`{"type":"long","logicalType":"timestamp-nanos"}`, varint(second*1_000_000_000 + 1), `"2023-11-14T22:13:20.000000001Z"`},
		{`{"type":"long","logicalType":"local-timestamp-millis"}`, varint(second*1000 + 1), `"2023-11-14T22:13:20.001"`},
		{`{"type":"long","logicalType":"local-timestamp-micros"}`, varint(second*1_000_000 + 1), `"2023-11-14T22:13:20.000001"`},
		{`{"type":"long","logicalType":"local-timestamp-nanos"}`, varint(second*1_000_000_000 + 1), `"2023-11-14T22:13:20.000000001"`},
	} {
		read, err := Bare(`{"type":"record","name":"r","fields":[{"name":"x","type":` + c[0] + `}]}`)
		if err != nil {
			t.Errorf("%s: %v", c[0], err)
			continue
		}
		if text, err := read.AppendJSON(nil, []byte(c[1])); err != nil || string(text) != `{"x":`+c[2]+`}` {
			t.Errorf("%s: %s, %v, want %s", c[0], text, err, c[2])
		}
		if text, err := read.AppendJSON(nil, []byte(c[1][:len(c[1])-1])); err == nil {
			t.Errorf("%s, without its last byte: %s", c[0], text)
		}
	}
}

// TestIntegersAtTheirEnds: an int has 32 bits and a long 64, and a length is neither negative nor beyond the message.
func TestIntegersAtTheirEnds(t *testing.T) {
	for _, c := range []struct {
		kind, value string
		want        string // empty: it is refused
	}{
		{"int", string(binary.AppendVarint(nil, 1<<31-1)), "2147483647"}, {"int", string(binary.AppendVarint(nil, 1<<31)), ""}, {"int", string(binary.AppendVarint(nil, -1<<31)), "-2147483648"}, {"int", string(binary.AppendVarint(nil, -1<<31-1)), ""},
		{"int", "\x82\x80\x80\x80\x00", "1"}, {"int", "\x82\x80\x80\x80\x80\x00", ""}, // of five bytes, and of six
		{"long", string(binary.AppendVarint(nil, 1<<63-1)), "9223372036854775807"}, {"long", string(binary.AppendVarint(nil, -1<<63)), "-9223372036854775808"}, {"long", strings.Repeat("\xff", 10), ""}, {"int", "", ""},
		{"string", "\x02a", `"a"`}, {"string", "\x00", `""`}, {"string", "\x01", ""}, {"string", "\x04a", ""}, {"boolean", "\x01", "true"}, {"boolean", "\x00", "false"}, {"boolean", "\x02", ""}, {"null", "", "null"},
		{`{"type":"array","items":"int"}`, "\x02\x06\x00", "[3]"}, {`{"type":"array","items":"int"}`, "\x01\x02\x06\x00", "[3]"}, {`{"type":"array","items":"int"}`, string(binary.AppendVarint(nil, -1<<63)) + "\x00", ""}, {`{"type":"array","items":"int"}`, "\x00", "[]"},
		{`{"type":"enum","name":"e","symbols":["A","B"]}`, "\x02", `"B"`}, {`{"type":"enum","name":"e","symbols":["A","B"]}`, "\x04", ""}, {`{"type":"enum","name":"e","symbols":["A","B"]}`, "\x01", ""},
		{`["null","int"]`, "\x00", "null"}, {`["null","int"]`, "\x02\x06", "3"}, {`["null","int"]`, "\x04", ""}, {`["null","int"]`, "\x01", ""},
	} {
		kind := c.kind
		if kind[0] != '{' && kind[0] != '[' {
			kind = `"` + kind + `"`
		}
		read, err := Bare(`{"type":"record","name":"r","fields":[{"name":"x","type":` + kind + `}]}`)
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		text, err := read.AppendJSON(nil, []byte(c.value))
		if (err == nil) != (c.want != "") || err == nil && string(text) != `{"x":`+c.want+`}` {
			t.Errorf("%s of %x: %s, %v, want %s", kind, c.value, text, err, c.want)
		}
	}
}
