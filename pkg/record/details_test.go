package record_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/fairstream/fairstream/pkg/record"
)

// reasonOf is why a record was rejected, and of which field; empty if it was not.
func reasonOf(err error) string {
	rejection, ok := errors.AsType[*record.Rejection](err)
	if !ok {
		return fmt.Sprint(err)
	}
	return strings.TrimSpace(string(rejection.Reason) + " " + rejection.Field)
}

// TestLabelTimes: the time of a label is read beside that of its record, in the same format.
func TestLabelTimes(t *testing.T) {
	config := record.Config{Label: record.Label{Field: "y", Positive: "1", Time: "known"}, Time: record.Time{Field: "at", Format: record.UnixTime}}
	schema, err := record.NewSchema(config, nil)
	if err != nil {
		t.Fatal(err)
	}
	decoder := schema.NewDecoder()
	var rec record.Record
	if err := decoder.DecodeJSON(&rec, []byte(`{"y":1,"at":100,"known":250,"x":1}`)); err != nil {
		t.Fatal(err)
	}
	if !rec.Time.Equal(time.Unix(100, 0)) || !rec.LabelTime.Equal(time.Unix(250, 0)) || flatten(&rec) != "x=1" {
		t.Errorf("at %v, the label at %v, %s", rec.Time, rec.LabelTime, flatten(&rec))
	}
	if err := decoder.DecodeJSON(&rec, []byte(`{"y":1,"at":100,"x":1}`)); err != nil || !rec.LabelTime.IsZero() {
		t.Errorf("without a time the label is of %v: %v", rec.LabelTime, err)
	}
	for message, want := range map[string]string{
		`{"y":1,"at":100,"known":"soon"}`: "bad_time known", `{"y":1,"at":100,"known":[250]}`: "bad_time known", `{"y":1,"at":"soon","known":250}`: "bad_time at",
	} {
		if got := reasonOf(decoder.DecodeJSON(&rec, []byte(message))); got != want {
			t.Errorf("%s: %s, want %s", message, got, want)
		}
	}
}

// TestTimesInAnotherFormat: the message about a time names the format that it seems to be written in.
func TestTimesInAnotherFormat(t *testing.T) {
	for _, c := range []struct {
		format     record.TimeFormat
		text, hint string
	}{
		{record.UnixTime, "2026-11-21T08:30:00Z", "; it looks like one written as rfc3339"}, {record.UnixMilli, "2026-11-21T08:30:00Z", "; it looks like one written as rfc3339"},
		{record.RFC3339, "1767225600", "; a number is a time written as unix (seconds)"}, {record.RFC3339, "1767225600000", "; a number of 13 digits is one written as unix-ms"},
		{record.UnixTime, "1767225600000", "; a number of 13 digits is one written as unix-ms"}, {record.RFC3339, "yesterday", ""},
	} {
		schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "y", Positive: "1"}, Time: record.Time{Field: "at", Format: c.format}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		rejection, _ := errors.AsType[*record.Rejection](schema.NewDecoder().DecodeJSON(new(record.Record), fmt.Appendf(nil, `{"y":1,"at":%q}`, c.text)))
		if want := "not a time written as " + string(c.format) + c.hint; rejection == nil || rejection.Detail != want {
			t.Errorf("%s as %s: %v, want %q", c.text, c.format, rejection, want)
		}
	}
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "y", Positive: "1"}, Times: []record.Times{{Field: "at", Format: record.LocalTime}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := reasonOf(schema.NewDecoder().DecodeJSON(new(record.Record), []byte(`{"y":1,"at":"2026-11-21"}`))); got != "bad_time at" { // ten characters: no place for a time of day
		t.Errorf("a day as a local time: %s", got)
	}
}

// TestEnvelopesWithMembersTwice: what an envelope has twice is refused wherever it stands.
func TestEnvelopesWithMembersTwice(t *testing.T) {
	const row = `{"y":1,"x":7}`
	for message, want := range map[string]string{
		`{"op":"c","op":"c","after":` + row + `}`:                                        "duplicate_field op",
		`{"payload":{"op":"c","op":"c","after":` + row + `}}`:                            "duplicate_field op",
		`{"op":"c","after":` + row + `,"source":{"snapshot":"false","snapshot":"true"}}`: "duplicate_field snapshot",
	} {
		if got := reasonOf(within(t, record.Debezium).DecodeJSON(new(record.Record), []byte(message))); got != want {
			t.Errorf("%s: %s, want %s", message, got, want)
		}
	}
}

// TestHeadersOfRegistriesAtTheirBounds: a registry counts schemas from 1, and has fewer than 2^24.
func TestHeadersOfRegistriesAtTheirBounds(t *testing.T) {
	for header, want := range map[string]string{
		"\x00\x00\x00\x00\x00": "malformed_json", "\x00\x00\x00\x00\x01": "registry_header", "\x00\x00\xff\xff\xff": "registry_header", "\x00\x01\x00\x00\x00": "malformed_json",
		"\x00\x00\x00\x01": "malformed_json",
	} {
		if got := reasonOf(yesNo(t).NewDecoder().DecodeJSON(new(record.Record), []byte(header))); got != want {
			t.Errorf("%q: %s, want %s", header, got, want)
		}
	}
}

// TestLongRowsAreRead: a row may be longer than what is read at a time, and may come byte by byte; its text is that of the file.
func TestLongRowsAreRead(t *testing.T) {
	long := strings.Repeat("x", 600_000)
	rows, err := readAll(t, strings.NewReader(`{"a":"`+long+`","y":1}`+"\n"+`{"a":"b","y":0}`), record.JSONLines, record.Limits{})
	if err != nil || len(rows) != 2 || rows[0] != "1: a="+long || rows[1] != "2: a=b" {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	reader, err := record.NewReader(iotest.OneByteReader(strings.NewReader("a,y\n1,0\n\"2\n3\",1\n\"4\n")), record.CSV, record.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1,0", "\"2\n3\",1", "\"4"} {
		err := reader.Next()
		if string(reader.Raw()) != want || (err != nil) != (want == "\"4") {
			t.Errorf("%q, want %q: %v", reader.Raw(), want, err)
		}
	}
	if err := reader.Next(); err == nil || reader.Offset() != 19 {
		t.Errorf("after the last row at byte %d: %v", reader.Offset(), err)
	}
	if _, err := readAll(t, strings.NewReader("\ra,y\r1,1\r"), record.CSV, record.Limits{}); err == nil || !strings.Contains(err.Error(), "a carriage return alone") {
		t.Errorf("lines that begin and end with a carriage return: %v", err)
	}
}

// TestStrataAreFeatures: a field within whose values groups are compared is a feature, an attribute is none.
func TestStrataAreFeatures(t *testing.T) {
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "y", Positive: "1"}}, []string{"sex", "race"}, "job", "city")
	if err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]bool{"sex": false, "race": false, "job": true, "city": true, "age": true, "y": false} {
		if schema.Feature(field) != want {
			t.Errorf("%s is a feature: %t", field, !want)
		}
	}
	var rec record.Record
	if err := schema.NewDecoder().DecodeJSON(&rec, []byte(`{"y":1,"sex":"f","job":"j","age":3}`)); err != nil || flatten(&rec) != "job=j age=3" || string(rec.Attributes[2].Text) != "j" || !rec.Attributes[3].Missing {
		t.Errorf("%s, %+v: %v", flatten(&rec), rec.Attributes, err)
	}
}

// TestValuesOfAWalk: numbers, truths and elements have the texts that they have in JSON, what is ignored is passed over, and what is too much refused.
func TestValuesOfAWalk(t *testing.T) {
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "y", Positive: "1"}, Ignore: []string{"ignored"}, Limits: record.Limits{Fields: 25}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	decoder := schema.NewDecoder()
	member := func(key string) *record.Node {
		t.Helper()
		n, err := decoder.Member(decoder.Root(), key)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	var rec record.Record
	var elements []string
	for range 2 { // the second record meets what the first has left
		err := errors.Join(decoder.Begin(&rec, 10), decoder.PutInt(member("y"), 1, -1), decoder.PutUint(member("a"), 200, -1), decoder.PutUint(member("b"), 300, -1), decoder.PutUint(member("u"), 1<<64-1, -1), decoder.PutUint(member("ignored"), 7, -1),
			decoder.PutInt(member("127"), 127, -1), decoder.PutInt(member("128"), 128, -1), decoder.PutInt(member("minus"), -123456789, -1), decoder.PutBool(member("f"), false, -1), decoder.PutBool(member("t"), true, -1))
		into, opened := decoder.Open(member("list"))
		inside := member("list").Inside()
		elements = nil
		for i := range 12 {
			n, failed := decoder.NextElement(&inside)
			err = errors.Join(err, failed, decoder.PutInt(n, int64(i), -1))
			elements = append(elements, fmt.Sprintf("list.%d=%d", i, i))
		}
		decoder.Close()
		if err = errors.Join(err, opened, decoder.End()); err != nil || !into {
			t.Fatal(err)
		}
		if want := "a=200 b=300 u=18446744073709551615 127=127 128=128 minus=-123456789 f=false t=true " + strings.Join(elements, " "); flatten(&rec) != want || !rec.Positive {
			t.Errorf("%s\nwant %s", flatten(&rec), want)
		}
	}
	if got := reasonOf(decoder.PutUint(member("u"), 1, -1)); got != "duplicate_field u" {
		t.Errorf("a number twice: %s", got)
	}
	if got := reasonOf(decoder.PutUint(member("one more"), 1, -1)); got != "<nil>" {
		t.Errorf("the 25th member: %s", got)
	}
	if got := reasonOf(decoder.PutUint(member("too much"), 1, -1)); got != "too_many_fields" {
		t.Errorf("the 26th member: %s", got)
	}
	root := decoder.Root().Inside()
	if _, err := decoder.Next(&root, []byte(strings.Repeat("n", record.MaxNameBytes+1))); reasonOf(err) != "name_too_long" {
		t.Errorf("a long name: %v", err)
	}
}

// TestRecordsOfNoWeight are good, and those that weigh less are not.
func TestRecordsOfNoWeight(t *testing.T) {
	for weight, want := range map[string]string{"0": "<nil>", "-0": "<nil>", "0.0": "<nil>", "-0.001": "bad_weight w", "1e6": "<nil>"} {
		var rec record.Record
		err := limited(t).DecodeJSON(&rec, []byte(`{"y":1,"w":`+weight+`}`))
		if got := reasonOf(err); got != want || err == nil && weight != "1e6" && rec.Weight != 0 {
			t.Errorf("a weight of %s: %s, %v", weight, got, rec.Weight)
		}
	}
}

// TestTextsAtTheirBounds: codes are of ASCII letters, a short decimal has one point, and a text in JSON is a whole one.
func TestTextsAtTheirBounds(t *testing.T) {
	for text, want := range map[string]bool{"A1": true, "Z1": true, "a1": true, "z1": true, "@1": false, "[1": false, "`1": false, "{1": false, "é1": false} {
		if got := record.MayBeCode(text); got != want {
			t.Errorf("%q may be a code: %t", text, got)
		}
	}
	for _, text := range []string{"..5", ".5.", "5..", ".", "-."} {
		if x, ok := record.ShortDecimal([]byte(text)); ok {
			t.Errorf("%q is %v", text, x)
		}
	}
	for data, want := range map[string]string{`"a"`: "a", `1.0`: "1.0", `true`: "true", `"\x"`: "", `"a`: "", `null`: "", `{}`: "", `[]`: ""} {
		var text record.Text
		if err := text.UnmarshalJSON([]byte(data)); string(text) != want || (err == nil) != (want != "") {
			t.Errorf("%s is %q, %v", data, text, err)
		}
	}
}

// TestProgressOfUnknownLength: of a source that does not say how long it is, only what was read is known; one that says so is known at once.
func TestProgressOfUnknownLength(t *testing.T) {
	const text = "a,y\n1,1\n"
	for name, c := range map[string]struct {
		source io.Reader
		total  int64
	}{"a stream": {io.MultiReader(strings.NewReader(text)), -1}, "a text": {strings.NewReader(text), int64(len(text))}, "bytes": {bytes.NewReader([]byte(text)), int64(len(text))}} {
		reader, err := record.NewReader(c.source, record.CSV, record.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if read, total := reader.Progress(); read == 0 || read > int64(len(text)) || total != c.total {
			t.Errorf("%s: %d of %d bytes", name, read, total)
		}
	}
}

// TestSizesOfRows: a row has the bytes of its cells and of the commas between them, and one that is too long is refused.
func TestSizesOfRows(t *testing.T) {
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "y", Positive: "1"}, Limits: record.Limits{RecordBytes: 10}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{"1": 1, "1,": 2, "1,ab,c": 6, "1,12345678": 10} {
		cells := bytes.Split([]byte(text), []byte(","))
		header, err := record.NewHeader([]string{"y", "a", "b"}[:len(cells)])
		if err != nil {
			t.Fatal(err)
		}
		var rec record.Record
		if err := schema.NewDecoder().DecodeCSV(&rec, header, cells); err != nil || rec.Size != want {
			t.Errorf("%s: %d bytes, %v", text, rec.Size, err)
		}
	}
	header, err := record.NewHeader([]string{"y", "a"})
	if err != nil {
		t.Fatal(err)
	}
	if got := reasonOf(schema.NewDecoder().DecodeCSV(new(record.Record), header, [][]byte{[]byte("1"), []byte("123456789")})); got != "too_long" {
		t.Errorf("11 bytes: %s", got)
	}
}
