package main

import "github.com/fairstream/fairstream/pkg/release"

// The length of a stream about a stable version, and the record at which it changes.
const (
	changeAt = 10_000
	length   = 100_000
)

// fate is a kind of stable version: how it decides before and after a change, and how the version before it decides after the change.
type fate struct {
	name          string
	before, after version
	earlier       *version // nil if there is none
	drift         bool
}

var fates = []fate{
	{"+0.02, then +0.15", version{noise, 0.02}, version{noise, 0.15}, &version{noise, 0.02}, false},
	{"+0.02, then -0.15", version{noise, 0.02}, version{noise, -0.15}, &version{noise, 0.02}, false},
	{"+0.02, then +0.10", version{noise, 0.02}, version{noise, 0.10}, &version{noise, 0.02}, false},
	{"+0.02, then +0.15, and the earlier one too", version{noise, 0.02}, version{noise, 0.15}, &version{noise, 0.15}, false},
	{"+0.02, then +0.15, without an earlier one", version{noise, 0.02}, version{noise, 0.15}, nil, false},
	{"+0.04 throughout", version{noise, 0.04}, version{noise, 0.04}, &version{noise, 0}, false},
	{"-0.04 throughout", version{noise, -0.04}, version{noise, -0.04}, &version{noise, 0}, false},
	{"+0.04 throughout, the population moves", version{noise, 0.04}, version{noise, 0.04}, &version{noise, 0}, true},
}

// life is what became of stable versions.
type life struct {
	alarms, withdrawn, marked int // streams, from the change on; for a version that stays the same, from the first record on
	early                     int // streams with a withdrawal or a mark before the change
	alarm, delay              int // median records from the change
}

// lives follows one stable version in each stream.
func (s study) lives(f fate) life {
	return s.follow(f.before != f.after, func(i int) (*release.Machine, func(n int) *release.Record) {
		stable := 1
		if f.earlier != nil {
			stable = 2
		}
		m, stream := machine(release.Config{}, parity(1), stable), newStream(s.law, uint64(i))
		stream.drift = f.drift
		if f.earlier != nil {
			stream.versions[name(1)] = *f.earlier
		}
		return m, func(n int) *release.Record {
			switch n {
			case 0:
				stream.versions[name(stable)] = f.before
			case changeAt:
				stream.versions[name(stable)] = f.after
			}
			return stream.next(m.Wanted())
		}
	})
}

// follow counts what becomes of the stable versions of machines, each with its own stream of records. changes says whether the version
// changes in the stream.
func (s study) follow(changes bool, start func(i int) (*release.Machine, func(n int) *release.Record)) (l life) {
	type lived struct{ alarm, withdrawn, marked int }
	from := 0
	if changes {
		from = changeAt
	}
	var alarms, delays []int
	for _, one := range parallel(s.runs, func(i int) (e lived) {
		m, next := start(i)
		for n := range length {
			m.Observe(next(n))
			for _, step := range m.Steps() {
				switch {
				case step.Kind == release.Alarm && e.alarm == 0:
					e.alarm = n + 1
				case step.Kind == release.Withdrawn:
					e.withdrawn = n + 1
					return e
				case step.Kind == release.Marked && e.marked == 0:
					e.marked = n + 1
				}
			}
			if e.marked > 0 {
				return e
			}
		}
		return e
	}) {
		if one.alarm > from {
			l.alarms++
			alarms = append(alarms, one.alarm-from)
		}
		switch last := max(one.withdrawn, one.marked); {
		case last == 0:
		case last <= from:
			l.early++
		case one.withdrawn > 0:
			l.withdrawn++
			delays = append(delays, one.withdrawn-from)
		default:
			l.marked++
			delays = append(delays, one.marked-from)
		}
	}
	l.alarm, l.delay = median(alarms), median(delays)
	return l
}
