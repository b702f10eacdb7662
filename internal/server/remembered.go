package server

import (
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/internal/signoff"
)

// remembered is what the track remembers.
type remembered struct {
	versions []board.Version
	past     []board.Happening
	steps    []board.Step
	into     *board.Step // the one by which the version in use came into use
	speed    board.Number
	moved    *time.Time // when records last changed what is shown
	diary    signoff.Diary
	host     string    // on which the owner of the job runs, as the history tells
	owned    time.Time // since when
	began    time.Time
}

// remembered is nothing while the page is cut off.
func (l *Live) remembered() remembered {
	seen, ok := isolate.Ask(l.page, func() remembered {
		steps, into := l.track.released()
		return remembered{l.track.published(), l.track.past(), steps, into, l.track.speed(), l.track.moved(), l.track.noted(), l.track.host(), l.track.since(), l.track.beginning()}
	})
	if !ok {
		seen.speed = board.Unknown()
	}
	return seen
}

// speed is in records per second; unknown before the second look.
func (t *track) speed() board.Number {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if len(t.speeds) < 2 {
		return board.Unknown()
	}
	first, last := t.speeds[0], t.speeds[len(t.speeds)-1]
	return board.Number(float64(last.records-first.records) / last.at.Sub(first.at).Seconds())
}

// moved is when records last changed what is shown, as far as this process knows; nil if it has seen none.
func (t *track) moved() *time.Time {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.movedAt.IsZero() {
		return nil
	}
	at := t.movedAt.UTC().Truncate(time.Second)
	return &at
}

// host is that of the owner of the job, as the history tells; empty if it has not told.
func (t *track) host() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.owner
}

// since is when that owner began to run the job; zero if the history has not told.
func (t *track) since() time.Time {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.owned
}

// beginning is when the job began, or began again from nothing; zero if the history has not told.
func (t *track) beginning() time.Time {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.began
}

// noted is a copy of the diary.
func (t *track) noted() signoff.Diary {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.diary.Clone()
}
