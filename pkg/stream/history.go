package stream

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
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

	patience time.Duration // how long to wait for the watcher to see a later owner
	notify   func(Event)

	chain  *history.Chain
	offset int64 // of the chain's head
	next   int64 // where to go on reading
	// behind are the IDs of entries behind the head of the snapshot: changed verdicts and alarms, and steps of releases.
	behind map[string]bool
}

// openRecorder reads the history behind the head that a snapshot holds, or all of it if there is none.
// damage says in words what is wrong with it.
func openRecorder(ctx context.Context, cluster Cluster, topic, job string, head HistoryHead) (r *recorder, damage string, err error) {
	if topic == "" {
		return nil, "", nil
	}
	r = &recorder{cluster: cluster, topic: topic, job: job, chain: history.NewChain(head.Head, historyMemory), offset: head.Offset,
		next: kafka.Earliest, behind: map[string]bool{}}
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
	o := &s.options
	r, damage, err := openRecorder(ctx, s.cluster, o.Topics.History, o.Job, head)
	if err == nil && damage != "" {
		o.Notify(HistoryDamaged{o.Topics.History, damage})
	}
	if r != nil {
		r.patience, r.notify = o.StandbyTimeout, o.Notify
	}
	return r, err
}

// follow takes the next record of the topic.
func (r *recorder) follow(record *kafka.Record) (history.Standing, *history.Break, error) {
	if string(record.Key) != historyKey(r.job) {
		return history.Superseded, nil, nil
	}
	e, standing, problem, err := r.chain.Follow(record.Offset, record.Value)
	if standing == history.Counts && err == nil {
		if r.offset = record.Offset; e.Kind == history.Decisions || e.Kind == history.Release {
			r.behind[e.ID] = true
		}
	}
	return standing, problem, err
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

// lacks says whether one of all does not stand behind the head of the snapshot yet.
func (r *recorder) lacks(all []announcement) bool {
	return r != nil && slices.ContainsFunc(all, func(one announcement) bool { return !r.behind[one.ID] })
}

// record writes entries, one after the other, and waits until they count. They need kind, id and content.
func (r *recorder) record(ctx context.Context, entries ...history.Entry) error {
	if r == nil {
		return nil
	}
	for _, e := range entries {
		e.Job, e.Time, e.Term, e.Who, e.ConfigSHA256 = r.job, time.Now().UTC(), r.term, r.who, r.config
		err := r.cluster.Retry(ctx, "record the history in "+r.topic, func(ctx context.Context) error { return r.append(ctx, e) })
		if err != nil {
			return fmt.Errorf("the history could not be recorded: %w", err)
		}
	}
	return nil
}

// publication is the entry that tells of a document.
func (r *recorder) publication(ctx context.Context, d *document.Document) error {
	if r == nil {
		return nil
	}
	at := place{r.term, d.Version}
	told := &history.Published{Version: d.Version, WeightsSHA256: d.WeightsSHA256, Key: versionKey(r.job, at), Rejected: d.Rejected, Constraints: rowsOf(d.Constraints)}
	err := r.record(ctx, history.Entry{ID: fmt.Sprintf("%s/%d/%d", history.Publication, at.term, at.version), Kind: history.Publication, Publication: told})
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

// ReadHistory reads the whole history of a job.
func ReadHistory(ctx context.Context, cluster Cluster, topic, job string) (*history.Log, error) {
	log := history.NewLog()
	_, err := cluster.Read(ctx, topic, 0, kafka.Earliest, kafka.End, func(r *kafka.Record) error {
		if string(r.Key) != historyKey(job) {
			return nil
		}
		return log.Add(r.Offset, r.Value)
	})
	return log, err
}

// AuditHistory answers for a period of a job. Snapshot and documents refer to entries of the history, which
// are looked for too: so the last entry cannot be deleted unnoticed either. Documents and aliases that the verifier refuses are
// listed, and say nothing; a nil verifier checks no signature. gap is as in history.Log.Audit.
func AuditHistory(ctx context.Context, cluster Cluster, topics Topics, job string, period history.Period, gap time.Duration, verifier *signature.Verifier) (*history.Audit, error) {
	log, err := ReadHistory(ctx, cluster, topics.History, job)
	if err != nil {
		return nil, err
	}
	state, err := ReadState(ctx, cluster, topics.State, job)
	if err != nil {
		return nil, err
	}
	if s := state.Snapshot; s != nil {
		log.Expect(s.History.Sequence, s.History.SHA256, "the snapshot on the state topic")
	}
	models, err := ReadSignedModels(ctx, cluster, topics.Model, job, verifier)
	if err != nil {
		return nil, err
	}
	for i := range models.Versions {
		m := &models.Versions[i]
		d, err := m.Document()
		if err != nil {
			return nil, fmt.Errorf("version %d of term %d: %w", m.Version, m.Term, err)
		}
		where := fmt.Sprintf("the document of version %d in term %d", m.Version, m.Term)
		if h := d.Lineage.History; h != nil {
			log.Expect(h.Sequence, h.SHA256, where)
		}
		log.ExpectWeights(versionKey(job, m.place()), d.WeightsSHA256, where)
	}
	a := log.Audit(period, time.Now().UTC(), gap)
	if a.Signatures.Checked = verifier != nil; a.Signatures.Checked {
		a.Signatures.Accepted = len(models.Versions) + len(models.Aliases)
	}
	for _, r := range models.Refused {
		a.Signatures.Refused = append(a.Signatures.Refused, history.Refused(r))
	}
	return a, nil
}
