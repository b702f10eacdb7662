package demo

import (
	"io"
	"time"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/server"
	"github.com/fairstream/fairstream/pkg/stream"
)

// Demo is a demonstration, from its broker to its result.
type Demo struct {
	*program.Streams
	JSON        bool          // one object at the end
	Open        bool          // the page in a browser
	KeepRunning bool          // go on with the same records
	Lasts       time.Duration // how long the records take

	config  *config.Loaded
	client  *kafka.Client
	learner *stream.Stream
	live    *server.Live
	page    string // its address; empty: it is not served

	begun time.Time
}

// records is how many records one pass over the bundled records brings.
const records = adult.Records - adult.HeldOut

// screen is where the demo is watched. Standard output is left to the object of --json.
func (d *Demo) screen() io.Writer {
	if d.JSON {
		return d.Err
	}
	return d.Out
}
