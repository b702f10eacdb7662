package main

import (
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/kafka"
)

// TestRegistryHeaderOnATopic: every command that reads records of a topic names the header of a schema registry and what to do, and
// none gives the advice for files.
func TestRegistryHeaderOnATopic(t *testing.T) {
	config, client, b := onEmbedded(t, adultSections+"stream: {reject_limit: {window: 100}}\n")
	with := func(args ...string) []string { return append(args, "--config", config) }
	succeed(t, with("topics", "create")...)
	if _, err := client.CreateTopics(t.Context(), kafka.TopicSpec{Name: "binary", Kind: kafka.InputTopic, Partitions: 1, ReplicationFactor: 1}); err != nil {
		t.Fatal(err)
	}
	var messages []kafka.Message
	for range 150 {
		messages = append(messages, kafka.Message{Value: []byte("\x00\x00\x00\x00\x07\x02a")})
	}
	if _, err := client.Produce(t.Context(), "people", 0, messages...); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Produce(t.Context(), "binary", 0, kafka.Message{Value: []byte("\x00\x00\x00\x00\x09\x02\xff\xfe\x80")}); err != nil {
		t.Fatal(err)
	}
	says := func(id, cure string, args ...string) {
		t.Helper()
		code, stdout, stderr := fairstream(t, args...)
		text := stdout + stderr
		contains(t, text, "registry_header", "the header of a schema registry (schema id "+id+")", cure)
		for _, wrong := range []string{"iconv", ".csv", "record.renamed"} {
			if strings.Contains(text, wrong) {
				t.Errorf("%v says %q:\n%s", args, wrong, text)
			}
		}
		if code == 0 && args[0] != "check" {
			t.Errorf("%v: exit code 0", args)
		}
	}
	says("7", "no JSON follows", with("run", "--until-end")...)
	says("7", "no JSON follows", with("check")...)
	says("7", "no JSON follows", "init", "--topic", "people", "--brokers", b.Addresses()[0])
	says("9", "it is Avro or Protobuf", "init", "--topic", "binary", "--brokers", b.Addresses()[0])
}
