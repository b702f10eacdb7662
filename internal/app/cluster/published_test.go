package cluster_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/signature"
	"github.com/fairstream/fairstream/pkg/stream"
)

// TestWhatAJobHasPublished: documents, the one of an alias, the state, the audit and the counts of the monitor, of a job that has learnt twice.
func TestWhatAJobHasPublished(t *testing.T) {
	j := apptest.Learnt(t)
	var warnings bytes.Buffer
	found, err := cluster.ReadModels(t.Context(), j.Config, &warnings)
	if err != nil || found.Newest() == nil || found.Newest().Version != 1188 || warnings.Len() > 0 {
		t.Fatalf("%+v, %v, %s", found, err, warnings.String())
	}
	if latest, err := cluster.ByAlias(found, "latest", "weights", "loans"); err != nil || latest.Version != 1188 {
		t.Errorf("latest: %+v, %v", latest, err)
	}
	for name, want := range map[string]string{"lates": `has no alias lates of job loans: it has candidate, latest (did you mean "latest"?)`, "stable": "topic weights has no alias stable of job loans"} {
		if _, err := cluster.ByAlias(found, name, "weights", "loans"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	found.Aliases["gone"] = modeltopic.Alias{Term: 3, Version: 7}
	delete(found.Aliases, "candidate")
	found.Refused = append(found.Refused, modeltopic.Refused{Key: modeltopic.AliasKey("loans", "candidate"), Offset: 5, Reason: "for a test"})
	for name, want := range map[string]string{"gone": "does not hold version 3/7 of job loans as alias gone has it", "candidate": "topic weights, offset 5: alias candidate of job loans is refused: for a test"} {
		if _, err := cluster.ByAlias(found, name, "weights", "loans"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}

	state, err := cluster.ReadState(t.Context(), j.Client, j.Config)
	if err != nil || state.Holder.Term != 2 || !state.Left {
		t.Errorf("state: %+v, %v", state, err)
	}
	audit, err := cluster.ReadAudit(t.Context(), j.Client, j.Config, history.Period{}, time.Hour)
	if err != nil || audit.Job != "loans" || !audit.Chain.Whole {
		t.Errorf("audit: %+v, %v", audit, err)
	}
	snapshot, monitored, err := cluster.ReadMonitored(t.Context(), j.Client, j.Config)
	if err != nil || snapshot.Version != 1188 || len(monitored) == 0 {
		t.Errorf("monitored: %+v, %v, %v", snapshot, monitored, err)
	}
}

// TestRefusedRecordsAreNamed: a record on the model topic that cannot be used is a warning, and the documents beside it are read.
func TestRefusedRecordsAreNamed(t *testing.T) {
	j := apptest.Learnt(t)
	if _, err := j.Client.Append(t.Context(), "weights", 0, kafka.Message{Key: []byte("loans/stable"), Value: []byte("{")}); err != nil {
		t.Fatal(err)
	}
	var warnings bytes.Buffer
	if found, err := cluster.ReadModels(t.Context(), j.Config, &warnings); err != nil || found.Newest().Version != 1188 || !strings.Contains(warnings.String(), "loans/stable is refused: ") {
		t.Errorf("%v, %s", err, warnings.String())
	}
}

// TestNothingIsPublishedYet: the error says what to do.
func TestNothingIsPublishedYet(t *testing.T) {
	j := apptest.NewJob(t, apptest.Loans)
	if _, err := cluster.ReadModels(t.Context(), j.Config, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "topic weights holds no weights of job loans yet: no process has learnt for it") {
		t.Error(err)
	}
	absent := *j.Config
	absent.Topics.Model, absent.Topics.State, absent.Topics.History = "away", "away", "away"
	for name, read := range map[string]func() error{
		"models":    func() error { _, err := cluster.ReadModels(t.Context(), &absent, &bytes.Buffer{}); return err },
		"state":     func() error { _, err := cluster.ReadState(t.Context(), j.Client, &absent); return err },
		"monitored": func() error { _, _, err := cluster.ReadMonitored(t.Context(), j.Client, &absent); return err },
		"audit": func() error {
			_, err := cluster.ReadAudit(t.Context(), j.Client, &absent, history.Period{}, 0)
			return err
		},
	} {
		if err := read(); err == nil || !strings.Contains(err.Error(), "away") {
			t.Errorf("%s of a topic that is not there: %v", name, err)
		}
	}
	if err := cluster.Exist(t.Context(), j.Client, "in", "", "state"); err != nil {
		t.Errorf("topics that are there: %v", err)
	}
}

// TestTopicsOfAJob: all of them, the input first and with the partitions asked for; a job that monitors others publishes no model.
func TestTopicsOfAJob(t *testing.T) {
	c := apptest.Load(t, "kafka: {brokers: [a:9092]}\ntopics: {replication: 2, events: told}\n"+strings.Replace(apptest.Loans, "topics: {", "#", 1), 0)
	c.Topics.Input, c.Topics.State, c.Topics.Model, c.Topics.DeadLetter, c.Topics.History, c.Topics.Waiting = "in", "state", "weights", "dead", "history", "wait"
	if got, want := cluster.TopicsOf(c), (stream.Topics{Input: "in", Model: "weights", State: "state", DeadLetter: "dead", Waiting: "wait", History: "history", Events: "told"}); got != want {
		t.Errorf("%+v", got)
	}
	specs := cluster.TopicSpecs(c, 7)
	if specs[0].Name != "in" || specs[0].Kind != kafka.InputTopic || specs[0].Partitions != 7 || specs[0].ReplicationFactor != 2 {
		t.Errorf("the input: %+v", specs[0])
	}
	for _, name := range []string{"state", "weights", "dead", "history", "told"} {
		if !slices.ContainsFunc(specs, func(s kafka.TopicSpec) bool { return s.Name == name && s.ReplicationFactor == 2 }) {
			t.Errorf("no topic %s in %+v", name, specs)
		}
	}
	if got := cluster.WaitingTransaction(c); !strings.Contains(got, "loans") {
		t.Errorf("transactional id %q", got)
	}
	monitor := apptest.Load(t, "job: seen\nkafka: {brokers: [a:9092]}\ntopics: {input: in, model: weights}\nmonitor: {decision: {field: granted, positive: 1}}\n"+
		"record: {label: {field: paid, positive: 1}}\nconstraints: [{name: sex, attribute: sex, group: M, versus: F, tau: 0.2}]\n", 0)
	if got := cluster.TopicsOf(monitor); got.Model != "" || got.Input != "in" {
		t.Errorf("of a monitor: %+v", got)
	}
}

// TestInterrupted: a command that a person stops says that, or how far it came; one whose Kafka stays away names the cause.
func TestInterrupted(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	_, _, end := cluster.Patiently(stopped, &bytes.Buffer{})
	stop()
	if err := end(errors.New("canceled")); err == nil || err.Error() != "interrupted" {
		t.Errorf("%v", err)
	}
	_, _, end = cluster.Patiently(stopped, &bytes.Buffer{})
	if err := end(cluster.Interrupted("stopped after 5 records")); err == nil || err.Error() != "stopped after 5 records" {
		t.Errorf("%v", err)
	}

	var warnings bytes.Buffer
	within, notify, end := cluster.Patiently(t.Context(), &warnings)
	away := errors.New("no route")
	since := time.Now()
	notify(kafka.Outage{Operation: "read", Err: away, Attempt: 1, Since: since})
	notify(kafka.Outage{Operation: "read", Err: away, Attempt: 2, Since: since})
	notify(kafka.Outage{Operation: "read", Attempt: 2, Since: since})
	if within.Err() != nil || strings.Count(warnings.String(), "no route\n  trying again for 30s; Ctrl-C gives up") != 1 {
		t.Errorf("an outage: %v, %s", within.Err(), warnings.String())
	}
	notify(kafka.Outage{Operation: "read", Err: away, Attempt: 9, Since: since.Add(-cluster.Patience - time.Second)})
	if err := end(within.Err()); err == nil || !errors.Is(err, away) || err.Error() != "read failed for 30s: no route" {
		t.Errorf("a long outage: %v", err)
	}
	_, _, end = cluster.Patiently(t.Context(), &warnings)
	if err := end(nil); err != nil {
		t.Error(err)
	}
}

// TestPruned lists what was deleted, or would be.
func TestPruned(t *testing.T) {
	var out bytes.Buffer
	s := &program.Streams{Out: &out}
	if err := errors.Join(cluster.Pruned(s, true, "version", "weights", []string{"loans/v/1/2", "loans/v/1/3"}), cluster.Pruned(s, false, "version", "weights", []string{"loans/v/1/2"})); err != nil {
		t.Fatal(err)
	}
	if want := "Would delete 2 versions on topic weights.\n  loans/v/1/2\n  loans/v/1/3\nDeleted 1 version on topic weights.\n  loans/v/1/2\n"; out.String() != want {
		t.Errorf("%q", out.String())
	}
}

// TestSigning: who publishes signs with a key that readers trust, or not at all.
func TestSigning(t *testing.T) {
	directory := t.TempDir()
	private, public, err := signature.Generate()
	if err != nil {
		t.Fatal(err)
	}
	_, other, err := signature.Generate()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(directory, "key.pem")
	if err := os.WriteFile(file, private, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		yaml          string
		signs, trusts bool
		want          string
	}{
		"neither":    {"", false, false, ""},
		"signs":      {"signing: {private_key_file: " + file + "}\n", true, false, ""},
		"both":       {"signing: {private_key_file: " + file + ", public_keys: [" + other + ", " + public + "]}\n", true, true, ""},
		"reads only": {"signing: {public_keys: [" + public + "]}\n", false, false, "signing.private_key_file is not: readers would refuse"},
		"another":    {"signing: {private_key_file: " + file + ", public_keys: [" + other + "]}\n", false, false, "lacks the public key of signing.private_key_file: add " + public},
	} {
		signer, verifier, err := cluster.Signing(apptest.Load(t, c.yaml+apptest.Loans, 0))
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || (signer != nil) != c.signs || (verifier != nil) != c.trusts {
			t.Errorf("%s: %v, %v, %v", name, signer, verifier, err)
		}
	}
}
