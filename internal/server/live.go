package server

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/heartbeat"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/internal/signoff"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/stream"
)

// Live is what the page shows of a stream: a board.Source over its Monitor.
type Live struct {
	*Monitor
	kind    board.Kind
	job     string
	model   model.Config
	track   *track
	drivers drivers
	// audit reads the history for a report; nil: there is none. The mutex of the monitor guards it.
	audit func(context.Context, history.Period) (*history.Audit, error)
	// fleet is which version serves where, and unheard why that is not known; nil: instances do not tell. The mutex of the monitor guards them.
	fleet   *heartbeat.Fleet
	unheard string
}

// NewLive returns the source of a stream that a monitor knows.
func NewLive(m *Monitor, kind board.Kind, job string, c model.Config) *Live {
	l := &Live{Monitor: m, kind: kind, job: job, model: c, track: newTrack()}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	l.drivers.page, l.drivers.at = m.page, c.Record.AsJSON().At
	m.drivers = l.drivers.now
	return l
}

// followEvery is how often the measurements become a point of their series.
const followEvery = time.Second

// Follow collects points until ctx ends.
func (l *Live) Follow(ctx context.Context) {
	ticker := time.NewTicker(followEvery)
	defer ticker.Stop()
	beats := time.NewTicker(isolate.Beat)
	defer beats.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-beats.C:
			l.page.Beat()
		case now := <-ticker.C:
			if s := l.state(); s != nil {
				l.page.Post(func() { l.track.observe(s, now) }, nil)
			}
		}
	}
}

// Notify takes note of an event, after the monitor.
func (l *Live) Notify(event stream.Event) {
	l.Monitor.Notify(event)
	l.page.Post(func() {
		l.track.notify(event)
		if e, isPublished := event.(stream.Published); isPublished && e.Document != nil {
			l.drivers.published(e.Document)
		}
	}, nil)
}

// PrintedBy says how a record as it came becomes JSON. It is for the time before the first Look; without it, records are JSON.
func (l *Live) PrintedBy(appendJSON func(dst, value []byte) ([]byte, error)) {
	l.drivers.print = appendJSON
}

// Look takes note of a record as it came. It is for stream.Options.Look.
func (l *Live) Look(value []byte) { l.drivers.look(value) }

// Series is part of board.Source.
func (l *Live) Series(key board.Key) *board.Series {
	s := l.state()
	series, _ := isolate.Ask(l.page, func() *board.Series {
		if s != nil {
			for _, m := range s.Monitored {
				if series := overTime(m, key); series != nil {
					l.track.annotate(series)
					return series
				}
			}
		}
		return l.track.of(key)
	})
	return series
}

// currentSubject is what the estimates judge: the weights as they are.
const currentSubject = "current"

// Status is part of board.Source.
func (l *Live) Status() *board.Status {
	reasons, outage, seen := l.ailments(), l.outage(), l.remembered()
	b := &board.Status{Schema: board.Schema, Job: l.job, Kind: l.kind, Role: l.role(), Phase: string(stream.PhaseStarting),
		Ready: len(reasons) == 0 && outage == nil, Outage: outage, AsOf: seen.moved, Reason: strings.Join(reasons, "; "), Confidence: l.model.Learner.Level,
		Meaning:     signoff.LabelWords(l.model.Record.Label.Field, string(l.model.Record.Label.Positive)),
		Constraints: []board.Constraint{}, Subjects: []board.Subject{}, Versions: seen.versions, History: seen.past, Serving: l.serving(time.Now())}
	s := l.state()
	if s == nil {
		b.Stream = l.stream(&stream.Status{}, seen.speed, time.Now())
		l.decide(b, nil, seen)
		return b
	}
	b.Phase, b.Term, b.Version = string(s.Phase), s.Claim.Term, s.Version
	switch s.Phase {
	case stream.PhaseStandby:
		b.Reason = cmp.Or(b.Reason, s.Reason)
	case stream.PhaseEnded, stream.PhaseHalted, stream.PhaseDraining:
		b.Reason = s.Reason // the phase is told beside it
	}
	b.Records = recordsOf(s)
	if warmup := int64(l.model.Learner.Warmup); s.Labelled < warmup && s.Phase == stream.PhaseLearning {
		b.WarmUp = &board.WarmUp{Records: s.Labelled, Of: warmup}
	}
	b.Stream = l.stream(s, seen.speed, time.Now())
	b.Drivers = l.drivers.now()
	l.mutex.Lock()
	orders, rejected, unfit := l.ask != nil, l.rejected, l.unfit
	l.mutex.Unlock()
	b.Release = releaseOf(s.Releases, seen.steps, orders, stoppedSince(s, stream.PartReleases))
	addAliases(b.Versions, b.Release)
	if m := s.Measurements; m != nil {
		l.measured(b, m, s.Monitored == nil)
	}
	if l.kind == board.Monitor {
		b.WarmUp, b.Records.Labelled = nil, 0
		if s.Phase == stream.PhaseLearning {
			b.Phase = "monitoring"
		}
	}
	for _, m := range s.Monitored {
		witnessed(b, m)
	}
	b.Conditions = slices.Concat(stoppedConditions(l.stopped(s)), b.Conditions, topicConditions(s, unfit), releaseConditions(s), rejected.conditions(), historyConditions(s), timeConditions(s), clusterConditions(s))
	if s.Unmonitored > 0 {
		b.Conditions = append(b.Conditions, board.Condition{Code: "models_ignored", Detail: fmt.Sprintf(
			"%d decisions belong to models beyond the first %d, and are not monitored: does monitor.model name the right field?", s.Unmonitored, len(s.Monitored))})
	}
	l.decide(b, s, seen)
	b.Conditions = fitting(b)
	return b
}

func recordsOf(s *stream.Status) board.Records {
	r := board.Records{Learnt: s.Labelled, Labelled: s.Labelled}
	for _, count := range s.Rejected {
		r.Rejected += count
	}
	if l := s.Labels; l != nil {
		r.Waiting = l.Waiting + l.Held
		r.Unlabelled = r.Waiting + l.Dropped + l.Replaced + l.Expired + l.Lost
	} else {
		r.Unlabelled = s.Version - s.Labelled
	}
	r.Seen = r.Learnt + r.Rejected + r.Unlabelled
	return r
}

func (l *Live) stream(s *stream.Status, speed board.Number, now time.Time) board.Stream {
	b := board.Stream{LagRecords: board.Unknown(), LagSeconds: board.Unknown(), SnapshotAgeSeconds: board.Unknown(),
		RecordsPerSecond: speed, Partitions: []board.Partition{}}
	l.mutex.Lock()
	for _, count := range l.failures {
		b.KafkaFailures += count
	}
	l.mutex.Unlock()
	if s.Snapshot.Sequence > 0 {
		b.SnapshotAgeSeconds = board.Number(now.Sub(s.Snapshot.Taken).Seconds())
	}
	for _, p := range s.Partitions {
		at := board.Partition{Partition: p.Partition, Next: p.Next, End: board.Unknown(), Lag: board.Unknown()}
		if p.End >= 0 {
			at.End, at.Lag = board.Number(p.End), board.Number(p.Lag())
			b.LagRecords = at.Lag + known(b.LagRecords)
			b.LagSeconds = max(known(b.LagSeconds), board.Number(p.Behind(now).Seconds()))
		}
		b.Partitions = append(b.Partitions, at)
	}
	return b
}

// known is a number, or 0 if it is not known.
func known(n board.Number) board.Number {
	if n.Known() {
		return n
	}
	return 0
}
