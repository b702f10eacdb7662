package stream

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
)

func verified(t *testing.T, world *clustertest.Memory) *Verification {
	t.Helper()
	_, options := shortRun(1)
	v, err := VerifyState(t.Context(), world, Options{Job: "adult", Model: options.Model, Topics: testTopics})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A job with several owners, a reset and what the cleaner does fits together; whatever is changed in the log does not.
func TestVerifyState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := shortRun(1)
		log := world.Topics[testTopics.State].Partitions[0]
		run(t, world, options)
		run(t, world, options)
		if v := verified(t, world); len(v.Problems) > 0 || v.Claims != 2 || v.Snapshots < 4 || v.Snapshot.Version != 389 || v.Documents < 1 { // how many depends on how busy the keeper is
			t.Fatalf("%+v", v)
		}
		if err := ResetState(t.Context(), world, options); err != nil {
			t.Fatal(err)
		}
		run(t, world, options)
		if v := verified(t, world); len(v.Problems) > 0 || v.Claims != 4 {
			t.Errorf("after a reset: %+v", v)
		}
		records := slices.Clone(log.Records)
		last, first := -1, -1 // of the last owner's snapshots; the first is of the records before it
		owner := func(i int) string { return strings.Split(string(records[i].Key), "/")[2] }
		for i := range records {
			if strings.Contains(string(records[i].Key), "/state/") && records[i].Value != nil {
				if last < 0 || owner(last) != owner(i) {
					first = i
				}
				last = i
			}
		}
		for _, test := range []struct {
			name, want string
			change     func()
		}{
			{"a bit", "checksum", func() {
				log.Records[last].Value = slices.Clone(records[last].Value)
				log.Records[last].Value[100] ^= 1
			}},
			{"another key", "under the key of another", func() { log.Records[last].Key = []byte("adult/state/somebody/9/0/1") }},
			{"a later document", "no snapshot that counts", func() { log.Records = log.Records[:first+1] }},
			{"an unknown kind", "unknown kind", func() {
				log.Records = append(log.Records, kafka.Message{Key: []byte("adult/new/1"), Value: []byte("{}")})
			}},
		} {
			log.Records = slices.Clone(records)
			test.change()
			if v := verified(t, world); !slices.ContainsFunc(v.Problems, func(p string) bool { return strings.Contains(p, test.want) }) {
				t.Errorf("%s: problems %q", test.name, v.Problems)
			}
		}
		log.Records = records
		if v := verified(t, world); len(v.Problems) > 0 {
			t.Errorf("put back: %+v", v)
		}
	})
}

// TestVerifyFindsAFork: a snapshot that goes on from an older one than the last that counts.
func TestVerifyFindsAFork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := shortRun(1)
		options.UntilEnd = false
		b := inBackground(t, world, options)
		time.Sleep(time.Minute)
		if err := b.end(); err != nil { // it may save once more
			t.Fatal(err)
		}
		state, err := ReadState(t.Context(), world, testTopics.State, "adult")
		if err != nil {
			t.Fatal(err)
		}
		fork := snapshot{SnapshotInfo: *state.Snapshot, learner: state.learner}
		fork.Sequence, fork.Parent.Sequence, fork.Version = state.Snapshot.Sequence+1, 1, 100
		data, err := fork.encode()
		if err != nil {
			t.Fatal(err)
		}
		forge(t, world, fork.reference(), data)
		problems := strings.Join(verified(t, world).Problems, "\n")
		for _, want := range []string{"version 100 of term 1 follows version 389", "continues snapshot 1 of term 1", "version 100 accounts for 389 learnt"} {
			if !strings.Contains(problems, want) {
				t.Errorf("no %q in\n%s", want, problems)
			}
		}
	})
}
