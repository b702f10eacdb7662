package score

import (
	"context"
	"net"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/app/service"
	"github.com/fairstream/fairstream/internal/server"
)

// serve answers at server.address until the function that it returns is called. A port that is taken is left to whoever
// has it: run, perhaps, with the same configuration.
func (c *Topics) serve(ctx context.Context) (stop func() error, err error) {
	none := func() error { return nil }
	address := c.Config.Server.Address
	if c.UntilEnd || address == "" {
		return none, nil
	}
	access, err := service.Access(c.Config.Server)
	if err != nil {
		return nil, err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		c.logger.Warn("health and metrics are not served: set server.address to another port", zap.NamedError("reason", err))
		return none, nil
	}
	c.logger.Info("serving health and metrics", zap.Stringer("address", listener.Addr()))
	serving, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(serving, listener, c.monitor.Handler(access), access) }()
	return func() error {
		cancel()
		return <-ended
	}, nil
}
