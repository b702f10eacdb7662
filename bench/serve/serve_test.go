package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// TestQuickly: the study runs, and measures each of what it compares.
func TestQuickly(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), []string{"-rounds", "2", "-single", "20", "-batches", "2", "-clients", "2"}, &out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, row := range []string{"bare handler", "fairstream serve", "pkg/document, parsed", "pkg/document, JSON", "fairstream / bare, p50"} {
		if !strings.Contains(out.String(), row) {
			t.Errorf("%q is missing:\n%s", row, out.String())
		}
	}
	if strings.Contains(out.String(), "NaN") || strings.Contains(out.String(), "Inf") {
		t.Errorf("not measured:\n%s", out.String())
	}
}

// TestTheBareHandlerReadsAll: its structure has every field of a record, so that it does the same work.
func TestTheBareHandlerReadsAll(t *testing.T) {
	all, err := lines()
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(body(all[:50])))
	decoder.DisallowUnknownFields()
	var request asked
	if err := decoder.Decode(&request); err != nil || len(request.Records) != 50 || request.Records[0].Age == nil || *request.Records[0].Age != 39 || *request.Records[0].Sex != "Male" {
		t.Errorf("%v, %+v", err, request.Records[0])
	}
}
