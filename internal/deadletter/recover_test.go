package deadletter

import (
	"errors"
	"fmt"
	"testing"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
)

// TestTheNextReplayFails, too, at each of its operations: it says so, and the one after it ends with every letter written once.
func TestTheNextReplayFails(t *testing.T) {
	// interrupted is a shop whose replay ended with a note of what it was writing.
	interrupted := func() *shop {
		for at := 0; ; at++ {
			s := newShop(t, 2)
			for i := range 7 {
				s.letter(Origin{s.Topics["in"].ID, int32(i % 2)}, int64(i), good(i))
			}
			s.Inject = func(string) clustertest.Fault {
				if len(s.Trace)-1 == at {
					return clustertest.Fault{Err: clustertest.ErrFatal, After: true}
				}
				return clustertest.Fault{}
			}
			if _, err := s.Replay(t.Context(), s.schema, false); err == nil && len(s.Trace) <= at {
				t.Fatal("no replay is interrupted while it writes")
			}
			if len(notedAsWriting(s)) > 0 {
				return s
			}
		}
	}
	for n := 0; ; n++ {
		s := interrupted()
		before := len(s.Trace)
		s.Inject = func(string) clustertest.Fault {
			if len(s.Trace)-1-before == n {
				return clustertest.Fault{Err: clustertest.ErrFatal}
			}
			return clustertest.Fault{}
		}
		_, err := s.Replay(t.Context(), s.schema, false)
		reached := len(s.Trace)-before > n
		if reached != errors.Is(err, clustertest.ErrInjected) {
			t.Errorf("operation %d of the next replay fails: %v", n+1, err)
		}
		s.Inject = nil
		if result, err := s.Replay(t.Context(), s.schema, false); err != nil || result.Written+result.Before != 7 {
			t.Errorf("after operation %d of the next replay failed: %+v, %v", n+1, result, err)
		}
		count := map[string]int{}
		for _, value := range s.written() {
			count[value]++
		}
		for i := range 7 {
			if value := fmt.Sprintf("%d: %s", i%2, good(i)); count[value] != 1 {
				t.Errorf("after operation %d of the next replay failed, letter %d is %d times in the input", n+1, i, count[value])
			}
		}
		if !reached {
			if n < 10 {
				t.Errorf("the next replay has %d operations", n)
			}
			return
		}
	}
}
