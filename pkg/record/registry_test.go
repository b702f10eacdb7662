package record_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// TestRegistryHeader: values that the serializers of a schema registry wrote, by the rest of the record.
func TestRegistryHeader(t *testing.T) {
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "y", Positive: "1"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	decoder, rec := schema.NewDecoder(), record.Record{}
	rejected := func(value string) *record.Rejection {
		t.Helper()
		rejection, ok := errors.AsType[*record.Rejection](decoder.DecodeJSON(&rec, []byte(value)))
		if !ok {
			t.Fatalf("%q is accepted", value)
		}
		return rejection
	}
	for _, c := range []struct{ name, value, says string }{
		{"Avro of ASCII", "\x00\x00\x00\x00\x07\x02\x06abc", "(schema id 7), and no JSON follows: it is Avro or Protobuf"},
		{"Avro that begins as an object", "\x00\x00\x01\x86\xa1{ ab", "(schema id 100001)"},
		{"Avro of other bytes", "\x00\x00\x00\x00\x07\x02\xff\xfe\x80", "it is Avro or Protobuf"},
		{"an empty Avro record", "\x00\x00\x00\x00\x07", "it is Avro or Protobuf"},
	} {
		text := rejected(c.value).Error()
		if rejected(c.value).Reason != record.RegistryHeader || !strings.Contains(text, c.says) {
			t.Errorf("%s: %s", c.name, text)
		}
		for _, cure := range []string{"iconv", ".csv", "jq"} {
			if strings.Contains(text, cure) {
				t.Errorf("%s: %s", c.name, text)
			}
		}
	}
	for _, value := range []string{"\x00\x00\x00\x00\x07" + `{"y":1,"a":2}`, "\x00\xff\x01\x86\xa1 \n{ \n\"y\":1,\"a\":2}"} { // of JSON Schema
		if err := decoder.DecodeJSON(&rec, []byte(value)); err != nil || !rec.Positive || len(rec.Features) != 1 || string(rec.Features[0].Text) != "2" {
			t.Errorf("%q: %v, %+v", value, err, rec)
		}
	}
	if r := rejected("\x00\x00\x00\x00\x07" + `{"y":1,}`); r.Reason != record.MalformedJSON || r.Offset != 12 {
		t.Errorf("%v", r)
	}
	for name, value := range map[string]string{"a long": "\x00\x00\x00\x00\x00\x00\x00\x05", "an integer": "\x00\x00\x00\x05", "UTF-16": "\x00{\x00\"\x00y\x00\"", "nothing": ""} {
		if reason := rejected(value).Reason; reason == record.RegistryHeader {
			t.Errorf("%s: %s", name, reason)
		}
	}
}

// TestCuresOfFilesAreForFiles: a record of a topic has no line, and no command converts it.
func TestCuresOfFilesAreForFiles(t *testing.T) {
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "y", Positive: "1"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	decoder, rec := schema.NewDecoder(), record.Record{}
	for value, cure := range map[string]string{"{\"y\":\"\xe9\"}": "iconv -f latin1", "a,b,c": "end in .csv", `{"y":1`: "jq -c ."} {
		err := decoder.DecodeJSON(&rec, []byte(value))
		if err == nil || strings.Contains(err.Error(), cure) {
			t.Errorf("%q on a topic: %v", value, err)
		}
		reader, err := record.NewReader(strings.NewReader(value+"\n"), record.JSONLines, record.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if err := reader.Read(decoder, &rec); err == nil || !strings.Contains(err.Error(), cure) {
			t.Errorf("%q in a file: %v", value, err)
		}
	}
}
