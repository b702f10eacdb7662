// Package atonce takes note of a signal to stop from the first moment of the process on. It imports the standard library
// alone, so that it is initialized before the libraries of the program, which takes 20 ms: a signal in that time would
// otherwise end the process by the default action, as if it had crashed.
//
// It imports nothing of the project; cmd/fairstream imports it.
package atonce

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

var stopped = notify()

func notify() context.Context {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	return ctx
}

// Stopped returns the context that ends with the first SIGINT or SIGTERM to the process.
func Stopped() context.Context { return stopped }
