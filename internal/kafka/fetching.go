package kafka

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/fairstream/fairstream/internal/kafka/batches"
	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// FetchOptions say what to read of a topic.
type FetchOptions struct {
	Topic string
	// ID of the topic that Offsets belong to; zero: whatever topic has the name now.
	ID TopicID
	// Offsets to begin at. A partition that is not named, today or when it is added later, is read from its beginning:
	// reading a new one from its end would lose what came before it was seen.
	Offsets map[int32]int64
	// Epochs are the Chunk.Epoch that were saved with Offsets. A partition that is not named is not checked for records
	// that were replaced.
	Epochs map[int32]int32
	// OnLoss is LossFails unless set.
	OnLoss LossPolicy
	// Budget bounds the bytes of the chunks that are not released yet: those fetched, of which one fetch of each broker may
	// go beyond it, and those of decoded records, which take at most half of it, or one batch more. Default 64 MiB.
	Budget int
	// MaxWait is how long a broker waits for new records. Default 500 ms.
	MaxWait time.Duration
	// MaxBytes of one fetch of a broker, default 8 MiB, and MaxPartitionBytes of one partition in it, default 1 MiB. A
	// single larger batch still comes.
	MaxBytes, MaxPartitionBytes int
	// RefreshEvery is how often the cluster is asked for new partitions, new leaders and the topic's identity, besides
	// whenever a broker's answer calls for it. Default 5 s.
	RefreshEvery time.Duration
}

func (o FetchOptions) withDefaults() FetchOptions {
	o.OnLoss = cmp.Or(o.OnLoss, LossFails)
	if o.Budget <= 0 {
		o.Budget = 64 << 20
	}
	if o.MaxWait <= 0 {
		o.MaxWait = 500 * time.Millisecond
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = 8 << 20
	}
	if o.MaxPartitionBytes <= 0 {
		o.MaxPartitionBytes = 1 << 20
	}
	if o.RefreshEvery <= 0 {
		o.RefreshEvery = 5 * time.Second
	}
	return o
}

// Position is how far a partition was fetched, and the bounds of its log when it was.
type Position struct {
	Partition int32
	// Next offset to be fetched; -1 while it is not known yet.
	Next int64
	// As in Chunk; -1 while unknown.
	LogStart, LastStable, HighWatermark int64
}

// Fetcher reads all partitions of a topic; doc.go draws its goroutines. Next gives what they bring.
type Fetcher struct {
	client  *Client
	options FetchOptions
	budget  *batches.Budget
	out     chan *Chunk

	context context.Context
	cancel  context.CancelFunc
	group   sync.WaitGroup
	look    chan struct{} // the coordinator is to look at the cluster now

	mutex      sync.Mutex
	id         TopicID
	partitions []*partition // by number
	loops      map[int32]bool
	turn       int           // which partition a request names first
	changed    chan struct{} // closed when a partition may have become ready
	failure    error
	failed     chan struct{} // closed with failure set
}

// state of a partition. Only a ready one that is not taken is fetched.
type state int

const (
	unplaced   state = iota // its offset is to be asked for
	ready                   // it has a leader and an offset
	unsure                  // a broker's answer contradicts what we know: the coordinator looks first
	outOfRange              // the coordinator decides whether records are lost
	recreated               // the same, the topic having another id
	unchecked               // it has another leader: is what was read still in its log?
	diverged                // it is not
	held                    // the caller of Hold says when it is read on
)

// partition is guarded by the Fetcher's mutex.
type partition struct {
	number  int32
	state   state
	taken   bool // a request names it, or its chunk is being handed over
	turn    int  // how often it was held: what was asked for in an earlier turn is thrown away
	asked   int  // the turn of the request that names it
	leader  wire.Leader
	next    int64
	epoch   int32   // of the offset before next; -1 unknown
	checked int32   // leader epoch under which next is known to follow what was read
	kept    int64   // while diverged: the offset up to which the log is as it was read
	oldID   TopicID // while recreated: of the topic that next belongs to
	strikes int     // out-of-range or corrupt answers in a row at the same offset
	problem error   // why it was refused; nil after a success

	logStart, lastStable, highWatermark int64
}

const (
	// outputChunks only smooths; the budget bounds the memory.
	outputChunks = 64
	// strikesOut: the second answer in a row that an offset is out of range is believed (the first may come from a
	// leader that was elected a moment ago), and so is the fourth that a batch is corrupt (a bit lost on the way heals).
	rangeStrikes   = 2
	corruptStrikes = 4
	// endStrikes: so many empty answers, half a second each, of a log that ends before an offset that was in it.
	endStrikes = 6
)

// extend makes room for n partitions; a new one is unplaced. The mutex is held, or nobody else knows f yet.
func (f *Fetcher) extend(n int) {
	for len(f.partitions) < n {
		f.partitions = append(f.partitions, &partition{number: int32(len(f.partitions)), leader: wire.NoLeader,
			next: -1, epoch: -1, checked: -1, logStart: -1, lastStable: -1, highWatermark: -1})
	}
}

// doubt marks a ready partition that has another leader than its position was checked with. The mutex is held.
func (p *partition) doubt() {
	if p.epoch < 0 || p.leader.Epoch < 0 {
		p.checked = p.leader.Epoch // nothing was read, or the broker knows no epochs
		return
	}
	p.state = unchecked // also while taken: what is on its way is thrown away
}

// fail ends reading; the first failure counts.
func (f *Fetcher) fail(err error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.failure == nil && f.context.Err() == nil {
		f.failure = err
		close(f.failed)
		f.cancel()
	}
}

// announce wakes the loops. The mutex is held.
func (f *Fetcher) announce() {
	close(f.changed)
	f.changed = make(chan struct{})
}

// poke asks the coordinator to look at the cluster.
func (f *Fetcher) poke() {
	select {
	case f.look <- struct{}{}:
	default: // it will look anyway
	}
}

// hand gives a chunk to Next, in the order of the partition.
func (f *Fetcher) hand(chunk *Chunk) bool {
	select {
	case f.out <- chunk:
		return true
	case <-f.context.Done():
		chunk.Release()
		return false
	}
}
