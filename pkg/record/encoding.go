package record

import "slices"

// Encoding is what the messages of a topic are written as. A record is the same in each.
type Encoding string

// The encodings. JSON is the default, with or without the header of a schema registry.
const (
	EncodedJSON Encoding = "json"
	Avro        Encoding = "avro"        // behind the header of a schema registry
	AvroSingle  Encoding = "avro-single" // single objects
	AvroBare    Encoding = "avro-bare"   // without a header, all of one schema

	Protobuf     Encoding = "protobuf"      // behind the header of a schema registry and the indexes of the type
	ProtobufBare Encoding = "protobuf-bare" // without a header, all of the first type of a schema
)

var encodings = []Encoding{EncodedJSON, Avro, AvroSingle, AvroBare, Protobuf, ProtobufBare}

// FromRegistry says whether schemas come from a schema registry.
func (e Encoding) FromRegistry() bool { return e == Avro || e == Protobuf }

// fromFile says whether schemas come from files.
func (e Encoding) fromFile() bool { return e == AvroSingle || e == AvroBare || e == ProtobufBare }

// AsJSON is how records are read of messages that became JSON first, as those that are looked at do: what Kafka Connect and CloudEvents add to
// JSON is not in the messages of other formats.
func (c Config) AsJSON() Config {
	if c.Format != "" && c.Format != EncodedJSON && (c.At == Connect || c.At == CloudEvents) {
		c.At = ""
	}
	return c
}

func (v *validation) format(c Config) {
	switch {
	case c.Format != "" && !slices.Contains(encodings, c.Format):
		v.add("record.format", "%q is unknown: use one of %s", c.Format, joined(encodings))
	case c.Format.fromFile() && len(c.Schema) == 0:
		v.add("record.schema", "required by record.format %s: name the file that contains the schema", c.Format)
	case !c.Format.fromFile() && len(c.Schema) > 0:
		v.add("record.schema", "only of use with record.format avro-single, avro-bare or protobuf-bare: remove it")
	case (c.Format == AvroBare || c.Format == ProtobufBare) && len(c.Schema) > 1:
		v.add("record.schema", "a message in %s does not name its schema: name one file", c.Format)
	}
}
