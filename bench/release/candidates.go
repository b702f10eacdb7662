package main

import (
	"fmt"
	"runtime"
	"sync"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/release"
)

// soon is the number of records within which most good candidates should be stable.
const soon = 40_000

// usual is how a version decides that is as good as the others, and whose difference is the largest that counts as good.
var usual = version{noise, tau - 0.01}

// quality is one kind of candidate.
type quality struct {
	name string
	good bool
	version
}

// qualities are the kinds of candidates: the differences are at the ends of what counts as good and bad.
func (s study) qualities() []quality {
	worse := s.law.worse(0.01)
	return []quality{
		{"good: difference +0.04, equal loss", true, version{noise, tau - 0.01}},
		{"good: difference -0.04, equal loss", true, version{noise, 0.01 - tau}},
		{"good: difference 0, equal loss", true, version{noise, 0}},
		{"bad: difference +0.10, equal loss", false, version{noise, limit + 0.03}},
		{"bad: difference -0.10, equal loss", false, version{noise, -limit - 0.03}},
		{"bad: difference +0.03, log loss +0.01", false, version{worse, 0.03}},
	}
}

// atTheLimit are candidates exactly as bad as is allowed. They are bad by the least amount, so that their promotions show the level.
func (s study) atTheLimit() []quality {
	return []quality{
		{"at the limit: difference +0.07, equal loss", false, version{noise, limit}},
		{"at the limit: difference -0.07, equal loss", false, version{noise, -limit}},
		{"at the limit: difference 0, log loss +0.005", false, version{s.law.worse(0.005), 0}},
	}
}

// parity are comparisons by demographic parity of so many groups, each with the others.
func parity(groups int) *fairness.Grouper {
	var all []fairness.Comparison
	for i := range groups {
		all = append(all, fairness.Comparison{Name: fmt.Sprint("group ", i), Criterion: fairness.DemographicParity, Tau: tau, Rest: true, Enforce: true,
			Group: []fairness.Term{fairness.Is("group", fmt.Sprint(i))}})
	}
	g, err := fairness.NewGrouper(all)
	if err != nil {
		panic(err) // the comparisons are written here
	}
	return g
}

// name is the name of a version by its number.
func name(n int) release.Version {
	return release.Version{Term: 1, Version: int64(n), SHA256: fmt.Sprintf("%064x", n)}
}

var sound = release.Integrity{GoldenRows: 8, GoldenEqual: 8, Bytes: 1000}

// machine is one with stable versions, which a person chose one after the other.
func machine(config release.Config, g *fairness.Grouper, stable int) *release.Machine {
	m, err := release.New(config, g)
	if err != nil {
		panic(err) // the settings are written here
	}
	for n := range stable {
		if err := m.Command(release.Command{ID: fmt.Sprint(n), Action: release.Promote, Version: name(n + 1), Actor: "study", Reason: "the beginning"}); err != nil {
			panic(err)
		}
	}
	m.Steps()
	return m
}

// end is what became of a candidate, after so many records.
type end struct {
	kind    release.StepKind // Promoted or Rejected; empty if neither
	records int
	reason  string
}

// try tests one candidate against a usual stable version.
func (s study) try(v version, seed uint64) end {
	m, from := machine(release.Config{}, parity(1), 1), newStream(s.law, seed)
	from.versions[name(1)], from.versions[name(2)] = usual, v
	m.Offer(name(2), sound)
	return from.until(m, name(2), 2*int(m.Config().Deadline))
}

// until observes records until a candidate is promoted or rejected.
func (s *stream) until(m *release.Machine, v release.Version, most int) end {
	for n := range most {
		m.Observe(s.next(m.Wanted()))
		if !m.HasSteps() {
			continue
		}
		for _, step := range m.Steps() {
			if step.Version == v && (step.Kind == release.Promoted || step.Kind == release.Rejected) {
				return end{step.Kind, n + 1, step.Reason}
			}
		}
	}
	return end{records: most}
}

// row is what became of many candidates.
type row struct {
	promoted, soon, rejected int
	median                   int // records to the end
}

func (s study) candidates(v version) row {
	return count(parallel(s.runs, func(i int) end { return s.try(v, uint64(i)) }))
}

func count(ends []end) (r row) {
	var records []int
	for _, e := range ends {
		switch e.kind {
		case release.Promoted:
			r.promoted++
			if e.records <= soon {
				r.soon++
			}
		case release.Rejected:
			r.rejected++
		}
		records = append(records, e.records)
	}
	r.median = median(records)
	return r
}

// parallel computes f of 0 to n-1 on all cores.
func parallel[T any](n int, f func(i int) T) []T {
	results := make([]T, n)
	var group sync.WaitGroup
	cores := runtime.GOMAXPROCS(0)
	for core := range cores {
		group.Go(func() {
			for i := core; i < n; i += cores {
				results[i] = f(i)
			}
		})
	}
	group.Wait()
	return results
}
