package observe

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/release"
)

// TestAVersionBecomesStable: decided by the panel, stepped from the snapshot, told to the history, and the aliases follow. The next owner goes on
// with what the topic holds.
func TestAVersionBecomesStable(t *testing.T) {
	j, first, second := promoted(t, easy())
	if got, want := j.aliases(), [3]int64{first.Version, second.Version, 0}; got != want {
		t.Fatalf("stable, candidate and previous are %v, want %v; steps %+v", got, want, j.steps)
	}
	var kinds []release.StepKind
	for _, s := range j.steps {
		kinds = append(kinds, s.Kind)
	}
	if !slices.Equal(kinds, []release.StepKind{release.Frozen, release.Promoted, release.Frozen}) {
		t.Errorf("steps %v", kinds)
	}
	report := j.Report()
	if report.Cut || report.Releases.Stable.SHA256 != first.WeightsSHA256 || report.Releases.Share != 1 || len(report.Monitored) != 1 || report.Monitored[0].Report.Records == 0 {
		t.Errorf("%+v", report)
	}
	if owed := j.Owed(); len(owed) == 0 || owed[len(owed)-1].Release.Step != string(release.Frozen) || owed[len(owed)-1].ID != "release/1/3" {
		t.Errorf("owed: %+v", owed)
	}
	j.start(2)
	if j.Steps() || len(j.releases.readers) != 2 || j.releases.term != 2 {
		t.Errorf("the history tells all steps, and a checkpoint is due: %v; %d documents were read", j.Steps(), len(j.releases.readers))
	}
	if alias, off := j.Unmoved(j.models); alias != nil || off {
		t.Errorf("this state moved the alias stable, and %+v, %v", alias, off)
	}
	j.promote()
	if got, want := j.aliases(), [3]int64{second.Version, 0, first.Version}; got != want {
		t.Errorf("stable, candidate and previous are %v, want %v", got, want)
	}
}

// TestAnOwnerTellsWhatTheHistoryLacks: a step of the snapshot that the owner before did not tell makes a checkpoint due.
func TestAnOwnerTellsWhatTheHistoryLacks(t *testing.T) {
	j, _, _ := promoted(t, easy())
	j.world.Again("history")
	j.start(2)
	if !j.Steps() {
		t.Error("the history lacks a step, and no checkpoint is due")
	}
	if taken := j.Take(j.number); len(taken.Steps.Told) > 0 || j.Steps() || j.releases.pending() {
		t.Errorf("after a checkpoint %v, told %v", j.Steps(), taken.Steps.Told)
	}
}

// TestADocumentThatIsGone cannot be decided by: the machine is told, and goes on.
func TestADocumentThatIsGone(t *testing.T) {
	for name, message := range map[string]func(key string) kafka.Message{
		"deleted":    func(key string) kafka.Message { return kafka.Message{Key: []byte(key)} },
		"unreadable": func(key string) kafka.Message { return kafka.Message{Key: []byte(key), Value: []byte("[")} },
	} {
		j, first, _ := promoted(t, easy())
		key := modeltopic.DocumentKey("adult", modeltopic.Place{Term: 1, Version: first.Version})
		if _, err := j.world.Append(t.Context(), "models", 0, message(key)); err != nil {
			t.Fatal(err)
		}
		j.world.Clean("models")
		j.start(2)
		if report := j.Report(); len(j.releases.readers) != 1 || report.Cut || report.Releases.Guard == nil || !report.Releases.Guard.Gone {
			t.Errorf("%s: %d readers, %+v", name, len(j.releases.readers), report.Releases.Guard)
		}
		j.learn(90)
	}
}

// TestOrdersOfAPerson: by name, by the alias that stood there, of a version that is read from the topic first, and why one is refused.
func TestOrdersOfAPerson(t *testing.T) {
	j, first, second := promoted(t, easy())
	one := release.Version{Term: 1, Version: first.Version, SHA256: first.WeightsSHA256}
	two := release.Version{Term: 1, Version: second.Version, SHA256: second.WeightsSHA256}
	unnamed := func(v release.Version) release.Version { v.SHA256 = ""; return v }
	refuse := func(want string, action release.Action, id string, at release.Version, byDefault bool) {
		t.Helper()
		made, err := j.order(action, id, at, byDefault)
		if err == nil || !strings.Contains(err.Error(), want) || len(made.Before) != len(made.After) {
			t.Errorf("%s: %v, want %q (%+v)", id, err, want, made)
		}
		if j.Steps() {
			t.Errorf("%s was refused, and a checkpoint is due", id)
		}
	}
	refuse("no longer does", release.Promote, "other candidate", one, true)
	refuse("no longer does", release.Rollback, "other previous", one, true)
	refuse("is not on the model topic", release.Promote, "unknown", release.Version{Term: 1, Version: 7}, false)
	wrong := two
	delete(j.releases.readers, two)
	wrong.SHA256 = "ab"
	refuse("have changed on the model topic", release.Promote, "changed", wrong, false)

	made, err := j.order(release.Promote, "a", unnamed(two), true)
	if err != nil || made.Before[modeltopic.Stable].Version != first.Version || made.After[modeltopic.Stable].Version != second.Version || made.After[modeltopic.Stable].WeightsSHA256 != two.SHA256 ||
		made.After[modeltopic.Stable].Key != modeltopic.DocumentKey("adult", modeltopic.Place{Term: 1, Version: second.Version}) || !j.Steps() {
		t.Fatalf("%+v, %v", made, err)
	}
	if _, there := made.After[modeltopic.Candidate]; there || made.After[modeltopic.Previous].Version != first.Version {
		t.Errorf("%+v", made.After)
	}
	j.checkpoint()
	if _, err := j.order(release.Promote, "a", unnamed(two), true); err != nil || j.Steps() {
		t.Errorf("an order that comes again: %v, a checkpoint is due: %v", err, j.Steps())
	}
	if _, err := j.order(release.Rollback, "b", one, true); err != nil {
		t.Error(err)
	}
	j.checkpoint()
	if got := j.aliases(); got[0] != first.Version {
		t.Errorf("aliases %v", got)
	}
	last := j.steps[len(j.steps)-1]
	if last.Kind != release.RolledBack || last.Actor != "a person" || last.Reason != "for a test" || last.Command != "b" {
		t.Errorf("%+v", last)
	}
	j.world.Inject = func(operation string) clustertest.Fault {
		if strings.HasPrefix(operation, "read models") {
			return clustertest.Fault{Err: clustertest.ErrFatal}
		}
		return clustertest.Fault{}
	}
	if _, err := j.order(release.Promote, "c", release.Version{Term: 1, Version: 9}, false); !errors.Is(err, clustertest.ErrInjected) || !strings.Contains(err.Error(), "version 1/9 could not be read") {
		t.Errorf("%v", err)
	}
	o := easy()
	no := false
	o.Release.Enabled = &no
	if _, err := newJob(t, o).order(release.Pause, "d", release.Version{}, false); !errors.Is(err, ErrNoReleases) {
		t.Errorf("%v", err)
	}
}

// TestAnAliasOfAnotherState: a state that began again does not move stable, says where it points, and names it to a person whom the machine refuses.
func TestAnAliasOfAnotherState(t *testing.T) {
	j, first, _ := promoted(t, easy())
	j.snapshot, j.learner, j.number = Saved{}, nil, 0
	j.start(2)
	alias, off := j.Unmoved(j.models)
	if alias == nil || off || alias.Version != first.Version {
		t.Fatalf("%+v, %v", alias, off)
	}
	if _, err := j.order(release.Rollback, "a", release.Version{}, true); err == nil || !strings.Contains(err.Error(), "the alias stable points to version 1/") {
		t.Errorf("%v", err)
	}
	j.checkpoint()
	if got := j.aliases(); got[0] != first.Version {
		t.Errorf("aliases %v", got)
	}
	no := false
	j.settings.Release.Enabled = &no
	j.start(3)
	if alias, off := j.Unmoved(j.models); alias == nil || !off {
		t.Errorf("releases are off: %+v, %v", alias, off)
	}
}

// TestReleasesThatRest: while they are off their section stays in the snapshots as it was, and holds again later.
func TestReleasesThatRest(t *testing.T) {
	j, first, _ := promoted(t, easy())
	section := j.snapshot.Release
	yes, no := true, false
	j.settings.Release.Enabled = &no
	j.start(2)
	if report := j.Report(); report.Releases != nil || report.Cut || len(j.Owed()) > 0 || j.Steps() {
		t.Errorf("%+v, owed %v, due %v", report, j.Owed(), j.Steps())
	}
	j.learn(90)
	if taken := j.Take(j.number); !bytes.Equal(taken.Release, section) || taken.Steps != nil {
		t.Errorf("the section changed: %+v", taken.Steps)
	}
	j.settings.Release.Enabled = &yes
	j.start(3)
	if report := j.Report(); report.Releases == nil || report.Releases.Stable.Version != first.Version {
		t.Errorf("%+v", report.Releases)
	}
}

// TestReleasesThatAreCutOff hold up nothing: snapshots hold them as they were, aliases say that nobody watches, and orders are refused.
func TestReleasesThatAreCutOff(t *testing.T) {
	j, first, second := promoted(t, easy())
	section := j.snapshot.Release
	j.releasing.Cut("for a test")
	since := j.releasing.Stopped().At
	if !j.Steps() {
		t.Error("no checkpoint is due")
	}
	j.learn(590)
	taken := j.checkpoint()
	if a := taken.Steps.Assigned; a.UnwatchedSince != since || a.Aliases[modeltopic.Stable].UnwatchedSince != since || a.Aliases[modeltopic.Stable].Version != first.Version ||
		a.Aliases[modeltopic.Candidate].Version != second.Version || len(a.Kept) != 2 || len(taken.Steps.Told)+len(taken.Steps.Steps) > 0 {
		t.Errorf("%+v", taken.Steps)
	}
	if alias, _ := j.models.Alias(modeltopic.Stable); !alias.UnwatchedSince.Equal(since) || alias.Version != first.Version {
		t.Errorf("%+v", alias)
	}
	if j.Steps() {
		t.Error("the last snapshot says so, and another one is due")
	}
	saved, machine := stateOf(taken.Release)
	before, machineBefore := stateOf(section)
	if saved == nil || len(saved.Steps) > 0 || len(before.Steps) == 0 || !bytes.Equal(machine, machineBefore) || *saved.Records != *before.Records {
		t.Errorf("%+v, before %+v", saved, before)
	}
	if _, err := j.order(release.Pause, "a", release.Version{}, false); err == nil || !strings.Contains(err.Error(), "stopped the releases since "+since.Format(time.RFC3339)) {
		t.Errorf("%v", err)
	}
	if _, err := j.order(release.Promote, "b", release.Version{Term: 1, Version: 7}, false); err == nil || !strings.Contains(err.Error(), "releases_stopped") {
		t.Errorf("%v", err)
	}
	if report := j.Report(); !report.Cut || report.Releases != nil || len(report.Monitored) != 1 {
		t.Errorf("%+v", report)
	}
	d, err := j.Draft()
	if err != nil || d.Make() != nil || d.tried != nil {
		t.Errorf("a document is tried: %+v, %v", d, err)
	}
	j.Offer(d)
	j.start(2)
	if report := j.Report(); report.Cut || report.Releases.Stable.Version != first.Version || j.releases.blind != j.number {
		t.Errorf("after a start: %+v, blind up to %d of %d", report.Releases, j.releases.blind, j.number)
	}
}

// TestAMonitorThatIsCutOff: snapshots hold it as it was, and the releases go on.
func TestAMonitorThatIsCutOff(t *testing.T) {
	j, _, _ := promoted(t, easy())
	section := j.snapshot.Monitor
	j.learn(10)
	if now := j.Take(j.number).Monitor; bytes.Equal(now, section) {
		t.Error("the section does not change with a record")
	} else {
		section = now
	}
	j.monitoring.Cut("for a test")
	j.learn(580)
	taken := j.checkpoint()
	if !bytes.Equal(taken.Monitor, section) || len(taken.Announcements) > 0 || j.BeganAgain() {
		t.Error("the section changed")
	}
	if report := j.Report(); len(report.Monitored) > 0 || report.Cut || report.Releases.Records == 0 {
		t.Errorf("%+v", report)
	}
}

// TestAPartThatPanicsIsCutOff, wherever it does; the other one and learning go on.
func TestAPartThatPanicsIsCutOff(t *testing.T) {
	for _, place := range []string{"monitor observe", "monitor save", "monitor report", "releases observe", "releases save", "releases offer", "releases try", "releases load", "releases command", "releases report"} {
		o := easy()
		var armed atomic.Bool
		o.Probe = func(part, call string) {
			if armed.Load() && part+" "+call == place {
				panic("for a test")
			}
		}
		j, _, _ := promoted(t, o)
		armed.Store(true)
		j.learn(90)
		j.publish()
		j.Report()
		j.order(release.Pause, "a", release.Version{}, false) //nolint:errcheck // it may be refused
		if strings.HasSuffix(place, "load") {
			j.start(2)
		}
		part, other := j.monitoring, j.releasing
		if strings.HasPrefix(place, PartReleases) {
			part, other = other, part
		}
		if part.Works() || !other.Works() || !strings.Contains(part.Stopped().Reason, "for a test") && part.Stopped().Stack == "" {
			t.Errorf("%s: works %v, the other %v", place, part.Works(), other.Works())
		}
		j.learn(100)
	}
}

// TestSectionsThatCannotBeRestored cut their part off, which Check tells before; the monitor of other models is all that its job does.
func TestSectionsThatCannotBeRestored(t *testing.T) {
	j, _, _ := promoted(t, easy())
	if problems := Check(j.settings, j.decider, j.snapshot); len(problems) > 0 {
		t.Errorf("%+v", problems)
	}
	good := j.snapshot
	for _, name := range []string{PartMonitor, PartReleases} {
		j.snapshot = good
		section, key := &j.snapshot.Monitor, "monitor.enabled"
		if name == PartReleases {
			section, key = &j.snapshot.Release, "release.enabled"
		}
		*section = (*section)[:len(*section)-1]
		problems := Check(j.settings, j.decider, j.snapshot)
		if len(problems) != 1 || problems[0].Part != name || problems[0].Key != key || problems[0].Err == nil {
			t.Errorf("%s: %+v", name, problems)
		}
		j.start(2)
		if monitor, releases := j.monitoring.Works(), j.releasing.Works(); monitor == (name == PartMonitor) || releases == (name == PartReleases) {
			t.Errorf("%s: the monitor works: %v, the releases: %v", name, monitor, releases)
		}
		j.learn(10)
		if taken := j.Take(j.number); name == PartMonitor && !bytes.Equal(taken.Monitor, *section) || name == PartReleases && !bytes.Equal(machineOf(taken.Release), machineOf(*section)) {
			t.Errorf("%s: a snapshot does not hold the section as it was", name)
		}
	}
	o := theirSettings()
	d, err := NewDecider(o.Model, o.Monitoring.Given)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(o, d, Saved{Monitor: []byte{0xff}}); err == nil || !strings.Contains(err.Error(), "a snapshot is damaged") {
		t.Errorf("%v", err)
	}
}

func machineOf(section []byte) []byte {
	_, machine := stateOf(section)
	return machine
}

// TestOtherComparisonsBeginAgain: the monitor says so, and nothing is counted of what was.
func TestOtherComparisonsBeginAgain(t *testing.T) {
	j, _, _ := promoted(t, easy())
	if counted, err := Counted(j.settings, j.decider, j.snapshot.Monitor); err != nil || len(counted) != 1 || counted[0].Report.Records == 0 || j.BeganAgain() {
		t.Errorf("%+v, %v", counted, err)
	}
	j.settings.Monitoring.Window++
	if _, err := Counted(j.settings, j.decider, j.snapshot.Monitor); !errors.Is(err, ErrOther) {
		t.Errorf("%v", err)
	}
	if _, err := Counted(j.settings, j.decider, []byte{0xff}); err == nil || errors.Is(err, ErrOther) {
		t.Errorf("%v", err)
	}
	j.start(2)
	if report := j.Report(); !j.BeganAgain() || report.Monitored[0].Report.Records != 0 || report.Monitored[0].Since != j.decider.Version() {
		t.Errorf("%v, %+v", j.BeganAgain(), report.Monitored[0])
	}
}

// TestStepsAreAnnounced with their numbers, gates and versions.
func TestStepsAreAnnounced(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	step := &release.Step{Number: 4, Kind: release.Promoted, Record: 900, Time: at, Version: release.Version{Term: 1, Version: 300, SHA256: "ab"}, Reason: "it met the gates", Actor: "p", Command: "c",
		Gates: []release.Gate{{Name: release.GateIntegrity, Decides: true, Records: 9, Value: .25, Lo: -1, Hi: 1, Limit: .5, Against: release.Version{Term: 1, Version: 200}}}}
	a := announcementOf(3, step)
	if r := a.Release; a.ID != "release/3/4" || r.Number != 4 || r.Step != "promoted" || r.Record != 900 || !r.EventTime.Equal(at) || *r.Version != (history.Weights{Term: 1, Version: 300, WeightsSHA256: "ab"}) ||
		r.From != nil || r.To != nil || r.Reason != step.Reason || r.Actor != "p" || r.Request != "c" || r.GatesLeftOut != 0 {
		t.Errorf("%+v", a)
	}
	if g := a.Release.Gates[0]; g.Name != "integrity" || !g.Decides || g.Records != 9 || *g.Value != .25 || *g.Lo != -1 || *g.Hi != 1 || *g.Limit != .5 || g.Against != "1/200" {
		t.Errorf("%+v", g)
	}
	step.Time = time.Time{}
	for n, left := range map[int]int{history.MostGates: 0, history.MostGates + 1: 1, history.MostGates + 5: 5} {
		step.Gates = make([]release.Gate, n)
		if r := announcementOf(3, step).Release; len(r.Gates) != history.MostGates || r.GatesLeftOut != left || r.EventTime != nil || r.Gates[0].Against != "" {
			t.Errorf("%d gates: %d told, %d left out", n, len(r.Gates), r.GatesLeftOut)
		}
	}
}
