package main

import (
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/intake"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/stream"
	"github.com/fairstream/fairstream/test/broker"
)

func (j *job) state() *stream.State {
	j.t.Helper()
	state, err := stream.ReadState(j.t.Context(), stream.Kafka(j.client), j.topics.State, "adult")
	if err != nil {
		j.t.Fatal(err)
	}
	return state
}

// TestRunBeginsAtATime: the records of an hour ago are passed over, and a later start of the job does not
// look at stream.start again.
func TestRunBeginsAtATime(t *testing.T) {
	t.Parallel()
	onBrokers(t, func(t *testing.T, addresses []string) {
		j := newJob(t, addresses, 2, "")
		now := time.Now()
		for partition := range int32(2) {
			var messages []kafka.Message
			for i, line := range adultJSON(t)[:300] {
				messages = append(messages, kafka.Message{Timestamp: now.Add(time.Duration(i-300) * time.Minute).UnixMilli(), Value: []byte(line)})
			}
			if _, err := j.client.Produce(t.Context(), j.topics.Input, partition, messages...); err != nil {
				t.Fatal(err)
			}
		}
		from := now.Add(-130*time.Minute - time.Second).UTC().Format(time.RFC3339)
		succeed(t, "run", "--config", j.config, "--until-end", "--set", "stream.start="+from)
		for _, p := range j.state().Snapshot.Partitions {
			if p.Learnt != intake.TallyOf(p.Partition, 170, 300) {
				t.Errorf("from %s, partition %d: learnt %+v to offset %d", from, p.Partition, p.Learnt, p.Next)
			}
		}
		succeed(t, "run", "--config", j.config, "--until-end")
		if got := j.state().Snapshot.Version; got != 2*130 {
			t.Errorf("after a second run %d are learnt", got)
		}
	})
}

// TestRunSaysWhatIsLost: retention passes the job while it is away.
func TestRunSaysWhatIsLost(t *testing.T) {
	t.Parallel()
	onBrokers(t, func(t *testing.T, addresses []string) {
		j := newJob(t, addresses, 1, "")
		lines := adultJSON(t)[:1000]
		if err := j.produce(t.Context(), 1, lines[:500], 0); err != nil {
			t.Fatal(err)
		}
		succeed(t, "run", "--config", j.config, "--until-end")
		if err := j.produce(t.Context(), 1, lines[500:], 0); err != nil {
			t.Fatal(err)
		}
		broker.DeleteRecords(t, addresses[0], j.topics.Input, 0, 700)
		fails(t, failed, "offset 500 was due, but the log begins at 700, so 200 offsets are gone", "run", "--config", j.config, "--until-end")
		fails(t, failed, "set stream.data_loss to earliest or latest", "run", "--config", j.config, "--until-end")
		succeed(t, "run", "--config", j.config, "--until-end", "--set", "stream.data_loss=earliest")
		if s := j.state().Snapshot; s.Version != 800 || s.Partitions[0].Lost != 200 || s.Partitions[0].Next != 1000 {
			t.Errorf("learnt %d, %+v", s.Version, s.Partitions)
		}
		contains(t, succeed(t, "state", "show", "--config", j.config), "800 records learnt", "200\n")
	})
}

// TestRunHalts: a job whose input has become unreadable stays up, alive but not ready, so that somebody can
// see why.
func TestRunHalts(t *testing.T) {
	t.Parallel()
	onBrokers(t, func(t *testing.T, addresses []string) {
		j := newJob(t, addresses, 1, "stream: {reject_limit: {window: 100}}\n")
		var lines []string
		for i, line := range adultJSON(t)[:400] {
			if i >= 200 {
				line = strings.Replace(line, `"income"`, `"revenue"`, 1) // a new schema
			}
			lines = append(lines, line)
		}
		if err := j.produce(t.Context(), 1, lines, 0); err != nil {
			t.Fatal(err)
		}
		c := j.start()
		defer func() { _ = c.Process.Kill() }()
		j.eventually("halted", func() bool {
			code, reasons := j.get("readyz")
			return code == http.StatusServiceUnavailable && strings.Contains(reasons, "halted: 51 of the last 100 records were rejected") &&
				strings.Contains(reasons, "stream.reject_limit.share")
		})
		if code, _ := j.get("livez"); code != http.StatusOK {
			t.Errorf("livez answers %d", code)
		}
		if _, text := j.get("metrics"); !strings.Contains(text, "\nfairstream_phase{phase=\"halted\"} 1\n") ||
			!strings.Contains(text, "\nfairstream_records_rejected_total{reason=\"missing_label\"} 50\n") {
			t.Error("the metrics do not say that it is halted")
		}
		if err := c.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait() // the exit code is looked at
		if code := c.ProcessState.ExitCode(); code != failed {
			t.Errorf("exit code %d\n%s", code, c.log.String())
		}
	})
}
