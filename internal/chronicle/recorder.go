package chronicle

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/signature"
)

// Head is where the history of a job ends.
type Head struct {
	history.Head
	// Offset is that of the record on the history topic.
	Offset int64 `json:"offset"`
}

// memory is how many sums an owner remembers to tell repetitions by.
const memory = 1000

// Topic is the history topic of a job.
type Topic struct {
	Cluster cluster.Cluster
	// Name is empty if the job has no history.
	Name, Job string
	// Signer signs entries, and Verifier checks the entries of others; nil: no entry is signed or checked.
	Signer   *signature.Signer
	Verifier *signature.Verifier
	// Patience is how long an owner waits for the state topic to say who took the job over.
	Patience time.Duration
}

// Recorder writes the history of a job. It belongs to the keeper's goroutine. A nil recorder is that of a job
// without a history topic: it does nothing.
//
// An entry counts if it continues the last one that counts (pkg/history). A process that lost the job may
// write at the same time, so every entry is read back (rule "read back" in doc.go).
type Recorder struct {
	Topic
	term    int64
	who     history.Who
	config  string // SHA-256 of the configuration
	damaged func(problem string)

	// signed says that a trusted key has signed an entry: from then on, each is to be signed.
	signed bool
	// sealed says that the newest entry has a signature, be it a true one.
	sealed bool
	// mine are the sums of what this process tries to write, and foreign the entries that count although no owner wrote them: the next entry
	// disowns them.
	mine    map[string]bool
	foreign []history.Disowned

	chain  *history.Chain
	offset int64 // of the chain's head
	next   int64 // where to go on reading
	// behind are entries behind the head of the snapshot, by ID: changed verdicts and alarms, and steps of releases.
	behind map[string]*history.Entry
}

// Open reads the history behind the head that a snapshot holds, or all of it if there is none.
// damage says in words what is wrong with it.
func (t Topic) Open(ctx context.Context, head Head, damaged func(problem string)) (r *Recorder, damage string, err error) {
	if t.Name == "" {
		return nil, "", nil
	}
	r = &Recorder{Topic: t, damaged: damaged, chain: history.NewChain(head.Head, memory), offset: head.Offset, next: kafka.Earliest, behind: map[string]*history.Entry{}}
	bounds, err := t.Cluster.Bounds(ctx, t.Name)
	if err != nil {
		return nil, "", err
	}
	if len(bounds) > 0 && bounds[0].Start <= head.Offset && head.Offset < bounds[0].End {
		r.next = head.Offset
	}
	there := head.Sequence == 0
	r.next, err = t.Cluster.Read(ctx, t.Name, 0, r.next, kafka.End, func(record *kafka.Record) error {
		standing, problem, err := r.follow(record)
		there = there || standing == history.Repeated
		if problem != nil {
			damage = problem.Problem
		}
		return err
	})
	if !there {
		damage = fmt.Sprintf("entry %d, which the latest snapshot refers to, is not on the topic", head.Sequence)
	}
	return r, damage, err
}

// follow takes the next record of the topic.
func (r *Recorder) follow(record *kafka.Record) (history.Standing, *history.Break, error) {
	if string(record.Key) != Key(r.Job) {
		return history.Superseded, nil, nil
	}
	e, standing, problem, err := r.chain.Follow(record.Offset, record.Value)
	if err != nil || standing != history.Counts && standing != history.Repeated {
		return standing, problem, err
	}
	r.sealed = isSealed(record)
	seal := SealOf(r.Verifier, record)
	foreign := r.signed && seal.Problem != ""
	r.signed = r.signed || seal.Trusted()
	if standing == history.Repeated {
		return standing, problem, nil
	}
	r.offset = record.Offset
	sum := history.Sum(record.Value)
	reason := seal.Problem
	if !foreign && r.mine != nil && e.Term == r.term && !r.mine[sum] {
		foreign, reason = true, "it was written in the name of the owner, by somebody else"
	}
	switch {
	case foreign:
		r.foreign = append(r.foreign, history.Disowned{Sequence: e.Sequence, SHA256: sum, Reason: reason})
		r.damaged(fmt.Sprintf("entry %d is not by the owner of the job: %s; a later entry disowns it", e.Sequence, reason))
	case e.Kind == history.Decisions || e.Kind == history.Release:
		r.behind[e.ID] = e
	}
	return standing, problem, nil
}

// Head is where the history ends.
func (r *Recorder) Head() Head {
	if r == nil {
		return Head{}
	}
	return Head{r.chain.Head(), r.offset}
}

// Unsealed says that an entry of this process would have no signature behind one that has.
func (r *Recorder) Unsealed() bool { return r != nil && r.sealed && r.Signer == nil }

// Owned makes the recorder write for the owner of a term.
func (r *Recorder) Owned(term int64, who history.Who, config string) {
	if r != nil {
		r.term, r.who, r.config = term, who, config
	}
}

// has says whether an entry, as it is now, stands behind the head of the snapshot.
func (r *Recorder) has(e *history.Entry) bool {
	told := r.behind[e.ID]
	return told != nil && told.SameEvent(e)
}

// Lacks says whether one of the entries does not stand behind the head of the snapshot yet.
func (r *Recorder) Lacks(entries []history.Entry) bool {
	return r != nil && slices.ContainsFunc(entries, func(e history.Entry) bool { return !r.has(&e) })
}
