package stream

import (
	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/kafka"
)

// Cluster is what a stream asks of Kafka.
type Cluster = cluster.Cluster

// Kafka makes a cluster of a client.
func Kafka(client *kafka.Client) Cluster { return cluster.Kafka(client) }
