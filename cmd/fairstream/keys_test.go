package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/history"
)

// TestSignedModels: a job signs what it publishes; readers with its public key use that, and refuse and tell what a
// stranger writes.
func TestSignedModels(t *testing.T) {
	t.Parallel()
	config, client, _ := onEmbedded(t, adultSections)
	with := func(args ...string) []string { return append(args, "--config", config) }
	key := filepath.Join(t.TempDir(), "key.pem")
	lines := succeed(t, "keys", "generate", "--output", key)
	public := regexp.MustCompile(`ed25519:[^"]+`).FindString(lines)
	if info, err := os.Stat(key); err != nil || info.Mode().Perm() != 0o600 || public == "" {
		t.Fatalf("%v, %v; %s", info, err, lines)
	}
	fails(t, failed, "exists: a key is not replaced", "keys", "generate", "--output", key)
	private, err := os.ReadFile(key)
	if err != nil || strings.Contains(lines, strings.Split(string(private), "\n")[1]) {
		t.Fatalf("the private key is shown, or %v", err)
	}

	succeed(t, with("topics", "create")...)
	input := filepath.Join(t.TempDir(), "people.jsonl")
	if err := os.WriteFile(input, []byte(strings.Join(adultJSON(t)[:4000], "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	succeed(t, with("produce", "--input", input)...)
	verifying := []string{"--set", "signing.public_keys=[" + `"` + public + `"]`}
	signing := append([]string{"--set", "signing.private_key_file=" + key}, verifying...)
	fails(t, failed, "signing.private_key_file is not", with(append(verifying, "run", "--until-end")...)...)
	succeed(t, with(append(signing, "run", "--until-end")...)...)
	contains(t, succeed(t, with(append(verifying, "audit")...)...), "All 3 documents and aliases on the model topic are signed by a trusted key.")
	contains(t, succeed(t, with(append(verifying, "state", "verify")...)...), "Everything fits together.")

	// A stranger publishes a copy as a newer version.
	var forged []kafka.Message
	_, err = client.Read(t.Context(), "people.models", 0, kafka.Earliest, kafka.End, func(r *kafka.Record) error {
		message := r.Message()
		message.Key = []byte(strings.Replace(string(message.Key), "/v/1/", "/v/9/", 1))
		forged = append(forged, message)
		return nil
	})
	if err != nil || len(forged) != 3 {
		t.Fatalf("%d records, %v", len(forged), err)
	}
	if _, err := client.Produce(t.Context(), "people.models", 0, forged[0]); err != nil {
		t.Fatal(err)
	}
	contains(t, succeed(t, with("audit")...), "No signature was checked: signing.public_keys is not set")
	code, stdout, _ := fairstream(t, with(append(verifying, "audit")...)...)
	if code != failed {
		t.Errorf("audit of a forged document: exit code %d", code)
	}
	contains(t, stdout, "3 documents and aliases on the model topic are signed by a trusted key.\nThese are refused:", "adult/v/9/4000: its signature with key", "is wrong")
	code, stdout, _ = fairstream(t, with(append(verifying, "state", "verify")...)...)
	if code != failed {
		t.Errorf("state verify of a forged document: exit code %d", code)
	}
	contains(t, stdout, "3 documents and aliases are signed", "adult/v/9/4000 is refused: its signature")
	code, stdout, stderr := fairstream(t, with(append(verifying, "models", "show")...)...)
	if code != done || !strings.Contains(stdout, "Version 4,000 of job adult") || !strings.Contains(stdout, "term 1.") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	contains(t, stderr, "adult/v/9/4000 is refused", "is wrong")
	contains(t, succeed(t, with("models", "show")...), "term 9.") // nobody asked for a signature

	other := filepath.Join(t.TempDir(), "other.pem")
	succeed(t, "keys", "generate", "--output", other)
	fails(t, failed, "lacks the public key", with(append(verifying, "run", "--until-end", "--set", "signing.private_key_file="+other)...)...)
	fails(t, misuse, "signing.public_keys[0]", with("run", "--until-end", "--set", `signing.public_keys=["ab"]`)...)
	if err := os.WriteFile(other, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	fails(t, failed, "signing.private_key_file", with("run", "--until-end", "--set", "signing.private_key_file="+other)...)
}

// TestSignedHistory: a job signs its history. An entry that somebody appends with the right SHA-256 is refused and named, and the next owner disowns
// it and goes on.
func TestSignedHistory(t *testing.T) {
	t.Parallel()
	config, client, _ := onEmbedded(t, adultSections)
	with := func(args ...string) []string { return append(args, "--config", config) }
	key := filepath.Join(t.TempDir(), "key.pem")
	public := regexp.MustCompile(`ed25519:[^"]+`).FindString(succeed(t, "keys", "generate", "--output", key))
	input := filepath.Join(t.TempDir(), "people.jsonl")
	if err := os.WriteFile(input, []byte(strings.Join(adultJSON(t)[:3000], "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	succeed(t, with("topics", "create")...)
	succeed(t, with("produce", "--input", input)...)
	succeed(t, with("run", "--until-end")...)
	verifying := []string{"--set", `signing.public_keys=["` + public + `"]`}
	signing := append([]string{"--set", "signing.private_key_file=" + key}, verifying...)
	verified := func(args ...string) []string { return with(append(args, verifying...)...) }
	signed := func(args ...string) []string { return with(append(args, signing...)...) }
	flat := func(text string) string { return strings.Join(strings.Fields(text), " ") } // as it is before lines are broken
	fails(t, failed, "topic people.history holds entries that no key of signing.public_keys signed", verified("audit")...)

	succeed(t, with("produce", "--input", input)...)
	succeed(t, signed("run", "--until-end")...)
	code, text, _ := fairstream(t, verified("audit")...)
	if code != failed { // the document of the first run is unsigned
		t.Errorf("exit code %d", code)
	}
	contains(t, flat(text), "The history is whole.", "are signed by a trusted key.", "before the first signature are protected by the chain alone")
	if strings.Contains(flat(text), "These are refused: entr") {
		t.Errorf("%s", text)
	}

	chain := history.NewChain(history.Head{}, history.Everything)
	var last history.Entry
	_, err := client.Read(t.Context(), "people.history", 0, kafka.Earliest, kafka.End, func(r *kafka.Record) error {
		e, _, _, err := chain.Follow(r.Offset, r.Value)
		last = *e
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	last.ID, last.Kind, last.Publication, last.Release = "release/maria", history.Release, nil, &history.Released{Number: 99, Step: "promoted", Reason: "promoted by maria"}
	value, _, err := chain.Next(last)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Produce(t.Context(), "people.history", 0, kafka.Message{Key: []byte("adult"), Value: value}); err != nil {
		t.Fatal(err)
	}
	code, text, _ = fairstream(t, verified("audit")...)
	if code != failed {
		t.Errorf("exit code %d", code)
	}
	contains(t, flat(text), "These are refused: entry", "(release): it is not signed")
	fails(t, failed, "the history is broken", with("audit")...)
	_, text, _ = fairstream(t, with("audit")...)
	contains(t, flat(text), "step 99 of the releases")
	if strings.Contains(text, "is whole") {
		t.Errorf("without keys: %s", text)
	}

	fails(t, failed, "signing.private_key_file is not", verified("state", "reset", "--yes")...)
	succeed(t, with("produce", "--input", input)...)
	_, _, log := fairstream(t, signed("run", "--until-end")...)
	contains(t, log, "the history is damaged", "is not by the owner of the job: it is not signed")
	_, text, _ = fairstream(t, verified("audit")...)
	contains(t, flat(text), "is not by the owner of the job: it is not signed", "version 9,000")
	if strings.Contains(text, "maria") {
		t.Errorf("what an added entry says is shown: %s", text)
	}
	succeed(t, signed("state", "reset", "--yes")...)
}
