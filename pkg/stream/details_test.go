package stream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/fairstream/fairstream/internal/intake"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/internal/owner"
	"github.com/fairstream/fairstream/pkg/model"
)

// TestWhatASnapshotAccountsFor: a version is that of its learnt records, or of some that waited besides; offsets hold as many records as are accounted for; each
// snapshot goes on from the one before, unless the state began again.
func TestWhatASnapshotAccountsFor(t *testing.T) {
	partition := func(learnt, kept, next int64) []Ledger {
		return []Ledger{{Next: next, Learnt: intake.Tally{Count: learnt}, Kept: intake.Tally{Count: kept}}}
	}
	parent := owner.Reference{Owner: "a", Term: 2, Sequence: 1}
	before := &SnapshotInfo{Owner: "a", Term: 2, Sequence: 3, Version: 10}
	for name, c := range map[string]struct {
		info   SnapshotInfo
		before *SnapshotInfo
		want   string
	}{
		"all learnt":           {SnapshotInfo{Version: 10, Partitions: partition(10, 0, 10)}, nil, ""},
		"some waited":          {SnapshotInfo{Version: 12, Partitions: partition(10, 2, 12)}, nil, ""},
		"one too many":         {SnapshotInfo{Version: 13, Partitions: partition(10, 2, 20)}, nil, "version 13 accounts for 10 learnt records, and 2 that waited"},
		"one too few":          {SnapshotInfo{Version: 9, Partitions: partition(10, 0, 10)}, nil, "version 9 accounts for 10 learnt records"},
		"more than there are":  {SnapshotInfo{Version: 10, Partitions: partition(10, 0, 9)}, nil, "of partition 0, 10 records are accounted for from offset 0 to before offset 9"},
		"since a loss":         {SnapshotInfo{Version: 10, Partitions: []Ledger{{Next: 105, Learnt: intake.Tally{Count: 10}, Since: intake.Restart{Accounted: 4, Offset: 100}}}}, nil, "6 records are accounted for from offset 100 to before offset 105"},
		"the next":             {SnapshotInfo{Version: 10, Parent: owner.Reference{Owner: "a", Term: 2, Sequence: 3}, Partitions: partition(10, 0, 10)}, before, ""},
		"of an older version":  {SnapshotInfo{Version: 9, Parent: owner.Reference{Owner: "a", Term: 2, Sequence: 3}, Partitions: partition(9, 0, 9)}, before, "version 9 of term 3 follows version 10 of term 2"},
		"of an older snapshot": {SnapshotInfo{Version: 10, Parent: parent, Partitions: partition(10, 0, 10)}, before, "continues snapshot 1 of term 2, but the last one that counts is 3 of term 2"},
		"of an older term":     {SnapshotInfo{Version: 10, Parent: owner.Reference{Owner: "a", Term: 1, Sequence: 9}, Partitions: partition(10, 0, 10)}, before, "continues snapshot 9 of term 1"},
		"of a later term":      {SnapshotInfo{Version: 10, Parent: owner.Reference{Owner: "a", Term: 3, Sequence: 1}, Partitions: partition(10, 0, 10)}, before, ""},
		"after a reset":        {SnapshotInfo{Version: 1, Partitions: partition(1, 0, 1)}, before, ""},
	} {
		s := snapshot{SnapshotInfo: c.info}
		s.Owner, s.Term, s.Sequence = "b", 3, 7
		state, err := s.encode()
		if err != nil {
			t.Fatal(err)
		}
		v := &verifier{before: c.before, saved: map[int64]int64{3: 11}}
		problems := strings.Join(v.snapshot(s.reference(), state), "\n")
		if (problems == "") != (c.want == "") || !strings.Contains(problems, c.want) || strings.Contains(problems, "\n") {
			t.Errorf("%s: %q, want %q", name, problems, c.want)
		}
		if want := max(11, c.info.Version); v.saved[3] != want || v.before.Version != c.info.Version {
			t.Errorf("%s: version %d is saved, want %d", name, v.saved[3], want)
		}
		other := s.reference()
		other.Sequence++
		if problems := v.snapshot(other, state); len(problems) == 0 || !strings.Contains(problems[0], "its parts say") {
			t.Errorf("%s under another number: %q", name, problems)
		}
	}
	v := &verifier{saved: map[int64]int64{}}
	if problems := v.snapshot(owner.Reference{}, []byte("damaged")); len(problems) != 1 || v.before != nil {
		t.Errorf("of damaged bytes: %q", problems)
	}
	if v.restore(nil); v.Snapshot != nil || len(v.Problems) != 0 {
		t.Errorf("of nothing: %+v", v.Verification)
	}
}

// TestSignaturesAreVerified: with a key, documents and aliases that are signed with it are counted, and others are refused; a document is what its key and
// headers say.
func TestSignaturesAreVerified(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := shortRun(1)
		signer, trusted := keys(t)
		_, other := keys(t)
		options.Signer, options.Verifier = signer, trusted
		run(t, world, options)
		verify := func() *Verification {
			t.Helper()
			v, err := VerifyState(t.Context(), world, Options{Job: "adult", Model: options.Model, Topics: testTopics, Verifier: options.Verifier})
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		v := verify()
		if len(v.Problems) > 0 || v.Signed == nil || *v.Signed < v.Documents+1 || v.Documents < 1 || !slices.Equal(v.Topics, []string{testTopics.State, testTopics.Model}) {
			t.Errorf("%+v", v)
		}
		if options.Verifier = nil; verify().Signed != nil {
			t.Error("signatures are counted without a key")
		}
		options.Verifier = other
		if v = verify(); *v.Signed != 0 || v.Documents != 0 || !strings.Contains(strings.Join(v.Problems, "\n"), " is refused: ") {
			t.Errorf("of another key: %+v", v)
		}
		options.Verifier = nil
		log := world.Topics[testTopics.Model].Partitions[0]
		records := slices.Clone(log.Records)
		documents := func(change func(m *kafka.Message)) string {
			log.Records = slices.Clone(records)
			for i := range log.Records {
				if strings.Contains(string(log.Records[i].Key), "/versions/") || len(log.Records[i].Value) > 2000 {
					change(&log.Records[i])
				}
			}
			return strings.Join(verify().Problems, "\n")
		}
		if problems := documents(func(*kafka.Message) {}); problems != "" {
			t.Errorf("unchanged: %s", problems)
		}
		if problems := documents(func(m *kafka.Message) { m.Value = []byte("{}") }); !strings.Contains(problems, "version ") || !strings.Contains(problems, " of term 1: ") {
			t.Errorf("no document: %q", problems)
		}
		for _, at := range []modeltopic.Place{{Term: 1, Version: 7}, {Term: 9, Version: 389}} { // another version, another term
			problems := documents(func(m *kafka.Message) { m.Key = []byte(modeltopic.DocumentKey("adult", at)) })
			if want := fmt.Sprintf("version %d of term %d: its key contradicts the document", at.Version, at.Term); !strings.Contains(problems, want) {
				t.Errorf("%q, want %q", problems, want)
			}
		}
	})
}

// TestCountsOfAMonitorAreReadFromASnapshot, under the configuration that it holds; without a snapshot there are none.
func TestCountsOfAMonitorAreReadFromASnapshot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := shortRun(1)
		of := func(change func(m *Monitoring)) func(json.RawMessage) (model.Config, Monitoring, error) {
			return func(json.RawMessage) (model.Config, Monitoring, error) {
				monitoring := options.Monitoring
				change(&monitoring)
				return options.Model, monitoring, nil
			}
		}
		same := func(*Monitoring) {}
		if info, all, err := ReadMonitored(t.Context(), world, testTopics.State, "adult", of(same)); info != nil || all != nil || err != nil {
			t.Errorf("before the first snapshot: %+v, %v, %v", info, all, err)
		}
		run(t, world, options)
		info, all, err := ReadMonitored(t.Context(), world, testTopics.State, "adult", of(same))
		if err != nil || info.Version != 389 || len(all) != 1 || all[0].Report.Records == 0 || all[0].Since+all[0].Report.Records > 389 {
			t.Fatalf("%+v, %+v, %v", info, all, err)
		}
		if _, _, err := ReadMonitored(t.Context(), world, testTopics.State, "adult", of(func(m *Monitoring) { m.Exact = !m.Exact })); err == nil || !strings.Contains(err.Error(), "job adult: the monitor of the last snapshot has other comparisons or settings") {
			t.Errorf("with other settings: %v", err)
		}
		unknown := errors.New("unknown key")
		if _, _, err := ReadMonitored(t.Context(), world, testTopics.State, "adult", func(json.RawMessage) (model.Config, Monitoring, error) {
			return model.Config{}, Monitoring{}, unknown
		}); !errors.Is(err, unknown) || !strings.Contains(err.Error(), "job adult: ") {
			t.Errorf("of a configuration that cannot be read: %v", err)
		}
		ended, end := context.WithCancel(t.Context())
		end()
		if _, _, err := ReadMonitored(ended, world, testTopics.State, "adult", of(same)); err == nil {
			t.Error("read although the context has ended")
		}
	})
}

// TestOffsetsToStartFrom: the first and the last of a partition are among them, the next one is not, and each partition has one.
func TestOffsetsToStartFrom(t *testing.T) {
	bounds := []kafka.Bounds{{Start: 5, End: 9}, {Start: 0, End: 0}}
	for _, c := range []struct {
		offsets map[int32]int64
		want    string
	}{
		{map[int32]int64{0: 5, 1: 0}, ""}, {map[int32]int64{0: 9, 1: 0}, ""}, {map[int32]int64{0: 4, 1: 0}, "partition 0 has the offsets 5 to 9, and 4 is none"}, {map[int32]int64{0: 10, 1: 0}, "10 is none of them"},
		{map[int32]int64{0: 5}, "partition 1 is missing"}, {map[int32]int64{0: 5, 1: 0, 2: 0}, "no partition 2, only 0 to 1"}, {map[int32]int64{0: 5, -1: 0}, "no partition -1"}, {map[int32]int64{0: 5, 1: 1}, "1 is none of them"},
	} {
		offsets := []int64{-7, -7}
		err := (&StartFrom{Offsets: c.offsets}).place(offsets, bounds)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) || err == nil && (offsets[0] != c.offsets[0] || offsets[1] != c.offsets[1]) {
			t.Errorf("%v: %v, %v", c.offsets, offsets, err)
		}
	}
	offsets := []int64{-7}
	if err := errors.Join((*StartFrom)(nil).place(offsets, bounds[:1]), (&StartFrom{}).place(offsets, bounds[:1])); err != nil || offsets[0] != -7 {
		t.Errorf("without offsets: %v, %v", offsets, err)
	}
}

// TestAChangedConfigurationIsRefused: with the keys that changed, and, if they are of the record section, with what to do about a field that was only renamed.
func TestAChangedConfigurationIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := shortRun(1)
		run(t, world, options)
		for key, change := range map[string]func(c *model.Config){
			"record.features": func(c *model.Config) { c.Record.Features = []string{"age"} },
			"learner.step":    func(c *model.Config) { c.Learner.Step *= 2 },
		} {
			other := options
			other.Model = adultModel()
			other.Model.Learner = options.Model.Learner
			change(&other.Model)
			err := New(world, other).Run(t.Context())
			var changed *model.ConfigChanged
			if !errors.As(err, &changed) || !slices.Equal(changed.Keys, []string{key}) || strings.Contains(err.Error(), "list the new name under record.renamed") != strings.HasPrefix(key, "record.") {
				t.Errorf("%s: %v", key, err)
			}
		}
		run(t, world, options)
	})
}
