package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/server"
	"github.com/fairstream/fairstream/pkg/history"
)

// begin writes the first line of the log: which program runs, with which configuration, on what.
func (r *streaming) begin(whole []byte) {
	c := r.config
	var taus []float64
	for _, constraint := range c.Constraints {
		taus = append(taus, constraint.Tau)
	}
	fields := []zap.Field{zap.String("version", program.Version()), zap.Strings("files", r.files), zap.String("config_sha256", history.Sum(whole)),
		zap.String("input", c.Topics.Input), zap.Strings("brokers", c.Kafka.Brokers), zap.String("task", string(c.Learner.Task)), zap.String("mode", string(c.Learner.Mode)),
		zap.Float64s("tau", taus), zap.Bool("until_end", r.untilEnd), zap.Int("keep_versions", c.Stream.KeepVersions)}
	if every := c.Stream.Publish.Interval; every > 0 {
		fields = append(fields, zap.Float64("keep_hours", (time.Duration(c.Stream.KeepVersions)*every).Hours()))
	}
	r.logger.Info("fairstream started", fields...)
}

// configFiles are the files that a configuration came from.
func configFiles(flags *configFlags) []string {
	if len(flags.files) > 0 {
		return flags.files
	}
	if names := os.Getenv(config.FilesVariable); names != "" {
		return strings.Split(names, ",")
	}
	return nil
}

// listen opens the port of the server; nil if nothing is to be served. A port that is taken is an error: probes would
// ask another process. A run that ends by itself has no probes, and serves only where server.address is set.
func (r *streaming) listen(ctx context.Context) (net.Listener, error) {
	address := r.config.Server.Address
	if address == "" || r.untilEnd && !r.config.IsSet("server.address") {
		return nil, nil
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	switch {
	case err == nil:
		r.logger.Info("serving the page, health and metrics", zap.Stringer("address", listener.Addr()), zap.String("page", pageURL(r.config.Server, listener.Addr())))
		r.warnOfAccess(listener.Addr())
	default:
		return nil, fmt.Errorf(`server.address: %w: set it to another port, or to "" to serve nothing`, err)
	}
	return listener, nil
}

// access is who may read what is served.
func (r *streaming) access() (a server.Access, err error) {
	s := r.config.Server
	if a.Token, err = s.Token(); err != nil {
		return a, fmt.Errorf("server.token_file: %w", err)
	}
	if s.TLS.CertificateFile != "" {
		a.TLS, err = server.NewTLS(s.TLS.CertificateFile, s.TLS.KeyFile)
	}
	return a, err
}

// pageURL is where a browser on this machine finds the page.
func pageURL(s config.Server, address net.Addr) string {
	scheme, host := "http", address.String()
	if s.TLS.CertificateFile != "" {
		scheme = "https"
	}
	if at, ok := address.(*net.TCPAddr); ok && at.IP.IsUnspecified() {
		host = net.JoinHostPort("127.0.0.1", strconv.Itoa(at.Port))
	}
	return scheme + "://" + host + "/"
}

// warnOfAccess says what is not served over the network.
func (r *streaming) warnOfAccess(address net.Addr) {
	s := r.config.Server
	if at, ok := address.(*net.TCPAddr); !ok || at.IP.IsLoopback() || s.TokenFile != "" && s.TLS.CertificateFile != "" {
		return
	}
	r.logger.Warn("the page's data is served to this machine only: for others, set server.tls.certificate_file, server.tls.key_file and server.token_file",
		zap.Stringer("address", address))
}
