package devbroker

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"github.com/twmb/franz-go/pkg/kfake"
)

// Options of a broker.
type Options struct {
	// Port on 127.0.0.1; 0: any free one.
	Port int
	// Brokers in the cluster, for tests of moving leaders; 0 is 1. With more, Port must be 0.
	Brokers int
	// DataDir keeps topics over restarts; empty: in memory. It must exist. One broker at a time uses a directory; a
	// second one gets ErrInUse.
	DataDir string
	// MaintainEvery is the time between rounds of retention (and, in memory, compaction). 0: a minute.
	MaintainEvery time.Duration
	// Fake adds options of kfake: authentication and older versions, for tests.
	Fake []kfake.Opt
}

// Broker is a running one.
type Broker struct {
	// Cluster lets tests inject faults, move leaders and delete records.
	Cluster *kfake.Cluster

	addresses []string
	lock      *flock.Flock // of the data directory; nil without one
	stop      chan struct{}
	closed    sync.Once
	group     sync.WaitGroup
}

const never = "315360000000" // ms: ten years

// Start begins to listen. Close the broker.
func Start(options Options) (*Broker, error) {
	if options.Brokers <= 0 {
		options.Brokers = 1
	}
	if options.Brokers > 1 && options.Port != 0 {
		return nil, fmt.Errorf("devbroker: %d brokers cannot share port %d", options.Brokers, options.Port)
	}
	if options.MaintainEvery <= 0 {
		options.MaintainEvery = time.Minute
	}
	ports := make([]int, options.Brokers)
	ports[0] = options.Port
	settings := []kfake.Opt{kfake.NumBrokers(options.Brokers), kfake.Ports(ports...), kfake.ListenFn(listen),
		kfake.ClusterID("fairstream-dev-broker"), kfake.BrokerConfigs(map[string]string{"log.cleaner.backoff.ms": never})}
	var lock *flock.Flock
	if options.DataDir != "" {
		var err error
		if lock, err = acquire(options.DataDir); err != nil {
			return nil, err
		}
		settings = append(settings, kfake.DataDir(options.DataDir))
	}
	cluster, err := kfake.NewCluster(append(settings, options.Fake...)...)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("devbroker: %w", err), unlock(lock))
	}
	b := &Broker{Cluster: cluster, addresses: cluster.ListenAddrs(), lock: lock, stop: make(chan struct{})}
	if options.DataDir != "" {
		cluster.Compact()
	}
	b.group.Add(1)
	go b.maintain(options.MaintainEvery, options.DataDir == "")
	return b, nil
}

// Addresses are host:port of every broker.
func (b *Broker) Addresses() []string { return b.addresses }

// Close writes what is pending to the data directory and ends every connection.
func (b *Broker) Close() {
	b.closed.Do(func() {
		close(b.stop)
		b.group.Wait()
		b.Cluster.Close()
		_ = unlock(b.lock) // the system lets go of it when the process ends, if not before
	})
}

func (b *Broker) maintain(every time.Duration, compact bool) {
	defer b.group.Done()
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-b.stop:
			return
		case <-ticker.C:
		}
		b.Cluster.ApplyRetention()
		if compact {
			b.Cluster.Compact()
		}
	}
}
