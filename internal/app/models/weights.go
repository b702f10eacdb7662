package models

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"time"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/stream"
)

// Weights are the weights that a command shows: one document, or all on the model topic.
type Weights struct {
	*program.Streams
	JSON    bool
	Version Version        // on the topic; zero: the newest
	Alias   string         // instead of a version
	File    string         // a document instead of the topic
	Config  *config.Loaded // nil with File
	Output  string         // a file for what Graph makes; empty: Out

	// unwatched is since when nobody withdraws the version that was chosen; zero: somebody does.
	unwatched time.Time
}

// one reads one document: that of File, or the version that was asked for on the model topic.
func (m *Weights) one(ctx context.Context) (*stream.Model, *document.Document, error) {
	if m.File != "" {
		text, err := os.ReadFile(m.File)
		if err != nil {
			return nil, nil, err
		}
		doc, err := document.Parse(text)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", m.File, err)
		}
		return &stream.Model{Data: bytes.TrimSpace(text)}, doc, nil
	}
	found, err := cluster.ReadModels(ctx, m.Config, m.Err)
	if err != nil {
		return nil, nil, err
	}
	chosen, err := m.chosen(found)
	if err != nil {
		return nil, nil, err
	}
	m.unwatched = found.UnwatchedSince(chosen)
	doc, err := chosen.Document()
	return chosen, doc, err
}

// chosen is the document that the command line asks for.
func (m *Weights) chosen(found *stream.Models) (*stream.Model, error) {
	topic, job := m.Config.Topics.Model, m.Config.Job
	if m.Alias != "" {
		return cluster.ByAlias(found, m.Alias, topic, job)
	}
	if m.Version == (Version{}) {
		return found.Newest(), nil
	}
	if chosen := m.Version.of(found); chosen != nil {
		return chosen, nil
	}
	return nil, fmt.Errorf("topic %s holds no version %s of job %s: fairstream models list shows those it holds", topic, &m.Version, job)
}
