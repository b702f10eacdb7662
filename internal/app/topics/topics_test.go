package topics

import (
	"context"
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
