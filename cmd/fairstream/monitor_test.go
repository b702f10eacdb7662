package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/pkg/fairness"
)

const decisionSections = `job: loans
record: {label: {field: repaid, positive: "yes"}, time: {field: at, format: unix}}
monitor: {decision: {field: approved, positive: "yes"}, score: {field: score}}
constraints:
  - {name: sex, attribute: sex, group: m, versus: f, tau: 0.05}
stream: {snapshot: {interval: 200ms}}
`

// decisionLines are decisions of another model: women are approved less often from a record on.
func decisionLines(n, change int) (lines []string) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		sex, rate, approved := "m", .4, "no"
		if random.IntN(10) < 3 {
			if sex = "f"; i >= change {
				rate = .2
			}
		}
		if random.Float64() < rate {
			approved = "yes"
		}
		lines = append(lines, fmt.Sprintf(`{"at":%d,"sex":"%s","score":%.2f,"approved":"%s","repaid":"%s"}`,
			1_700_000_000+i, sex, random.Float64(), approved, []string{"no", "yes"}[random.IntN(2)]))
	}
	return lines
}

// TestMonitorTellsOneStory: the API, the page's series and the audit agree about a planted drift, and a process that is killed in
// between changes nothing.
func TestMonitorTellsOneStory(t *testing.T) {
	b, err := devbroker.Start(devbroker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	j := newJobOf(t, decisionSections, b.Addresses(), 1, "")
	j.command = "monitor"
	lines := decisionLines(40_000, 10_000)
	put := func(lines []string) {
		if err := j.produce(t.Context(), 1, lines, 0); err != nil {
			t.Fatal(err)
		}
	}
	status := func() (s board.Status) {
		if code, text := j.get("api/v1/status"); code != 200 || json.Unmarshal([]byte(text), &s) != nil {
			return board.Status{}
		}
		return s
	}
	put(lines[:17_000])
	killed := j.start()
	j.eventually("17,000 decisions", func() bool { return status().Version == 17_000 })
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait()
	put(lines[17_000:])
	c := j.start()
	defer func() { _ = c.Process.Kill() }()
	j.eventually("all decisions", func() bool {
		s := status()
		return s.Version == 40_000 && len(s.Constraints) == 1 && s.Subjects[0].Records == 40_000
	})
	s := status()
	row := s.Constraints[0]
	if s.Kind != board.Monitor || s.Phase != "monitoring" || !s.Ready || row.Sequence == nil || row.Sequence.Status != fairness.Violated || row.Enforced {
		t.Errorf("%+v, row %+v", s, row)
	}
	if row.Alarm == nil || !row.Alarm.Raised || row.Alarm.Since.Record < 10_000 || row.Alarm.Since.Record > 13_000 || row.Alarm.Since.Time == nil {
		t.Fatalf("alarm %+v", row.Alarm)
	}
	var series board.Series
	if code, text := j.get("api/v1/series?constraint=sex"); code != 200 || json.Unmarshal([]byte(text), &series) != nil || len(series.Points) < 100 {
		t.Fatalf("series: %d", code)
	}
	marked := false
	for _, m := range series.Marks {
		marked = marked || m.Kind == board.MarkAlarm && m.N == row.Alarm.Since.Record
	}
	if !marked {
		t.Errorf("no mark of the alarm: %+v", series.Marks)
	}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, c.log.String())
	}
	audit := succeed(t, "audit", "--config", j.config)
	contains(t, audit, "The history is whole", "fairstream monitor on", "-> violated", "alarm")
	verified := succeed(t, "state", "verify", "--config", j.config)
	contains(t, verified, "Everything fits together")
	if strings.Contains(verified, "models") {
		t.Errorf("a monitor has no model topic:\n%s", verified)
	}
}

// TestMonitorAndRunAreToldApart by the configuration.
func TestMonitorAndRunAreToldApart(t *testing.T) {
	config, _, _ := onEmbedded(t, decisionSections)
	fails(t, misuse, "use `fairstream monitor`", "run", "--config", config)
	learning, _, _ := onEmbedded(t, adultSections)
	fails(t, misuse, "monitor.decision.field: required", "monitor", "--config", learning)
	succeed(t, "config", "check", "--config", config)
}
