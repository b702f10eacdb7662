package kafka

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// fetcherOf is a fetcher without a cluster, of one partition that broker 0 leads.
func fetcherOf(t *testing.T, p partition, options FetchOptions) (*Fetcher, *partition) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	f := &Fetcher{options: options, context: ctx, cancel: cancel, look: make(chan struct{}, 1), failed: make(chan struct{}), changed: make(chan struct{}), out: make(chan *Chunk, 1),
		loops: map[int32]bool{0: true, 1: true}, id: TopicID{1}, partitions: []*partition{&p}}
	return f, f.partitions[0]
}

// TestDefaultsOfFetching stand for what is 0, and for nothing else.
func TestDefaultsOfFetching(t *testing.T) {
	same := func(a, b FetchOptions) bool {
		return a.OnLoss == b.OnLoss && a.Budget == b.Budget && a.MaxWait == b.MaxWait && a.MaxBytes == b.MaxBytes && a.MaxPartitionBytes == b.MaxPartitionBytes && a.RefreshEvery == b.RefreshEvery
	}
	want := FetchOptions{OnLoss: LossFails, Budget: 64 << 20, MaxWait: 500 * time.Millisecond, MaxBytes: 8 << 20, MaxPartitionBytes: 1 << 20, RefreshEvery: 5 * time.Second}
	if got := (FetchOptions{}).withDefaults(); !same(got, want) {
		t.Errorf("%+v", got)
	}
	if got := (FetchOptions{Budget: -1, MaxWait: -1, MaxBytes: -1, MaxPartitionBytes: -1, RefreshEvery: -1}).withDefaults(); !same(got, want) {
		t.Errorf("of what is below 0: %+v", got)
	}
	least := FetchOptions{OnLoss: LossLatest, Budget: 1, MaxWait: 1, MaxBytes: 1, MaxPartitionBytes: 1, RefreshEvery: 1}
	if got := least.withDefaults(); !same(got, least) {
		t.Errorf("%+v", got)
	}
}

// TestWhatTheClusterSaysIsAdopted: a partition becomes ready once it has a leader, another leader must show that what was read is in its log, and of a topic that
// was made again nothing is read on.
func TestWhatTheClusterSaysIsAdopted(t *testing.T) {
	first, second := TopicID{1}, TopicID{2}
	led, moved, again := wire.Leader{Broker: 0, Epoch: 4}, wire.Leader{Broker: 1, Epoch: 5}, wire.Leader{Broker: 0, Epoch: 5}
	for name, c := range map[string]struct {
		before  state
		next    int64
		epoch   int32
		id      TopicID
		leaders []wire.Leader
		after   state
		checked int32
	}{
		"as before":                       {ready, 7, 3, first, []wire.Leader{led}, ready, 4},
		"it has a leader":                 {unsure, 7, 3, first, []wire.Leader{led}, ready, 4},
		"it has none":                     {ready, 7, 3, first, []wire.Leader{wire.NoLeader}, unsure, 4},
		"it has none yet":                 {unsure, 7, 3, first, []wire.Leader{wire.NoLeader}, unsure, 4},
		"it is gone":                      {ready, 7, 3, first, nil, unsure, 4},
		"another broker":                  {ready, 7, 3, first, []wire.Leader{moved}, unchecked, 4},
		"another broker at the beginning": {ready, 7, 0, first, []wire.Leader{moved}, unchecked, 4},
		"the same broker, elected again":  {ready, 7, 3, first, []wire.Leader{again}, unchecked, 4},
		"nothing was read":                {ready, 7, -1, first, []wire.Leader{moved}, ready, 5},
		"a leader without an epoch":       {ready, 7, 3, first, []wire.Leader{{Broker: 1, Epoch: -1}}, ready, -1},
		"the first epoch":                 {ready, 7, 3, first, []wire.Leader{{Broker: 1, Epoch: 0}}, unchecked, 4},
		"out of range":                    {outOfRange, 7, 3, first, []wire.Leader{moved}, outOfRange, 4},
		"made again":                      {ready, 0, 3, second, []wire.Leader{led}, recreated, 4},
		"made again, not placed":          {unplaced, -1, 3, second, []wire.Leader{led}, unplaced, 4},
		"made again, and once more":       {recreated, 7, 3, second, []wire.Leader{led}, recreated, 4},
		"its id is not told":              {ready, 7, 3, TopicID{}, []wire.Leader{led}, ready, 4},
	} {
		f, p := fetcherOf(t, partition{state: c.before, next: c.next, epoch: c.epoch, checked: 4, oldID: TopicID{9}}, FetchOptions{})
		changed := f.changed
		f.adopt(&wire.Topic{ID: c.id, Leaders: c.leaders})
		leader := wire.NoLeader
		if len(c.leaders) > 0 {
			leader = c.leaders[0]
		}
		if p.state != c.after || p.checked != c.checked || p.leader != leader || p.next != c.next {
			t.Errorf("%s: %+v", name, p)
		}
		old := TopicID{9}
		if c.after == recreated && c.before != recreated {
			old = first
		}
		id := c.id
		if id == (TopicID{}) {
			id = first
		}
		if p.oldID != old || f.id != id {
			t.Errorf("%s: the topic %v, before %v", name, f.id, p.oldID)
		}
		select {
		case <-changed:
		default:
			t.Errorf("%s: nobody is told", name)
		}
	}
	f, _ := fetcherOf(t, partition{}, FetchOptions{})
	if f.adopt(&wire.Topic{ID: first, Leaders: []wire.Leader{led, wire.NoLeader, moved}}); len(f.partitions) != 3 || f.partitions[2].leader != moved || f.partitions[2].number != 2 || f.partitions[2].next != -1 {
		t.Errorf("%d partitions, the last is %+v", len(f.partitions), f.partitions[len(f.partitions)-1])
	}
}

// TestWhichPartitionsAreResolved: those that are not read for a reason that bounds decide, unless a request names them or nobody leads them.
func TestWhichPartitionsAreResolved(t *testing.T) {
	led := wire.Leader{Broker: 0, Epoch: 4}
	for name, c := range map[string]struct {
		p             partition
		count         int
		open, present bool
	}{
		"not placed":           {partition{state: unplaced, leader: led}, 1, true, true},
		"out of range":         {partition{state: outOfRange, leader: led}, 1, true, true},
		"diverged":             {partition{state: diverged, leader: led}, 1, true, true},
		"held":                 {partition{state: held, leader: led}, 1, true, true},
		"made again":           {partition{state: recreated, leader: led}, 1, true, true},
		"ready":                {partition{state: ready, leader: led}, 1, false, false},
		"unsure":               {partition{state: unsure, leader: led}, 1, false, false},
		"not checked":          {partition{state: unchecked, leader: led}, 1, false, false},
		"asked for":            {partition{state: outOfRange, leader: led, taken: true}, 1, false, false},
		"without a leader":     {partition{state: outOfRange, leader: wire.NoLeader}, 1, false, false},
		"gone":                 {partition{state: outOfRange, leader: wire.NoLeader}, 0, false, false},
		"gone, and made again": {partition{state: recreated, leader: wire.NoLeader}, 0, true, false},
	} {
		f, p := fetcherOf(t, c.p, FetchOptions{})
		open, present := f.unresolved(c.count)
		if (len(open) == 1) != c.open || c.open && open[0] != p || slices.Equal(present, []int32{0}) != c.present || len(present) > 1 {
			t.Errorf("%s: %v, %v", name, open, present)
		}
	}
}

// TestWhatIsJudgedALoss of a partition whose log goes from 10 to before 20, at each bound: where it is read on, and what is told.
func TestWhatIsJudgedALoss(t *testing.T) {
	const none = LossKind("")
	for name, c := range map[string]struct {
		p     partition
		here  bool
		kind  LossKind
		next  int64
		state state
	}{
		"not placed":                    {partition{state: unplaced, next: -1}, true, none, 10, ready},
		"at the start":                  {partition{state: outOfRange, next: 10, strikes: 9}, true, none, 10, ready},
		"below the start":               {partition{state: outOfRange, next: 9}, true, LossBelowStart, 10, ready},
		"at the end":                    {partition{state: outOfRange, next: 20, strikes: 9}, true, none, 20, ready},
		"above the end, for once":       {partition{state: outOfRange, next: 21, strikes: rangeStrikes - 1}, true, none, 21, ready},
		"above the end, again":          {partition{state: outOfRange, next: 21, strikes: rangeStrikes}, true, LossAboveEnd, 10, ready},
		"replaced from the start on":    {partition{state: diverged, next: 15, kept: 10}, true, LossReplaced, 10, ready},
		"replaced, and the start moved": {partition{state: diverged, next: 15, kept: 9}, true, none, 15, ready},
		"made again":                    {partition{state: recreated, next: 15}, true, LossRecreated, 10, ready},
		"gone":                          {partition{state: recreated, next: 15}, false, LossPartitionGone, -1, unplaced},
		"held":                          {partition{state: held, next: 15, epoch: 3}, true, none, 15, held},
	} {
		c.p.epoch, c.p.leader, c.p.turn = 3, wire.Leader{Broker: 0, Epoch: 8}, 5
		f, p := fetcherOf(t, c.p, FetchOptions{Topic: "topic", OnLoss: LossEarliest})
		if err := f.judge(p, TopicID{7}, Bounds{Start: 10, End: 20}, c.here); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		epoch, checked := int32(3), int32(8)
		if c.kind != none {
			epoch = -1
		}
		if c.state == held {
			checked = 0
		}
		if p.next != c.next || p.state != c.state || p.epoch != epoch || p.checked != checked {
			t.Errorf("%s: %+v", name, p)
		}
		if bounded := p.logStart == 10 && p.lastStable == 20 && p.highWatermark == 20; bounded != (c.state == held) {
			t.Errorf("%s: %+v", name, p)
		}
		if len(f.out) != map[bool]int{true: 1}[c.kind != none] {
			t.Errorf("%s: %d chunks", name, len(f.out))
		} else if c.kind != none {
			if chunk := <-f.out; chunk.Loss.Kind != c.kind || chunk.Turn != 5 || chunk.Loss.Offset != c.p.next || chunk.Loss.NewID != (TopicID{7}) || chunk.Loss.Resume != c.next ||
				c.kind == LossReplaced && chunk.Loss.Kept != c.p.kept {
				t.Errorf("%s: %+v", name, chunk.Loss)
			}
		}
		f, p = fetcherOf(t, c.p, FetchOptions{Topic: "topic", OnLoss: LossFails})
		var loss *DataLoss
		if err := f.judge(p, TopicID{7}, Bounds{Start: 10, End: 20}, c.here); errors.As(err, &loss) != (c.kind != none) || loss != nil && (loss.Kind != c.kind || p.next != c.p.next || p.state != c.p.state) {
			t.Errorf("%s: %v, %+v", name, err, p)
		}
	}
}
