package modeltopic

import (
	"errors"
	"fmt"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/signature"
)

// Rule decides which records of the model topic count for a job. Whoever reads the topic asks it, record by record in the order of the log: the
// owner of the job, a command and a follower that read the same records believe the same.
//
//   - A record with a damaged key or value is refused.
//   - With a verifier, a record without the signature of a trusted key is refused. A deletion cannot be signed; it counts.
//   - A move of an alias is refused if an owner of a lower term made it than the move that counted before: it comes late. The alias latest is
//     exempt, because readers go by the highest document.
//   - A deletion of an alias also forgets who moved it.
//
// A refused record changes nothing: what counted under its key before counts on. But a cleaner keeps the last record of a key only, whether it
// counts or not: then the key is displaced, and the owner of the job has to write its own record again.
type Rule struct {
	Job string
	// Verifier decides whose signatures are trusted; nil accepts all records.
	Verifier *signature.Verifier
	// Own is the term of an owner, who refuses records of terms that it must not go above (Believable). It is 0 for other readers: they have to
	// accept the records of an owner who went above.
	Own int64

	movers map[string]int64 // by alias: the term of who made the last move that counts
}

// Change is what a record that counts does.
type Change struct {
	Kind Kind
	// At is the place of a document; Name is that of an alias, Alias where it points now, and Mover the term of who moved it.
	At      Place
	Name    string
	Alias   Alias
	Mover   int64
	Deleted bool
}

// Refusal says why a record does not count.
type Refusal struct {
	Err error
	// Damaged: nobody can read it, so that only a deletion helps.
	Damaged bool
	// Beyond: it names a term that cannot be. Readers who are no owners may believe it.
	Beyond bool
}

// Follow decides about the next record. If it is refused, the change says what its key stands for, and nothing else.
func (r *Rule) Follow(record *kafka.Record) (change Change, refused *Refusal) {
	kind, at, name := ParseKey(r.Job, record.Key)
	change = Change{Kind: kind, At: at, Name: name, Deleted: record.Value == nil}
	switch {
	case kind == Foreign || kind == Unknown || kind == OldFormat:
		return change, nil
	case change.Deleted:
		delete(r.movers, name)
		return change, nil
	case kind == Unreadable:
		return change, &Refusal{Err: errors.New("its key is not the key of a document (`fairstream models prune` deletes it)"), Damaged: true}
	case kind == IsDocument && r.Own > 0 && !Believable(at.Term, r.Own):
		return change, beyond(at.Term)
	}
	if err := Verify(r.Verifier, record); err != nil {
		return change, &Refusal{Err: err}
	}
	if kind == IsAlias {
		return r.move(change, record)
	}
	return change, nil
}

// move decides about a move of an alias.
func (r *Rule) move(change Change, record *kafka.Record) (Change, *Refusal) {
	alias, err := ParseAlias(r.Job, record.Value)
	if err != nil {
		return change, &Refusal{Err: fmt.Errorf("%w (`fairstream models prune` deletes it)", err), Damaged: true}
	}
	mover := owner(r.Verifier, record.Headers(), alias)
	if highest := max(mover, alias.Term); r.Own > 0 && !Believable(highest, r.Own) {
		return change, beyond(highest)
	}
	if before, known := r.movers[change.Name]; known && mover < before && change.Name != Latest {
		return change, &Refusal{Err: fmt.Errorf("an owner of term %d moved it, after one of term %d", mover, before)}
	}
	if r.movers == nil {
		r.movers = map[string]int64{}
	}
	r.movers[change.Name] = mover
	change.Alias, change.Mover = alias, mover
	return change, nil
}

// Mover is the term of who made the last move of an alias that counts; 0 if there is none.
func (r *Rule) Mover(alias string) int64 { return r.movers[alias] }

func beyond(term int64) *Refusal {
	return &Refusal{Err: fmt.Errorf("no owner of the job can have term %d", term), Beyond: true}
}
