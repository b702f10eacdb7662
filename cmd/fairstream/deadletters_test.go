package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/deadletter"
	"github.com/fairstream/fairstream/internal/kafka"
)

// TestDeadLettersReplay: a field of the input gets another name, its records go to the dead letters, and come back once
// the name is configured; a record that is no JSON stays.
func TestDeadLettersReplay(t *testing.T) {
	t.Parallel()
	config, client, _ := onEmbedded(t, adultSections+"stream: {reject_limit: {share: 1}}\n")
	with := func(args ...string) []string { return append(args, "--config", config) }
	write := func(lines []string) {
		t.Helper()
		input := filepath.Join(t.TempDir(), "people.jsonl")
		if err := os.WriteFile(input, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
		succeed(t, with("produce", "--input", input)...)
	}
	fails(t, failed, "people", with("deadletters", "replay")...) // no topic is there
	succeed(t, with("topics", "create", "--partitions", "2")...)
	contains(t, succeed(t, with("deadletters", "replay")...), "Wrote 0 dead letters to topic people; earlier calls wrote 0.")
	lines := adultJSON(t)[:3000]
	write(lines[:2000])
	renamed := []string{}
	for _, line := range lines[2000:] {
		renamed = append(renamed, strings.Replace(line, `"income"`, `"outcome"`, 1))
	}
	write(renamed)
	if _, err := client.Produce(t.Context(), "people", 1, kafka.Message{Value: []byte(`{"income"`)}); err != nil {
		t.Fatal(err)
	}
	succeed(t, with("run", "--until-end")...)

	contains(t, succeed(t, with("deadletters", "replay", "--dry-run")...), "Would write 0 dead letters", "1,000 are left: missing_label", "1 are left: malformed_json")
	rename := []string{"--set", `record.renamed=[{field: outcome, was: income}]`}
	contains(t, succeed(t, with(append(rename, "deadletters", "replay", "--dry-run")...)...), "Would write 1,000 dead letters to topic people", "1 are left")
	contains(t, succeed(t, with(append(rename, "deadletters", "replay")...)...), "Wrote 1,000 dead letters to topic people; earlier calls wrote 0.")
	contains(t, succeed(t, with(append(rename, "deadletters", "replay")...)...), "Wrote 0 dead letters to topic people; earlier calls wrote 1,000.")
	topic, err := client.Topic(t.Context(), "people")
	if err != nil {
		t.Fatal(err)
	}
	back := 0 // with the ID that the broker gave the topic
	for partition := range int32(2) {
		if _, err := client.Read(t.Context(), "people", partition, kafka.Earliest, kafka.End, func(r *kafka.Record) error {
			for _, h := range r.Headers() {
				if h.Key == deadletter.HeaderReplay && strings.HasSuffix(string(h.Value), "/"+topic.ID.String()) {
					back++
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if back != 1000 {
		t.Errorf("%d records came back with the ID of their topic, want 1000", back)
	}
	succeed(t, with(append(rename, "run", "--until-end")...)...)
	var state struct {
		Snapshot struct {
			Version int64 `json:"version"`
		} `json:"snapshot"`
	}
	if err := json.Unmarshal([]byte(succeed(t, with("state", "show", "--json")...)), &state); err != nil || state.Snapshot.Version != 3000 {
		t.Errorf("learnt %d records, want 3000; %v", state.Snapshot.Version, err)
	}
	fails(t, misuse, "unknown command", "deadletters", "feed")
}

// TestModelsPrune: a document of an older format stops every reader, until a command deletes it.
func TestModelsPrune(t *testing.T) {
	config, client, _ := onEmbedded(t, adultSections)
	with := func(args ...string) []string { return append(args, "--config", config) }
	succeed(t, with("topics", "create")...)
	if _, err := client.Produce(t.Context(), "people.models", 0, kafka.Message{Key: []byte("adult/v/300"), Value: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	fails(t, failed, "models prune", with("models", "list")...)
	contains(t, succeed(t, with("models", "prune", "--dry-run")...), "Would delete 1 key on topic people.models", "adult/v/300")
	contains(t, succeed(t, with("models", "prune")...), "Deleted 1 key on topic people.models")
	contains(t, succeed(t, with("models", "prune")...), "Deleted 0 keys")
	fails(t, failed, "holds no weights of job adult yet: no process has learnt for it", with("models", "show")...)
}

// TestStatePrune: a record on the state topic that nobody can read is listed, and deleted when that is asked for. The state stays.
func TestStatePrune(t *testing.T) {
	config, client, _ := onEmbedded(t, adultSections)
	with := func(args ...string) []string { return append(args, "--config", config) }
	fails(t, failed, "people.state", with("state", "prune")...)
	succeed(t, with("topics", "create")...)
	forged := []kafka.Message{{Key: []byte("adult/beat/zz"), Value: []byte{0xff}}, {Key: []byte("adult/odd/1"), Value: []byte("x")}, {Key: []byte("other/odd/1"), Value: []byte("x")}}
	if _, err := client.Produce(t.Context(), "people.state", 0, forged...); err != nil {
		t.Fatal(err)
	}
	succeed(t, with("run", "--until-end")...)
	contains(t, succeed(t, with("state", "prune", "--dry-run")...), "Would delete 2 records on topic people.state", `offset 0, key "adult/beat/zz": `, `offset 1, key "adult/odd/1": `)
	contains(t, succeed(t, with("state", "prune")...), "Deleted 2 records on topic people.state", `key "adult/odd/1"`)
	contains(t, succeed(t, with("state", "prune")...), "Deleted 0 records")
	contains(t, succeed(t, with("state", "show")...), "The last snapshot", "0 records learnt")
	contains(t, succeed(t, with("state", "verify")...), "Everything fits together")
}
