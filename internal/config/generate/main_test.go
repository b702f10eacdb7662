package main

import (
	"bytes"
	"testing"

	"github.com/fairstream/fairstream/internal/config"
)

func TestTheSchemaIsUpToDate(t *testing.T) {
	text, err := generate("../../..")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, config.Schema()) {
		t.Error("schema.json is out of date: run go generate ./internal/config")
	}
}
