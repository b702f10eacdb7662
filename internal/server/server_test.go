package server

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"go.uber.org/goleak"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/stream"
)

// learning is the status of a stream at work.
func learning() stream.Status {
	measure := fairness.Measure{Value: .85, Lo: .84, Hi: .86, Records: 1000}
	report := document.Report{Records: 1000, Decisions: &document.Decisions{Accuracy: measure, LogLoss: measure, ConstantAccuracy: measure,
		PositiveLabels: measure, PositiveDecisions: measure}}
	estimates := []fairness.Estimate{
		{Name: "sex", Criterion: fairness.DemographicParity, Group: "Male", Versus: "Female", Tau: .05, Enforced: true, Value: .04, Lo: .03, Hi: .06,
			RateSides: &fairness.RateSides{RateGroup: .24, RateVersus: .2}, NGroup: 600, NVersus: 400, Status: fairness.Met},
		{Name: "race", Criterion: fairness.DemographicParity, Group: "White", Versus: "rest", Tau: .1, NGroup: 900, NVersus: 3, Status: fairness.NotEstimable},
	}
	return stream.Status{
		Phase: stream.PhaseLearning, Job: "adult", Claim: stream.Claim{Term: 3}, Version: 1000, Labelled: 1000, Rejected: map[string]int64{"missing_label": 7}, DeadLetters: 5,
		Partitions: []stream.PartitionStatus{
			{Ledger: stream.Ledger{Partition: 0, Next: 500}, LogStart: 10, End: 620, Newest: time.Now().Add(-time.Minute)},
			{Ledger: stream.Ledger{Partition: 1, Next: 507, Lost: 2}, LogStart: -1, End: -1},
		},
		Snapshot: stream.SnapshotInfo{Sequence: 4, Version: 900, Bytes: 12345, Taken: time.Now()}, SnapshotTook: 20 * time.Millisecond,
		Published: 900, PublishedAt: time.Now(),
		Measurements: &document.Measurements{Prequential: report, Recent: report, Constraints: estimates,
			Control:    []document.Control{{Name: "sex", Criterion: fairness.DemographicParity, Group: "Male", Multiplier: 1.5, Target: .04, Difference: .04, EffectiveConstant: 10, Reachable: true}},
			Conditions: []document.Condition{{Code: document.TooFewRecords, Constraint: "race"}}},
		Labels: &stream.LabelStatus{Waiting: 3, Bytes: 900, Scored: 10, Joined: 6, Dropped: 1},
	}
}

// judging is a stream that learns, and whose decisions are monitored.
func judging() stream.Status {
	status := learning()
	status.Monitored = []*stream.Monitored{watched("as_made", bySex(), 5000)}
	status.Releases = releasing()
	return status
}

func get(t *testing.T, handler http.Handler, path string) (code int, body string) {
	t.Helper()
	return getFrom(t, handler, "192.0.2.1:1234", path)
}

func getFrom(t *testing.T, handler http.Handler, from, path string, headers ...string) (code int, body string) {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	request.RemoteAddr, request.Host = from, "localhost"
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	return recorder.Code, recorder.Body.String()
}

// withoutJob removes the label that every series has.
func withoutJob(text string) string {
	return strings.NewReplacer(`{job_name="adult"}`, "", `job_name="adult",`, "", `,job_name="adult"`, "").Replace(text)
}

func TestMetrics(t *testing.T) {
	m := NewMonitor("test", "adult")
	m.Watch(learning)
	m.Notify(stream.Saved{})
	m.Notify(stream.Published{Bytes: 4567})
	m.Notify(stream.KafkaOutage{Operation: "write to x", Err: errors.New("away")})
	_, text := get(t, m.Handler(zap.NewAtomicLevel(), nil, Access{}), "/metrics")
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") && !strings.Contains(line, `job_name="adult"`) {
			t.Errorf("not of a job: %s", line)
		}
	}
	text = withoutJob(text)
	for _, line := range []string{
		`fairstream_build_info{version="test"} 1`,
		`fairstream_ready 0`,
		`fairstream_phase{phase="learning"} 1`,
		`fairstream_phase{phase="halted"} 0`,
		`fairstream_term 3`,
		`fairstream_records_learnt_total 1000`,
		`fairstream_records_rejected_total{reason="missing_label"} 7`,
		`fairstream_records_rejected_total{reason="malformed_json"} 0`,
		`fairstream_records_rejected_total{reason="unmatched_label"} 0`,
		`fairstream_dead_letters_total 5`,
		`fairstream_lag_records{partition="0"} 120`,
		`fairstream_next_offset{partition="1"} 507`,
		`fairstream_lag_seconds{partition="1"} 0`,
		`fairstream_partition_held_seconds{partition="0"} 0`,
		`fairstream_offsets_lost_total{partition="1"} 2`,
		`fairstream_snapshots_total 1`,
		`fairstream_snapshot_bytes 12345`,
		`fairstream_snapshot_version 900`,
		`fairstream_published_version 900`,
		`fairstream_published_bytes 4567`,
		`fairstream_kafka_failures_total{operation="write to x"} 1`,
		`fairstream_kafka_outages 1`,
		`fairstream_accuracy{bound="lo",window="recent"} 0.84`,
		`fairstream_constraint_difference{bound="value",constraint="sex",criterion="demographic-parity",group="Male",versus="Female"} 0.04`,
		`fairstream_constraint_difference{bound="hi",constraint="sex",criterion="demographic-parity",group="Male",versus="Female"} 0.06`,
		`fairstream_constraint_status{constraint="race",criterion="demographic-parity",group="White",status="not_estimable",versus="rest"} 1`,
		`fairstream_constraint_records{constraint="race",criterion="demographic-parity",group="White",side="versus",versus="rest"} 3`,
		`fairstream_constraint_rate{constraint="sex",criterion="demographic-parity",group="Male",side="group",versus="Female"} 0.24`,
		`fairstream_constraint_multiplier{constraint="sex",criterion="demographic-parity",group="Male"} 1.5`,
		`fairstream_condition{code="too_few_records",constraint="race"} 1`,
		`fairstream_labels_waiting 3`,
		`fairstream_labels_dropped_total 1`,
	} {
		if !strings.Contains(text, "\n"+line+"\n") {
			t.Errorf("no line %s", line)
		}
	}
	for _, absent := range []string{`constraint_difference{bound="value",constraint="race"`, `lag_records{partition="1"}`} {
		if strings.Contains(text, absent) {
			t.Errorf("%s: what is not known has a value", absent)
		}
	}
	if problems, err := testutil.GatherAndLint(m.registry); err != nil || len(problems) > 0 {
		t.Errorf("%v %v", problems, err)
	}
}

// predicting is the status of a stream that learns a regression.
func predicting() stream.Status {
	s := learning()
	measure := fairness.Measure{Value: 120, Lo: 115, Hi: 125, Level: .95, Records: 1000}
	report := document.Report{Records: 1000, Predictions: &document.Predictions{MSE: measure, ConstantMSE: measure, RSquared: measure}}
	s.Measurements = &document.Measurements{Prequential: report, Recent: report, Constraints: []fairness.Estimate{
		{Name: "sex", Criterion: fairness.MeanDifference, Group: "Male", Versus: "Female", Tau: 2, Enforced: true, Value: 1.5, Lo: 1, Hi: 2,
			MeanSides: &fairness.MeanSides{MeanGroup: 41, MeanVersus: 39.5}, NGroup: 600, NVersus: 400, Status: fairness.Met}}}
	return s
}

// A regression has measures of predictions in the place of those of decisions.
func TestMetricsOfARegression(t *testing.T) {
	m := NewMonitor("test", "adult")
	m.Watch(predicting)
	_, text := get(t, m.Handler(zap.NewAtomicLevel(), nil, Access{}), "/metrics")
	text = withoutJob(text)
	for _, line := range []string{
		`fairstream_mean_squared_error{bound="value",window="all"} 120`,
		`fairstream_constant_mean_squared_error{bound="hi",window="recent"} 125`,
		`fairstream_r_squared{bound="lo",window="recent"} 115`,
		`fairstream_constraint_difference{bound="value",constraint="sex",criterion="mean-difference",group="Male",versus="Female"} 1.5`,
		`fairstream_constraint_mean{constraint="sex",criterion="mean-difference",group="Male",side="versus",versus="Female"} 39.5`,
	} {
		if !strings.Contains(text, "\n"+line+"\n") {
			t.Errorf("no line %s", line)
		}
	}
	for _, absent := range []string{"fairstream_accuracy{", "fairstream_log_loss{", "fairstream_constraint_rate{"} {
		if strings.Contains(text, absent) {
			t.Errorf("%s of a regression", absent)
		}
	}
	if problems, err := testutil.GatherAndLint(m.registry); err != nil || len(problems) > 0 {
		t.Errorf("%v %v", problems, err)
	}
}

func TestMetricsBeforeTheStream(t *testing.T) {
	m := NewMonitor("test", "adult")
	code, text := get(t, m.Handler(zap.NewAtomicLevel(), nil, Access{}), "/metrics")
	if code != http.StatusOK || !strings.Contains(withoutJob(text), "fairstream_ready 0") || strings.Contains(text, "fairstream_term") {
		t.Errorf("%d", code)
	}
}

func TestReadiness(t *testing.T) {
	m := NewMonitor("test", "adult")
	handler := m.Handler(zap.NewAtomicLevel(), nil, Access{})
	expect := func(when string, code int, says string) {
		t.Helper()
		if got, text := getFrom(t, handler, "127.0.0.1:1", "/readyz"); got != code || !strings.Contains(text, says) {
			t.Errorf("%s: %d %q", when, got, text)
		}
		if got, _ := get(t, handler, "/readyz"); got != code {
			t.Errorf("%s, from elsewhere: %d", when, got)
		}
		if got, _ := get(t, handler, "/livez"); got != http.StatusOK {
			t.Errorf("%s: livez answers %d", when, got)
		}
	}
	expect("before the stream", http.StatusServiceUnavailable, "starting")
	status := learning()
	m.Watch(func() stream.Status { return status })
	expect("learning", http.StatusOK, "ok")
	m.Notify(stream.KafkaOutage{Operation: "fetch from 1", Err: errors.New("connection refused"), Attempt: 3, Since: time.Now()})
	expect("in an outage", http.StatusServiceUnavailable, "fetch from 1 fails since")
	m.Notify(stream.KafkaOutage{Operation: "fetch from 1", Err: errors.New("gone"), GivenUp: true})
	m.Notify(stream.KafkaOutage{Operation: "read for the page", Err: errors.New("connection refused"), Attempt: 3, Since: time.Now(), Aside: true})
	expect("after an outage", http.StatusOK, "ok")
	expect("learning", http.StatusOK, "role: owner")
	status.Phase = stream.PhaseStandby
	expect("standing by", http.StatusOK, "role: standby")
	status.Phase, status.Reason = stream.PhaseHalted, "too many records were rejected"
	expect("halted", http.StatusServiceUnavailable, "halted: too many records were rejected")
	status.Phase, status.Reason = stream.PhaseDraining, "told to stop"
	expect("draining", http.StatusServiceUnavailable, "draining")
}

func TestLogLevel(t *testing.T) {
	var written bytes.Buffer
	logger, level, err := NewLogger(&written, false, "info")
	if err != nil {
		t.Fatal(err)
	}
	handler := NewMonitor("test", "adult").Handler(level, nil, Access{})
	// The documented command, as curl sends it.
	text, err := os.ReadFile("../../deploy/README.md")
	command := regexp.MustCompile("`curl -X PUT localhost:8468(/loglevel) -d (\\S+)`").FindSubmatch(text)
	if err != nil || command == nil {
		t.Fatal("deploy/README.md has no command for the log level", err)
	}
	put := func(from string) int {
		request := httptest.NewRequestWithContext(t.Context(), http.MethodPut, string(command[1]), bytes.NewReader(command[2]))
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.RemoteAddr, request.Host = from, "localhost"
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, request)
		return recorder.Code
	}
	logger.Debug("one")
	if code := put("10.0.0.7:5555"); code != http.StatusForbidden {
		t.Errorf("from elsewhere: %d", code)
	}
	logger.Debug("two")
	if code := put("127.0.0.1:5555"); code != http.StatusOK {
		t.Errorf("from here: %d", code)
	}
	logger.Debug("three")
	if text := written.String(); strings.Contains(text, "one") || strings.Contains(text, "two") || !strings.Contains(text, `"message":"three"`) {
		t.Errorf("written: %s", text)
	}
	if _, _, err := NewLogger(&written, true, "loud"); err == nil {
		t.Error("an unknown level passed")
	}
}

func TestLog(t *testing.T) {
	core, logged := observer.New(zap.DebugLevel)
	listen := Log(zap.New(core))
	for _, event := range []stream.Event{
		stream.Owned{}, stream.StableUnmoved{}, stream.StateElsewhere{Topics: stream.Topics{Model: "models", State: "state"}, Version: 389, Term: 2}, stream.Resumed{}, stream.Begun{}, stream.Saved{}, stream.Withheld{}, stream.ShareHalved{}, stream.Rejected{Err: errors.New("missing_label")},
		stream.Published{Measurements: *learning().Measurements}, stream.Halted{Err: errors.New("halted")}, stream.Draining{},
	} {
		listen(event)
	}
	for attempt := range 70 {
		listen(stream.KafkaOutage{Operation: "fetch", Err: errors.New("away"), Attempt: attempt + 1})
	}
	listen(stream.KafkaOutage{Operation: "fetch"})
	listen(stream.KafkaOutage{Operation: "fetch", Err: errors.New("away"), Attempt: 1, GivenUp: true})
	if warned := logged.FilterMessage("kafka operation failed and is retried").FilterLevelExact(zap.WarnLevel).Len(); warned != 3 {
		t.Errorf("70 failures in a row gave %d warnings", warned)
	}
	elsewhere := logged.FilterMessageSnippet("state reset").FilterLevelExact(zap.WarnLevel).FilterField(zap.String("state_topic", "state"))
	if elsewhere.FilterMessageSnippet("starts from scratch at stream.start").FilterField(zap.String("model_topic", "models")).Len() != 1 {
		t.Errorf("%d entries of a state that is elsewhere", elsewhere.Len())
	}
	published := logged.FilterMessage("weights published").All()
	if len(published) != 1 {
		t.Fatalf("%d entries", len(published))
	}
	quality, ok := published[0].ContextMap()["accuracy"].(map[string]any)
	if !ok || quality["value"] != .85 || quality["lo"] != .84 || quality["hi"] != .86 || quality["records"] != int64(1000) {
		t.Errorf("accuracy %v", published[0].ContextMap()["accuracy"])
	}
	constraints, ok := published[0].ContextMap()["constraints"].([]any)
	if !ok || len(constraints) != 2 {
		t.Fatalf("constraints %v", published[0].ContextMap()["constraints"])
	}
	if met := constraints[0].(map[string]any); met["lo"] != .03 || met["status"] != "met" {
		t.Errorf("%v", met)
	}
	if unknown := constraints[1].(map[string]any); unknown["value"] != nil || unknown["status"] != "not_estimable" {
		t.Errorf("%v", unknown)
	}
	if logged.FilterMessage("condition").Len() != 1 || logged.FilterMessage("kafka operation works again").Len() != 1 || logged.Len() != 11+1+72+1 {
		t.Errorf("%d entries", logged.Len())
	}
}

func TestServeEnds(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- Serve(ctx, listener, NewMonitor("test", "adult").Handler(zap.NewAtomicLevel(), nil, Access{}), Access{})
	}()
	client := &http.Client{Transport: &http.Transport{}}
	response, err := client.Get("http://" + listener.Addr().String() + "/")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	if err != nil || response.Body.Close() != nil || !strings.Contains(string(text), "/metrics") {
		t.Errorf("%s %v", text, err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	client.CloseIdleConnections()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := taken.Close(); err != nil {
		t.Fatal(err)
	}
	if err := Serve(t.Context(), taken, http.NotFoundHandler(), Access{}); err == nil {
		t.Error("a closed listener is no error")
	}
}
