package stream

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/model"
)

// Models is what the model topic holds of a job.
type Models struct {
	// Versions are the documents, by term and version.
	Versions []Model
	// Latest is what the alias points to; nil if nothing was published.
	Latest *Alias
}

// Model is a weight document on the model topic.
type Model struct {
	Version, Term int64
	WeightsSHA256 string
	// Offset and Time are those of the message.
	Offset int64
	Time   time.Time
	// Data is the document's JSON; see Document.
	Data []byte
}

// Document parses the document.
func (m *Model) Document() (*model.Document, error) { return model.ParseDocument(m.Data) }

// Newest is the document that Latest points to, nil if nothing was published.
func (m *Models) Newest() *Model {
	if m.Latest == nil {
		return nil
	}
	for i := range m.Versions {
		// Not by term: a version has the same weights in whatever term it was written last.
		if v := &m.Versions[i]; v.Version == m.Latest.Version && v.WeightsSHA256 == m.Latest.WeightsSHA256 {
			return v
		}
	}
	return nil
}

// Version is the newest document of a version, nil if there is none.
func (m *Models) Version(version int64) *Model {
	for i := range slices.Backward(m.Versions) {
		if m.Versions[i].Version == version {
			return &m.Versions[i]
		}
	}
	return nil
}

// ReadModels reads the model topic to its end.
func ReadModels(ctx context.Context, cluster Cluster, topic, job string) (*Models, error) {
	var found Models
	documents := map[string]Model{}
	_, err := cluster.Read(ctx, topic, 0, kafka.Earliest, kafka.End, func(r *kafka.Record) error {
		rest, ours := strings.CutPrefix(string(r.Key), job+"/")
		if !ours {
			return nil
		}
		switch kind, _, _ := strings.Cut(rest, "/"); kind {
		case latestKind:
			return found.follow(r.Value)
		case versionKind:
			if r.Value == nil {
				delete(documents, string(r.Key))
				return nil
			}
			m, err := modelOf(r)
			if err == nil {
				documents[string(r.Key)] = m
			}
			return err
		}
		return fmt.Errorf("stream: the model topic has a key of an unknown kind for job %s: use the program that wrote it, or a newer one", job)
	})
	if err != nil {
		return nil, err
	}
	for _, m := range documents {
		found.Versions = append(found.Versions, m)
	}
	slices.SortFunc(found.Versions, func(a, b Model) int {
		return place{a.Term, a.Version}.compare(place{b.Term, b.Version})
	})
	return &found, nil
}

// follow takes over an alias that points further.
func (m *Models) follow(value []byte) error {
	if value == nil {
		m.Latest = nil
		return nil
	}
	var a Alias
	if err := json.Unmarshal(value, &a); err != nil {
		return fmt.Errorf("stream: not an alias of a weight document: %w", err)
	}
	if m.Latest == nil || (place{m.Latest.Term, m.Latest.Version}).compare(place{a.Term, a.Version}) <= 0 {
		m.Latest = &a
	}
	return nil
}

func modelOf(r *kafka.Record) (Model, error) {
	m := Model{Offset: r.Offset, Time: time.UnixMilli(r.Timestamp).UTC(), Data: slices.Clone(r.Value)}
	for _, h := range r.Headers() {
		var err error
		switch h.Key {
		case HeaderVersion:
			m.Version, err = strconv.ParseInt(string(h.Value), 10, 64)
		case HeaderTerm:
			m.Term, err = strconv.ParseInt(string(h.Value), 10, 64)
		case HeaderSHA256:
			m.WeightsSHA256 = string(h.Value)
		}
		if err != nil {
			return m, fmt.Errorf("stream: header %s of the document at offset %d: %w", h.Key, r.Offset, err)
		}
	}
	return m, nil
}
