package process

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/stream"
)

// screen is what a job writes while a test reads it.
type screen struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (s *screen) Write(text []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.text.Write(text)
}

func (s *screen) String() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.text.String()
}

// until waits for something that comes soon.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s does not come", what)
		}
	}
}

// configured is a configuration of a job on a broker.
func configured(t *testing.T, b *devbroker.Broker, yaml string, purpose config.Purpose) *config.Loaded {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config.yaml")
	text := fmt.Sprintf("job: people\nkafka: {brokers: [%s]}\n", b.Addresses()[0]) + yaml
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	loaded, err := config.Load(config.Sources{Files: []string{file}}, purpose)
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// TestAJobServesItsPage while it learns: the status with the fleet and the first records, an audit of the history, and orders with the token; when it is told
// to stop, nothing is left.
func TestAJobServesItsPage(t *testing.T) {
	b, err := devbroker.Start(devbroker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte(strings.Repeat("s", 40)), 0o600); err != nil {
		t.Fatal(err)
	}
	c := configured(t, b, "topics: {input: people, events: news, history: past, model: weights, state: state, dead_letter: dead}\nserver: {address: 127.0.0.1:0, token_file: "+token+"}\nlog: {level: info, format: json}\nserve: {heartbeat: 10s}\n"+
		strings.Replace(sections, "positive: 1}", "positive: 1}, ignore: [agee]", 1), config.Streaming)
	topics, err := kafka.Open(c.Kafka, kafka.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := topics.CreateTopics(t.Context(), kafka.TopicSpec{Name: "people", Kind: kafka.InputTopic, Partitions: 1}); err != nil {
		t.Fatal(err)
	}
	if err := topics.Close(); err != nil {
		t.Fatal(err)
	}
	existing := goleak.IgnoreCurrent()
	var log screen
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	job := Job{Streams: &program.Streams{In: strings.NewReader(""), Out: io.Discard, Err: &log}, Kind: board.Run, Config: c, Files: []string{"people.yaml"}}
	go func() { ended <- job.Run(ctx) }()
	page := regexp.MustCompile(`"page":"([^"]+)"`)
	until(t, "the page", func() bool { return page.MatchString(log.String()) })
	address := page.FindStringSubmatch(log.String())[1]
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	ask := func(path string) (answer map[string]any, code int) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+strings.Repeat("s", 40))
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		text, _ := io.ReadAll(response.Body)
		_ = json.Unmarshal(text, &answer)
		return answer, response.StatusCode
	}
	var status map[string]any
	defer func() {
		if t.Failed() {
			t.Logf("%v\n%s", status, log.String())
		}
	}()
	until(t, "the owner", func() bool {
		status, _ = ask("api/v1/status")
		return status["role"] == "owner" && status["serving"] != nil
	})
	if status["job"] != "people" || status["role"] != "owner" {
		t.Errorf("%v", status)
	}
	if n := strings.Count(log.String(), `"topic created"`); n < 4 || !strings.Contains(log.String(), `"topic":"news"`) {
		t.Errorf("%d topics were created:\n%s", n, log.String())
	}
	if audit, code := ask("api/v1/history/audit"); code == http.StatusOK && audit == nil {
		t.Errorf("an audit: %d", code)
	}
	response, err := client.PostForm(address+"api/v1/release", url.Values{})
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode == http.StatusNotFound {
		t.Error("orders are not taken, though there is a token")
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("told to stop, it says %v", err)
	}
	if err := goleak.Find(existing, goleak.IgnoreAnyFunction("github.com/twmb/franz-go/pkg/kfake.(*clientConn).read")); err != nil { // of the broker
		t.Error(err)
	}
}

// TestAJobThatReadsNothingSaysWhy: the topic is empty, or all records wait for their label.
func TestAJobThatReadsNothingSaysWhy(t *testing.T) {
	for name, c := range map[string]struct {
		keyed   bool
		records int
		says    string
	}{
		"empty":   {false, 0, "the input topic holds no records"},
		"waiting": {true, 3, "no record has its label yet"},
	} {
		b, err := devbroker.Start(devbroker.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		yaml := "topics: {input: people, model: weights, state: state, dead_letter: dead}\n" + sections
		if c.keyed {
			yaml = strings.Replace(yaml, "positive: 1}", "positive: 1}, key: id", 1)
		}
		loaded := configured(t, b, yaml, config.Streaming)
		client, err := kafka.Open(loaded.Kafka, kafka.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client.CreateTopics(t.Context(), kafka.TopicSpec{Name: "people", Kind: kafka.InputTopic, Partitions: 1}); err != nil {
			t.Fatal(err)
		}
		producer, err := client.NewProducer(t.Context(), "people", 0)
		if err != nil {
			t.Fatal(err)
		}
		for i := range c.records {
			if err := producer.Send(t.Context(), &kafka.Message{Value: fmt.Appendf(nil, `{"id":"%d","sex":"M","x":%d}`, i, i)}); err != nil {
				t.Fatal(err)
			}
		}
		if err := producer.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := client.Close(); err != nil {
			t.Fatal(err)
		}
		var log screen
		job := Job{Streams: &program.Streams{Out: io.Discard, Err: &log}, Kind: board.Run, Config: loaded, UntilEnd: true}
		if err := job.Run(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if n := strings.Count(log.String(), "holds no records") + strings.Count(log.String(), "no record has its label yet"); n != 1 || !strings.Contains(log.String(), c.says) {
			t.Errorf("%s: %s", name, log.String())
		}
		stopped, cancel := context.WithCancel(t.Context())
		cancel()
		var quiet screen
		job = Job{Streams: &program.Streams{Out: io.Discard, Err: &quiet}, Kind: board.Run, Config: loaded, UntilEnd: true}
		if err := job.Run(stopped); err != nil || strings.Contains(quiet.String(), c.says) {
			t.Errorf("%s: told to stop before it begins: %v, %s", name, err, quiet.String())
		}
	}
}

// TestAJobOfAProcess uses what the process has: its client, which stays open, and its share of memory. When it fails, its page tells.
func TestAJobOfAProcess(t *testing.T) {
	b, err := devbroker.Start(devbroker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	loaded := configured(t, b, "topics: {input: people, model: weights, state: state, dead_letter: dead}\n"+sections, config.Streaming)
	client, err := kafka.Open(loaded.Kafka, kafka.Options{})
	if err != nil {
		t.Fatal(err)
	}
	core, log := observer.New(zapcore.InfoLevel)
	shared := &Shared{Logger: zap.New(core), Client: client, Serving: true, FetchBytes: 1 << 20}
	job := Job{Kind: board.Run, Config: loaded}
	if err := job.Share(shared); err != nil {
		t.Fatal(err)
	}
	if !job.serving || job.Live() == nil || log.FilterField(zap.String("job", "people")).Len() != 1 {
		t.Errorf("serving %v, %v", job.serving, log.All())
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- job.Learn(ctx) }()
	until(t, "the status", func() bool { return job.Live().Status().Role == "owner" })
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("told to stop, it says %v", err)
	}
	if _, err := client.VerifyTopics(t.Context()); err != nil {
		t.Errorf("the client of the process is closed: %v", err)
	}
	loaded.Signing.PrivateKeyFile = "missing"
	if err := job.Learn(t.Context()); err == nil || !strings.Contains(job.Live().Status().Reason, "signing.private_key_file") {
		t.Errorf("%v, and its page says %q", err, job.Live().Status().Reason)
	}
	if err := client.Close(); err != nil {
		t.Error(err)
	}
	for _, c := range []struct{ decoders, fetch, wantDecoders, wantFetch int }{{0, 100, 1, 50}, {3, 20, 3, 20}, {1, 50, 1, 50}} {
		var o stream.Options
		o.Decoders, o.FetchBytes = c.decoders, c.fetch
		(&Shared{FetchBytes: 50, Beside: stream.Beside{Parcel: 7}}).limit(&o)
		if o.Decoders != c.wantDecoders || o.FetchBytes != c.wantFetch || o.Beside.Parcel != 7 {
			t.Errorf("%+v: %d decoders, %d bytes, %+v", c, o.Decoders, o.FetchBytes, o.Beside)
		}
	}
}

// TestAPortThatIsTaken is an error that names the key; a run that ends by itself serves only where an address is set.
func TestAPortThatIsTaken(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	c := &config.Loaded{Config: config.Default()}
	for _, address := range []string{"", "127.0.0.1:0", taken.Addr().String()} {
		core, log := observer.New(zapcore.InfoLevel)
		c.Server.Address = address
		listener, err := Listen(t.Context(), c, false, zap.New(core))
		switch {
		case address == "":
			if listener != nil || err != nil {
				t.Errorf("nothing is to be served: %v, %v", listener, err)
			}
		case address == "127.0.0.1:0":
			if err != nil || log.FilterMessage("serving the page, health and metrics").Len() != 1 {
				t.Fatalf("%v, %v", err, log.All())
			}
			_ = listener.Close()
		case err == nil || !strings.Contains(err.Error(), "server.address: ") || !strings.Contains(err.Error(), `set it to another port, or to ""`):
			t.Errorf("a port that is taken: %v", err)
		}
		if ended, err := Listen(t.Context(), c, true, zap.New(core)); ended != nil || err != nil {
			t.Errorf("a run that ends by itself: %v, %v", ended, err)
		}
	}
}

// TestAccessOverTheNetwork: who serves to others than this machine, without a token and a certificate, is told what others do not get.
func TestAccessOverTheNetwork(t *testing.T) {
	far, here := &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 1}, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1}
	for _, c := range []struct {
		address            net.Addr
		token, certificate string
		warns              bool
	}{{here, "", "", false}, {far, "", "", true}, {far, "t", "", true}, {far, "", "c", true}, {far, "t", "c", false}, {&net.UnixAddr{Name: "x"}, "", "", false}} {
		core, log := observer.New(zapcore.InfoLevel)
		s := config.Server{TokenFile: c.token}
		s.TLS.CertificateFile = c.certificate
		if warnOfAccess(s, c.address, zap.New(core)); (log.Len() == 1) != c.warns {
			t.Errorf("%+v: %v", c, log.All())
		}
	}
}

// TestALabelThatComesLaterIsNoFault of the records: it is said at another level than a field that is misspelt.
func TestALabelThatComesLaterIsNoFault(t *testing.T) {
	f, log := looker(t)
	for i := range 300 {
		f.look(fmt.Appendf(nil, `{"sex":"%c","age":%d}`, "mf"[i%2], 20+i%50))
	}
	f.end()
	levels := map[string]zapcore.Level{}
	for _, entry := range log.All() {
		levels[fmt.Sprint(entry.ContextMap()["key"])] = entry.Level
	}
	if levels["record.label.field"] != zapcore.ErrorLevel || levels["record.ignore"] != zapcore.WarnLevel {
		t.Errorf("%v", log.All())
	}
}
