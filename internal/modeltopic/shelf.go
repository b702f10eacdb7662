package modeltopic

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/signature"
)

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

// Place is where the document stands.
func (m *Model) Place() Place { return Place{m.Term, m.Version} }

// shelf follows the model topic of a job, record by record in the order of the log. Which records count is Rule's to say.
type shelf struct {
	rule Rule
	// keep says whether the bytes of documents are kept; who publishes needs none.
	keep      bool
	documents map[Place]Model
	aliases   map[string]Alias
	// kept are documents that releases need; see assign.go.
	kept map[Place]bool
	// gone are documents that were deleted while an alias pointed to them or releases needed them; see protect.go.
	gone map[Place]Model
	// originals are documents under whose key another one stands now. Owners never do that.
	originals map[Place]Model
	// owner is the highest term of who moved an alias.
	owner int64
	// unreadable are keys whose last record this program cannot read: a deletion helps. outdated is why, of one in an older format.
	unreadable map[string]bool
	outdated   map[string]error
	// displaced are keys that others overwrote with a record that does not count: of documents on the shelf, and of aliases. A cleaner leaves
	// only that record, so the owner writes its own again.
	displaced map[string]bool
	// forged are keys of terms that no owner can have. Readers who are no owners may believe what stands there.
	forged  map[string]bool
	refused []Refused
}

// Refused is a record of the model topic that does not count, and why: it is damaged, not signed by a trusted key, or late. It has no effect.
type Refused struct {
	Key    string
	Offset int64
	Reason string
}

func newShelf(job string, verifier *signature.Verifier) *shelf {
	return &shelf{rule: Rule{Job: job, Verifier: verifier}, documents: map[Place]Model{}, aliases: map[string]Alias{}, gone: map[Place]Model{}, originals: map[Place]Model{},
		unreadable: map[string]bool{}, outdated: map[string]error{}, displaced: map[string]bool{}, forged: map[string]bool{}}
}

// problem is why the topic cannot be used, nil if it can: it has a document of an older format.
func (s *shelf) problem() error {
	for _, key := range slices.Sorted(maps.Keys(s.outdated)) {
		return s.outdated[key]
	}
	return nil
}

// referred says whether an alias other than latest points to a document, or releases need it.
func (s *shelf) referred(at Place) bool {
	if s.kept[at] {
		return true
	}
	for name, alias := range s.aliases {
		if name != Latest && alias.Place() == at {
			return true
		}
	}
	return false
}

// apply follows one record. The error is always nil: a record that cannot be read has no effect.
func (s *shelf) apply(r *kafka.Record) error {
	change, refusal := s.rule.Follow(r)
	key := string(r.Key)
	switch {
	case refusal != nil:
		s.refuse(key, r.Offset, change, refusal)
		return nil
	case change.Kind == Foreign || change.Kind == Unknown: // Unknown keys are those of a newer program.
		return nil
	}
	for _, keys := range []map[string]bool{s.unreadable, s.displaced, s.forged} {
		delete(keys, key)
	}
	delete(s.outdated, key)
	switch {
	case change.Kind == IsAlias:
		s.move(change)
	case change.Kind == IsDocument:
		s.document(Place{change.At.Term, change.At.Version}, r)
	case change.Kind == OldFormat && !change.Deleted:
		s.unreadable[key] = true
		s.outdated[key] = fmt.Errorf("modeltopic: the model topic holds a document of an older format for job %s, at offset %d: delete it with "+
			"`fairstream models prune`; `fairstream run` publishes the weights again", s.rule.Job, r.Offset)
	}
	return nil
}

// refuse keeps what the owner has to do about a record that does not count.
func (s *shelf) refuse(key string, offset int64, change Change, refusal *Refusal) {
	s.refused = append(s.refused, Refused{Key: key, Offset: offset, Reason: refusal.Err.Error()})
	if refusal.Damaged {
		s.unreadable[key] = true
	}
	if refusal.Beyond && len(s.forged) < cluster.AtOnce { // the next start deletes what is left
		s.forged[key] = true
	}
	_, ours := s.documents[Place{change.At.Term, change.At.Version}]
	if change.Kind == IsAlias {
		_, ours = s.aliases[change.Name]
		ours = ours || slices.Contains(ownAliases, change.Name)
	}
	if ours {
		s.displaced[key] = true
	}
}

// ownAliases are those that the owner of a job writes.
var ownAliases = []string{Latest, Stable, Candidate, Previous}

// isDisplaced says whether others overwrote an alias.
func (s *shelf) isDisplaced(alias string) bool {
	return s.displaced[AliasKey(s.rule.Job, alias)]
}

func (s *shelf) move(change Change) {
	if change.Deleted {
		delete(s.aliases, change.Name)
		return
	}
	s.owner = max(s.owner, change.Mover)
	change.Alias.OwnerTerm = 0 // of no interest to who uses the alias
	s.aliases[change.Name] = change.Alias
}

func (s *shelf) document(at Place, r *kafka.Record) {
	if r.Value == nil {
		if m, there := s.documents[at]; there && s.referred(at) {
			s.gone[at] = m
		}
		delete(s.documents, at)
		delete(s.originals, at)
		return
	}
	m := Model{Version: at.Version, Term: at.Term, Offset: r.Offset, Time: time.UnixMilli(r.Timestamp).UTC(), sum: sha256.Sum256(r.Value),
		WeightsSHA256: string(Header(r.Headers(), HeaderSHA256))}
	if s.keep {
		m.Data = slices.Clone(r.Value)
		var said struct {
			WeightsSHA256 string `json:"weights_sha256"`
		}
		if json.Unmarshal(m.Data, &said) == nil { // a signature covers it, and no header
			m.WeightsSHA256 = said.WeightsSHA256
		}
	}
	if before, there := s.documents[at]; there && before.sum != m.sum && s.originals[at].Version == 0 {
		s.originals[at] = before
	}
	if s.originals[at].sum == m.sum {
		delete(s.originals, at)
	}
	delete(s.gone, at)
	s.documents[at] = m
}
