package stream

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/signature"
)

// HistoryHead is where the history of a job ends.
type HistoryHead struct {
	history.Head
	// Offset is that of the record on the history topic.
	Offset int64 `json:"offset"`
}

// historyMemory is how many sums an owner remembers to tell repetitions by.
const historyMemory = 1000

// recorder writes the history of a job. It belongs to the keeper's goroutine. A nil recorder is that of a job
// without a history topic: it does nothing.
//
// An entry counts if it continues the last one that counts (pkg/history). A process that lost the job may
// write at the same time, so every entry is read back (rule "read back" in doc.go).
type recorder struct {
	cluster Cluster
	topic   string
	job     string
	term    int64
	who     history.Who
	config  string // SHA-256 of the configuration
	damaged func(problem string)

	// signer signs entries, and verifier checks those of others; nil: nothing is signed or checked.
	signer   *signature.Signer
	verifier *signature.Verifier
	// signed says that a trusted key has signed an entry: from then on, each is to be signed.
	signed bool
	// mine are the sums of what this process tries to write, and foreign the entries that count although no owner wrote them: the next entry
	// disowns them.
	mine    map[string]bool
	foreign []history.Disowned

	patience time.Duration // how long to wait for the watcher to see a later owner

	chain  *history.Chain
	offset int64 // of the chain's head
	next   int64 // where to go on reading
	// behind are entries behind the head of the snapshot, by ID: changed verdicts and alarms, and steps of releases.
	behind map[string]*history.Entry
}

// openRecorder reads the history behind the head that a snapshot holds, or all of it if there is none.
// damage says in words what is wrong with it.
func openRecorder(ctx context.Context, cluster Cluster, o *Options, head HistoryHead, damaged func(problem string)) (r *recorder, damage string, err error) {
	topic := o.Topics.History
	if topic == "" {
		return nil, "", nil
	}
	r = &recorder{cluster: cluster, topic: topic, job: o.Job, damaged: damaged, signer: o.Signer, verifier: o.Verifier,
		chain: history.NewChain(head.Head, historyMemory), offset: head.Offset, next: kafka.Earliest, behind: map[string]*history.Entry{}}
	bounds, err := cluster.Bounds(ctx, topic)
	if err != nil {
		return nil, "", err
	}
	if head.Sequence > 0 && len(bounds) > 0 && bounds[0].Start <= head.Offset && head.Offset < bounds[0].End {
		r.next = head.Offset
	}
	there := head.Sequence == 0
	r.next, err = cluster.Read(ctx, topic, 0, r.next, kafka.End, func(record *kafka.Record) error {
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

// openHistory opens the history, and tells what is wrong with it.
func (s *Stream) openHistory(ctx context.Context, head HistoryHead) (*recorder, error) {
	r, damage, err := openRecorder(ctx, s.cluster, &s.options, head, s.tellDamage)
	if err == nil && damage != "" {
		s.tellDamage(damage)
	}
	if r != nil {
		r.patience = s.options.StandbyTimeout
	}
	return r, err
}

func (s *Stream) tellDamage(problem string) {
	s.board.post(func(status *Status) { status.HistoryDamage = problem })
	s.options.Notify(HistoryDamaged{s.options.Topics.History, problem})
}

// follow takes the next record of the topic.
func (r *recorder) follow(record *kafka.Record) (history.Standing, *history.Break, error) {
	if string(record.Key) != historyKey(r.job) {
		return history.Superseded, nil, nil
	}
	e, standing, problem, err := r.chain.Follow(record.Offset, record.Value)
	if err != nil || standing != history.Counts && standing != history.Repeated {
		return standing, problem, err
	}
	seal := sealOf(r.verifier, record)
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

// historyKey is the key of all entries of a job.
func historyKey(job string) string { return job }

// head is where the history ends.
func (r *recorder) head() HistoryHead {
	if r == nil {
		return HistoryHead{}
	}
	return HistoryHead{r.chain.Head(), r.offset}
}

// owned makes the recorder write for the owner of a term.
func (r *recorder) owned(term int64, who history.Who, config string) {
	if r != nil {
		r.term, r.who, r.config = term, who, config
	}
}

// has says whether an announcement stands behind the head of the snapshot.
func (r *recorder) has(one announcement) bool {
	told, entry := r.behind[one.ID], one.entry()
	return told != nil && told.SameEvent(&entry)
}

// lacks says whether one of all does not stand behind the head of the snapshot yet.
func (r *recorder) lacks(all []announcement) bool {
	return r != nil && slices.ContainsFunc(all, func(one announcement) bool { return !r.has(one) })
}

// record writes entries, one after the other, and waits until they count. They need kind, id and content.
func (r *recorder) record(ctx context.Context, entries ...history.Entry) error {
	if r == nil {
		return nil
	}
	for _, e := range entries {
		if err := r.recordOne(ctx, e); err != nil {
			return err
		}
	}
	for len(r.foreign) > 0 { // found at the start, or while this process wrote
		n := min(len(r.foreign), mostDisowned)
		disowned := slices.Clone(r.foreign[:n])
		err := r.recordOne(ctx, history.Entry{ID: fmt.Sprintf("%s/%d/%d", history.Disown, r.term, disowned[0].Sequence), Kind: history.Disown,
			Disowned: &history.Disowning{Entries: disowned}})
		if err != nil {
			return err
		}
		r.foreign = r.foreign[n:]
	}
	return nil
}

// mostDisowned bounds an entry that disowns others.
const mostDisowned = 1000

func (r *recorder) recordOne(ctx context.Context, e history.Entry) error {
	e.Job, e.Time, e.Term, e.Who, e.ConfigSHA256 = r.job, time.Now().UTC(), r.term, r.who, r.config
	r.mine = map[string]bool{}
	err := r.cluster.Retry(ctx, "record the history in "+r.topic, func(ctx context.Context) error { return r.append(ctx, e) })
	if err != nil {
		return fmt.Errorf("the history could not be recorded: %w", err)
	}
	return nil
}

// publication is the entry that tells of a document.
func (r *recorder) publication(ctx context.Context, d *document.Document) error {
	if r == nil {
		return nil
	}
	at := modeltopic.Place{Term: r.term, Version: d.Version}
	told := &history.Published{Version: d.Version, WeightsSHA256: d.WeightsSHA256, Key: modeltopic.DocumentKey(r.job, at), Rejected: d.Rejected, Constraints: rowsOf(d.Constraints)}
	err := r.record(ctx, history.Entry{ID: fmt.Sprintf("%s/%d/%d", history.Publication, at.Term, at.Version), Kind: history.Publication, Publication: told})
	if err == nil {
		head := r.chain.Head()
		d.Lineage.History = &document.HistoryEntry{Sequence: head.Sequence, SHA256: head.SHA256}
	}
	return err
}

func rowsOf(estimates []fairness.Estimate) []history.Row {
	rows := make([]history.Row, len(estimates))
	for i, e := range estimates {
		rows[i] = history.Row{Name: e.Name, Criterion: string(e.Criterion), Group: e.Group, Versus: e.Versus, Tau: e.Tau, Enforced: e.Enforced,
			Level: e.Level, NGroup: e.NGroup, NVersus: e.NVersus, Status: string(e.Status)}
		if e.Status != fairness.NotEstimable {
			rows[i].Value, rows[i].Lo, rows[i].Hi = &e.Value, &e.Lo, &e.Hi
		}
	}
	return rows
}

// introduce prepares what the history is to tell at the beginning: who owns the job now, and with which
// configuration.
func (l *learning) introduce(claim, before Claim, saved *SnapshotInfo, r *recorder) (err error) {
	version := l.learner.Version()
	if l.configuration, err = configurationOf(l.options); err != nil {
		return err
	}
	r.owned(claim.Term, l.options.whoOf(), l.configuration.sum())
	l.entries = append(l.entries, ownership(claim, before, version))
	behind := Reference{Owner: claim.Owner}
	var changes []history.Change
	if saved.Configuration.Whole != nil {
		if changes, err = l.configuration.follow(saved.Configuration, time.Now().UTC(), version); err != nil {
			return err
		}
		if behind = saved.reference(); len(changes) > 0 {
			l.options.Notify(ConfigChanged{changes})
		}
	}
	if len(changes) > 0 || saved.Configuration.Whole == nil || r.head().Sequence == 0 {
		l.entries = append(l.entries, l.configuration.configured(changes, behind, version))
	}
	return nil
}

// ownership is the entry of a change of owner. version is the number of records learnt so far.
func ownership(claim, before Claim, version int64) history.Entry {
	return history.Entry{ID: fmt.Sprintf("%s/%d", history.Owned, claim.Term), Kind: history.Owned,
		Owner: &history.Owner{Before: before.Term, HostBefore: before.Host, Version: version}}
}

// lossEntry is the entry of a loss of data. It has one ID however often the loss is met: a process may end
// before a snapshot covers it.
func lossEntry(loss *kafka.DataLoss, id kafka.TopicID) history.Entry {
	return history.Entry{ID: fmt.Sprintf("%s/%x/%d/%d", history.DataLoss, id, loss.Partition, loss.Offset), Kind: history.DataLoss,
		Loss: &history.Loss{Topic: loss.Topic, Partition: loss.Partition, Kind: string(loss.Kind), Offset: loss.Offset, Resume: loss.Resume, Lost: loss.Lost}}
}

// whoOf names the responsible for what this process writes.
func (o Options) whoOf() history.Who {
	return history.Who{Service: cmp.Or(o.Service, "fairstream run"), Program: o.Program, Host: hostname(), Actor: o.Actor, Reason: o.Reason}
}
