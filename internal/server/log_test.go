package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/stream"
)

// TestLogOfEvents compares the log of each event, its level, words and fields, with a file. With UPDATE=1 in the environment it writes the file.
func TestLogOfEvents(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	bad := errors.New("for a test")
	sex := fairness.Comparison{Name: "sex", Criterion: fairness.DemographicParity, Tau: 0.05, Group: []fairness.Term{fairness.Is("sex", "m")}, Versus: []fairness.Term{fairness.Is("sex", "f")}}
	measure := func(x float64) fairness.Measure {
		return fairness.Measure{Value: x, Lo: x - .25, Hi: x + .25, Level: .95, Records: 700}
	}
	decisions := stream.Published{Version: 700, Term: 3, SHA256: "ab", Bytes: 1234}
	decisions.Measurements.Recent.Decisions = &document.Decisions{Accuracy: measure(.75)}
	decisions.Measurements.Constraints = []fairness.Estimate{{Name: "sex", Criterion: fairness.DemographicParity, Tau: .05, Status: fairness.Met, Value: .01, Lo: -.02, Hi: .03},
		{Name: "age", Criterion: fairness.EqualOpportunity, Tau: .1, Status: fairness.NotEstimable, Value: 1}}
	decisions.Measurements.Conditions = []document.Condition{{Code: document.Unsteady, Constraint: "sex", Detail: "the records changed"}}
	numbers := stream.Published{Version: 700, Term: 3, SHA256: "ab", Bytes: 1234}
	numbers.Measurements.Recent.Predictions = &document.Predictions{MSE: measure(4)}
	changed := func(kind monitor.Change, to fairness.Status) stream.DecisionsChanged {
		return stream.DecisionsChanged{Subject: "as_made", Comparison: sex, Event: monitor.Event{Kind: kind, Record: 900, From: fairness.Inconclusive, To: to, Value: .25, Lo: .125, Hi: .5}}
	}
	owner := stream.Claim{Job: "adult", Owner: "one", Term: 4, Host: "host-1", BeatMillis: 500}
	quiet := owner
	quiet.BeatMillis = 0
	request := stream.Request{Action: "promote", Version: 700, Term: 3, Actor: "a person", Reason: "it is good", Host: "host-2", ID: "id-1"}
	var lines strings.Builder
	core, logs := observer.New(zapcore.DebugLevel)
	tell := Log(zap.New(core))
	for _, event := range []stream.Event{
		stream.Owned{Claim: owner, Before: stream.Claim{Host: "host-0"}},
		stream.Resumed{}, stream.Begun{Offsets: map[int32]int64{1: 5}}, stream.Resumed{Given: "ab12"}, stream.Begun{Offsets: map[int32]int64{1: 5}, From: "ab12", TooLate: true},
		stream.StateElsewhere{Topics: stream.Topics{Model: "models", State: "state"}, Version: 700, Term: 3}, stream.StateElsewhere{Snapshot: true},
		stream.WaitingLost{Topic: "waiting", Records: 5}, stream.WaitingLost{Topic: "waiting", Cut: true}, stream.WaitingRemade{Topic: "waiting", Records: 5},
		stream.WaitingUnseen{Topic: "waiting", Err: errors.New("it is gone")}, stream.WaitingUnseen{Topic: "waiting"},
		stream.PartStopped{Stopped: isolate.Stopped{Part: "monitor", At: at, Reason: "a panic", Stack: "stack"}},
		stream.StableUnmoved{Term: 3, Version: 700}, stream.StableUnmoved{Term: 3, Version: 700, Off: true},
		stream.ConfigChanged{Changes: []history.Change{{Key: "a", Old: []byte("1"), New: []byte("2")}, {Key: "b", Old: []byte("3"), New: []byte("4")}}},
		changed(monitor.VerdictChanged, fairness.Met), changed(monitor.VerdictChanged, fairness.Violated), changed(monitor.VerdictChanged, fairness.NotEstimable),
		changed(monitor.AlarmRaised, fairness.Inconclusive), changed(monitor.AlarmEnded, fairness.Inconclusive),
		stream.MonitoringBegun{Version: 700}, stream.HistoryDamaged{Topic: "history", Problem: "a gap"},
		stream.Requested{Request: request}, stream.Requested{Request: request, Answer: stream.Answer{Refused: "it was withdrawn"}},
		stream.Saved{Took: time.Second, Parts: 2}, decisions, numbers,
		stream.ShareHalved{Share: .5, Rate: 1000}, stream.Withheld{Reason: "too few records"},
		stream.Rejected{Partition: 1, Offset: 2, Count: 3, Err: bad},
		stream.DataLost{Loss: &kafka.DataLoss{Kind: kafka.LossRecreated, Partition: 1, Offset: 5, Lost: 6, Resume: 7}},
		stream.KafkaOutage{Operation: "write", Err: bad, Attempt: 1, Pause: time.Second}, stream.KafkaOutage{Operation: "write", Err: bad, Attempt: 2, Pause: time.Second},
		stream.KafkaOutage{Operation: "write", Err: bad, Attempt: 29, Pause: time.Second}, stream.KafkaOutage{Operation: "write", Err: bad, Attempt: 30, Pause: time.Second},
		stream.KafkaOutage{Operation: "write", Err: bad, Attempt: 31, GivenUp: true},
		stream.Halted{Err: bad}, stream.StandingBy{Owner: owner, Timeout: time.Minute}, stream.StandingBy{Owner: quiet, Timeout: time.Minute},
		stream.TakingOver{Owner: owner, Silent: time.Minute, Leaving: true},
		stream.AliasRepaired{Alias: "stable", Version: 700, Term: 3}, stream.AliasRepaired{Alias: "latest", Version: 700, Term: 3, Late: stream.Alias{Version: 600, Term: 2}},
		stream.Outranked{Term: 5, Own: 4}, stream.ModelRefused{Key: "adult/stable", Offset: 4, Reason: "it is not signed"}, stream.StateGarbage{Topic: "state"},
		stream.TopicsUnfit{}, stream.TopicsUnfit{Err: bad}, stream.SavingStuck{Reason: "Kafka is away"}, stream.SavingAgain{After: time.Minute},
		stream.ModelsRemade{Topic: "models", Documents: 1, Aliases: 2, Missing: 3}, stream.DocumentRestored{Alias: "stable", Version: 700, Term: 3},
		stream.AliasWithoutDocument{Alias: "stable", Version: 700, Term: 3}, stream.OpenTransaction{Partition: 1, Offset: 2, Waiting: 3, For: time.Minute},
		stream.PartitionHeld{Held: stream.Held{Partition: 1, Offset: 2, Schema: "schema id 7"}, Cause: bad}, stream.Draining{Reason: "the end"},
	} {
		fmt.Fprintf(&lines, "%T\n", event)
		tell(event)
		for _, line := range logs.TakeAll() {
			fields, err := json.Marshal(line.ContextMap())
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&lines, "  %s %s %s\n", line.Level, line.Message, fields)
		}
	}
	const file = "testdata/log.txt"
	if os.Getenv("UPDATE") != "" {
		if err := errors.Join(os.MkdirAll("testdata", 0o755), os.WriteFile(file, []byte(lines.String()), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got, before := strings.Split(lines.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(got), len(before)) {
		if i >= len(got) || i >= len(before) || got[i] != before[i] {
			t.Fatalf("line %d differs; if it should, set UPDATE=1\ngot\n%s\nwant\n%s", i+1, strings.Join(got[min(i, len(got)):], "\n"), strings.Join(before[min(i, len(before)):], "\n"))
		}
	}
}

// TestAnOutageThatEndsIsLogged with how long it was.
func TestAnOutageThatEndsIsLogged(t *testing.T) {
	core, logs := observer.New(zapcore.InfoLevel)
	Log(zap.New(core))(stream.KafkaOutage{Operation: "write", Since: time.Now().Add(-time.Minute)})
	if all := logs.All(); len(all) != 1 || all[0].Message != "kafka operation works again" || all[0].ContextMap()["after"].(time.Duration) < time.Minute {
		t.Errorf("%v", all)
	}
}

// TestTheFormOfTheLog: JSON for programs, or lines for people, from a level on that can be turned.
func TestTheFormOfTheLog(t *testing.T) {
	for _, console := range []bool{false, true} {
		var text bytes.Buffer
		logger, level, err := NewLogger(&text, console, "warn")
		if err != nil {
			t.Fatal(err)
		}
		logger.Info("too low")
		logger.Warn("one", zap.Duration("after", 1500*time.Millisecond))
		level.SetLevel(zapcore.InfoLevel)
		logger.Info("two")
		lines := strings.Split(strings.TrimSpace(text.String()), "\n")
		if len(lines) != 2 {
			t.Fatalf("%q", lines)
		}
		if console {
			if !strings.Contains(lines[0], "\tWARN\tone\t") || !strings.Contains(lines[0], `"after": "1.5s"`) || !strings.Contains(lines[1], "\tINFO\ttwo") {
				t.Errorf("%q", lines)
			}
			continue
		}
		var one map[string]any
		if err := json.Unmarshal([]byte(lines[0]), &one); err != nil || one["message"] != "one" || one["level"] != "warn" || one["after"] != 1.5 {
			t.Errorf("%q, %v", lines, err)
		}
		if _, err := time.Parse(time.RFC3339Nano, fmt.Sprint(one["time"])); err != nil {
			t.Error(err)
		}
	}
	if _, _, err := NewLogger(nil, false, "loud"); err == nil || !strings.HasPrefix(err.Error(), "log.level: ") {
		t.Error(err)
	}
}
