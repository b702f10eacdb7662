package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/test/broker"
)

// identified are sections of which the documents name an identifier.
var identified = strings.Replace(adultSections, "record: {", "record: {id: id, ", 1)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// oftenOf is a number that the environment sets.
func oftenOf(t *testing.T, variable string, otherwise int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// newServed is a job that has published a document.
func newServed(t *testing.T, addresses []string) *job {
	t.Helper()
	j := newJobOf(t, identified, addresses, 2, "")
	if err := j.produce(t.Context(), 1, adultJSON(t)[:1500], 0); err != nil {
		t.Fatal(err)
	}
	succeed(t, "run", "--config", j.config, "--until-end")
	j.command = "serve"
	return j
}

// asked is one instance of the server and the clients that ask it, each with one request of two records at a time.
type asked struct {
	j              *job
	name, address  string
	arguments      []string
	child          *child
	stopped, ended chan struct{}
	pause          time.Duration // of each client between two requests

	mutex    sync.Mutex
	answered map[string]bool // identifiers of records whose request was answered with 200
	codes    map[int]int
	quickest time.Duration // the first 503 after a request began
}

// newAsked is an instance with its own topic of decisions.
func newAsked(j *job, name, log string, more ...string) *asked {
	arguments := append([]string{"--address", broker.FreeAddress(j.t), "--set", "serve.log=" + log}, more...)
	if log != "none" {
		arguments = append(arguments, "--set", "serve.topic="+j.topics.Input+"."+name)
	}
	return &asked{j: j, name: name, address: arguments[1], arguments: arguments, answered: map[string]bool{}, codes: map[int]int{}, quickest: time.Hour}
}

// start starts the process, and waits until it decides.
func (a *asked) start() {
	a.j.t.Helper()
	a.child = a.j.start(a.arguments...)
	a.j.eventually(a.name+" ready", func() bool {
		response, err := http.Get("http://" + a.address + "/readyz")
		if err != nil {
			return false
		}
		_ = response.Body.Close()
		return response.StatusCode == http.StatusOK
	})
}

// ask lets clients ask until stop.
func (a *asked) ask(clients int, generation string) {
	a.stopped, a.ended = make(chan struct{}), make(chan struct{})
	var group sync.WaitGroup
	for client := range clients {
		group.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-a.stopped:
					return
				case <-time.After(a.pause):
					a.one(fmt.Sprintf("%s %s %d/%d", a.name, generation, client, i))
				}
			}
		})
	}
	go func() {
		group.Wait()
		close(a.ended)
	}()
}

// one asks for two records, and notes what became of them. A process that was killed answers nothing, or half an answer.
func (a *asked) one(id string) {
	begin := time.Now()
	response, err := http.Post("http://"+a.address+"/v1/score", "application/json", strings.NewReader(fmt.Sprintf(`{"records":[{"id":"%s a","age":41},{"id":"%[1]s b"}]}`, id)))
	code := 0
	if err == nil {
		body, failed := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if failed == nil && (response.StatusCode != http.StatusOK || bytes.Count(body, []byte(`"decision"`)) == 2) {
			code = response.StatusCode
		}
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.codes[code]++
	switch code {
	case http.StatusOK:
		a.answered[id+" a"], a.answered[id+" b"] = true, true
	case http.StatusServiceUnavailable:
		a.quickest = min(a.quickest, time.Since(begin))
	}
}

// stop ends the clients after their requests.
func (a *asked) stop() {
	close(a.stopped)
	<-a.ended
}

func (a *asked) count(code int) int {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.codes[code]
}

// number is that of a metric without labels of its own.
func (a *asked) number(metric string) (value float64) {
	a.j.t.Helper()
	response, err := http.Get("http://" + a.address + "/metrics")
	if err != nil {
		a.j.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		a.j.t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, metric+"{") {
			value, err = strconv.ParseFloat(strings.TrimSpace(line[strings.LastIndex(line, " "):]), 64)
			if err != nil {
				a.j.t.Fatal(err)
			}
			return value
		}
	}
	a.j.t.Fatalf("%s: no metric %s", a.name, metric)
	return 0
}

// terminate stops the process by SIGTERM.
func (a *asked) terminate() {
	a.j.t.Helper()
	if err := a.child.Process.Signal(syscall.SIGTERM); err != nil {
		a.j.t.Fatal(err)
	}
	if err := a.child.Wait(); err != nil {
		a.j.t.Errorf("%s after SIGTERM: %v\n%s", a.name, err, a.child.log.String())
	}
}

// kill ends the process at once (SIGKILL).
func (a *asked) kill() {
	a.j.t.Helper()
	if err := a.child.Process.Kill(); err != nil {
		a.j.t.Fatal(err)
	}
	_ = a.child.Wait() // it was killed
}

// unlogged are the answered records whose identifier is not on the topic of decisions.
func (a *asked) unlogged() (missing []string) {
	t, topic := a.j.t, a.j.topics.Input+"."+a.name
	t.Helper()
	left := maps.Clone(a.answered)
	var info kafka.TopicInfo
	a.j.eventually(topic+" described, by a broker that may have come back just now", func() bool {
		var err error
		info, err = a.j.client.Topic(t.Context(), topic)
		return err == nil
	})
	for partition := range info.Partitions {
		_, err := a.j.client.Read(t.Context(), topic, int32(partition), kafka.Earliest, kafka.End, func(r *kafka.Record) error {
			var line struct{ ID string }
			if err := json.Unmarshal(r.Value, &line); err != nil || line.ID != string(r.Key) {
				t.Errorf("key %q: %s: %v", r.Key, r.Value, err)
			}
			delete(left, line.ID)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return slices.Sorted(maps.Keys(left))
}

// TestServeKilled kills the server (SIGKILL) at random moments under requests: every record whose request was answered with 200 under wait is in
// the log by its identifier.
//
// FAIRSTREAM_TEST_SERVE_KILLS sets how often, 2 by default.
func TestServeKilled(t *testing.T) {
	t.Parallel()
	kills := oftenOf(t, "FAIRSTREAM_TEST_SERVE_KILLS", 2)
	onBrokers(t, func(t *testing.T, addresses []string) {
		j := newServed(t, addresses)
		random := rand.New(rand.NewPCG(7, 7))
		a := newAsked(j, "wait", "wait")
		for kill := range kills {
			a.start()
			before, until := a.count(http.StatusOK), 20+random.IntN(200)
			a.ask(4, fmt.Sprint(kill))
			j.eventually("answered", func() bool { return a.count(http.StatusOK) >= before+until })
			a.kill()
			a.stop()
		}
		if missing := a.unlogged(); len(missing) > 0 {
			t.Errorf("%d of %d answered records are not in the log, such as %q", len(missing), len(a.answered), missing[0])
		}
		t.Logf("%d records were answered over %d kills", len(a.answered), kills)
	})
}

// TestServeLosesItsBuffer kills a server while Kafka is away: with buffer it loses what waited, log_buffer decisions at most, beside what it has
// counted as lost.
func TestServeLosesItsBuffer(t *testing.T) {
	t.Parallel()
	const bound = 100
	b := newEmbedded(t)
	j := newServed(t, b.Addresses())
	a := newAsked(j, "buffer", "buffer", "--set", "serve.records=4", "--set", fmt.Sprint("serve.log_buffer=", bound))
	a.start()
	a.ask(4, "with Kafka")
	j.eventually("logged", func() bool { return a.number("fairstream_serve_log_written_total") >= bound })
	must(t, b.kill())
	j.eventually("full", func() bool { return a.number("fairstream_serve_log_lost_total") >= bound })
	a.stop()
	lost, waiting := a.number("fairstream_serve_log_lost_total"), a.number("fairstream_serve_log_waiting")
	a.kill()
	must(t, b.restart())
	missing := float64(len(a.unlogged()))
	if waiting > bound || missing < lost || missing > lost+waiting {
		t.Errorf("%v decisions are not logged; %v were counted as lost, and %v waited in a buffer of %d", missing, lost, waiting, bound)
	}
	if other := len(a.codes) - 1; other > 0 {
		t.Errorf("some requests were not answered with 200: %v", a.codes)
	}
}

// restarting is a broker that is killed and comes back at its address with its topics.
type restarting interface {
	kill() error
	restart() error
}

type embeddedBroker struct {
	*devbroker.Broker
	options devbroker.Options
}

func newEmbedded(t *testing.T) *embeddedBroker {
	t.Helper()
	_, port, _ := strings.Cut(broker.FreeAddress(t), ":")
	number, err := strconv.Atoi(port)
	must(t, err)
	b := &embeddedBroker{options: devbroker.Options{Port: number, DataDir: t.TempDir()}}
	must(t, b.restart())
	t.Cleanup(func() { b.Close() })
	return b
}

func (b *embeddedBroker) kill() error { b.Close(); return nil }

func (b *embeddedBroker) restart() (err error) {
	b.Broker, err = devbroker.Start(b.options)
	return err
}

type realBroker struct{ *broker.Broker }

func (b realBroker) kill() error    { return b.Kill() }
func (b realBroker) restart() error { return b.Restart() }

// TestServeOutlivesTheBroker takes the broker away under requests, and brings it back. While it is away, wait refuses with 503 after log_timeout, and
// with buffer and without a log every request is answered. Whatever was answered is in the log in the end, in both ways.
//
// FAIRSTREAM_TEST_SERVE_RESTARTS sets how often, 2 by default, and takes a real broker too, which needs seconds for each.
func TestServeOutlivesTheBroker(t *testing.T) {
	t.Parallel()
	restarts := oftenOf(t, "FAIRSTREAM_TEST_SERVE_RESTARTS", 2)
	t.Run("embedded", func(t *testing.T) {
		b := newEmbedded(t)
		outlives(t, b, b.Addresses(), restarts)
	})
	t.Run("real", func(t *testing.T) {
		if os.Getenv("FAIRSTREAM_TEST_SERVE_RESTARTS") == "" {
			t.Skip("skipped: make serve-faults runs it")
		}
		b := broker.Start(t)
		outlives(t, realBroker{b}, []string{b.Address}, restarts)
	})
}

func outlives(t *testing.T, b restarting, addresses []string, restarts int) {
	const timeout = 300 * time.Millisecond
	j := newServed(t, addresses)
	wait := newAsked(j, "wait", "wait", "--set", fmt.Sprint("serve.log_timeout=", timeout))
	all := []*asked{wait, newAsked(j, "buffer", "buffer", "--set", "serve.log_buffer=10000000"), newAsked(j, "none", "none")}
	for _, a := range all {
		a.start()
		a.pause = time.Millisecond // what comes while a broker restarts is less than the buffer holds
		defer func() { _ = a.child.Process.Kill() }()
		a.ask(2, "")
	}
	answers := func(a *asked, code, more int) {
		t.Helper()
		before := a.count(code)
		j.eventually(fmt.Sprint(a.name, " answers ", code), func() bool { return a.count(code) >= before+more })
	}
	for range restarts {
		for _, a := range all {
			answers(a, http.StatusOK, 5)
		}
		must(t, b.kill())
		answers(wait, http.StatusServiceUnavailable, 3)
		answers(all[1], http.StatusOK, 5)
		answers(all[2], http.StatusOK, 5)
		must(t, b.restart())
		answers(wait, http.StatusOK, 5)
	}
	for _, a := range all {
		a.stop()
		if a.name == "buffer" && a.number("fairstream_serve_log_lost_total") != 0 {
			t.Error("decisions are counted as lost, although there was room")
		}
		a.terminate()
		t.Logf("%s: %v", a.name, a.codes)
		for code, n := range a.codes {
			if code != http.StatusOK && (a != wait || code != http.StatusServiceUnavailable) {
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
	if wait.quickest < timeout {
		t.Errorf("a request was refused after %v, before its time", wait.quickest)
	}
}
