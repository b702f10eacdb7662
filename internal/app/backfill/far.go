package backfill

import (
	"context"
	"iter"
	"time"

	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/model"
)

// Far reads files in other processes, such as those of a cluster. Workers call Job.Look, Job.Work and Job.Join there.
type Far interface {
	// Find returns the files that a pattern names, none if there are none.
	Find(pattern string) ([]Found, error)
	// Look has workers look at every file, and returns what they saw in the order of the files.
	Look(ctx context.Context, job Job, files []Found) ([]Looked, error)
	// Work has workers take in every block exactly once in a pass, and returns their reports in any order, joined or not.
	Work(ctx context.Context, job Job, task []byte, blocks []Block) iter.Seq2[Report, error]
}

// Found is a file, before it was opened.
type Found struct {
	Name    string    `json:"name"`
	Bytes   int64     `json:"bytes"`
	Changed time.Time `json:"changed"`
}

// Looked is what one look at a file has seen.
type Looked struct {
	SHA256  string        `json:"sha256,omitempty"` // empty if Job.Unhashed
	Columns []string      `json:"columns,omitempty"`
	Blocks  []input.Block `json:"blocks"`
	// Problem is why the file cannot be read. It would be the same for another worker.
	Problem string `json:"problem,omitempty"`
}

// Block is a block of a file of the history.
type Block struct {
	Found
	input.Block
	File int `json:"file"` // its number
}

// Report is what a worker did.
type Report struct {
	Taken []Taken `json:"taken"`
	// Problem is why it could not, if that would be the same for another worker.
	Problem string `json:"problem,omitempty"`
	// Part is what it has found.
	Part []byte `json:"part"`
}

// Taken is a block that was taken in.
type Taken struct {
	File     int              `json:"file"`
	From     int64            `json:"from"`
	Records  int64            `json:"records"` // good ones
	Rejected input.Rejections `json:"rejected"`
	Sum      uint64           `json:"sum"`              // of its rows
	Fields   *fields          `json:"fields,omitempty"` // of the first records of the file, if the job asks for them
}

// Job is what workers need to know of a backfill.
type Job struct {
	Model  model.Config `json:"model"`
	Format string       `json:"format,omitempty"` // of the files; empty: by extension
	Share  float64      `json:"reject_share"`     // stream.reject_limit
	Window int          `json:"reject_window"`
	// Fields asks for the fields of each file.
	Fields bool `json:"fields,omitempty"`
	// Unhashed says that nobody needs the hashes of the files.
	Unhashed bool `json:"unhashed,omitempty"`
}

func jobOf(c config.Config, format string) Job {
	return Job{Model: c.Model(), Format: format, Share: c.Stream.RejectLimit.Share, Window: c.Stream.RejectLimit.Window}
}

// Fetch makes a file readable under a local name until release is called. The error says that the file is not what was found, or cannot be read.
type Fetch func(ctx context.Context, of Found) (local string, release func(), err error)
