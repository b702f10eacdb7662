package main

import (
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka"
)

// TestRunReleasesOnASample: records whose timestamps say that 2,000 come in a second, where release.rate allows 600. Versions
// decide a quarter of them, become stable on that, and everybody is told the share.
func TestRunReleasesOnASample(t *testing.T) {
	t.Parallel()
	b, err := devbroker.Start(devbroker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	j := newJob(t, b.Addresses(), 1, "stream: {publish: {records: 500}}\nrelease: {rate: 600, limit: 0.95, delta: 0.9, minimum_labels: 100, cool_down: 1}\n")
	c := j.start()
	defer func() { _ = c.Process.Kill() }()
	j.eventually("ready", func() bool { code, _ := j.get("readyz"); return code == http.StatusOK })

	lines, sent := adultJSON(t), 0
	serves := func(line string) bool { _, text := j.get("metrics"); return strings.Contains(text, "\n"+line+"\n") }
	send := func(records int) {
		messages := make([]kafka.Message, records)
		for i := range messages {
			messages[i] = kafka.Message{Timestamp: 1_700_000_000_000 + int64(sent/2), Value: []byte(lines[sent%len(lines)])}
			sent++
		}
		if _, err := j.client.Produce(t.Context(), j.topics.Input, 0, messages...); err != nil {
			t.Fatal(err)
		}
	}
	send(3000)
	j.eventually("a quarter", func() bool { return serves("fairstream_release_share 0.25") })
	j.eventually("a version that is stable on a sample", func() bool {
		send(250)
		return !serves(`fairstream_release_steps_total{step="promoted"} 0`)
	})
	if code, text := j.get("api/v1/status"); code != http.StatusOK || !strings.Contains(text, `"share":0.25`) {
		t.Errorf("status %d: %s", code, text)
	}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Fatal(err)
	}
	if log := c.log.String(); strings.Count(log, "more than release.rate records come in a second") != 1 || strings.Count(log, "a version is stable now") == 0 {
		t.Error(log)
	}
	contains(t, succeed(t, "audit", "--config", j.config), "promoted")
}
