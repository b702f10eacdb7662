package history

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"time"
)

// The statuses of a Row, as in pkg/fairness.
const (
	met          = "met"
	violated     = "violated"
	inconclusive = "inconclusive"
	notEstimable = "not_estimable"
)

// Period bounds an audit. Since is included, Until is not.
type Period struct {
	Since time.Time `json:"since"`
	Until time.Time `json:"until"`
}

func (p Period) length() time.Duration { return max(0, p.Until.Sub(p.Since)) }

// clip is how much of a stretch of time, which ends within the period, lies in it.
func (p Period) clip(from, to time.Time) time.Duration {
	if from.Before(p.Since) {
		from = p.Since
	}
	return max(0, to.Sub(from))
}

func (p Period) holds(t time.Time) bool { return !t.Before(p.Since) && t.Before(p.Until) }

// Audit answers for a period.
type Audit struct {
	Job string `json:"job"`
	Period
	Chain       ChainReport        `json:"chain"`
	Clocks      Clocks             `json:"clocks"`
	Signatures  Signatures         `json:"signatures"`
	Constraints []ConstraintReport `json:"constraints"`
	// Versions are the weights that were published, in order, the one in use at the beginning first.
	Versions []Version  `json:"versions"`
	Changes  []Changed  `json:"changes"`
	Owners   []Takeover `json:"owners"`
	Losses   []Lost     `json:"losses"`
	Resets   []Event    `json:"resets"`
	// Decisions are changes of verdicts and alarms.
	Decisions []Judgement `json:"decisions"`
	// Releases are the steps of releases, in order.
	Releases []ReleaseStep `json:"releases"`
	Gaps     []Gap         `json:"gaps"`
}

// ChainReport says whether the history is whole.
type ChainReport struct {
	Whole   bool    `json:"whole"`
	Breaks  []Break `json:"breaks"`
	Head    Head    `json:"head"`
	Entries int     `json:"entries"`
	// Repeated and Superseded records count nothing: see the rules of the chain.
	Repeated   int `json:"repeated"`
	Superseded int `json:"superseded"`
}

// Signatures says whether what stands on the model topic and on the history topic is signed by trusted keys.
type Signatures struct {
	// Checked is false if no public key is configured: then nothing is known.
	Checked bool `json:"checked"`
	// Accepted counts documents and aliases with a good signature.
	Accepted int `json:"accepted"`
	// Refused are records without one.
	Refused []Refused `json:"refused"`
	// Entries are those of the history.
	Entries EntrySignatures `json:"entries"`
}

// Refused is a record of the model topic that is not signed by a trusted key.
type Refused struct {
	Key    string `json:"key"`
	Offset int64  `json:"offset"`
	Reason string `json:"reason"`
}

// ConstraintReport is how long the published weights were within tau, each version by its own tau.
type ConstraintReport struct {
	Name      string `json:"name"`
	Criterion string `json:"criterion"`
	Group     string `json:"group"`
	Versus    string `json:"versus"`
	// Taus are the bounds that were configured, in the order in which they came into force.
	Taus []float64 `json:"taus"`
	// Share is the share of the period by status of the version in use: of time without weights it is none.
	Share map[string]float64 `json:"share"`
	// Within bounds the share of time within tau: Lo counts the time whose interval shows it, Hi all time
	// whose interval does not exclude it.
	Within struct {
		Lo float64 `json:"lo"`
		Hi float64 `json:"hi"`
	} `json:"within"`
	// Largest is the row of the largest difference, and LargestVersion and LargestTerm whose it is.
	Largest        *Row  `json:"largest"`
	LargestVersion int64 `json:"largest_version,omitempty"`
	LargestTerm    int64 `json:"largest_term,omitempty"`
}

// Event is what every entry says of itself.
type Event struct {
	Sequence int64 `json:"sequence"`
	// Time is when the entry counts as written: see Clocks. Clock is the time that its writer noted, if that is another.
	Time  time.Time `json:"time"`
	Clock time.Time `json:"clock,omitzero"`
	Term  int64     `json:"term"`
	Who   Who       `json:"who"`
}

// Version is a publication; InUse is for how many seconds of the period it was the newest.
type Version struct {
	Event
	Published
	ConfigSHA256 string  `json:"config_sha256"`
	InUse        float64 `json:"in_use_seconds"`
}

// Changed is a changed key. Version is the number of records that were learnt before.
type Changed struct {
	Event
	Change
	Version int64 `json:"version"`
}

// Takeover is a change of owner.
type Takeover struct {
	Event
	Owner
}

// Lost is a loss of data.
type Lost struct {
	Event
	Loss
}

// Judgement is a change in what is known of decisions.
type Judgement struct {
	Event
	Judged
}

// ReleaseStep is a step of the releases.
type ReleaseStep struct {
	Event
	Released
}

// Gap is a stretch of time of which nothing was measured.
type Gap struct {
	From    time.Time `json:"from"`
	To      time.Time `json:"to"`
	Seconds float64   `json:"seconds"`
	Reason  string    `json:"reason"`
}

// Audit answers for a period. A zero Since stands for the first entry. now is the clock of the machine that audits: a zero Until stands for
// it, or for the last entry if the clock of its writer is ahead. A version that stays the newest for longer than gap is a Gap.
func (l *Log) Audit(p Period, now time.Time, gap time.Duration) *Audit {
	entries, clocks := timesOf(l.tell().entries)
	a := &Audit{Signatures: Signatures{Refused: []Refused{}, Entries: l.tell().signatures}, Chain: ChainReport{Breaks: l.broken(p.Since), Head: l.chain.Head(), Entries: len(l.all), Repeated: l.repeated, Superseded: l.superseded},
		Clocks: clocks, Constraints: []ConstraintReport{}, Versions: []Version{}, Changes: []Changed{}, Owners: []Takeover{}, Losses: []Lost{}, Resets: []Event{}, Decisions: []Judgement{}, Releases: []ReleaseStep{}, Gaps: []Gap{}}
	a.Chain.Whole = len(a.Chain.Breaks) == 0
	if len(entries) > 0 {
		a.Clocks.Ahead = max(0, entries[len(entries)-1].at.Sub(now).Seconds())
	}
	if p.Since.IsZero() {
		p.Since = l.begins()
	}
	if p.Until.IsZero() {
		p.Until = ends(entries, now)
	}
	a.Period = p
	var before *Version       // the newest when the period begins
	var whole json.RawMessage // the configuration so far
	for _, e := range entries {
		a.Job = e.Job
		if e.Kind == Publication && e.at.Before(p.Since) {
			before = &Version{Event: e.event(), Published: *e.Publication, ConfigSHA256: e.ConfigSHA256}
		}
		if p.holds(e.at) {
			a.note(e.Entry, e.event(), whole)
		}
		if e.Kind == Configuration {
			whole = e.Configuration.Whole
		}
	}
	if before != nil {
		a.Versions = slices.Insert(a.Versions, 0, *before)
	}
	a.follow(gap)
	return a
}

// note takes an entry of the period; whole is the configuration before. Changes are those from it: what a
// process noted before it ended, and the next one noted again, is one change.
func (a *Audit) note(e *Entry, event Event, whole json.RawMessage) {
	switch e.Kind {
	case Publication:
		a.Versions = append(a.Versions, Version{Event: event, Published: *e.Publication, ConfigSHA256: e.ConfigSHA256})
	case Configuration:
		changes := e.Configuration.Changes
		if whole != nil {
			if found, err := Differences(whole, e.Configuration.Whole); err == nil {
				changes = found
			}
		}
		for _, change := range changes {
			a.Changes = append(a.Changes, Changed{event, change, e.Configuration.Version})
		}
	case Owned:
		a.Owners = append(a.Owners, Takeover{event, *e.Owner})
	case DataLoss:
		a.Losses = append(a.Losses, Lost{event, *e.Loss})
	case Decisions:
		a.Decisions = append(a.Decisions, Judgement{event, *e.Decisions})
	case Release:
		a.Releases = append(a.Releases, ReleaseStep{event, *e.Release})
	case Reset:
		a.Resets = append(a.Resets, event)
	}
}

// follow goes through the versions, each in use from its publication to the next.
func (a *Audit) follow(gap time.Duration) {
	found := map[[4]string]*ConstraintReport{}
	times := map[[4]string]map[string]time.Duration{}
	var order [][4]string
	for i := range a.Versions {
		v := &a.Versions[i]
		until := a.Until
		if i+1 < len(a.Versions) {
			until = a.Versions[i+1].Time
		}
		inUse := a.clip(v.Time, until)
		v.InUse = inUse.Seconds()
		if inUse > gap {
			a.gap(v.Time, until, "no version was published: the one before stayed in use, and no newer one was measured")
		}
		measured := map[[4]string]bool{}
		for j := range v.Constraints {
			row := &v.Constraints[j]
			key := [4]string{row.Name, row.Criterion, row.Group, row.Versus}
			if measured[key] { // a second row of one comparison would count its time twice
				continue
			}
			measured[key] = true
			if found[key] == nil {
				found[key] = &ConstraintReport{Name: row.Name, Criterion: row.Criterion, Group: row.Group, Versus: row.Versus}
				times[key] = map[string]time.Duration{}
				order = append(order, key)
			}
			times[key][row.Status] += inUse
			found[key].take(row, v)
		}
	}
	if len(a.Versions) == 0 {
		a.gap(a.Since, a.Until, "no weights were published")
	} else if first := a.Versions[0].Time; first.Sub(a.Since) > gap {
		a.gap(a.Since, first, "no weights had been published yet")
	}
	slices.SortFunc(a.Gaps, func(x, y Gap) int { return x.From.Compare(y.From) })
	for _, key := range order {
		found[key].share(times[key], a.length())
		a.Constraints = append(a.Constraints, *found[key])
	}
}

func (a *Audit) gap(from, to time.Time, reason string) {
	if from.Before(a.Since) {
		from = a.Since
	}
	if to.After(from) {
		a.Gaps = append(a.Gaps, Gap{from, to, to.Sub(from).Seconds(), reason})
	}
}

// take notes the row of a version.
func (c *ConstraintReport) take(row *Row, v *Version) {
	if len(c.Taus) == 0 || c.Taus[len(c.Taus)-1] != row.Tau {
		c.Taus = append(c.Taus, row.Tau)
	}
	if row.Value != nil && (c.Largest == nil || math.Abs(*row.Value) > math.Abs(*c.Largest.Value)) {
		c.Largest, c.LargestVersion, c.LargestTerm = row, v.Version, v.Term
	}
}

// share divides the times by the length of the period.
func (c *ConstraintReport) share(times map[string]time.Duration, length time.Duration) {
	c.Share = map[string]float64{met: 0, inconclusive: 0, violated: 0, notEstimable: 0, "none": 0}
	if length <= 0 {
		return
	}
	rest := length
	for _, status := range slices.Sorted(maps.Keys(times)) {
		c.Share[status] = times[status].Seconds() / length.Seconds()
		rest -= times[status]
	}
	c.Share["none"] = max(0, rest).Seconds() / length.Seconds()
	c.Within.Lo = c.Share[met]
	c.Within.Hi = 1 - c.Share[violated]
}
