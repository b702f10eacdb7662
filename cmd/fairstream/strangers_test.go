package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSchemasOfStrangers: files whose schemas have unions, decimals, nested records, maps, arrays and logical types (test/formats/strangers.py) go
// from init over check to replay, and nothing needs to be added by hand.
func TestSchemasOfStrangers(t *testing.T) {
	for name, proposed := range map[string][]string{
		"user":      {`label: {field: approved, positive: "true"}`, "attribute: gender", "- name "},
		"payment":   {`label: {field: fraud, positive: "YES"}`, "attribute: customer.sex", "id: id", "- at ", "- customer.born "},
		"loan":      {`label: {field: granted, positive: "true"}`, "unlabelled: count", "attribute: applicant.gender", "id: application_id"},
		"candidate": {`label: {field: hired, positive: "1"}`, "attribute: ethnicity", "id: candidate_id", "- seen ", "- checksum "},
		"event":     {`label: {field: outcome, positive: "GOOD"}`, "attribute: event.data.sex"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("testdata", "strangers", name+".avro")
			draft := succeed(t, "init", "-i", file)
			contains(t, draft, proposed...)
			config := filepath.Join(t.TempDir(), "config.yaml")
			if err := os.WriteFile(config, []byte(draft), 0o600); err != nil {
				t.Fatal(err)
			}
			code, said, warnings := fairstream(t, "check", "-c", config, "-i", file)
			if code != done || !strings.Contains(said, "800 records") {
				t.Errorf("check: exit code %d\n%s%s", code, said, warnings)
			}
			code, said, warnings = fairstream(t, "replay", "-c", config, "-i", file)
			if code != done || !strings.Contains(said, "; rejected 0.") {
				t.Errorf("replay: exit code %d\n%s%s", code, said, warnings)
			}
		})
	}
}
