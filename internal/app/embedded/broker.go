package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/devbroker"
)

// Broker is a broker for trying things out.
type Broker struct {
	*program.Streams
	Port int    // on 127.0.0.1; 0 is any free one
	Data string // the directory that keeps topics
}

// Run runs the broker until ctx ends.
func (b *Broker) Run(ctx context.Context) error {
	if err := os.MkdirAll(b.Data, 0o755); err != nil {
		return err
	}
	running, err := devbroker.Start(devbroker.Options{Port: b.Port, DataDir: b.Data})
	switch {
	case errors.Is(err, devbroker.ErrInUse):
		return fmt.Errorf("%w: stop it, or choose another directory with --data", err)
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("%w: --port chooses another port, 0 any free one", err)
	case err != nil:
		return err
	}
	defer running.Close()
	address := running.Addresses()[0]
	file, err := WriteYAML(b.Data, address)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(b.Out, `A Kafka broker listens on %s and keeps its records in %s.
It is for trying things out, not for production. Ctrl-C stops it.

In another terminal:
  fairstream topics create --config %[3]s
  fairstream run --config %[3]s
and in a third:
  fairstream produce --config %[3]s --input adult --rate 2000
  fairstream models show --config %[3]s
`, address, b.Data, file); err != nil {
		return err
	}
	<-ctx.Done()
	_, err = fmt.Fprintf(b.Out, "\nStopped. The records stay in %s.\n", b.Data)
	return err
}
