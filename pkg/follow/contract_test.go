package follow

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/internal/bycommit"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/signature"
	"github.com/fairstream/fairstream/pkg/stream"
)

// readable is a log as pkg/stream reads it.
type readable struct {
	stream.Cluster
	log *log
}

func (c readable) Read(ctx context.Context, topic string, partition int32, from, to int64, use func(*kafka.Record) error) (int64, error) {
	return c.log.Read(ctx, topic, partition, from, to, use)
}

// answers are the documents that a follower of each alias uses, and that a command finds.
func answers(t *testing.T, l *log, keys []string) (followed, found string) {
	t.Helper()
	verifier, err := signature.NewVerifier(keys...)
	if err != nil {
		t.Fatal(err)
	}
	models, err := stream.ReadSignedModels(t.Context(), readable{log: l}, "people.models", "adult", verifier)
	if err != nil {
		t.Fatal(err)
	}
	for _, alias := range []string{LatestAlias, StableAlias, "candidate"} {
		f, err := open(l, Options{Topic: "people.models", Job: "adult", Alias: alias, PublicKeys: keys}, func() error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		if err := f.WaitRead(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		followed, found = followed+" "+alias, found+" "+alias
		if m := f.Current(); m != nil {
			followed += fmt.Sprintf(" %d/%d", m.Term, m.Version)
		}
		if m := models.ByAlias(alias); m != nil {
			found += fmt.Sprintf(" %d/%d", m.Term, m.Version)
		}
	}
	return followed, found
}

// TestCommandsAndFollowersAgree: whoever reads the same records finds the same document under an alias: late moves, withdrawals, deletions,
// damaged records and strangers without the key, in any order, before and after the cleaner.
func TestCommandsAndFollowersAgree(t *testing.T) {
	signer, public := keyPair(t)
	place := func(random *rand.Rand) modeltopic.Place {
		return modeltopic.Place{Term: 1 + random.Int64N(3), Version: 100 * (1 + random.Int64N(3))}
	}
	name := func(random *rand.Rand) string { return []string{LatestAlias, StableAlias, "candidate"}[random.IntN(3)] }
	share := 3
	if testing.Short() {
		share = 15
	}
	first, every := bycommit.Of(t, "topics", share)
	for seed := uint64(first); seed < 150; seed += uint64(every) {
		random := rand.New(rand.NewPCG(seed, 24))
		var keys []string
		by := (*signature.Signer)(nil)
		if seed%2 > 0 {
			keys, by = []string{public}, signer
		}
		l := newLog()
		for step := range 12 {
			writer := by
			if random.IntN(4) == 0 {
				writer = nil // a stranger
			}
			at := place(random)
			switch random.IntN(8) {
			case 0, 1:
				l.put(published(t, at, writer)...)
			case 2, 3, 4:
				l.put(moved(t, name(random), 1+random.Int64N(4), at, writer))
			case 5:
				l.put(kafka.Message{Key: []byte(modeltopic.AliasKey("adult", name(random))), Value: []byte(`{"term":-1}`)})
			case 6:
				l.put(kafka.Message{Key: []byte(modeltopic.AliasKey("adult", name(random)))})
			default:
				other := published(t, modeltopic.Place{Term: at.Term, Version: at.Version + 1}, nil)[0]
				wrong := modeltopic.MoveAlias("adult", name(random), 3, modeltopic.Target{Place: at, SHA256: string(modeltopic.Header(other.Headers, modeltopic.HeaderSHA256))}, writer)
				l.put(wrong, kafka.Message{Key: []byte(modeltopic.DocumentKey("adult", place(random)))})
			}
			if followed, found := answers(t, l, keys); followed != found {
				t.Fatalf("seed %d, step %d: a follower uses%s, a command finds%s", seed, step, followed, found)
			}
		}
		l.compact()
		if followed, found := answers(t, l, keys); followed != found {
			t.Fatalf("seed %d, after the cleaner: a follower uses%s, a command finds%s", seed, followed, found)
		}
	}
}

// TestALateMoveOfStable: an earlier owner moves stable back to a version that was withdrawn. Neither a follower nor a command takes it.
func TestALateMoveOfStable(t *testing.T) {
	l := newLog()
	withdrawn, stable := modeltopic.Place{Term: 1, Version: 300}, modeltopic.Place{Term: 2, Version: 500}
	l.put(published(t, withdrawn, nil)...)
	l.put(published(t, stable, nil)...)
	l.put(moved(t, StableAlias, 2, stable, nil), moved(t, StableAlias, 1, withdrawn, nil))
	const want = " latest 2/500 stable 2/500 candidate"
	if followed, found := answers(t, l, nil); followed != want || found != want {
		t.Errorf("a follower uses%s, a command finds%s", followed, found)
	}
}
