package stream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

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

// stepped is what a checkpoint makes of the steps since the one before.
type stepped struct {
	told     []announcement
	steps    []release.Step // for Options.Notify
	assigned *assignment
}

// pending says whether a step waits for a snapshot.
func (r *releases) pending() bool {
	return !r.off() && (r.untold || r.machine.HasSteps())
}

// take gives what happened since the last call to a checkpoint, and the section that its snapshot saves. Documents that are
// not needed any more are forgotten.
func (r *releases) take() (s *stepped, section []byte) {
	switch {
	case r == nil:
		return nil, nil
	case r.off():
		return nil, r.resting
	}
	s = &stepped{steps: r.machine.Steps(), assigned: r.assignment()}
	r.untold = false // the keeper has told them before it keeps what is taken here
	for i := range s.steps {
		s.told = append(s.told, announcementOf(r.term, &s.steps[i]))
	}
	kept := r.machine.Kept()
	for version := range r.documents {
		if !slices.Contains(kept, version) {
			delete(r.documents, version)
		}
	}
	return s, r.section(s.told)
}

// assignment is where the aliases are to point, and which documents must stay. Until there is a stable version, stable and
// previous stay as they are: a state that begins again takes no version from readers.
func (r *releases) assignment() *assignment {
	now := r.machine.Aliases()
	a := &assignment{aliases: map[string]target{CandidateAlias: targetOf(now.Candidate)}, kept: map[place]bool{}}
	if !now.Stable.IsZero() {
		a.aliases[StableAlias], a.aliases[PreviousAlias] = targetOf(now.Stable), targetOf(now.Previous)
	}
	for _, version := range r.machine.Kept() {
		a.kept[placeOf(version)] = true
	}
	return a
}

func placeOf(v release.Version) place { return place{v.Term, v.Version} }

func targetOf(v release.Version) target { return target{placeOf(v), v.SHA256} }

// releaseState is the readable part of the section, before the machine's state.
type releaseState struct {
	Seen int64 `json:"seen"`
	Pace paced `json:"pace,omitzero"`
	// Steps are those that no earlier snapshot covers.
	Steps []history.Entry `json:"steps,omitempty"`
}

func (r *releases) section(steps []announcement) []byte {
	saved := releaseState{Seen: r.seen, Pace: r.pace.paced}
	for _, step := range steps {
		saved.Steps = append(saved.Steps, step.entry())
	}
	header, err := json.Marshal(saved)
	if err != nil {
		panic("stream: steps that cannot be written as JSON")
	}
	return r.machine.AppendState(appendSection(nil, header))
}

// restoreReleases goes on from a snapshot's section. Evidence under other settings does not apply to these: see
// release.Restore. While release.enabled is false the section rests: what a person ordered, and which weights are barred, must hold again
// when it is true.
func restoreReleases(o *Options, d decider, state []byte) (*releases, error) {
	r, err := newReleases(o, d)
	if r == nil && len(state) > 0 {
		return &releases{resting: slices.Clone(state)}, err
	}
	if r == nil || err != nil || len(state) == 0 {
		return r, err
	}
	header, rest, err := section(state)
	if err != nil {
		return nil, err
	}
	var saved releaseState
	if err := json.Unmarshal(header, &saved); err != nil {
		return nil, err
	}
	if saved.Seen < 0 || saved.Seen == math.MaxInt64 || slices.ContainsFunc(saved.Steps, func(e history.Entry) bool { return e.Kind != history.Release || e.Release == nil }) {
		return nil, errors.New("the releases: a number or a step is impossible")
	}
	if err := r.pace.restore(saved.Pace); err != nil {
		return nil, err
	}
	if r.machine, err = release.Restore(r.config, d.Grouper(), rest); err != nil {
		return nil, err
	}
	r.seen = saved.Seen
	for _, e := range saved.Steps {
		r.owed = append(r.owed, announcement{ID: e.ID, Release: e.Release})
	}
	return r, nil
}

// steps are those that the snapshot holds, which its owner may have told or not.
func (r *releases) steps() []announcement {
	if r == nil {
		return nil
	}
	return r.owed
}

// load reads the documents that the machine keeps. One that is gone is told to it. If the history lacks a step that the snapshot
// holds, a checkpoint is due.
func (r *releases) load(ctx context.Context, p *publisher, history *recorder) error {
	r.cluster, r.topic, r.verifier, r.job, r.term = p.cluster, p.topic, p.shelf.rule.Verifier, p.job, p.term
	r.untold, r.owed = history.lacks(r.owed), nil
	for _, version := range r.machine.Kept() {
		d, err := p.document(ctx, placeOf(version))
		if err != nil {
			return err
		}
		if d == nil || d.WeightsSHA256 != version.SHA256 {
			r.machine.Gone(version)
		} else {
			r.documents[version] = d
		}
	}
	return nil
}

// tellUnmoved tells where the alias stable points, if it is not this state that moved it there.
func (s *Stream) tellUnmoved(l *learning, p *publisher) {
	alias, there := p.shelf.aliases[StableAlias]
	if !there || !l.releases.off() && !l.releases.machine.Aliases().Stable.IsZero() {
		return
	}
	if !l.releases.off() {
		l.releases.unmoved = &alias
	}
	s.options.Notify(StableUnmoved{alias.Term, alias.Version, l.releases.off()})
	s.board.post(func(status *Status) { status.Unmoved = &alias })
}

// document reads a document of the topic; nil if it is not there or cannot be used.
func (p *publisher) document(ctx context.Context, at place) (*document.Document, error) {
	m, there := p.shelf.documents[at]
	if !there {
		return nil, nil
	}
	message, held, err := p.messageAt(ctx, m.Offset, at)
	if err != nil || !held {
		return nil, err
	}
	d, err := document.Parse(message.Value)
	if err == nil {
		_, err = newMember(release.Version{}, d)
	}
	if err != nil {
		return nil, nil //nolint:nilerr // what cannot be used is as good as gone
	}
	return d, nil
}

// announcementOf is what is told of a step. Its ID stays, whoever writes it.
func announcementOf(term int64, s *release.Step) announcement {
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
	return announcement{ID: fmt.Sprintf("%s/%d/%d", history.Release, term, s.Number), Release: told}
}

func gateOf(g *release.Gate) history.Gate {
	told := history.Gate{Name: string(g.Name), Constraint: g.Comparison, Criterion: string(g.Criterion), Decides: g.Decides, Status: string(g.Verdict),
		Value: finite(g.Value), Lo: finite(g.Lo), Hi: finite(g.Hi), Limit: finite(g.Limit), Records: g.Records, Reason: g.Reason}
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
