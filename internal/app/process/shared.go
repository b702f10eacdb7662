package process

import (
	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/stream"
)

// Shared is what the jobs of one process have together, and the share of this one. Who made it ends it.
type Shared struct {
	// Logger writes the log of the process; lines of a job have its name.
	Logger *zap.Logger
	// Client is that of the cluster of the job.
	Client *kafka.Client
	// Serving says that the page of the job is served.
	Serving bool
	// FetchBytes bounds stream.fetch_bytes.
	FetchBytes int
	// Beside is what the stream of the job heeds.
	Beside stream.Beside
}

// limit bounds what a job takes.
func (s *Shared) limit(o *stream.Options) {
	o.Beside = s.Beside
	o.FetchBytes = min(o.FetchBytes, s.FetchBytes)
	if o.Decoders == 0 { // one a processor, for each of many jobs, are goroutines that stand in each other's way
		o.Decoders = 1
	}
}
