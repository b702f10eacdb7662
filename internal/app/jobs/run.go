package jobs

import (
	"context"
	"crypto/sha256"
	"os"
	"os/signal"
	"reflect"
	"syscall"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"

	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/process"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/app/service"
	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/server"
)

// lookEvery is how often the files are looked at. A change counts when two looks see the same: a file is not read while it is being written.
const lookEvery = 5 * time.Second

// Process is a process that runs the jobs of a directory.
type Process struct {
	*program.Streams
	// Named are the files and directories that were named.
	Named []string
	Load  Load
	// UntilEnd and BeginAgain are those of process.Job, for each job.
	UntilEnd, BeginAgain bool
	Said                 command.Said
}

// Run runs the jobs until ctx ends, or with UntilEnd until each has read what its topic holds. found is what Scan gave, with one job at least.
func (p *Process) Run(ctx context.Context, found *Found) error {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	settings := found.settings()
	logger, level, err := service.ProcessLogger(p.Err, settings.Loaded)
	if err != nil {
		return err
	}
	warnOfOthers(logger, settings, found)
	access, err := service.Access(settings.Server)
	if err != nil {
		return err
	}
	listener, err := process.Listen(ctx, settings.Loaded, p.UntilEnd, logger)
	if err != nil {
		return err
	}
	page := server.NewJobs(program.Version(), level, access)
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	group, serving := errgroup.WithContext(serving)
	if listener != nil {
		group.Go(func() error { return server.Serve(serving, listener, page.Handler(), access) })
	}
	set := Set{New: p.newJob, Logger: logger, Page: page, Serving: listener != nil}
	group.Go(func() error {
		defer stop()
		set.Apply(ctx, found)
		p.follow(ctx, &set, settings, logger, hangups)
		return set.Wait()
	})
	return group.Wait()
}

func (p *Process) newJob(c Configured) *process.Job {
	return &process.Job{Streams: p.Streams, Kind: board.Run, Config: c.Loaded, Files: layers(p.Named, c.File), UntilEnd: p.UntilEnd, BeginAgain: p.BeginAgain, Said: p.Said}
}

// follow applies what the files configure, at a SIGHUP and when they change, until ctx ends or, with UntilEnd, all jobs have ended.
func (p *Process) follow(ctx context.Context, set *Set, settings Configured, logger *zap.Logger, hangups <-chan os.Signal) {
	if p.UntilEnd {
		<-set.Ended()
		return
	}
	looks := time.NewTicker(lookEvery)
	defer looks.Stop()
	applied := digest(p.Named)
	seen := applied
	apply := func(why string, now [sha256.Size]byte) {
		logger.Info("reading the configuration of the jobs again", zap.String("because", why))
		applied = now
		found := Scan(p.Named, p.Load)
		warnOfOthers(logger, settings, found)
		set.Apply(ctx, found)
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-hangups:
			apply("SIGHUP", digest(p.Named))
		case <-looks.C:
			if now := digest(p.Named); now != applied && now == seen {
				apply("a file changed", now)
			} else {
				seen = now
			}
		}
	}
}

// warnOfOthers tells of settings that have no effect, because the process has others.
func warnOfOthers(logger *zap.Logger, settings Configured, found *Found) {
	for _, c := range found.Jobs {
		for key, differs := range map[string]bool{
			"server": c.IsSet("server") && !reflect.DeepEqual(c.Server, settings.Server),
			"log":    c.IsSet("log") && c.Log != settings.Log,
		} {
			if differs {
				logger.Warn("a section of this file has no effect: all jobs of a process use the sections server and log of one file, as they were when the process began", zap.String("file", c.File),
					zap.String("section", key), zap.String("in_effect", settings.File))
			}
		}
	}
}
