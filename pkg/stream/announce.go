package stream

import (
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/chronicle"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/monitor"
)

// announceEvery is how soon after a snapshot another one is taken, so that an announcement may be told.
const announceEvery = 5 * time.Second

// announces says whether a snapshot is due because somebody waits for an announcement.
func (l *learning) announces() bool {
	return l.dirty && l.monitorNews.Load() && l.now.Sub(l.savedAt) >= announceEvery
}

// watch reports events of the monitors to Options.Notify, and keeps them for the next snapshot.
func (w *witnesses) watch() {
	for _, one := range w.all {
		if one.monitor.LastEvent() > one.told {
			w.note(one)
		}
	}
}

func (w *witnesses) note(one *witness) {
	subject := one.monitor.Config().Subject.ID
	for _, e := range one.monitor.Events(one.told) {
		about := one.monitor.Config().Grouper.Comparisons()[e.Comparison]
		w.notify(DecisionsChanged{Subject: subject, Comparison: about, Event: e})
		told := &history.Judged{Subject: subject, Number: e.Number, Change: string(e.Kind), Record: one.since + e.Record,
			Constraint: about.Name, Criterion: string(about.Criterion), Group: about.GroupLabel(), Versus: about.VersusLabel(), Tau: about.Tau,
			From: string(e.From), To: string(e.To)}
		if !e.Time.IsZero() {
			told.EventTime = &e.Time
		}
		if e.Kind == monitor.VerdictChanged {
			told.Value, told.Lo, told.Hi = chronicle.Finite(e.Value), chronicle.Finite(e.Lo), chronicle.Finite(e.Hi)
		}
		if e.Kind == monitor.AlarmRaised {
			told.Evidence = chronicle.Finite(e.Evidence)
		}
		id := fmt.Sprintf("%s/%d/%d/%s/%d", history.Decisions, w.origin, one.since, subject, e.Number)
		w.announcements = append(w.announcements, chronicle.Announcement{ID: id, Decisions: told})
	}
	one.told = one.monitor.LastEvent()
}

// announce are the announcements since the last call.
func (w *witnesses) announce() []chronicle.Announcement {
	told := w.announcements
	w.announcements = nil
	return told
}
