package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/stream"
	"github.com/fairstream/fairstream/test/broker"
)

// member is one of two processes of a job.
type member struct {
	*child
	address string
	ended   chan error
}

// role is owner or standby if the member is ready, else empty.
func (m *member) role() string {
	response, err := (&http.Client{Timeout: time.Second}).Get("http://" + m.address + "/readyz")
	if err != nil {
		return ""
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		return ""
	}
	_, role, _ := strings.Cut(strings.TrimSpace(string(text)), "role: ")
	return role
}

func (j *job) join() *member {
	m := &member{address: broker.FreeAddress(j.t), ended: make(chan error, 1)}
	m.child = j.start("--set", "server.address="+m.address)
	go func() { m.ended <- m.Wait() }()
	return m
}

// until waits for a role and gives how long it took.
func (m *member) until(t *testing.T, role string, limit time.Duration) time.Duration {
	t.Helper()
	begin := time.Now()
	for m.role() != role {
		if time.Since(begin) > limit {
			_ = m.Process.Signal(syscall.SIGQUIT) // the log then says what each goroutine waits for
			t.Fatalf("not %s after %v, %v:\n%s", role, limit, <-m.ended, m.log.String())
		}
		time.Sleep(20 * time.Millisecond)
	}
	return time.Since(begin)
}

// TestStandbyTakesOver kills (SIGKILL), pauses (SIGSTOP) and ends (SIGTERM) the owner of a job on three brokers at random
// moments. Each time the standby has the job within the timeout and two seconds, or, where other tests run beside it, twenty; one that is paused ends
// when it wakes. In the end there is one lineage, and the weights are those of an undisturbed run.
//
// FAIRSTREAM_TEST_TAKEOVERS sets how often, 5 by default, and says that nothing runs beside it.
func TestStandbyTakesOver(t *testing.T) {
	t.Parallel()
	takeovers := 5 // one by each signal; make nightly has more
	if text := os.Getenv("FAIRSTREAM_TEST_TAKEOVERS"); text != "" {
		var err error
		if takeovers, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	const timeout = 1500 * time.Millisecond
	allowance := 20 * time.Second // other tests run beside it
	if os.Getenv("FAIRSTREAM_TEST_TAKEOVERS") != "" {
		allowance = 2 * time.Second
	}
	const rate = 500
	brokers := broker.StartCluster(t, 3)
	j := newJob(t, []string{brokers[0].Address}, 1, fmt.Sprintf(
		"stream: {standby: true, standby_timeout: %v, keep_versions: 10000, snapshot: {records: 400}, publish: {records: 700}}\n", timeout))
	lines := adultJSON(t)
	records := takeovers * rate * 3
	for len(lines) < records {
		lines = append(lines, lines...)
	}
	lines = lines[:records]
	produced := make(chan error, 1)
	go func() { produced <- j.produce(context.Background(), 1, lines, rate) }()

	owner := j.join()
	owner.until(t, "owner", 30*time.Second)
	other := j.join()
	other.until(t, "standby", 30*time.Second)
	random := rand.New(rand.NewPCG(1, 2))
	var longest time.Duration
	for i := range takeovers {
		time.Sleep(time.Duration(random.Int64N(int64(time.Second))))
		signal := []syscall.Signal{syscall.SIGKILL, syscall.SIGSTOP, syscall.SIGKILL, syscall.SIGSTOP, syscall.SIGTERM}[i%5]
		if err := owner.Process.Signal(signal); errors.Is(err, os.ErrProcessDone) {
			t.Logf("before takeover %d the owner had lost the job already: is the machine busy?", i)
		} else if err != nil {
			t.Fatal(err)
		}
		took := other.until(t, "owner", 30*time.Second)
		longest = max(longest, took)
		if took > timeout+allowance {
			t.Errorf("takeover %d (%v) took %v", i, signal, took)
		}
		if signal == syscall.SIGSTOP {
			_ = owner.Process.Signal(syscall.SIGCONT) // one that is done needs none
		}
		select {
		case err := <-owner.ended:
			if signal == syscall.SIGSTOP && (err == nil || !strings.Contains(owner.log.String(), "taken over by another process")) {
				t.Errorf("the owner that woke up: %v\n%s", err, owner.log.String())
			}
		case <-time.After(5 * time.Minute):
			t.Fatalf("the owner lives on after %v:\n%s", signal, owner.log.String())
		}
		owner, other = other, j.join()
		other.until(t, "standby", 30*time.Second)
	}
	if err := <-produced; err != nil {
		t.Fatal(err)
	}
	for _, m := range []*member{other, owner} {
		if err := m.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if err := <-m.ended; err != nil {
			t.Errorf("told to stop: %v\n%s", err, m.log.String())
		}
	}
	succeed(t, "run", "--config", j.config, "--until-end")
	if text := succeed(t, "state", "verify", "--config", j.config); !strings.Contains(text, "Everything fits together.") {
		t.Error(text)
	}
	j.complete(len(lines))
	models, err := stream.ReadModels(t.Context(), stream.Kafka(j.client), j.topics.Model, "adult")
	if err != nil {
		t.Fatal(err)
	}
	sums := map[int64]string{}
	for _, m := range models.Versions {
		if known := sums[m.Version]; known != "" && known != m.WeightsSHA256 {
			t.Errorf("version %d has two sums", m.Version)
		}
		sums[m.Version] = m.WeightsSHA256
	}
	if !slices.IsSortedFunc(models.Versions, func(a, b stream.Model) int { return int(a.Version - b.Version) }) {
		t.Error("versions fall from one term to the next")
	}
	if got := j.newest(); got.WeightsSHA256 != weightsOf(t, lines) {
		t.Errorf("version %d has other weights than an undisturbed run", got.Version)
	}
	t.Logf("%d takeovers, the longest after %v, %d versions", takeovers, longest, len(models.Versions))
}
