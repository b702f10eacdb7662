package main

import (
	"cmp"
	"slices"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/release"
)

// edge is an unusual case of one candidate.
type edge struct {
	name     string
	quality  quality
	groups   int     // 0 for one of two groups
	share    float64 // of the group; 0 for the usual one
	config   release.Config
	stable   *version // nil for the usual one
	first    bool     // there is no stable version
	delay    int      // records between a record and its label
	never    bool     // no label comes
	restarts bool     // the machine is saved and restored every 100 records
}

// edges are the cases.
func (s study) edges() []edge {
	kinds := s.qualities()
	good, bad, loses := kinds[0], kinds[3], kinds[5]
	unfair := version{noise, 0.2}
	return []edge{
		{name: "50 groups of equal size", quality: quality{"good: difference +0.02 of one group", true, version{noise, 0.02}}, groups: 50, config: release.Config{Deadline: 200_000}},
		{name: "50 groups of equal size", quality: quality{"bad: difference +0.20 of one group", false, version{noise, 0.20}}, groups: 50, config: release.Config{Deadline: 200_000}},
		{name: "a group of 0.1 %", quality: good, share: 0.001},
		{name: "a group of 0.1 %", quality: bad, share: 0.001},
		{name: "a group of 0.1 %, small_groups: waive", quality: good, share: 0.001, config: release.Config{SmallGroups: release.Waive}},
		{name: "labels never come", quality: good, never: true, config: release.Config{Deadline: 20_000}},
		{name: "labels come 20,000 records late", quality: good, delay: 20_000},
		{name: "labels come 20,000 records late", quality: bad, delay: 20_000},
		{name: "labels come 20,000 records late", quality: loses, delay: 20_000},
		{name: "the stable version is violated (+0.20)", quality: loses, stable: &unfair},
		{name: "the stable version is violated (+0.20)", quality: bad, stable: &unfair},
		{name: "no stable version", quality: good, first: true},
		{name: "no stable version", quality: bad, first: true},
		{name: "a restart every 100 records", quality: good, restarts: true},
		{name: "a restart every 100 records", quality: bad, restarts: true},
	}
}

// edge tests one candidate in an unusual case.
func (s study) edge(e edge, seed uint64) end {
	g := parity(max(1, e.groups))
	stable := 1
	if e.first {
		stable = 0
	}
	m, from := machine(e.config, g, stable), newStream(s.law, seed)
	from.groups, from.share = e.groups, cmp.Or(e.share, share)
	from.versions[name(1)], from.versions[name(2)] = usual, e.quality.version
	if e.groups > 0 {
		from.versions[name(1)] = version{noise, 0}
	}
	if e.stable != nil {
		from.versions[name(1)] = *e.stable
	}
	m.Offer(name(2), sound)
	m.Steps()
	var waiting []lateLabel
	most := 12 * int(m.Config().Deadline)
	for n := 1; n <= most; n++ {
		r := from.next(m.Wanted())
		if e.never || e.delay > 0 {
			late := *r
			late.Levels, late.Decisions = slices.Clone(r.Levels), slices.Clone(r.Decisions)
			r.Labelled = false
			if e.delay > 0 {
				waiting = append(waiting, lateLabel{late, m.Wanted()})
			}
		}
		m.Observe(r)
		if len(waiting) > e.delay {
			if one := &waiting[0]; slices.Equal(one.by, m.Wanted()) { // versions decide alike at any time
				m.Label(&one.record)
			}
			waiting = waiting[1:]
		}
		for _, step := range m.Steps() {
			if step.Version == name(2) && (step.Kind == release.Promoted || step.Kind == release.Rejected) {
				return end{step.Kind, n, step.Reason}
			}
		}
		if e.restarts && n%100 == 0 {
			m = restarted(m, e.config, g)
		}
	}
	return end{records: most}
}

// lateLabel is a record whose label comes later, and the versions that decided it.
type lateLabel struct {
	record release.Record
	by     []release.Version
}

// restarted is a machine that was saved and restored.
func restarted(m *release.Machine, config release.Config, g *fairness.Grouper) *release.Machine {
	again, err := release.Restore(config, g, m.AppendState(nil))
	if err != nil {
		panic(err) // it saved the state itself
	}
	return again
}
