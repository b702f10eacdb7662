package avro

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/twmb/avro"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	fields "github.com/fairstream/fairstream/pkg/record"
)

// adultMessages are records of Adult as Avro and as JSON, numbers as such.
func adultMessages(b *testing.B) (schema string, binary, text []kafka.Record) {
	b.Helper()
	reader, err := fields.NewReader(adult.Open(), fields.CSV, fields.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	var parsed *avro.Schema
	for range 4096 {
		if err := reader.Next(); err == io.EOF {
			break
		} else if err != nil {
			b.Fatal(err)
		}
		d := json.NewDecoder(strings.NewReader(string(reader.AppendJSON(nil))))
		var members, types []string
		value := map[string]any{}
		_, _ = d.Token()
		for d.More() {
			key, _ := d.Token()
			cell, _ := d.Token()
			name := strings.ReplaceAll(key.(string), "-", "_")
			if n, err := strconv.ParseInt(cell.(string), 10, 64); err == nil {
				value[name] = n
				members = append(members, fmt.Sprintf("%q:%d", name, n))
				types = append(types, fmt.Sprintf(`{"name":%q,"type":"long"}`, name))
			} else {
				value[name] = cell
				members = append(members, fmt.Sprintf("%q:%q", name, cell))
				types = append(types, fmt.Sprintf(`{"name":%q,"type":"string"}`, name))
			}
		}
		if parsed == nil {
			schema = `{"type":"record","name":"r","fields":[` + strings.Join(types, ",") + `]}`
			parsed = avro.MustParse(schema)
		}
		data, err := parsed.Encode(value)
		if err != nil {
			b.Fatal(err)
		}
		binary = append(binary, kafka.Record{Value: data})
		text = append(text, kafka.Record{Value: []byte("{" + strings.Join(members, ",") + "}")})
	}
	return schema, binary, text
}

// BenchmarkAdult decodes the same records as Avro and as JSON. In library, github.com/twmb/avro decodes them to maps, without any texts: what the walk takes the
// place of.
func BenchmarkAdult(b *testing.B) {
	schema, binary, text := adultMessages(b)
	s, err := fields.NewSchema(adult.RecordConfig(), nil)
	if err != nil {
		b.Fatal(err)
	}
	bare, err := Bare(schema)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("library", func(b *testing.B) {
		parsed := avro.MustParse(schema)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			var value map[string]any
			if _, err := parsed.Decode(binary[i%len(binary)].Value, &value); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, c := range []struct {
		name     string
		format   format.Format
		messages []kafka.Record
	}{{"avro", bare, binary}, {"json", format.JSON, text}} {
		b.Run(c.name, func(b *testing.B) {
			d := c.format.NewDecoder(s)
			var r fields.Record
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if err := d.Decode(&r, &c.messages[i%len(c.messages)]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
