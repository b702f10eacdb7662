package record

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// A serializer of Confluent's schema registry writes a zero byte and the schema's number, which the registry counts from 1.
const (
	registryBytes   = 5
	registrySchemas = 1 << 24
)

// afterRegistryHeader returns the object that a serializer of JSON Schema wrote, told by how it begins.
func afterRegistryHeader(data []byte) (object []byte, found bool) {
	if len(data) <= registryBytes || data[0] != 0 {
		return nil, false
	}
	object = data[registryBytes:]
	inside, found := bytes.CutPrefix(bytes.TrimLeft(object, blanks), []byte("{"))
	if inside = bytes.TrimLeft(inside, blanks); !found || len(inside) == 0 {
		return nil, false
	}
	return object, inside[0] == '"' || inside[0] == '}'
}

// registryHeader recognises a record that a serializer of something else than JSON wrote; nil if it is none.
func registryHeader(data []byte) error {
	if len(data) < registryBytes || data[0] != 0 {
		return nil
	}
	schema := binary.BigEndian.Uint32(data[1:])
	if schema == 0 || schema >= registrySchemas {
		return nil
	}
	return &Rejection{Reason: RegistryHeader, Offset: 0,
		Detail: fmt.Sprintf("the record begins with the header of a schema registry (schema id %d), and no JSON follows: it is Avro or Protobuf; "+
			"for run, monitor and check set record.format: avro and registry.urls if it is Avro; or convert the topic (in ksqlDB: CREATE STREAM … WITH (VALUE_FORMAT='JSON') AS SELECT …)", schema)}
}
