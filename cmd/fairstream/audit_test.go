package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/history"
)

// TestAudit: a job changes its tau; who did it, when, and from what to what is in the audit, and an entry that
// is missing is found.
func TestAudit(t *testing.T) {
	filesAlone(t)
	config, client, _ := onEmbedded(t, adultSections)
	input := filepath.Join(t.TempDir(), "people.jsonl")
	if err := os.WriteFile(input, []byte(strings.Join(adultJSON(t)[:4000], "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	with := func(args ...string) []string { return append(args, "--config", config) }
	succeed(t, with("topics", "create")...)
	fails(t, failed, "holds no history of job adult yet", with("audit")...)
	succeed(t, with("produce", "--input", input)...)
	succeed(t, with("run", "--until-end")...)
	succeed(t, with("produce", "--input", input)...)
	succeed(t, with("run", "--until-end", "--set", "constraints[0].tau=0.15", "--actor", "ada", "--reason", "decision 17")...)

	text := succeed(t, with("audit")...)
	fitsInto80(t, text)
	fitsInto80(t, succeed(t, with("models", "show")...))
	contains(t, text, "The history is whole.", "constraints[0].tau: 0.05 -> 0.15", "for ada: decision 17", "0.05, 0.15", "8,000", "fairstream run on ", "term 1, the first owner", "term 2, after term 1 and ")
	answer := succeed(t, with("audit", "--json", "--since", "1h")...)
	var audit history.Audit
	if err := json.Unmarshal([]byte(answer), &audit); err != nil {
		t.Fatal(err)
	}
	if len(audit.Changes) != 1 || string(audit.Changes[0].Old) != "0.05" || string(audit.Changes[0].New) != "0.15" || audit.Changes[0].Who.Actor != "ada" ||
		audit.Changes[0].Who.Host == "" || time.Since(audit.Changes[0].Time) > time.Minute || audit.Job != "adult" || len(audit.Owners) != 2 {
		t.Errorf("%s", answer)
	}
	contains(t, succeed(t, with("models", "show")...), "constraints[0].tau: 0.05 -> 0.15")

	// A copy of the history without one entry.
	var entries []kafka.Message
	_, err := client.Read(t.Context(), "people.history", 0, kafka.Earliest, kafka.End, func(r *kafka.Record) error {
		entries = append(entries, kafka.Message{Key: append([]byte(nil), r.Key...), Value: append([]byte(nil), r.Value...)})
		return nil
	})
	if err != nil || len(entries) < 6 {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	for i := range entries {
		copied := fmt.Sprintf("copy-%d", i)
		if _, err := client.CreateTopics(t.Context(), kafka.TopicSpec{Name: copied, Kind: kafka.HistoryTopic}); err != nil {
			t.Fatal(err)
		}
		rest := append(append([]kafka.Message(nil), entries[:i]...), entries[i+1:]...)
		if _, err := client.Produce(t.Context(), copied, 0, rest...); err != nil {
			t.Fatal(err)
		}
		fails(t, failed, "the history is broken", with("audit", "--json", "--set", "topics.history="+copied)...)
		if i == 2 {
			_, out, _ := fairstream(t, with("audit", "--set", "topics.history="+copied)...)
			contains(t, out, "The history is broken in ", "entries 3 to 3 are missing")
			contains(t, succeed(t, with("state", "verify", "--set", "topics.history="+copied)...), "The history on topic "+copied+" was not looked at: `fairstream audit`")
			contains(t, succeed(t, with("state", "verify", "--json")...), `"topics":["people.state","people.models"]`)
		}
	}

	fails(t, misuse, `--since "yesterday" is not a time`, with("audit", "--since", "yesterday")...)
	fails(t, misuse, "is not before --until", with("audit", "--since", "2026-11-02", "--until", "2026-11-01")...)
}

// fitsInto80 fails where a line is longer than 80 columns.
func fitsInto80(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > 80 {
			t.Errorf("a line of %d columns does not fit into 80: %s", n, line)
		}
	}
}
