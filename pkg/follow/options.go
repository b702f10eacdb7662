package follow

import (
	"errors"

	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/kafka"
)

// Kafka describes how to reach the cluster; its keys are those of the section kafka of the configuration.
type Kafka = kafka.Config

// Options name the job and the alias to follow.
type Options struct {
	Kafka Kafka
	// Topic is the model topic, Job the name of the job.
	Topic, Job string
	// Alias is the alias to follow. If it is empty: stable, and latest before the first stable version.
	Alias string
	// Forget gives up a document when the alias that was named is deleted; Current is nil then. Otherwise the last good one stays in use. The owner
	// of a job deletes the alias candidate when a candidate is rejected and no other version waits.
	Forget bool
	// PublicKeys, each as ed25519:BASE64, are the keys whose signatures are accepted. Without keys, signatures are not required.
	PublicKeys []string
	// Notify receives every event, from one goroutine. It must return soon. It may be nil.
	Notify func(Event)
}

func (o Options) validate() error {
	if o.Topic == "" || o.Job == "" {
		return errors.New("follow: Topic or Job is empty")
	}
	return nil
}

// LatestAlias and StableAlias are the names of aliases.
const (
	LatestAlias = modeltopic.Latest
	StableAlias = modeltopic.Stable
)
