package rolling

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/codec"
)

// count is a tally of records, and of what they weigh.
type count struct{ records, weight int64 }

func (c *count) Combine(other *count) {
	c.records += other.records
	c.weight += other.weight
}

func (c *count) Reset() { *c = count{} }

// fields takes eight bytes for a number, as the tallies of a learner do on average.
func (c *count) fields(coder *codec.Coder) {
	for _, n := range []*int64{&c.records, &c.weight} {
		x := float64(*n)
		coder.Sum(&x)
		*n = int64(x)
	}
}

func newMeasured() Measured[*count] {
	return NewMeasured(func() *count { return &count{} }, func(c *count) int64 { return c.records })
}

func state(m *Measured[*count]) []byte {
	c := codec.NewWriter(nil)
	one := func(n *count) { n.fields(c) }
	m.Fields(c, one)
	m.CameFields(c, one)
	return c.Bytes()
}

func restored(t *testing.T, saved []byte) Measured[*count] {
	t.Helper()
	m, c := newMeasured(), codec.NewReader(saved)
	one := func(n *count) { n.fields(c) }
	m.Fields(c, one)
	if m.CameFields(c, one); c.End() != nil {
		t.Fatal(c.End())
	}
	return m
}

// recent adds the weights of the part of a list that is recent: of its complete blocks the last eight, and the rest.
func recent(weights []int64) (records, weight int64) {
	from := max(0, len(weights)/Block-recentBlocks) * Block
	return sum(weights[from:])
}

func sum(weights []int64) (records, weight int64) {
	for _, w := range weights {
		weight += w
	}
	return int64(len(weights)), weight
}

// TestMeasuredIsWhatCame: of records with labels, of records without, and of labels that come later, each tally has its own, over the whole
// stream and over its recent part; and also after a restart.
func TestMeasuredIsWhatCame(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 7))
	for _, together := range []int{0, 700, 12_345} { // records before the first without its label
		m := newMeasured()
		var labelled, came []int64
		apart := false
		for i := range 30_000 {
			w := int64(1 + random.IntN(9))
			itself, label := true, true
			if i >= together {
				itself, label = random.IntN(3) > 0, random.IntN(2) == 0
			}
			if !(itself && label) {
				m.Part()
				apart = true
			}
			if label {
				m.Labelled().Combine(&count{1, w})
				labelled = append(labelled, w)
			}
			if itself {
				if tally, kept := m.Came(); kept {
					tally.Combine(&count{1, w})
				}
				came = append(came, w)
			}
			m.Close()
			if i%4001 == 17 {
				saved := state(&m)
				if m = restored(t, saved); !bytes.Equal(state(&m), saved) {
					t.Fatal("restored, it is another")
				}
			}
			if i%997 > 0 && i != 29_999 {
				continue
			}
			for _, of := range []bool{false, true} {
				part := sum
				if of {
					part = recent
				}
				records, weight := part(labelled)
				got, all, parted := m.Both(of)
				if *got != (count{records, weight}) {
					t.Fatalf("after %d: labelled %+v, want %d and %d (recent: %t)", i, *got, records, weight, of)
				}
				if parted != apart {
					t.Fatalf("after %d: labels are told from records: %t, want %t (recent: %t)", i, parted, apart, of)
				}
				if records, weight = part(came); parted && *all != (count{records, weight}) {
					t.Fatalf("after %d: came %+v, want %d and %d (recent: %t)", i, *all, records, weight, of)
				}
			}
		}
	}
}

// TestDamagedTalliesAreRefused: none that is cut short is taken.
func TestDamagedTalliesAreRefused(t *testing.T) {
	m := newMeasured()
	m.Part()
	for range 3000 {
		m.Labelled().Combine(&count{1, 1})
		if tally, kept := m.Came(); kept {
			tally.Combine(&count{1, 1})
		}
		m.Close()
	}
	if came := m.came.All(); came.records != 3000 || came.of.records != 3000 {
		t.Errorf("%d records came, of which %d were counted", came.records, came.of.records)
	}
	saved := state(&m)
	for n := range len(saved) {
		c, again := codec.NewReader(saved[:n]), newMeasured()
		one := func(n *count) { n.fields(c) }
		again.Fields(c, one)
		if again.CameFields(c, one); c.End() == nil {
			t.Errorf("%d of %d bytes are accepted", n, len(saved))
		}
	}
}

// TestEveryTallyIsVisited, in the order in which they are coded: those of labelled records, and then those of all that came. Before there are enough complete blocks
// there are none.
func TestEveryTallyIsVisited(t *testing.T) {
	r := New(func() *count { return &count{} })
	for i := range int64(recentBlocks + 2) {
		if got := len(r.Complete()); got != map[bool]int{true: recentBlocks}[i >= recentBlocks] {
			t.Errorf("after %d blocks %d are complete", i, got)
		}
		r.Open.records = 100 + i
		r.Count(Block - 1)
		if r.Open.records != 100+i {
			t.Fatal("a block ended before it was full")
		}
		r.Count(Block)
	}
	r.Open.records = 7
	var visited []int64
	r.Each(func(c *count) { visited = append(visited, c.records) })
	if len(visited) != 2+recentBlocks || visited[1] != 7 || visited[2] != 100+recentBlocks || visited[3] != 100+recentBlocks+1 || visited[4] != 102 {
		t.Errorf("%v", visited)
	}
	if complete := r.Complete(); complete[0].records != 102 || complete[recentBlocks-1].records != 100+recentBlocks+1 {
		t.Errorf("from %d to %d", complete[0].records, complete[recentBlocks-1].records)
	}
	m := newMeasured()
	n := 0
	if m.EachOfBoth(func(*count) { n++ }); n != 2 {
		t.Errorf("%d tallies of labelled records", n)
	}
	m.Labelled().Combine(&count{1, 5})
	m.Part()
	tally, _ := m.Came()
	tally.Combine(&count{1, 6})
	var weights []int64
	if m.EachOfBoth(func(c *count) { weights = append(weights, c.weight) }); !slices.Equal(weights, []int64{0, 5, 0, 11}) {
		t.Errorf("tallies of labels, and of records: %v", weights)
	}
}

// TestTheRingOfBlocks is read in every state that it can be in, though nothing follows it, and in no other.
func TestTheRingOfBlocks(t *testing.T) {
	for _, c := range []struct {
		blocks, next int
		valid        bool
	}{{0, 0, true}, {0, 1, false}, {2, 0, true}, {2, 1, true}, {2, 2, false}, {recentBlocks, recentBlocks - 1, true}, {recentBlocks, recentBlocks, false}, {recentBlocks + 1, 0, false}} {
		empty := func() *count { return &count{} }
		r := New(empty)
		for range c.blocks {
			r.blocks = append(r.blocks, empty())
		}
		r.next = c.next
		eight := func(coder *codec.Coder) func(n *count) {
			return func(n *count) {
				x := float64(n.records)
				coder.Sum(&x)
			}
		}
		written := codec.NewWriter(nil)
		r.Fields(written, eight(written))
		read, again := codec.NewReader(written.Bytes()), New(empty)
		if again.Fields(read, eight(read)); (read.End() == nil) != c.valid {
			t.Errorf("%d blocks, the next one at %d: %v", c.blocks, c.next, read.End())
		}
	}
}
