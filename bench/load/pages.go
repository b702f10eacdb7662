package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/server"
	"github.com/fairstream/fairstream/pkg/stream"
)

// openPages is how many pages are open in learnWatched.
const openPages = 50

// learnWatched learns as learn does, and serves its page as `run` does. Each of the open pages is loaded, with its data, and then
// listens. They belong to this process, so that what they cost counts as well.
func (l *load) learnWatched(ctx context.Context) (int64, error) {
	options := l.options()
	live := server.NewLive(server.NewMonitor("load", options.Job), board.Run, options.Job, options.Model)
	options.Notify = live.Notify
	options.Look = func(value []byte) bool {
		live.Look(value)
		return true
	}
	s := stream.New(stream.Kafka(l.client), options)
	live.Watch(s.Status)

	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	serving, stop := context.WithCancel(ctx)
	defer stop()
	go live.Follow(serving)
	var group sync.WaitGroup
	var failed error // of the server
	group.Go(func() {
		failed = server.Serve(serving, listener, live.Handler(zap.NewAtomicLevel(), board.New(live), server.Access{}), server.Access{})
	})
	var opened sync.WaitGroup
	failures := make([]error, openPages)
	for i := range openPages {
		opened.Add(1)
		group.Go(func() {
			if err := watch(serving, "http://"+listener.Addr().String(), sync.OnceFunc(opened.Done)); serving.Err() == nil {
				failures[i] = err
			}
		})
	}
	opened.Wait()
	err = s.Run(ctx)
	stop()
	group.Wait()
	return s.Status().Version, errors.Join(err, failed, errors.Join(failures...))
}

// watch is one open page: it reads what a browser reads, and drops it. It calls opened when it has its first event, or fails.
func watch(ctx context.Context, address string, opened func()) error {
	defer opened()
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	for _, path := range []string{"/", "/api/v1/status", "/api/v1/series?constraint=sex"} {
		response, err := get(ctx, client, address+path)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, response.Body)
		if err = errors.Join(err, response.Body.Close()); err != nil {
			return err
		}
	}
	response, err := get(ctx, client, address+"/api/v1/events")
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("a page is refused: %s", response.Status)
	}
	buffer := make([]byte, 64<<10)
	for {
		if _, err := response.Body.Read(buffer); err != nil {
			return fmt.Errorf("a page: %w", err)
		}
		opened()
	}
}

func get(ctx context.Context, client *http.Client, url string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	return client.Do(request)
}
