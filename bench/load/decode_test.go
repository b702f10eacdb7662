package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/fairstream/fairstream/bench/lines"
	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/format/formats"
	"github.com/fairstream/fairstream/internal/format/registry"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// BenchmarkDecode decodes the records of the topics in each format.
func BenchmarkDecode(b *testing.B) {
	lines, err := lines.Adult()
	if err != nil {
		b.Fatal(err)
	}
	columns, _, err := columnsOf(lines)
	if err != nil {
		b.Fatal(err)
	}
	var l load
	schema, err := record.NewSchema(l.options().Model.Record, []string{"sex"})
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{"", "avro", "protobuf"} {
		messages, err := encoded(name, lines)
		if err != nil {
			b.Fatal(err)
		}
		f, header := format.Format(format.JSON), 0
		if name != "" {
			text, _ := schemaOf(name, columns)
			path := filepath.Join(b.TempDir(), "schema")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				b.Fatal(err)
			}
			if f, err = formats.Open(record.Config{Format: record.Encoding(name + "-bare"), Schema: record.OneOrMore{path}}, registry.Config{}); err != nil {
				b.Fatal(err)
			}
			header = len(messages[0]) - len(bare(name, messages[0]))
		}
		b.Run(map[bool]string{true: "json", false: name}[name == ""], func(b *testing.B) {
			d := f.NewDecoder(schema)
			var r record.Record
			var message kafka.Record
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				message.Value = messages[i%len(messages)][header:]
				if err := d.Decode(&r, &message); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// bare is a message without the header that encoded gives it.
func bare(format string, message []byte) []byte {
	if format == "protobuf" {
		return message[6:]
	}
	return message[5:]
}
