package stream

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
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

// defects are those of each call of the parts that observe, as a panic and as a hang.
func defects(calls map[string]int64) (all []*defect) {
	for name, after := range calls {
		part, call, _ := strings.Cut(name, " ")
		for _, hangs := range []bool{false, true} {
			all = append(all, &defect{part: part, call: call, after: after, hangs: hangs, woken: make(chan struct{})})
		}
	}
	return all
}

func (d *defect) String() string {
	if d.hangs {
		return d.part + " hangs in " + d.call
	}
	return d.part + " panics in " + d.call
}

// disturbed runs a job with a defect over lines that come bit by bit, and ends it.
func disturbed(t *testing.T, world *memory, options Options, lines []string, d *defect) *Stream {
	t.Helper()
	options.UntilEnd = false
	s := New(world, options)
	s.probe = d.probe
	b := letRun(t, s)
	for chunk := range slices.Chunk(lines, 50) {
		world.put(testTopics.Input, 0, chunk...)
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
	job := func() (*memory, Options) {
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
	for _, d := range defects(map[string]int64{"monitor observe": 1200, "monitor save": 8, "monitor report": 10, "releases observe": 1237, "releases offer": 6,
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

// watchedAliases checks of each alias of the releases whether it says that nobody watches it, and counts them.
func watchedAliases(t *testing.T, world *memory, options Options, unwatched bool) (n int) {
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
