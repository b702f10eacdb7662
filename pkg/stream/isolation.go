package stream

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/fairstream/fairstream/internal/chronicle"
	"github.com/fairstream/fairstream/internal/envelope"
	"github.com/fairstream/fairstream/internal/isolate"
)

// Parts of a stream that learning does not need. A part that panics, hangs or cannot be restored is cut off until the process
// starts again (internal/isolate):
//
//   - It does nothing any more, and what it held up goes on: decoders no longer decide for the releases, and parcels go back to
//     them without it.
//   - Snapshots hold it as the last snapshot before did, never as its defect left it. The next process goes on from there.
//   - Steps that are in a snapshot take effect; later ones never happened. Aliases stay where the last snapshot wants them, and
//     say that nobody watches them (assignment.unwatched).
const (
	PartMonitor  = "monitor"
	PartReleases = "releases"
	PartEvents   = chronicle.PartEvents
)

// PartStopped: a part is cut off until the process starts again; learning goes on without it.
type PartStopped struct{ isolate.Stopped }

func (PartStopped) event() {}

// partStopped tells of a part.
func (s *Stream) partStopped(stopped isolate.Stopped) {
	s.board.post(func(status *Status) {
		status.Stopped = append(status.Stopped[:len(status.Stopped):len(status.Stopped)], stopped)
	})
	s.options.Notify(PartStopped{stopped})
}

// savedParts is what the last snapshot holds of the parts.
type savedParts struct{ monitor, release []byte }

// monitorNow is the section of the monitor for a snapshot, and what is to be told after it.
func (l *learning) monitorNow() ([]byte, []chronicle.Announcement) {
	if l.witnesses == nil {
		return nil, nil
	}
	type taken struct {
		section []byte
		told    []chronicle.Announcement
	}
	now, ok := isolate.Ask(l.monitoring, func() taken {
		l.probe.At(PartMonitor, "save")
		return taken{l.witnesses.state(), l.witnesses.announce()}
	})
	if ok {
		l.saved.monitor = now.section
	}
	return l.saved.monitor, now.told
}

// monitoredNow is what the monitors know.
type monitoredNow struct {
	all    []*Monitored
	beyond int64
}

func (l *learning) monitored() monitoredNow {
	now, _ := isolate.Ask(l.monitoring, func() monitoredNow {
		l.probe.At(PartMonitor, "report")
		return monitoredNow{l.witnesses.monitored(), l.witnesses.unmonitored()}
	})
	return now
}

// releasesNow is what a checkpoint makes of the releases, and their section.
func (l *learning) releasesNow() (s *stepped, section []byte) {
	if l.releases == nil {
		return nil, nil
	}
	type taken struct {
		stepped *stepped
		section []byte
	}
	now, ok := isolate.Ask(l.releasing, func() (t taken) {
		l.probe.At(PartReleases, "save")
		t.stepped, t.section = l.releases.take()
		return t
	})
	if ok {
		l.saved.release = now.section
		return now.stepped, now.section
	}
	saved, machine := releasesOf(l.saved.release)
	if saved == nil {
		return nil, l.saved.release
	}
	saved.Steps = nil // they were told after the snapshot before
	l.saved.release = saved.section(machine)
	if saved.Assigned == nil {
		return nil, l.saved.release
	}
	return &stepped{assigned: saved.Assigned.assignment(l.releasing.Stopped().At)}, l.saved.release
}

// observedUpTo is the last number under which the saved releases observed a record.
func (l *learning) observedUpTo() int64 {
	if l.releasing.Works() {
		return math.MaxInt64
	}
	if saved, _ := releasesOf(l.saved.release); saved != nil {
		return saved.Seen
	}
	return 0
}

// releasesOf are header and machine of a section of releases; nil if it is none.
func releasesOf(state []byte) (saved *releaseState, machine []byte) {
	header, rest, err := envelope.Section(state)
	if err != nil || json.Unmarshal(header, &saved) != nil {
		return nil, nil
	}
	return saved, rest
}

// restoreParts goes on from the sections of a snapshot. One that cannot be restored cuts its part off.
func (l *learning) restoreParts(o *Options, saved *snapshot) (err error) {
	l.saved = savedParts{saved.monitor, saved.release}
	if l.witnesses, err = newWitnesses(o, l.learner); err != nil {
		return err
	}
	if l.releases, err = newReleases(o, l.learner); err != nil {
		return err
	}
	if o.given() { // to monitor is all that the job does
		if l.witnesses, err = restoreWitnesses(o, l.learner, saved.monitor); err != nil {
			return fmt.Errorf("stream: a snapshot is damaged: %w", err)
		}
	} else if l.witnesses != nil {
		restored(l.monitoring, func() error { return restoreInto(&l.witnesses, restoreWitnesses, o, l.learner, saved.monitor) })
	}
	if l.releases != nil || len(saved.release) > 0 {
		restored(l.releasing, func() error { return restoreInto(&l.releases, restoreReleases, o, l.learner, saved.release) })
	}
	return nil
}

func restoreInto[T any](to *T, restore func(*Options, decider, []byte) (T, error), o *Options, d decider, state []byte) error {
	found, err := restore(o, d, state)
	if err == nil {
		*to = found
	}
	return err
}

// restored cuts a part off that cannot be restored.
func restored(p *isolate.Part, restore func() error) {
	if err, ok := isolate.Ask(p, restore); ok && err != nil {
		p.Cut(fmt.Sprintf("what the last snapshot holds of it cannot be restored: %v", err))
	}
}

// beginTelling tells of parts that are cut off, from the restored ones on.
func (l *learning) beginTelling(s *Stream) {
	if l.witnesses != nil {
		l.witnesses.origin = l.origin
	}
	l.releasing.OnStop(s.partStopped)
	if l.monitoring != nil {
		l.monitoring.OnStop(s.partStopped)
	}
}

// unwatched says whether the releases are cut off, and no snapshot since then made the aliases say so.
func (l *learning) unwatched() bool { return !l.releasing.Works() && !l.saidStopped }

// since is when a part was cut off, as a person reads it.
func since(at time.Time) string { return at.UTC().Format(time.RFC3339) }
