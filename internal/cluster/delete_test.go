package cluster_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
)

// TestDeleteKeys: each key gets one message without a value, in their order, and no batch has more than AtOnce.
func TestDeleteKeys(t *testing.T) {
	for count, batches := range map[int]int{0: 0, 1: 1, cluster.AtOnce: 1, cluster.AtOnce + 1: 2, 2*cluster.AtOnce + 3: 3} {
		m := clustertest.New(map[string]int{"a": 1})
		var keys [][]byte
		for i := range count {
			keys = append(keys, fmt.Appendf(nil, "k%d", i))
		}
		if err := cluster.DeleteKeys(t.Context(), m, "a", keys); err != nil {
			t.Fatal(err)
		}
		log := m.Topics["a"].Partitions[0].Records
		if len(log) != count || len(m.Trace) != batches {
			t.Fatalf("%d keys: %d messages in %d batches, want %d", count, len(log), len(m.Trace), batches)
		}
		for i, message := range log {
			if string(message.Key) != fmt.Sprintf("k%d", i) || message.Value != nil {
				t.Errorf("message %d of %d is %q: %q", i, count, message.Key, message.Value)
			}
		}
	}
}

// TestDeleteKeysFails: what may pass is tried again, and what does not is said with its cause.
func TestDeleteKeysFails(t *testing.T) {
	m := clustertest.New(map[string]int{"a": 1})
	faults := []error{clustertest.ErrRetryable, nil, clustertest.ErrFatal}
	m.Inject = func(string) clustertest.Fault { return clustertest.Fault{Err: faults[len(m.Trace)-1]} }
	keys := [][]byte{[]byte("x")}
	if err := cluster.DeleteKeys(t.Context(), m, "a", keys); err != nil || len(m.Trace) != 2 {
		t.Errorf("an error that passes: %v after %d attempts", err, len(m.Trace))
	}
	if err := cluster.DeleteKeys(t.Context(), m, "a", keys); !errors.Is(err, clustertest.ErrInjected) || kafka.ClassOf(err) != kafka.Fatal {
		t.Errorf("an error that stays: %v", err)
	}
}
