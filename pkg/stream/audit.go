package stream

import (
	"context"
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/chronicle"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/signature"
)

// historyReader reads the history of a job into a log.
type historyReader struct {
	cluster    Cluster
	topic, job string
	verifier   *signature.Verifier
	log        *history.Log
	next       int64
}

// readOn reads to the end of the topic.
func (h *historyReader) readOn(ctx context.Context) (err error) {
	h.next, err = h.cluster.Read(ctx, h.topic, 0, h.next, kafka.End, func(r *kafka.Record) error {
		if string(r.Key) != chronicle.Key(h.job) {
			return nil
		}
		return h.log.Add(r.Offset, r.Value, chronicle.SealOf(h.verifier, r))
	})
	return err
}

// ReadHistory reads the whole history of a job.
func ReadHistory(ctx context.Context, cluster Cluster, topic, job string) (*history.Log, error) {
	h := &historyReader{cluster: cluster, topic: topic, job: job, log: history.NewLog(), next: kafka.Earliest}
	return h.log, h.readOn(ctx)
}

// AuditHistory answers for a period of a job. Entries are compared with claims, snapshot and documents: those refer to entries, so the last one
// cannot be deleted unnoticed either, and an entry that tells of more than they do was added. Records that the verifier refuses are
// listed, and say nothing; a nil verifier checks no signature. gap is as in history.Log.Audit.
func AuditHistory(ctx context.Context, cluster Cluster, topics Topics, job string, period history.Period, gap time.Duration, verifier *signature.Verifier) (*history.Audit, error) {
	h := &historyReader{cluster: cluster, topic: topics.History, job: job, verifier: verifier, log: history.NewLog(), next: kafka.Earliest}
	if err := h.readOn(ctx); err != nil {
		return nil, err
	}
	log, through := h.log, h.log.Head().Sequence
	state, err := ReadState(ctx, cluster, topics.State, job)
	if err != nil {
		return nil, err
	}
	models, err := readTold(ctx, cluster, topics.Model, job, verifier, log.Told(), state.Left)
	if err != nil {
		return nil, err
	}
	if err := h.readOn(ctx); err != nil { // the owner may have gone on meanwhile
		return nil, err
	}
	if s := state.Snapshot; s != nil {
		log.Expect(s.History.Sequence, s.History.SHA256, "the snapshot on the state topic")
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
		log.ExpectWeights(modeltopic.DocumentKey(job, m.Place()), d.WeightsSHA256, where)
	}
	known := history.Known{Through: through, Term: state.Holder.Term}
	if s := state.Snapshot; s != nil {
		known.Saved = &history.Saved{Term: s.Term, Version: s.Version, Steps: s.Steps, Head: s.History.Sequence, Configuration: s.Configuration.Whole}
	}
	if topics.Model != "" {
		keys := keysOf(models, job)
		known.Published = func(key string) bool { return keys[key] }
	}
	log.Compare(known)
	a := log.Audit(period, time.Now().UTC(), gap)
	if a.Signatures.Checked = verifier != nil; a.Signatures.Checked {
		a.Signatures.Accepted = len(models.Versions) + len(models.Aliases)
	}
	for _, r := range models.Refused {
		a.Signatures.Refused = append(a.Signatures.Refused, history.Refused(r))
	}
	return a, nil
}

// An owner tells the history of a publication, and then publishes. An audit waits so long for the document of the last one.
const (
	publicationPatience = 5 * time.Second
	publicationPause    = 250 * time.Millisecond
)

// readTold reads the model topic, again if it lacks the document under a key: the owner may be about to write it, unless it has left. An empty
// key stands for none.
func readTold(ctx context.Context, cluster Cluster, topic, job string, verifier *signature.Verifier, key string, left bool) (*Models, error) {
	for end := time.Now().Add(publicationPatience); ; {
		models, err := ReadSignedModels(ctx, cluster, topic, job, verifier)
		if err != nil || key == "" || topic == "" || left || keysOf(models, job)[key] || time.Now().After(end) {
			return models, err
		}
		select {
		case <-time.After(publicationPause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// keysOf are those of the documents on the topic, whether they are refused or not.
func keysOf(m *Models, job string) map[string]bool {
	keys := map[string]bool{}
	for i := range m.Versions {
		keys[modeltopic.DocumentKey(job, m.Versions[i].Place())] = true
	}
	for _, r := range m.Refused {
		keys[r.Key] = true
	}
	return keys
}
