package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/kafka"
)

// newReporting is a job whose servers report on its topic of events every second.
func newReporting(t *testing.T, addresses []string) *job {
	t.Helper()
	j := newServed(t, addresses)
	text, err := os.ReadFile(j.config)
	must(t, err)
	j.topics.Events = j.topics.Input + ".events"
	changed := strings.Replace(string(text), "topics: {", "serve: {heartbeat: 1s}\ntopics: {events: "+j.topics.Events+", ", 1)
	must(t, os.WriteFile(j.config, []byte(changed), 0o600))
	succeed(t, "topics", "create", "--config", j.config)
	return j
}

// heartbeats are those on the topic of events, each as the schema has it.
func (j *job) heartbeats() (all []string) {
	for _, value := range storyOn(j.t, j.client, j.topics.Events) {
		if strings.Contains(value, `"every_seconds":1,`) {
			all = append(all, value)
		}
	}
	return all
}

// TestHeartbeats: an instance tells what it serves and what it has decided. While Kafka is away it drops heartbeats and counts them, decides on and is
// ready; afterwards it writes them again, and at the end it says that it ended.
func TestHeartbeats(t *testing.T) {
	t.Parallel()
	b := newEmbedded(t)
	j := newReporting(t, b.Addresses())
	a := newAsked(j, "none", "none")
	a.start()
	a.one("first")
	dropped := func() float64 { return a.number("fairstream_serve_heartbeats_total") } // of its two outcomes the first
	j.eventually("two decisions are told", func() bool {
		all := j.heartbeats()
		return len(all) > 0 && strings.Contains(all[len(all)-1], `"decisions":2`)
	})
	newest := j.heartbeats()[len(j.heartbeats())-1]
	contains(t, newest, `"instance":"`, a.address[strings.LastIndex(a.address, ":"):]+`"`, `"alias":"latest"`, `"version":1500`, `"term":1`)
	if n := dropped(); n != 0 {
		t.Errorf("%v heartbeats were dropped while Kafka was there", n)
	}

	must(t, b.kill())
	j.eventually("dropped", func() bool { return dropped() >= 2 })
	a.one("while Kafka is away")
	if ok, other := a.count(http.StatusOK), len(a.codes)-1; ok != 2 || other != 0 {
		t.Errorf("requests were answered with %v", a.codes)
	}
	response, err := http.Get("http://" + a.address + "/readyz")
	must(t, err)
	must(t, response.Body.Close())
	if response.StatusCode != http.StatusOK {
		t.Errorf("/readyz answers %d while heartbeats fail", response.StatusCode)
	}
	must(t, b.restart())
	j.eventually("written again", func() bool {
		all := j.heartbeats()
		return len(all) > 0 && strings.Contains(all[len(all)-1], `"decisions":4`)
	})
	a.terminate()
	all := j.heartbeats()
	contains(t, all[len(all)-1], `"ended":true`)
	for _, once := range []string{"a heartbeat is dropped", "heartbeats are written again"} {
		if n := strings.Count(a.child.log.String(), once); n != 1 {
			t.Errorf("the log says %q %d times", once, n)
		}
	}
}

// TestNoHeartbeats are written unless they are asked for.
func TestNoHeartbeats(t *testing.T) {
	t.Parallel()
	j := newReporting(t, newEmbedded(t).Addresses())
	a := newAsked(j, "none", "none", "--set", "serve.heartbeat=0s")
	a.start()
	a.one("first")
	a.terminate()
	if all := j.heartbeats(); len(all) != 0 {
		t.Errorf("%s", fmt.Sprint(all))
	}
}

// TestWhereVersionsServe: the page of the owner and models list show an instance, whatever else claims to be a heartbeat, and forget it when it has ended.
// An owner begins and goes on beside all that.
func TestWhereVersionsServe(t *testing.T) {
	t.Parallel()
	j := newReporting(t, newEmbedded(t).Addresses())
	for _, key := range []string{"/serve/forged", "/serve/", "/serve/\x1b[2J"} {
		_, err := j.client.Produce(t.Context(), j.topics.Events, 0, kafka.Message{Key: []byte("adult" + key), Value: []byte(`{"instance":"forged"}`)})
		must(t, err)
	}
	list := func(flags ...string) string {
		return succeed(t, append([]string{"models", "list", "--config", j.config}, flags...)...)
	}
	if text := list(); strings.Contains(text, "served") {
		t.Errorf("an instance is listed that is none:\n%s", text)
	}
	j.command = "run"
	owner := j.start()
	defer func() { _ = owner.Process.Kill() }()
	var status board.Status
	shown := func() bool {
		response, err := http.Get("http://" + j.address + "/api/v1/status")
		if err != nil {
			return false
		}
		defer func() { _ = response.Body.Close() }()
		status = board.Status{}
		return json.NewDecoder(response.Body).Decode(&status) == nil && status.Serving != nil && status.Serving.Reason == "" && status.Phase == "learning"
	}
	j.command = "serve"
	a := newAsked(j, "none", "none")
	a.start()
	a.one("first")
	j.eventually("the page shows the instance and its decisions", func() bool {
		return shown() && status.Serving.Known == 1 && len(status.Serving.Instances[0].Uses) == 1 && status.Serving.Instances[0].Uses[0].Decisions == 2 &&
			status.Serving.Silent == 0
	})
	use := status.Serving.Instances[0].Uses[0]
	if use.Alias != "latest" || use.Version != 1500 || use.Term != 1 || len(use.WeightsSHA256) != 64 || use.Since.IsZero() || status.Serving.Ignored != 3 || status.Serving.Silent != 0 {
		t.Errorf("shown: %+v", status.Serving)
	}
	contains(t, list(), "served by 1 instance: ", " (latest since ")
	contains(t, list("--json"), `"served_by":[{"instance":"`, `"decisions":2,`, `"silent":false`)
	a.terminate()
	j.eventually("the page has forgotten the instance", func() bool { return shown() && status.Serving.Known == 0 })
	if text := list(); strings.Contains(text, "served") {
		t.Errorf("an instance is listed that has ended:\n%s", text)
	}
}
