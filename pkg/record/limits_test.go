package record_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// limited decodes with small limits.
func limited(t *testing.T) *record.Decoder {
	t.Helper()
	schema, err := record.NewSchema(record.Config{
		Label: record.Label{Field: "y"}, Weight: "w",
		Limits: record.Limits{RecordBytes: 2000, Fields: 8, Depth: 4},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return schema.NewDecoder()
}

// A record exactly at a limit is good; one step beyond it is rejected, by the flat and by the general way to read JSON.
func TestRecordsExactlyAtALimit(t *testing.T) {
	// ofSize is a record of that many bytes, with other members before its last.
	ofSize := func(size int) string {
		const frame = `{"y":1,"w":1,"a":""}`
		return strings.Replace(frame, `""`, `"`+strings.Repeat("x", size-len(frame))+`"`, 1)
	}
	nested := func(depth int) string {
		return `{"y":1,"w":1,"a":` + strings.Repeat(`{"b":`, depth-1) + "1" + strings.Repeat("}", depth)
	}
	members := func(count int) string {
		var text strings.Builder
		for i := range count - 2 {
			fmt.Fprintf(&text, `,"f%d":1`, i)
		}
		return `{"y":1,"w":1` + text.String() + "}"
	}
	named := func(size int) string { return `{"y":1,"w":1,"` + strings.Repeat("n", size) + `":1}` }
	path := func(size int) string { return `{"y":1,"w":1,"` + strings.Repeat("n", size-2) + `":{"m":1}}` }
	weighing := func(weight string) string { return `{"y":1,"w":` + weight + `}` }
	labelled := func(label string) string { return `{"w":1,"y":` + label + `}` }
	for _, c := range []struct {
		name       string
		at, beyond string
		want       record.Reason
	}{
		{name: "bytes", at: ofSize(2000), beyond: ofSize(2001), want: record.TooLong},
		{name: "depth", at: nested(4), beyond: nested(5), want: record.TooDeep},
		{name: "fields", at: members(8), beyond: members(9), want: record.TooManyFields},
		{name: "name", at: named(record.MaxNameBytes), beyond: named(record.MaxNameBytes + 1), want: record.NameTooLong},
		{name: "path", at: path(record.MaxNameBytes), beyond: path(record.MaxNameBytes + 1), want: record.NameTooLong},
		{name: "weight", at: weighing("1000000"), beyond: weighing("1000000.0000000001"), want: record.BadWeight},
		{name: "positive label", at: labelled("1e30"), beyond: labelled("1.0000000000000002e30"), want: record.BadLabel},
		{name: "negative label", at: labelled("-1e30"), beyond: labelled("-1.0000000000000002e30"), want: record.BadLabel},
	} {
		for _, front := range []string{"", " "} { // a blank in front takes the general way
			if front != "" && c.name == "bytes" {
				c.at, c.beyond = ofSize(1999), ofSize(2000)
			}
			decoder := limited(t)
			var r record.Record
			if err := decoder.DecodeJSON(&r, []byte(front+c.at)); err != nil {
				t.Errorf("%s, at the limit: %v", c.name, err)
			}
			rejection, _ := errors.AsType[*record.Rejection](decoder.DecodeJSON(&r, []byte(front+c.beyond)))
			if rejection == nil || rejection.Reason != c.want {
				t.Errorf("%s, beyond the limit: %v, want %s", c.name, rejection, c.want)
			}
		}
	}
}

// Of a line the bytes count without its end, however that is written.
func TestLinesExactlyAtTheLimit(t *testing.T) {
	const limit = 40
	for format, ofSize := range map[record.Format]func(int) string{
		record.JSONLines: func(size int) string { return `{"y":1,"a":"` + strings.Repeat("x", size-14) + `"}` },
		record.CSV:       func(size int) string { return "1," + strings.Repeat("x", size-2) },
	} {
		for _, end := range []string{"\n", "\r\n", ""} {
			for size, want := range map[int]record.Reason{limit: "", limit + 1: record.TooLong} {
				schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "y", Positive: "1"}, Limits: record.Limits{RecordBytes: limit}}, nil)
				if err != nil {
					t.Fatal(err)
				}
				text := ofSize(size) + end
				if format == record.CSV {
					text = "y,a\n" + text
				}
				reader, err := record.NewReader(strings.NewReader(text), format, record.Limits{RecordBytes: limit})
				if err != nil {
					t.Fatal(err)
				}
				var r record.Record
				err = reader.Read(schema.NewDecoder(), &r)
				if rejection, is := errors.AsType[*record.Rejection](err); (err == nil) != (want == "") || is && rejection.Reason != want || !is && err != nil {
					t.Errorf("%s, %d bytes and the end %q: %v, want %q", format, size, end, err, want)
				}
				if err := reader.Next(); err != io.EOF {
					t.Errorf("%s: %v after the last line", format, err)
				}
			}
		}
	}
}

// The configuration's own ranges include their ends.
func TestLimitsExactlyAtTheirRanges(t *testing.T) {
	for name, c := range map[string]struct {
		least, most int
		set         func(l *record.Limits, to int)
	}{
		"record_bytes": {1, 64 << 20, func(l *record.Limits, to int) { l.RecordBytes = to }},
		"fields":       {1, 1 << 16, func(l *record.Limits, to int) { l.Fields = to }},
		"depth":        {1, 1000, func(l *record.Limits, to int) { l.Depth = to }},
	} {
		for value, want := range map[int]int{c.least - 1: 1, c.least: 0, c.most: 0, c.most + 1: 1} {
			config := record.Config{Label: record.Label{Field: "y", Positive: "1"}}.WithDefaults()
			c.set(&config.Limits, value)
			if problems := config.Validate(nil); len(problems) != want {
				t.Errorf("%s %d: %v", name, value, problems)
			}
		}
	}
}
