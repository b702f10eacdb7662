package stream

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/bycommit"
	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/envelope"
	"github.com/fairstream/fairstream/internal/intake"
	"github.com/fairstream/fairstream/internal/owner"
)

// defect makes a call of a part panic or hang, after some calls went well.
type defect struct {
	part, call string
	after      int64
	hangs      bool

	calls atomic.Int64
	woken chan struct{} // closed when what hangs is to go on
}

func (d *defect) probe(part, call string) {
	if part != d.part || call != d.call || d.calls.Add(1) != d.after+1 {
		return
	}
	if !d.hangs {
		panic("stream: a defect of a test")
	}
	<-d.woken
}

// defects are those of each call of the parts that observe, as a panic and as a hang. The commit chooses one in three of them, with -short one in ten;
// make nightly has all.
func defects(t *testing.T, calls map[string]int64) (all []*defect) {
	t.Helper()
	for name, after := range calls {
		part, call, _ := strings.Cut(name, " ")
		for _, hangs := range []bool{false, true} {
			all = append(all, &defect{part: part, call: call, after: after, hangs: hangs, woken: make(chan struct{})})
		}
	}
	slices.SortFunc(all, func(a, b *defect) int { return strings.Compare(a.String(), b.String()) })
	share := 3
	if testing.Short() {
		share = 10
	}
	return bycommit.Some(t, "defects of "+t.Name(), all, share)
}

func (d *defect) String() string {
	if d.hangs {
		return d.part + " hangs in " + d.call
	}
	return d.part + " panics in " + d.call
}

// disturbed runs a job with a defect over lines that come bit by bit, and ends it.
func disturbed(t *testing.T, world *clustertest.Memory, options Options, lines []string, d *defect) *Stream {
	t.Helper()
	options.UntilEnd = false
	s := New(world, options)
	s.probe = d.probe
	b := letRun(t, s)
	for chunk := range slices.Chunk(lines, 50) {
		world.Put(testTopics.Input, 0, chunk...)
		time.Sleep(time.Second)
	}
	time.Sleep(time.Minute)
	if err := b.end(); err != nil {
		t.Fatal(err)
	}
	return b.Stream
}

// TestADefectOfAPartDoesNotEndLearning: the weights are those of an undisturbed run; the part is cut off, and said to be; aliases of releases that
// are cut off say that nobody watches them; and the next process goes on with the part.
func TestADefectOfAPartDoesNotEndLearning(t *testing.T) {
	lines := adultLines()[:3000]
	job := func() (*clustertest.Memory, Options) {
		world, options := releasing(0)
		options.Model = adultModel()
		options.Model.Learner.Warmup = 50
		return world, options
	}
	var want string
	synctest.Test(t, func(t *testing.T) {
		world, options := job()
		inStages(t, world, options, lines)
		want = newest(t, world).WeightsSHA256
	})
	for _, d := range defects(t, map[string]int64{"monitor observe": 1200, "monitor save": 8, "monitor report": 10, "releases observe": 1237, "releases try": 6, "releases offer": 6,
		"releases save": 8, "releases report": 20, "releases load": 0, "events make": 5}) {
		t.Run(d.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d.woken = make(chan struct{})
				world, options := job()
				var told events
				options.Notify = told.add
				s := disturbed(t, world, options, lines, d)
				if got := newest(t, world); got.WeightsSHA256 != want || got.Version != int64(len(lines)) {
					t.Errorf("version %d with weights %.12s, undisturbed %d with %.12s", got.Version, got.WeightsSHA256, len(lines), want)
				}
				stopped := of[PartStopped](&told)
				if len(stopped) != 1 || stopped[0].Part != d.part || !strings.Contains(stopped[0].Stack, "defect") || len(s.Status().Stopped) != 1 {
					t.Fatalf("told %+v, in the status %+v", stopped, s.Status().Stopped)
				}
				unwatched := watchedAliases(t, world, options, d.part == PartReleases)
				if d.part == PartReleases && d.call != "load" && unwatched == 0 {
					t.Error("no alias says that nobody watches it")
				}
				options.Notify = nil
				again := inStages(t, world, options, adultLines()[3000:4500])
				if stopped := again.Status().Stopped; len(stopped) > 0 {
					t.Errorf("the next process says %+v", stopped)
				}
				if again.Status().Monitored[0].Report.Records < 1000 || again.Status().Releases.Stable.IsZero() {
					t.Errorf("the next process has %+v and %+v", again.Status().Monitored, again.Status().Releases)
				}
				agrees(t, world, options)
				watchedAliases(t, world, options, false)
				close(d.woken) // what hung goes on, and changes nothing
				synctest.Wait()
				agrees(t, world, options)
				watchedAliases(t, world, options, false)
			})
		})
	}
}

// TestAStandbyTakesOverWhileAPartIsCutOff: the owner goes on without a part, and then falls silent. The standby has the part again from the
// last snapshot that it was well in; the weights are those of an undisturbed run.
func TestAStandbyTakesOverWhileAPartIsCutOff(t *testing.T) {
	lines := adultLines()[:3000]
	for _, d := range defects(t, map[string]int64{"monitor observe": 1200, "releases observe": 1237}) {
		t.Run(d.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d.woken = make(chan struct{})
				world, options := releasing(0)
				options.Model = adultModel()
				options.Model.Learner.Warmup = 50
				inStages(t, world, options, lines)
				want := newest(t, world).WeightsSHA256

				world, _ = releasing(0)
				options.UntilEnd, options.Standby, options.StandbyTimeout = false, true, 10*time.Second
				paused := &clustertest.Pausable{Memory: world}
				s := New(paused, options)
				s.probe = d.probe
				leader := letRun(t, s)
				time.Sleep(time.Second)
				standby := letRun(t, New(world, options))
				come := func(lines []string) {
					for chunk := range slices.Chunk(lines, 50) {
						world.Put(testTopics.Input, 0, chunk...)
						time.Sleep(time.Second)
					}
				}
				come(lines[:2000])
				time.Sleep(time.Minute)
				if stopped := leader.Status().Stopped; len(stopped) != 1 || stopped[0].Part != d.part || leader.Status().Version != 2000 {
					t.Fatalf("the owner learnt %d records, without %+v", leader.Status().Version, stopped)
				}
				paused.Pause()
				come(lines[2000:])
				time.Sleep(time.Minute)
				status := standby.Status()
				if status.Phase != PhaseLearning || status.Claim.Term != 2 || len(status.Stopped) > 0 {
					t.Fatalf("the standby is %s in term %d, without %+v", status.Phase, status.Claim.Term, status.Stopped)
				}
				paused.Resume()
				close(d.woken)
				var superseded *owner.Superseded
				if err := <-leader.result; !errors.As(err, &superseded) {
					t.Errorf("the owner ended with %v", err)
				}
				if err := standby.end(); err != nil {
					t.Fatal(err)
				}
				if got := newest(t, world); got.WeightsSHA256 != want || got.Version != int64(len(lines)) {
					t.Errorf("version %d with weights %.12s, undisturbed %d with %.12s", got.Version, got.WeightsSHA256, len(lines), want)
				}
				oneLineage(t, world)
				watchedAliases(t, world, options, false)
			})
		})
	}
}

// TestADefectWhileLabelsAreLate: the same of a job whose labels come later. Labels of records that the releases missed do not count for them.
func TestADefectWhileLabelsAreLate(t *testing.T) {
	var lines []string
	const delay = 40
	records := adultLines()[:1600]
	for i := range len(records) {
		unlabelled, _ := split(records[i], i)
		lines = append(lines, unlabelled)
		if i >= delay && i%10 > 0 { // some labels never come
			_, label := split(records[i-delay], i-delay)
			lines = append(lines, label)
		}
	}
	job := func() (*clustertest.Memory, Options) {
		world, options := releasing(0)
		options.Model = labelOptions().Model
		return world, options
	}
	var want string
	synctest.Test(t, func(t *testing.T) {
		world, options := job()
		inStages(t, world, options, lines)
		want = newest(t, world).WeightsSHA256
	})
	for _, d := range defects(t, map[string]int64{"monitor observe": 1500, "releases observe": 1537, "releases label": 700}) {
		t.Run(d.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d.woken = make(chan struct{})
				world, options := job()
				s := disturbed(t, world, options, lines, d)
				if got := newest(t, world); got.WeightsSHA256 != want || len(s.Status().Stopped) != 1 || s.Status().Stopped[0].Part != d.part {
					t.Errorf("version %d with weights %.12s, undisturbed %.12s; stopped %+v", got.Version, got.WeightsSHA256, want, s.Status().Stopped)
				}
				var saved struct{ Records, Blind int64 }
				var taken int64
				if d.part == PartReleases {
					now, err := owner.Read(t.Context(), s.owning())
					if err != nil {
						t.Fatal(err)
					}
					snapshot, err := decodeSnapshot(now.State)
					if err != nil {
						t.Fatal(err)
					}
					header, _ := releaseState(t, snapshot.release)
					if err := json.Unmarshal(header, &saved); err != nil {
						t.Fatal(err)
					}
					if taken = intake.Ledgers(snapshot.Partitions).Taken(); saved.Records >= taken {
						t.Errorf("the releases were cut off, and are saved as of record %d of %d", saved.Records, taken)
					}
				}
				var more []string
				for i, line := range adultLines()[1600:2600] {
					unlabelled, label := split(line, 10_000+i)
					more = append(more, unlabelled, label)
				}
				if again := inStages(t, world, options, more).Status(); len(again.Stopped) > 0 || again.Releases.Stable.IsZero() {
					t.Errorf("the next process says %+v, %+v", again.Stopped, again.Releases)
				}
				if d.part == PartReleases {
					now, err := owner.Read(t.Context(), s.owning())
					if err != nil {
						t.Fatal(err)
					}
					snapshot, err := decodeSnapshot(now.State)
					if err != nil {
						t.Fatal(err)
					}
					header, _ := releaseState(t, snapshot.release)
					if err := json.Unmarshal(header, &saved); err != nil || saved.Blind != taken {
						t.Errorf("labels of records up to %d do not count, and the releases missed those up to %d; %v", saved.Blind, taken, err)
					}
				}
				agrees(t, world, options)
				close(d.woken)
				synctest.Wait()
			})
		})
	}
}

// TestAPartThatCannotBeRestored: the job learns on without it, tells the steps of the snapshot once, finishes the moves of its aliases, and keeps what the
// snapshot held. state verify names it.
func TestAPartThatCannotBeRestored(t *testing.T) {
	for _, part := range []string{PartMonitor, PartReleases} {
		t.Run(part, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				world, options := releasing(0)
				options.Model = adultModel()
				options.Model.Learner.Warmup = 50
				// The first owner ends after a snapshot with a promotion, before the aliases move.
				promoted := false
				world.Inject = func(operation string) clustertest.Fault {
					if promoted = promoted || strings.Contains(operation, "append "+testTopics.Model) && strings.Contains(operation, "adult/stable"); promoted {
						return clustertest.Fault{Err: clustertest.ErrFatal}
					}
					return clustertest.Fault{}
				}
				b := inBackground(t, world, options)
				for chunk := range slices.Chunk(adultLines()[:3000], 50) {
					world.Put(testTopics.Input, 0, chunk...)
					time.Sleep(time.Second)
				}
				if err := b.end(); err == nil {
					t.Fatal("no alias stable was about to move")
				}
				world.Inject = nil
				damaged := damage(t, world, options, part)
				v, err := VerifyState(t.Context(), world, options)
				if err != nil || !slices.ContainsFunc(v.Problems, func(p string) bool {
					return strings.Contains(p, "the section "+part+" of the last snapshot") && strings.Contains(p, ".enabled: false")
				}) {
					t.Errorf("state verify says %+v, %v", v, err)
				}
				var told events
				options.Notify = told.add
				s := inStages(t, world, options, adultLines()[3000:3300])
				if stopped := of[PartStopped](&told); len(stopped) != 1 || stopped[0].Part != part || !strings.Contains(stopped[0].Reason, "cannot be restored") {
					t.Errorf("told %+v", stopped)
				}
				if got := newest(t, world); got.Version != 3300 || s.Status().Version != 3300 {
					t.Errorf("published %d, learnt %d", got.Version, s.Status().Version)
				}
				steps := stepsOf(t, world, options)
				for i, step := range steps {
					if step.Number != int64(i)+1 {
						t.Errorf("step %d of the history has number %d", i+1, step.Number)
					}
				}
				if part == PartMonitor {
					return
				}
				if kinds(steps)["promoted"] != 1 || watchedAliases(t, world, options, true) == 0 {
					t.Errorf("steps %v", kinds(steps))
				}
				if _, after := sectionsOf(t, world, options); !bytes.HasSuffix(after, damaged) {
					t.Error("the section is not kept as it was")
				}
			})
		})
	}
}

// sectionsOf are those of monitor and releases in the last snapshot.
func sectionsOf(t *testing.T, world *clustertest.Memory, options Options) (monitor, release []byte) {
	t.Helper()
	now, err := owner.Read(t.Context(), New(world, options).owning())
	if err != nil {
		t.Fatal(err)
	}
	s, err := decodeSnapshot(now.State)
	if err != nil {
		t.Fatal(err)
	}
	return s.monitor, s.release
}

// damage saves the last snapshot again, with a part that cannot be restored, and returns what is left of the part.
func damage(t *testing.T, world *clustertest.Memory, options Options, part string) (left []byte) {
	t.Helper()
	now, err := owner.Read(t.Context(), New(world, options).owning())
	if err != nil {
		t.Fatal(err)
	}
	s, err := decodeSnapshot(now.State)
	if err != nil {
		t.Fatal(err)
	}
	left = []byte("damaged")
	if part == PartMonitor {
		s.monitor = left
	} else {
		header, _ := releaseState(t, s.release)
		s.release = append(envelope.AppendSection(nil, header), left...)
	}
	s.Sequence++
	value, err := s.encode()
	if err != nil {
		t.Fatal(err)
	}
	forge(t, world, s.reference(), value)
	return left
}

// watchedAliases checks of each alias of the releases whether it says that nobody watches it, and counts them.
func watchedAliases(t *testing.T, world *clustertest.Memory, options Options, unwatched bool) (n int) {
	t.Helper()
	models, err := ReadModels(t.Context(), world, testTopics.Model, options.Job)
	if err != nil {
		t.Fatal(err)
	}
	for name, alias := range models.Aliases {
		if name == LatestAlias {
			continue
		}
		n++
		if alias.UnwatchedSince.IsZero() == unwatched {
			t.Errorf("alias %s is %+v, unwatched: %v", name, alias, unwatched)
		}
	}
	return n
}
