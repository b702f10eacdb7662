package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/scoring"
)

// TestServeEndsAfterOpenRequests: a request of which the body is still on its way at SIGTERM is answered and logged. Then the process ends well.
func TestServeEndsAfterOpenRequests(t *testing.T) {
	t.Parallel()
	b := newEmbedded(t)
	j := newServed(t, b.Addresses())
	a := newAsked(j, "wait", "wait")
	a.start()
	connection, err := net.Dial("tcp", a.address)
	must(t, err)
	defer func() { _ = connection.Close() }()
	body := `{"records":[{"id":"late a","age":41},{"id":"late b"}]}`
	_, err = fmt.Fprintf(connection, "POST /v1/score HTTP/1.1\r\nHost: %s\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n", a.address, len(body))
	must(t, err)
	answers := bufio.NewReader(connection)
	if line, err := answers.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") { // so a handler reads the body
		t.Fatalf("%q, %v", line, err)
	}
	_, err = answers.ReadString('\n')
	must(t, err)
	must(t, a.child.Process.Signal(syscall.SIGTERM))
	j.eventually("no further connection is accepted", func() bool {
		other, err := net.Dial("tcp", a.address)
		if err == nil {
			_ = other.Close()
		}
		return err != nil
	})
	_, err = io.WriteString(connection, body)
	must(t, err)
	response, err := http.ReadResponse(answers, nil)
	must(t, err)
	text, err := io.ReadAll(response.Body)
	must(t, err)
	must(t, response.Body.Close())
	if response.StatusCode != http.StatusOK || strings.Count(string(text), `"decision"`) != 2 {
		t.Errorf("%d %s", response.StatusCode, text)
	}
	if err := a.child.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v\n%s", err, a.child.log.String())
	}
	a.answered["late a"], a.answered["late b"] = true, true
	if missing := a.unlogged(); len(missing) > 0 {
		t.Errorf("answered, and not in the log: %q", missing)
	}
}

// TestExploringCommands: with the same share, score of a file, score of a topic and serve explore the same records, those of the documented rule.
func TestExploringCommands(t *testing.T) {
	t.Parallel()
	const share = .2
	b := newEmbedded(t)
	j := newServed(t, b.Addresses())
	var lines []string
	for i, line := range adultJSON(t)[2000:2200] {
		lines = append(lines, fmt.Sprintf(`{"id":"case %d",`, i)+line[1:])
	}
	input := filepath.Join(t.TempDir(), "people.jsonl")
	must(t, os.WriteFile(input, []byte(strings.Join(lines, "\n")), 0o600))

	type decided struct {
		ID         string
		Decision   int
		Margin     *float64
		Explored   bool
		Propensity float64
	}
	want, explored := map[string]decided{}, 0
	for i, line := range strings.Split(strings.TrimSpace(succeed(t, "score", "--config", j.config, "--input", input, "--json", "--explore", fmt.Sprint(share))), "\n") {
		var d decided
		must(t, json.Unmarshal([]byte(line), &d))
		o := scoring.Explore(share, fmt.Appendf(nil, "case %d", i), scoring.Outcome{Positive: *d.Margin > 0})
		if (d.Decision == 1) != o.Positive || d.Explored != o.Explored || d.Propensity != o.Propensity {
			t.Errorf("a file: %s, want %+v", line, o)
		}
		if d.Explored {
			explored++
		}
		d.ID, d.Margin = fmt.Sprintf("case %d", i), nil
		want[d.ID] = d
	}
	if len(want) != len(lines) || explored < 10 || explored > 60 {
		t.Fatalf("%d of %d records were explored", explored, len(want))
	}

	_, err := j.client.CreateTopics(t.Context(), kafka.TopicSpec{Name: "people", Kind: kafka.InputTopic, Partitions: 1})
	must(t, err)
	succeed(t, "produce", "--config", j.config, "--input", input, "--topic", "people")
	succeed(t, "score", "--config", j.config, "--from", "people", "--to", "decided", "--until-end", "--explore", fmt.Sprint(share))
	a := newAsked(j, "wait", "wait", "--explore", fmt.Sprint(share))
	a.start()
	response, err := http.Post("http://"+a.address+"/v1/score", "application/json", strings.NewReader(`{"records":[`+strings.Join(lines, ",")+`]}`))
	must(t, err)
	text, err := io.ReadAll(response.Body)
	must(t, err)
	must(t, response.Body.Close())
	a.terminate()
	var answer struct{ Results []decided }
	must(t, json.Unmarshal(text, &answer))
	for i, d := range answer.Results {
		if d.ID, d.Margin = fmt.Sprintf("case %d", i), nil; d != want[d.ID] {
			t.Errorf("serve: %+v, want %+v", d, want[d.ID])
		}
	}
	for _, topic := range []string{"decided", j.topics.Input + ".wait"} {
		info, err := j.client.Topic(t.Context(), topic)
		must(t, err)
		seen := 0
		for partition := range info.Partitions {
			_, err := j.client.ReadInput(t.Context(), topic, int32(partition), kafka.Earliest, kafka.End, func(r *kafka.Record) error {
				var d decided
				seen++
				if err := json.Unmarshal(r.Value, &d); err != nil || d != want[d.ID] {
					t.Errorf("%s: %s, want %+v (%v)", topic, r.Value, want[d.ID], err)
				}
				return nil
			})
			must(t, err)
		}
		if seen != len(lines) || len(answer.Results) != len(lines) {
			t.Errorf("%s: %d decisions, and %d answers", topic, seen, len(answer.Results))
		}
	}
}
