package stream

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/signature"
)

// promotedByMaria is a step that no owner took, behind the last entry of the log.
func promotedByMaria(e *history.Entry) {
	e.Release.Number, e.Release.Reason, e.Who.Actor = e.Release.Number+1, "promoted by maria", "maria"
	e.ID = "release/maria"
}

func signedAudit(t *testing.T, world *clustertest.Memory, verifier *signature.Verifier) *history.Audit {
	t.Helper()
	a, err := AuditHistory(t.Context(), world, testTopics, "adult", history.Period{}, time.Hour, verifier)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func tellsOfMaria(a *history.Audit) bool {
	return slices.ContainsFunc(a.Releases, func(s history.ReleaseStep) bool { return s.Actor == "maria" || s.Reason == "promoted by maria" })
}

// TestAnOwnerDisownsWhatItDidNotWrite: somebody appends an entry while an owner runs, with keys and without. The owner says so and goes on
// behind it; the audit names the entry, whoever looks.
func TestAnOwnerDisownsWhatItDidNotWrite(t *testing.T) {
	for _, withKeys := range []bool{false, true} {
		if withKeys && testing.Short() {
			continue
		}
		synctest.Test(t, func(t *testing.T) {
			world, options := releasing(0)
			options.Model = adultModel()
			if withKeys {
				options.Signer, options.Verifier = keys(t)
			}
			var told events
			options.Notify = told.add
			b := inBackground(t, world, options)
			for i, chunk := range slices.Collect(slices.Chunk(adultLines()[:5000], 50)) {
				if i == 60 {
					world.Mutex.Lock()
					log := logOf(world)
					replaceHistory(world, appended(t, log, history.Release, promotedByMaria))
					world.Mutex.Unlock()
				}
				world.Put(testTopics.Input, 0, chunk...)
				time.Sleep(time.Second)
			}
			if err := b.end(); err != nil {
				t.Fatal(err)
			}
			if status := b.Status(); !strings.Contains(status.HistoryDamage, "is not by the owner of the job") {
				t.Errorf("with keys %t, the status says %q", withKeys, status.HistoryDamage)
			}
			damaged := of[HistoryDamaged](&told)
			if len(damaged) != 1 || !strings.Contains(damaged[0].Problem, "is not by the owner of the job") {
				t.Fatalf("with keys %t, told %+v", withKeys, damaged)
			}
			run(t, world, options)
			for _, verifier := range []*signature.Verifier{nil, options.Verifier} {
				a := signedAudit(t, world, verifier)
				n := len(a.Chain.Breaks)
				if n == 0 || !strings.Contains(a.Chain.Breaks[0].Problem, "is not by the owner of the job") || tellsOfMaria(a) || a.Versions[len(a.Versions)-1].Version != 5000 {
					t.Errorf("with keys %t: %+v, releases %v", withKeys, a.Chain, kinds(a.Releases))
				}
				for i, s := range a.Releases {
					if s.Number != int64(i)+1 {
						t.Errorf("with keys %t: step %d has number %d", withKeys, i+1, s.Number)
					}
				}
			}
		})
	}
}

// TestKeysComeAndGo: a job without keys, with a first one, with a second one, and a reset from a machine that has none.
func TestKeysComeAndGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := shortRun(1)
		more := func(lines []string) *events {
			t.Helper()
			world.Put(testTopics.Input, 0, lines...)
			told := &events{}
			options.Notify = told.add
			run(t, world, options)
			return told
		}
		more(nil)
		before := len(logOf(world))
		text := func() (string, string) {
			private, public, err := signature.Generate()
			if err != nil {
				t.Fatal(err)
			}
			return string(private), public
		}
		trusting := func(public ...string) *signature.Verifier {
			v, err := signature.NewVerifier(public...)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		signing := func(private string) *signature.Signer {
			s, err := signature.NewSigner([]byte(private))
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		entries := func(v *signature.Verifier) history.EntrySignatures {
			return signedAudit(t, world, v).Signatures.Entries
		}
		private, first := text()
		if s := entries(trusting(first)); len(s.Refused) != 1 || s.Refused[0].Last != int64(before) || s.Refused[0].Reason != "it is not signed" {
			t.Errorf("no entry is signed: %+v", s)
		}

		options.Signer, options.Verifier = signing(private), trusting(first)
		if damaged := of[HistoryDamaged](more(adultLines()[400:700])); len(damaged) != 0 {
			t.Errorf("entries from before the keys: %+v", damaged)
		}
		if s := entries(trusting(first)); len(s.Refused) != 0 || s.Before != before || s.Signed == 0 {
			t.Errorf("the first key: %+v", s)
		}
		again, second := text()
		options.Signer, options.Verifier = signing(again), trusting(first, second)
		more(adultLines()[700:1000])
		all := len(logOf(world))
		if s := entries(trusting(first, second)); len(s.Refused) != 0 || s.Before != before || s.Signed != all-before {
			t.Errorf("both keys: %+v", s)
		}
		if s := entries(trusting(second)); len(s.Refused) != 0 || s.Before <= before || s.Before+s.Signed != all {
			t.Errorf("the first key is not trusted any more: %+v", s)
		}
		if s := entries(trusting(first)); len(s.Refused) != 1 || s.Refused[0].Last != int64(all) || !strings.Contains(s.Refused[0].Reason, "not among signing.public_keys") {
			t.Errorf("the second key is not trusted: %+v", s)
		}

		// The signature of another topic's record is none of an entry.
		log := logOf(world)
		moved := slices.Clone(log)
		value := entryOf(t, log[len(log)-1])
		bytes, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		keyID, sum := options.Signer.Sign(log[0].Key, bytes)
		moved[len(log)-1].Headers = []kafka.Header{{Key: signature.HeaderKeyID, Value: []byte(keyID)}, {Key: signature.HeaderSignature, Value: sum}}
		replaceHistory(world, moved)
		if s := entries(options.Verifier); len(s.Refused) != 1 || !strings.Contains(s.Refused[0].Reason, "is wrong") {
			t.Errorf("a signature of another topic: %+v", s)
		}
		replaceHistory(world, log)

		// A reset without a key changes nothing. That of an older program takes effect: the audit refuses its entry, and the next owner
		// disowns it and goes on.
		stranger := options
		stranger.Signer, stranger.Verifier = nil, nil
		var unsigned *UnsignedReset
		if err := ResetState(t.Context(), world, stranger); !errors.As(err, &unsigned) || !strings.Contains(err.Error(), "signing.private_key_file") {
			t.Errorf("a reset without a key: %v", err)
		}
		if state, err := ReadState(t.Context(), world, testTopics.State, "adult"); err != nil || state.Snapshot == nil || len(logOf(world)) != all {
			t.Errorf("it forgot %+v, %v, and told it", state, err)
		}
		if err := ResetState(t.Context(), world, options); err != nil {
			t.Fatal(err)
		}
		log = slices.Clone(logOf(world))
		log[len(log)-1].Headers = nil
		replaceHistory(world, log)
		if s := entries(options.Verifier); len(s.Refused) != 1 || s.Refused[0].First != int64(all)+1 || s.Refused[0].Kind != history.Reset {
			t.Errorf("an unsigned tail: %+v", s)
		}
		if damaged := of[HistoryDamaged](more(nil)); len(damaged) != 1 || !strings.Contains(damaged[0].Problem, "it is not signed") {
			t.Errorf("told %+v", damaged)
		}
		a := signedAudit(t, world, options.Verifier)
		if len(a.Signatures.Entries.Refused) != 1 || len(a.Resets) != 0 || len(a.Chain.Breaks) != 1 || a.Versions[len(a.Versions)-1].Term != 5 {
			t.Errorf("%+v, %+v, resets %+v", a.Signatures.Entries, a.Chain, a.Resets)
		}
		if damaged := of[HistoryDamaged](more(adultLines()[1000:1100])); len(damaged) != 0 {
			t.Errorf("the tail was disowned, and is told again: %+v", damaged)
		}
		// With the key, a reset is signed.
		if err := ResetState(t.Context(), world, options); err != nil {
			t.Fatal(err)
		}
		if a := signedAudit(t, world, options.Verifier); len(a.Signatures.Entries.Refused) != 1 || len(a.Resets) != 1 {
			t.Errorf("%+v, resets %+v", a.Signatures.Entries, a.Resets)
		}
	})
}
