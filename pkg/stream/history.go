package stream

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/chronicle"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/owner"
	"github.com/fairstream/fairstream/pkg/history"
)

// HistoryHead is where the history of a job ends.
type HistoryHead = chronicle.Head

// HistoryAhead says that the history holds an entry of a later owner, and that the state topic knows of none: another state of the job, or somebody
// else, writes there.
type HistoryAhead = chronicle.Ahead

// historyTopic is the history topic of the job.
func (o *Options) historyTopic(cluster Cluster) chronicle.Topic {
	return chronicle.Topic{Cluster: cluster, Name: o.Topics.History, Job: o.Job, Signer: o.Signer, Verifier: o.Verifier, Patience: o.StandbyTimeout}
}

// openHistory opens the history, and tells what is wrong with it.
func (s *Stream) openHistory(ctx context.Context, head HistoryHead) (*chronicle.Recorder, error) {
	r, damage, err := s.options.historyTopic(s.cluster).Open(ctx, head, s.tellDamage)
	if err == nil && damage != "" {
		s.tellDamage(damage)
	}
	return r, err
}

func (s *Stream) tellDamage(problem string) {
	s.board.post(func(status *Status) { status.HistoryDamage = problem })
	s.options.Notify(HistoryDamaged{s.options.Topics.History, problem})
}

// introduce prepares what the history is to tell at the beginning: who owns the job now, and with which
// configuration.
func (l *learning) introduce(claim, before Claim, saved *SnapshotInfo, r *chronicle.Recorder) (err error) {
	version := l.learner.Version()
	if l.configuration, err = configurationOf(l.options); err != nil {
		return err
	}
	r.Owned(claim.Term, l.options.whoOf(), l.configuration.Sum())
	l.story.tell(ownership(claim, before, version))
	behind := Reference{Owner: claim.Owner}
	var changes []history.Change
	if saved.Configuration.Whole != nil {
		if changes, err = l.configuration.Follow(saved.Configuration, time.Now().UTC(), version); err != nil {
			return err
		}
		if behind = saved.reference(); len(changes) > 0 {
			l.options.Notify(ConfigChanged{changes})
		}
	}
	if len(changes) > 0 || saved.Configuration.Whole == nil || r.Head().Sequence == 0 {
		l.story.tell(l.configuration.Configured(changes, behind.Owner, behind.Sequence, version))
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
	return history.Who{Service: cmp.Or(o.Service, "fairstream run"), Program: o.Program, Host: owner.Hostname(), Actor: o.Actor, Reason: o.Reason}
}

// configurationOf is what the options configure.
func configurationOf(o *Options) (c chronicle.Configuration, err error) {
	if c.Whole = o.Configuration; c.Whole == nil {
		c.Whole, err = json.Marshal(o.Model)
	}
	if err != nil {
		err = fmt.Errorf("stream: the configuration: %w", err)
	}
	return c, err
}

// FollowHistory gives tell the newest entries of a job's history that count, about most of them, and then each that is
// written, in order, until ctx ends; a topic that is made again or cut is followed again. Of the chain nothing is said: AuditHistory checks it.
func FollowHistory(ctx context.Context, cluster Cluster, topic, job string, most int64, tell func(*history.Entry)) error {
	return chronicle.Topic{Cluster: cluster, Name: topic, Job: job}.Follow(ctx, most, tell)
}
