package server

import (
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/goldentest"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/signoff"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/release"
	"github.com/fairstream/fairstream/pkg/scoring"
	"github.com/fairstream/fairstream/pkg/stream"
)

// TestAnswersWithoutAStableVersion: of a job that has just begun, one that warms up, and one that learns, with the moments that are known.
func TestAnswersWithoutAStableVersion(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 0, 0, time.UTC)
	var text strings.Builder
	measured := func(positive int64) *document.Measurements {
		return &document.Measurements{Recent: document.Report{Records: 9, Decisions: &document.Decisions{PositiveDecisions: fairness.Measure{Value: 0.25, Records: positive}}}}
	}
	for _, c := range []struct {
		name   string
		seen   int64
		warm   *board.WarmUp
		span   *board.Span
		began  time.Time
		status stream.Status
	}{
		{name: "begun"}, {name: "begun at a moment", began: at},
		{name: "warming up", seen: 5, warm: &board.WarmUp{Records: 5, Of: 8}}, {name: "warming up, by its records", seen: 5, warm: &board.WarmUp{Records: 1, Of: 2}, span: &board.Span{First: at}, began: at.Add(time.Hour)},
		{name: "warming up since it began", seen: 5, warm: &board.WarmUp{Records: 9, Of: 8}, began: at},
		{name: "learning", seen: 5, status: stream.Status{Version: 5, Measurements: measured(0)}}, {name: "with positive decisions", seen: 5, span: &board.Span{First: at, Last: at}, status: stream.Status{Version: 1, Measurements: measured(1), Releases: &release.Report{}}},
	} {
		b := &board.Status{WarmUp: c.warm, Time: c.span, Records: board.Records{Seen: c.seen}}
		b.Deciding.Positive = board.Unknown()
		liveOf(stream.Status{}).decideCurrent(b, &c.status, c.began)
		text.WriteString(goldentest.Print(c.name, []any{b.Deciding.Records, b.Deciding.Positive, b.Deciding.Answers}))
	}
	goldentest.Compare(t, "current.txt", text.String())
	for happened, want := range map[string]string{
		signoff.Quiet: "There has been no version yet, so there was nothing to watch.", "Not known yet.": "Not known yet. There has been no version yet, so there was nothing to watch.",
	} {
		if got := unwatched(happened); got != want {
			t.Errorf("%q: %q", happened, got)
		}
	}
	if recentOf(&fairness.Estimate{Value: math.NaN()}) != nil {
		t.Error("a difference that is not known is shown")
	}
	if r := recentOf(&fairness.Estimate{Value: .1, Lo: .05, Hi: .2, NGroup: 3, NVersus: 4}); r == nil || r.N != 7 || r.Value != .1 || r.Lo != .05 || r.Hi != .2 {
		t.Errorf("%+v", r)
	}
	if positive(nil).Known() || positive([]monitor.GroupReport{{Attributes: []string{"sex"}}}).Known() {
		t.Error("the share of positive decisions of none is known")
	}
}

// TestSinceVerdictsHold: those beyond a limit are named, two at most; else the last that changed is, and if all are met, which was the last to be decided.
func TestSinceVerdictsHold(t *testing.T) {
	at := func(hour int) time.Time { return time.Date(2026, 3, 4, hour, 0, 0, 0, time.UTC) }
	row := func(name string, status fairness.Status) board.Constraint {
		return board.Constraint{Name: name, Status: status}
	}
	since := func(hours ...int) *monitor.Report {
		r := &monitor.Report{}
		for _, hour := range hours {
			c := monitor.ComparisonReport{}
			if hour >= 0 {
				c.SinceTime = at(hour)
			}
			r.Comparisons = append(r.Comparisons, c)
		}
		return r
	}
	const met, violated, open, none = fairness.Met, fairness.Violated, fairness.Inconclusive, fairness.NotEstimable
	for name, c := range map[string]struct {
		report *monitor.Report
		rows   []board.Constraint
		want   string
	}{
		"nothing":            {since(-1), []board.Constraint{row("a", met)}, ""},
		"not estimable":      {since(1), []board.Constraint{row("a", none)}, ""},
		"one":                {since(1), []board.Constraint{row("a", met)}, ` The last verdict to change was that on "a"; it has been "within the limit" since 4 Mar 2026, 01:00 UTC.`},
		"all are met":        {since(1, 2, 2), []board.Constraint{row("a", met), row("b", met), row("c", met)}, ` All comparisons have been within their limits since 4 Mar 2026, 02:00 UTC, when "b" was the last to be decided.`},
		"the first is last":  {since(2, 1), []board.Constraint{row("a", met), row("b", met)}, ` All comparisons have been within their limits since 4 Mar 2026, 02:00 UTC, when "a" was the last to be decided.`},
		"one is open":        {since(3, 2), []board.Constraint{row("a", open), row("b", met)}, ` The last verdict to change was that on "a"; it has been "not known yet" since 4 Mar 2026, 03:00 UTC.`},
		"one is beyond":      {since(3, 2), []board.Constraint{row("a", violated), row("b", met)}, ` "a" has been found beyond its limit since 4 Mar 2026, 03:00 UTC.`},
		"two are beyond":     {since(3, 2), []board.Constraint{row("a", violated), row("b", violated)}, ` "a" has been found beyond its limit since 4 Mar 2026, 03:00 UTC. "b" has been found beyond its limit since 4 Mar 2026, 02:00 UTC.`},
		"three are beyond":   {since(3, 2, 1), []board.Constraint{row("a", violated), row("b", violated), row("c", violated)}, ` "a" has been found beyond its limit since 4 Mar 2026, 03:00 UTC. "b" has been found beyond its limit since 4 Mar 2026, 02:00 UTC.`},
		"beyond, of no time": {since(-1), []board.Constraint{row("a", violated)}, ""},
	} {
		if got := changed(c.report, c.rows); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	for _, c := range []struct {
		raised       bool
		alarm, since int64
		came         bool
	}{{true, 4, 5, true}, {true, 5, 5, false}, {true, 6, 5, false}, {false, 4, 5, false}} {
		r := &monitor.ComparisonReport{Since: c.since, Alarm: monitor.AlarmReport{Raised: c.raised, Since: c.alarm}}
		if got := alarmBefore(r); (got != "") != c.came {
			t.Errorf("%+v: %q", c, got)
		}
	}
	for kind, want := range map[string]string{"promoted": ", by order of mira", "rolled_back": ", when mira withdrew version 7", "withdrawn": ", when fairstream withdrew version 7"} {
		if got := becauseOf(&board.Step{Kind: kind, Actor: "mira", Version: 7}); got != want {
			t.Errorf("%s: %q", kind, got)
		}
	}
	if got := becauseOf(&board.Step{Kind: "promoted"}) + fromOn(nil); got != "" {
		t.Errorf("by itself: %q", got)
	}
	if got := becauseOf(&board.Step{Kind: "rolled_back", Version: 7}); got != ", when a person withdrew version 7" {
		t.Error(got)
	}
}

// TestWhatReplacesAVersion: the pause counts the records that are looked at, and a candidate of which no test is known is not named.
func TestWhatReplacesAVersion(t *testing.T) {
	for want, r := range map[string]*release.Report{
		"A new version may replace it once it has passed its tests, unless somebody pauses new versions.":                                             {},
		"A new version may replace it once it has passed its tests, at the earliest after 1 more record, unless somebody pauses new versions.":        {CoolDown: 1, Share: 0},
		"A new version may replace it once it has passed its tests, at the earliest after 2 more records, unless somebody pauses new versions.":       {CoolDown: 2, Share: 1},
		"A new version may replace it once it has passed its tests, at the earliest after about 7 more records, unless somebody pauses new versions.": {CoolDown: 2, Share: .3},
	} {
		if got := replaced(r, nil, nil); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	r := &release.Report{Aliases: release.Aliases{Candidate: release.Version{Version: 7}}}
	gate := board.Gate{Decides: true, Status: fairness.Inconclusive, Constraint: "sex"}
	if got := replaced(r, &board.Trial{Gates: []board.Gate{gate}}, nil); got != "Version 7, which is under test, may replace it once it has passed its tests, unless somebody pauses new versions." {
		t.Error(got)
	}
}

// TestWholeNumbersOfRecords: what is not known, none, and more than can be counted are none.
func TestWholeNumbersOfRecords(t *testing.T) {
	for x, want := range map[float64]int64{0: 0, -1: 0, .2: 1, 7: 7, math.MaxInt64 / 2: 0, math.MaxInt64 / 4: math.MaxInt64/4 + 1, math.Inf(1): 0} {
		if n := whole(x); (n != nil) != (want > 0) || n != nil && *n != want {
			t.Errorf("%v: %v, want %d", x, n, want)
		}
	}
	if whole(math.NaN()) != nil {
		t.Error("what is not known is a number")
	}
	waits := &stream.LabelStatus{Waiting: 1, Held: 2, Dropped: 10, Replaced: 20, Expired: 40, Lost: 80}
	if r := recordsOf(&stream.Status{Labels: waits, Labelled: 1000, Rejected: map[string]int64{"a": 100, "b": 200}}); r != (board.Records{Learnt: 1000, Labelled: 1000, Rejected: 300, Waiting: 3, Unlabelled: 153, Seen: 1453}) {
		t.Errorf("%+v", r)
	}
	if known(board.Unknown()) != 0 || known(3) != 3 {
		t.Error("an unknown number counts")
	}
	l := liveOf(stream.Status{})
	now := time.Now()
	at := func(number int32, next, end int64) stream.PartitionStatus {
		return stream.PartitionStatus{Ledger: stream.Ledger{Partition: number, Next: next}, End: end}
	}
	s := stream.Status{Partitions: []stream.PartitionStatus{at(0, 5, 10), at(1, 0, 0), at(2, 3, 10), at(3, 0, -1)}}
	if b := l.stream(&s, 1, now); b.LagRecords != 12 || !b.Partitions[1].End.Known() || b.Partitions[3].End.Known() || b.Partitions[2].Lag != 7 {
		t.Errorf("%+v", b)
	}
}

// TestNamesFromRecordsAreCut: a hundred characters are kept, of more ninety-nine and a mark.
func TestNamesFromRecordsAreCut(t *testing.T) {
	for n, want := range map[int]string{longestLabel: strings.Repeat("é", longestLabel), longestLabel + 1: strings.Repeat("é", longestLabel-1) + "…"} {
		if got := named(strings.Repeat("é", n)); got != want {
			t.Errorf("%d characters: %q", n, got)
		}
	}
	if got := named("a\xff"); got != "a\uFFFD" {
		t.Errorf("%q", got)
	}
}

// TestAStreamThatFails: what was last known of it stays, with the error as the reason; so does one that could not begin.
func TestAStreamThatFails(t *testing.T) {
	for name, watches := range map[string]bool{"began": true, "could not begin": false} {
		m := NewMonitor("test", "adult")
		if watches {
			m.Watch(func() stream.Status { return stream.Status{Version: 7, Phase: stream.PhaseLearning} })
		}
		m.Fail(errors.New("it broke"))
		s := m.state()
		if want := map[bool]int64{true: 7}[watches]; s == nil || s.Phase != stream.PhaseEnded || s.Reason != "it broke" || s.Version != want {
			t.Errorf("%s: %+v", name, s)
		}
		if reasons := m.NotReady(); !slices.Equal(reasons, []string{"ended: it broke"}) || m.word() != "ended" {
			t.Errorf("%s: %q, %q", name, reasons, m.word())
		}
	}
	m := NewMonitor("test", "adult")
	m.Watch(func() stream.Status {
		return stream.Status{Phase: stream.PhaseLearning, Useless: "one label", Stuck: "saving is stuck"}
	})
	if reasons := m.NotReady(); !slices.Equal(reasons, []string{"nothing is published: one label", "saving is stuck"}) || m.word() != "not ready" {
		t.Errorf("%q, %q", reasons, m.word())
	}
	m.Notify(stream.KafkaOutage{Operation: "fetch", Err: errors.New("away"), Since: time.Now()})
	if m.word() != "a Kafka operation fails" {
		t.Error(m.word())
	}
	l := liveOf(stream.Status{Phase: stream.PhaseLearning})
	l.NoHistory()
	if got := l.track.noted(); got.Happened(time.Now(), func(string) bool { return true }) != "Not known: this job keeps no history." {
		t.Error("a job without a history tells of one")
	}
	s := NewScoring("test", "adult")
	if s.word() != firstDocument {
		t.Error(s.word())
	}
	waits := []stream.SchemaWait{{Schema: "schema id 7"}}
	s.Awaits(func() []stream.SchemaWait { return waits })
	if _, text := get(t, s.Handler(Access{}), "/metrics"); strings.Contains(text, "fairstream_score_records_total") || !strings.Contains(text, "fairstream_score_schemas_awaited") {
		t.Error("before it decides, records are counted")
	}
	s.Watch(func() scoring.Status { return scoring.Status{} })
	if s.word() != "a Kafka operation fails" {
		t.Error(s.word())
	}
	if waits[0].Late = true; s.word() != "a schema is awaited" {
		t.Error(s.word())
	}
}

// TestJobsThatGo: a job is removed, unless another one has taken its place; metrics of a process are those of all its jobs.
func TestJobsThatGo(t *testing.T) {
	many := NewJobs("test", zap.NewAtomicLevel(), Access{})
	first, second := NewLive(NewMember("a"), board.Run, "a", model.Config{}), NewLive(NewMember("a"), board.Run, "a", model.Config{})
	other := NewLive(NewMember("b"), board.Run, "b", model.Config{})
	many.Add("a", first)
	many.Add("a", second)
	many.Add("b", other)
	jobs := func() (names string) {
		for _, row := range many.Status().Jobs {
			names += row.Job
		}
		return names
	}
	if many.Remove("a", first); jobs() != "ab" {
		t.Errorf("the job that took the place of another is removed: %s", jobs())
	}
	all, err := many.Gather()
	if err != nil {
		t.Fatal(err)
	}
	served := map[string]int{}
	for _, family := range all {
		served[family.GetName()] = len(family.GetMetric())
	}
	if served["fairstream_ready"] != 2 || served["fairstream_build_info"] != 1 {
		t.Errorf("%v", served)
	}
	other.Watch(func() stream.Status { return stream.Status{Phase: stream.PhaseStandby} })
	if got := many.word() + ", " + many.role(); got != "1 of 2 jobs are not ready, 0 files are refused, owner of 0 jobs, standby of 1" {
		t.Error(got)
	}
	if many.Remove("a", second); jobs() != "b" {
		t.Errorf("left: %s", jobs())
	}
	second.Watch(learning)
	many.Add("a", second)
	if many.Remove("b", other); many.word() != "0 of 1 jobs are not ready, 0 files are refused" {
		t.Error(many.word())
	}
}

// TestBodiesAtTheirBound: as many bytes as an order may have are taken, and one more is refused.
func TestBodiesAtTheirBound(t *testing.T) {
	h := guard(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for n, want := range map[int]int{largestBody: http.StatusOK, largestBody + 1: http.StatusRequestEntityTooLarge} {
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", strings.NewReader(strings.Repeat("x", n)))); w.Code != want {
			t.Errorf("%d bytes: %d", n, w.Code)
		}
	}
}

// TestSchemasInWords: one, or one and how many others.
func TestSchemasInWords(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	waits := []stream.SchemaWait{{Schema: "schema id 7", Since: at}, {}, {}}
	for n, want := range map[int]string{1: "Records wait for schema id 7 since", 2: "Records wait for schema id 7 and 1 other schema since", 3: "Records wait for schema id 7 and 2 other schemas since"} {
		if got := schemaWords(&stream.Status{Waits: waits[:n]}); !strings.HasPrefix(got, want) {
			t.Errorf("%d: %q", n, got)
		}
	}
	unfit := []stream.UnfitSchema{{Records: 5, Detail: "no field."}, {}}
	for n, others := range map[int]bool{1: false, 2: true} {
		if got := unfitWords(unfit[:n]); strings.Contains(got, "So do those of 1 other schema.") != others || !strings.Contains(got, "5 of them with this one: no field.") {
			t.Errorf("%d: %q", n, got)
		}
	}
	if all := topicConditions(&stream.Status{}, nil); len(all) != 0 {
		t.Errorf("%+v", all)
	}
	if all := topicConditions(&stream.Status{Garbage: 1}, nil); len(all) != 1 || all[0].Code != "state_garbage" {
		t.Errorf("%+v", all)
	}
}

// TestVersionsMeet: what this process published and what the history tells of it are one version, which has what either knows, whichever comes first.
func TestVersionsMeet(t *testing.T) {
	anna := &board.Who{Actor: "anna"}
	told := func(key string) []board.Change { return []board.Change{{Path: key}} }
	for name, c := range map[string]struct {
		first, second board.Version
		changes       string
	}{
		"published, then told":                     {board.Version{Changes: told("own"), Term: 1}, board.Version{Who: anna, Changes: told("told"), Term: 1}, "told"},
		"published, then told without changes":     {board.Version{Changes: told("own"), Term: 1}, board.Version{Who: anna, Term: 1}, "own"},
		"told, then published":                     {board.Version{Who: anna, Changes: told("told"), Term: 1}, board.Version{WeightsSHA256: "ab", Changes: told("own"), Term: 1}, "told"},
		"told without changes, and then published": {board.Version{Who: anna, Term: 1}, board.Version{WeightsSHA256: "ab", Changes: told("own"), Term: 1}, "own"},
	} {
		track := newTrack()
		track.place(c.first)
		track.place(c.second)
		all := track.published()
		if len(all) != 1 || all[0].Who == nil || len(all[0].Changes) != 1 || all[0].Changes[0].Path != c.changes || all[0].WeightsSHA256 != c.second.WeightsSHA256 {
			t.Errorf("%s: %+v", name, all)
		}
	}
}

// TestMarksOfAProcess: losses and changes of the settings stand where the stream was; those from before it was known, where its snapshot was.
func TestMarksOfAProcess(t *testing.T) {
	track := newTrack()
	change := func(key string) stream.ConfigChanged {
		return stream.ConfigChanged{Changes: []history.Change{{Key: key, Old: json.RawMessage("1"), New: json.RawMessage("2")}}}
	}
	track.notify(change("learner.window"))
	if len(track.marks) != 0 || len(track.early) != 1 {
		t.Errorf("before the snapshot is known: %+v", track.marks)
	}
	for _, version := range []int64{70, 80} {
		track.notify(stream.Resumed{Snapshot: stream.SnapshotInfo{Version: version}})
	}
	track.notify(change("learner.step"))
	track.notify(stream.DataLost{Loss: &kafka.DataLoss{Partition: 3}})
	var at []int64
	for _, m := range track.marks {
		at = append(at, m.N)
	}
	if !slices.Equal(at, []int64{70, 80, 80}) || track.marks[0].Kind != board.MarkConfiguration || track.marks[2].Kind != board.MarkLoss || !strings.Contains(track.marks[2].Text, "partition 3") || len(track.early) != 0 {
		t.Errorf("%+v", track.marks)
	}
	if track.moved() != nil || track.speed().Known() {
		t.Error("without a look there is a speed")
	}
	now := time.Unix(1_700_000_000, 0)
	if track.observe(&stream.Status{}, now); track.moved() != nil || track.speed().Known() {
		t.Error("after a look at no record there is a speed")
	}
	track.observe(&stream.Status{Version: 1, Labelled: 1}, now.Add(time.Second))
	track.observe(&stream.Status{Version: 1, Labelled: 1}, now.Add(2*time.Second))
	if at := track.moved(); at == nil || !at.Equal(now.Add(time.Second)) || track.speed() != .5 {
		t.Errorf("moved at %v, speed %v", at, track.speed())
	}
}

// TestGatesOfALog are those of a bound, and numbers only where they are known.
func TestGatesOfALog(t *testing.T) {
	all := make(gates, mostGates+1)
	for i := range all {
		all[i] = release.Gate{Name: release.GateComparison, Comparison: "sex", Value: .1, Lo: .05, Hi: .2, Limit: .3, Records: 7}
	}
	all[0] = release.Gate{Name: release.GateIntegrity, Value: math.NaN(), Against: release.Version{Term: 1, Version: 2}}
	encoder := zapcore.NewMapObjectEncoder()
	if err := encoder.AddArray("gates", all); err != nil {
		t.Fatal(err)
	}
	listed := encoder.Fields["gates"].([]any)
	first, second := listed[0].(map[string]any), listed[1].(map[string]any)
	if len(listed) != mostGates || first["value"] != nil || first["constraint"] != nil || first["against"] == nil || second["value"] != .1 || second["limit"] != .3 || second["constraint"] != "sex" || second["against"] != nil {
		t.Errorf("%d gates: %v, %v", len(listed), first, second)
	}
}

// TestFailuresAreInOrder, however many there are.
func TestFailuresAreInOrder(t *testing.T) {
	f := &following{outages: map[string]outage{}}
	for _, operation := range strings.Fields("read write fetch commit append list describe create") {
		f.Failed(operation, errors.New("no"), time.Unix(0, 0))
	}
	if got := f.failures(); len(got) != 8 || !slices.IsSorted(got) || got[0] != "append fails since 1970-01-01T00:00:00Z: no" {
		t.Errorf("%q", got)
	}
}
