package serve

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/fairstream/fairstream/internal/app/documents"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/app/service"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/serve"
	"github.com/fairstream/fairstream/internal/server"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/follow"
	"github.com/fairstream/fairstream/pkg/scoring"
)

// Run serves until ctx ends, and the requests of that moment are answered.
func (c *Server) Run(ctx context.Context) (err error) {
	options := serve.Options{Program: program.Version(), Job: c.Config.Job, Split: c.Split, Attributes: c.Config.Serve.Attributes, Explore: c.Config.Serve.Explore, ID: c.Config.Record.ID,
		BodyBytes: c.Config.Serve.BodyBytes, Records: c.Config.Serve.Records, Concurrency: c.Config.Serve.Concurrency, Timeout: c.Config.Serve.Timeout}
	if c.Model != "" {
		doc, err := read(c.Model)
		if err == nil && options.Explore > 0 && doc.Task == document.Regression {
			err = fmt.Errorf("%s: %w", c.Model, scoring.ErrNothingToExplore)
		}
		if err != nil {
			return err
		}
		options.Models = serve.Fixed(doc)
		if c.Config.Job = doc.Job; doc.Job == "" {
			c.Config.Job = unnamed
		}
		options.Job = c.Config.Job
	}
	if c.logger, _, err = service.Logger(c.Err, c.Config); err != nil {
		return err
	}
	models := &current{}
	if options.Models == nil {
		options.Models = models
	}
	c.monitor = server.NewDeciding(server.DecidingOptions{Program: program.Version(), Job: c.Config.Job, BodyBytes: int64(c.Config.Serve.BodyBytes),
		HasDocument: func() bool { return options.Models.Current() != nil }, NeedsKafka: c.Config.Serve.Log == config.LogWait})
	if c.Model == "" {
		closeAll, err := c.follow(ctx, models, &options)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, closeAll()) }()
	}
	written, err := c.log(ctx, &options)
	if err != nil {
		return err
	}
	s, err := serve.New(options)
	if err == nil {
		c.monitor.Register(s.Metrics()...)
		err = c.listen(ctx, s)
	}
	return errors.Join(err, written())
}

// unnamed is the job of a document that names none.
const unnamed = "fairstream"

// read reads a document, and checks that it decides.
func read(file string) (*document.Document, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	doc, err := document.Parse(text)
	if err == nil {
		_, err = doc.Schema()
	}
	if err == nil {
		_, err = doc.Scorer()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return doc, nil
}

// current is the document of a follower.
type current struct{ *follow.Follower }

// follow opens the followers. The server answers before there is a document: with 503, and a probe learns why.
func (c *Server) follow(ctx context.Context, models *current, options *serve.Options) (closeAll func() error, err error) {
	followed := &documents.Followed{Config: c.Config, Alias: c.Alias, Logger: c.logger, Notify: func(e follow.Event) {
		c.monitor.Notify(e)
		c.poke()
	}}
	if models.Follower, err = followed.Open(ctx, func(context.Context, *follow.Follower) error { return nil }); err != nil {
		return nil, err
	}
	awaiting, stop := context.WithCancel(ctx)
	awaited := make(chan struct{})
	go func() {
		defer close(awaited)
		_ = followed.Await(awaiting, models.Follower) // an error is that of a follower that ended, which Done shows
	}()
	closeModels := func() error {
		stop()
		<-awaited
		return models.Close()
	}
	if c.Shadow == "" {
		return closeModels, nil
	}
	shadow, err := followed.OpenShadow(ctx, c.Shadow)
	if err != nil {
		return nil, errors.Join(err, closeModels())
	}
	options.Shadow = shadow
	return func() error { return errors.Join(closeModels(), shadow.Close()) }, nil
}
