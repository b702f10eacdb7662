package serve_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/app/serve"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
)

// lines is a log that several goroutines write.
type lines struct{ apptest.Screen }

// await waits until a line has a text, and gives the line.
func (l *lines) await(t *testing.T, text string) string {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		for line := range strings.Lines(l.String()) {
			if strings.Contains(line, text) {
				return line
			}
		}
	}
	t.Fatalf("no %q in\n%s", text, l.String())
	return ""
}

// running is a server of a test.
type running struct {
	t     *testing.T
	log   *lines
	url   string
	stop  context.CancelFunc
	ended chan error
}

func run(t *testing.T, s *serve.Server) *running {
	t.Helper()
	r := &running{t: t, log: &lines{}, ended: make(chan error, 1)}
	s.Streams = &program.Streams{Out: r.log, Err: r.log}
	s.Config.Serve.Address = "127.0.0.1:0"
	s.Config.Log.Level, s.Config.Log.Format = "info", "json"
	ctx, stop := context.WithCancel(t.Context())
	r.stop = stop
	go func() { r.ended <- s.Run(ctx) }()
	var line struct{ URL string }
	if err := json.Unmarshal([]byte(r.log.await(t, "deciding over HTTP")), &line); err != nil {
		t.Fatal(err)
	}
	r.url = line.URL
	return r
}

// end stops the server and gives its error.
func (r *running) end() error {
	r.stop()
	return <-r.ended
}

func (r *running) ask(path, body string) (int, string) {
	r.t.Helper()
	method := http.MethodPost
	if body == "" {
		method = http.MethodGet
	}
	request, err := http.NewRequestWithContext(r.t.Context(), method, r.url+path, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		r.t.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	_ = response.Body.Close()
	return response.StatusCode, string(text)
}

const one = `{"records":[{"age":50,"sex":"F","part":"n","who":"a"}]}`

// values are those of a topic.
func values(t *testing.T, j *apptest.Job, topic string) (all []string) {
	t.Helper()
	if _, err := j.Client.Read(t.Context(), topic, 0, kafka.Earliest, kafka.End, func(r *kafka.Record) error {
		all = append(all, string(r.Value))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestServeByATopic: the latest version decides until one is stable, each decision is logged on a topic that is made with the partitions of the input, and heartbeats
// name the instance.
func TestServeByATopic(t *testing.T) {
	j := apptest.NewJob(t, strings.Replace(apptest.Loans, "history: history}", "history: history, events: told}", 1))
	j.Produce(t, "in", apptest.JSON(600))
	j.Learn(t.Context(), t)
	j.Config.Serve.Log, j.Config.Serve.Topic, j.Config.Record.ID = config.LogWait, "decisions", "who"
	j.Config.Serve.Heartbeat = time.Second
	r := run(t, &serve.Server{Config: j.Config, Shadow: "candidate", Split: 0})
	r.log.await(t, "decides by another version")
	status, text := r.ask("v1/score", one)
	for deadline := time.Now().Add(time.Minute); status == http.StatusServiceUnavailable && time.Now().Before(deadline); status, text = r.ask("v1/score", one) {
		time.Sleep(10 * time.Millisecond) // the log is being opened
	}
	if status != http.StatusOK || !strings.Contains(text, `"version":594`) || !strings.Contains(text, `"alias":"latest"`) {
		t.Errorf("%d %s", status, text)
	}
	r.log.await(t, `"topic created","job":"loans","topic":"decisions","partitions":1`)
	if status, text := r.ask("readyz", ""); status != http.StatusOK {
		t.Errorf("readyz: %d %s", status, text)
	}
	if _, text := r.ask("metrics", ""); !strings.Contains(text, `fairstream_serve_version_age_seconds{alias="latest"`) {
		t.Errorf("no age of the document in use in\n%s", text)
	}
	logged := values(t, j, "decisions")
	if len(logged) == 0 || !strings.Contains(logged[0], `"id":"a"`) {
		t.Errorf("on the topic: %q", logged)
	}
	var beats []string
	for deadline := time.Now().Add(time.Minute); len(beats) == 0 && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		for _, value := range values(t, j, "told") {
			if strings.Contains(value, `"version":594`) && strings.Contains(value, `"instance"`) {
				beats = append(beats, value)
			}
		}
	}
	port := r.url[strings.LastIndexByte(r.url, ':')+1 : len(r.url)-1]
	if len(beats) == 0 || !strings.Contains(beats[0], ":"+port+`"`) {
		t.Errorf("heartbeats: %q, port %s", values(t, j, "told"), port)
	}
	if err := r.end(); err != nil {
		t.Errorf("%v\n%s", err, r.log)
	}
	if !strings.Contains(r.log.String(), "stopping: requests are still answered") {
		t.Errorf("%s", r.log)
	}
}

// TestServeWithoutADocument: the process answers, is not ready, and the log says why. A topic of decisions that is not there is not made where topics are only verified.
func TestServeWithoutADocument(t *testing.T) {
	j := apptest.NewJob(t, apptest.Loans)
	j.Config.Serve.Log, j.Config.Serve.Topic, j.Config.Topics.Management = config.LogBuffer, "decisions", config.VerifyTopics
	r := run(t, &serve.Server{Config: j.Config, Alias: "stable"})
	r.log.await(t, "nothing is decided yet: topic weights has no document of job loans that can be used under the alias stable")
	if status, text := r.ask("v1/score", one); status != http.StatusServiceUnavailable {
		t.Errorf("%d %s", status, text)
	}
	if status, _ := r.ask("readyz", ""); status != http.StatusServiceUnavailable {
		t.Errorf("ready without a document: %d", status)
	}
	if err := r.end(); err != nil {
		t.Errorf("%v\n%s", err, r.log)
	}
	if _, err := j.Client.Topic(t.Context(), "decisions"); err == nil {
		t.Error("the topic was made")
	}
}

// TestServeAFile: a document in a file decides without Kafka, under its own job, and what cannot be decided ends the start.
func TestServeAFile(t *testing.T) {
	j := apptest.Learnt(t)
	documents := values(t, j, "weights")
	var weights string
	for _, value := range documents {
		if strings.Contains(value, `"model"`) {
			weights = value
		}
	}
	file := filepath.Join(t.TempDir(), "weights.json")
	if err := os.WriteFile(file, []byte(weights), 0o600); err != nil {
		t.Fatal(err)
	}
	c := apptest.Load(t, "log: {level: info}\n", config.Deciding)
	r := run(t, &serve.Server{Config: c, Model: file})
	if status, text := r.ask("v1/score", one); status != http.StatusOK || !strings.Contains(text, `"version":1188`) {
		t.Errorf("%d %s", status, text)
	}
	if status, text := r.ask("v2/models/loans", ""); status != http.StatusOK {
		t.Errorf("the model has another name than its job: %d %s", status, text)
	}
	if err := r.end(); err != nil {
		t.Errorf("%v\n%s", err, r.log)
	}
	unnamed := filepath.Join(t.TempDir(), "unnamed.json")
	if err := os.WriteFile(unnamed, []byte(strings.Replace(weights, `"job":"loans"`, `"job":""`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	r = run(t, &serve.Server{Config: apptest.Load(t, "log: {level: info}\n", config.Deciding), Model: unnamed})
	if status, text := r.ask("v2/models/fairstream", ""); status != http.StatusOK {
		t.Errorf("the model of a document that names no job: %d %s", status, text)
	}
	if err := r.end(); err != nil {
		t.Errorf("%v\n%s", err, r.log)
	}
	j.Config.Serve.Log, j.Config.Serve.Topic, j.Config.Serve.LogBuffer = config.LogBuffer, "decisions", 1
	r = run(t, &serve.Server{Config: j.Config, Model: file})
	two := strings.Replace(one, "[{", `[{"age":30,"sex":"M","part":"s","who":"b"},{`, 1)
	if status, text := r.ask("v1/score", two); status != http.StatusOK {
		t.Errorf("%d %s", status, text)
	}
	if err := r.end(); err != nil || !strings.Contains(r.log.String(), `"decisions were answered and not logged","job":"loans","decisions":2`) {
		t.Errorf("%v: two decisions have no room in a buffer of one\n%s", err, r.log)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	s := &serve.Server{Config: apptest.Load(t, "serve: {address: '"+taken.Addr().String()+"'}\n", config.Deciding), Model: file, Streams: &program.Streams{Out: io.Discard, Err: io.Discard}}
	if err := s.Run(t.Context()); err == nil {
		t.Error("an address that is taken passed")
	}
	s = &serve.Server{Config: c, Model: file + "s", Streams: s.Streams}
	if err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "weights.jsons") {
		t.Errorf("%v", err)
	}
}
