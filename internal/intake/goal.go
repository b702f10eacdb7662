package intake

import (
	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/kafka"
)

// Goal is where the input ended when a stream with UntilEnd began. A nil goal is never reached.
type Goal struct {
	ends map[int32]int64 // by partition; others are left to the next run
	// suspect partitions are not taken to be at their end, whatever their offset says, before the source has
	// read them: their log may have been cut, replaced or made again since it was saved.
	suspect map[int32]bool
	// Open are the partitions whose end was that of what can be read, with records behind it.
	Open []OpenTransaction
}

// NewGoal also gives partitions without a ledger one. saved is the topic that the Ledgers speak of, now
// the one that there is.
func NewGoal(bounds []kafka.Bounds, l *Ledgers, saved, now kafka.TopicID) *Goal {
	g := &Goal{ends: map[int32]int64{}, suspect: map[int32]bool{}}
	for i, b := range bounds {
		partition := int32(i)
		ledger := l.Of(partition, b.Start)
		if ledger.Next < 0 {
			ledger.Next, ledger.LeaderEpoch = b.Start, -1 // it was gone and is back
		}
		g.ends[partition] = b.End
		if b.Unstable > 0 {
			g.Open = append(g.Open, OpenTransaction{Partition: partition, Offset: b.End, Waiting: b.Unstable})
		}
		if ledger.Next > b.End || ledger.Next == b.End && ledger.LeaderEpoch >= 0 || saved != now && saved != (kafka.TopicID{}) {
			g.suspect[partition] = true
		}
	}
	return g
}

// End is where to stop in a partition; a partition that is none of the goal's ends before it begins.
func (g *Goal) End(partition int32) (end int64, bounded bool) {
	if g == nil {
		return 0, false
	}
	return g.ends[partition], true
}

// Reached says whether every partition has been processed as far as it is to be.
func (g *Goal) Reached(l Ledgers) bool {
	if g == nil || len(g.suspect) > 0 {
		return false
	}
	for i := range l {
		if l[i].Next < g.ends[l[i].Partition] && l[i].Next >= 0 {
			return false
		}
	}
	return true
}

// Adapt moves the end of a partition that lost records.
func (g *Goal) Adapt(d *cluster.Delivery) {
	if g == nil {
		return
	}
	delete(g.suspect, d.Partition)
	switch {
	case d.Next < 0:
		delete(g.ends, d.Partition)
	case d.Loss.Kind == kafka.LossRecreated, d.Next > g.ends[d.Partition]:
		g.ends[d.Partition] = d.End
	}
}

// Trust clears the suspicion of partitions that the source reads without complaint: the broker asked for
// their end was not up to date.
func (g *Goal) Trust(positions []kafka.Position, l Ledgers) {
	if g == nil || len(g.suspect) == 0 {
		return
	}
	for _, p := range positions {
		if g.suspect[p.Partition] && p.LastStable >= l.Of(p.Partition, 0).Next {
			delete(g.suspect, p.Partition)
		}
	}
}
