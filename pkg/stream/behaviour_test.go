package stream

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/owner"
	"github.com/fairstream/fairstream/pkg/model"
)

// events collects what a stream tells.
type events struct {
	mutex sync.Mutex
	all   []Event
}

func (e *events) add(event Event) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.all = append(e.all, event)
}

// of gives the events of a type.
func of[T Event](e *events) []T {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	var found []T
	for _, event := range e.all {
		if one, ok := event.(T); ok {
			found = append(found, one)
		}
	}
	return found
}

// background is a stream that runs until it is told to stop.
type background struct {
	*Stream
	stop   context.CancelFunc
	result chan error
}

func inBackground(t *testing.T, cluster Cluster, options Options) *background {
	t.Helper()
	options.UntilEnd = false
	return letRun(t, New(cluster, options))
}

func letRun(t *testing.T, s *Stream) *background {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	b := &background{s, stop, make(chan error, 1)}
	go func() { b.result <- b.Run(ctx) }()
	return b
}

func (b *background) end() error {
	b.stop()
	return <-b.result
}

func TestLearnsOnAndDrainsWhenToldToStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(2)
		lines := adultLines()[:3000]
		var told events
		options := testOptions()
		options.Notify = told.add
		options.Snapshot, options.Publish = Cadence{Interval: 30 * time.Second}, Cadence{Interval: 10 * time.Second}
		b := inBackground(t, world, options)
		time.Sleep(time.Minute) // nothing comes, and nothing is saved but the beginning
		if saves := of[Saved](&told); len(saves) != 1 || len(of[Published](&told)) != 0 {
			t.Errorf("without records: %d snapshots, %d publications", len(saves), len(of[Published](&told)))
		}
		world.Put(testTopics.Input, 0, lines[:1500]...)
		world.Put(testTopics.Input, 1, lines[1500:2500]...)
		time.Sleep(11 * time.Second)
		if got := newest(t, world); got.Version != 2500 {
			t.Errorf("after a publishing interval the newest version is %d", got.Version)
		}
		status := b.Status()
		if status.Phase != PhaseLearning || status.Version != 2500 || len(status.Partitions) != 2 || status.Partitions[1].Lag() != 0 || status.Published != 2500 ||
			status.Snapshot.Version != 2500 || status.MeasuredVersion != 2500 {
			t.Errorf("status %+v", status)
		}
		world.Put(testTopics.Input, 0, lines[2500:]...)
		synctest.Wait()
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
		if got := newest(t, world); got.Version != 3000 || got.Lineage.Parent < 2500 || got.Lineage.Parent >= 3000 {
			t.Errorf("after stopping the newest version is %d, its parent %d", got.Version, got.Lineage.Parent)
		}
	})
}

func TestStopsInTimeWhenKafkaStaysAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		options := testOptions()
		options.ShutdownTimeout = 5 * time.Second
		b := inBackground(t, slow{world}, options)
		synctest.Wait()
		world.Put(testTopics.Input, 0, adultLines()[:200]...)
		synctest.Wait()
		world.Mutex.Lock()
		world.Inject = func(string) clustertest.Fault { return clustertest.Fault{Err: clustertest.ErrRetryable} }
		world.Mutex.Unlock()
		begin := time.Now()
		err := b.end()
		if !errors.Is(err, ErrShutdown) || time.Since(begin) != 5*time.Second {
			t.Errorf("after %v: %v", time.Since(begin), err)
		}
		world.Inject = nil
		run(t, world, options)
		if got := newest(t, world); got.Version != 200 {
			t.Errorf("after the next run the version is %d", got.Version)
		}
	})
}

// slow is a cluster that pauses before it tries again.
type slow struct{ *clustertest.Memory }

func (s slow) Retry(ctx context.Context, operation string, attempt func(context.Context) error) error {
	return s.Memory.Retry(ctx, operation, func(ctx context.Context) error {
		err := attempt(ctx)
		if err != nil {
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
			}
		}
		return err
	})
}

// Bounds tries again by itself, as that of Kafka does.
func (s slow) Bounds(ctx context.Context, topic string) (bounds []kafka.Bounds, err error) {
	err = s.Retry(ctx, "list offsets of "+topic, func(ctx context.Context) error {
		bounds, err = s.Memory.Bounds(ctx, topic)
		return err
	})
	return bounds, err
}

func TestASecondOwnerTakesOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		world.Put(testTopics.Input, 0, adultLines()[:300]...)
		options := testOptions()
		first := inBackground(t, world, options)
		synctest.Wait()
		second := inBackground(t, world, options)
		var superseded *owner.Superseded
		if err := <-first.result; !errors.As(err, &superseded) || superseded.By.Term != 2 || !strings.Contains(err.Error(), "one process at a time") {
			t.Errorf("the first owner ended with %v", err)
		}
		world.Put(testTopics.Input, 0, adultLines()[300:600]...)
		synctest.Wait()
		if err := second.end(); err != nil {
			t.Fatal(err)
		}
		if got := newest(t, world); got.WeightsSHA256 != plain(t, adultLines()[:600]).WeightsSHA256 {
			t.Errorf("version %d after the take-over has other weights than an undisturbed run", got.Version)
		}
	})
}

func TestAChangedConfiguration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := shortRun(1)
		run(t, world, options)
		before := len(world.Topics[testTopics.State].Partitions[0].Records)

		changed := options
		changed.Model.Learner.Window = 4096
		err := New(world, changed).Run(t.Context())
		var config *model.ConfigChanged
		if !errors.As(err, &config) || !slices.Equal(config.Keys, []string{"learner.window"}) || !strings.Contains(err.Error(), "state reset") {
			t.Errorf("a larger window: %v", err)
		}
		other := options
		other.Topics.Input = testTopics.DeadLetter
		var mismatch *ConfigMismatch
		if err := New(world, other).Run(t.Context()); !errors.As(err, &mismatch) || mismatch.Key != "topics.input" {
			t.Errorf("another input: %v", err)
		}
		if after := len(world.Topics[testTopics.State].Partitions[0].Records); after != before {
			t.Errorf("a refused job wrote %d records to the state topic", after-before)
		}

		allowed := options
		allowed.Model.Constraints = slices.Clone(options.Model.Constraints)
		allowed.Model.Constraints[0].Tau = .1
		run(t, world, allowed)
		if err := ResetState(t.Context(), world, testOptions()); err != nil {
			t.Fatal(err)
		}
		state, err := ReadState(t.Context(), world, testTopics.State, "adult")
		if err != nil || state.Snapshot != nil || state.Holder.Term != 3 {
			t.Fatalf("after a reset: snapshot %v, holder %+v, %v", state.Snapshot, state.Holder, err)
		}
		run(t, world, changed)
		state, err = ReadState(t.Context(), world, testTopics.State, "adult")
		if err != nil || state.Holder.Term != 4 || state.Snapshot.Version != 389 {
			t.Fatalf("after a reset and a run: snapshot %+v, holder %+v, %v", state.Snapshot, state.Holder, err)
		}
		if models, err := ReadModels(t.Context(), world, testTopics.Model, "adult"); err != nil || models.Newest().Term != 4 || models.Newest() == nil {
			t.Errorf("models %+v, %v", models.Newest(), err)
		}
	})
}

// TestAnotherStateTopic: a job whose state topic was changed does not begin unless it is asked to. Then it starts from
// scratch and says so, and readers follow what it publishes from then on.
func TestAnotherStateTopic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := shortRun(1)
		var told events
		options.Notify = told.add
		run(t, world, options)
		run(t, world, options)
		if warned := of[StateElsewhere](&told); len(warned) != 0 {
			t.Fatalf("a job that goes on is told %+v", warned)
		}
		before, err := ReadModels(t.Context(), world, testTopics.Model, "adult")
		if err != nil || before.Newest().Term != 1 { // the second run learnt nothing
			t.Fatalf("models %+v, %v", before, err)
		}

		moved := options
		moved.Topics.State = "state2"
		world.Make(moved.Topics.State, 1)
		var gone *StateGone
		if err := New(world, moved).Run(t.Context()); !errors.As(err, &gone) || gone.Version != 389 || gone.Term != 1 || !strings.Contains(err.Error(), "--begin-again") {
			t.Fatalf("without a state: %v", err)
		}
		if written := len(world.Topics["state2"].Partitions[0].Records); written != 0 {
			t.Errorf("the refused start wrote %d records", written)
		}
		again := moved
		again.BeginAgain = true
		run(t, world, again)
		want := StateElsewhere{Topics: moved.Topics, Version: 389, Term: 2}
		if warned := of[StateElsewhere](&told); len(warned) != 1 || warned[0] != want {
			t.Errorf("told %+v, want %+v", warned, want)
		}
		after, err := ReadModels(t.Context(), world, testTopics.Model, "adult")
		if err != nil || after.Newest().Term != 3 || after.Newest() == nil {
			t.Errorf("readers follow %+v, %v", after.Newest(), err)
		}
		// The versions of the new state are not above the published one, and are published all the same.
		if !slices.ContainsFunc(of[Published](&told), func(p Published) bool { return p.Term == 3 && p.Version <= 389 }) {
			t.Error("nothing was published of the state that started from scratch")
		}
		run(t, world, moved)
		if err := ResetState(t.Context(), world, moved); err != nil {
			t.Fatal(err)
		}
		run(t, world, moved)
		if warned := of[StateElsewhere](&told); len(warned) != 1 {
			t.Errorf("going on, and starting from scratch after a reset, are told: %+v", warned)
		}

		run(t, world, options) // back to the first state topic, which has an older snapshot
		want = StateElsewhere{Topics: options.Topics, Version: 389, Term: 6, Snapshot: true}
		if warned := of[StateElsewhere](&told); len(warned) != 2 || warned[1] != want {
			t.Errorf("told %+v, want %+v", warned, want)
		}
	})
}

// TestAnotherStateTopicAndOwner: weights of a later term may also be those of an owner who has just taken over.
func TestAnotherStateTopicAndOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := shortRun(1)
		var told events
		options.Notify = told.add
		overtaken := false
		world.Inject = func(operation string) clustertest.Fault {
			if len(of[Owned](&told)) == 1 && !overtaken && strings.HasPrefix(operation, "read models") {
				overtaken = true
				world.Mutex.Unlock()
				run(t, world, testOptions())
				world.Mutex.Lock()
			}
			return clustertest.Fault{}
		}
		var superseded *owner.Superseded
		if err := New(world, options).Run(t.Context()); !errors.As(err, &superseded) || superseded.By.Term != 2 || !overtaken {
			t.Errorf("the overtaken owner ended with %v", err)
		}
		if warned := of[StateElsewhere](&told); len(warned) != 0 {
			t.Errorf("told %+v", warned)
		}
	})
}

func TestResetStopsTheOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := shortRun(1)
		b := inBackground(t, world, options)
		synctest.Wait()
		if err := ResetState(t.Context(), world, testOptions()); err != nil {
			t.Fatal(err)
		}
		var superseded *owner.Superseded
		if err := <-b.result; !errors.As(err, &superseded) {
			t.Errorf("the owner ended with %v", err)
		}
	})
}

func TestStart(t *testing.T) {
	for _, test := range []struct {
		name  string
		start string
		want  int64
	}{
		{"earliest", Earliest, 90},
		{"latest", Latest, 40},
		{"a time", "1970-01-01T00:00:01.03Z", 60},
		{"a time to come", "1970-01-01T00:00:09.999Z", 40},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				world := newWorld(1)
				world.Put(testTopics.Input, 0, adultLines()[:50]...)
				world.Topics[testTopics.Input].Partitions[0].Start = 10 // as after some retention
				world.Topics[testTopics.Input].Partitions[0].Records = world.Topics[testTopics.Input].Partitions[0].Records[10:]
				options := testOptions()
				options.Start = test.start
				options.Model.Learner.MinimumRecords = 5 // so that so few records can be judged
				if test.start == Latest {                // where it begins is fixed by the first start
					if err := inBackground(t, world, options).endSoon(); err != nil {
						t.Fatal(err)
					}
				}
				if test.name == "a time to come" {
					if err := inBackground(t, world, options).endSoon(); err != nil {
						t.Fatal(err)
					}
				}
				world.Put(testTopics.Input, 0, adultLines()[50:90]...)
				s := run(t, world, options)
				want := test.want
				if test.name == "earliest" {
					want = 80 // the log begins at 10
				}
				if got := s.Status().Version; got != want {
					t.Errorf("learnt %d, want %d", got, want)
				}
			})
		})
	}
}

func (b *background) endSoon() error {
	synctest.Wait()
	return b.end()
}

func TestPublishesOnlyWhatCanBeJudged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		options := testOptions()
		var told events
		options.Notify = told.add
		options.Publish = Cadence{Interval: time.Second}
		options.Model.Learner.Warmup = 10
		var men, women []string
		for _, line := range adultLines()[:4000] {
			if strings.Contains(line, `"Female"`) {
				women = append(women, line)
			} else {
				men = append(men, line)
			}
		}
		b := inBackground(t, world, options)
		world.Put(testTopics.Input, 0, men[:1000]...)
		time.Sleep(30 * time.Second)
		if published := of[Published](&told); len(published) != 0 || len(of[Withheld](&told)) != 1 {
			t.Errorf("with men only: %d publications, told %d times", len(published), len(of[Withheld](&told)))
		}
		world.Put(testTopics.Input, 0, women[:500]...)
		time.Sleep(5 * time.Second)
		published := of[Published](&told)
		if len(published) != 1 || published[0].Version != 1500 || published[0].Measurements.Constraints[0].Status == "" {
			t.Errorf("%d publications", len(published))
		}
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
	})
}

func TestOldVersionsAreDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		options := testOptions()
		options.KeepVersions = 2
		options.Release.Enabled = new(bool)
		options.Publish = Cadence{Interval: time.Second}
		b := inBackground(t, world, options)
		for i := range 5 {
			world.Put(testTopics.Input, 0, adultLines()[i*200:(i+1)*200]...)
			time.Sleep(2 * time.Second)
		}
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
		models, err := ReadModels(t.Context(), world, testTopics.Model, "adult")
		if err != nil {
			t.Fatal(err)
		}
		if len(models.Versions) != 2 || models.Newest() == nil || models.Newest().Version != 1000 || models.Versions[0].Version < 600 {
			t.Errorf("%d versions, latest %+v", len(models.Versions), models.Newest())
		}
	})
}

// TestUntilEndLeavesWhatComesLater: records come between the look at the end and the first fetch.
func TestUntilEndLeavesWhatComesLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		lines := adultLines()
		world.Put(testTopics.Input, 0, lines[:250]...)
		late := true
		world.Inject = func(operation string) clustertest.Fault {
			if late && operation == "fetch "+testTopics.Input {
				late = false
				log := world.Topics[testTopics.Input].Partitions[0]
				for _, line := range lines[250:400] {
					log.Records = append(log.Records, kafka.Message{Timestamp: 1000, Value: []byte(line)})
				}
			}
			return clustertest.Fault{}
		}
		s := run(t, world, testOptions())
		if status := s.Status(); status.Version != 250 || status.Partitions[0].Next != 250 {
			t.Errorf("learnt %d, to offset %d", status.Version, status.Partitions[0].Next)
		}
		run(t, world, testOptions())
		if got, want := newest(t, world).WeightsSHA256, plain(t, lines[:400]).WeightsSHA256; got != want {
			t.Errorf("weights %s after the next run, want %s", got, want)
		}
	})
}
