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
	Said       command.Said // who began it, and why

	serving bool // on server.address
	logger  *zap.Logger
	live    *server.Live
}

// begin writes the first line of the log: which program runs, with which configuration, on what.
func (r *Job) begin(whole []byte) {
	c := r.Config
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
}

// listen opens the port of the server; nil if nothing is to be served. A port that is taken is an error: probes would
// ask another process. A run that ends by itself has no probes, and serves only where server.address is set.
func (r *Job) listen(ctx context.Context) (net.Listener, error) {
	address := r.Config.Server.Address
	if address == "" || r.UntilEnd && !r.Config.IsSet("server.address") {
		return nil, nil
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	switch {
	case err == nil:
		r.logger.Info("serving the page, health and metrics", zap.Stringer("address", listener.Addr()), zap.String("page", service.URL(r.Config.Server, listener.Addr())))
		r.warnOfAccess(listener.Addr())
	default:
		return nil, fmt.Errorf(`server.address: %w: set it to another port, or to "" to serve nothing`, err)
	}
	return listener, nil
}

// warnOfAccess says what is not served over the network.
func (r *Job) warnOfAccess(address net.Addr) {
	s := r.Config.Server
	if at, ok := address.(*net.TCPAddr); !ok || at.IP.IsLoopback() || s.TokenFile != "" && s.TLS.CertificateFile != "" {
		return
	}
	r.logger.Warn("the page's data is served to this machine only: for others, set server.tls.certificate_file, server.tls.key_file and server.token_file",
		zap.Stringer("address", address))
}
