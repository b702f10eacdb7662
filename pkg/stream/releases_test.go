package stream

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/envelope"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/internal/owner"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/release"
)

// easily is a section release by which versions become stable after some hundred records.
func easily() release.Config {
	return release.Config{Limit: .95, Delta: .9, MinimumRecords: 10, MinimumLabels: 100, CoolDown: 1}
}

// releasing is a job of a few thousand records that publishes and promotes often.
func releasing(records int) (*clustertest.Memory, Options) {
	world := newWorld(1)
	world.Put(testTopics.Input, 0, adultLines()[:records]...)
	world.Batch = 64
	options := testOptions()
	options.Model.Learner.Warmup = 50
	options.Snapshot, options.Publish = Cadence{Records: 200}, Cadence{Records: 150}
	options.Decoders, options.KeepVersions = 1, 1
	options.Release = easily()
	options.Model.Constraints = nil // nothing but losses decides, and that soon
	return world, options
}

// inStages runs a job over records that come bit by bit, so that it publishes as often as it may, and ends it.
func inStages(t *testing.T, world *clustertest.Memory, options Options, lines []string) *Stream {
	t.Helper()
	b := inBackground(t, world, options)
	for chunk := range slices.Chunk(lines, 50) {
		world.Put(testTopics.Input, 0, chunk...)
		time.Sleep(time.Second)
	}
	if err := b.end(); err != nil {
		t.Fatal(err)
	}
	return b.Stream
}

// stepsOf are the steps in the history, which is whole.
func stepsOf(t *testing.T, world *clustertest.Memory, options Options) []history.ReleaseStep {
	t.Helper()
	audit, err := AuditHistory(t.Context(), world, testTopics, options.Job, history.Period{Until: time.Now().Add(time.Hour)}, time.Hour, nil)
	if err != nil || !audit.Chain.Whole {
		t.Fatalf("history %+v, %v", audit, err)
	}
	return audit.Releases
}

// machineOf restores the machine from the snapshot.
func machineOf(t *testing.T, world *clustertest.Memory, options Options) *release.Machine {
	t.Helper()
	s := New(world, options)
	now, err := owner.Read(t.Context(), s.owning())
	if err != nil {
		t.Fatal(err)
	}
	saved, err := decodeSnapshot(now.State)
	if err != nil {
		t.Fatal(err)
	}
	learner, err := s.options.restoreDecider(saved.learner)
	if err != nil {
		t.Fatal(err)
	}
	_, state := releaseState(t, saved.release)
	config := s.options.Release
	config.Regression = s.options.Model.Learner.Task == model.Regression
	machine, err := release.Restore(config, learner.Grouper(), state)
	if err != nil {
		t.Fatal(err)
	}
	return machine
}

// releaseState are header and machine of the section of the releases.
func releaseState(t *testing.T, section []byte) (header, machine []byte) {
	t.Helper()
	header, machine, err := envelope.Section(section)
	if err != nil {
		t.Fatal(err)
	}
	return header, machine
}

// agrees checks that topic, history and state tell the same: aliases point where the machine says, to documents that are
// there; and the history holds every step of the machine, once and in order. It returns the steps.
func agrees(t *testing.T, world *clustertest.Memory, options Options) []history.ReleaseStep {
	t.Helper()
	m := machineOf(t, world, options)
	models, err := ReadModels(t.Context(), world, testTopics.Model, options.Job)
	if err != nil {
		t.Fatal(err)
	}
	there := map[modeltopic.Place]string{}
	for _, d := range models.Versions {
		there[d.Place()] = d.WeightsSHA256
	}
	now := m.Aliases()
	for name, version := range map[string]release.Version{StableAlias: now.Stable, CandidateAlias: now.Candidate, PreviousAlias: now.Previous} {
		alias, pointed := models.Aliases[name]
		if pointed == version.IsZero() || pointed && (alias.Term != version.Term || alias.Version != version.Version || alias.WeightsSHA256 != version.SHA256) {
			t.Errorf("alias %s is %+v, and the state says %v", name, alias, version)
		}
		if pointed && there[alias.Place()] != alias.WeightsSHA256 {
			t.Errorf("alias %s points to %d/%d, which is not there", name, alias.Term, alias.Version)
		}
	}
	for _, version := range m.Kept() {
		if there[placeOf(version)] != version.SHA256 {
			t.Errorf("version %v is needed, and is not there", version)
		}
	}
	steps := stepsOf(t, world, options)
	if options.Topics.Events != "" {
		sameEvents(t, world, options.Topics, auditOf(t, world, options.Topics))
	}
	var stable string
	for i, s := range steps {
		if s.Number != int64(i)+1 {
			t.Errorf("step %d of the history has number %d", i+1, s.Number)
		}
		if s.To != nil {
			stable = s.To.WeightsSHA256
		}
	}
	if report := m.Report(); report.Steps != int64(len(steps)) || report.Stable.SHA256 != stable {
		t.Errorf("the machine took %d steps, the history has %d; stable is %v, in the history %.12s", report.Steps, len(steps), report.Stable, stable)
	}
	return steps
}

func kinds(steps []history.ReleaseStep) map[string]int {
	count := map[string]int{}
	for _, s := range steps {
		count[s.Step]++
	}
	return count
}

func TestAVersionBecomesStable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := releasing(0)
		options.Model = adultModel()
		var told events
		options.Notify = told.add
		status := inStages(t, world, options, adultLines()[:5000]).Status()
		steps := agrees(t, world, options)
		if first := steps[0]; first.Record < first.Version.Version {
			t.Errorf("the first version has %d records, and was frozen after %d", first.Version.Version, first.Record)
		}
		if n := kinds(steps)["promoted"]; n < 3 {
			t.Fatalf("%d promotions: %+v", n, kinds(steps))
		}
		if r := status.Releases; r == nil || r.Stable.IsZero() || r.Previous.IsZero() || len(r.Roles) < 3 {
			t.Errorf("the status says %+v", r)
		}
		if got := of[Released](&told); len(got) != len(steps) {
			t.Errorf("%d steps were told, and %d are in the history", len(got), len(steps))
		}
		for _, s := range steps {
			if s.Step != "promoted" {
				continue
			}
			for _, g := range s.Gates {
				if g.Decides && g.Status != "met" || g.Name == "comparison" && (g.Value == nil || g.Lo == nil || *g.Lo < -.95 || *g.Hi > .95) {
					t.Errorf("promoted with gate %+v", g)
				}
			}
			if len(s.Gates) < 3 || s.Record < 100 {
				t.Errorf("promoted at record %d by %d gates", s.Record, len(s.Gates))
			}
		}
	})
}

// TestRecordsWithoutFeaturesAreDecided: a record may have nothing but its label.
func TestRecordsWithoutFeaturesAreDecided(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := releasing(0)
		lines := slices.Clone(adultLines()[:1500])
		for i := 1000; i < len(lines); i += 2 {
			lines[i] = `{"income": ">50K"}`
		}
		s := inStages(t, world, options, lines).Status()
		if s.Version != 1500 || s.Releases.Record != 1500 || s.Releases.Records < 1300 {
			t.Errorf("%d records learnt, %d observed up to %d", s.Version, s.Releases.Records, s.Releases.Record)
		}
	})
}

func TestNothingIsReleasedUnlessEnabled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := releasing(1500)
		options.Release.Enabled = new(bool)
		if status := run(t, world, options).Status(); status.Releases != nil {
			t.Errorf("%+v", status.Releases)
		}
		models, err := ReadModels(t.Context(), world, testTopics.Model, "adult")
		if err != nil || len(models.Aliases) != 1 || len(whole(t, world, testTopics).Releases) > 0 {
			t.Errorf("aliases %v, %v", slices.Collect(maps.Keys(models.Aliases)), err)
		}
	})
}

// TestReleasesRestWhileSwitchedOff: what is stable, barred and pinned holds again when release.enabled is true again. Meanwhile readers stay with the
// stable version, and the status shows that releases are off.
func TestReleasesRestWhileSwitchedOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := releasing(0)
		inStages(t, world, options, adultLines()[:2000])
		before := machineOf(t, world, options).Report()
		if before.Stable.IsZero() || before.Previous.IsZero() {
			t.Fatalf("too little was promoted for a test: %+v", before)
		}
		for _, action := range []string{Rollback, Pin} {
			if _, err := Ask(t.Context(), world, options, Request{Action: action, Reason: "a test", Actor: "ada"}, Asking{Wait: time.Minute, Claim: true}); err != nil {
				t.Fatal(err)
			}
		}
		before = machineOf(t, world, options).Report()
		off := options
		off.Release.Enabled = new(bool)
		var told events
		off.Notify = told.add
		status := inStages(t, world, off, adultLines()[2000:3000]).Status()
		if status.Releases != nil || status.Unmoved == nil || status.Unmoved.Version != before.Stable.Version {
			t.Errorf("switched off: %+v, unmoved %+v", status.Releases, status.Unmoved)
		}
		if !slices.ContainsFunc(told.all, func(e Event) bool {
			u, is := e.(StableUnmoved)
			return is && u.Off && u.Version == before.Stable.Version
		}) {
			t.Error("nobody was told that readers stay with the stable version")
		}
		status = inStages(t, world, options, adultLines()[3000:4000]).Status()
		after := agreesReport(t, world, options)
		if after.Stable != before.Stable || !after.Pinned || !slices.Equal(after.Barred, before.Barred) || len(after.Barred) != 1 || status.Unmoved != nil {
			t.Errorf("switched on again: %+v, before %+v", after, before)
		}
		if after.Records <= before.Records {
			t.Errorf("%d records decided, %d before", after.Records, before.Records)
		}
	})
}

// TestTwoRollbacksAtOnceAreOne: two persons who see the same bad version and ask without a version bar that one only.
func TestTwoRollbacksAtOnceAreOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := releasing(0)
		inStages(t, world, options, adultLines()[:3000])
		before := machineOf(t, world, options).Aliases()
		b := inBackground(t, world, options)
		time.Sleep(time.Second)
		answers := make(chan error)
		for range 2 {
			go func() {
				_, err := Ask(t.Context(), world, options, Request{Action: Rollback, Reason: "a test", Actor: "ada"}, Asking{Wait: time.Minute})
				answers <- err
			}()
		}
		done, refused := <-answers, <-answers
		if done != nil {
			done, refused = refused, done
		}
		if done != nil || refused == nil || !strings.Contains(refused.Error(), "another request or step came first") {
			t.Errorf("answers %v and %v", done, refused)
		}
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
		report := agreesReport(t, world, options)
		if report.Stable != before.Previous || len(report.Barred) != 1 || report.Barred[0] != before.Stable.SHA256 {
			t.Errorf("stable %v, barred %q; before %+v", report.Stable, report.Barred, before)
		}
		// One after the other, each is carried out.
		if _, err := Ask(t.Context(), world, options, Request{Action: Rollback, Reason: "a test", Actor: "ada"}, Asking{Wait: time.Minute, Claim: true}); err != nil {
			t.Error(err)
		}
	})
}

// agreesReport is the report of a machine whose topic, history and state agree.
func agreesReport(t *testing.T, world *clustertest.Memory, options Options) *release.Report {
	t.Helper()
	agrees(t, world, options)
	return machineOf(t, world, options).Report()
}

// TestADocumentThatIsGone: the machine is told, with a step in the history, and the job goes on.
func TestADocumentThatIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := releasing(0)
		inStages(t, world, options, adultLines()[:1500])
		stable := machineOf(t, world, options).Aliases().Stable
		log := world.Topics[testTopics.Model].Partitions[0]
		for i := range log.Records {
			if string(log.Records[i].Key) == modeltopic.DocumentKey("adult", placeOf(stable)) {
				log.Records[i] = kafka.Message{Key: []byte("removed")}
			}
		}
		world.Put(testTopics.Input, 0, adultLines()[1500:1510]...)
		run(t, world, options)
		r := machineOf(t, world, options).Report()
		if steps := stepsOf(t, world, options); kinds(steps)["gone"] != 1 || r.Guard == nil || !r.Guard.Gone || r.Stable != stable {
			t.Errorf("steps %v, stable %+v", kinds(steps), r.Guard)
		}
	})
}

// TestAliasesOfReleasesAreRepaired: somebody else moves an alias of the releases, and the owner moves it back.
func TestAliasesOfReleasesAreRepaired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := releasing(0)
		inStages(t, world, options, adultLines()[:1500])
		move := func() {
			now := machineOf(t, world, options).Aliases()
			to := Alias{Term: now.Candidate.Term, Version: now.Candidate.Version, WeightsSHA256: now.Candidate.SHA256, Key: modeltopic.DocumentKey("adult", placeOf(now.Candidate))}
			value, err := json.Marshal(to)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := world.Append(t.Context(), testTopics.Model, 0, kafka.Message{Key: []byte("adult/stable"), Value: value}, kafka.Message{Key: []byte("adult/previous")}); err != nil {
				t.Fatal(err)
			}
		}
		move()
		var told events
		options.Notify = told.add
		b := inBackground(t, world, options)
		time.Sleep(time.Second)
		agrees(t, world, options)
		move()
		time.Sleep(repairEvery + time.Second)
		agrees(t, world, options)
		if err := b.end(); err != nil || len(of[AliasRepaired](&told)) != 2 {
			t.Errorf("repaired %+v, %v", of[AliasRepaired](&told), err)
		}
	})
}

// TestAForgedOwnerIsTold: an alias that claims a later owner is told once, and the next start outranks it.
func TestAForgedOwnerIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := releasing(0)
		inStages(t, world, options, adultLines()[:1500])
		var told events
		options.Notify = told.add
		b := inBackground(t, world, options)
		time.Sleep(time.Second)
		const forged = 1000
		now := machineOf(t, world, options).Aliases().Stable
		message := modeltopic.MoveAlias("adult", StableAlias, forged, modeltopic.Target{Place: modeltopic.Place{Term: now.Term, Version: now.Version}, SHA256: now.SHA256}, nil)
		if _, err := world.Append(t.Context(), testTopics.Model, 0, message); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3*repairEvery + time.Second)
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
		if all := of[Outranked](&told); len(all) != 1 || all[0].Term != forged || all[0].Own >= forged {
			t.Errorf("told %+v", all)
		}
		b = inBackground(t, world, options)
		time.Sleep(3*repairEvery + time.Second)
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
		if all := of[Outranked](&told); len(all) != 1 {
			t.Errorf("told %+v after another start", all)
		}
	})
}

// TestADamagedAliasIsRefusedAndRepaired: it ends no job, neither while one runs nor before it starts, and readers of the topic are told.
func TestADamagedAliasIsRefusedAndRepaired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := releasing(0)
		inStages(t, world, options, adultLines()[:1500])
		before := aliasesOn(t, world)
		damage := func(name, value string) {
			if _, err := world.Append(t.Context(), testTopics.Model, 0, kafka.Message{Key: []byte("adult/" + name), Value: []byte(value)}); err != nil {
				t.Fatal(err)
			}
			models, err := ReadModels(t.Context(), world, testTopics.Model, "adult")
			if err != nil || models.Aliases[name] != before[name] || len(models.Refused) == 0 || !strings.Contains(models.Refused[0].Reason, "models prune") {
				t.Errorf("%s: aliases %v, refused %v, %v", name, models.Aliases, models.Refused, err)
			}
		}
		damage("stable", "\xff{")
		damage("latest", `{"term":9000000000000000000,"version":1,"weights_sha256":"","key":"adult/v/9000000000000000000/1"}`)
		damage("canary", `[]`) // nobody's
		var told events
		options.Notify = told.add
		b := inBackground(t, world, options)
		time.Sleep(time.Second)
		agrees(t, world, options)
		before = aliasesOn(t, world)
		damage("stable", `{"term":1,"version":1,"weights_sha256":"","key":"other/v/1/1"}`)
		time.Sleep(repairEvery + time.Second)
		agrees(t, world, options)
		if err := b.end(); err != nil {
			t.Error(err)
		}
		models, err := ReadModels(t.Context(), world, testTopics.Model, "adult")
		if err != nil || models.Aliases[LatestAlias].Version != models.Newest().Version {
			t.Errorf("%v, %v", models.Aliases, err)
		}
		if n := len(of[ModelRefused](&told)); n != 4 {
			t.Errorf("%d records refused", n)
		}
	})
}

func placeOf(v release.Version) modeltopic.Place {
	return modeltopic.Place{Term: v.Term, Version: v.Version}
}
