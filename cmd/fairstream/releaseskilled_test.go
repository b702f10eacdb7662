package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/stream"
	"github.com/fairstream/fairstream/test/broker"
)

// driftingSections are of a job whose versions are promoted after some hundred records, and withdrawn after few.
const driftingSections = `job: adult
record: {label: {field: label, positive: 1}}
learner: {warmup: 50}
constraints:
  - {name: group, attribute: group, group: a, versus: b, criterion: demographic-parity, tau: 0.05, enforce: false}
release: {limit: 0.3, delta: 0.9, minimum_records: 10, minimum_labels: 100, cool_down: 1, run_length: 1000, alarm_run_length: 1000, measured: true}
stream: {snapshot: {records: 10000}, publish: {records: 1500}, standby_timeout: 1s, standby: %v, keep_versions: 1}
`

// drifting are records of which the field z says nothing at first, then what the label is, and in the end the group. A version
// that learnt z treats the groups alike until then; one from before still does.
func drifting(first, second, third int) []string {
	random := rand.New(rand.NewPCG(16, 4))
	var lines []string
	for i := range first + second + third {
		group, x, z, likely := "b", "lo", "n", .2
		if random.Float64() < .5 {
			group = "a"
		}
		if random.Float64() < .5 {
			x, likely = "hi", .7
		}
		if i >= first {
			likely = .03
			if i < first+second && random.Float64() < .5 || i >= first+second && group == "a" {
				z, likely = "y", .97
			}
		}
		label := 0
		if random.Float64() < likely {
			label = 1
		}
		lines = append(lines, fmt.Sprintf(`{"group":%q,"x":%q,"z":%q,"label":%d}`, group, x, z, label))
	}
	return lines
}

// TestReleasesKilled kills the owner of a job (SIGKILL) at its i-th write to a real broker: before the broker sees it, or
// before the process hears that it is done. Versions are promoted and withdrawn meanwhile. The next process, a standby that
// waited or one that is started, agrees with topic and history.
//
// FAIRSTREAM_TEST_RELEASE_KILLS is "all" for every write, or how many writes to try of each kind, 1 by default.
func TestReleasesKilled(t *testing.T) {
	t.Parallel()
	b := broker.Shared(t)
	lines := drifting(2000, 1500, 1500)
	for _, standby := range []bool{false, true} {
		t.Run(map[bool]string{false: "alone", true: "standby"}[standby], func(t *testing.T) {
			var writes int
			var total map[string]int
			t.Run("undisturbed", func(t *testing.T) { writes, total = killed(t, b, lines, standby, 0, broker.NotSent) })
			for _, kind := range []broker.Fault{broker.NotSent, broker.AnswerLost} {
				for _, i := range killsOf(t, writes, kind) {
					t.Run(fmt.Sprintf("%s-%d", map[broker.Fault]string{broker.NotSent: "before-write", broker.AnswerLost: "after-write"}[kind], i), func(t *testing.T) {
						_, steps := killed(t, b, lines, standby, i, kind)
						for step, n := range steps {
							total[step] += n
						}
					})
				}
			}
			t.Logf("%d writes undisturbed; steps in all runs: %v", writes, total)
			// Which versions a single run freezes depends on how fast it is.
			if total["withdrawn"] == 0 || total["promoted"] < 2 {
				t.Errorf("steps in all runs: %v", total)
			}
		})
	}
}

// killsOf are the writes to kill at.
func killsOf(t *testing.T, writes int, kind broker.Fault) (at []int) {
	t.Helper()
	text := os.Getenv("FAIRSTREAM_TEST_RELEASE_KILLS")
	if text == "all" {
		for i := 1; i <= writes; i++ {
			at = append(at, i)
		}
		return at
	}
	count := 1
	if text != "" {
		var err error
		if count, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	for i := range count { // in the later two thirds, where promotions and the withdrawal are
		at = append(at, writes/3+(2*i+1+int(kind))*writes/(3*count+1))
	}
	return at
}

// killed runs a job whose owner is killed at a write, and gives the number of its writes and the steps of the releases.
func killed(t *testing.T, b *broker.Broker, lines []string, standby bool, n int, kind broker.Fault) (writes int, steps map[string]int) {
	t.Helper()
	j := newJobOf(t, fmt.Sprintf(driftingSections, standby), []string{b.Address}, 1, "")
	j.topics.History = j.topics.Input + ".history"
	killer := broker.NewKiller(t, b.Address)
	killer.N, killer.Kind = n, kind
	owner := &member{address: broker.FreeAddress(t), ended: make(chan error, 1)}
	struck := make(chan bool)
	killer.Strike = func() {
		<-struck
		_ = owner.Process.Kill() // it may have ended by itself
	}
	owner.child = j.start("--set", "server.address="+owner.address, "--set", fmt.Sprintf("kafka.brokers=[%q]", killer.Address))
	close(struck)
	go func() { owner.ended <- owner.Wait() }()
	var next *member
	ended := j.owns(owner)
	if standby {
		next = j.join()
	}
	produced := make(chan error, 1)
	go func() { produced <- j.produce(context.Background(), 1, lines, 1000) }()
	switch {
	case n == 0 && next != nil: // it goes on standing by
		waiting := next
		defer waiting.kill(t)
		next = owner
	case n == 0:
		next = owner
	case !ended:
		select {
		case err := <-owner.ended:
			if err == nil {
				t.Errorf("it ended by itself\n%s", owner.log.String())
			}
		case <-time.After(30 * time.Second):
			t.Logf("the owner had only %d writes", killer.Count())
			owner.kill(t)
		}
	}
	if next == nil {
		next = j.join()
	}
	if err := <-produced; err != nil {
		t.Fatal(err)
	}
	steps = j.released(next, int64(len(lines)))
	writes = killer.Count()
	if err := next.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-next.ended; err != nil {
		t.Errorf("told to stop: %v\n%s", err, next.log.String())
	}
	j.agrees(next.log.String())
	return writes, steps
}

// owns waits until a process owns the job, or has ended before.
func (j *job) owns(m *member) (ended bool) {
	j.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); m.role() != "owner"; time.Sleep(20 * time.Millisecond) {
		select {
		case err := <-m.ended:
			if err == nil {
				j.t.Errorf("it ended by itself\n%s", m.log.String())
			}
			return true
		default:
		}
		if time.Now().After(deadline) {
			j.t.Fatalf("it does not own the job\n%s", m.log.String())
		}
	}
	return false
}

// kill ends a process that runs.
func (m *member) kill(t *testing.T) {
	t.Helper()
	if err := m.Process.Kill(); err != nil {
		t.Error(err)
	}
	if err := <-m.ended; err == nil {
		t.Error("a process that was killed ended well")
	}
}

// released waits until a process has learnt all records and made its last step, so that its metrics, the topic and the
// history agree.
func (j *job) released(m *member, records int64) (steps map[string]int) {
	j.t.Helper()
	problem := ""
	for deadline := time.Now().Add(60 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		if problem, steps = j.disagreement(m, records); problem == "" {
			return steps
		}
		if time.Now().After(deadline) {
			j.t.Fatalf("%s\n%s", problem, m.log.String())
		}
	}
}

// disagreement says in what the metrics of a process differ from topic and history; empty: in nothing.
func (j *job) disagreement(m *member, records int64) (problem string, steps map[string]int) {
	j.address = m.address
	_, text := j.get("metrics")
	if !strings.Contains(text, fmt.Sprintf("fairstream_records_learnt_total %d\n", records)) {
		return "not all records are learnt", nil
	}
	models, audit := j.topicAndHistory()
	for _, role := range []string{stream.StableAlias, stream.CandidateAlias, stream.PreviousAlias} {
		alias, there := models.Aliases[role]
		shown := strings.Contains(text, fmt.Sprintf("fairstream_release_version{role=%q} %d\n", role, alias.Version))
		if there != strings.Contains(text, fmt.Sprintf("fairstream_release_version{role=%q}", role)) || there && !shown {
			return fmt.Sprintf("alias %s is %+v, and the metrics differ", role, alias), nil
		}
	}
	steps = map[string]int{}
	for _, s := range audit.Releases {
		steps[s.Step]++
	}
	return disagreementOf(models, audit), steps
}

func (j *job) topicAndHistory() (*stream.Models, *history.Audit) {
	j.t.Helper()
	models, err := stream.ReadModels(j.t.Context(), stream.Kafka(j.client), j.topics.Model, "adult")
	if err != nil {
		j.t.Fatal(err)
	}
	audit, err := stream.AuditHistory(j.t.Context(), stream.Kafka(j.client), j.topics, "adult", history.Period{Until: time.Now().Add(time.Hour)}, time.Hour, nil)
	if err != nil {
		j.t.Fatal(err)
	}
	return models, audit
}

// disagreementOf says in what the topic differs from the history.
func disagreementOf(models *stream.Models, audit *history.Audit) string {
	if !audit.Chain.Whole {
		return fmt.Sprintf("the history is broken: %+v", audit.Chain.Breaks)
	}
	var stable *history.Weights
	for i, s := range audit.Releases {
		if s.Number != int64(i)+1 {
			return fmt.Sprintf("step %d of the history has number %d", i+1, s.Number)
		}
		if s.To != nil {
			stable = s.To
		}
	}
	for name, alias := range models.Aliases {
		there := slices.ContainsFunc(models.Versions, func(m stream.Model) bool {
			return m.Term == alias.Term && m.Version == alias.Version && m.WeightsSHA256 == alias.WeightsSHA256
		})
		if !there {
			return fmt.Sprintf("alias %s points to version %d/%d, which is not on the topic", name, alias.Term, alias.Version)
		}
	}
	switch alias, there := models.Aliases[stream.StableAlias]; {
	case there != (stable != nil):
		return fmt.Sprintf("the alias stable is %+v, and in the history %+v", alias, stable)
	case there && (alias.Term != stable.Term || alias.Version != stable.Version || alias.WeightsSHA256 != stable.WeightsSHA256):
		return fmt.Sprintf("the alias stable is %+v, and in the history %+v", alias, *stable)
	}
	return ""
}

// agrees checks topic and history of a job that has ended.
func (j *job) agrees(log string) {
	j.t.Helper()
	if problem := disagreementOf(j.topicAndHistory()); problem != "" {
		j.t.Errorf("%s\n%s", problem, log)
	}
}
