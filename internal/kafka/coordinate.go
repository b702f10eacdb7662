package kafka

import (
	"context"
	"time"

	kafkago "github.com/segmentio/kafka-go"
)

// coordinate looks at the cluster, again and again: it adds partitions, follows leaders, resolves offsets, and decides
// whether records are lost. It alone makes a partition ready, so its pauses are those between the attempts at one.
func (f *Fetcher) coordinate() {
	defer f.group.Done()
	watch := f.client.watch("follow " + f.options.Topic)
	for {
		err := f.lookOnce()
		if f.context.Err() != nil {
			return
		}
		if err != nil {
			err = f.client.explain("follow", f.options.Topic, -1, err)
			if ClassOf(err) != Retry {
				f.fail(err)
				return
			}
			sleep(f.context, watch.failed(err))
			continue
		}
		watch.succeeded()
		timer := time.NewTimer(f.options.RefreshEvery)
		select {
		case <-f.look:
			sleep(f.context, firstPause) // several loops find the same: look once
		case <-timer.C:
		case <-f.context.Done():
		}
		timer.Stop()
	}
}

// lookOnce does what can be done, and gives an error if any partition is not well.
func (f *Fetcher) lookOnce() error {
	ctx, cancel := f.client.bounded(f.context)
	defer cancel()
	layout, err := f.client.topic(ctx, f.options.Topic, true)
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
	for _, p := range f.partitions[:min(len(f.partitions), len(layout.leaders))] {
		switch {
		case p.leader.broker < 0:
			return f.client.explain("follow", f.options.Topic, p.number, kafkago.LeaderNotAvailable)
		case p.problem != nil:
			return p.problem
		}
	}
	return nil
}

// adopt takes over what the cluster says.
func (f *Fetcher) adopt(layout *topicLayout) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	old := f.id
	remade := old != (TopicID{}) && layout.id != (TopicID{}) && old != layout.id
	if layout.id != (TopicID{}) {
		f.id = layout.id
	}
	f.extend(len(layout.leaders))
	for i, p := range f.partitions {
		p.leader = noLeader
		if i < len(layout.leaders) {
			p.leader = layout.leaders[i]
		}
		switch {
		case remade && p.next >= 0 && p.state != recreated:
			p.state, p.oldID = recreated, old // also while taken: what is on its way is thrown away
		case p.state == unsure && p.leader.broker >= 0:
			p.state = ready
		case p.state == ready && p.leader.broker < 0:
			p.state = unsure
		}
		if p.state == ready && p.checked != p.leader.epoch {
			p.doubt()
		}
		if broker := p.leader.broker; broker >= 0 && !f.loops[broker] {
			f.loops[broker] = true
			f.group.Add(1)
			go f.loop(broker)
		}
	}
	f.announce()
}

// extend makes room for n partitions; a new one is unplaced. The mutex is held, or nobody else knows f yet.
func (f *Fetcher) extend(n int) {
	for len(f.partitions) < n {
		f.partitions = append(f.partitions, &partition{number: int32(len(f.partitions)), leader: noLeader,
			next: -1, epoch: -1, checked: -1, logStart: -1, lastStable: -1, highWatermark: -1})
	}
}

// resolve places the partitions that have no offset, and judges those whose offset is refused. One that is taken waits
// for the next look: its loop pokes us when it is done.
func (f *Fetcher) resolve(ctx context.Context, layout *topicLayout) error {
	open, present := f.unresolved(len(layout.leaders))
	if len(open) == 0 {
		return nil
	}
	// The end is the high watermark, whatever the isolation: an offset between it and the last stable one is no loss.
	starts, err := f.client.listOffsetsOf(ctx, f.options.Topic, layout, present, earliestTime, uncommitted)
	if err != nil {
		return err
	}
	ends, err := f.client.listOffsetsOf(ctx, f.options.Topic, layout, present, latestTime, uncommitted)
	if err != nil {
		return err
	}
	bounds := map[int32]Bounds{}
	for i, number := range present {
		bounds[number] = Bounds{Start: starts[i], End: ends[i]}
	}
	for _, p := range open {
		found, here := bounds[p.number]
		if err := f.judge(p, layout.id, found, here); err != nil {
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
		if p.taken || p.state == ready || p.state == unsure || p.state == unchecked || (!gone && p.leader.broker < 0) || (gone && p.state != recreated) {
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
// Next in the partition's order.
func (f *Fetcher) judge(p *partition, id TopicID, bounds Bounds, here bool) error {
	f.mutex.Lock()
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
		loss.resume(f.options.OnLoss)
		if f.options.OnLoss == LossFails {
			return loss
		}
		resume = loss.Resume
		chunk := chunks.Get().(*Chunk)
		*chunk = Chunk{Topic: f.options.Topic, ID: id, Partition: p.number, First: loss.Offset, Next: resume, Loss: loss,
			Epoch: -1, HighWatermark: bounds.End, LastStable: bounds.End, LogStart: bounds.Start,
			batches: chunk.batches}
		if !f.hand(chunk) {
			return nil // closing
		}
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if lost {
		p.epoch = -1
	}
	p.next, p.state, p.oldID, p.checked = resume, ready, TopicID{}, p.leader.epoch
	if resume < 0 {
		p.state = unplaced // gone; should it come back, it is read from its beginning
	}
	f.announce()
	return nil
}
