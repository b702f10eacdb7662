// Package formats opens the format that a configuration names.
//
// The files:
//
//	formats.go  record.format opened: which package decodes it, and record.schema
//	encoder.go  produce: messages in the job's record.format behind the registry's header; --schema, registered as TOPIC-value, and errors without one
package formats

import (
	"fmt"
	"os"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/format/avro"
	"github.com/fairstream/fairstream/internal/format/protobuf"
	"github.com/fairstream/fairstream/internal/format/registry"
	"github.com/fairstream/fairstream/pkg/record"
)

// Open opens the format of the messages of a topic. Both sections have been validated. The registry is not asked before a message needs it.
func Open(c record.Config, r registry.Config) (format.Printer, error) {
	switch c.Format {
	case record.Avro:
		return avro.Registry(r)
	case record.Protobuf:
		return protobuf.Registry(r)
	case record.AvroSingle, record.AvroBare, record.ProtobufBare:
		schemas, err := read(c.Schema)
		if err != nil {
			return nil, err
		}
		open := avro.Single
		switch c.Format {
		case record.AvroBare:
			open = func(all ...string) (format.Printer, error) { return avro.Bare(all[0]) }
		case record.ProtobufBare:
			open = func(all ...string) (format.Printer, error) { return protobuf.Bare(all[0]) }
		}
		f, err := format.Guarded(func() (format.Printer, error) { return open(schemas...) })
		if err != nil {
			err = fmt.Errorf("record.schema: %w", err)
		}
		return f, err
	}
	return format.JSON, nil
}

// read gives the contents of schema files.
func read(paths []string) (schemas []string, err error) {
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("record.schema: %w", err)
		}
		schemas = append(schemas, string(content))
	}
	return schemas, nil
}
