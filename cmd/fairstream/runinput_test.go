package main

import (
	"strings"
	"syscall"
	"testing"

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka"
)

// TestRunWaitsForItsInput: while there is no input topic, the log and /readyz say so; once there is one, the job
// begins.
func TestRunWaitsForItsInput(t *testing.T) {
	b, err := devbroker.Start(devbroker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	j := newJob(t, b.Addresses(), 1, "")
	if err := j.client.DeleteTopic(t.Context(), j.topics.Input); err != nil {
		t.Fatal(err)
	}
	c := j.start()
	defer func() { _ = c.Process.Kill() }()
	says := "describe " + j.topics.Input + " fails since"
	j.eventually("not ready, with the reason", func() bool {
		code, reasons := j.get("readyz")
		return code == 503 && strings.Contains(reasons, says) && strings.Contains(reasons, "the topic does not exist") && strings.Contains(reasons, "topics create")
	})
	if _, err := j.client.CreateTopics(t.Context(), kafka.TopicSpec{Name: j.topics.Input, Kind: kafka.InputTopic}); err != nil {
		t.Fatal(err)
	}
	j.eventually("ready", func() bool { code, _ := j.get("readyz"); return code == 200 })
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, c.log.String())
	}
	warned := 0
	for line := range strings.Lines(c.log.String()) {
		if strings.Contains(line, `"level":"warn"`) && strings.Contains(line, "the topic does not exist") && strings.Contains(line, "topics create") {
			warned++
		}
	}
	if warned != 1 {
		t.Errorf("%d warnings\n%s", warned, c.log.String())
	}
}

// TestUntilEndOfNoInput: where topics are only verified, a missing input is found at once.
func TestUntilEndOfNoInput(t *testing.T) {
	config, client, _ := onEmbedded(t, adultSections)
	succeed(t, "topics", "create", "--config", config)
	if err := client.DeleteTopic(t.Context(), "people"); err != nil {
		t.Fatal(err)
	}
	fails(t, failed, "verify people: the topic does not exist, or this user may not describe it: create it with 'fairstream topics create', correct its name",
		"run", "--config", config, "--until-end", "--set", "topics.management=verify")
}
