package kafka

import (
	"errors"
	"fmt"
	"slices"
	"time"

	kafkago "github.com/segmentio/kafka-go"
)

// loop fetches from one broker, one request at a time, everything that it leads and that is ready.
func (f *Fetcher) loop(broker int32) {
	defer f.group.Done()
	watch := f.client.watch(fmt.Sprintf("fetch %s from broker %d", f.options.Topic, broker))
	var wait firstByte
	for {
		if f.budget.room(f.context) != nil {
			return
		}
		request, taken, changed := f.take(broker)
		if request == nil {
			if !f.leads(broker) {
				watch.succeeded() // others lead what it led: whether it answers concerns nobody any more
			}
			select {
			case <-changed:
				continue
			case <-f.context.Done():
				return
			}
		}
		request.patience = wait.patience()
		asked := time.Now()
		response, err := f.client.fetch(f.context, broker, request)
		if err != nil {
			wait.failed()
			f.giveBack(taken)
			if f.context.Err() != nil {
				return
			}
			err = f.client.explain("fetch", f.options.Topic, -1, err)
			if ClassOf(err) != Retry {
				f.fail(err)
				return
			}
			sleep(f.context, watch.failed(err))
			f.poke()
			continue
		}
		watch.succeeded()
		wait.answered(time.Since(asked) - request.maxWait)
		f.settle(request, taken, response)
		if response.throttle > 0 {
			sleep(f.context, response.throttle) // a quota: until then the broker would not read our next request anyway
		}
	}
}

// firstByte says how long the first byte of an answer may take: two seconds, doubled by each failure. A cold disk may
// need five seconds, and a limit of two would fail for ever. The time shrinks only when answers come in half of the shorter
// time: on a slow network every other request would fail otherwise.
type firstByte struct{ doublings int }

const shortestFirstByte = 2 * time.Second

func (b *firstByte) patience() time.Duration { return shortestFirstByte << b.doublings }

func (b *firstByte) failed() { b.doublings = min(b.doublings+1, 4) }

func (b *firstByte) answered(after time.Duration) {
	if b.doublings > 0 && after < b.patience()/4 {
		b.doublings--
	}
}

// leads says whether a broker leads any partition, as far as is known.
func (f *Fetcher) leads(broker int32) bool {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return slices.ContainsFunc(f.partitions, func(p *partition) bool { return p.leader.broker == broker })
}

// take chooses the partitions of the next request, another one first each time: the first batches of an answer come
// whole, and could for ever leave no room for the partitions named last.
func (f *Fetcher) take(broker int32) (*fetchRequest, []*partition, <-chan struct{}) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	var taken []*partition
	for i := range f.partitions {
		p := f.partitions[(i+f.turn)%len(f.partitions)]
		if p.state == ready && !p.taken && p.leader.broker == broker {
			p.taken = true
			taken = append(taken, p)
		}
	}
	if len(taken) == 0 {
		return nil, nil, f.changed
	}
	f.turn++
	o := &f.options
	request := &fetchRequest{topic: o.Topic, id: f.id, isolation: f.client.isolation(), maxWait: o.MaxWait, minBytes: 1,
		maxBytes:          max(256<<10, min(o.MaxBytes, o.Budget/(2*len(f.loops)))),
		maxPartitionBytes: o.MaxPartitionBytes}
	for _, p := range taken {
		request.partitions = append(request.partitions, fetchPartition{p.number, p.leader.epoch, p.next})
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
func (f *Fetcher) settle(request *fetchRequest, taken []*partition, response *fetchResponse) {
	defer response.buffer.release()
	for i := range response.partitions {
		fetched := &response.partitions[i]
		for _, p := range taken {
			if p.number == fetched.partition && p.taken {
				f.settleOne(request.id, p, fetched, response.buffer)
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

func (f *Fetcher) settleOne(id TopicID, p *partition, fetched *fetchedPartition, buffer *buffer) {
	var all []*Chunk
	err := codeError(fetched.code)
	if err == nil {
		all, err = newChunks(f.options.Topic, id, p.next, fetched, buffer, f.budget)
	}
	f.mutex.Lock()
	foreign := p.state != ready // the coordinator found another topic under the name: the bytes may be of either
	switch {
	case foreign:
		p.taken = false
	case err == nil:
		p.strikes, p.problem = 0, nil
		p.logStart, p.lastStable, p.highWatermark = fetched.logStart, fetched.lastStable, fetched.highWatermark
	}
	f.mutex.Unlock()
	switch {
	case foreign:
		release(all)
		f.poke()
	case err != nil:
		f.refused(p, err)
	default:
		f.handAll(p, all)
	}
}

// handAll hands over the chunks of a partition, in their order.
func (f *Fetcher) handAll(p *partition, all []*Chunk) {
	for i, chunk := range all {
		f.mutex.Lock()
		p.next, p.epoch = chunk.Next, chunk.Epoch // first: once handed over, the chunk may be released and used again
		f.mutex.Unlock()
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
func (f *Fetcher) refused(p *partition, err error) {
	err = f.client.explain("fetch", f.options.Topic, p.number, err)
	var corrupt *CorruptError
	final := false
	f.mutex.Lock()
	p.taken, p.problem = false, err
	switch {
	case errors.Is(err, kafkago.OffsetOutOfRange):
		p.state = outOfRange
		p.strikes++
	case errors.As(err, &corrupt), errors.Is(err, kafkago.InvalidMessage):
		p.state = unsure
		p.strikes++
		final = p.strikes >= corruptStrikes || corrupt != nil && corrupt.Problem == string(unsupportedFormat)
		if !final {
			p.problem = doubted(err)
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
