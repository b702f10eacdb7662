package server

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/signoff"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/stream"
)

// track remembers how the estimates of a process moved: their series, the versions it published, its speed.
type track struct {
	mutex    sync.Mutex
	rows     []*board.Series
	marks    []board.Mark // of all rows
	status   map[board.Key]fairness.Status
	measured int64 // version of the last point
	version  int64 // last seen
	versions []board.Version
	changes  []board.Change // since the last version
	recalled []board.Change // those that the history tells, since the last version of which it told
	early    []board.Change // those that came before it was known after how many records
	happened []board.Happening
	reset    int64        // the term of the last reset: records count from 0 since then
	steps    []board.Step // of the releases
	untested struct {     // the versions that were superseded one after the other, of which the first of the steps tells
		first, count int64
	}
	into    *board.Step // the newest one by which another version came into use
	speeds  []pace
	seen    int64
	movedAt time.Time // when the number of records last changed
	diary   signoff.Diary
	owner   string    // the host of the owner of the job
	owned   time.Time // when that owner began to run it; zero: the history has not told
	began   time.Time // when the job began, or began again from nothing; zero: the history has not told
}

// pace is how far a stream was at a moment.
type pace struct {
	at      time.Time
	records int64
}

// Bounds of what is remembered.
const (
	mostVersions = 20
	mostChanges  = 50
	mostPaces    = 10 // over which the speed is a mean
)

func newTrack() *track { return &track{status: map[board.Key]fairness.Status{}} }

// observe adds a point to each series, if the estimates are new.
func (t *track) observe(s *stream.Status, now time.Time) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if seen := recordsOf(s).Seen; seen != t.seen || t.movedAt.IsZero() && seen > 0 {
		t.seen, t.movedAt = seen, now
	}
	t.version = s.Version
	t.speeds = append(t.speeds, pace{now, s.Version})
	t.speeds = t.speeds[max(0, len(t.speeds)-mostPaces):]
	if s.Measurements == nil || s.MeasuredVersion <= t.measured {
		return
	}
	t.measured = s.MeasuredVersion
	at := timeOf(s)
	for _, e := range s.Measurements.Constraints {
		row := t.row(e)
		row.Points = append(thin(row.Points), board.Point{N: s.MeasuredVersion, Time: at, Value: board.Number(e.Value), Lo: board.Number(e.Lo), Hi: board.Number(e.Hi),
			SequenceValue: board.Unknown(), SequenceLo: board.Unknown(), SequenceHi: board.Unknown(), Version: s.Published})
		before, known := t.status[row.Key()]
		if known && before != e.Status && before != fairness.NotEstimable { // the first verdict is no change
			row.Marks = mark(row.Marks, board.Mark{N: s.MeasuredVersion, Time: at, Kind: board.MarkVerdict, Text: fmt.Sprintf("recent records: from %q to %q", verdictWords(before), verdictWords(e.Status))})
		}
		t.status[row.Key()] = e.Status
	}
}

func verdictWords(s fairness.Status) string {
	switch s {
	case fairness.Met:
		return "within the limit"
	case fairness.Violated:
		return "beyond the limit"
	case fairness.Inconclusive:
		return "not known yet"
	case fairness.NotEstimable:
		return "cannot be estimated"
	}
	return string(s)
}

// timeOf is the time of the newest record; nil if none is known.
func timeOf(s *stream.Status) (newest *time.Time) {
	for _, p := range s.Partitions {
		if !p.Newest.IsZero() && (newest == nil || p.Newest.After(*newest)) {
			at := p.Newest.UTC()
			newest = &at
		}
	}
	return newest
}

// row is the series of an estimate.
func (t *track) row(e fairness.Estimate) *board.Series {
	for _, row := range t.rows {
		if row.Name == e.Name && row.Criterion == e.Criterion && row.Group == e.Group && row.Versus == e.Versus {
			return row
		}
	}
	row := &board.Series{Name: e.Name, Criterion: e.Criterion, Group: e.Group, Versus: e.Versus, Tau: e.Tau, Marks: []board.Mark{}}
	t.rows = append(t.rows, row)
	return row
}

// thin makes room: of a full series, every other point of the older two thirds goes.
func thin(points []board.Point) []board.Point {
	if len(points) < board.MostPoints {
		return points
	}
	older := len(points) * 2 / 3
	kept := make([]board.Point, 0, board.MostPoints)
	for i := 0; i < older; i += 2 {
		kept = append(kept, points[i])
	}
	return append(kept, points[older:]...)
}

// mark adds a mark. Where there are too many, publications give way first.
func mark(marks []board.Mark, m board.Mark) []board.Mark {
	if slices.ContainsFunc(marks, func(o board.Mark) bool { return o.N == m.N && o.Kind == m.Kind && o.Text == m.Text }) {
		return marks // the history tells what the process saw, and the other way round
	}
	if marks = append(marks, m); len(marks) > board.MostMarks {
		first := max(0, slices.IndexFunc(marks, func(m board.Mark) bool { return m.Kind == board.MarkPublication }))
		marks = slices.Delete(marks, first, first+1)
	}
	return marks
}

// notify takes note of what happened to the stream.
func (t *track) notify(event stream.Event) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	switch e := event.(type) {
	case stream.Published:
		v := board.Version{Term: e.Term, Version: e.Version, WeightsSHA256: e.SHA256, Published: time.Now().UTC().Truncate(time.Second), Changes: t.changes}
		for _, estimate := range e.Measurements.Constraints {
			v.Constraints = append(v.Constraints, rowOf(estimate))
		}
		t.place(v)
		t.changes = nil
	case stream.ConfigChanged:
		for _, c := range e.Changes {
			t.changes = append(t.changes, board.Change{Path: c.Key, Text: changeWords(c), From: string(c.Old), To: string(c.New)})
		}
		if t.version == 0 {
			t.early = append(t.early, t.changes[len(t.changes)-len(e.Changes):]...)
		} else {
			t.configured(t.changes[len(t.changes)-len(e.Changes):])
		}
		t.changes = t.changes[max(0, len(t.changes)-mostChanges):]
	case stream.DataLost:
		t.marks = mark(t.marks, board.Mark{N: t.version, Kind: board.MarkLoss, Text: fmt.Sprintf("records of partition %d are lost", e.Loss.Partition)})
	case stream.Resumed:
		t.version = e.Snapshot.Version
		t.configured(t.early)
		t.early = nil
	}
}

// configured marks changes of the configuration.
func (t *track) configured(changes []board.Change) {
	for _, c := range changes {
		t.marks = mark(t.marks, board.Mark{N: t.version, Kind: board.MarkConfiguration, Text: c.Text})
	}
}

// place puts a version where it belongs. What was known of it already stays, and gets what the other one knows.
func (t *track) place(v board.Version) {
	at, known := slices.BinarySearchFunc(t.versions, v, func(a, b board.Version) int {
		return cmp.Or(cmp.Compare(b.Term, a.Term), cmp.Compare(b.Version, a.Version))
	})
	if known {
		there := &t.versions[at]
		if v.Who != nil {
			there.Who = v.Who
			if len(v.Changes) > 0 {
				there.Changes = v.Changes
			}
		} else {
			v.Who = there.Who
			if len(there.Changes) > 0 {
				v.Changes = there.Changes
			}
			*there = v
		}
	} else {
		t.versions = slices.Insert(t.versions, at, v)
		t.versions = t.versions[:min(len(t.versions), mostVersions)]
	}
	if v.Term > t.reset {
		t.marks = mark(t.marks, board.Mark{N: v.Version, Kind: board.MarkPublication, Text: "version " + board.Grouped(v.Version) + " published"})
	}
	for i := range t.versions {
		t.versions[i].Alias = nil
	}
	t.versions[0].Alias = []string{stream.LatestAlias}
}

// of is a copy of a series.
func (t *track) of(key board.Key) *board.Series {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	for _, row := range t.rows {
		if key.Fits(row.Key()) {
			c := *row
			c.Points, c.Marks = slices.Clone(row.Points), slices.Clone(row.Marks)
			t.add(&c)
			return &c
		}
	}
	return nil
}

// annotate adds the marks of the job, and the versions of the points, to a series.
func (t *track) annotate(s *board.Series) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.add(s)
	for i := range s.Points {
		for _, v := range t.versions { // the newest first
			if v.Term > t.reset && v.Version <= s.Points[i].N {
				s.Points[i].Version = v.Version
				break
			}
		}
	}
}

// add adds the marks of the job to a series.
func (t *track) add(s *board.Series) {
	s.Marks = append(s.Marks, t.marks...)
	slices.SortStableFunc(s.Marks, func(a, b board.Mark) int { return cmp.Compare(a.N, b.N) })
	excess := len(s.Marks) - board.MostMarks
	s.Marks = slices.DeleteFunc(s.Marks, func(m board.Mark) bool {
		tooMany := excess > 0 && m.Kind == board.MarkPublication
		if tooMany {
			excess--
		}
		return tooMany
	})
	s.Marks = s.Marks[max(0, len(s.Marks)-board.MostMarks):]
}

// published are the versions, the newest first.
func (t *track) published() []board.Version {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return slices.Clone(t.versions)
}
