package owner

import (
	"context"
	"fmt"

	"github.com/fairstream/fairstream/internal/kafka"
)

// Account is what the state topic holds of a job, and what of it must not be.
type Account struct {
	// Standing is how the job stands.
	Standing
	// Records of the job, deletions not counted. The cleaner may have removed earlier ones.
	Records int
	// Claims that came into force, and those that came second.
	Claims, LostClaims int
	// Snapshots that count, that do not, since their owner had lost the job, and that are incomplete.
	Snapshots, Late, Incomplete int
	// Problems are what must not be. Each names an offset.
	Problems []string
}

// verifier replays the state topic and compares each step with the rules of doc.go.
type verifier struct {
	Account
	journal  *journal
	counted  Reference
	late     map[Reference]bool
	snapshot func(r Reference, state []byte) (problems []string)
}

// Verify replays the claims and snapshots of a job without writing anything: does every record have its checksum, do terms rise, does each part
// stand under its key? snapshot is given each snapshot that counts, and says what is wrong with it. The error is one of reading.
func Verify(ctx context.Context, s Settings, snapshot func(r Reference, state []byte) (problems []string)) (*Account, error) {
	v := &verifier{journal: newJournal(s.Job), late: map[Reference]bool{}, snapshot: snapshot}
	if _, err := s.Log.Read(ctx, s.Topic, 0, kafka.Earliest, kafka.End, func(r *kafka.Record) error {
		v.follow(r)
		return nil
	}); err != nil {
		return nil, err
	}
	for _, g := range v.journal.unreadable() {
		v.problem("offset %d: %s (`fairstream state prune` deletes it)", g.Offset, g.Reason)
	}
	v.Standing, v.Incomplete = v.journal.standing(), len(v.journal.pending)
	return &v.Account, nil
}

func (v *verifier) problem(format string, arguments ...any) {
	v.Problems = append(v.Problems, fmt.Sprintf(format, arguments...))
}

// follow is one record of the state topic.
func (v *verifier) follow(r *kafka.Record) {
	j := v.journal
	kind, ours := kindOf(j.job, r.Key)
	if !ours {
		return
	}
	if r.Value != nil {
		v.Records++
	}
	term := j.holder.Term
	if err := j.note(r); err != nil || r.Value == nil { // what cannot be read is told at the end, unless it is deleted
		return
	}
	switch kind {
	case claimKind:
		if j.holder.Term > term {
			v.Claims++
		} else {
			v.LostClaims++
		}
	case stateKind:
		v.part(r)
	}
}

// part checks that a part stands under the key of its content, and looks at the snapshot that it completes.
func (v *verifier) part(r *kafka.Record) {
	h, _, err := decodePart(r.Value)
	if err != nil {
		return // the journal has told of it
	}
	var attempt int
	if _, err := fmt.Sscanf(string(r.Key), string(h.key(0)[:len(h.key(0))-1])+"%d", &attempt); err != nil {
		v.problem("offset %d: a part of snapshot %d of %s stands under the key of another", r.Offset, h.Sequence, h.Owner)
	}
	j, reference := v.journal, h.reference()
	if j.last == reference && v.counted != reference {
		v.counted = reference
		v.Snapshots++
		for _, problem := range v.snapshot(reference, j.state) {
			v.problem("offset %d: %s", r.Offset, problem)
		}
		return
	}
	if v.counted != reference && !j.may(reference) && !v.late[reference] {
		v.late[reference] = true
		v.Late++
	}
}
