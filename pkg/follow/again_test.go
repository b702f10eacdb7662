package follow

import (
	"errors"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
)

// TestTopicMadeAgain: the last good one stays in use, and what comes later on the new topic is followed.
func TestTopicMadeAgain(t *testing.T) {
	l := newLog()
	f, c := following(t, l, Options{Alias: LatestAlias})
	at := modeltopic.Place{Term: 3, Version: 100}
	l.put(published(t, at, nil)...)
	eventually(t, "the first", f.is(at))
	l.mutex.Lock()
	l.records = nil
	l.mutex.Unlock()
	l.breakWith(&kafka.DataLoss{Kind: kafka.LossRecreated, Topic: "people.models"})
	eventually(t, "the loss", func() bool { c.mutex.Lock(); defer c.mutex.Unlock(); return len(c.outages) == 1 })
	l.put(published(t, modeltopic.Place{Term: 2, Version: 500}, nil)...)
	l.put(published(t, modeltopic.Place{Term: 4, Version: 50}, nil)...)
	eventually(t, "the news", func() bool { return slices.Contains(c.places(), "latest 4/50") })
	if got := c.places(); len(got) != 2 || !f.is(modeltopic.Place{Term: 4, Version: 50})() {
		t.Errorf("used %q", got)
	}

	// Made again and filled before the follower reads it: the highest is used, not the last.
	l.mutex.Lock()
	l.records = nil
	for _, at := range []modeltopic.Place{{Term: 4, Version: 60}, {Term: 5, Version: 90}, {Term: 5, Version: 70}} {
		l.records = append(l.records, published(t, at, nil)...)
	}
	l.mutex.Unlock()
	l.breakWith(&kafka.DataLoss{Kind: kafka.LossRecreated, Topic: "people.models"})
	eventually(t, "the highest of the second topic", f.is(modeltopic.Place{Term: 5, Version: 90}))
	l.put(published(t, modeltopic.Place{Term: 5, Version: 80}, nil)...)
	l.put(published(t, modeltopic.Place{Term: 5, Version: 100}, nil)...)
	eventually(t, "the next", f.is(modeltopic.Place{Term: 5, Version: 100}))
	eventually(t, "the news", func() bool { return len(c.places()) >= 4 })
	if got := c.places(); !slices.Equal(got, []string{"latest 3/100", "latest 4/50", "latest 5/90", "latest 5/100"}) {
		t.Errorf("used %q", got)
	}
	l.breakWith(errors.New("refused for good"))
	<-f.Done()
	if f.Err() == nil || f.Current() == nil {
		t.Errorf("%v, %v", f.Err(), f.Current())
	}
}
