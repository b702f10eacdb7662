package serve

import (
	"context"
	"net"
	"time"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/app/service"
	"github.com/fairstream/fairstream/internal/serve"
	"github.com/fairstream/fairstream/internal/server"
)

const (
	// spare are the connections beyond those of requests: clients that keep one open between requests, and probes.
	spare = 1024
	// idle is longer than common balancers keep an unused connection: they end it, so that no request meets its end.
	idle = 90 * time.Second
)

// listen answers until ctx ends, then while requests are sent elsewhere, then those of that moment.
func (c *Server) listen(ctx context.Context, s *serve.Service) error {
	settings := &c.Config.Serve
	access, err := service.Access(c.Config.Server)
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", settings.Address)
	if err != nil {
		return err
	}
	c.logger.Info("deciding over HTTP", zap.String("url", service.URL(c.Config.Server, listener.Addr())), zap.String("log", string(settings.Log)))
	defer c.beat(ctx, s, listener.Addr())()
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	defer context.AfterFunc(ctx, func() {
		c.monitor.Drain()
		c.logger.Info("stopping: requests are still answered", zap.Duration("for", settings.Drain))
		time.AfterFunc(settings.Drain, stop)
	})()
	return server.ServeWithin(serving, listener, c.monitor.Handler(access, s.Handler(), s.Public(c.ready)), access,
		server.Limits{Connections: settings.Concurrency + spare, Request: settings.Timeout, Idle: idle, Shutdown: 2 * settings.Timeout})
}

func (c *Server) ready() bool { return len(c.monitor.NotReady()) == 0 }
