package record_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/pkg/record"
)

// adultSchema is the schema of the bundled records with sex as the attribute.
func adultSchema(tb testing.TB) *record.Schema {
	tb.Helper()
	schema, err := record.NewSchema(adult.RecordConfig(), []string{"sex"})
	if err != nil {
		tb.Fatal(err)
	}
	return schema
}

// adultCSV is the bundled file.
func adultCSV(tb testing.TB) []byte {
	tb.Helper()
	text, err := io.ReadAll(adult.Open())
	if err != nil {
		tb.Fatal(err)
	}
	return text
}

// adultJSON is the bundled file as JSON lines whose values are strings, or numbers where they can be.
func adultJSON(tb testing.TB, numbers bool) []byte {
	tb.Helper()
	reader, err := record.NewReader(adult.Open(), record.CSV, record.Limits{})
	if err != nil {
		tb.Fatal(err)
	}
	var text []byte
	for {
		err := reader.Next()
		if err == io.EOF {
			return text
		}
		if err != nil {
			tb.Fatal(err)
		}
		line := reader.AppendJSON(nil)
		if numbers {
			line = unquoteNumbers(line)
		}
		text = append(append(text, line...), '\n')
	}
}

// unquoteNumbers removes the quotes around strings of digits.
func unquoteNumbers(line []byte) []byte {
	parts := bytes.Split(line, []byte{'"'})
	var out []byte
	for i, part := range parts {
		digits := i%2 == 1 && len(part) > 0 && len(bytes.Trim(part, "0123456789")) == 0
		if i > 0 && !(digits || wasDigits(parts, i-1)) {
			out = append(out, '"')
		}
		out = append(out, part...)
	}
	return out
}

func wasDigits(parts [][]byte, i int) bool {
	return i%2 == 1 && len(parts[i]) > 0 && len(bytes.Trim(parts[i], "0123456789")) == 0
}

func benchmarkReader(b *testing.B, text []byte, format record.Format) {
	decoder := adultSchema(b).NewDecoder()
	var rec record.Record
	var reader *record.Reader
	b.ReportAllocs()
	records := 0
	for b.Loop() {
		if reader == nil {
			var err error
			if reader, err = record.NewReader(bytes.NewReader(text), format, record.Limits{}); err != nil {
				b.Fatal(err)
			}
		}
		switch err := reader.Read(decoder, &rec); err {
		case nil:
			records++
		case io.EOF:
			reader = nil
		default:
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(records)/b.Elapsed().Seconds(), "records/s")
}

func BenchmarkReaderCSV(b *testing.B) { benchmarkReader(b, adultCSV(b), record.CSV) }

func BenchmarkReaderJSONStrings(b *testing.B) {
	benchmarkReader(b, adultJSON(b, false), record.JSONLines)
}

func BenchmarkReaderJSONNumbers(b *testing.B) {
	benchmarkReader(b, adultJSON(b, true), record.JSONLines)
}

func BenchmarkDecodeJSON(b *testing.B) {
	for _, values := range []struct {
		name    string
		numbers bool
	}{{"strings", false}, {"numbers", true}} {
		b.Run(values.name, func(b *testing.B) {
			lines := bytes.Split(bytes.TrimSpace(adultJSON(b, values.numbers)), []byte{'\n'})
			decoder := adultSchema(b).NewDecoder()
			var rec record.Record
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if err := decoder.DecodeJSON(&rec, lines[i]); err != nil {
					b.Fatal(err)
				}
				if i++; i == len(lines) {
					i = 0
				}
			}
		})
	}
}
