package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/modeltopic"
)

// TestServeForHours: the requests of hours in fast motion, while versions are published and the broker is killed now and then. Each version decides
// everywhere, no request fails but those that wait refuses with 503, whatever was answered is in the log, and the memory does not grow.
//
// FAIRSTREAM_TEST_SERVE_REQUESTS and FAIRSTREAM_TEST_SERVE_SWAPS set how many, 300 and 10 by default; FAIRSTREAM_TEST_SERVE_RESTARTS how often the
// broker is killed, 2 by default.
func TestServeForHours(t *testing.T) {
	t.Parallel()
	requests, swaps := oftenOf(t, "FAIRSTREAM_TEST_SERVE_REQUESTS", 300), oftenOf(t, "FAIRSTREAM_TEST_SERVE_SWAPS", 10)
	restarts := oftenOf(t, "FAIRSTREAM_TEST_SERVE_RESTARTS", 2)
	b := newEmbedded(t)
	j := newServed(t, b.Addresses())
	all := []*asked{newAsked(j, "wait", "wait", "--alias", "latest", "--set", "serve.log_timeout=300ms"),
		newAsked(j, "buffer", "buffer", "--alias", "latest", "--set", "serve.log_buffer=10000000"), newAsked(j, "none", "none", "--alias", "latest")}
	for _, a := range all {
		a.start()
		defer func() { _ = a.child.Process.Kill() }()
		a.ask(2, "")
	}
	asked := func() (n int) {
		for _, a := range all {
			n += a.count(http.StatusOK)
		}
		return n
	}
	newest, early := j.newest(), map[string]int{}
	doc, err := newest.Document()
	must(t, err)
	for swap := 1; swap <= swaps; swap++ {
		j.eventually("answered", func() bool { return asked() >= requests*swap/swaps })
		doc.Version++
		value, err := doc.Encode()
		must(t, err)
		at := modeltopic.Place{Term: newest.Term, Version: doc.Version}
		alias := modeltopic.MoveAlias("adult", modeltopic.Latest, at.Term, modeltopic.Target{Place: at, SHA256: doc.WeightsSHA256}, nil)
		j.eventually("published", func() bool {
			_, err := j.client.Produce(t.Context(), j.topics.Model, 0, modeltopic.Document("adult", at, doc.WeightsSHA256, value, nil), alias)
			return err == nil
		})
		for i, a := range all {
			j.eventually(fmt.Sprintf("version %d decides under %s", at.Version, a.name), func() bool { return a.version(fmt.Sprintf("swap %d of %d", swap, i)) == at.Version })
			if swap == (swaps+3)/4 {
				early[a.name] = a.peak()
			}
		}
		if swap*restarts/swaps > (swap-1)*restarts/swaps {
			before := all[0].count(http.StatusServiceUnavailable)
			must(t, b.kill())
			j.eventually("refused", func() bool { return all[0].count(http.StatusServiceUnavailable) > before })
			must(t, b.restart())
		}
	}
	for _, a := range all {
		a.stop()
		if late := a.peak(); late > 2*early[a.name] {
			t.Errorf("%s: memory grew from %d to %d MiB", a.name, early[a.name]>>20, late>>20)
		}
		t.Logf("%s: %v over %d versions; memory up to %d MiB, after a quarter %d", a.name, a.codes, swaps, a.peak()>>20, early[a.name]>>20)
		a.terminate()
		for code, n := range a.codes {
			if code != http.StatusOK && (a.name != "wait" || code != http.StatusServiceUnavailable) {
				t.Errorf("%s: %d requests were answered with %d\n%s", a.name, n, code, a.child.log.String())
			}
		}
		if a.name == "none" {
			continue
		}
		if missing := a.unlogged(); len(missing) > 0 {
			t.Errorf("%s: %d of %d answered records are not in the log, such as %q", a.name, len(missing), len(a.answered), missing[0])
		}
	}
}

// version is that which decides a record now, 0 without an answer.
func (a *asked) version(id string) int64 {
	response, err := http.Post("http://"+a.address+"/v1/score", "application/json", strings.NewReader(fmt.Sprintf(`{"records":[{"id":%q}]}`, id)))
	if err != nil {
		return 0
	}
	defer func() { _ = response.Body.Close() }()
	var answer struct{ Results []struct{ Version int64 } }
	if json.NewDecoder(response.Body).Decode(&answer) != nil || len(answer.Results) == 0 {
		return 0
	}
	return answer.Results[0].Version
}
