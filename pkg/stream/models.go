package stream

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/signature"
)

// Models is what the model topic holds of a job.
type Models struct {
	// Versions are the documents, by term and version.
	Versions []Model
	// Aliases point to documents, by their names.
	Aliases map[string]Alias
	// Refused are records without the signature of a trusted key.
	Refused []Refused
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

// Find is a version of a term, nil if it is not there. Without a term it is the newest document of the version.
func (m *Models) Find(term, version int64) *Model {
	for i := range slices.Backward(m.Versions) {
		if v := &m.Versions[i]; v.Version == version && (term == 0 || v.Term == term) {
			return v
		}
	}
	return nil
}

// ByAlias is the document that an alias points to, nil if there is no such alias or no such document. The alias latest is
// the newest document.
func (m *Models) ByAlias(name string) *Model {
	if name == LatestAlias {
		return m.Newest()
	}
	alias, there := m.Aliases[name]
	if !there {
		return nil
	}
	return m.Find(alias.Term, alias.Version)
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
	return ReadSignedModels(ctx, cluster, topic, job, nil)
}

// ReadSignedModels is ReadModels that leaves out records without the signature of a key that the verifier trusts. A nil
// verifier trusts all.
func ReadSignedModels(ctx context.Context, cluster Cluster, topic, job string, verifier *signature.Verifier) (*Models, error) {
	s := newShelf(job, true)
	s.verifier = verifier
	if topic != "" { // a job that monitors decisions has none
		if _, err := cluster.Read(ctx, topic, 0, kafka.Earliest, kafka.End, s.apply); err != nil {
			return nil, err
		}
	}
	if err := s.problem(); err != nil {
		return nil, err
	}
	found := Models{Aliases: s.aliases, Refused: s.refused}
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
	// kept are documents that releases need; see aliases.go.
	kept map[place]bool
	// gone are documents that were deleted while an alias pointed to them or releases needed them; see protect.go.
	gone map[place]Model
	// owner is the highest term of who moved an alias.
	owner int64
	// unreadable are keys whose last record this program cannot read, and why.
	unreadable map[string]error
	// verifier, if there is one, decides which records are refused.
	verifier *signature.Verifier
	refused  []Refused
}

// Refused is a record of the model topic that is not signed by a trusted key, or an alias that is damaged. It has no effect.
type Refused struct {
	Key    string
	Offset int64
	Reason string
}

func newShelf(job string, keep bool) *shelf {
	return &shelf{job: job, keep: keep, documents: map[place]Model{}, aliases: map[string]Alias{}, gone: map[place]Model{}, unreadable: map[string]error{}}
}

// problem is why a key cannot be read, nil if all can.
func (s *shelf) problem() error {
	for _, key := range slices.Sorted(maps.Keys(s.unreadable)) {
		if kind, _, _ := modeltopic.ParseKey(s.job, []byte(key)); kind != modeltopic.IsAlias {
			return s.unreadable[key]
		}
	}
	return nil
}

// referred says whether an alias other than latest points to a document, or releases need it.
func (s *shelf) referred(at place) bool {
	if s.kept[at] {
		return true
	}
	for name, alias := range s.aliases {
		if name != LatestAlias && (place{alias.Term, alias.Version}) == at {
			return true
		}
	}
	return false
}

// apply follows one record. The error is always nil: what cannot be read is in unreadable, until it is deleted.
func (s *shelf) apply(r *kafka.Record) error {
	kind, at, name := modeltopic.ParseKey(s.job, r.Key)
	if kind == modeltopic.Foreign || kind == modeltopic.Unknown { // Unknown keys are those of a newer program.
		return nil
	}
	if forged := modeltopic.Verify(s.verifier, r); forged != nil {
		s.refused = append(s.refused, Refused{Key: string(r.Key), Offset: r.Offset, Reason: forged.Error()})
	} else if err := s.read(kind, place{at.Term, at.Version}, name, r); err != nil && r.Value != nil {
		s.unreadable[string(r.Key)] = err
		if kind == modeltopic.IsAlias { // the owner writes its own again; nobody uses another
			s.refused = append(s.refused, Refused{Key: string(r.Key), Offset: r.Offset, Reason: err.Error()})
		}
	} else {
		delete(s.unreadable, string(r.Key))
	}
	return nil
}

func (s *shelf) read(kind modeltopic.Kind, at place, name string, r *kafka.Record) error {
	switch kind {
	case modeltopic.IsAlias:
		return s.alias(name, r)
	case modeltopic.IsDocument:
		if r.Value == nil {
			if m, there := s.documents[at]; there && s.referred(at) {
				s.gone[at] = m
			}
			delete(s.documents, at)
			return nil
		}
		delete(s.gone, at)
		s.documents[at] = s.document(at, r)
		return nil
	case modeltopic.OldFormat:
		return fmt.Errorf("stream: the model topic holds a document of an older format for job %s, at offset %d: delete it with "+
			"`fairstream models prune`; `fairstream run` publishes the weights again", s.job, r.Offset)
	default:
		return fmt.Errorf("stream: a key of the model topic, at offset %d, cannot be read: `fairstream models prune` deletes it", r.Offset)
	}
}

func (s *shelf) alias(name string, r *kafka.Record) error {
	delete(s.aliases, name)
	if r.Value == nil {
		return nil
	}
	a, err := modeltopic.ParseAlias(s.job, r.Value)
	if err != nil {
		return fmt.Errorf("%w (`fairstream models prune` deletes it)", err)
	}
	s.owner = max(s.owner, modeltopic.Owner(s.verifier, r.Headers(), a))
	a.OwnerTerm = 0 // of no interest to who uses the alias
	s.aliases[name] = a
	return nil
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
