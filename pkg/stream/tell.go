package stream

import (
	"fmt"
	"slices"
	"time"

	"github.com/fairstream/fairstream/internal/intake"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/internal/owner"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/history"
)

// ownership is the entry of a change of owner. version is the number of records learnt so far.
func ownership(claim Claim, stood owner.Standing, version int64, from string) history.Entry {
	return history.Entry{ID: fmt.Sprintf("%s/%d", history.Owned, claim.Term), Kind: history.Owned,
		Owner: &history.Owner{Before: stood.Before.Term, HostBefore: stood.Before.Host, Left: stood.BeforeLeft, Version: version, StartedFrom: from}}
}

// lossEntry is the entry of a loss of data. It has one ID however often the loss is met: a process may end
// before a snapshot covers it.
func lossEntry(loss *kafka.DataLoss, id kafka.TopicID) history.Entry {
	return history.Entry{ID: fmt.Sprintf("%s/%x/%d/%d", history.DataLoss, id, loss.Partition, loss.Offset), Kind: history.DataLoss,
		Loss: &history.Loss{Topic: loss.Topic, Partition: loss.Partition, Kind: string(loss.Kind), Offset: loss.Offset, Resume: loss.Resume, Lost: loss.Lost}}
}

// measureEvery is how often the learner measures itself for the status, and measureEarly how often while it holds its first records back: a copy has to
// learn them for each measurement, which would take more time than to learn what comes. It is also measured whenever it has twice the records.
const (
	measureEvery = time.Second
	measureEarly = 10 * time.Second
)

// reporter says how the stream stands.
type reporter struct {
	*board
	told       Rejected // since the last report
	measuredAt time.Time
	measured   measured
	unfit      intake.UnfitSchemas
	shareTold  bool // that not all records are decided by frozen versions
}

// measured is what the learner measured of itself when it had taken this much in.
type measured struct {
	version int64
	gone    int64 // records whose label does not come any more
	at      time.Time
	*document.Measurements
}

// measure has the learner measure itself, which takes far longer than an idle job should, unless it took nothing in since the last time.
func (r *reporter) measure(at time.Time, learner observe.Decider, labels *intake.LabelStatus) *measured {
	now := measured{version: learner.Version(), at: at}
	if labels != nil {
		now.gone = labels.Gone()
	}
	before := &r.measured
	early := !learner.Ready() && now.version < 2*before.version && at.Sub(before.at) < measureEarly
	if (now.version != before.version || now.gone != before.gone) && !early || before.Measurements == nil {
		now.Measurements = learner.Measure()
		r.measured = now
	}
	return &r.measured
}

// reject notes a rejected record.
func (r *reporter) reject(partition int32, offset int64, rejection error) {
	r.unfit.Note(rejection)
	if r.told.Count++; r.told.Err == nil {
		r.told.Partition, r.told.Offset, r.told.Err = partition, offset, rejection
	}
}

// holds notes the partitions that wait for a schema.
func (r *reporter) holds(all []Held) { r.post(func(s *Status) { s.Held = all }) }

// due says whether it is time to report.
func (r *reporter) due(now time.Time) bool { return now.Sub(r.measuredAt) >= measureEvery }

// report brings the status up to date.
func (r *reporter) report(now time.Time, options *Options, learner observe.Decider, account *intake.Account, waiting *intake.Labels, observer *observe.Observer) {
	r.measuredAt = now
	if r.told.Count > 0 {
		options.Notify(r.told)
		r.told = Rejected{}
	}
	version := learner.Version()
	rejected := account.Standing().Rejected
	labels := waiting.Status()
	measured := r.measure(now, learner, labels)
	observed := observer.Report()
	unfit := r.unfit.List(now)
	if releases := observed.Releases; releases != nil && !r.shareTold && releases.Share < options.Release.Share {
		r.shareTold = true
		options.Notify(ShareHalved{Share: releases.Share, Rate: options.Release.Rate})
	}
	r.post(func(s *Status) {
		s.Measurements, s.MeasuredVersion, s.Rejected, s.Labels, s.Monitored, s.Unmonitored = measured.Measurements, measured.version, rejected, labels, observed.Monitored, observed.Unmonitored
		s.Repeated, s.Unfit = observed.Repeated, unfit
		if !observed.Cut { // else what they said last
			s.Releases = observed.Releases
		}
		s.Useless = ""
		if s.Measurements != nil && version >= int64(options.Model.Learner.Warmup) {
			s.Useless = s.Measurements.Useless()
		}
	})
}

// story is what the next checkpoint brings besides the state.
type story struct {
	entries []history.Entry // for the history, before the snapshot
	answers []Answer        // to requests
	// attended are requests whose answer is not in the log yet.
	attended []string
}

// tell adds an entry.
func (s *story) tell(e history.Entry) { s.entries = append(s.entries, e) }

// take gives what was told since the last call.
func (s *story) take() (entries []history.Entry, answers []Answer) {
	entries, answers = s.entries, s.answers
	s.entries, s.answers = nil, nil
	return entries, answers
}

// attend has the requests among those that wait carried out that were not before, and says whether there was one.
func (s *story) attend(waiting []Request, carryOut func(*Request) Answer) (attended bool) {
	s.attended = slices.DeleteFunc(s.attended, func(id string) bool { // its answer is in the log
		return !slices.ContainsFunc(waiting, func(r Request) bool { return r.ID == id })
	})
	for i := range waiting {
		if r := &waiting[i]; !slices.Contains(s.attended, r.ID) {
			s.attended = append(s.attended, r.ID)
			s.answers = append(s.answers, carryOut(r))
			attended = true
		}
	}
	return attended
}
