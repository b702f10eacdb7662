package main

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/test/broker"
)

// TestRunOutlivesTheBroker kills a real broker (SIGKILL) while records come, and starts it again. The same
// process goes on and loses nothing.
func TestRunOutlivesTheBroker(t *testing.T) {
	t.Parallel()
	b := broker.Start(t)
	j := newJob(t, []string{b.Address}, 1, "stream: {snapshot: {records: 1000}, publish: {records: 2000}}\n")
	lines := adultJSON(t)[:12000]
	c := j.start()
	defer func() { _ = c.Process.Kill() }()
	produced := make(chan error, 1)
	go func() { produced <- j.produce(t.Context(), 1, lines[:10000], 4000) }()
	time.Sleep(time.Second)
	if err := b.Kill(); err != nil {
		t.Fatal(err)
	}
	j.eventually("not ready", func() bool {
		code, reasons := j.get("readyz")
		return code == 503 && strings.Contains(reasons, "fails since")
	})
	if code, _ := j.get("livez"); code != 200 {
		t.Errorf("livez answers %d in an outage", code)
	}
	if err := b.Restart(); err != nil {
		t.Fatal(err)
	}
	back := time.Now()
	j.eventually("ready again", func() bool { code, _ := j.get("readyz"); return code == 200 })
	t.Logf("ready %v after the broker was", time.Since(back).Round(time.Millisecond))
	if err := <-produced; err != nil {
		t.Fatal(err)
	}
	j.eventually("at the end", func() bool {
		_, text := j.get("metrics")
		return strings.Contains(text, `fairstream_lag_records{partition="0"} 0`) && strings.Contains(text, "\nfairstream_ready 1\n")
	})
	if err := j.produce(t.Context(), 1, lines[10000:], 0); err != nil {
		t.Fatal(err)
	}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, c.log.String())
	}
	succeed(t, "run", "--config", j.config, "--until-end")
	// A producer that tries again after the kill may have written a batch twice; all that is in the log
	// is learnt once.
	j.complete(-1)
}

// TestASecondSignalEndsAtOnce: Kafka is away, so that what was learnt cannot be saved and the first signal
// alone would wait for stream.shutdown_timeout.
func TestASecondSignalEndsAtOnce(t *testing.T) {
	b, err := devbroker.Start(devbroker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	j := newJob(t, b.Addresses(), 1, "stream: {shutdown_timeout: 1m}\n")
	c := j.start()
	defer func() { _ = c.Process.Kill() }()
	if err := j.produce(t.Context(), 1, adultJSON(t)[:500], 0); err != nil {
		t.Fatal(err)
	}
	j.eventually("learnt", func() bool {
		_, text := j.get("metrics")
		return strings.Contains(text, "\nfairstream_records_learnt_total 500\n")
	})
	b.Close()
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	j.eventually("draining", func() bool { _, reasons := j.get("readyz"); return strings.Contains(reasons, "draining") })
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // what ended it is looked at
	if status, ok := c.ProcessState.Sys().(syscall.WaitStatus); !ok || !status.Signaled() || status.Signal() != syscall.SIGTERM {
		t.Errorf("it ended with %v, not by the signal\n%s", c.ProcessState, c.log.String())
	}
}
