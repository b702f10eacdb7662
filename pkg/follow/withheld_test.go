package follow

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/signature"
)

func keyPair(t *testing.T) (signer *signature.Signer, public string) {
	t.Helper()
	private, public, err := signature.Generate()
	if err != nil {
		t.Fatal(err)
	}
	if signer, err = signature.NewSigner(private); err != nil {
		t.Fatal(err)
	}
	return signer, public
}

// TestARefusedStableIsWaitedFor: somebody without the key displaced the alias stable. A reader that starts then cannot know the stable version:
// it uses no other, says why, and goes on when the owner has written the alias again.
func TestARefusedStableIsWaitedFor(t *testing.T) {
	signer, public := keyPair(t)
	stable, latest := modeltopic.Place{Term: 1, Version: 100}, modeltopic.Place{Term: 1, Version: 200}
	for name, forged := range map[string]kafka.Message{
		"not signed": moved(t, StableAlias, 1, latest, nil),
		"damaged":    {Key: []byte("adult/stable"), Value: []byte("{")},
		"deleted":    {Key: []byte("adult/stable")},
	} {
		for _, alias := range []string{"", StableAlias} {
			t.Run(fmt.Sprintf("%s %q", name, alias), func(t *testing.T) {
				l := newLog()
				l.put(published(t, stable, signer)...)
				l.put(published(t, latest, signer)...)
				l.put(moved(t, StableAlias, 1, stable, signer))
				running, _ := following(t, l, Options{Alias: alias, PublicKeys: []string{public}})
				eventually(t, "the stable version", running.is(stable))
				l.put(forged)
				if forged.Value != nil {
					l.compact()
				} else { // a cleaner keeps a deletion for a day
					l.mutex.Lock()
					l.records = append(l.records[:4], forged)
					l.mutex.Unlock()
				}
				f, c := following(t, l, Options{Alias: alias, PublicKeys: []string{public}})
				if err := f.WaitRead(t.Context()); err != nil || f.Current() != nil {
					t.Fatalf("used %+v, %v", f.Current(), err)
				}
				newer := modeltopic.Place{Term: 1, Version: 300}
				l.put(published(t, newer, signer)...)
				eventually(t, "why", func() bool { return c.reasons() == 1 })
				if w := c.withheld[0]; w.Alias != StableAlias || w.Refused.Key != "adult/stable" || w.Refused.Err == nil {
					t.Errorf("told %+v", w)
				}
				l.put(moved(t, StableAlias, 1, stable, signer))
				eventually(t, "the alias that was written again", f.is(stable))
				if !running.is(stable)() || c.reasons() != 1 {
					t.Errorf("the running one uses %+v; told %+v", running.Current(), c.withheld)
				}
			})
		}
	}
}

// TestADeletedStableWithoutKeys: where nobody signs, whoever may write may delete the alias stable: readers that start then use latest.
func TestADeletedStableWithoutKeys(t *testing.T) {
	l := newLog()
	stable, latest := modeltopic.Place{Term: 1, Version: 100}, modeltopic.Place{Term: 1, Version: 200}
	l.put(published(t, stable, nil)...)
	l.put(published(t, latest, nil)...)
	l.put(kafka.Message{Key: []byte("adult/stable"), Value: []byte("{")}, moved(t, StableAlias, 1, stable, nil), kafka.Message{Key: []byte("adult/stable")})
	f, _ := following(t, l, Options{})
	if err := f.WaitRead(t.Context()); err != nil || !f.is(latest)() {
		t.Errorf("used %+v, %v", f.Current(), err)
	}
}

// TestAForgedStableBeforeTheFirst: who decides by latest goes on with it.
func TestAForgedStableBeforeTheFirst(t *testing.T) {
	signer, public := keyPair(t)
	l := newLog()
	first, next := modeltopic.Place{Term: 1, Version: 100}, modeltopic.Place{Term: 1, Version: 200}
	l.put(published(t, first, signer)...)
	f, c := following(t, l, Options{PublicKeys: []string{public}})
	eventually(t, "the first", f.is(first))
	l.put(moved(t, StableAlias, 1, first, nil))
	l.put(published(t, next, signer)...)
	eventually(t, "the next", f.is(next))
	l.put(moved(t, StableAlias, 1, first, signer))
	eventually(t, "stable", f.is(first))
	if c.reasons() > 0 {
		t.Errorf("told %+v", c.withheld)
	}
}

// TestRefusalsAreNotKept: while the key of a reader is wrong, each publication is refused and told once, and what the reader holds does not grow.
func TestRefusalsAreNotKept(t *testing.T) {
	signer, _ := keyPair(t)
	_, wrong := keyPair(t)
	verifier, err := signature.NewVerifier(wrong)
	if err != nil {
		t.Fatal(err)
	}
	var c told
	r := &reader{options: Options{Job: "adult", Notify: c.add}, verifier: verifier, topic: newContents("adult", verifier)}
	l := newLog()
	for v := range int64(100) {
		l.put(published(t, modeltopic.Place{Term: 1, Version: v}, signer)...)
	}
	if _, err := l.Read(t.Context(), "", 0, 0, 200, func(record *kafka.Record) error { r.apply(record); return nil }); err != nil {
		t.Fatal(err)
	}
	if n := len(r.topic.documents) + len(r.topic.aliases); n > 0 || c.refusals() != 200 {
		t.Errorf("holds %d, told %d", n, c.refusals())
	}
}

// TestADamagedKeyIsTold: a key that is not that of a document changes nothing.
func TestADamagedKeyIsTold(t *testing.T) {
	l := newLog()
	f, c := following(t, l, Options{})
	l.put(kafka.Message{Key: []byte("adult/v/9223372036854775807/3"), Value: []byte("{}")}, kafka.Message{Key: []byte("adult/v/300"), Value: []byte("{}")},
		kafka.Message{Key: []byte("adult/w/1/2"), Value: []byte("{}")}, kafka.Message{Key: []byte("other/v/x/2"), Value: []byte("{}")})
	at := modeltopic.Place{Term: modeltopic.MostTerm, Version: 3} // of an owner who went above
	l.put(published(t, at, nil)...)
	eventually(t, "the document", f.is(at))
	if len(c.refused) != 1 || !strings.HasPrefix(c.refused[0].Key, "adult/v/9") {
		t.Errorf("refused %+v", c.refused)
	}
}
