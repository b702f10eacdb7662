package record_test

import (
	"bytes"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// TestDecodingAllocatesNothing asserts it for both formats, for escapes, nesting and the roles that
// need parsing.
func TestDecodingAllocatesNothing(t *testing.T) {
	var rec record.Record
	decoder := fullSchema(t).NewDecoder()
	for name, data := range map[string]string{
		"flat":    `{"a":1,"b":"x","c":null,"sex":"F","y":1,"w":0.5,"at":1700000000,"id":"r"}`,
		"spaced":  "{ \"a\": 1,\n \"y\": 1, \"w\": 1 }",
		"escaped": `{"a":"\u00e9\n","b":"\"","y":1,"w":1}`,
		"nested":  `{"a":{"b":1,"group":"g"},"c":[1,2],"y":1,"w":1}`,
	} {
		text := []byte(data)
		if n := testing.AllocsPerRun(100, func() {
			if err := decoder.DecodeJSON(&rec, text); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations a record", name, n)
		}
	}
	for name, source := range map[string]struct {
		text   []byte
		format record.Format
	}{
		"CSV":        {adultCSV(), record.CSV},
		"JSON lines": {adultNumbers(), record.JSONLines},
	} {
		reader, err := record.NewReader(bytes.NewReader(source.text), source.format, record.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		decoder := adultSchema(t).NewDecoder()
		if n := testing.AllocsPerRun(20000, func() {
			if err := reader.Read(decoder, &rec); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations a record", name, n)
		}
	}
}

func TestRejectionHoldsNoValue(t *testing.T) {
	const secret = "4711-secret"
	decoder := fullSchema(t).NewDecoder()
	var rec record.Record
	for _, data := range []string{
		`{"y":1,"w":"` + secret + `"}`,
		`{"y":1,"w":1,"at":"` + secret + `"}`,
		`{"y":1,"w":1,"a":"` + secret + `","a":"` + secret + `"}`,
		`{"y":1,"w":1,"a":` + secret + `}`,
		`{"y":1,"w":1,"a":"\` + secret + `"}`,
		`"` + secret + `"`,
	} {
		err := decoder.DecodeJSON(&rec, []byte(data))
		if err == nil || bytes.Contains([]byte(err.Error()), []byte("4711")) {
			t.Errorf("%s: error %v", data, err)
		}
	}
}
