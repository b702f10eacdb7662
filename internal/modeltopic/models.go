package modeltopic

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/kafka"
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
	if name == Latest {
		return m.Newest()
	}
	alias := m.Aliases[name]
	if found := m.Find(alias.Term, alias.Version); found != nil && found.WeightsSHA256 == alias.WeightsSHA256 {
		return found
	}
	return nil
}

// AliasesOf are the names of the aliases that point to a document, sorted. The newest document is the latest, even while
// a late publication holds the alias back.
func (m *Models) AliasesOf(d *Model) (names []string) {
	if newest := m.Newest(); newest != nil && newest.Place() == d.Place() {
		names = append(names, Latest)
	}
	for name, alias := range m.Aliases {
		if name != Latest && alias.Place() == d.Place() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// UnwatchedSince is since when nobody withdraws a document, as an alias says that points to it; zero if somebody does, or if no such alias does.
func (m *Models) UnwatchedSince(d *Model) (since time.Time) {
	for name, alias := range m.Aliases {
		if name != Latest && alias.Place() == d.Place() && !alias.UnwatchedSince.IsZero() {
			since = alias.UnwatchedSince
		}
	}
	return since
}

// Models reads the topic to its end. A topic without a name has none: the job monitors decisions that others make.
func (t Topic) Models(ctx context.Context) (*Models, error) {
	s := newShelf(t.Job, t.Verifier)
	s.keep = true
	if t.Name != "" {
		if _, err := t.Cluster.Read(ctx, t.Name, 0, kafka.Earliest, kafka.End, s.apply); err != nil {
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
	slices.SortFunc(found.Versions, func(a, b Model) int { return a.Place().Compare(b.Place()) })
	return &found, nil
}

// Prune deletes what this program cannot read: documents of an older format, and keys and aliases that are damaged. It returns their keys, sorted.
// With dry it deletes nothing. Keys that are only unknown stay: a newer program may have written them.
func (t Topic) Prune(ctx context.Context, dry bool) ([]string, error) {
	s := newShelf(t.Job, nil)
	if _, err := t.Cluster.Read(ctx, t.Name, 0, kafka.Earliest, kafka.End, s.apply); err != nil {
		return nil, err
	}
	names := slices.Sorted(maps.Keys(s.unreadable))
	if dry {
		return names, nil
	}
	keys := make([][]byte, len(names))
	for i, name := range names {
		keys[i] = []byte(name)
	}
	return names, cluster.DeleteKeys(ctx, t.Cluster, t.Name, keys)
}
