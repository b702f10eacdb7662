package serve

import (
	"context"
	"net"
	"os"
	"strconv"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/heartbeat"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/serve"
)

// beat begins to write heartbeats, if that is configured. The function that it gives ends it. It has a client of its own: whatever becomes of
// a heartbeat, the process is ready, and decisions are logged as before.
func (c *Server) beat(ctx context.Context, s *serve.Service, address net.Addr) (end func()) {
	every, topic := c.Config.Serve.Heartbeat, c.Config.Topics.Events
	if every == 0 {
		return func() {}
	}
	client, err := kafka.Open(c.Config.Kafka, kafka.Options{})
	if err != nil {
		c.logger.Error("no heartbeats are written: the page and models list do not show this instance", zap.Error(err))
		return func() {}
	}
	w := heartbeat.NewWriter(heartbeat.WriterOptions{Job: c.Config.Job, Instance: instance(address), Program: program.Version(), Every: every, Serving: s.Serving,
		Write: func(ctx context.Context, m kafka.Message) error {
			_, err := client.Append(ctx, topic, 0, m)
			return err
		},
		Failed: func(err error) {
			if err == nil {
				c.logger.Info("heartbeats are written again", zap.String("topic", topic))
				return
			}
			c.logger.Warn("a heartbeat is dropped: decisions are not affected", zap.String("topic", topic), zap.Error(err))
		}})
	c.monitor.Register(w.Metrics()...)
	c.beats.Store(w)
	beating, stop := context.WithCancel(context.WithoutCancel(ctx)) // an instance that is drained still decides
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.Run(beating)
	}()
	return func() {
		stop()
		<-ended
		_ = client.Close() // what it wrote is acknowledged
	}
}

// poke asks for a heartbeat, because another document may be in use.
func (c *Server) poke() {
	if w := c.beats.Load(); w != nil {
		w.Poke()
	}
}

// instance names this one: no two listen on a port of a host.
func instance(address net.Addr) string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown-host"
	}
	if tcp, is := address.(*net.TCPAddr); is {
		return net.JoinHostPort(host, strconv.Itoa(tcp.Port))
	}
	return host
}
