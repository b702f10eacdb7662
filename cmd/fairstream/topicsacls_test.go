package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/test/broker"
)

// granted are the rights of the lines that were printed.
func granted(t *testing.T, printed string) []broker.Right {
	t.Helper()
	var all []broker.Right
	for line := range strings.Lines(printed) {
		words := strings.Fields(line)
		if len(words) < 8 || strings.Join(words[:3], " ") != "kafka-acls.sh --add --allow-principal" {
			t.Fatalf("%q", line)
		}
		for i, word := range words {
			if word == "--operation" {
				all = append(all, broker.Right{Principal: words[3], Resource: strings.TrimPrefix(words[len(words)-2], "--"), Name: words[len(words)-1], Operation: words[i+1]})
			}
		}
	}
	return all
}

// TestPrintedRights: a user with the rights that topics acls prints can run a job on a broker that refuses all else, and with
// one right less he cannot.
func TestPrintedRights(t *testing.T) {
	b := broker.Shared(t)
	j := newJob(t, []string{b.Address}, 1, "")
	lines := append(adultJSON(t)[:300], "not JSON") // so that a dead letter is written
	if err := j.produce(t.Context(), 1, lines, 0); err != nil {
		t.Fatal(err)
	}
	succeed(t, "topics", "create", "-c", j.config)
	needed := granted(t, succeed(t, "topics", "acls", "-c", j.config, "--principal", "User:"+broker.PlainUser))
	for _, right := range needed {
		broker.Grant(t, b.Address, right)
	}
	text, err := os.ReadFile(j.config)
	if err != nil {
		t.Fatal(err)
	}
	secured := strings.ReplaceAll(string(text), "kafka: {", "kafka: {security.protocol: SASL_PLAINTEXT, sasl.mechanism: PLAIN, sasl.username: "+broker.PlainUser+", sasl.password_env: BROKER_PASSWORD, ")
	if err := os.WriteFile(j.config, []byte(strings.ReplaceAll(secured, b.Address, b.Security.SASL)), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("BROKER_PASSWORD", broker.PlainPassword)
	runs := []string{"run", "-c", j.config, "--until-end"}
	succeed(t, runs...)

	for _, right := range needed {
		broker.Revoke(t, b.Address, right)
		if err := j.produce(t.Context(), 1, lines, 0); err != nil {
			t.Fatal(err)
		}
		fails(t, failed, "ACL", runs...)
		broker.Grant(t, b.Address, right)
	}
	succeed(t, runs...)
}

func TestACLs(t *testing.T) {
	config, _, _ := onEmbedded(t, learning)
	acls := func(more ...string) []string {
		return strings.Split(strings.TrimSpace(succeed(t, append([]string{"topics", "acls", "-c", config, "--principal", "User:CN=a b"}, more...)...)), "\n")
	}
	if got := acls(); !slices.Contains(got, "kafka-acls.sh --add --allow-principal 'User:CN=a b' --operation Read --operation Write --operation DescribeConfigs --topic people.state") ||
		!slices.Contains(got, "kafka-acls.sh --add --allow-principal 'User:CN=a b' --operation Read --topic people") {
		t.Errorf("%v", got)
	}
	if got := acls("--for", "score", "--from", "applicants", "--to", "decided"); len(got) != 5 || !strings.HasSuffix(got[4], ".score.applicants.decided") || !strings.Contains(got[4], "--operation Describe --operation Write --transactional-id fairstream.") {
		t.Errorf("%v", got)
	}
	if got := acls("--for", "replay"); len(got) != 3 || !strings.HasSuffix(got[2], ".replay") {
		t.Errorf("%v", got)
	}
	if got := acls("--for", "read"); len(got) != 1 || len(acls("--for", "create")) < 4 {
		t.Errorf("%v", got)
	}
	fails(t, misuse, "--for walk: rights are known for", "topics", "acls", "-c", config, "--principal", "User:x", "--for", "walk")
	fails(t, misuse, "--from and --to name the topics", "topics", "acls", "-c", config, "--principal", "User:x", "--for", "score")
	fails(t, misuse, "such as User:fairstream", "topics", "acls", "-c", config, "--principal", "me")
}
