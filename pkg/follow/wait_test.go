package follow

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/fairstream/fairstream/internal/kafka"
)

// TestWaitingEnds: whoever waits for a follower that is closed gets an error, never a model that is nil.
func TestWaitingEnds(t *testing.T) {
	l := newLog()
	f, _ := following(t, l, Options{Alias: StableAlias})
	if err := f.WaitRead(t.Context()); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() {
		m, err := f.Wait(context.Background())
		if m != nil {
			err = errors.New("a model")
		}
		ended <- err
	}()
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, ErrClosed) {
		t.Errorf("while it is closed: %v", err)
	}
	if m, err := f.Wait(t.Context()); m != nil || !errors.Is(err, ErrClosed) {
		t.Errorf("afterwards: %+v, %v", m, err)
	}
	if err := f.WaitRead(t.Context()); err != nil {
		t.Errorf("the topic was read, and not after all: %v", err)
	}
	unread, err := open(unreachable{}, Options{Topic: "people.models", Job: "adult"}, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if err := unread.Close(); err != nil {
		t.Fatal(err)
	}
	if err := unread.WaitRead(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("a topic that was not read: %v", err)
	}
}

// unreachable is a topic that cannot be read.
type unreachable struct{}

func (unreachable) Read(ctx context.Context, _ string, _ int32, from, _ int64, _ func(*kafka.Record) error) (int64, error) {
	<-ctx.Done()
	return from, ctx.Err()
}

// lingering is a log whose reads end only when they may.
type lingering struct {
	*log
	may chan struct{}
}

func (l lingering) Read(ctx context.Context, topic string, partition int32, from, to int64, use func(*kafka.Record) error) (int64, error) {
	next, err := l.log.Read(ctx, topic, partition, from, to, use)
	if err != nil {
		<-l.may
	}
	return next, err
}

// TestCloseWaits until nothing reads the log any more, before that is closed.
func TestCloseWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		may, logClosed := make(chan struct{}), false
		f, err := open(lingering{newLog(), may}, Options{Topic: "models", Job: "adult"}, func() error { logClosed = true; return nil })
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		closed := make(chan error, 1)
		go func() { closed <- f.Close() }()
		synctest.Wait()
		if logClosed {
			t.Error("the log is closed while it is read")
		}
		close(may)
		if err := <-closed; err != nil || !logClosed {
			t.Errorf("closed: %v, the log %t", err, logClosed)
		}
	})
}
