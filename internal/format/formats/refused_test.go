package formats

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/format/registry"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestFormatsThatCannotBeOpened say which key is wrong, and are none.
func TestFormatsThatCannotBeOpened(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	absent, text := filepath.Join(folder, "absent"), filepath.Join(folder, "text")
	if err := os.WriteFile(text, []byte("no schema"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		config record.Config
		to     registry.Config
		want   string
	}{
		"no file, Avro":       {record.Config{Format: record.AvroBare, Schema: []string{absent}}, registry.Config{}, "record.schema: open "},
		"no file, single":     {record.Config{Format: record.AvroSingle, Schema: []string{text, absent}}, registry.Config{}, "record.schema: open "},
		"no file, Protobuf":   {record.Config{Format: record.ProtobufBare, Schema: []string{absent}}, registry.Config{}, "record.schema: open "},
		"no schema, Avro":     {record.Config{Format: record.AvroBare, Schema: []string{text}}, registry.Config{}, "record.schema: this is not a valid Avro schema"},
		"no schema, single":   {record.Config{Format: record.AvroSingle, Schema: []string{text}}, registry.Config{}, "record.schema: this is not a valid Avro schema"},
		"no schema, Protobuf": {record.Config{Format: record.ProtobufBare, Schema: []string{text}}, registry.Config{}, "record.schema: the Protobuf schema does not compile"},
		"registry, Avro":      {record.Config{Format: record.Avro}, registry.Config{URLs: []string{"https://localhost"}, CAFile: absent}, "registry.ca_file"},
		"registry, Protobuf":  {record.Config{Format: record.Protobuf}, registry.Config{URLs: []string{"https://localhost"}, CAFile: absent}, "registry.ca_file"},
	} {
		if f, err := Open(c.config, c.to); f != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v, not %q", name, f, err, c.want)
		}
	}
	for _, format := range []record.Encoding{record.AvroBare, record.AvroSingle, record.ProtobufBare} {
		if e, err := NewEncoder(t.Context(), record.Config{Format: format, Schema: []string{absent}}, registry.Config{}, "loans", ""); e != nil || err == nil || !strings.Contains(err.Error(), "record.schema: open ") {
			t.Errorf("%s: %v, %v", format, e, err)
		}
	}
}
