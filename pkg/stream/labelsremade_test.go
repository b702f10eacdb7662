package stream

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
)

// TestTheTopicOfWaitingRecordsIsMadeAgain on brokers, while a job runs that has no folder: all that wait are written to it again, and are told of. The next
// process finds them.
func TestTheTopicOfWaitingRecordsIsMadeAgain(t *testing.T) {
	onBrokers(t, 1, func(t *testing.T, c *realTopics) {
		options := c.options()
		options.Model = labelOptions().Model
		options.Topics.Waiting = c.limited(t, c.topics.Input+".waiting", kafka.WaitingTopic, 1<<20)
		options.Snapshot = Cadence{Records: 50}
		var told events
		options.Notify = told.add
		var records, labels []string
		for i, line := range adultLines()[:300] {
			record, label := split(line, i)
			records, labels = append(records, record), append(labels, label)
		}
		c.put(t, 1, records)
		b := inBackground(t, c, options)
		within(t, "records wait", func() bool { return b.Status().Labels != nil && b.Status().Labels.Waiting == 300 })
		c.remake(t, options.Topics.Waiting, options)
		put, remade := 0, func() []WaitingRemade { return of[WaitingRemade](&told) }
		for put < 250 && len(remade()) == 0 { // a broker may show the old topic for a moment
			c.put(t, 1, labels[put:put+50])
			put += 50
			within(t, "labels are learnt", func() bool { return b.Status().Labels.Joined == int64(put) })
			for end := time.Now().Add(3 * time.Second); len(remade()) == 0 && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			}
		}
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
		if r := remade(); len(r) == 0 || r[0].Records < 50 || r[0].Topic != options.Topics.Waiting {
			t.Errorf("told %+v", r)
		}
		c.put(t, 1, labels[put:])
		if l := c.run(t, options).Status().Labels; l.Joined != 300 || l.Lost != 0 || l.Waiting != 0 {
			t.Errorf("%+v", l)
		}
	})
}

// TestTheTopicOfWaitingRecordsIsMadeAgainWhileNothingComes: the records that wait are on the new topic within seconds, and a snapshot counts them there. So a process that
// has no folder may be killed.
func TestTheTopicOfWaitingRecordsIsMadeAgainWhileNothingComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := newWorld(1), labelOptions()
		var first, second events
		options.Snapshot, options.Notify = Cadence{Interval: 30 * time.Second}, first.add
		var labels []string
		for i, line := range adultLines()[:300] {
			record, label := split(line, i)
			world.Put(testTopics.Input, 0, record)
			labels = append(labels, label)
		}
		killed := inBackground(t, world, options)
		time.Sleep(time.Minute)
		world.Again(options.Topics.Waiting)
		saves := len(of[Saved](&first))
		time.Sleep(7 * time.Second)
		if remade := of[WaitingRemade](&first); len(remade) != 1 || remade[0].Records != 300 || len(of[Saved](&first)) != saves+1 {
			t.Errorf("told %+v, and %d snapshots", remade, len(of[Saved](&first))-saves)
		}
		world.Put(testTopics.Input, 0, labels...)
		options.Notify = second.add
		l := run(t, world, options).Status().Labels // takes over
		if err := killed.end(); err == nil {
			t.Error("the first process goes on")
		}
		if l.Joined != 300 || l.Lost != 0 || len(of[WaitingLost](&second)) > 0 {
			t.Errorf("%+v, %+v", l, of[WaitingLost](&second))
		}
	})
}
