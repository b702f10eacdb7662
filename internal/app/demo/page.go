package demo

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"runtime"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/server"
	"github.com/fairstream/fairstream/pkg/stream"
)

// recalled is how many entries of the history the page knows.
const recalled = 2000

// stays says whether the demo goes on serving the page after its report: there is a person who can end it.
func (d *Demo) stays() bool { return d.Open || !d.JSON && program.IsTerminal(d.Out) }

// serve serves the page, health and metrics on any free port, until stop is called. Where nobody looks it serves nothing.
func (d *Demo) serve(ctx context.Context) (stop func() error, err error) {
	if !d.stays() && !d.KeepRunning {
		return func() error { return nil }, nil
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	d.page = "http://" + listener.Addr().String() + "/"
	fmt.Fprintf(d.screen(), "Page: %s, metrics: %[1]smetrics, health: %[1]sreadyz\n", d.page)
	if d.Open {
		if err := browse(d.page); err != nil {
			fmt.Fprintf(d.screen(), "No browser could be started (%v): open the page yourself.\n", err)
		}
	}
	serving, end := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan error, 1)
	followed := make(chan struct{})
	go d.live.Follow(serving)
	go func() {
		defer close(followed)
		_ = stream.FollowHistory(kafka.Aside(serving), stream.Kafka(d.client), d.config.Topics.History, d.config.Job, recalled, d.live.Recall) // it ends with the page
	}()
	handler := d.live.Handler(zap.NewAtomicLevel(), board.New(d.live), server.Access{})
	go func() { ended <- server.Serve(serving, listener, handler, server.Access{}) }()
	return func() error {
		end()
		<-followed
		return <-ended
	}, nil
}

// browse opens an address in the browser of the person at this machine.
func browse(url string) error {
	name, arguments := "xdg-open", []string{url}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, arguments = "rundll32", []string{"url.dll,FileProtocolHandler", url}
	}
	command := exec.Command(name, arguments...)
	if err := command.Start(); err != nil {
		return err
	}
	go func() { _ = command.Wait() }() // it has its own window to say what went wrong
	return nil
}
