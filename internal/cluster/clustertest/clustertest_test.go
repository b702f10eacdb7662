package clustertest

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/fairstream/fairstream/internal/kafka"
)

func values(t *testing.T, m *Memory, topic string) (all []string) {
	t.Helper()
	_, err := m.Read(t.Context(), topic, 0, kafka.Earliest, kafka.End, func(r *kafka.Record) error {
		all = append(all, string(r.Value))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestFaults: an operation fails before its effect or after it, and Retry tries again only what can succeed.
func TestFaults(t *testing.T) {
	for _, test := range []struct {
		fault    Fault
		attempts int
		written  int
		err      error
	}{{Fault{}, 1, 1, nil}, {Fault{ErrRetryable, false}, 2, 1, nil}, {Fault{ErrRetryable, true}, 2, 2, nil}, {Fault{ErrFatal, false}, 1, 0, ErrInjected}, {Fault{ErrFatal, true}, 1, 1, ErrInjected}} {
		m := New(map[string]int{"a": 1})
		m.Inject = func(string) Fault {
			if len(m.Trace) == 1 {
				return test.fault
			}
			return Fault{}
		}
		err := m.Retry(t.Context(), "append", func(ctx context.Context) error {
			_, err := m.Append(ctx, "a", 0, kafka.Message{Value: []byte("x")})
			return err
		})
		if !errors.Is(err, test.err) || len(m.Trace) != test.attempts {
			t.Errorf("%v: %v after %d attempts", test.fault, err, len(m.Trace))
		}
		if got := values(t, m, "a"); len(got) != test.written {
			t.Errorf("%v: %d records", test.fault, len(got))
		}
	}
}

// TestCopyGoesOnByItself: neither memory sees what is written to the other.
func TestCopyGoesOnByItself(t *testing.T) {
	m := New(map[string]int{"a": 1})
	m.Put("a", 0, "1")
	other := m.Copy()
	m.Put("a", 0, "2")
	other.Put("a", 0, "3")
	if one, two := values(t, m, "a"), values(t, other, "a"); len(one) != 2 || one[1] != "2" || len(two) != 2 || two[1] != "3" {
		t.Errorf("%v and %v", one, two)
	}
}

// TestSourceTellsLosses: offsets that are gone, and a topic that was made again.
func TestSourceTellsLosses(t *testing.T) {
	m := New(map[string]int{"a": 1})
	m.Put("a", 0, "1", "2", "3")
	next := func(options kafka.FetchOptions) *kafka.DataLoss {
		t.Helper()
		options.Topic = "a"
		source, err := m.Fetch(options)
		if err != nil {
			t.Fatal(err)
		}
		delivery, err := source.Next(t.Context())
		if loss := (*kafka.DataLoss)(nil); errors.As(err, &loss) {
			return loss
		} else if err != nil {
			t.Fatal(err)
		}
		return delivery.Loss
	}
	id := m.Topics["a"].ID
	if loss := next(kafka.FetchOptions{ID: id, Offsets: map[int32]int64{0: 1}}); loss != nil {
		t.Errorf("nothing was lost, told of %v", loss)
	}
	log := m.Topics["a"].Partitions[0]
	log.Start, log.Records = 2, log.Records[2:]
	if loss := next(kafka.FetchOptions{ID: id, Offsets: map[int32]int64{0: 1}}); loss == nil || loss.Kind != kafka.LossBelowStart {
		t.Errorf("cut: %v", loss)
	}
	m.Again("a")
	if loss := next(kafka.FetchOptions{ID: id, Offsets: map[int32]int64{0: 0}}); loss == nil || loss.Kind != kafka.LossRecreated {
		t.Errorf("made again: %v", loss)
	}
}

// TestTransactionIsFenced: what is not committed is not there, and the next one under an id ends the one before.
func TestTransactionIsFenced(t *testing.T) {
	m := New(map[string]int{"a": 1})
	first, _ := m.Transact(t.Context(), "id")
	if err := first.Append(t.Context(), "a", 0, kafka.Message{Value: []byte("1")}); err != nil || len(values(t, m, "a")) != 0 {
		t.Errorf("before the commit: %v, %v", values(t, m, "a"), err)
	}
	second, _ := m.Transact(t.Context(), "id")
	if fenced := (*kafka.Fenced)(nil); !errors.As(first.Commit(t.Context()), &fenced) {
		t.Error("the first one is not fenced")
	}
	if err := second.Append(t.Context(), "a", 0, kafka.Message{Value: []byte("2")}); err != nil {
		t.Error(err)
	}
	if err := second.Commit(t.Context()); err != nil || len(values(t, m, "a")) != 1 {
		t.Errorf("after the commit: %v, %v", values(t, m, "a"), err)
	}
}

// TestCleanKeepsTheLastOfAKey as a cleaner does.
func TestCleanKeepsTheLastOfAKey(t *testing.T) {
	m := New(map[string]int{"a": 1})
	if _, err := m.Append(t.Context(), "a", 0, kafka.Message{Key: []byte("k"), Value: []byte("1")}, kafka.Message{Key: []byte("k"), Value: []byte("2")}); err != nil {
		t.Fatal(err)
	}
	m.Clean("a")
	if got := values(t, m, "a"); len(got) != 2 || got[0] != "" || got[1] != "2" || string(m.LastUnder("a", "k").Value) != "2" {
		t.Errorf("%q", got)
	}
}

// TestPausedProcessWritesLate: what it began to write arrives when it goes on.
func TestPausedProcessWritesLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(map[string]int{"a": 1})
		process := &Pausable{Memory: m}
		process.Pause()
		done := make(chan error)
		go func() {
			_, err := process.Append(t.Context(), "a", 0, kafka.Message{Value: []byte("late")})
			done <- err
		}()
		synctest.Wait()
		if got := values(t, m, "a"); len(got) != 0 {
			t.Errorf("while it is paused: %v", got)
		}
		process.Resume()
		if err := <-done; err != nil || len(values(t, m, "a")) != 1 {
			t.Errorf("after: %v", err)
		}
	})
}
