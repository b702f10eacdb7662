package stream

import (
	"context"
	"crypto/sha256"
	"slices"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/signature"
)

// Models is what the model topic holds of a job.
type Models struct {
	// Versions are the documents, by term and version.
	Versions []Model
	// Aliases point to documents, by their names.
	Aliases map[string]Alias
	// Refused are the records that do not count.
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

	sum [sha256.Size]byte // of the document's bytes
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

// ByAlias is the document that an alias points to, nil if there is no such alias or no such document, or if the document has other weights than
// the alias says. The alias latest is the newest document.
func (m *Models) ByAlias(name string) *Model {
	if name == LatestAlias {
		return m.Newest()
	}
	alias, there := m.Aliases[name]
	if !there {
		return nil
	}
	if found := m.Find(alias.Term, alias.Version); found != nil && found.WeightsSHA256 == alias.WeightsSHA256 {
		return found
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

// UnwatchedSince is since when nobody withdraws a document, as an alias says that points to it; zero if somebody does, or if no such alias does.
func (m *Models) UnwatchedSince(d *Model) (since time.Time) {
	for name, alias := range m.Aliases {
		if name != LatestAlias && (place{alias.Term, alias.Version}) == d.place() && !alias.UnwatchedSince.IsZero() {
			since = alias.UnwatchedSince
		}
	}
	return since
}

// ReadModels reads the model topic to its end.
func ReadModels(ctx context.Context, cluster Cluster, topic, job string) (*Models, error) {
	return ReadSignedModels(ctx, cluster, topic, job, nil)
}

// ReadSignedModels is ReadModels that leaves out records without the signature of a key that the verifier trusts. A nil
// verifier trusts all.
func ReadSignedModels(ctx context.Context, cluster Cluster, topic, job string, verifier *signature.Verifier) (*Models, error) {
	s := newShelf(job, true)
	s.rule.Verifier = verifier
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
