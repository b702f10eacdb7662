package heartbeat

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
)

// TestSilenceAndForgetting: an instance is silent when three heartbeats did not come, forgotten an hour after the last one, and gone at once if it
// said that it ended.
func TestSilenceAndForgetting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &log{}
		r := NewReader(l, topic, job)
		l.put(t, beat("old", time.Now().Add(-Forget)))
		l.put(t, beat("b", time.Now()))
		l.put(t, beat("a", time.Now().Add(-20*time.Second)))
		l.put(t, beat("ended", time.Now()))
		is := func(want string) {
			t.Helper()
			if err := r.Read(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := names(r.Fleet.Known(time.Now())); got != want {
				t.Errorf("known: %s, want %s", got, want)
			}
		}
		is("a, b, ended")
		gone := beat("ended", time.Now())
		gone.Ended = true
		l.put(t, gone)
		time.Sleep(10 * time.Second)
		is("a, b") // 30 s and 10 s old
		time.Sleep(time.Millisecond)
		is("a silent, b")
		time.Sleep(Forget - 30*time.Second - 2*time.Millisecond)
		is("a silent, b silent")
		time.Sleep(time.Millisecond)
		is("b silent")
		l.put(t, beat("a", time.Now()))
		is("a, b silent")
		if ignored := r.Fleet.Ignored(); ignored != 0 {
			t.Errorf("%d are ignored", ignored)
		}
	})
}

// TestClocksThatAreAhead keep no instance for longer than one whose clock is right.
func TestClocksThatAreAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &log{}
		r := NewReader(l, topic, job)
		l.put(t, beat("ahead", time.Now().Add(1000*time.Hour)))
		if err := r.Read(t.Context()); err != nil {
			t.Fatal(err)
		}
		if all := r.Fleet.Known(time.Now()); len(all) != 1 || all[0].Heard.After(time.Now()) {
			t.Errorf("known: %+v", all)
		}
		time.Sleep(Forget)
		if all := r.Fleet.Known(time.Now()); len(all) != 0 {
			t.Errorf("known after an hour: %s", names(all))
		}
	})
}

// refusing is a topic that does not say where a time is.
type refusing struct {
	*log
	err error
}

func (r *refusing) OffsetsAt(ctx context.Context, topic string, at time.Time) ([]int64, error) {
	if r.err != nil {
		return nil, r.err
	}
	return r.log.OffsetsAt(ctx, topic, at)
}

// TestATopicWithoutTimes is an error, and is read from where it should be when it knows them.
func TestATopicWithoutTimes(t *testing.T) {
	of := &refusing{&log{}, errors.New("no times")}
	of.put(t, beat("a", time.Now()))
	r := NewReader(of, topic, job)
	if err := r.Read(t.Context()); !errors.Is(err, of.err) || len(r.Fleet.Known(time.Now())) != 0 {
		t.Errorf("%v", err)
	}
	of.err = nil
	if err := r.Read(t.Context()); err != nil || len(r.Fleet.Known(time.Now())) != 1 {
		t.Errorf("%v, known %v", err, r.Fleet.Known(time.Now()))
	}
}

// TestFloods: forged heartbeats of a million names, records that are none, and events cost a bounded number of records and of instances.
func TestFloods(t *testing.T) {
	l := &log{start: 100}
	now := time.Now()
	for i := range mostAtFirst + mostAtOnce {
		l.records = append(l.records, kafka.Record{Offset: 100 + int64(i), Timestamp: now.UnixMilli(), Key: []byte(job), Value: []byte("{}")})
	}
	r := NewReader(l, topic, job)
	read := func(want int) {
		t.Helper()
		before := l.read
		if err := r.Read(t.Context()); err != nil || l.read-before != want {
			t.Errorf("%d records were read, want %d: %v", l.read-before, want, err)
		}
	}
	read(mostAtFirst)
	read(0)
	for i := range mostAtOnce + 10 {
		b := beat(fmt.Sprintf("forged-%d", i), now)
		if i%2 == 0 {
			b.EverySeconds = 0
		}
		l.put(t, b)
	}
	l.put(t, beat("honest", now.Add(time.Second)))
	read(mostAtOnce)
	all := r.Fleet.Known(now.Add(2 * time.Second))
	if len(all) != mostInstances || r.Fleet.Ignored() < mostAtOnce/2-10 || !strings.Contains(names(all), "honest") {
		t.Errorf("%d instances are known, %d records ignored", len(all), r.Fleet.Ignored())
	}
}

// TestFollowing: failures of Kafka are told once, what was missed is read afterwards, and a topic that was made again is read from its beginning.
func TestFollowing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &log{}
		r := NewReader(l, topic, job)
		var told []string
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			r.Follow(ctx, func(err error) { told = append(told, fmt.Sprint(err)) })
		}()
		is := func(want string) {
			t.Helper()
			time.Sleep(followEvery)
			synctest.Wait()
			if got := names(r.Fleet.Known(time.Now())); got != want {
				t.Errorf("known: %s, want %s", got, want)
			}
		}
		l.put(t, beat("a", time.Now()))
		is("a")
		l.fail(errors.New("no leader"))
		is("a")
		is("a")
		l.fail(nil)
		l.put(t, beat("b", time.Now()))
		is("a, b")
		l.mutex.Lock()
		l.records = nil // made again
		l.mutex.Unlock()
		l.put(t, beat("c", time.Now()))
		is("a, b, c")
		cancel()
		<-ended
		if got := fmt.Sprint(told); got != "[no leader <nil>]" {
			t.Errorf("told %s", got)
		}
	})
}
