package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka"
)

// goldenJob is what ran when the golden topics were written: 6,000 loans with random labels, by run --until-end, twice.
const goldenJob = `job: loans
record:
  label: {field: repaid, positive: "yes"}
  ignore: [id]
constraints:
  - {name: sex, attribute: sex, group: male, versus: female, tau: 0.05}
topics: {input: loans}
server: {address: ""}
`

// golden is a line of testdata/releases/VERSION.jsonl.gz: a record of a topic that a release, or a commit before the first, wrote. Each
// such file is kept for ever. FAIRSTREAM_TEST_GOLDEN=VERSION@BROKER, where the job ran, writes one.
type golden struct {
	Topic      string
	Key, Value []byte
	Headers    []kafka.Header `json:",omitempty"`
}

func goldenFile(version string) string {
	return filepath.Join("testdata", "releases", version+".jsonl.gz")
}

// onRelease is a broker with the topics that a release wrote, and the configuration of the job.
func onRelease(t *testing.T, version string) (config string) {
	t.Helper()
	packed, err := os.Open(goldenFile(version))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = packed.Close() }() // it was read
	lines, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	b, err := devbroker.Start(devbroker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	config = filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(config, []byte(goldenJob+"kafka: {brokers: [\""+b.Addresses()[0]+"\"]}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	succeed(t, "topics", "create", "-c", config)
	client, err := kafka.Open(kafka.Config{Brokers: b.Addresses()}, kafka.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	messages := map[string][]kafka.Message{}
	for decoder := json.NewDecoder(lines); decoder.More(); {
		var g golden
		if err := decoder.Decode(&g); err != nil {
			t.Fatal(err)
		}
		messages[g.Topic] = append(messages[g.Topic], kafka.Message{Key: g.Key, Value: g.Value, Headers: g.Headers})
	}
	for topic, all := range messages {
		if _, err := client.Produce(t.Context(), topic, 0, all...); err != nil {
			t.Fatal(err)
		}
	}
	return config
}

// TestUpgradeFrom8251097, the last commit whose learner has state of version 3: its state is refused with the command that helps, and
// its documents, aliases and history are read. After that command a job goes on under a higher term.
func TestUpgradeFrom8251097(t *testing.T) {
	config := onRelease(t, "8251097")
	fails(t, failed, "fairstream state reset", "run", "-c", config, "--until-end")

	contains(t, succeed(t, "models", "list", "-c", config), "6,000", "stable", "latest")
	contains(t, succeed(t, "models", "show", "-c", config, "--alias", "stable"), "180")
	contains(t, succeed(t, "audit", "-c", config), "6,000", "1/180")
	document := filepath.Join(t.TempDir(), "weights.json")
	if err := os.WriteFile(document, []byte(succeed(t, "models", "show", "-c", config, "--json")), 0o600); err != nil {
		t.Fatal(err)
	}
	records := filepath.Join(t.TempDir(), "loans.jsonl")
	if err := os.WriteFile(records, []byte(`{"sex":"male","amount":0.9,"purpose":"car"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if decided := succeed(t, "score", "--model", document, "--input", records, "--json"); strings.Count(decided, "\n") != 1 {
		t.Errorf("%s", decided)
	}

	succeed(t, "state", "reset", "-c", config, "--yes")
	succeed(t, "run", "-c", config, "--until-end")
	if term, _ := at(t, showVersion(t, config, "6000"), "lineage", "term").(float64); term <= 2 {
		t.Errorf("term %v after two owners", term)
	}
}

// TestWriteGolden keeps the topics of a job that ran on a broker.
func TestWriteGolden(t *testing.T) {
	version, address, found := strings.Cut(os.Getenv("FAIRSTREAM_TEST_GOLDEN"), "@")
	if !found {
		t.Skip("skipped: FAIRSTREAM_TEST_GOLDEN names no release and broker, so nothing is written")
	}
	client, err := kafka.Open(kafka.Config{Brokers: []string{address}}, kafka.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	var b bytes.Buffer
	packed := gzip.NewWriter(&b)
	encoder := json.NewEncoder(packed)
	for _, topic := range []string{"loans", "loans.models", "loans.state", "loans.dlq", "loans.history"} {
		bounds, err := client.Bounds(t.Context(), topic)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client.Read(t.Context(), topic, 0, bounds[0].Start, bounds[0].End, func(r *kafka.Record) error {
			return encoder.Encode(golden{topic, r.Key, r.Value, r.Headers()})
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(goldenFile(version), b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}
