package stream

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/intake"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/internal/owner"
	"github.com/fairstream/fairstream/pkg/release"
)

// TestRandomDrives drives whole streams through random drifts, late labels, orders, restarts, ends and changed settings. Learning never ends, no
// record is lost or counted twice, the weights are those of a learner without a stream, and releases, history, events and aliases agree. The seeds
// are 0 to 7, with -short 0; FAIRSTREAM_TEST_DRIVES is another number of them, and FAIRSTREAM_TEST_DRIVE the only one.
func TestRandomDrives(t *testing.T) {
	from, to := 0, 8
	happens := []string{"promoted", "rejected", "alarm", "marked", "restarted", "inquiry", "inquiry without a step", "killed", "carried out", "late label"}
	if testing.Short() {
		to, happens = 1, nil
	}
	if n, err := strconv.Atoi(os.Getenv("FAIRSTREAM_TEST_DRIVES")); err == nil {
		to = n
	}
	if to >= 500 {
		happens = append(happens, "superseded", "gone", "handed over", "withdrawn", "cleared", "rolled_back", "paused", "resumed", "pinned", "unpinned", "share halved")
	}
	if n, err := strconv.Atoi(os.Getenv("FAIRSTREAM_TEST_DRIVE")); err == nil {
		from, to, happens = n, n+1, nil
	}
	count := map[string]int{}
	for seed := from; seed < to && !t.Failed(); seed++ {
		fmt.Println("random drive of seed", seed) // a panic of another goroutine does not name the test
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { newDrive(t, uint64(seed), count).run() })
		})
	}
	t.Logf("%d drives: %v", to-from, count)
	if t.Failed() {
		return
	}
	for _, what := range happens {
		if count[what] == 0 {
			t.Errorf("%s: never in %d drives", what, to-from)
		}
	}
}

// drive is one stream.
type drive struct {
	*testing.T
	random  *rand.Rand
	world   *clustertest.Memory
	options Options
	b       *background
	count   map[string]int
	law     law
	until   int             // the law holds until so many records are made
	made    int             // records
	owed    []owedLabel     // the next one first
	came    []coming        // what a learner without a stream is given
	steady  bool            // no setting of the learner has changed
	seen    *release.Report // that was looked at last
	away    bool            // releases are switched off
	ended   context.Context // the test's
}

func newDrive(t *testing.T, seed uint64, count map[string]int) *drive {
	d := &drive{T: t, random: rand.New(rand.NewPCG(seed, 24)), count: count, world: newWorld(1), steady: true, ended: t.Context()}
	d.options = drivenOptions(d.random)
	d.law = law{.5, .5, .5, .97, .7, .03} // versions are fair, and use z
	d.world.Batch = 16 + d.random.IntN(200)
	d.options.Notify = func(e Event) {
		if stopped, is := e.(PartStopped); is {
			t.Errorf("%+v", stopped)
		}
	}
	return d
}

// once says whether something happens that has one chance in so many.
func (d *drive) once(in int) bool { return d.random.IntN(in) == 0 }

func (d *drive) run() {
	records := 3000 + d.random.IntN(4000)
	if d.once(8) {
		records = 15_000 + d.random.IntN(40_000) // an inquiry takes 10,000 to 20,000
	}
	calm := 1 + records/2000 // long drives are disturbed more rarely
	d.until = records / 4
	d.start()
	for d.made < records && !d.Failed() {
		d.put(20 + d.random.IntN(200))
		time.Sleep(time.Second)
		d.look()
		if d.made >= d.until {
			d.law = drawLaw(d.random)
			d.until = d.made + 300 + int(float64(records)*math.Pow(d.random.Float64(), 3)/2)
		}
		switch {
		case d.once(6 * calm):
			d.order(Asking{Wait: time.Minute})
		case d.once(20 * calm):
			d.stop()
			d.rest()
			d.start()
		case d.once(40 * calm):
			d.kill()
			d.start()
		case d.options.Standby && d.once(30*calm):
			d.handOver()
		}
	}
	if d.away {
		d.stop()
		d.away, d.options.Release.Enabled = false, nil
		d.start()
	}
	time.Sleep(3 * time.Second)
	d.stop()
	d.verify()
}

func (d *drive) start() {
	d.b = inBackground(d.T, d.world, d.options)
	d.await()
}

// await waits until the process learns. A standby waits for the owner that was killed.
func (d *drive) await() {
	d.seen = nil
	for range 60 {
		if time.Sleep(time.Second); d.b.Status().Phase == PhaseLearning {
			return
		}
	}
	d.Fatalf("does not learn: %+v", d.b.Status())
}

// handOver lets a standby that follows the state take over.
func (d *drive) handOver() {
	next := inBackground(d.T, d.world, d.options)
	for range 3 {
		d.put(100)
		time.Sleep(time.Second)
	}
	d.stop()
	d.b = next
	d.await()
	d.count["handed over"]++
}

func (d *drive) stop() {
	if err := d.b.end(); err != nil {
		d.Fatal(err)
	}
}

// rest is what may happen while no process runs.
func (d *drive) rest() {
	if d.once(3) && !d.away {
		d.order(Asking{Wait: time.Minute, Claim: true})
	}
	if d.once(2) && !d.away {
		d.remove()
	}
	if d.away {
		d.away, d.options.Release.Enabled = false, nil
		return
	}
	switch d.random.IntN(6) {
	case 0, 1:
		redraw(d.random, &d.options)
	case 2:
		d.away, d.options.Release.Enabled = true, new(bool)
	case 3:
		d.options.Model.Constraints = slices.Clone(d.options.Model.Constraints)
		d.options.Model.Constraints[0].Tau *= .9
		d.steady = false
	}
}

// look counts what is going on, and finds out whether learning has ended.
func (d *drive) look() {
	select {
	case err := <-d.b.result:
		d.Fatalf("learning has ended: %v", err)
	default:
	}
	now := d.b.Status().Releases
	if now == nil || now.Guard == nil {
		return
	}
	if before := d.seen; before != nil && before.Guard != nil && before.Guard.Inquiry != now.Guard.Inquiry {
		if now.Guard.Inquiry {
			d.count["inquiry"]++
		}
		if before.Steps == now.Steps {
			d.count["inquiry without a step"]++
		}
	}
	if now.Share < d.options.Release.Share {
		d.count["share halved"]++
	}
	d.seen = now
}

// order asks for something; that it is refused is no failure.
func (d *drive) order(how Asking) {
	r := Request{Action: owner.RequestActions[d.random.IntN(len(owner.RequestActions))], Reason: "a drive", Actor: "ada"}
	if slices.Contains([]string{Promote, Rollback, Pin}, r.Action) && d.once(2) {
		models, err := ReadModels(d.ended, d.world, testTopics.Model, d.options.Job)
		if err != nil {
			d.Fatal(err)
		}
		if n := len(models.Versions); n > 0 {
			one := &models.Versions[d.random.IntN(n)]
			r.Term, r.Version = one.Term, one.Version
		}
	}
	_, err := Ask(d.ended, d.world, d.options, r, how)
	var refused *RequestRefused
	var unanswered *Unanswered
	switch {
	case err == nil:
		d.count["carried out"]++
	case errors.As(err, &unanswered):
		d.Fatal(err)
	case errors.As(err, &refused):
		d.count["refused"]++
	default:
		d.count["not asked"]++
		d.Log(err)
	}
}

// kill ends the process at one of its next writes, before its effect or after: nothing that it writes then arrives.
func (d *drive) kill() {
	writes, after := 1+d.random.IntN(12), d.once(2)
	dead := false
	d.inject(func(operation string) clustertest.Fault {
		if !strings.HasPrefix(operation, "append ") {
			return clustertest.Fault{}
		}
		if writes--; writes > 0 {
			return clustertest.Fault{}
		}
		first := !dead
		dead = true
		return clustertest.Fault{Err: clustertest.ErrFatal, After: first && after}
	})
	for range 20 {
		d.put(100)
		time.Sleep(time.Second)
		select {
		case err := <-d.b.result:
			if !errors.Is(err, clustertest.ErrInjected) {
				d.Fatalf("killed: %v", err)
			}
			d.count["killed"]++
			d.inject(nil)
			return
		default:
		}
	}
	d.inject(nil)
	d.stop()
}

func (d *drive) inject(f func(string) clustertest.Fault) {
	d.world.Mutex.Lock()
	defer d.world.Mutex.Unlock()
	d.world.Inject = f
}

// remove deletes a document that releases need, but for that of the stable version.
func (d *drive) remove() {
	m := machineOf(d.T, d.world, d.options)
	kept := m.Kept()
	kept = slices.DeleteFunc(kept, func(v release.Version) bool { return v == m.Aliases().Stable })
	if len(kept) == 0 {
		return
	}
	at := placeOf(kept[d.random.IntN(len(kept))])
	log := d.world.Topics[testTopics.Model].Partitions[0]
	for i := range log.Records {
		if string(log.Records[i].Key) == modeltopic.DocumentKey(d.options.Job, at) {
			log.Records[i] = kafka.Message{Key: []byte("removed")}
		}
	}
}

// verify compares what is left with what went in.
func (d *drive) verify() {
	d.Helper()
	status, input := d.b.Status(), d.world.Topics[testTopics.Input].Partitions[0]
	end := int64(len(input.Records))
	ledger := status.Partitions[0]
	sum := intake.Tally{Count: ledger.Learnt.Count + ledger.Kept.Count + ledger.Rejected.Count, Sum: ledger.Learnt.Sum + ledger.Kept.Sum + ledger.Rejected.Sum}
	if sum != intake.TallyOf(0, 0, end) || ledger.Next != end || ledger.Lost != 0 || status.Version != int64(len(d.came)) {
		d.Errorf("of %d records, %d and their labels count, and %d did: %+v", end, len(d.came), status.Version, ledger)
	}
	if d.steady && !d.Failed() {
		if got, want := newest(d.T, d.world), countedWith(d.T, d.options.Model, d.came); got.Version != status.Version || got.WeightsSHA256 != want {
			d.Errorf("weights %.12s of version %d, and without a stream %.12s of %d", got.WeightsSHA256, got.Version, want, status.Version)
		}
	}
	options := d.options
	if !d.steady { // under another tau the monitor of decisions starts counting its events again
		options.Topics.Events = ""
	}
	for kind, n := range kinds(agrees(d.T, d.world, options)) {
		d.count[kind] += n
	}
	d.count["records"] += int(end)
}
