package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/kafka"
)

// TestScoreTopics: a topic is scored by the newest version, then by stable once that is set; each record once, with its
// source, whatever was scored before.
func TestScoreTopics(t *testing.T) {
	t.Parallel()
	config, client, _ := onEmbedded(t, adultSections+"release: {enabled: false}\n")
	with := func(args ...string) []string { return append(args, "--config", config) }
	succeed(t, with("topics", "create", "--partitions", "2")...)
	write := func(from, to int) {
		t.Helper()
		input := filepath.Join(t.TempDir(), "people.jsonl")
		if err := os.WriteFile(input, []byte(strings.Join(adultJSON(t)[from:to], "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
		succeed(t, with("produce", "--input", input)...)
	}
	score := with("score", "--from", "people", "--to", "people.decisions", "--until-end")
	write(0, 4000)
	succeed(t, with("run", "--until-end")...)
	contains(t, succeed(t, score...), "Wrote 4,000 decisions to topic people.decisions", "by version 4,000 (latest)")
	contains(t, succeed(t, score...), "Wrote 0 decisions")
	write(4000, 6000)
	succeed(t, with("run", "--until-end")...)
	document := showDocument(t, config)
	var first kafka.Message
	_, err := client.Read(t.Context(), "people.models", 0, kafka.Earliest, kafka.End, func(r *kafka.Record) error {
		if string(r.Key) == "adult/latest" && first.Key == nil {
			first = r.Message()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	first.Key = []byte("adult/stable")
	if _, err := client.Produce(t.Context(), "people.models", 0, first); err != nil {
		t.Fatal(err)
	}
	contains(t, succeed(t, score...), "Wrote 2,000 decisions", "by version 4,000 (stable)")

	sources, versions := map[string]int{}, map[float64]int{}
	for partition := range int32(2) {
		_, err := client.ReadInput(t.Context(), "people.decisions", partition, kafka.Earliest, kafka.End, func(r *kafka.Record) error {
			var decision map[string]any
			if err := json.Unmarshal(r.Value, &decision); err != nil {
				return err
			}
			source, err := json.Marshal(decision["source"])
			sources[string(source)]++
			versions[decision["version"].(float64)]++
			if d := decision["decision"]; d != 0. && d != 1. {
				t.Errorf("%s", r.Value)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(sources) != 6000 || versions[4000] != 6000 || document.Version != 6000 {
		t.Errorf("%d sources, by versions %v of %d", len(sources), versions, document.Version)
	}

	contains(t, succeed(t, with("score", "--from", "people", "--to", "all", "--until-end", "--set", "stream.start=earliest", "--alias", "latest", "--shadow", "stable")...), "Wrote 6,000 decisions to topic all", "by version 6,000 (latest)")
	// A shadow that does not exist decides nothing, and nobody waits for it.
	code, text, said := fairstream(t, with("score", "--from", "people", "--to", "some", "--until-end", "--set", "stream.start=earliest", "--shadow", "candidat", "--split", "0.5")...)
	if code != done {
		t.Errorf("exit code %d: %s", code, said)
	}
	contains(t, text+said, "Wrote 6,000 decisions to topic some", "--shadow points to no document", "candidat")
	contains(t, succeed(t, with("score", "--from", "people", "--to", "split", "--until-end", "--set", "stream.start=earliest", "--alias", "latest", "--shadow", "stable", "--split", "0.5")...),
		"by version 6,000 (latest), and about 0.5 of them by version 4,000 (stable).")
	// A file is scored by the newest version, or by an alias.
	contains(t, succeed(t, with("models", "show", "--alias", "stable")...), "Version 4,000 of job adult")
	contains(t, succeed(t, with("models", "list", "--json")...), `"alias":["stable"]`, `"alias":["latest"]`)
	input := filepath.Join(t.TempDir(), "people.jsonl")
	if err := os.WriteFile(input, []byte(adultJSON(t)[0]), 0o600); err != nil {
		t.Fatal(err)
	}
	contains(t, succeed(t, with("score", "--input", input, "--json", "--alias", "stable")...), `"version":4000`)
	contains(t, succeed(t, with("score", "--input", input, "--json")...), `"version":6000`)
	fails(t, failed, `it has latest, stable (did you mean "stable"?)`, with("score", "--input", input, "--alias", "stabel")...)
	fails(t, misuse, "none of the others can be", with("models", "show", "--alias", "stable", "--version", "4000")...)
	fails(t, misuse, "--from and --to belong together", with("score", "--from", "people")...)
	fails(t, misuse, "of the records", with("score", "--from", "people", "--to", "people")...)
	for _, key := range []string{"input", "model", "state", "dead_letter", "history"} { // decisions among the records of the learner would be dead letters
		fails(t, misuse, "the job's own, topics."+key, with("score", "--from", "people", "--to", "own", "--set", "topics."+key+"=own")...)
	}
	fails(t, misuse, "--split needs --shadow", with("score", "--from", "people", "--to", "x", "--split", "0.1")...)
	fails(t, misuse, "--input is missing", with("score")...)
	fails(t, misuse, "none of the others can be", with("score", "--from", "people", "--to", "x", "--input", "adult")...)
	fails(t, misuse, "need --config", "score", "--from", "people", "--to", "x")
	fails(t, failed, "nowhere", with("score", "--from", "nowhere", "--to", "x", "--until-end")...)
}
