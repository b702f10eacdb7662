package stream

import (
	"time"

	"github.com/fairstream/fairstream/internal/intake"
	"github.com/fairstream/fairstream/internal/observe"
)

// measureEvery is how often the learner measures itself for the status.
const measureEvery = time.Second

// reporter says how the stream stands.
type reporter struct {
	*board
	told       Rejected // since the last report
	measuredAt time.Time
	shareTold  bool // that not all records are decided by frozen versions
}

// reject notes a rejected record.
func (r *reporter) reject(partition int32, offset int64, rejection error) {
	if r.told.Count++; r.told.Err == nil {
		r.told.Partition, r.told.Offset, r.told.Err = partition, offset, rejection
	}
}

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
	measurements := learner.Measure()
	rejected := account.Standing().Rejected
	labels := waiting.Status()
	observed := observer.Report()
	if releases := observed.Releases; releases != nil && !r.shareTold && releases.Share < options.Release.Share {
		r.shareTold = true
		options.Notify(ShareHalved{Share: releases.Share, Rate: options.Release.Rate})
	}
	r.post(func(s *Status) {
		s.Measurements, s.MeasuredVersion, s.Rejected, s.Labels, s.Monitored, s.Unmonitored = measurements, version, rejected, labels, observed.Monitored, observed.Unmonitored
		if !observed.Cut { // else what they said last
			s.Releases = observed.Releases
		}
		s.Useless = ""
		if measurements != nil && version >= int64(options.Model.Learner.Warmup) {
			s.Useless = measurements.Useless()
		}
	})
}
