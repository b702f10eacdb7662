package topics

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/config"
)

// TestTopics: what is said of topics that exist, are missing, are made, and have other partitions than were asked for.
func TestTopics(t *testing.T) {
	stage := apptest.NewStage(t)
	j := apptest.NewJob(t, apptest.Loans)
	run := func(name string, work Topics) {
		t.Helper()
		work.Streams, work.Config = stage.Streams, j.Config
		stage.Says(t, name, func(ctx context.Context) error { return work.Run(ctx, j.Client) })
	}
	run("exist.txt", Topics{Partitions: 1})
	run("as-wanted.txt", Topics{Create: true, Wanted: true, Partitions: 1})
	run("other-partitions.txt", Topics{Create: true, Wanted: true, Partitions: 7})
	j.Config.Topics.Events = "events"
	run("missing.txt", Topics{Partitions: 1})
	run("created.txt", Topics{Create: true, Partitions: 1})
}

// TestRights: the commands that grant a user the rights of each command are shell, whatever names are.
func TestRights(t *testing.T) {
	stage := apptest.NewStage(t)
	c := apptest.Load(t, "kafka: {brokers: [a:9092]}\n"+apptest.Loans, 0)
	c.Topics.Events, c.Serve.Heartbeat = "it's", 10*time.Second
	c.Serve.Log, c.Serve.Topic = config.LogWait, "decided"
	for _, command := range []string{"run", "create", "replay", "score", "serve", "read", "none"} {
		stage.Says(t, "rights-"+command+".txt", func(context.Context) error {
			from, to := "", ""
			if command == "score" {
				from, to = "from", "to"
			}
			rights, err := RightsFor(c, command, from, to)
			for _, r := range rights {
				if _, err := stage.Out.Write([]byte(r.Command("User:maria") + "\n")); err != nil {
					return err
				}
			}
			return err
		})
	}
	for name, want := range map[string]string{"plain": "plain", "it's": `'it'\''s'`, "two words": "'two words'"} {
		if got := quoted(name); got != want {
			t.Errorf("%s becomes %s, want %s", name, got, want)
		}
	}
}

// TestRightsThatDependOnTheConfiguration: a transaction for waiting records, heartbeats, and topics that only score is told of.
func TestRightsThatDependOnTheConfiguration(t *testing.T) {
	c := apptest.Load(t, "kafka: {brokers: [a:9092]}\n"+apptest.Loans, 0)
	has := func(command, resource, name string) bool {
		t.Helper()
		rights, err := RightsFor(c, command, "", "")
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(rights, func(r Right) bool { return r.resource == resource && (name == "" || r.name == name) })
	}
	c.Topics.Events = "events"
	for _, key := range []string{"", "id"} {
		if c.Record.Key = key; has("run", "transactional-id", "") != (key != "") {
			t.Errorf("with the key %q", key)
		}
	}
	for _, every := range []time.Duration{0, time.Second} {
		if c.Serve.Heartbeat = every; has("serve", "topic", "events") != (every > 0) || has("read", "topic", "events") != (every > 0) {
			t.Errorf("with a heartbeat every %v", every)
		}
	}
	for _, topics := range [][3]string{{"run", "from", "to"}, {"run", "from", ""}, {"run", "", "to"}, {"score", "", ""}, {"score", "from", ""}, {"score", "", "to"}} {
		if rights, err := RightsFor(c, topics[0], topics[1], topics[2]); err == nil || rights != nil {
			t.Errorf("%q: %v", topics, rights)
		}
	}
	for word, want := range map[string]string{"": "", "!x": "'!x'", "x!": "'x!'"} {
		if got := quoted(word); got != want {
			t.Errorf("%q becomes %s", word, got)
		}
	}
}
