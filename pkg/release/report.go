package release

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/monitor"
)

// Report is everything that a machine knows at one moment. It is a copy.
type Report struct {
	Aliases
	// Records is how many records were observed, and Record the number of the last one.
	Records int64
	Record  int64
	// Steps is the number of the last step.
	Steps int64
	// Roles are the versions in use, without repetition.
	Roles []RoleReport
	// Trial is about the candidate; nil without one.
	Trial *TrialReport
	// Guard is about the stable version; nil without one.
	Guard *GuardReport
	// Waiting is the version that waits for the candidate's end.
	Waiting Version
	// CoolDown is how many records must pass until a candidate may become stable.
	CoolDown int64
	Paused   bool
	Pinned   bool
	// Barred are the hashes that were withdrawn, and Rejected those that were rejected, the newest last.
	Barred, Rejected []string
	// Confidence is 1 minus the probability that one bad version becomes stable.
	Confidence float64
	// Share is the share of the records that are observed. All other numbers of records count these only.
	Share float64
}

// RoleReport is one version and what it is used for.
type RoleReport struct {
	Version Version
	Roles   []Role
}

// Role is what a version is used for.
type Role string

// The roles.
const (
	IsStable    Role = "stable"
	IsCandidate Role = "candidate"
	IsPrevious  Role = "previous"
	IsAnchor    Role = "anchor"  // the best of the last stable versions, with which candidates are compared
	IsEarlier   Role = "earlier" // compared with the stable version since an alarm
	IsFormer    Role = "former"  // was stable
	IsWaiting   Role = "waiting"
)

// TrialReport is the evidence about the candidate.
type TrialReport struct {
	Version Version
	// Since is the number of the last record before it was frozen.
	Since int64
	// Observed is how many records came since, Undecided how many of these it did not decide, and Labelled how many labels came.
	Observed, Undecided, Labelled int64
	Gates                         []Gate
	// Needed is about how many more decided records the gates take, the largest of theirs; NaN if that is not known.
	Needed float64
	// Deadline is how many records with a label it has left, and Patience how many records.
	Deadline, Patience int64
}

// GuardReport is the evidence about the stable version.
type GuardReport struct {
	Version Version
	// Since is the number of the last record before it was watched, and Observed how many records came since.
	Since, Observed int64
	// Decided is what its decisions since then show: rates, sequences about tau, and alarms. It is nil if no comparison is one of rates.
	Decided *monitor.Report
	// Gates are its comparisons against their limits.
	Gates []Gate
	// Alarm says that the difference of a comparison has left tau.
	Alarm bool
	// Evidence is that of the tests of withdrawal, as a share of what makes one say that the version is outside its limit.
	Evidence float64
	// Outside are the comparisons that left their limit since the inquiry began, or that the mark is about, by name.
	Outside string
	// Marked says that the version is outside its limit, and stays because no earlier one is better.
	Marked bool
	// Gone says that its document is no longer on the topic, so that its decisions are not known.
	Gone bool
	// Inquiry says that it is compared with earlier versions, on so many records.
	Inquiry        bool
	InquiryRecords int64
}

// Report returns the report of now.
func (m *Machine) Report() *Report {
	r := &Report{Aliases: m.Aliases(), Records: m.records, Record: m.last, Steps: m.number, CoolDown: m.cool(), Paused: m.paused, Pinned: m.pinned,
		Barred: slices.Clone(m.banned), Rejected: slices.Clone(m.tried), Confidence: m.config.Confidence, Share: m.config.Share}
	if m.waiting != nil {
		r.Waiting = m.waiting.version
	}
	r.Roles = m.roles()
	if t := m.trial; t != nil {
		r.Trial = &TrialReport{Version: t.version, Since: t.frozen, Observed: t.observed, Undecided: t.undecided, Labelled: t.labelled,
			Gates: slices.Clone(m.trialGates(t, true)), Deadline: max(0, m.config.Deadline-t.labelled), Patience: max(0, m.config.Patience-t.observed)}
	}
	if r.Trial != nil {
		r.Trial.Needed = neededByAll(r.Trial.Gates)
	}
	if g := m.guard; g != nil {
		r.Guard = &GuardReport{Version: g.version, Since: g.since, Observed: g.observed, Gates: g.gates(), Alarm: g.alarmed(),
			Evidence: g.evidence(m.withdrawAt), Outside: g.outside(), Marked: g.marked, Gone: m.line.find(g.version).gone}
		if g.monitor != nil {
			r.Guard.Decided = g.monitor.Report()
		}
		if g.inquiry != nil {
			r.Guard.Inquiry, r.Guard.InquiryRecords = true, g.inquiry.observed
		}
	}
	return r
}

// neededByAll is what the gates without a verdict need; NaN if one does not know.
func neededByAll(gates []Gate) float64 {
	most := 0.0
	for _, g := range gates {
		if g.Decides && g.Verdict != fairness.Met {
			most = math.Max(most, g.Needed) // which is NaN if one is
		}
	}
	return most
}

// roles are the versions and what they are used for.
func (m *Machine) roles() []RoleReport {
	var all []RoleReport
	add := func(v Version, role Role) {
		if v.IsZero() {
			return
		}
		i := slices.IndexFunc(all, func(r RoleReport) bool { return r.Version == v })
		if i < 0 {
			all = append(all, RoleReport{Version: v})
			i = len(all) - 1
		}
		if !slices.Contains(all[i].Roles, role) {
			all[i].Roles = append(all[i].Roles, role)
		}
	}
	add(m.line.stable(), IsStable)
	a := m.Aliases()
	add(a.Candidate, IsCandidate)
	add(a.Previous, IsPrevious)
	if len(m.line) > 0 {
		add(m.line.anchor().version, IsAnchor)
	}
	if m.guard != nil && m.guard.inquiry != nil {
		for _, e := range m.guard.inquiry.earlier {
			add(e.version, IsEarlier)
		}
	}
	if m.waiting != nil {
		add(m.waiting.version, IsWaiting)
	}
	for i := len(m.line) - 1; i >= 0; i-- {
		if m.line[i].version != m.line.stable() {
			add(m.line[i].version, IsFormer)
		}
	}
	return all
}
