package chronicle

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/history"
)

func open(t *testing.T, world *clustertest.Memory, term int64, head Head) (r *Recorder, damaged *[]string) {
	t.Helper()
	damaged = new([]string)
	r, damage, err := Topic{Cluster: world, Name: "history", Job: "adult"}.Open(t.Context(), head, func(problem string) { *damaged = append(*damaged, problem) })
	if err != nil {
		t.Fatal(err)
	}
	if damage != "" {
		*damaged = append(*damaged, damage)
	}
	r.Owned(term, history.Who{Service: "test"}, history.Sum([]byte("{}")))
	return r, damaged
}

func entry(id string) history.Entry {
	return history.Entry{ID: id, Kind: history.Release, Release: &history.Released{Step: id, Number: 1}}
}

// told are the IDs of the entries that count.
func told(t *testing.T, world *clustertest.Memory) (ids []string) {
	t.Helper()
	chain := history.NewChain(history.Head{}, memory)
	_, err := world.Read(t.Context(), "history", 0, kafka.Earliest, kafka.End, func(r *kafka.Record) error {
		e, standing, _, err := chain.Follow(r.Offset, r.Value)
		if err == nil && standing == history.Counts {
			ids = append(ids, e.ID)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// TestAnEntryCountsOnceHoweverItsWriteFails, before its effect or after it.
func TestAnEntryCountsOnceHoweverItsWriteFails(t *testing.T) {
	for _, after := range []bool{false, true} {
		for attempts := range 4 {
			world := clustertest.New(map[string]int{"history": 1})
			r, _ := open(t, world, 1, Head{})
			failed := 0
			world.Inject = func(operation string) clustertest.Fault {
				if strings.HasPrefix(operation, "append ") && failed < attempts {
					failed++
					return clustertest.Fault{Err: clustertest.ErrRetryable, After: after}
				}
				return clustertest.Fault{}
			}
			if err := r.Record(t.Context(), entry("a"), entry("b")); err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(told(t, world), " "); got != "a b" || r.Head().Sequence != 2 {
				t.Errorf("%d writes failed, after their effect: %v: %s; head %+v", attempts, after, got, r.Head())
			}
		}
	}
}

// TestCompleteTellsWhatIsMissing: the next owner tells what the one before owed, and not what it told.
func TestCompleteTellsWhatIsMissing(t *testing.T) {
	world := clustertest.New(map[string]int{"history": 1})
	first, _ := open(t, world, 1, Head{})
	if err := first.Record(t.Context(), entry("a")); err != nil {
		t.Fatal(err)
	}
	head := first.Head()
	if err := first.Record(t.Context(), entry("b")); err != nil {
		t.Fatal(err)
	}
	next, damaged := open(t, world, 2, head)
	owed := []history.Entry{entry("b"), entry("c")}
	if !next.Lacks(owed) || next.Lacks(owed[:1]) {
		t.Error("what is missing was not seen")
	}
	if err := next.Complete(t.Context(), owed); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(told(t, world), " "); got != "a b c" || len(*damaged) > 0 {
		t.Errorf("told %s, damaged %v", got, *damaged)
	}
}

// TestAnEntryOfSomebodyElseIsDisowned: it continues the history in the name of the owner.
func TestAnEntryOfSomebodyElseIsDisowned(t *testing.T) {
	world := clustertest.New(map[string]int{"history": 1})
	r, damaged := open(t, world, 1, Head{})
	if err := r.Record(t.Context(), entry("a")); err != nil {
		t.Fatal(err)
	}
	elsewhere := world.Copy()
	other, _ := open(t, elsewhere, 1, r.Head())
	if err := other.Record(t.Context(), entry("forged")); err != nil {
		t.Fatal(err)
	}
	if _, err := world.Append(t.Context(), "history", 0, elsewhere.LastUnder("history", Key("adult"))); err != nil {
		t.Fatal(err)
	}
	if err := r.Record(t.Context(), entry("b")); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(told(t, world), " "); got != "a forged b "+string(history.Disown)+"/1/2" || len(*damaged) != 1 {
		t.Errorf("told %s, damaged %v", got, *damaged)
	}
}

// TestALaterOwnerEndsTheRecorder: the state topic knows of none.
func TestALaterOwnerEndsTheRecorder(t *testing.T) {
	world := clustertest.New(map[string]int{"history": 1})
	r, _ := open(t, world, 1, Head{})
	later, _ := open(t, world, 7, Head{})
	if err := later.Record(t.Context(), entry("a")); err != nil {
		t.Fatal(err)
	}
	err := r.Record(t.Context(), entry("b"))
	if ahead := (*Ahead)(nil); !errors.As(err, &ahead) || ahead.Term != 7 {
		t.Errorf("the recorder went on: %v", ahead)
	}
	if of := (*kafka.Error)(nil); !errors.As(err, &of) || of.Class != kafka.Fatal || of.Partition != -1 || of.Topic != "history" {
		t.Errorf("%+v", of)
	}
}

// TestFollow gives the entries that count, of one job.
func TestFollow(t *testing.T) {
	world := clustertest.New(map[string]int{"history": 1})
	r, _ := open(t, world, 1, Head{})
	if err := r.Record(t.Context(), entry("a"), entry("b")); err != nil {
		t.Fatal(err)
	}
	world.Put("history", 0, "of nobody")
	ctx, cancel := context.WithCancel(t.Context())
	var ids []string
	err := Topic{Cluster: world, Name: "history", Job: "adult"}.Follow(ctx, 100, func(e *history.Entry) {
		if ids = append(ids, e.ID); len(ids) == 2 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || strings.Join(ids, " ") != "a b" {
		t.Errorf("%v, %v", ids, err)
	}
}

// TestOpenSaysWhatIsDamaged: an entry that the snapshot refers to is gone, or what stands there is no entry. Another job's entries are passed over.
func TestOpenSaysWhatIsDamaged(t *testing.T) {
	whole := func(t *testing.T) (*clustertest.Memory, Head) {
		world := clustertest.New(map[string]int{"history": 1})
		r, _ := open(t, world, 1, Head{})
		if err := r.Record(t.Context(), entry("a"), entry("b")); err != nil {
			t.Fatal(err)
		}
		return world, r.Head()
	}
	world, head := whole(t)
	if head.Sequence != 2 || head.Offset != 1 {
		t.Fatalf("%+v", head)
	}
	if r, damaged := open(t, world, 2, head); len(*damaged) > 0 || r.Head() != head {
		t.Errorf("whole: %q, %+v", *damaged, r.Head())
	}
	for name, c := range map[string]struct {
		head Head
		want string
	}{
		"another entry":             {Head{Head: history.Head{Sequence: 2, SHA256: "ab", Term: 1}, Offset: 1}, "entry 2, which the latest snapshot refers to"},
		"another offset":            {Head{Head: head.Head, Offset: 7}, ""},
		"the offset behind the end": {Head{Head: head.Head, Offset: 2}, ""},
		"a later entry":             {Head{Head: history.Head{Sequence: 3, SHA256: "ab", Term: 1}, Offset: 2}, "entry 3, which the latest snapshot refers to"},
	} {
		_, damaged := open(t, world, 2, c.head)
		if got := strings.Join(*damaged, "; "); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
	if _, err := world.Append(t.Context(), "history", 0, kafka.Message{Key: []byte("adult"), Value: []byte("[")}, kafka.Message{Key: []byte("other"), Value: []byte("[")}); err != nil {
		t.Fatal(err)
	}
	r, damaged := open(t, world, 2, head)
	if len(*damaged) != 1 || !strings.Contains((*damaged)[0], "is not an entry") {
		t.Errorf("%q", *damaged)
	}
	if err := r.Record(t.Context(), entry("c")); err != nil || r.Head().Sequence != 3 || r.Head().Offset != 4 {
		t.Errorf("%+v, %v", r.Head(), err)
	}
}

// TestAHistoryMadeAgain is read from its beginning, which is told once; what is written goes on.
func TestAHistoryMadeAgain(t *testing.T) {
	world := clustertest.New(map[string]int{"history": 1})
	r, damaged := open(t, world, 1, Head{})
	if err := r.Record(t.Context(), entry("a"), entry("b"), entry("c")); err != nil {
		t.Fatal(err)
	}
	world.Again("history")
	if err := r.Record(t.Context(), entry("d")); err != nil {
		t.Fatal(err)
	}
	if len(*damaged) == 0 || !strings.Contains((*damaged)[0], "entries up to 3 may be gone") || r.Head().Sequence != 4 {
		t.Errorf("%q, %+v", *damaged, r.Head())
	}
	if err := r.Record(t.Context(), entry("e")); err != nil || r.Head().Sequence != 5 || len(*damaged) > 2 {
		t.Errorf("%q, %+v, %v", *damaged, r.Head(), err)
	}
}

// TestAJobWithoutAHistory has a nil recorder, which does nothing.
func TestAJobWithoutAHistory(t *testing.T) {
	r, damage, err := Topic{Job: "adult"}.Open(t.Context(), Head{}, nil)
	if r != nil || damage != "" || err != nil {
		t.Fatalf("%v, %q, %v", r, damage, err)
	}
	r.Owned(1, history.Who{}, "")
	if err := errors.Join(r.Record(t.Context(), entry("a")), r.Complete(t.Context(), []history.Entry{entry("a")}), r.Publication(t.Context(), nil)); err != nil {
		t.Error(err)
	}
	if r.Head() != (Head{}) || r.Unsealed() || r.Lacks([]history.Entry{entry("a")}) {
		t.Errorf("%+v, %v", r.Head(), r.Unsealed())
	}
}

// TestAnEntryWithoutASignature behind one that has it is told by Unsealed; the owner who signs disowns it.
func TestAnEntryWithoutASignature(t *testing.T) {
	a := newAudited(t, true)
	if a.recorder.Unsealed() {
		t.Error("an empty history has a signature")
	}
	a.tell(t, 100)
	unsigned := a.history()
	unsigned.Signer, unsigned.Verifier = nil, nil // it knows no keys
	r, _, err := unsigned.Open(t.Context(), Head{}, func(string) {})
	if err != nil || !r.Unsealed() || a.recorder.Unsealed() {
		t.Errorf("%v: unsealed %v and %v", err, r.Unsealed(), a.recorder.Unsealed())
	}
	r.Owned(1, history.Who{Service: "test"}, "")
	if err := r.Record(t.Context(), entry("b")); err != nil {
		t.Fatal(err)
	}
	var damaged []string
	again, damage, err := a.history().Open(t.Context(), Head{}, func(problem string) { damaged = append(damaged, problem) })
	if err != nil || damage != "" || len(damaged) != 1 || !strings.Contains(damaged[0], "a later entry disowns it") {
		t.Fatalf("%q, %q, %v", damaged, damage, err)
	}
	again.Owned(2, history.Who{Service: "test"}, "")
	if err := again.Record(t.Context()); err != nil {
		t.Fatal(err)
	}
	if ids := told(t, a.world); ids[len(ids)-1] != "disown/2/2" || len(ids) != 3 {
		t.Errorf("%q", ids)
	}
}

// TestDamageMeanwhileIsTold: what is no entry, between two of an owner.
func TestDamageMeanwhileIsTold(t *testing.T) {
	world := clustertest.New(map[string]int{"history": 1})
	r, damaged := open(t, world, 1, Head{})
	if err := r.Record(t.Context(), entry("a")); err != nil {
		t.Fatal(err)
	}
	if _, err := world.Append(t.Context(), "history", 0, kafka.Message{Key: []byte(Key("adult")), Value: []byte("[")}); err != nil {
		t.Fatal(err)
	}
	if err := r.Record(t.Context(), entry("b")); err != nil || strings.Join(told(t, world), " ") != "a b" {
		t.Errorf("%v: %v", told(t, world), err)
	}
	if len(*damaged) != 1 || !strings.Contains((*damaged)[0], "is not an entry") {
		t.Errorf("damaged: %q", *damaged)
	}
}

// TestFollowOfAnAbsentTopic ends with the error of Kafka, or without one if the topic has no partitions.
func TestFollowOfAnAbsentTopic(t *testing.T) {
	none := func(*history.Entry) { t.Error("an entry of nobody") }
	world := clustertest.New(map[string]int{"history": 0})
	if err := (Topic{Cluster: world, Name: "history", Job: "adult"}).Follow(t.Context(), 10, none); err != nil {
		t.Error(err)
	}
	world.Inject = func(string) clustertest.Fault { return clustertest.Fault{Err: clustertest.ErrFatal} }
	if err := (Topic{Cluster: world, Name: "history", Job: "adult"}).Follow(t.Context(), 10, none); !errors.Is(err, clustertest.ErrFatal) {
		t.Error(err)
	}
}

// TestFollowATopicMadeAgain: what is written on it again is told again.
func TestFollowATopicMadeAgain(t *testing.T) {
	world := clustertest.New(map[string]int{"history": 1})
	r, _ := open(t, world, 1, Head{})
	if err := r.Record(t.Context(), entry("a"), entry("b")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var ids []string
	err := Topic{Cluster: world, Name: "history", Job: "adult"}.Follow(ctx, 100, func(e *history.Entry) {
		switch ids = append(ids, e.ID); len(ids) {
		case 2:
			go func() {
				world.Mutex.Lock()
				records := slices.Clone(world.Topics["history"].Partitions[0].Records)
				world.Mutex.Unlock()
				world.Again("history")
				if _, err := world.Append(ctx, "history", 0, records...); err != nil {
					t.Error(err)
				}
			}()
		case 4:
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || strings.Join(ids, " ") != "a b a b" {
		t.Errorf("%v, %v", ids, err)
	}
}
