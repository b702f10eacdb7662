package waiting

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestTheFilterKnowsWhatWaits: it says of no key that waits that it does not, however many filters come and go; and of few others that they may.
func TestTheFilterKnowsWhatWaits(t *testing.T) {
	random, f := rand.New(rand.NewPCG(1, 2)), newFilter(0, 0)
	type waits struct {
		key    string
		number int64
	}
	var all []waits
	number, again := int64(0), 0
	for step := range 200_000 {
		if len(all) > 3000 || len(all) > 0 && random.IntN(5) < 2 {
			i := random.IntN(len(all))
			f.gone(all[i].number)
			all[i] = all[len(all)-1]
			all = all[:len(all)-1]
			continue
		}
		number++
		one := waits{fmt.Sprint("key", random.IntN(1<<40)), number}
		all = append(all, one)
		f.next = 64
		f.put([]byte(one.key), number, int64(len(all)))
		for f.unread != nil { // what readKeys does
			again++
			for _, w := range all {
				f.all[0].add(f.hash([]byte(w.key)))
			}
			f.unread = nil
		}
		if step%97 == 0 {
			for _, w := range all {
				if !f.mayWait([]byte(w.key), nil) {
					t.Fatalf("step %d: %s waits", step, w.key)
				}
			}
		}
	}
	if again == 0 || f.useless {
		t.Errorf("all was read again %d times; useless: %v", again, f.useless)
	}
}

// TestFewAreLookedForInVain: of keys that wait nowhere, beside a full filter.
func TestFewAreLookedForInVain(t *testing.T) {
	f, random, vain := newFilter(0, 0), rand.New(rand.NewPCG(1, 2)), 0
	const keys = 1 << 18
	f.next = keys
	key := func() []byte { return fmt.Append(nil, "application-", random.Uint64()) }
	for i := range int64(keys) {
		f.put(key(), i+1, i+1)
	}
	for range keys {
		if f.mayWait(key(), nil) {
			vain++
		}
	}
	if share := float64(vain) / keys; share > .03 {
		t.Errorf("%.4f of the keys are looked for in vain", share)
	} else {
		t.Logf("%.4f", share)
	}
}

// TestTooManyEntriesAreLookedForEach: memory is bounded.
func TestTooManyEntriesAreLookedForEach(t *testing.T) {
	f := newFilter(mostWaiting+1, 1<<40)
	if f.put([]byte("a"), 1<<40+1, mostWaiting+2); !f.useless || len(f.all) > 0 || !f.mayWait([]byte("b"), nil) {
		t.Errorf("%d filters", len(f.all))
	}
}
