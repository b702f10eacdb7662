package process

import (
	"context"
	"fmt"
	"net"
	"time"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/app/service"
	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/server"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/stream"
)

// Job is a job that learns from a topic, or monitors the decisions on it.
type Job struct {
	*program.Streams
	Kind     board.Kind // what it does: Run or Monitor
	Config   *config.Loaded
	Files    []string // of the configuration
	UntilEnd bool     // it ends when it has read what the topic holds now
	// BeginAgain: a state that is gone is no error.
	BeginAgain bool
	// From is what a job without a state goes on from; nil: it begins with nothing.
	From *stream.StartFrom
	Said command.Said // who began it, and why

	shared  *Shared // nil: the process has no other job
	serving bool    // on server.address
	logger  *zap.Logger
	live    *server.Live
}

// begin writes the first line of the log: which program runs, with which configuration, on what.
func (r *Job) begin(logger *zap.Logger, monitor *server.Monitor) error {
	c := r.Config
	r.logger, r.live = logger, server.NewLive(monitor, r.Kind, c.Job, c.Model())
	whole, err := c.JSON()
	if err != nil {
		return err
	}
	var taus []float64
	for _, constraint := range c.Constraints {
		taus = append(taus, constraint.Tau)
	}
	fields := []zap.Field{zap.String("version", program.Version()), zap.Strings("files", r.Files), zap.String("config_sha256", history.Sum(whole)),
		zap.String("input", c.Topics.Input), zap.Strings("brokers", c.Kafka.Brokers), zap.String("task", string(c.Learner.Task)), zap.String("mode", string(c.Learner.Mode)),
		zap.Float64s("tau", taus), zap.Bool("until_end", r.UntilEnd), zap.Int("keep_versions", c.Stream.KeepVersions)}
	if every := c.Stream.Publish.Interval; every > 0 {
		fields = append(fields, zap.Float64("keep_hours", (time.Duration(c.Stream.KeepVersions)*every).Hours()))
	}
	r.logger.Info("fairstream started", fields...)
	return nil
}

// Share prepares a job of a process that has others.
func (r *Job) Share(s *Shared) error {
	r.shared, r.serving = s, s.Serving
	return r.begin(s.Logger.With(zap.String("job", r.Config.Job)), server.NewMember(r.Config.Job))
}

// Live is what is known of a job that was prepared by Share.
func (r *Job) Live() *server.Live { return r.live }

// Listen opens the port of the server; nil if nothing is to be served. A port that is taken is an error: probes would
// ask another process. A run that ends by itself has no probes, and serves only where server.address is set.
func Listen(ctx context.Context, c *config.Loaded, untilEnd bool, logger *zap.Logger) (net.Listener, error) {
	address := c.Server.Address
	if address == "" || untilEnd && !c.IsSet("server.address") {
		return nil, nil
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	switch {
	case err == nil:
		logger.Info("serving the page, health and metrics", zap.Stringer("address", listener.Addr()), zap.String("page", service.URL(c.Server, listener.Addr())))
		warnOfAccess(c.Server, listener.Addr(), logger)
	default:
		return nil, fmt.Errorf(`server.address: %w: set it to another port, or to "" to serve nothing`, err)
	}
	return listener, nil
}

// warnOfAccess says what is not served over the network.
func warnOfAccess(s config.Server, address net.Addr, logger *zap.Logger) {
	if at, ok := address.(*net.TCPAddr); !ok || at.IP.IsLoopback() || s.TokenFile != "" && s.TLS.CertificateFile != "" {
		return
	}
	logger.Warn("the page's data is served to this machine only: for others, set server.tls.certificate_file, server.tls.key_file and server.token_file",
		zap.Stringer("address", address))
}
