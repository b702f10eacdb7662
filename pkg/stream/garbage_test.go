package stream

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/internal/owner"
	"github.com/fairstream/fairstream/pkg/history"
)

// garbage of the job adult: one record each that used to end the job for ever.
func garbage(t *testing.T, writer string, term int64) map[string][]byte {
	t.Helper()
	part := func(sequence int64, body string) []byte {
		return forged(t, owner.Reference{Owner: writer, Term: term, Sequence: sequence}, []byte(body)).Value
	}
	claim := func(job, owner string, term int64) []byte {
		return fmt.Appendf(nil, `{"format_version":1,"job":%q,"owner":%q,"term":%d,"at":"2026-11-21T08:30:00Z"}`, job, owner, term)
	}
	return map[string][]byte{
		"adult/beat/zz":                  {0xff},
		"adult/zzz/1":                    []byte("x"),
		"adult/":                         []byte("x"),
		"adult/claim/5/o/1":              []byte("{"),
		"adult/claim/6/o/1":              []byte("{}"),
		"adult/claim/7/o/1":              claim("other", "o", 7),
		"adult/claim/8//1":               claim("adult", "", 8),
		"adult/claim/-1/o/1":             claim("adult", "o", -1),
		"adult/claim/max/o/1":            claim("adult", "o", math.MaxInt64),
		"adult/claim/most/o/1":           claim("adult", "o", modeltopic.MostTerm),
		"adult/state/o/1/0/1":            []byte("hello"),
		"adult/state/" + writer + "/9/0": part(math.MaxInt64, "x"),
		// A snapshot that is complete and nonsense must not replace the one before.
		"adult/state/" + writer + "/999/0/1": part(999, "no snapshot"),
	}
}

// TestGarbageOnTheStateTopic, before a start and under an owner, is told and passed over, pruned, and costs nothing that was learnt.
func TestGarbageOnTheStateTopic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		options := testOptions()
		world.Put(testTopics.Input, 0, adultLines()[:300]...)
		run(t, world, options)
		state, err := ReadState(t.Context(), world, testTopics.State, "adult")
		if err != nil {
			t.Fatal(err)
		}
		put := func(key string, value []byte) {
			t.Helper()
			if _, err := world.Append(t.Context(), testTopics.State, 0, kafka.Message{Key: []byte(key), Value: value}); err != nil {
				t.Fatal(err)
			}
		}
		all := garbage(t, state.Holder.Owner, state.Holder.Term)
		for key, value := range all {
			put(key, value)
		}
		world.Put(testTopics.Input, 0, adultLines()[300:400]...)
		var told events
		options.Notify = told.add
		b := inBackground(t, world, options)
		time.Sleep(5 * time.Second)
		kept := len(all) - 1 // the owner deletes the snapshot that replaced none
		if s := b.Status(); s.Version != 400 || s.Claim.Term != 2 || s.Garbage != kept || len(of[StateGarbage](&told)) != len(all) {
			t.Errorf("after the start: version %d in term %d, %d of %d records of garbage, %d told", s.Version, s.Claim.Term, s.Garbage, len(all), len(of[StateGarbage](&told)))
		}
		more := 0
		for key, value := range garbage(t, "nobody", 2) {
			if !strings.Contains(key, "nobody/999") { // which would be a snapshot of another owner: late, and no garbage
				put(key+"/again", value)
				more++
			}
		}
		world.Put(testTopics.Input, 0, adultLines()[400:500]...)
		time.Sleep(time.Minute)
		if s := b.Status(); s.Version != 500 || s.Garbage != kept+more || s.Snapshot.Version != 500 {
			t.Errorf("under an owner: version %d, saved %d, %d records of garbage, want %d", s.Version, s.Snapshot.Version, s.Garbage, kept+more)
		}
		before := slices.Clone(world.Topics[testTopics.State].Partitions[0].Records)
		dry, err := PruneState(t.Context(), world, testTopics.State, "adult", true)
		if err != nil || len(dry) != kept+more || len(world.Topics[testTopics.State].Partitions[0].Records) != len(before) {
			t.Fatalf("dry: %d, %v", len(dry), err)
		}
		if pruned, err := PruneState(t.Context(), world, testTopics.State, "adult", false); err != nil || fmt.Sprint(pruned) != fmt.Sprint(dry) {
			t.Fatalf("pruned %v, %v", pruned, err)
		}
		time.Sleep(time.Second)
		if s := b.Status(); s.Garbage != 0 {
			t.Errorf("%d records of garbage are left", s.Garbage)
		}
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
		verification, err := VerifyState(t.Context(), world, options)
		if err != nil || len(verification.Problems) != 0 {
			t.Errorf("%v, %v", verification, err)
		}
		if s := run(t, world, options); s.Status().Version != 500 {
			t.Errorf("version %d", s.Status().Version)
		}
	})
}

// TestADamagedSnapshotAlone ends a start: learning again from scratch is not what anybody asked for.
func TestADamagedSnapshotAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		options := testOptions()
		world.Put(testTopics.Input, 0, adultLines()[:300]...)
		run(t, world, options)
		log := world.Topics[testTopics.State].Partitions[0]
		now, err := owner.Read(t.Context(), New(world, options).owning())
		if err != nil {
			t.Fatal(err)
		}
		log.Records = slices.DeleteFunc(log.Records, func(r kafka.Message) bool { return strings.HasPrefix(string(r.Key), "adult/state/") })
		forge(t, world, now.Last, now.State[:len(now.State)-1])
		if err := New(world, options).Run(t.Context()); err == nil || !strings.Contains(err.Error(), "state reset") || !strings.Contains(err.Error(), "checksum") {
			t.Fatalf("it began: %v", err)
		}
		if err := ResetState(t.Context(), world, options); err != nil {
			t.Fatal(err)
		}
		if s := run(t, world, options); s.Status().Version != 300 {
			t.Errorf("version %d", s.Status().Version)
		}
	})
}

// TestImpossibleEntriesOfTheHistory: sequences and terms at the edge are garbage to owner and audit alike, and the history goes on.
func TestImpossibleEntriesOfTheHistory(t *testing.T) {
	if modeltopic.MostBelieved >= history.Most || history.Most >= owner.MostClaimed || owner.MostClaimed >= modeltopic.MostTerm {
		t.Error("an owner could not claim a term above what is believed of the other topics")
	}
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		options := testOptions()
		world.Put(testTopics.Input, 0, adultLines()[:300]...)
		run(t, world, options)
		log := world.Topics[testTopics.History].Partitions[0]
		forge := func(change func(e *history.Entry)) {
			t.Helper()
			var e history.Entry
			last := log.Records[len(log.Records)-1].Value
			if err := json.Unmarshal(last, &e); err != nil {
				t.Fatal(err)
			}
			e.Sequence, e.Previous = e.Sequence+1, history.Sum(last)
			change(&e)
			value, err := e.Encode()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := world.Append(t.Context(), testTopics.History, 0, kafka.Message{Key: []byte("adult"), Value: value}); err != nil {
				t.Fatal(err)
			}
		}
		b := inBackground(t, world, options)
		time.Sleep(5 * time.Second)
		synctest.Wait() // nobody writes now
		forge(func(e *history.Entry) { e.Sequence = math.MaxInt64 })
		synctest.Wait()
		log.Records = slices.Clone(log.Records)
		honest := log.Records[:len(log.Records)-1]
		sequence := log.Records[len(log.Records)-1]
		log.Records = honest
		forge(func(e *history.Entry) { e.Term = math.MaxInt64 })
		log.Records = append(log.Records, sequence)
		world.Put(testTopics.Input, 0, adultLines()[300:400]...)
		time.Sleep(time.Minute)
		if s := b.Status(); s.Snapshot.Version != 400 {
			t.Errorf("saved version %d", s.Snapshot.Version)
		}
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
		s := run(t, world, options)
		if s.Status().Claim.Term != 3 {
			t.Errorf("term %d", s.Status().Claim.Term)
		}
		audit := auditOf(t, world, testTopics)
		if audit.Chain.Whole || len(audit.Chain.Breaks) != 2 || len(audit.Owners) != 3 || !strings.Contains(audit.Chain.Breaks[0].Problem, "cannot be") {
			t.Errorf("audit: %+v, %d owners", audit.Chain, len(audit.Owners))
		}
	})
}
