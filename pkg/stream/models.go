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
	"github.com/fairstream/fairstream/pkg/document"
)

// Models is what the model topic holds of a job.
type Models struct {
	// Versions are the documents, by term and version.
	Versions []Model
	// Aliases point to documents, by their names.
	Aliases map[string]Alias
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
func (m *Model) Document() (*document.Document, error) { return document.Parse(m.Data) }

func (m *Model) place() place { return place{m.Term, m.Version} }

// Newest is the document of the highest term and in it of the highest version, nil if nothing was published.
// What a process that lost its job writes late is below it.
func (m *Models) Newest() *Model {
	if len(m.Versions) == 0 {
		return nil
	}
	return &m.Versions[len(m.Versions)-1]
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

// AliasesOf are the names of the aliases that point to a document, sorted. The newest document is the latest, even while
// a late publication holds the alias back.
func (m *Models) AliasesOf(d *Model) (names []string) {
	if newest := m.Newest(); newest != nil && newest.place() == d.place() {
		names = append(names, LatestAlias)
	}
	for name, alias := range m.Aliases {
		if name != LatestAlias && (place{alias.Term, alias.Version}) == d.place() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// ReadModels reads the model topic to its end.
func ReadModels(ctx context.Context, cluster Cluster, topic, job string) (*Models, error) {
	s := newShelf(job, true)
	if _, err := cluster.Read(ctx, topic, 0, kafka.Earliest, kafka.End, s.apply); err != nil {
		return nil, err
	}
	found := Models{Aliases: s.aliases}
	for _, m := range s.documents {
		found.Versions = append(found.Versions, m)
	}
	slices.SortFunc(found.Versions, func(a, b Model) int { return a.place().compare(b.place()) })
	return &found, nil
}

// shelf follows the model topic of a job, record by record in the order of the log.
type shelf struct {
	job string
	// keep says whether the bytes of documents are kept; who publishes needs none.
	keep      bool
	documents map[place]Model
	aliases   map[string]Alias
}

func newShelf(job string, keep bool) *shelf {
	return &shelf{job, keep, map[place]Model{}, map[string]Alias{}}
}

// apply follows one record. Keys that this program does not know are those of a newer one.
func (s *shelf) apply(r *kafka.Record) error {
	rest, ours := strings.CutPrefix(string(r.Key), s.job+"/")
	if !ours {
		return nil
	}
	words := strings.Split(rest, "/")
	switch {
	case len(words) == 1:
		return s.alias(words[0], r.Value)
	case words[0] == versionKind && len(words) == 3:
		at, err := placeOf(words[1], words[2])
		if err != nil {
			return fmt.Errorf("stream: a key of the model topic, at offset %d: %w", r.Offset, err)
		}
		if r.Value == nil {
			delete(s.documents, at)
			return nil
		}
		s.documents[at] = s.document(at, r)
	case words[0] == versionKind && len(words) == 2 && r.Value != nil:
		return fmt.Errorf("stream: the model topic holds a document of an older format for job %s, at offset %d: name another topics.model, "+
			"or delete the topic (kafka-topics.sh --delete); `fairstream run` publishes the weights again", s.job, r.Offset)
	}
	return nil
}

func (s *shelf) alias(name string, value []byte) error {
	if value == nil {
		delete(s.aliases, name)
		return nil
	}
	var a Alias
	if err := json.Unmarshal(value, &a); err != nil {
		return fmt.Errorf("stream: alias %s on the model topic is not an alias of a weight document: %w", name, err)
	}
	s.aliases[name] = a
	return nil
}

func placeOf(term, version string) (p place, err error) {
	if p.term, err = strconv.ParseInt(term, 10, 64); err == nil {
		p.version, err = strconv.ParseInt(version, 10, 64)
	}
	return p, err
}

func (s *shelf) document(at place, r *kafka.Record) Model {
	m := Model{Version: at.version, Term: at.term, Offset: r.Offset, Time: time.UnixMilli(r.Timestamp).UTC()}
	if s.keep {
		m.Data = slices.Clone(r.Value)
	}
	for _, h := range r.Headers() {
		if h.Key == HeaderSHA256 {
			m.WeightsSHA256 = string(h.Value)
		}
	}
	return m
}
