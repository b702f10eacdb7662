package chronicle

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/history"
)

// Record writes entries, one after the other, and waits until they count. They need kind, id and content.
func (r *Recorder) Record(ctx context.Context, entries ...history.Entry) error {
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

func (r *Recorder) recordOne(ctx context.Context, e history.Entry) error {
	e.Job, e.Time, e.Term, e.Who, e.ConfigSHA256 = r.Job, time.Now().UTC(), r.term, r.who, r.config
	r.mine = map[string]bool{}
	err := r.Cluster.Retry(ctx, "record the history in "+r.Name, func(ctx context.Context) error { return r.append(ctx, e) })
	if err != nil {
		return fmt.Errorf("the history could not be recorded: %w", err)
	}
	return nil
}

// Complete writes those of the entries that do not stand behind the head of the snapshot. From then on that head is of no interest: a later
// snapshot counts.
func (r *Recorder) Complete(ctx context.Context, entries []history.Entry) error {
	if r == nil {
		return nil
	}
	for _, e := range entries {
		if r.has(&e) {
			continue
		}
		if err := r.Record(ctx, e); err != nil {
			return err
		}
	}
	clear(r.behind)
	return nil
}

// Publication is the entry that tells of a document.
func (r *Recorder) Publication(ctx context.Context, d *document.Document) error {
	if r == nil {
		return nil
	}
	at := modeltopic.Place{Term: r.term, Version: d.Version}
	told := &history.Published{Version: d.Version, WeightsSHA256: d.WeightsSHA256, Key: modeltopic.DocumentKey(r.Job, at), Rejected: d.Rejected, Constraints: rowsOf(d.Constraints)}
	err := r.Record(ctx, history.Entry{ID: fmt.Sprintf("%s/%d/%d", history.Publication, at.Term, at.Version), Kind: history.Publication, Publication: told})
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
