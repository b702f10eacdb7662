package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka"
)

// onEmbedded is a configuration for an embedded broker of the test's own, on which nothing is yet.
func onEmbedded(t *testing.T, sections string) (config string, client *kafka.Client, b *devbroker.Broker) {
	t.Helper()
	b, err := devbroker.Start(devbroker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	if client, err = kafka.Open(kafka.Config{Brokers: b.Addresses()}, kafka.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	config = filepath.Join(t.TempDir(), "config.yaml")
	text := sections + fmt.Sprintf("kafka: {brokers: [%q]}\ntopics: {input: people}\nserver: {address: \"\"}\n", b.Addresses()[0])
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return config, client, b
}

func contains(t *testing.T, text string, all ...string) {
	t.Helper()
	for _, words := range all {
		if !strings.Contains(text, words) {
			t.Errorf("does not say %q:\n%s", words, text)
		}
	}
}

// fails runs a command line that must fail with a code, and say so.
func fails(t *testing.T, want int, says string, args ...string) {
	t.Helper()
	code, _, stderr := fairstream(t, args...)
	if code != want || !strings.Contains(stderr, says) {
		t.Errorf("fairstream %s: exit code %d, want %d and %q\n%s", strings.Join(args, " "), code, want, says, stderr)
	}
}

// TestModelsList: every version that was kept, the newest marked.
func TestModelsList(t *testing.T) {
	t.Parallel()
	config, client, _ := onEmbedded(t, adultSections+"stream: {keep_versions: 2}\nrelease: {enabled: false}\n")
	with := func(args ...string) []string { return append(args, "--config", config) }
	succeed(t, with("topics", "create", "--partitions", "2")...)
	contains(t, succeed(t, with("topics", "create", "--partitions", "3")...), "exists with 2: --partitions 3 is for a new topic")
	if again := succeed(t, with("topics", "create")...); strings.Contains(again, "exists with") {
		t.Errorf("partitions that nobody asked for are missed:\n%s", again)
	}
	input := filepath.Join(t.TempDir(), "people.jsonl")
	if err := os.WriteFile(input, []byte(strings.Join(adultJSON(t)[:4000], "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	contains(t, succeed(t, with("produce", "--input", input)...), "Wrote 4,000 records to people in ")
	bounds, err := client.Bounds(t.Context(), "people")
	if err != nil || len(bounds) != 2 || bounds[0].End == 0 || bounds[1].End == 0 || bounds[0].End+bounds[1].End != 4000 {
		t.Fatalf("the topic holds %v, %v", bounds, err)
	}
	for range 2 {
		succeed(t, with("run", "--until-end")...)
		succeed(t, with("produce", "--input", input)...)
	}
	succeed(t, with("run", "--until-end")...)
	newest := showDocument(t, config).WeightsSHA256
	table := succeed(t, with("models", "list")...)
	contains(t, table, "12,000", newest[:12], "← latest", "of tau 0.05\n", "the last 20s\n(0.0056 hours)")
	var list []map[string]any
	if err := json.Unmarshal([]byte(succeed(t, with("models", "list", "--json")...)), &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != 2 || strings.Count(table, "…") != 2 {
		t.Errorf("%d versions are listed:\n%s", len(list), table)
	}
	for i, version := range list {
		last := i == len(list)-1
		if fmt.Sprint(version["alias"]) != map[bool]string{true: "[latest]", false: "[]"}[last] || version["tau"] != .05 || (version["weights_sha256"] == newest) != last || at(t, version, "constraints", 0, "name") != "sex" {
			t.Errorf("version %d is %v", i, version)
		}
	}
	if older := at(t, list[0], "version").(float64); showVersion(t, config, strconv.FormatFloat(older, 'f', -1, 64))["version"] != older {
		t.Error("models show --version shows another version")
	}
	if newest := showVersion(t, config, "3/12000"); at(t, newest, "lineage", "term") != 3.0 {
		t.Error("models show --version TERM/V shows another term")
	}
	fails(t, failed, "holds no version 2/12000", "models", "show", "--config", config, "--version", "2/12000")
	fails(t, misuse, "such as 2/48842", "models", "show", "--config", config, "--version", "x/3")
	if terms := lines(t, succeed(t, with("models", "explain", "--json", "--top", "0")...)); len(terms) < 100 || terms[0]["kind"] != "intercept" {
		t.Errorf("%d terms, the first is %v", len(terms), terms[0])
	}
	if decided := succeed(t, with("score", "--input", "adult", "--json")...); strings.Count(decided, "\n") != 48842 {
		t.Errorf("%d decisions", strings.Count(decided, "\n"))
	}
	state := lines(t, succeed(t, with("state", "show", "--json")...))[0]
	if at(t, state, "snapshot", "version") != 12000.0 || at(t, state, "holder", "term") != 3.0 {
		t.Errorf("state show --json: %v", state)
	}
	contains(t, succeed(t, with("state", "reset", "--yes")...), "has forgotten 12,000 learnt records")
	contains(t, succeed(t, with("state", "reset", "--yes")...), "has forgotten nothing")
}

func showVersion(t *testing.T, config, version string) map[string]any {
	t.Helper()
	return lines(t, succeed(t, "models", "show", "--config", config, "--json", "--version", version))[0]
}

func TestTopicsThatWouldLoseData(t *testing.T) {
	config, _, b := onEmbedded(t, learning)
	if err := b.Cluster.CreateTopic("people.models", 1, map[string]string{"cleanup.policy": "delete"}); err != nil {
		t.Fatal(err)
	}
	fails(t, failed, `cleanup.policy is "delete", and a model topic must be compacted`, "topics", "create", "-c", config)
	fails(t, failed, "people.models", "topics", "verify", "-c", config)
}
