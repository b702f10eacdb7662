package owner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
)

// failing has one operation of a world fail for good, the one before which so many succeed, and says whether it was reached.
func failing(world *clustertest.Memory, after int) (reached func() bool) {
	left := after
	world.Inject = func(string) clustertest.Fault {
		if left--; left == -1 {
			return clustertest.Fault{Err: clustertest.ErrFatal}
		}
		return clustertest.Fault{}
	}
	return func() bool { return left < 0 }
}

// saved is a world with a snapshot, whose owner has left.
func saved(t *testing.T) *clustertest.Memory {
	world := newWorld()
	p := start(t, settingsOf(world))
	p.save(t, 1, []byte("section"))
	p.leave(t)
	return world
}

// TestOperationsThatFailAreToldOf, whichever call of Kafka fails for good.
func TestOperationsThatFailAreToldOf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		taken := func(t *testing.T, world *clustertest.Memory) *Job {
			j, err := Take(t.Context(), settingsOf(world), anything)
			if err != nil {
				t.Fatal(err)
			}
			return j
		}
		pieces, err := Snapshot(header{1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for name, prepare := range map[string]func(t *testing.T, world *clustertest.Memory) func() error{
			"take": func(t *testing.T, world *clustertest.Memory) func() error {
				return func() error { _, err := Take(t.Context(), settingsOf(world), anything); return err }
			},
			"verify": func(t *testing.T, world *clustertest.Memory) func() error {
				return func() error {
					_, err := Verify(t.Context(), settingsOf(world), func(Reference, []byte) []string { return nil })
					return err
				}
			},
			"reply": func(t *testing.T, world *clustertest.Memory) func() error {
				j := taken(t, world)
				return func() error { return j.Reply(t.Context(), []Answer{{ID: "a"}, {ID: "b"}}) }
			},
			"save": func(t *testing.T, world *clustertest.Memory) func() error {
				j := taken(t, world)
				next, _ := j.Next()
				j.journal.last = next // it counts already
				return func() error {
					n, err := j.Save(t.Context(), next, pieces)
					if (n == 1) != (err == nil) || n > 1 {
						t.Errorf("%d parts are saved, %v", n, err)
					}
					return err
				}
			},
			"ask": func(t *testing.T, world *clustertest.Memory) func() error {
				a := &asking{follower: newFollower(settingsOf(world), false), how: Asking{Wait: time.Minute}, request: aRequest()}
				return func() error {
					if err := a.read(t.Context(), kafka.End); err != nil {
						return err
					}
					return a.send(t.Context())
				}
			},
		} {
			for n := 0; ; n++ {
				world := saved(t)
				do := prepare(t, world)
				reached := failing(world, n)
				err := do()
				if reached() != errors.Is(err, clustertest.ErrInjected) {
					t.Errorf("%s, operation %d fails: %v", name, n+1, err)
				}
				if !reached() {
					if err != nil || n == 0 {
						t.Errorf("%s: %v, after %d operations", name, err, n)
					}
					break
				}
			}
		}
		unnamed := errors.New("unnamed")
		if _, err := Ask(t.Context(), settingsOf(saved(t)), Asking{Wait: time.Minute}, func() (Request, error) { return Request{}, unnamed }, nil); !errors.Is(err, unnamed) {
			t.Errorf("a request without a name: %v", err)
		}
		cannot := errors.New("it cannot serve")
		if _, err := Ask(t.Context(), settingsOf(saved(t)), Asking{Wait: time.Minute, Claim: true}, func() (Request, error) { return aRequest(), nil }, func(context.Context) error { return cannot }); !errors.Is(err, cannot) {
			t.Errorf("nobody can take the place of the owner: %v", err)
		}
	})
}

// TestBeatsThatFail are not tried again if they may pass, and end the beating if they cannot.
func TestBeatsThatFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for fault, want := range map[*kafka.Error]error{clustertest.ErrRetryable: context.DeadlineExceeded, clustertest.ErrFatal: clustertest.ErrInjected} {
			world := newWorld()
			j, err := Take(t.Context(), onStandby(world), anything)
			if err != nil {
				t.Fatal(err)
			}
			world.Inject = func(string) clustertest.Fault { return clustertest.Fault{Err: fault} }
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			if err := j.Beat(ctx); !errors.Is(err, want) {
				t.Errorf("%v: %v", fault.Class, err)
			}
			cancel()
		}
	})
}

// TestAnOwnerMayBeSilent: an owner is not taken for dead before the timeout, or before four of its own intervals if these are longer. Any record
// from it restarts the clock.
func TestAnOwnerMayBeSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for beat, silence := range map[time.Duration]time.Duration{0: 10 * time.Second, 2 * time.Second: 10 * time.Second, time.Minute: 4 * time.Minute} {
			f := newFollower(settingsOf(newWorld()), false)
			if _, gone := f.silent(); !gone {
				t.Error("nobody owns the job, and is not gone")
			}
			f.journal.holder = Claim{Owner: "a", Term: 1, BeatMillis: beat.Milliseconds()}
			f.heard()
			for range 2 {
				time.Sleep(silence - 1)
				if quiet, gone := f.silent(); gone || quiet != silence-1 {
					t.Errorf("a beat every %v: gone %v after %v", beat, gone, quiet)
				}
				f.journal.signs++
				if quiet, gone := f.silent(); gone || quiet != 0 {
					t.Errorf("a beat every %v: gone %v, %v after a sign", beat, gone, quiet)
				}
			}
			time.Sleep(silence)
			if quiet, gone := f.silent(); !gone || quiet != silence {
				t.Errorf("a beat every %v: gone %v after %v", beat, gone, quiet)
			}
			f.heard()
			f.journal.left = true
			if _, gone := f.silent(); !gone {
				t.Error("an owner that left is there")
			}
		}
	})
}

// TestSnapshotsOfOthersInOurName end the wait for ours.
func TestSnapshotsOfOthersInOurName(t *testing.T) {
	j, err := Take(t.Context(), settingsOf(newWorld()), anything)
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		owner    string
		sequence int64
		says     string
	}{{j.claim.Owner, 5, ""}, {j.claim.Owner, 6, "snapshot 6 in the name of this process, whose last is 5"}, {j.claim.Owner, 4, "context canceled"}, {"another", 5, "context canceled"}, {"another", 6, "context canceled"}} {
		j.journal.last = Reference{Owner: c.owner, Sequence: c.sequence}
		if err := j.await(ended, 5); (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// spread is one of two processes, which may take what the test says.
type spread struct {
	may func(holder Claim, free bool) bool
}

func (spread) Process() string { return "process 2" }

func (s spread) May(_ string, holder Claim, free bool) bool { return s.may(holder, free) }

// TestSharedJobs are claimed with the name of the process, and once its share allows it: a job that is free waits, and one that is not is taken.
func TestSharedJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld()
		s := onStandby(world)
		asked := 0
		s.Spread = spread{func(holder Claim, free bool) bool {
			asked++
			return asked > 4 && free && holder.Term == 0
		}}
		told := &heard{}
		s.Listener = told
		first, err := Take(t.Context(), s, anything)
		if err != nil || first.Owner().Process != "process 2" || asked < 5 || told.taking != 0 || told.standing != 0 {
			t.Fatalf("%+v, %v, asked %d times", first.Owner(), err, asked)
		}
		s.Spread = spread{func(holder Claim, free bool) bool { return !free && holder.Owner == first.Owner().Owner }}
		began := time.Now()
		second, err := Take(t.Context(), s, anything)
		if told.taking != 1 || told.standing != 1 || told.leaving != 0 {
			t.Errorf("told %+v", told)
		}
		if err != nil || second.Owner().Term != 2 || time.Since(began) >= s.Timeout {
			t.Errorf("%+v, %v", second.Owner(), err)
		}
	})
}

// TestWhatVerifyCounts: claims that lost, snapshots that came too late, once each, and parts under the key of another.
func TestWhatVerifyCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld()
		late, err := Open(t.Context(), settingsOf(world))
		if err != nil {
			t.Fatal(err)
		}
		p := start(t, settingsOf(world))
		p.save(t, 1, nil)
		p.leave(t)
		var superseded *Superseded
		if err := late.Claim(t.Context(), 0); !errors.As(err, &superseded) {
			t.Errorf("a second claim of one term: %v", err)
		}
		pieces, err := Snapshot(header{1}, [][]byte{bytes.Repeat([]byte{7}, 2*partBytes)})
		if err != nil {
			t.Fatal(err)
		}
		put := func(key func(Part) []byte, r Reference) {
			parts := Parts("job", r, pieces)
			for i := range parts[:2] {
				value, err := parts[i].Seal()
				if err == nil {
					_, err = world.Append(t.Context(), testTopic, 0, kafka.Message{Key: key(parts[i]), Value: value})
				}
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		own := func(p Part) []byte { return p.Key(1) }
		put(own, Reference{Owner: late.claim.Owner, Term: 1, Sequence: 1})
		put(own, Reference{Owner: late.claim.Owner, Term: 1, Sequence: 2})
		put(func(Part) []byte {
			return Parts("job", Reference{Owner: p.claim.Owner, Term: 1, Sequence: 9}, pieces)[0].Key(1)
		}, Reference{Owner: late.claim.Owner, Term: 1, Sequence: 3})
		counted := 0
		account, err := Verify(t.Context(), settingsOf(world), func(Reference, []byte) []string {
			counted++
			return []string{"a problem"}
		})
		if err != nil || account.Claims != 1 || account.LostClaims != 1 || account.Snapshots != 1 || account.Late != 3 || counted != 1 {
			t.Errorf("%+v, %v", account, err)
		}
		said := strings.Join(account.Problems, "\n")
		if strings.Count(said, "stands under the key of another") != 2 || strings.Count(said, "a problem") != 1 {
			t.Errorf("%s", said)
		}
	})
}

// TestRecordsThatCannotBe: claims of no version, parts that disagree, and answers that are none; a job whose only snapshot is damaged does not begin from scratch.
func TestRecordsThatCannotBe(t *testing.T) {
	var newer *newerClaim
	for text, says := range map[string]string{`{"format_version":0}`: "format version 0", `{"format_version":2}`: "", "[": "not a claim"} {
		if _, err := decodeClaim([]byte(text)); err == nil || !strings.Contains(err.Error(), says) || errors.As(err, &newer) != (says == "") {
			t.Errorf("%s: %v", text, err)
		}
	}
	j := newJournal("job")
	c := Claim{Job: "job", Owner: "o", Term: 1}
	c.Term = 2
	later := []byte(`{"format_version":2,"job":"job","owner":"o","term":2}`)
	if err := j.follow(&kafka.Record{Offset: 7, Key: c.key(1), Value: later}); !errors.As(err, &newer) || !strings.HasPrefix(err.Error(), "offset 7 of the state topic: ") {
		t.Errorf("a claim of a newer program: %v", err)
	}
	j.holder = Claim{Job: "job", Owner: "o", Term: 1}
	r := Reference{Owner: "o", Term: 1, Sequence: 1}
	part := func(pieces [][]byte, at int) error {
		p := Parts("job", r, pieces)[at]
		value, err := p.Seal()
		if err != nil {
			t.Fatal(err)
		}
		return j.apply(p.Key(1), value)
	}
	if err := part([][]byte{make([]byte, 2*partBytes)}, 0); err != nil {
		t.Fatal(err)
	}
	if err := part([][]byte{make([]byte, 3*partBytes)}, 1); err == nil || !strings.Contains(err.Error(), "disagree on how many there are") {
		t.Errorf("%v", err)
	}
	if err := j.begin(); err != nil {
		t.Errorf("before there is a damaged snapshot: %v", err)
	}
	if err := part([][]byte{make([]byte, 2*partBytes)}, 1); err == nil || j.damaged == nil || len(j.pending) != 0 || !strings.Contains(err.Error(), "snapshot 1 of term 1: ") {
		t.Errorf("a damaged snapshot: %v, %v", err, j.damaged)
	}
	if err := j.begin(); err == nil || !strings.Contains(err.Error(), "fairstream state reset") {
		t.Errorf("%v", err)
	}
	j.state = []byte("an earlier one")
	if err := j.begin(); err != nil {
		t.Errorf("an earlier one is whole: %v", err)
	}
	var q requestLog
	q.pending = []Request{{ID: "a"}, {ID: "b"}}
	if q.forget("c") || !q.forget("a") || len(q.pending) != 1 {
		t.Errorf("%+v", q.pending)
	}
	key := answerKey("job", "b")
	if q.answer("job", key, []byte("[")); !q.useless[string(key)] || len(q.pending) != 1 || len(q.answered) != 0 {
		t.Errorf("an answer that is none: %+v", q)
	}
	if Hostname() == "" {
		t.Error(fmt.Errorf("a machine without a name"))
	}
}
