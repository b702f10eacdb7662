package kafka

import (
	"errors"
	"fmt"
	"slices"
	"time"

	kafkago "github.com/segmentio/kafka-go"

	"github.com/fairstream/fairstream/internal/kafka/batches"
	"github.com/fairstream/fairstream/internal/kafka/fault"
	"github.com/fairstream/fairstream/internal/kafka/link"
	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// loop fetches from one broker, one request at a time, everything that it leads and that is ready.
func (f *Fetcher) loop(broker int32) {
	defer f.group.Done()
	attempts := f.client.link.Attempts(fmt.Sprintf("fetch %s from broker %d", f.options.Topic, broker))
	var wait firstByte
	for {
		if f.budget.Room(f.context) != nil {
			return
		}
		request, taken, changed := f.take(broker)
		if request == nil {
			if !f.leads(broker) {
				attempts.Succeeded() // others lead what it led: whether it answers concerns nobody any more
			}
			select {
			case <-changed:
				continue
			case <-f.context.Done():
				return
			}
		}
		request.Patience = wait.patience()
		asked := time.Now()
		response, err := f.client.fetch(f.context, broker, request)
		if err != nil {
			wait.failed()
			f.giveBack(taken)
			if f.context.Err() != nil {
				return
			}
			err = fault.Explain("fetch", f.options.Topic, fault.NoPartition, err)
			if ClassOf(err) != Retry {
				f.fail(err)
				return
			}
			link.Sleep(f.context, attempts.Failed(err))
			f.poke()
			continue
		}
		attempts.Succeeded()
		wait.answered(time.Since(asked), request.MaxWait)
		f.settle(request, taken, response)
		if response.Throttle > 0 {
			link.Sleep(f.context, response.Throttle) // a quota: until then the broker would not read our next request anyway
		}
	}
}

// leads says whether a broker leads any partition, as far as is known.
func (f *Fetcher) leads(broker int32) bool {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return slices.ContainsFunc(f.partitions, func(p *partition) bool { return p.leader.Broker == broker })
}

// besideHeld is how long a request may wait for records while another partition of the broker is held: that one can go on only with the next request.
const besideHeld = 50 * time.Millisecond

// waiting is how long a request to a broker may wait for records, at most most.
func waiting(partitions []*partition, broker int32, most time.Duration) time.Duration {
	if slices.ContainsFunc(partitions, func(p *partition) bool { return p.state == held && p.leader.Broker == broker }) {
		return min(most, besideHeld)
	}
	return most
}

// take chooses the partitions of the next request, another one first each time: the first batches of an answer come
// whole, and could for ever leave no room for the partitions named last.
func (f *Fetcher) take(broker int32) (*wire.Fetch, []*partition, <-chan struct{}) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	var taken []*partition
	for i := range f.partitions {
		p := f.partitions[(i+f.turn)%len(f.partitions)]
		if p.state == ready && !p.taken && p.leader.Broker == broker {
			p.taken, p.asked = true, p.turn
			taken = append(taken, p)
		}
	}
	if len(taken) == 0 {
		return nil, nil, f.changed
	}
	f.turn++
	o := &f.options
	request := &wire.Fetch{Topic: o.Topic, ID: f.id, Isolation: f.client.link.Config.Isolation(), MaxWait: waiting(f.partitions, broker, o.MaxWait), MinBytes: 1,
		MaxBytes:          max(256<<10, min(o.MaxBytes, o.Budget/(2*len(f.loops)))),
		MaxPartitionBytes: o.MaxPartitionBytes}
	for _, p := range taken {
		request.Partitions = append(request.Partitions, wire.FetchPartition{Partition: p.number, Epoch: p.leader.Epoch, Offset: p.next})
	}
	return request, taken, nil
}

// giveBack returns partitions whose request failed: the leader may be gone, so the coordinator looks before the next.
func (f *Fetcher) giveBack(taken []*partition) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for _, p := range taken {
		p.taken = false
		if p.state == ready {
			p.state = unsure
		}
	}
}

// settle hands over what came, partition by partition.
func (f *Fetcher) settle(request *wire.Fetch, taken []*partition, response *fetched) {
	defer response.buffer.Release()
	for i := range response.Partitions {
		answered := &response.Partitions[i]
		for _, p := range taken {
			if p.number == answered.Partition && p.taken {
				f.settleOne(request.ID, p, answered, response.buffer)
			}
		}
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for _, p := range taken {
		p.taken = false // also those that the broker left out
	}
	f.announce()
}

func (f *Fetcher) settleOne(id TopicID, p *partition, answered *wire.FetchedPartition, buffer *batches.Buffer) {
	f.mutex.Lock()
	first, turn := p.next, p.turn
	stale := p.asked != turn
	f.mutex.Unlock()
	var all []*Chunk
	err := wire.Code(answered.Code)
	if err == nil && !stale {
		all, err = batches.NewChunks(f.options.Topic, id, first, answered, buffer, f.budget)
	}
	f.mutex.Lock()
	// The coordinator found another topic under the name, and the bytes may be of either; or the partition was held.
	foreign := p.state != ready || p.turn != turn || stale
	switch {
	case foreign:
		p.taken = false
	case err == nil:
		p.strikes, p.problem = 0, nil
		p.logStart, p.lastStable, p.highWatermark = answered.LogStart, answered.LastStable, answered.HighWatermark
	}
	f.mutex.Unlock()
	switch {
	case foreign:
		release(all)
		f.poke()
	case err != nil:
		f.refused(p, turn, err)
	default:
		f.handAll(p, turn, all)
	}
}

// handAll hands over the chunks of a partition, in their order, unless it is held meanwhile.
func (f *Fetcher) handAll(p *partition, turn int, all []*Chunk) {
	for i, chunk := range all {
		f.mutex.Lock()
		current := p.turn == turn
		if current {
			p.next, p.epoch = chunk.Next, chunk.Epoch // first: once handed over, the chunk may be released and used again
		}
		f.mutex.Unlock()
		if !current {
			release(all[i:])
			return
		}
		chunk.Turn = turn
		if !f.hand(chunk) {
			release(all[i+1:])
			return
		}
	}
}

func release(all []*Chunk) {
	for _, chunk := range all {
		chunk.Release()
	}
}

// refused decides what a partition's error means.
func (f *Fetcher) refused(p *partition, turn int, err error) {
	err = fault.Explain("fetch", f.options.Topic, p.number, err)
	var corrupt *CorruptError
	final := false
	f.mutex.Lock()
	p.taken = false
	if p.turn != turn {
		f.mutex.Unlock()
		f.poke()
		return
	}
	p.problem = err
	switch {
	case errors.Is(err, kafkago.OffsetOutOfRange):
		p.state = outOfRange
		p.strikes++
	case errors.As(err, &corrupt), errors.Is(err, kafkago.InvalidMessage):
		p.state = unsure
		p.strikes++
		final = p.strikes >= corruptStrikes || corrupt != nil && corrupt.Problem == string(batches.UnsupportedFormat)
		if !final {
			p.problem = fault.Doubted(err)
		}
	default:
		p.state = unsure
		final = ClassOf(err) != Retry
	}
	f.mutex.Unlock()
	if final {
		f.fail(err)
		return
	}
	f.poke()
}
