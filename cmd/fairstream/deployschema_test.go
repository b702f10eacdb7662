package main

import (
	"testing"

	"github.com/compose-spec/compose-go/v2/schema"
	"go.yaml.in/yaml/v4"
)

// TestComposeFollowsTheSpecification holds docker-compose.yml against the JSON schema of the Compose
// specification, with and without a mistake.
func TestComposeFollowsTheSpecification(t *testing.T) {
	var file map[string]any
	if err := yaml.Unmarshal(readRepository(t, "docker-compose.yml"), &file); err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(file); err != nil {
		t.Error(err)
	}
	file["services"].(map[string]any)["kafka"].(map[string]any)["restarts"] = "always"
	if schema.Validate(file) == nil {
		t.Error("an unknown key of a service is let pass")
	}
}
