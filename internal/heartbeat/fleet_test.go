package heartbeat

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
)

// TestAnHourOfFiftyInstances with a heartbeat every ten seconds: as many records as docs/events.md says, of the size that it says, and a reader that
// begins then knows all of them.
func TestAnHourOfFiftyInstances(t *testing.T) {
	const instances = 50
	synctest.Test(t, func(t *testing.T) {
		l, bytes := &log{}, 0
		var mutex sync.Mutex
		write := func(ctx context.Context, m kafka.Message) error {
			mutex.Lock()
			defer mutex.Unlock()
			bytes += len(m.Key) + len(m.Value)
			for _, h := range m.Headers {
				bytes += len(h.Key) + len(h.Value)
			}
			return l.write(ctx, m)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var group sync.WaitGroup
		for i := range instances {
			w := NewWriter(WriterOptions{Job: job, Instance: fmt.Sprintf("desk-7d9f8b6c5-%05d:8470", i), Program: "v0.1.0", Every: 10 * time.Second, Write: write,
				Serving: func() []Serving { return []Serving{serving("stable", 48842, time.Time{})} }, Failed: func(err error) { t.Error(err) }})
			group.Go(func() { w.Run(ctx) })
		}
		time.Sleep(time.Hour - time.Second)
		synctest.Wait()
		r := NewReader(l, topic, job)
		if err := r.Read(t.Context()); err != nil {
			t.Fatal(err)
		}
		all := r.Fleet.Known(time.Now())
		if len(all) != instances || len(l.records) != instances*360 || l.read != len(l.records) {
			t.Errorf("%d instances, %d heartbeats, %d read", len(all), len(l.records), l.read)
		}
		for _, one := range all {
			if one.Silent {
				t.Errorf("%s is silent", one.Beat.Instance)
			}
		}
		if each := bytes / len(l.records); each > 700 {
			t.Errorf("%d bytes each", each)
		}
		t.Logf("%d heartbeats of %d bytes with key and headers, %.1f MB", len(l.records), bytes/len(l.records), float64(bytes)/1e6)
		cancel()
		group.Wait()
		if err := r.Read(t.Context()); err != nil || len(r.Fleet.Known(time.Now())) != 0 {
			t.Errorf("known after the end: %s; %v", names(r.Fleet.Known(time.Now())), err)
		}
	})
}
