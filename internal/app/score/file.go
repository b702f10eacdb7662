package score

import (
	"cmp"
	"context"
	"fmt"
	"os"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/stream"
)

// File scores the records of a file.
type File struct {
	*program.Streams
	Source input.Source
	JSON   bool           // lines of JSON instead of CSV
	Model  string         // the file of the weight document; empty: the job's model topic
	Alias  string         // on the topic; empty: the newest document
	Config *config.Loaded // nil with Model
	// Explore is the share of the negative decisions that are turned to positive.
	Explore float64
	// Keep are the fields of the input that a line repeats, or KeepAll.
	Keep []string
}

// Run scores every record in its order.
func (c *File) Run(ctx context.Context) error {
	text, from, err := c.weights(ctx)
	if err != nil {
		return err
	}
	p := Part{Source: c.Source, Document: text, From: from, JSON: c.JSON, Explore: c.Explore, Keep: c.Keep, First: true}
	if c.Config != nil {
		p.ID = c.Config.Record.ID
	}
	if !program.IsTerminal(c.Out) { // where the scores themselves are the progress
		p.watch = func(p *input.Pass) func() { return input.ShowProgress(c.Err, p, "scoring") }
	}
	found, err := p.Write(ctx, c.Out)
	if found == nil {
		return err
	}
	return cmp.Or(err, found.Tell(c.Err, c.Source.Name))
}

// weights returns the weight document, and where it comes from.
func (c *File) weights(ctx context.Context) (text []byte, from string, err error) {
	if c.Model != "" {
		text, err = os.ReadFile(c.Model)
		return text, c.Model, err
	}
	found, err := cluster.ReadModels(ctx, c.Config, c.Err)
	if err != nil {
		return nil, "", err
	}
	var chosen *stream.Model
	if c.Alias == "" {
		chosen = found.Newest()
	} else {
		chosen, err = cluster.ByAlias(found, c.Alias, c.Config.Topics.Model, c.Config.Job)
	}
	if err != nil {
		return nil, "", err
	}
	return chosen.Data, fmt.Sprintf("version %d on topic %s", chosen.Version, c.Config.Topics.Model), nil
}
