package intake

import (
	"maps"
	"slices"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/deadletter"
	"github.com/fairstream/fairstream/internal/kafka"
)

// Standing is how far an input was processed, and what became of its records: what a snapshot saves of it.
type Standing struct {
	// Topic is the identity of the topic that the ledgers are about: a topic that was made again is another one.
	Topic   kafka.TopicID
	Ledgers Ledgers
	// Rejected counts records by reason.
	Rejected map[string]int64
	// Recent are the latest records, for RejectLimit.
	Recent Recent
}

// Account notes what becomes of each record of an input.
type Account struct {
	topic    kafka.TopicID
	ledgers  Ledgers
	rejected map[string]int64
	latest   *Rejects
	taken    int64 // records that were learnt or kept
	last     error // the last rejection
}

// NewAccount is the account of an input of which nothing was processed.
func NewAccount(limit RejectLimit) *Account {
	return &Account{rejected: map[string]int64{}, latest: NewRejects(limit)}
}

// Restore goes on from a snapshot. Where records are read otherwise than before, the latest rejections say nothing.
func (a *Account) Restore(s Standing, otherwise bool) error {
	a.topic, a.ledgers = s.Topic, s.Ledgers
	a.taken = s.Ledgers.Taken()
	if s.Rejected != nil {
		a.rejected = s.Rejected
	}
	if otherwise {
		return nil
	}
	return a.latest.Restore(s.Recent)
}

// Begin places an input of which nothing was processed, by partition.
func (a *Account) Begin(topic kafka.TopicID, offsets []int64) {
	a.topic = topic
	for i, offset := range offsets {
		a.ledgers.Of(int32(i), offset)
	}
}

// Standing is a copy.
func (a *Account) Standing() Standing {
	return Standing{a.topic, slices.Clone(a.ledgers), maps.Clone(a.rejected), a.latest.Recent()}
}

// Topic is the identity of the topic that was read last.
func (a *Account) Topic() kafka.TopicID { return a.topic }

// Ledgers are those of the partitions. Who sets a goal may add to them.
func (a *Account) Ledgers() *Ledgers { return &a.ledgers }

// Total is the number of rejected records, and Last says why the last one was rejected since the process began.
func (a *Account) Total() (n int64) {
	for _, count := range a.rejected {
		n += count
	}
	return n
}

// Last says why the last rejected record was rejected; nil: none was since the process began.
func (a *Account) Last() error { return a.last }

// Taken is how many records were learnt or kept.
func (a *Account) Taken() int64 { return a.taken }

// Learnt notes a record that was learnt, or with kept one that waits for its label.
func (a *Account) Learnt(l *Ledger, offset int64, kept bool) {
	a.taken++
	if a.latest.Push(false); kept {
		l.Kept.Add(l.Partition, offset)
	} else {
		l.Learnt.Add(l.Partition, offset)
	}
}

// Reject notes a rejected record. The error is a *TooManyRejected: the record is not noted then, so that the next start comes to it again.
func (a *Account) Reject(l *Ledger, offset int64, rejection error) error {
	a.last = rejection
	reason := deadletter.ReasonOf(rejection)
	if aboutSchema(reason) {
		if count, exceeded := a.latest.TooMany(); exceeded {
			return &TooManyRejected{count, a.latest.limit.Window, a.latest.limit.Share, rejection}
		}
		a.latest.Push(true)
	}
	l.Rejected.Add(l.Partition, offset)
	a.rejected[string(reason)]++
	return nil
}

// Finish moves a ledger over what of a delivery holds no record, and says whether it moved.
func (a *Account) Finish(l *Ledger, d *cluster.Delivery, g *Goal) (moved bool) {
	next := d.Next
	if d.Loss != nil {
		l.Lost += max(0, d.Loss.Lost)
		g.Adapt(d)
	}
	if end, bounded := g.End(d.Partition); bounded && next >= 0 {
		next = max(l.Next, min(next, end))
		if d.Loss != nil {
			next = min(d.Next, end)
		}
	}
	if next != l.Next || d.Loss != nil {
		l.Next, l.LeaderEpoch, moved = next, -1, true
	}
	if d.Loss != nil {
		l.restart()
	}
	if next == d.Next {
		l.LeaderEpoch = LeaderEpoch(d.Epoch)
	}
	if d.ID != (kafka.TopicID{}) {
		a.topic = d.ID
	}
	return moved
}
