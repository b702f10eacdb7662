package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/release"
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

// TestMonitorTellsOneStory: the API, the page's series, the topic of events and the audit agree about a planted drift, and a process that
// is killed in between changes nothing.
func TestMonitorTellsOneStory(t *testing.T) {
	t.Parallel()
	onBrokers(t, oneStory)
}

func oneStory(t *testing.T, addresses []string) {
	j := newJobOf(t, decisionSections, addresses, 1, "")
	j.command = "monitor"
	const records, change = 100_000, 60_000
	lines := decisionLines(records, change)
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
	events := "topics.events=" + j.topics.Input + ".events"
	put(lines[:40_000])
	for _, until := range []int64{5_000, 40_000, 63_000} { // killed while it reads, while it waits, and after the drift
		killed := j.start("--set", events)
		j.eventually("some decisions", func() bool { return status().Version >= until })
		if err := killed.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = killed.Wait()
		if until == 40_000 {
			put(lines[until:])
		}
	}
	c := j.start("--set", events)
	defer func() { _ = c.Process.Kill() }()
	j.eventually("all decisions", func() bool {
		s := status()
		return s.Version == records && len(s.Constraints) == 1 && s.Subjects[0].Records == records
	})
	s := status()
	row := s.Constraints[0]
	if s.Kind != board.Monitor || s.Phase != "monitoring" || !s.Ready || row.Sequence == nil || row.Enforced {
		t.Errorf("%+v, row %+v", s, row)
	}
	if row.Alarm == nil || !row.Alarm.Raised || row.Alarm.Since.Record < change || row.Alarm.Since.Record > change+3_000 || row.Alarm.Since.Time == nil {
		t.Fatalf("alarm %+v", row.Alarm)
	}
	var series board.Series
	if code, text := j.get("api/v1/series?constraint=sex"); code != 200 || json.Unmarshal([]byte(text), &series) != nil || len(series.Points) < 100 {
		t.Fatalf("series: %d", code)
	}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, c.log.String())
	}
	told := eventsOn(t, j.client, j.topics.Input+".events")
	var page, judged []string
	for _, m := range series.Marks {
		if m.Kind == board.MarkVerdict || m.Kind == board.MarkAlarm {
			page = append(page, fmt.Sprint(m.N))
		}
	}
	var audit history.Audit
	if err := json.Unmarshal([]byte(succeed(t, "audit", "--json", "--config", j.config)), &audit); err != nil || !audit.Chain.Whole {
		t.Fatalf("%+v, %v", audit.Chain, err)
	}
	for _, d := range audit.Decisions {
		judged = append(judged, fmt.Sprint(d.Number, d.Change, d.Record, d.To))
	}
	var topic, places []string
	alarm := false
	for _, e := range told {
		topic, places = append(topic, fmt.Sprint(e.Number, e.Change, e.Record, e.To)), append(places, fmt.Sprint(e.Record))
		alarm = alarm || e.Change == "alarm" && e.Record == row.Alarm.Since.Record && e.EventTime.Equal(*row.Alarm.Since.Time)
	}
	if !alarm || !slices.Equal(topic, judged) || !slices.Equal(places, page) || told[len(told)-1].Number != int64(len(told)) {
		t.Errorf("events %v\nhistory %v\nmarks %v of %v", topic, judged, page, places)
	}
	// Another job reads the same records undisturbed.
	other := j.topics.Input + ".undisturbed"
	succeed(t, "monitor", "--until-end", "--config", j.config, "--set", "job=undisturbed", "--set", "topics.state="+other+".state",
		"--set", "topics.history="+other+".history", "--set", "topics.dead_letter="+other+".dlq", "--set", "topics.events="+other+".events", "--set", "server.address=")
	if undisturbed := eventsOn(t, j.client, other+".events"); jsonOf(t, undisturbed) != jsonOf(t, told) {
		t.Errorf("events\n%s\nundisturbed\n%s", jsonOf(t, told), jsonOf(t, undisturbed))
	}
	contains(t, succeed(t, "audit", "--config", j.config), "The history is whole", "fairstream monitor on", "alarm")
	verified := succeed(t, "state", "verify", "--config", j.config)
	contains(t, verified, "Everything fits together")
	if strings.Contains(verified, "models") {
		t.Errorf("a monitor has no model topic:\n%s", verified)
	}
}

// eventsOn are the events about decisions on a topic.
func eventsOn(t *testing.T, client *kafka.Client, topic string) (events []history.Judged) {
	t.Helper()
	for _, value := range storyOn(t, client, topic) {
		var one history.Judged
		if err := json.Unmarshal([]byte(value), &one); err != nil {
			t.Fatal(err)
		}
		events = append(events, one)
	}
	return events
}

// storyOn reads a topic of events: what repeats an identifier is dropped, and all must be as docs/event.schema.json says.
func storyOn(t *testing.T, client *kafka.Client, topic string) (values []string) {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "..", "docs", "event.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	_, err = client.Read(t.Context(), topic, 0, kafka.Earliest, kafka.End, func(r *kafka.Record) error {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(r.Value))
		if err == nil {
			err = schema.Validate(value)
		}
		if err != nil {
			t.Errorf("%s: %v", r.Value, err)
		}
		for _, h := range r.Headers() {
			if h.Key == "ce_id" && !seen[string(h.Value)] {
				seen[string(h.Value)] = true
				values = append(values, string(r.Value))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return values
}

// TestEventsAreInTheSchema: it lists every step of a release.
func TestEventsAreInTheSchema(t *testing.T) {
	var schema struct {
		Defs struct {
			Release struct {
				Properties struct {
					Step struct{ Enum []release.StepKind }
				}
			}
		} `json:"$defs"`
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "event.schema.json"))
	if err == nil {
		err = json.Unmarshal(text, &schema)
	}
	if steps := schema.Defs.Release.Properties.Step.Enum; err != nil || !slices.Equal(steps, release.StepKinds()) {
		t.Errorf("the steps are %v, want %v; %v", steps, release.StepKinds(), err)
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "events.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range release.StepKinds() {
		contains(t, string(page), "`"+string(kind)+"`")
	}
}

func jsonOf(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestMonitorAndRunAreToldApart by the configuration.
func TestMonitorAndRunAreToldApart(t *testing.T) {
	config, _, _ := onEmbedded(t, decisionSections)
	fails(t, misuse, "use `fairstream monitor`", "run", "--config", config)
	learning, _, _ := onEmbedded(t, adultSections)
	fails(t, misuse, "monitor.decision.field: required", "monitor", "--config", learning)
	succeed(t, "config", "check", "--config", config)
}
