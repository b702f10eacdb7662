package deal

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism" // it registers itself
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/extworker"
)

// Runner says where pipelines run.
type Runner struct {
	// Name is prism, in this process, or flink, by the job server at Endpoint. Any other runner with a job server should do, too.
	Name, Endpoint string
	// Workers is the address of a pool of workers beside each task manager; empty: this process works.
	Workers string
	// Parallelism is how many shards the engine works on at the same time; 0: as the engine is configured.
	Parallelism int
}

// Check says what does not fit together.
func (r *Runner) Check() error {
	switch r.Name {
	case "prism":
		if r.Endpoint != "" || r.Workers != "" {
			return errors.New("--endpoint and --workers belong to --runner flink: Prism and its workers run in this process")
		}
	case "flink":
		if r.Endpoint == "" {
			return errors.New("--runner flink needs --endpoint: the address of Beam's job server for Flink, such as localhost:8099")
		}
	default:
		return fmt.Errorf("--runner %s: it is prism or flink", r.Name)
	}
	return nil
}

// begin is called before the first pipeline runs: Beam's options and log are those of the process.
var begin = sync.OnceFunc(func() {
	beam.Init()
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError + 1}))) // errors are returned
	log.SetLogger(silent{})
})

// silent is Beam's own log: what it says of failures is in the errors that are returned.
type silent struct{}

func (silent) Log(context.Context, log.Severity, int, string) {}

// ownPool is a pool of workers in this process, for as long as it lives.
var ownPool = sync.OnceValues(func() (string, error) {
	pool, err := extworker.StartLoopback(context.Background(), 0)
	if err != nil {
		return "", err
	}
	return pool.EnvironmentConfig(context.Background()), nil
})

// run runs a pipeline.
func (r *Runner) run(ctx context.Context, p *beam.Pipeline) error {
	begin()
	workers := r.Workers
	if workers == "" {
		own, err := ownPool()
		if err != nil {
			return err
		}
		workers = own
	}
	// Beam's LOOPBACK would begin a pool and leave a file behind in each job. A pool needs no program, so an empty one is handed to the engine.
	*jobopts.EnvironmentType, *jobopts.EnvironmentConfig, *jobopts.WorkerBinary = "EXTERNAL", workers, os.DevNull
	*jobopts.Parallelism = -1
	if r.Parallelism > 0 {
		*jobopts.Parallelism = r.Parallelism
	}
	execute := universal.Execute
	if r.Name == "prism" {
		execute = prism.Execute // it sets the endpoint
	} else {
		*jobopts.Endpoint = r.Endpoint
	}
	_, err := execute(ctx, p)
	return err
}

// Serve is a pool of workers at a port, until ctx is done.
func Serve(ctx context.Context, port int) (address string, stop func() error, err error) {
	begin()
	pool, err := extworker.StartLoopback(ctx, port)
	if err != nil {
		return "", nil, err
	}
	return pool.EnvironmentConfig(ctx), func() error { return pool.Stop(context.WithoutCancel(ctx)) }, nil
}
