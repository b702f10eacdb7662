package stream

import (
	"testing"

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
		c.put(t, 1, labels[:150])
		within(t, "half of the labels are learnt", func() bool { return b.Status().Labels.Joined == 150 && len(of[WaitingRemade](&told)) > 0 })
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
		if remade := of[WaitingRemade](&told); len(remade) != 1 || remade[0].Records < 150 || remade[0].Topic != options.Topics.Waiting {
			t.Errorf("told %+v", remade)
		}
		c.put(t, 1, labels[150:])
		if l := c.run(t, options).Status().Labels; l.Joined != 300 || l.Lost != 0 || l.Waiting != 0 {
			t.Errorf("%+v", l)
		}
	})
}
