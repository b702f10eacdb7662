package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/models"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/stream"
)

// TestModelsRelease: versions are moved by commands and over HTTP, by the process that owns the job, by the command itself
// when that process was killed, and when it has ended. The history has all of it.
func TestModelsRelease(t *testing.T) {
	t.Parallel()
	const token = "a-token-of-some-length"
	tokenFile := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(tokenFile, []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	onBrokers(t, func(t *testing.T, addresses []string) {
		j := newJob(t, addresses, 1, "stream: {publish: {records: 1000}, standby_timeout: 1s}\n")
		j.withToken(tokenFile)
		j.topics.Events = j.topics.Input + ".events"
		j.configured("topics: {", fmt.Sprintf("topics: {events: %q, ", j.topics.Events))
		order := func(action string, args ...string) []string {
			return append([]string{"models", action, "--config", j.config, "--actor", "maria", "--reason", "a trial"}, args...)
		}
		fails(t, misuse, "a reason is missing", "models", "promote", "--config", j.config)
		fails(t, misuse, "outside 1s to 1h", order("promote", "--timeout", "1ms")...)
		fails(t, misuse, "models pause has no --version", order("pause", "--version", "7")...)
		succeed(t, "topics", "create", "--config", j.config)
		fails(t, failed, "holds no state of job", order("promote")...)

		c := j.start()
		defer func() { _ = c.Process.Kill() }()
		j.eventually("ready", func() bool { code, _ := j.get("readyz"); return code == http.StatusOK })
		contains(t, succeed(t, order("pause")...), "Done: models pause", "maria", "No alias moved")
		if err := j.produce(t.Context(), 1, adultJSON(t)[:3000], 0); err != nil {
			t.Fatal(err)
		}
		var list []models.Listed
		j.eventually("two versions", func() bool {
			code, text, _ := fairstream(t, "models", "list", "--config", j.config, "--json")
			return code == done && json.Unmarshal([]byte(text), &list) == nil && len(list) > 1
		})
		first, second := list[0], list[1]
		contains(t, succeed(t, order("promote", "--version", fmt.Sprint(first.Version))...), "stable", fmt.Sprintf("(%d/%d)", first.Term, first.Version))
		answer := stream.Answer{}
		text := succeed(t, order("promote", "--json", "--version", fmt.Sprintf("%d/%d", second.Term, second.Version))...)
		if err := json.Unmarshal([]byte(text), &answer); err != nil || answer.Before[stream.StableAlias].Version != first.Version || answer.After[stream.StableAlias].Version != second.Version ||
			answer.After[stream.PreviousAlias].Version != first.Version {
			t.Errorf("%v: %s", err, text)
		}
		contains(t, succeed(t, "models", "show", "--config", j.config, "--alias", "stable"), "Version "+english.Sprintf("%d", second.Version))
		contains(t, succeed(t, order("rollback")...), "stable", fmt.Sprintf("(%d/%d)", first.Term, first.Version))
		fails(t, failed, "was withdrawn", order("promote", "--version", fmt.Sprint(second.Version))...)
		fails(t, failed, "holds no version 7 ", order("promote", "--version", "7")...)

		if code, said := j.post(token, `{"action":"pin","reason":"an inspection","actor":"olga"}`); code != http.StatusOK {
			t.Errorf("pin over HTTP: %d %s", code, said)
		}
		if code, said := j.post(token, `{"action":"pin","reason":"again","actor":"olga"}`); code != http.StatusConflict || !strings.Contains(said, "pinned already") {
			t.Errorf("pin over HTTP again: %d %s", code, said)
		}
		if code, _ := j.post("wrong", `{"action":"unpin","reason":"x","actor":"olga"}`); code != http.StatusUnauthorized {
			t.Errorf("with a wrong token: %d", code)
		}

		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait()
		fails(t, failed, "no process answers for job adult within 1s", order("unpin", "--timeout", "1s", "--set", "stream.standby_timeout=10s")...)
		code, said, told := fairstream(t, order("unpin")...)
		if code != done || !strings.Contains(told, "this command claims it") {
			t.Errorf("after a kill: exit code %d\n%s%s", code, said, told)
		}
		c = j.start()
		j.eventually("ready", func() bool { code, _ := j.get("readyz"); return code == http.StatusOK })
		fails(t, failed, "no version is pinned", order("unpin")...)
		if err := c.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if err := c.Wait(); err != nil {
			t.Errorf("after SIGTERM: %v\n%s", err, c.log.String())
		}
		contains(t, succeed(t, order("resume")...), "Done: models resume")
		contains(t, succeed(t, "state", "show", "--config", j.config), "Nobody owns job adult")
		contains(t, succeed(t, "state", "verify", "--config", j.config), "Everything fits together.")
		contains(t, succeed(t, "audit", "--config", j.config), "rolled back", "for maria: a trial", "for olga: an inspection", "fairstream models resume")
		contains(t, succeed(t, "models", "show", "--config", j.config, "--alias", "stable"), "Version "+english.Sprintf("%d", first.Version))
		j.toldAsEvents()
	})
}

// toldAsEvents fails unless the topic of events tells what the history tells of decisions and releases, in its order.
func (j *job) toldAsEvents() {
	j.t.Helper()
	var audit history.Audit
	if err := json.Unmarshal([]byte(succeed(j.t, "audit", "--json", "--config", j.config)), &audit); err != nil {
		j.t.Fatal(err)
	}
	bySequence := map[int64]string{}
	for _, d := range audit.Decisions {
		bySequence[d.Sequence] = jsonOf(j.t, d.Judged)
	}
	for _, r := range audit.Releases {
		bySequence[r.Sequence] = jsonOf(j.t, r.Released)
	}
	var want []string
	for _, sequence := range slices.Sorted(maps.Keys(bySequence)) {
		want = append(want, bySequence[sequence])
	}
	if got := storyOn(j.t, j.client, j.topics.Events); len(audit.Releases) == 0 || !slices.Equal(got, want) {
		j.t.Errorf("the events are\n%s\nand the history tells\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// withToken adds server.token_file to the configuration.
func (j *job) withToken(file string) {
	j.t.Helper()
	j.configured("server: {", fmt.Sprintf("server: {token_file: %q, ", file))
}

// configured replaces a part of the configuration.
func (j *job) configured(before, after string) {
	j.t.Helper()
	text, err := os.ReadFile(j.config)
	if err == nil {
		err = os.WriteFile(j.config, []byte(strings.Replace(string(text), before, after, 1)), 0o600)
	}
	if err != nil {
		j.t.Fatal(err)
	}
}

// post gives an order about releases.
func (j *job) post(token, order string) (code int, body string) {
	request, err := http.NewRequestWithContext(j.t.Context(), http.MethodPost, "http://"+j.address+"/api/v1/release", strings.NewReader(order))
	if err != nil {
		j.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		j.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		j.t.Fatal(err)
	}
	return response.StatusCode, string(text)
}
