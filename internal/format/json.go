package format

import (
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// JSON is the format of one JSON object a message.
var JSON Printer = plainJSON{}

type plainJSON struct{}

func (plainJSON) NewDecoder(schema *record.Schema) Decoder { return jsonDecoder{schema.NewDecoder()} }
func (plainJSON) Waits() []Wait                            { return nil }
func (plainJSON) SchemaOf(message *kafka.Record) string    { return SchemaOf(message) }
func (plainJSON) Whole(message *kafka.Record) []byte       { return message.Value }
func (plainJSON) Close()                                   {}

// AppendJSON is part of Printer.
func (plainJSON) AppendJSON(dst, value []byte) ([]byte, error) { return append(dst, value...), nil }

type jsonDecoder struct{ *record.Decoder }

func (d jsonDecoder) Decode(dst *record.Record, message *kafka.Record) error {
	return d.DecodeJSON(dst, message.Value)
}

func (d jsonDecoder) Prepare(*kafka.Record) {}
