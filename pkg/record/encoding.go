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
)

var encodings = []Encoding{EncodedJSON, Avro, AvroSingle, AvroBare}

// FromRegistry says whether schemas come from a schema registry.
func (e Encoding) FromRegistry() bool { return e == Avro }

// fromFile says whether schemas come from files.
func (e Encoding) fromFile() bool { return e == AvroSingle || e == AvroBare }

func (v *validation) format(c Config) {
	switch {
	case c.Format != "" && !slices.Contains(encodings, c.Format):
		v.add("record.format", "%q is unknown: use one of %s", c.Format, joined(encodings))
	case c.Format.fromFile() && len(c.Schema) == 0:
		v.add("record.schema", "required by record.format %s: name the file that contains the schema", c.Format)
	case !c.Format.fromFile() && len(c.Schema) > 0:
		v.add("record.schema", "only of use with record.format avro-single or avro-bare: remove it")
	case c.Format != "" && c.Format != EncodedJSON && c.At != "":
		v.add("record.at", "envelopes are opened in JSON only: remove it, or let the producer write the record itself (of Debezium: the transform ExtractNewRecordState)")
	case c.Format == AvroBare && len(c.Schema) > 1:
		v.add("record.schema", "nothing tells which schema a message of avro-bare has: name one file")
	}
}
