package formats

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/twmb/franz-go/pkg/sr"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/format/avro"
	"github.com/fairstream/fairstream/internal/format/protobuf"
	"github.com/fairstream/fairstream/internal/format/registry"
	"github.com/fairstream/fairstream/pkg/record"
)

// NewEncoder returns an encoder of records as the messages of a topic are configured. A file is the schema that it registers as that of the topic's
// values; formats without a registry have theirs in record.schema. It is nil for JSON without a schema, which needs no encoder.
func NewEncoder(ctx context.Context, c record.Config, r registry.Config, topic, file string) (format.Encoder, error) {
	c = c.WithDefaults()
	var missing []string
	for _, text := range c.Missing {
		missing = append(missing, string(text))
	}
	switch c.Format {
	case record.AvroSingle, record.AvroBare, record.ProtobufBare:
		if file != "" {
			return nil, fmt.Errorf("--schema %s: messages of record.format %s have the schema that record.schema names", file, c.Format)
		}
		schemas, err := read(c.Schema)
		if err != nil {
			return nil, err
		}
		newest := schemas[len(schemas)-1]
		switch c.Format {
		case record.AvroSingle:
			return named("record.schema", func() (format.Encoder, error) { return avro.NewSingleEncoder(newest, missing) })
		case record.AvroBare:
			return named("record.schema", func() (format.Encoder, error) { return avro.NewEncoder(newest, nil, missing) })
		}
		return named("record.schema", func() (format.Encoder, error) { return protobuf.NewEncoder(newest, nil, missing) })
	}
	if file == "" {
		if c.Format == "" || c.Format == record.EncodedJSON {
			return nil, nil //nolint:nilnil // JSON needs none
		}
		return nil, fmt.Errorf("messages of record.format %s need a schema: give --schema FILE, which is registered as %s-value", c.Format, topic)
	}
	if len(r.URLs) == 0 {
		return nil, errors.New("--schema needs a schema registry: set registry.urls")
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("--schema: %w", err)
	}
	text := string(content)
	kind := map[record.Encoding]sr.SchemaType{record.Avro: sr.TypeAvro, record.Protobuf: sr.TypeProtobuf}[c.Format]
	open := func(header []byte) (format.Encoder, error) { return headed(header), nil }
	switch c.Format {
	case record.Avro:
		open = func(header []byte) (format.Encoder, error) { return avro.NewEncoder(text, header, missing) }
	case record.Protobuf: // of the first type in its file
		open = func(header []byte) (format.Encoder, error) {
			return protobuf.NewEncoder(text, append(slices.Clone(header), 0), missing)
		}
	default:
		kind = sr.TypeJSON
	}
	if _, err := named(file, func() (format.Encoder, error) { return open(nil) }); err != nil { // before it is registered
		return nil, err
	}
	header, err := registry.Register(ctx, r, topic+"-value", text, kind)
	if err != nil {
		return nil, err
	}
	return open(header)
}

func named(name string, open func() (format.Encoder, error)) (format.Encoder, error) {
	e, err := open()
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return e, err
}

// headed writes JSON behind the header of a registry.
type headed []byte

func (h headed) AppendMessage(dst, object []byte) ([]byte, error) {
	return append(append(dst, h...), object...), nil
}
