package observe

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/fairstream/fairstream/internal/chronicle"
	"github.com/fairstream/fairstream/internal/envelope"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/internal/persons"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/release"
)

// A step of the releases takes effect as a publication does:
//
//	snapshot that covers it, seen to count ─▶ history ─▶ aliases, with the document if there is one ─▶ event
//
// The snapshot decides. It holds the steps that it is the first to cover, so the next owner tells them to the history and to the
// topic of events if this one may have ended before it could, and moves the aliases to where the state says.

// Steps is what a checkpoint makes of the steps since the one before.
type Steps struct {
	Told     []chronicle.Announcement
	Steps    []release.Step
	Assigned *modeltopic.Assignment // where the aliases are to point
}

// pending says whether a step waits for a snapshot.
func (r *releases) pending() bool {
	return !r.off() && (r.untold || r.machine.HasSteps())
}

// take gives what happened since the last call to a checkpoint, and the section that its snapshot saves. Readers that are
// not needed any more are forgotten.
func (r *releases) take(records int64) (s *Steps, section []byte) {
	switch {
	case r == nil:
		return nil, nil
	case r.off():
		return nil, r.resting
	}
	s = &Steps{Steps: r.machine.Steps(), Assigned: r.assignment()}
	r.untold = false // the keeper has told them before it keeps what is taken here
	for i := range s.Steps {
		s.Told = append(s.Told, announcementOf(r.term, &s.Steps[i]))
	}
	kept := r.machine.Kept()
	for version := range r.readers {
		if !slices.Contains(kept, version) {
			delete(r.readers, version)
		}
	}
	return s, r.section(s, records)
}

// assignment is where the aliases are to point, and which documents must stay. Until there is a stable version, stable and
// previous stay as they are: a state that begins again takes no version from readers.
func (r *releases) assignment() *modeltopic.Assignment {
	now := r.machine.Aliases()
	a := &modeltopic.Assignment{Aliases: map[string]modeltopic.Target{modeltopic.Candidate: targetOf(now.Candidate)}, Kept: map[modeltopic.Place]bool{}}
	if !now.Stable.IsZero() {
		a.Aliases[modeltopic.Stable], a.Aliases[modeltopic.Previous] = targetOf(now.Stable), targetOf(now.Previous)
	}
	for _, version := range r.machine.Kept() {
		a.Kept[placeOf(version)] = true
	}
	return a
}

func placeOf(v release.Version) modeltopic.Place {
	return modeltopic.Place{Term: v.Term, Version: v.Version}
}

func targetOf(v release.Version) modeltopic.Target {
	return modeltopic.Target{Place: placeOf(v), SHA256: v.SHA256}
}

// releaseState is the readable part of the section, before the machine's state.
type releaseState struct {
	// Records is how many were learnt or kept; nil in a snapshot of an older program. Blind is up to which number they may have come
	// while the releases were cut off.
	Records *int64 `json:"records"`
	Blind   int64  `json:"blind,omitempty"`
	Pace    paced  `json:"pace,omitzero"`
	// Persons are those whose record was observed lately, Labelled those whose label was.
	Persons  []byte `json:"persons,omitempty"`
	Labelled []byte `json:"labelled,omitempty"`
	// Steps are those that no earlier snapshot covers.
	Steps []history.Entry `json:"steps,omitempty"`
	// Assigned is where the aliases are to point; nil in a snapshot of an older program.
	Assigned *savedAssignment `json:"assigned,omitempty"`
}

// savedAssignment is an assignment: a process that cannot restore the machine finishes the moves of the one before.
type savedAssignment struct {
	// Aliases are by name; null: it points to no document. Kept are documents that must stay.
	Aliases map[string]*history.Weights `json:"aliases"`
	Kept    []*history.Weights          `json:"kept,omitempty"`
}

// assignment is what aliases say whom nobody watches since a moment.
func (s *savedAssignment) assignment(unwatched time.Time) *modeltopic.Assignment {
	a := &modeltopic.Assignment{Aliases: map[string]modeltopic.Target{}, Kept: map[modeltopic.Place]bool{}, UnwatchedSince: modeltopic.Seconds(unwatched)}
	for name, w := range s.Aliases {
		a.Aliases[name] = modeltopic.Target{}
		if w != nil {
			a.Aliases[name] = modeltopic.Target{Place: modeltopic.Place{Term: w.Term, Version: w.Version}, SHA256: w.WeightsSHA256, UnwatchedSince: a.UnwatchedSince}
		}
	}
	for _, w := range s.Kept {
		if w != nil {
			a.Kept[modeltopic.Place{Term: w.Term, Version: w.Version}] = true
		}
	}
	return a
}

// saved is the assignment for a snapshot.
func (r *releases) saved(a *modeltopic.Assignment) *savedAssignment {
	s := &savedAssignment{Aliases: map[string]*history.Weights{}}
	for name, to := range a.Aliases {
		if s.Aliases[name] = nil; to != (modeltopic.Target{}) {
			s.Aliases[name] = &history.Weights{Term: to.Term, Version: to.Version, WeightsSHA256: to.SHA256}
		}
	}
	for _, version := range r.machine.Kept() {
		s.Kept = append(s.Kept, weightsOf(version))
	}
	return s
}

func (r *releases) section(s *Steps, records int64) []byte {
	saved := releaseState{Records: &records, Blind: r.blind, Pace: r.pace.paced, Assigned: r.saved(s.Assigned)}
	if r.config.Cluster != "" {
		saved.Persons, saved.Labelled = r.persons.AppendState(nil), r.labelled.AppendState(nil)
	}
	for _, step := range s.Told {
		saved.Steps = append(saved.Steps, step.Entry())
	}
	return saved.section(r.machine.AppendState(nil))
}

// section is what a snapshot saves.
func (s *releaseState) section(machine []byte) []byte {
	header, err := json.Marshal(s)
	if err != nil {
		panic("observe: steps that cannot be written as JSON")
	}
	return append(envelope.AppendSection(nil, header), machine...)
}

// restoreReleases goes on from a snapshot's section. Evidence under other settings does not apply to these: see
// release.Restore. While release.enabled is false the section rests: what a person ordered, and which weights are barred, must hold again
// when it is true.
func restoreReleases(o *Settings, d Decider, state []byte, records int64) (*releases, error) {
	r, err := newReleases(o, d)
	if r == nil && len(state) > 0 {
		return &releases{resting: slices.Clone(state)}, err
	}
	if r == nil || err != nil || len(state) == 0 {
		return r, err
	}
	header, rest, err := envelope.Section(state)
	if err != nil {
		return nil, err
	}
	var saved releaseState
	if err := json.Unmarshal(header, &saved); err != nil {
		return nil, err
	}
	if saved.Records != nil && (*saved.Records < 0 || *saved.Records > records) || slices.ContainsFunc(saved.Steps, func(e history.Entry) bool { return e.Kind != history.Release || e.Release == nil }) {
		return nil, errors.New("the releases: a number or a step is impossible")
	}
	if err := r.pace.restore(saved.Pace); err != nil {
		return nil, err
	}
	if r.machine, err = release.Restore(r.config, d.Grouper(), rest); err != nil {
		return nil, err
	}
	if r.blind = saved.Blind; saved.Records != nil && *saved.Records < records {
		r.blind = records
	}
	if r.config.Cluster != "" && len(saved.Persons) > 0 {
		r.persons, err = persons.Restore(saved.Persons)
	}
	if err == nil && r.config.Cluster != "" && len(saved.Labelled) > 0 {
		r.labelled, err = persons.Restore(saved.Labelled)
	}
	return r, err
}

// usable makes a reader of a document, nil if there is none; one that cannot be used is as good as gone.
func usable(version release.Version, d *document.Document, err error) (*member, error) {
	if err != nil || d == nil {
		return nil, err
	}
	m, err := newMember(release.Version{Term: version.Term, Version: version.Version, SHA256: d.WeightsSHA256}, d)
	if err != nil {
		return nil, nil //nolint:nilerr // it is as good as gone
	}
	return &m, nil
}

// announcementOf is what is told of a step. Its ID stays, whoever writes it.
func announcementOf(term int64, s *release.Step) chronicle.Announcement {
	told := &history.Released{Number: s.Number, Step: string(s.Kind), Record: s.Record, Version: weightsOf(s.Version), From: weightsOf(s.From), To: weightsOf(s.To),
		Reason: s.Reason, Actor: s.Actor, Request: s.Command}
	if !s.Time.IsZero() {
		told.EventTime = &s.Time
	}
	for i := range s.Gates {
		if i == history.MostGates {
			told.GatesLeftOut = len(s.Gates) - i
			break
		}
		told.Gates = append(told.Gates, gateOf(&s.Gates[i]))
	}
	return chronicle.Announcement{ID: fmt.Sprintf("%s/%d/%d", history.Release, term, s.Number), Release: told}
}

func gateOf(g *release.Gate) history.Gate {
	told := history.Gate{Name: string(g.Name), Constraint: g.Comparison, Criterion: string(g.Criterion), Decides: g.Decides, Status: string(g.Verdict),
		Value: chronicle.Finite(g.Value), Lo: chronicle.Finite(g.Lo), Hi: chronicle.Finite(g.Hi), Limit: chronicle.Finite(g.Limit), Records: g.Records, Reason: g.Reason}
	if !g.Against.IsZero() {
		told.Against = g.Against.String()
	}
	return told
}

func weightsOf(v release.Version) *history.Weights {
	if v.IsZero() {
		return nil
	}
	return &history.Weights{Term: v.Term, Version: v.Version, WeightsSHA256: v.SHA256}
}

// stateOf are header and machine of a section of releases; nil if it is none.
func stateOf(section []byte) (saved *releaseState, machine []byte) {
	header, rest, err := envelope.Section(section)
	if err != nil || json.Unmarshal(header, &saved) != nil {
		return nil, nil
	}
	return saved, rest
}
