package stream

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/owner"
	"github.com/fairstream/fairstream/pkg/document"
)

func standbyOptions() Options {
	_, options := shortRun(1)
	options.UntilEnd = false
	options.Standby, options.StandbyTimeout = true, 10*time.Second
	return options
}

// lineage are the versions of the snapshots that count.
func lineage(t *testing.T, world *clustertest.Memory) (versions []int64) {
	t.Helper()
	_, err := owner.Verify(t.Context(), owner.Settings{Log: world, Topic: testTopics.State, Job: "adult"}, func(_ owner.Reference, state []byte) []string {
		s, err := decodeSnapshot(state)
		if err != nil {
			t.Fatal(err)
		}
		versions = append(versions, s.Version)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return versions
}

// oneLineage: versions never fall, no version was published with two sums, and the history is whole.
func oneLineage(t *testing.T, world *clustertest.Memory) {
	t.Helper()
	if len(world.Topics[testTopics.Model].Partitions[0].Records) > 0 {
		whole(t, world, testTopics)
	}
	versions := lineage(t, world)
	for i := 1; i < len(versions); i++ {
		if versions[i] < versions[i-1] {
			t.Fatalf("the versions of the snapshots that count fall: %v", versions)
		}
	}
	sums := map[int64]string{}
	for _, message := range world.Topics[testTopics.Model].Partitions[0].Records {
		if !strings.Contains(string(message.Key), "/v/") || message.Value == nil {
			continue
		}
		parsed, err := document.Parse(message.Value)
		if err != nil {
			t.Fatal(err)
		}
		if known := sums[parsed.Version]; known != "" && known != parsed.WeightsSHA256 {
			t.Fatalf("version %d has two sums", parsed.Version)
		}
		sums[parsed.Version] = parsed.WeightsSHA256
	}
}

func undisturbed(t *testing.T) outcome {
	world, options := shortRun(1)
	run(t, world, options)
	return outcomeOf(t, world)
}

// TestStandbyTakesOverFromASilentOwner: the owner is paused in the middle. The standby has the job after the timeout,
// and the owner, once it wakes, ends.
func TestStandbyTakesOverFromASilentOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		want := undisturbed(t)
		world, _ := shortRun(1)
		log := world.Topics[testTopics.Input].Partitions[0]
		rest := log.Records[200:]
		log.Records = log.Records[:200:200]
		paused := &clustertest.Pausable{Memory: world}
		first := inBackground(t, paused, standbyOptions())
		time.Sleep(time.Second)
		second := inBackground(t, world, standbyOptions())
		time.Sleep(time.Second)
		if a, b := first.Status().Phase, second.Status().Phase; a != PhaseLearning || b != PhaseStandby {
			t.Fatalf("phases %s and %s", a, b)
		}
		time.Sleep(time.Hour) // a quiet input is no silence
		if second.Status().Phase != PhaseStandby {
			t.Fatal("the standby took over from a healthy owner")
		}
		paused.Pause()
		for _, message := range rest {
			world.Put(testTopics.Input, 0, string(message.Value))
		}
		time.Sleep(7 * time.Second) // the last sign of life was at most 2.5 s earlier
		if second.Status().Phase != PhaseStandby {
			t.Fatal("the standby was too quick")
		}
		time.Sleep(4 * time.Second)
		if status := second.Status(); status.Phase != PhaseLearning || status.Claim.Term != 2 {
			t.Fatalf("after the timeout: %s, term %d", status.Phase, status.Claim.Term)
		}
		paused.Resume()
		var superseded *owner.Superseded
		if err := <-first.result; !errors.As(err, &superseded) {
			t.Errorf("the owner that woke up: %v", err)
		}
		time.Sleep(time.Minute)
		if err := second.end(); err != nil {
			t.Fatal(err)
		}
		if got := outcomeOf(t, world); !got.equal(want) {
			t.Errorf("learnt %+v, undisturbed %+v", got, want)
		}
		oneLineage(t, world)
	})
}

// TestStandbyTakesOverFromAnOwnerThatLeaves: at once, as in a rolling update, and again and again.
func TestStandbyTakesOverFromAnOwnerThatLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		want := undisturbed(t)
		world, _ := shortRun(1)
		log := world.Topics[testTopics.Input].Partitions[0]
		all := log.Records
		log.Records = nil
		paused := inBackground(t, world, standbyOptions())
		time.Sleep(time.Second)
		for i := range 5 {
			next := inBackground(t, world, standbyOptions())
			for _, message := range all[i*80 : (i+1)*80] {
				world.Put(testTopics.Input, 0, string(message.Value))
			}
			time.Sleep(time.Second)
			if err := paused.end(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			if phase := next.Status().Phase; phase != PhaseLearning {
				t.Fatalf("update %d: a second after its owner left the job has a process in phase %s", i, phase)
			}
			paused = next
		}
		time.Sleep(time.Second)
		if err := paused.end(); err != nil {
			t.Fatal(err)
		}
		if got := outcomeOf(t, world); !got.equal(want) {
			t.Errorf("learnt %+v, undisturbed %+v", got, want)
		}
		oneLineage(t, world)
	})
}

// TestOneOfManyStandbysTakesOver: five wait, the owner falls silent, one has the job and four wait on.
func TestOneOfManyStandbysTakesOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, _ := shortRun(1)
		paused := &clustertest.Pausable{Memory: world}
		first := inBackground(t, paused, standbyOptions())
		time.Sleep(time.Second)
		var others []*background
		for range 5 {
			others = append(others, inBackground(t, world, standbyOptions()))
		}
		time.Sleep(time.Second)
		paused.Pause()
		time.Sleep(15 * time.Second)
		phases := map[Phase]int{}
		for _, b := range others {
			phases[b.Status().Phase]++
		}
		if phases[PhaseLearning] != 1 || phases[PhaseStandby] != 4 {
			t.Errorf("phases %v", phases)
		}
		paused.Resume()
		if err := <-first.result; err == nil {
			t.Error("the owner that woke up goes on")
		}
		for _, b := range others { // one that stands by ends with the error of its context, a learner with none
			if err := b.end(); err != nil && !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}
		oneLineage(t, world)
	})
}

// anOwnerAndItsStandby have a failure. Who ends is started again, as an orchestrator does.
func anOwnerAndItsStandby(t *testing.T) (func(*testing.T, *failure), func(*testing.T)) {
	want := undisturbed(t)
	return func(t *testing.T, f *failure) {
		world, _ := shortRun(1)
		f.in(world, nil)
		var processes [2]*background
		for k := range processes {
			processes[k] = inBackground(t, world, standbyOptions())
			time.Sleep(50 * time.Millisecond)
		}
		for range 40 {
			time.Sleep(time.Second)
			for k, b := range processes {
				select {
				case err := <-b.result:
					if !errors.Is(err, clustertest.ErrInjected) {
						t.Fatalf("%s: a process ended with %v", f, err)
					}
					processes[k] = inBackground(t, world, standbyOptions())
				default:
				}
			}
		}
		f.end() // no fault while they end
		learners := 0
		for _, b := range processes {
			if b.Status().Phase == PhaseLearning {
				learners++
			}
		}
		if learners != 1 {
			t.Fatalf("%s: %d processes learn", f, learners)
		}
		for _, b := range processes {
			if err := b.end(); err != nil && !errors.Is(err, context.Canceled) {
				t.Fatalf("%s: at the end %v", f, err)
			}
		}
		oneLineage(t, world)
		if got := outcomeOf(t, world); !got.equal(want) {
			t.Errorf("learnt %+v, undisturbed %+v", got, want)
		}
	}, nothingMore
}

// TestStandbyKnowsHowOftenItsOwnerBeats: an owner with a longer timeout beats less often, and keeps its job while its
// input is quiet. One without heartbeats cannot be told from a dead one: that is said, and it loses the job.
func TestStandbyKnowsHowOftenItsOwnerBeats(t *testing.T) {
	for _, test := range []struct {
		name  string
		owner func(*Options)
		beats int64
		lasts bool
	}{
		{"a longer timeout", func(o *Options) { o.StandbyTimeout = time.Minute }, 15_000, true},
		{"a shorter timeout", func(o *Options) { o.StandbyTimeout = time.Second }, 250, true},
		{"no standby", func(o *Options) { o.Standby = false }, 0, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				world, _ := shortRun(1)
				options := standbyOptions()
				test.owner(&options)
				paused := &clustertest.Pausable{Memory: world}
				first := inBackground(t, paused, options)
				time.Sleep(time.Second)
				var told events
				options = standbyOptions()
				options.Notify = told.add
				second := inBackground(t, world, options)
				time.Sleep(5 * time.Second)
				if standing := of[StandingBy](&told); len(standing) != 1 || standing[0].Owner.BeatMillis != test.beats {
					t.Errorf("told %+v", standing)
				}
				time.Sleep(time.Hour)
				if lasts := second.Status().Phase == PhaseStandby; lasts != test.lasts {
					t.Fatalf("the standby is in phase %s", second.Status().Phase)
				}
				if test.lasts {
					paused.Pause()
					time.Sleep(62 * time.Second)
					if phase := second.Status().Phase; phase != PhaseLearning {
						t.Errorf("after a minute of silence: %s", phase)
					}
					paused.Resume()
				}
				var superseded *owner.Superseded
				if err := <-first.result; !errors.As(err, &superseded) {
					t.Errorf("the first: %v", err)
				}
				if err := second.end(); err != nil {
					t.Error(err)
				}
				oneLineage(t, world)
			})
		})
	}
}
