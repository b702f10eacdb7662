package story

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/server"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/stream"
)

// Scene is what the page of a job shows at a moment.
type Scene struct {
	At     time.Time
	Status *board.Status
	Series []*board.Series
	// Audit is of all that happened until then.
	Audit *history.Audit
}

// topics of the job.
var topics = stream.Topics{Input: "applications", Model: "models", State: "state", DeadLetter: "rejected", History: "history"}

// world is a job in a time and on a broker that are made up. All else is the program's.
type world struct {
	t       *testing.T
	cluster *clustertest.Memory
	options stream.Options
	rows    [][]string // the census records, in an order of their own
	next    int
	at      map[string]int // of their columns

	live *server.Live
	stop func()
	// drift changes a record on its way; nil: none.
	drift  func(map[string]any)
	scenes map[string][]*Scene
	halts  bool          // the process is to halt
	speed  int           // records a second while somebody looks
	every  time.Duration // how long a batch of records takes
}

// begin is when stories begin.
var begin = time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)

// tell runs a story to its end. Its clock moves only while nothing is to be done, so that days take seconds.
func tell(t *testing.T, c model.Config, plot func(*world)) (scenes map[string][]*Scene) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(begin))
		w := &world{t: t, cluster: clustertest.New(map[string]int{topics.Input: 2, topics.Model: 1, topics.State: 1, topics.DeadLetter: 1, topics.History: 1}), drift: func(map[string]any) {}, speed: 1, every: 10 * time.Minute, scenes: map[string][]*Scene{}}
		w.options = stream.Options{Job: "adult", Model: c, Topics: topics, Program: "v0.1.0", Service: "fairstream run", Config: stream.Config{
			Decoders: 1, Snapshot: stream.Cadence{Interval: 10 * time.Minute}, Publish: stream.Cadence{Interval: 2 * time.Hour}}}
		w.read()
		plot(w)
		w.end()
		scenes = w.scenes
	})
	return scenes
}

// read reads the census records and shuffles them.
func (w *world) read() {
	all, err := csv.NewReader(adult.Open()).ReadAll()
	if err != nil {
		w.t.Fatal(err)
	}
	w.at = map[string]int{}
	for i, name := range all[0] {
		w.at[strings.ReplaceAll(name, "_", "-")] = i
	}
	w.rows = all[1:]
	r := rand.New(rand.NewPCG(3, 11))
	r.Shuffle(len(w.rows), func(i, k int) { w.rows[i], w.rows[k] = w.rows[k], w.rows[i] })
}

// start starts a process, by somebody and for a reason, which may be empty.
func (w *world) start(actor, reason string) {
	w.options.Actor, w.options.Reason = actor, reason
	w.options.Configuration = w.configured()
	w.live = server.NewLive(server.NewMonitor(w.options.Program, w.options.Job), board.Run, w.options.Job, w.options.Model.WithDefaults())
	options := w.options
	options.Notify = w.live.Notify
	options.Look = func(value []byte) bool {
		w.live.Look(value)
		return true
	}
	learner := stream.New(w.cluster, options)
	w.live.Watch(learner.Status)
	ctx, cancel := context.WithCancel(w.t.Context())
	ended, followed := make(chan error, 1), make(chan struct{})
	go func() { ended <- learner.Run(ctx) }()
	go func() {
		defer close(followed)
		_ = stream.FollowHistory(ctx, w.cluster, topics.History, options.Job, 2000, w.live.Recall) // it ends with the context
	}()
	w.stop = func() {
		cancel()
		if err := <-ended; err != nil && !w.halts && !errors.Is(err, context.Canceled) {
			w.t.Error(err)
		}
		<-followed
	}
	time.Sleep(time.Second)
}

// configured is the configuration as the history has it.
func (w *world) configured() json.RawMessage {
	text, err := json.Marshal(map[string]any{"learner": w.options.Model.WithDefaults().Learner, "release": map[string]any{"cool_down": w.options.Release.CoolDown}})
	if err != nil {
		w.t.Fatal(err)
	}
	return text
}

// end ends the process, if there is one.
func (w *world) end() {
	if w.stop != nil {
		w.stop()
		w.stop = nil
	}
}

// rest ends the process, and lets time pass.
func (w *world) rest(how time.Duration) {
	w.end()
	time.Sleep(how)
}

// come lets so many records come, a batch each w.every, or each second if they take no longer than a minute.
func (w *world) come(records int, over time.Duration) {
	batches := max(1, int(over/w.every))
	if over <= time.Minute {
		batches = int(over / time.Second)
	}
	for i := range batches {
		from, to := records*i/batches, records*(i+1)/batches
		began, lasts := time.Now(), over/time.Duration(batches)
		time.Sleep(lasts)
		var lines [2][]string // by partition
		for k := from; k < to; k++ {
			at := began.Add(lasts * time.Duration(k-from+1) / time.Duration(to-from))
			lines[k%2] = append(lines[k%2], w.line(at))
		}
		for partition := range lines {
			w.cluster.Put(topics.Input, int32(partition), lines[partition]...)
		}
	}
	time.Sleep(5 * time.Second) // until what came is learnt, and measured
}

// line is the next record, of a time.
func (w *world) line(at time.Time) string {
	row := w.rows[w.next%len(w.rows)]
	w.next++
	fields := map[string]any{"at": at.UTC().Format(time.RFC3339)}
	for name, i := range w.at {
		fields[name] = row[i]
	}
	if w.next%50 == 0 { // an outcome that nobody learns of
		delete(fields, "income")
	}
	w.drift(fields)
	text, err := json.Marshal(fields)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(text)
}

// ask gives an order about releases.
func (w *world) ask(action, actor, reason string) {
	w.t.Helper()
	_, err := stream.Ask(w.t.Context(), w.cluster, w.options, stream.Request{Action: action, Actor: actor, Reason: reason}, stream.Asking{Wait: time.Minute})
	if err != nil {
		w.t.Error(err)
	}
}

// look lets records come at their speed, and keeps what the page shows then.
func (w *world) look(name string) *Scene {
	ctx, cancel := context.WithCancel(w.t.Context())
	followed := make(chan struct{})
	go func() {
		defer close(followed)
		w.live.Follow(ctx)
	}()
	w.come(12*w.speed, 12*time.Second)
	defer func() {
		cancel()
		<-followed
	}()
	return w.quiet(name)
}

// quiet keeps what the page shows now, as a moment of a name. It returns it, for what a story cannot bring about.
func (w *world) quiet(name string) *Scene {
	w.live.Status() // has the columns explained for the next time
	time.Sleep(time.Second)
	s := &Scene{At: time.Now().UTC(), Status: w.live.Status()}
	for i := range s.Status.Constraints {
		if series := w.live.Series(s.Status.Constraints[i].Key()); series != nil {
			s.Series = append(s.Series, series)
		}
	}
	var err error
	s.Audit, err = stream.AuditHistory(w.t.Context(), w.cluster, topics, w.options.Job, history.Period{Since: s.At.AddDate(0, 0, -7), Until: s.At}, time.Hour, nil)
	if err != nil {
		w.t.Error(err)
	}
	w.scenes[name] = append(w.scenes[name], s)
	return s
}

// edit changes the releases, for what a story cannot bring about.
func (s *Scene) edit(change func(*board.Release)) {
	r := *s.Status.Release
	if r.Guard != nil {
		g := *r.Guard
		r.Guard = &g
	}
	change(&r)
	s.Status.Release = &r
}
