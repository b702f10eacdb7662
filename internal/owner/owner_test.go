package owner

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
)

const testTopic = "state"

func newWorld() *clustertest.Memory { return clustertest.New(map[string]int{testTopic: 1}) }

func settingsOf(world *clustertest.Memory) Settings {
	return Settings{Log: world, Topic: testTopic, Job: "job", Program: "test", Timeout: 10 * time.Second}
}

// onStandby are settings of a process that waits for its turn.
func onStandby(world *clustertest.Memory) Settings {
	s := settingsOf(world)
	s.Standby = true
	return s
}

func anything(Standing) error { return nil }

// process is an owner that runs.
type process struct {
	*Job
	end   context.CancelFunc
	ended chan error // of Follow
	beats chan error // of Beat
}

func start(t *testing.T, s Settings) *process {
	t.Helper()
	job, err := Take(t.Context(), s, anything)
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	p := &process{job, end, make(chan error, 1), make(chan error, 1)}
	go func() { p.ended <- p.Follow(ctx) }()
	go func() { p.beats <- p.Beat(ctx) }()
	return p
}

// leave ends the process as one does that is told to stop.
func (p *process) leave(t *testing.T) {
	t.Helper()
	p.end()
	if err := <-p.ended; !errors.Is(err, context.Canceled) {
		t.Errorf("Follow ended with %v", err)
	}
	if err := <-p.beats; !errors.Is(err, context.Canceled) {
		t.Errorf("Beat ended with %v", err)
	}
	p.Leave()
}

type header struct {
	Version int `json:"version"`
}

// save saves a snapshot of one section.
func (p *process) save(t *testing.T, version int, section []byte) Reference {
	t.Helper()
	pieces, err := Snapshot(header{version}, [][]byte{section})
	if err != nil {
		t.Fatal(err)
	}
	next, _ := p.Next()
	if _, err := p.Save(t.Context(), next, pieces); err != nil {
		t.Fatal(err)
	}
	return next
}

// TestTheNextOwnerGoesOn: it has the bytes that the last one saved, its first snapshot follows that one, and what the last one still writes has no
// effect.
func TestTheNextOwnerGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld()
		first := start(t, settingsOf(world))
		if next, parent := first.Next(); next.Sequence != 1 || next.Term != 1 || parent != (Reference{}) {
			t.Errorf("first %+v behind %+v", next, parent)
		}
		first.save(t, 1, []byte("old"))
		large := bytes.Repeat([]byte{7}, 2*partBytes)
		saved := first.save(t, 2, large)
		if saved.Sequence != 2 {
			t.Errorf("saved %+v", saved)
		}
		second, err := Take(t.Context(), settingsOf(world), func(now Standing) error {
			var h header
			var section []byte
			if err := OpenSnapshot(now.State, &h, &section); err != nil {
				return err
			}
			if now.Last != saved || h.Version != 2 || !bytes.Equal(section, large) || now.Holder.Term != 1 {
				t.Errorf("the next owner reads version %d of %+v", h.Version, now.Last)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if next, parent := second.Next(); next.Sequence != 1 || next.Term != 2 || parent != saved {
			t.Errorf("its first is %+v behind %+v", next, parent)
		}
		var superseded *Superseded
		if err := <-first.ended; !errors.As(err, &superseded) || superseded.By.Term != 2 {
			t.Errorf("the first owner ended with %v", err)
		}
		bounded, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		next, _ := first.Next()
		pieces, err := Snapshot(header{3}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := first.Save(bounded, next, pieces); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a snapshot of an owner that lost the job: %v", err)
		}
		if now, err := Read(t.Context(), settingsOf(world)); err != nil || now.Last != saved || now.Holder.Term != 2 || now.Before.Term != 1 {
			t.Errorf("it stands %+v, %v", now, err)
		}
		first.end()
	})
}

// TestRefusedBeforeItClaims: a process that cannot go on from the state leaves no trace.
func TestRefusedBeforeItClaims(t *testing.T) {
	world, cannot := newWorld(), errors.New("other columns")
	if _, err := Take(t.Context(), settingsOf(world), func(Standing) error { return cannot }); err != cannot {
		t.Errorf("taken: %v", err)
	}
	if n := len(world.Topics[testTopic].Partitions[0].Records); n > 0 {
		t.Errorf("%d records were written", n)
	}
}

// TestCleanUp deletes what only earlier owners and snapshots needed, and nothing before the owner has a snapshot of its own.
func TestCleanUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld()
		for term := range 3 {
			p := start(t, settingsOf(world))
			before := len(world.Topics[testTopic].Partitions[0].Records)
			if err := p.Clean(t.Context()); err != nil {
				t.Fatal(err)
			}
			if n := len(world.Topics[testTopic].Partitions[0].Records); n != before {
				t.Errorf("term %d: %d records were written before a snapshot counted", term+1, n-before)
			}
			p.save(t, term, nil)
			p.save(t, term, nil)
			if err := p.Clean(t.Context()); err != nil {
				t.Fatal(err)
			}
			p.leave(t)
		}
		world.Clean(testTopic)
		count := map[string]int{}
		for _, r := range world.Topics[testTopic].Partitions[0].Records {
			if kind, _ := kindOf("job", r.Key); r.Value != nil {
				count[kind]++
			}
		}
		if count[claimKind] != 1 || count[stateKind] != 1 || count[beatKind] != 1 {
			t.Errorf("left on the topic: %v", count)
		}
	})
}

// heard is a Listener that counts.
type heard struct {
	deaf
	standing, taking, leaving int
	silent                    time.Duration
	garbage                   []int
}

func (h *heard) Garbage(_ []Garbage, all int)        { h.garbage = append(h.garbage, all) }
func (h *heard) StandingBy(_ Claim, _ time.Duration) { h.standing++ }
func (h *heard) TakingOver(_ Claim, d time.Duration, l bool) {
	h.taking, h.silent = h.taking+1, d
	if l {
		h.leaving++
	}
}

// TestStandby: a process waits while the owner gives signs of life, prepares each snapshot, and takes over at once from an owner that leaves, and
// after the timeout from one that is silent.
func TestStandby(t *testing.T) {
	for _, leaves := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			world := newWorld()
			first := start(t, onStandby(world))
			told := &heard{}
			s := onStandby(world)
			s.Listener = told
			var seen []Reference
			taken := make(chan error, 1)
			var second *Job
			go func() {
				var err error
				second, err = Take(t.Context(), s, func(now Standing) error {
					if len(seen) == 0 || seen[len(seen)-1] != now.Last {
						seen = append(seen, now.Last)
					}
					return nil
				})
				taken <- err
			}()
			time.Sleep(time.Hour)
			saved := first.save(t, 1, []byte("state"))
			time.Sleep(time.Second)
			select {
			case err := <-taken:
				t.Fatalf("it took over from a healthy owner: %v", err)
			default:
			}
			began := time.Now()
			if leaves {
				first.leave(t)
			} else {
				first.end()
			}
			if err := <-taken; err != nil {
				t.Fatal(err)
			}
			took := time.Since(began)
			if leaves && (took > 2*lookEvery || told.leaving != 1) || !leaves && (took < 7*time.Second || took > 11*time.Second || told.silent < s.Timeout || told.leaving != 0) {
				t.Errorf("the owner leaves: %t; taken after %v, %+v", leaves, took, told)
			}
			if second.Owner().Term != 2 || second.Owner().BeatMillis != 2500 || told.standing != 1 || told.taking != 1 || !slices.Equal(seen, []Reference{{}, saved}) {
				t.Errorf("claimed %+v, %+v, and saw %+v", second.Owner(), told, seen)
			}
		})
	}
}

// TestAsk: a request is answered by the owner; by who takes its place; by nobody; and it may be deleted.
func TestAsk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld()
		name := func() (Request, error) { return aRequest(), nil }
		never := func(context.Context) error { t.Error("its place was taken"); return nil }
		ask := func(how Asking, serve func(context.Context) error) (*Answer, error) {
			return Ask(t.Context(), settingsOf(world), how, name, serve)
		}
		if _, err := ask(Asking{Wait: time.Minute, Claim: true}, never); err == nil || !strings.Contains(err.Error(), "holds no state") {
			t.Errorf("without a state: %v", err)
		}
		answer := func(p *process, refuse string) {
			for len(p.Requests()) == 0 {
				time.Sleep(lookEvery)
			}
			a := Answer{ID: p.Requests()[0].ID, Term: p.Owner().Term}
			if refuse != "" {
				a.Refuse(refuse)
			}
			if err := p.Reply(t.Context(), []Answer{a}); err != nil {
				t.Error(err)
			}
		}
		p := start(t, settingsOf(world))
		p.save(t, 1, nil)
		go answer(p, "")
		if a, err := ask(Asking{Wait: time.Minute, Claim: true}, never); err != nil || a.Term != 1 {
			t.Errorf("answered: %+v, %v", a, err)
		}
		go answer(p, strings.Repeat("ä", mostRefused))
		var refused *RequestRefused
		if a, err := ask(Asking{Wait: time.Minute}, never); !errors.As(err, &refused) || len(a.Refused) > mostRefused {
			t.Errorf("refused: %v", err)
		}
		var none *Unanswered
		if _, err := ask(Asking{Wait: 5 * time.Second, Claim: true}, never); !errors.As(err, &none) || !none.Alive {
			t.Errorf("of an owner that is alive: %v", err)
		}
		p.leave(t)
		if _, err := ask(Asking{Wait: 5 * time.Second}, never); !errors.As(err, &none) || none.Alive || !none.Left {
			t.Errorf("of an owner that left: %v", err)
		}
		if now, err := Open(t.Context(), settingsOf(world)); err != nil || len(now.Requests()) != 0 {
			t.Errorf("%d requests were not withdrawn, %v", len(now.Requests()), err)
		}
		served := 0
		a, err := ask(Asking{Wait: time.Minute, Claim: true}, func(context.Context) error {
			served++
			p := start(t, settingsOf(world))
			answer(p, "")
			p.leave(t)
			return nil
		})
		if err != nil || a.Term != 2 || served != 1 {
			t.Errorf("served %d times: %+v, %v", served, a, err)
		}
		deleted := make(chan error, 1)
		go func() {
			_, err := ask(Asking{Wait: time.Minute}, never)
			deleted <- err
		}()
		time.Sleep(time.Second)
		reset, err := Open(t.Context(), settingsOf(world))
		if err == nil {
			err = reset.Claim(t.Context(), 10)
		}
		if err == nil {
			err = reset.Forget(t.Context())
		}
		if err != nil || reset.Owner().Term != 11 {
			t.Fatal(reset.Owner(), err)
		}
		if err := <-deleted; !errors.Is(err, ErrRequestDeleted) {
			t.Errorf("deleted: %v", err)
		}
		if now, err := Read(t.Context(), settingsOf(world)); err != nil || now.State != nil || now.Holder != reset.Owner() {
			t.Errorf("after a reset: %+v, %v", now, err)
		}
	})
}

// TestGarbageIsPassedOver, told, counted by Verify, and pruned.
func TestGarbageIsPassedOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, told := newWorld(), &heard{}
		s := settingsOf(world)
		s.Listener = told
		p := start(t, s)
		p.save(t, 1, []byte("state"))
		put := func(key, value string) {
			if _, err := world.Append(t.Context(), testTopic, 0, kafka.Message{Key: []byte(key), Value: []byte(value)}); err != nil {
				t.Fatal(err)
			}
		}
		put("job/beat/x", "no JSON")
		put("job/new/1", "{}")
		put("other/new/1", "{}")
		p.save(t, 2, []byte("state"))
		p.leave(t)
		if !slices.Equal(told.garbage, []int{0, 1, 2}) {
			t.Errorf("told of %v", told.garbage)
		}
		verify := func() *Account {
			a, err := Verify(t.Context(), s, func(r Reference, _ []byte) []string {
				if r.Sequence == 2 {
					return []string{"the second"}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		a := verify()
		if a.Claims != 1 || a.LostClaims != 0 || a.Snapshots != 2 || a.Late != 0 || a.Incomplete != 0 || a.Records != 6 || !a.Left || len(a.Problems) != 3 ||
			a.Problems[0] != "offset 5: the second" {
			t.Errorf("%+v", a)
		}
		for _, dry := range []bool{true, false} {
			if pruned, err := Prune(t.Context(), s, dry); err != nil || len(pruned) != 2 || pruned[0].Key != "job/beat/x" {
				t.Errorf("pruned %+v, %v", pruned, err)
			}
		}
		if a := verify(); len(a.Problems) != 1 {
			t.Errorf("afterwards %q", a.Problems)
		}
	})
}

// TestTheTopicIsMadeAgain: an owner that follows it ends, with the topic and the command.
func TestTheTopicIsMadeAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld()
		p := start(t, settingsOf(world))
		p.save(t, 1, nil)
		world.Again(testTopic)
		var lost *StateLost
		if err := <-p.ended; !errors.As(err, &lost) || lost.Topic != testTopic || !strings.Contains(err.Error(), "--begin-again") {
			t.Errorf("it ended with %v", err)
		}
		p.end()
	})
}
