package config

import (
	_ "embed"
	"encoding/json"
	"sync"
)

//go:generate go run ./generate schema.json

//go:embed schema.json
var schema []byte

// Schema is the JSON schema (draft 2020-12) of a configuration file, for editors and other tools. It is
// generated from the struct and its comments.
func Schema() []byte { return schema }

// descriptions are the help texts in the schema, by the paths that Keys uses.
var descriptions = sync.OnceValue(func() map[string]string {
	var root schemaNode
	if err := json.Unmarshal(schema, &root); err != nil {
		panic("config: schema.json is damaged: " + err.Error())
	}
	help := map[string]string{}
	root.describe("", help)
	return help
})

// schemaNode is the part of a JSON schema that descriptions needs.
type schemaNode struct {
	Description string                `json:"description"`
	Properties  map[string]schemaNode `json:"properties"`
	Items       *schemaNode           `json:"items"`
	Additional  json.RawMessage       `json:"additionalProperties"`
}

func (n schemaNode) describe(path string, help map[string]string) {
	help[path] = n.Description
	for key, property := range n.Properties {
		property.describe(join(path, key), help)
	}
	if n.Items != nil {
		n.Items.describe(path+"[0]", help)
	}
	var entries schemaNode
	if json.Unmarshal(n.Additional, &entries) == nil {
		entries.describe(join(path, "NAME"), help)
	}
}
