package follow

import (
	"context"
	"errors"
	"testing"

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
