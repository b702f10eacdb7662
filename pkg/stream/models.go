package stream

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
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
	if err := s.problem(); err != nil {
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
	// gone are documents that were deleted while an alias pointed to them; see protect.go.
	gone map[place]Model
	// unreadable are keys whose last record this program cannot read, and why.
	unreadable map[string]error
}

func newShelf(job string, keep bool) *shelf {
	return &shelf{job, keep, map[place]Model{}, map[string]Alias{}, map[place]Model{}, map[string]error{}}
}

// problem is why a key cannot be read, nil if all can.
func (s *shelf) problem() error {
	for _, key := range slices.Sorted(maps.Keys(s.unreadable)) {
		return s.unreadable[key]
	}
	return nil
}

// referred says whether an alias other than latest points to a document.
func (s *shelf) referred(at place) bool {
	for name, alias := range s.aliases {
		if name != LatestAlias && (place{alias.Term, alias.Version}) == at {
			return true
		}
	}
	return false
}

// apply follows one record. The error is always nil: what cannot be read is in unreadable, until it is deleted.
func (s *shelf) apply(r *kafka.Record) error {
	rest, ours := strings.CutPrefix(string(r.Key), s.job+"/")
	if !ours {
		return nil
	}
	if err := s.read(strings.Split(rest, "/"), r); err != nil && r.Value != nil {
		s.unreadable[string(r.Key)] = err
	} else {
		delete(s.unreadable, string(r.Key))
	}
	return nil
}

// read follows a key, without the name of the job. Keys that this program does not know are those of a newer one.
func (s *shelf) read(words []string, r *kafka.Record) error {
	switch {
	case len(words) == 1:
		return s.alias(words[0], r.Value)
	case words[0] == versionKind && len(words) == 3:
		at, err := placeOf(words[1], words[2])
		if err != nil {
			return fmt.Errorf("stream: a key of the model topic, at offset %d (`fairstream models prune` deletes it): %w", r.Offset, err)
		}
		if r.Value == nil {
			if m, there := s.documents[at]; there && s.referred(at) {
				s.gone[at] = m
			}
			delete(s.documents, at)
			return nil
		}
		delete(s.gone, at)
		s.documents[at] = s.document(at, r)
	case words[0] == versionKind && len(words) == 2:
		return fmt.Errorf("stream: the model topic holds a document of an older format for job %s, at offset %d: delete it with "+
			"`fairstream models prune`; `fairstream run` publishes the weights again", s.job, r.Offset)
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
		return fmt.Errorf("stream: alias %s on the model topic is not an alias of a weight document (`fairstream models prune` deletes it): %w", name, err)
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
