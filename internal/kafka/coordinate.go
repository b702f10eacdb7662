package kafka

import (
	"context"
	"time"

	kafkago "github.com/segmentio/kafka-go"

	"github.com/fairstream/fairstream/internal/kafka/batches"
	"github.com/fairstream/fairstream/internal/kafka/fault"
	"github.com/fairstream/fairstream/internal/kafka/link"
	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// coordinate looks at the cluster, again and again: it adds partitions, follows leaders, resolves offsets, and decides
// whether records are lost. It alone makes a partition ready, so its pauses are those between the attempts at one.
func (f *Fetcher) coordinate() {
	defer f.group.Done()
	attempts := f.client.link.Attempts("follow " + f.options.Topic)
	for {
		err := f.lookOnce()
		if f.context.Err() != nil {
			return
		}
		if err != nil {
			err = fault.Explain("follow", f.options.Topic, fault.NoPartition, err)
			if ClassOf(err) != Retry {
				f.fail(err)
				return
			}
			link.Sleep(f.context, attempts.Failed(err))
			continue
		}
		attempts.Succeeded()
		timer := time.NewTimer(f.options.RefreshEvery)
		select {
		case <-f.look:
			link.Sleep(f.context, link.FirstPause) // several loops find the same: look once
		case <-timer.C:
		case <-f.context.Done():
		}
		timer.Stop()
	}
}

// lookOnce does what can be done, and gives an error if any partition is not well.
func (f *Fetcher) lookOnce() error {
	ctx, cancel := f.client.link.Bounded(f.context)
	defer cancel()
	layout, err := f.client.link.Layout(ctx, f.options.Topic, true)
	if err != nil {
		return err
	}
	f.adopt(layout)
	if err := f.validate(ctx); err != nil {
		return err
	}
	if err := f.resolve(ctx, layout); err != nil {
		return err
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for _, p := range f.partitions[:min(len(f.partitions), len(layout.Leaders))] {
		switch {
		case p.leader.Broker < 0:
			return fault.Explain("follow", f.options.Topic, p.number, kafkago.LeaderNotAvailable)
		case p.problem != nil:
			return p.problem
		}
	}
	return nil
}

// adopt takes over what the cluster says.
func (f *Fetcher) adopt(layout *wire.Topic) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	old := f.id
	remade := old != (TopicID{}) && layout.ID != (TopicID{}) && old != layout.ID
	if layout.ID != (TopicID{}) {
		f.id = layout.ID
	}
	f.extend(len(layout.Leaders))
	for i, p := range f.partitions {
		p.leader = wire.NoLeader
		if i < len(layout.Leaders) {
			p.leader = layout.Leaders[i]
		}
		switch {
		case remade && p.next >= 0 && p.state != recreated:
			p.state, p.oldID = recreated, old // also while taken: what is on its way is thrown away
		case p.state == unsure && p.leader.Broker >= 0:
			p.state = ready
		case p.state == ready && p.leader.Broker < 0:
			p.state = unsure
		}
		if p.state == ready && p.checked != p.leader.Epoch {
			p.doubt()
		}
		if broker := p.leader.Broker; broker >= 0 && !f.loops[broker] {
			f.loops[broker] = true
			f.group.Add(1)
			go f.loop(broker)
		}
	}
	f.announce()
}

// resolve places the partitions that have no offset, and judges those whose offset is refused. One that is taken waits
// for the next look: its loop pokes us when it is done.
func (f *Fetcher) resolve(ctx context.Context, layout *wire.Topic) error {
	open, present := f.unresolved(len(layout.Leaders))
	if len(open) == 0 {
		return nil
	}
	// The end is the high watermark, whatever the isolation: an offset between it and the last stable one is no loss.
	starts, err := f.client.link.ListOffsetsOf(ctx, f.options.Topic, layout, present, link.EarliestTime, wire.Uncommitted)
	if err != nil {
		return err
	}
	ends, err := f.client.link.ListOffsetsOf(ctx, f.options.Topic, layout, present, link.LatestTime, wire.Uncommitted)
	if err != nil {
		return err
	}
	bounds := map[int32]Bounds{}
	for i, number := range present {
		bounds[number] = Bounds{Start: starts[i], End: ends[i]}
	}
	for _, p := range open {
		found, here := bounds[p.number]
		if err := f.judge(p, layout.ID, found, here); err != nil {
			return err
		}
	}
	return nil
}

// unresolved gives the partitions to resolve, and the numbers of those that the cluster has (the others are gone). One
// without a leader is left for later: nobody can tell its bounds.
func (f *Fetcher) unresolved(count int) (open []*partition, present []int32) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for _, p := range f.partitions {
		gone := int(p.number) >= count
		if p.taken || p.state == ready || p.state == unsure || p.state == unchecked || (!gone && p.leader.Broker < 0) || (gone && p.state != recreated) {
			continue
		}
		open = append(open, p)
		if !gone {
			present = append(present, p.number)
		}
	}
	return open, present
}

// judge makes a partition ready again, at its offset or, if records are lost, where the policy says; the loss goes to
// Next in the partition's order. Of one that is held, it notes the bounds alone, which no fetch brings.
func (f *Fetcher) judge(p *partition, id TopicID, bounds Bounds, here bool) error {
	f.mutex.Lock()
	if p.state == held {
		p.logStart, p.lastStable, p.highWatermark = bounds.Start, bounds.End, bounds.End
		f.mutex.Unlock()
		return nil
	}
	turn := p.turn
	loss := &DataLoss{Topic: f.options.Topic, Partition: p.number, Offset: p.next, Bounds: bounds, OldID: p.oldID, NewID: id}
	resume, lost := p.next, true
	switch {
	case p.state == recreated && !here:
		loss.Kind = LossPartitionGone
	case p.state == recreated:
		loss.Kind = LossRecreated
	case p.state == unplaced:
		resume, lost = bounds.Start, false
	case p.next < bounds.Start:
		loss.Kind = LossBelowStart
	case p.state == diverged && p.kept >= bounds.Start:
		loss.Kind, loss.Kept = LossReplaced, p.kept
	case p.next > bounds.End && p.strikes >= rangeStrikes:
		loss.Kind = LossAboveEnd
	default:
		lost = false // the broker that refused was not up to date, or was the first to say so
	}
	f.mutex.Unlock()
	if lost {
		loss.Apply(f.options.OnLoss)
		if f.options.OnLoss == LossFails {
			return loss
		}
		resume = loss.Resume
		chunk := batches.LossChunk(id, loss)
		chunk.Turn = turn
		if !f.hand(chunk) {
			return nil // closing
		}
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if p.turn != turn {
		return nil
	}
	if lost {
		p.epoch = -1
	}
	p.next, p.state, p.oldID, p.checked = resume, ready, TopicID{}, p.leader.Epoch
	if resume < 0 {
		p.state = unplaced // gone; should it come back, it is read from its beginning
	}
	f.announce()
	return nil
}
