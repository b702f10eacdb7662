// Package jsonschema says what a JSON Schema of a registry tells of the messages behind its header. Messages are read without it: it describes them
// before, for proposals and checks.
//
// Files, in reading order:
//
//	describe.go  the fields of a JSON Schema: references, types, enums
//	format.go    JSON messages that name a JSON Schema of the registry
package jsonschema
