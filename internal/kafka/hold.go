package kafka

// Place is where to go on reading a partition.
type Place struct {
	Partition int32
	// ID is the topic that Offset belongs to, and Epoch that of the offset before it, as in Chunk.
	ID     TopicID
	Offset int64
	Epoch  int32
}

// Hold stops reading a partition until a channel is closed, and then goes on from a place as a new Fetcher would. Chunks of the partition that
// were fetched before have an earlier Turn, and still come: the caller releases them unused. Meanwhile the partition takes no memory, and its
// Positions stay up to date. If the topic is made again, the hold ends: what was held is lost.
func (f *Fetcher) Hold(from Place, until <-chan struct{}) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	p := f.partitions[from.Partition]
	p.turn++
	p.next, p.epoch, p.strikes, p.problem = from.Offset, from.Epoch, 0, nil
	p.state = held
	if f.id != from.ID && f.id != (TopicID{}) && from.ID != (TopicID{}) {
		p.state, p.oldID = recreated, from.ID
		f.poke()
		return
	}
	turn := p.turn
	f.group.Go(func() {
		select {
		case <-until:
		case <-f.context.Done():
			return
		}
		f.mutex.Lock()
		defer f.mutex.Unlock()
		if p.turn == turn && p.state == held {
			p.state = unsure
			f.poke()
		}
	})
}
