package record_test

import (
	"bytes"
	"io"
	"regexp"
	"sync"
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
var adultCSV = sync.OnceValue(func() []byte {
	text, err := io.ReadAll(adult.Open())
	if err != nil {
		panic(err)
	}
	return text
})

// adultStrings and adultNumbers are the bundled file as JSON lines whose values are strings, or
// numbers where they can be.
var (
	adultStrings = sync.OnceValue(func() []byte { return adultJSON(func(line []byte) []byte { return line }) })
	adultNumbers = sync.OnceValue(func() []byte { return adultJSON(unquoteNumbers) })
)

func adultJSON(write func(line []byte) []byte) []byte {
	reader, err := record.NewReader(bytes.NewReader(adultCSV()), record.CSV, record.Limits{})
	if err != nil {
		panic(err)
	}
	var text []byte
	for reader.Next() == nil {
		text = append(append(text, write(reader.AppendJSON(nil))...), '\n')
	}
	return text
}

var quotedNumber = regexp.MustCompile(`"([0-9]+)"`)

func unquoteNumbers(line []byte) []byte { return quotedNumber.ReplaceAll(line, []byte("$1")) }

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

func BenchmarkReaderCSV(b *testing.B) { benchmarkReader(b, adultCSV(), record.CSV) }

func BenchmarkReaderJSONStrings(b *testing.B) {
	benchmarkReader(b, adultStrings(), record.JSONLines)
}

func BenchmarkReaderJSONNumbers(b *testing.B) {
	benchmarkReader(b, adultNumbers(), record.JSONLines)
}

// BenchmarkDecodeJSON decodes lines in memory: flat ones, and ones that a line feed in front sends
// down the general path.
func BenchmarkDecodeJSON(b *testing.B) {
	for _, c := range []struct {
		name, front string
		text        func() []byte
	}{
		{"strings", "", adultStrings},
		{"numbers", "", adultNumbers},
		{"general/strings", "\n", adultStrings},
		{"general/numbers", "\n", adultNumbers},
	} {
		b.Run(c.name, func(b *testing.B) {
			lines := bytes.Split(bytes.TrimSpace(c.text()), []byte{'\n'})
			for i, line := range lines {
				lines[i] = append([]byte(c.front), line...)
			}
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
