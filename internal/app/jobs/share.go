package jobs

import (
	"hash/fnv"
	"reflect"
	"runtime"
	"sync"

	"golang.org/x/sync/semaphore"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/stream"
)

// memory is how many bytes of fetched records that are not learnt yet all jobs may have together. No job has less than leastFetch.
const (
	memory     = 256 << 20
	leastFetch = 1 << 20
)

// parcel is how many records a job learns in a turn. Parcels keep the room that their records needed, so small ones save 3 MB a job on Adult.
const parcel = 64

// turns are as many as there are processors. Who has waited longest is next, and a turn is one parcel of records, a few milliseconds: a job
// with a backlog has as many turns as the others, however much it has to learn.
func turns() stream.Turns { return semaphore.NewWeighted(int64(runtime.GOMAXPROCS(0))) }

// phase spreads what jobs do in intervals: it depends on the name alone, so it is the same after a restart.
func phase(job string) float64 {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(job)) // which never fails
	return float64(sum.Sum64()*0x9e3779b97f4a7c15>>11) / (1 << 53)
}

// clients are those of the clusters that jobs use: one for each way to reach a cluster.
type clients struct {
	mutex sync.Mutex
	open  []*sharedClient
}

type sharedClient struct {
	*kafka.Client
	config kafka.Config
	users  int
}

// get gives the client of a cluster, and what gives it back. Who is last to give it back closes it.
func (c *clients) get(config kafka.Config) (client *kafka.Client, giveBack func() error, err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	var shared *sharedClient
	for _, one := range c.open {
		if reflect.DeepEqual(one.config, config) {
			shared = one
		}
	}
	if shared == nil {
		if client, err = kafka.Open(config, kafka.Options{}); err != nil {
			return nil, nil, err
		}
		shared = &sharedClient{Client: client, config: config}
		c.open = append(c.open, shared)
	}
	shared.users++
	return shared.Client, func() error { return c.giveBack(shared) }, nil
}

func (c *clients) giveBack(shared *sharedClient) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if shared.users--; shared.users > 0 {
		return nil
	}
	for i, one := range c.open {
		if one == shared {
			c.open = append(c.open[:i], c.open[i+1:]...)
			break
		}
	}
	return shared.Close()
}
