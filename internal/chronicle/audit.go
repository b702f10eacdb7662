package chronicle

import (
	"context"
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/history"
)

// reader reads the history of a job into a log.
type reader struct {
	Topic
	log  *history.Log
	next int64
}

// readOn reads to the end of the topic.
func (h *reader) readOn(ctx context.Context) (err error) {
	h.next, err = h.Cluster.Read(ctx, h.Name, 0, h.next, kafka.End, func(r *kafka.Record) error {
		if string(r.Key) != Key(h.Job) {
			return nil
		}
		return h.log.Add(r.Offset, r.Value, SealOf(h.Verifier, r))
	})
	return err
}

// Log reads the whole history of a job.
func (t Topic) Log(ctx context.Context) (*history.Log, error) {
	h := &reader{t, history.NewLog(), kafka.Earliest}
	return h.log, h.readOn(ctx)
}

// Standing is what the state topic says of a job, for an audit.
type Standing struct {
	Term int64 // the highest that was claimed
	Left bool  // the last owner ended in order
	// Saved is what the last snapshot that counts refers to, and SHA256 the sum of the entry where the history ended then; nil: there is none.
	Saved  *history.Saved
	SHA256 string
}

// Audit answers for a period of a job. Entries are compared with claims, snapshot and documents: those refer to entries, so the last one
// cannot be deleted unnoticed either, and an entry that tells of more than they do was added. Records that the verifier refuses are
// listed, and say nothing; a nil verifier checks no signature. gap is as in history.Log.Audit. standing reads the state topic.
func (t Topic) Audit(ctx context.Context, standing func(context.Context) (Standing, error), documents modeltopic.Topic, period history.Period, gap time.Duration) (*history.Audit, error) {
	h := &reader{t, history.NewLog(), kafka.Earliest}
	if err := h.readOn(ctx); err != nil {
		return nil, err
	}
	log, through := h.log, h.log.Head().Sequence
	state, err := standing(ctx)
	if err != nil {
		return nil, err
	}
	models, err := readTold(ctx, documents, log.Told(), state.Left)
	if err != nil {
		return nil, err
	}
	if err := h.readOn(ctx); err != nil { // the owner may have gone on meanwhile
		return nil, err
	}
	if s := state.Saved; s != nil {
		log.Expect(s.Head, state.SHA256, "the snapshot on the state topic")
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
		log.ExpectWeights(modeltopic.DocumentKey(t.Job, m.Place()), d.WeightsSHA256, where)
	}
	known := history.Known{Through: through, Term: state.Term, Saved: state.Saved}
	if documents.Name != "" {
		keys := keysOf(models, t.Job)
		known.Published = func(key string) bool { return keys[key] }
	}
	log.Compare(known)
	a := log.Audit(period, time.Now().UTC(), gap)
	if a.Signatures.Checked = t.Verifier != nil; a.Signatures.Checked {
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
func readTold(ctx context.Context, topic modeltopic.Topic, key string, left bool) (*modeltopic.Models, error) {
	for end := time.Now().Add(publicationPatience); ; {
		models, err := topic.Models(ctx)
		if err != nil || key == "" || topic.Name == "" || left || keysOf(models, topic.Job)[key] || time.Now().After(end) {
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
func keysOf(m *modeltopic.Models, job string) map[string]bool {
	keys := map[string]bool{}
	for i := range m.Versions {
		keys[modeltopic.DocumentKey(job, m.Versions[i].Place())] = true
	}
	for _, r := range m.Refused {
		keys[r.Key] = true
	}
	return keys
}
