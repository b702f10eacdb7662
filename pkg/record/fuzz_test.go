package record_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/fairstream/fairstream/pkg/record"
)

// FuzzJSON holds the decoder to the standard library.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{
		`{"a":1,"b":"x","c":null,"d":true}`, `{"a":{"b":[1,{"c":2}]}}`, `{"a":"\u00e9\"","\u0061":-1.5e3}`, `{"a":1}x`, `[1]`,
		`{ "a" : 0.5 , "b" : "" }`, "{\"a\":\n1}", `{"a":01}`, `{"a"b":1}`, "{\"\xff\":1}",
	} {
		f.Add([]byte(seed), []byte(`{"a":1,"a\"b":2}`))
	}
	f.Fuzz(func(t *testing.T, first, second []byte) {
		decoder := everything(t).NewDecoder()
		for _, data := range [][]byte{first, second, first} {
			if data != nil {
				checkAgainstOracle(t, decoder, data)
			}
		}
	})
}

// FuzzEscapes: whatever text a JSON library writes, the decoder reads.
func FuzzEscapes(f *testing.F) {
	for _, seed := range []string{"", "plain", "\"\\/\b\f\n\r\t", "é日😀", "\x00\x1f\x7f", "<>&\u2028"} {
		f.Add(seed, "key")
	}
	f.Fuzz(func(t *testing.T, text, key string) {
		if !utf8.ValidString(text) || !utf8.ValidString(key) || len(key) > record.MaxNameBytes {
			t.Skip("the library would write another text")
		}
		data, err := json.Marshal(map[string]string{key: text})
		if err != nil {
			t.Fatal(err)
		}
		var rec record.Record
		if err := everything(t).NewDecoder().DecodeJSON(&rec, data); err != nil {
			t.Fatal(err)
		}
		feature := rec.Features[0]
		if missing := text == "" || text == "?"; feature.Missing != missing || !missing && string(feature.Text) != text || feature.Name != key {
			t.Fatalf("%s gives %+v", data, feature)
		}
	})
}

// FuzzCSV holds the reader to the standard library, and to its promise that every line of a
// damaged file is either read or rejected.
func FuzzCSV(f *testing.F) {
	for _, seed := range []string{
		"a,b\n1,2\n", "a,b\r\n\"1\n2\",\"x\"\"y\"\r\n", "a\n\"\n\"\n\"\n", "a,b\n1\n2,3", "\xef\xbb\xbfa\n1\n", "a,b\n\"1\"x,2\n3,4\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(checkCSV)
}

// FuzzReader: no bytes make a reader of JSON lines fail or lose its place.
func FuzzReader(f *testing.F) {
	f.Add([]byte("{\"a\":1}\n\n{\"a\":\r\n[]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		reader, err := record.NewReader(bytes.NewReader(text), record.JSONLines, record.Limits{RecordBytes: 64})
		if err != nil {
			return // UTF-16
		}
		decoder := everything(t).NewDecoder()
		var rec record.Record
		read := 0
		for {
			err := reader.Read(decoder, &rec)
			if err != nil && !isRejection(err) {
				break
			}
			read++
		}
		written := 0
		for _, line := range bytes.Split(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), []byte{'\n'}) {
			if len(bytes.TrimSpace(line)) > 0 || len(line) > 66 {
				written++
			}
		}
		if read != written {
			t.Fatalf("%q: %d rows, want %d", text, read, written)
		}
	})
}
