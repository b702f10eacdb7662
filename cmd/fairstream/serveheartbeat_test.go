package main

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
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
	j := newReporting(t, newEmbedded(t).Addresses())
	a := newAsked(j, "none", "none", "--set", "serve.heartbeat=0s")
	a.start()
	a.one("first")
	a.terminate()
	if all := j.heartbeats(); len(all) != 0 {
		t.Errorf("%s", fmt.Sprint(all))
	}
}
