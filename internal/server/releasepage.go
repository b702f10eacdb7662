package server

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/signoff"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/release"
	"github.com/fairstream/fairstream/pkg/stream"
)

// releaseOf is what the page shows of releases; nil if there are none.
func releaseOf(r *release.Report, steps []board.Step, orders bool, unwatched *time.Time) *board.Release {
	if r == nil {
		return nil
	}
	b := &board.Release{Stable: placeOf(r.Stable), Candidate: placeOf(r.Candidate), Previous: placeOf(r.Previous), Waiting: placeOf(r.Waiting),
		Paused: r.Paused, Pinned: r.Pinned, CoolDown: r.CoolDown, Barred: len(r.Barred), Confidence: r.Confidence, Share: r.Share, Steps: steps, Orders: orders, UnwatchedSince: unwatched}
	if unwatched != nil {
		return b // the evidence is not that of now
	}
	if t := r.Trial; t != nil {
		b.Trial = &board.Trial{Observed: t.Observed, Undecided: t.Undecided, Labelled: t.Labelled, Gates: gatesOf(t.Gates), RecordsNeeded: whole(t.Needed),
			Deadline: t.Deadline, Patience: t.Patience}
	}
	if g := r.Guard; g != nil {
		b.Guard = &board.Guard{Observed: g.Observed, Gates: gatesOf(g.Gates), Alarm: g.Alarm, Evidence: board.Number(g.Evidence), Marked: g.Marked, Gone: g.Gone}
		if g.Inquiry {
			b.Guard.Compared = &g.InquiryRecords
		}
	}
	return b
}

// addAliases adds the aliases of the releases to the versions that they point to.
func addAliases(versions []board.Version, r *board.Release) {
	if r == nil {
		return
	}
	for i := range versions {
		v := &versions[i]
		v.Alias = append([]string{}, v.Alias...) // the track keeps its own
		for name, at := range map[string]*board.Place{stream.StableAlias: r.Stable, stream.CandidateAlias: r.Candidate, stream.PreviousAlias: r.Previous} {
			if at != nil && at.Term == v.Term && at.Version == v.Version {
				v.Alias = append(v.Alias, name)
			}
		}
		slices.Sort(v.Alias)
	}
}

func placeOf(v release.Version) *board.Place {
	if v.IsZero() {
		return nil
	}
	return &board.Place{Term: v.Term, Version: v.Version, WeightsSHA256: v.SHA256}
}

func gatesOf(gates []release.Gate) (all []board.Gate) {
	for i := range gates {
		g := &gates[i]
		one := board.Gate{Name: string(g.Name), Constraint: g.Comparison, Criterion: g.Criterion, Against: placeOf(g.Against), Decides: g.Decides,
			Status: g.Verdict, Value: board.Number(g.Value), Lo: board.Number(g.Lo), Hi: board.Number(g.Hi), Limit: board.Number(g.Limit),
			Tau: board.Number(g.Bound), Records: g.Records, RecordsNeeded: whole(g.Needed), Reason: g.Reason}
		one.Tell()
		all = append(all, one)
	}
	return all
}

// whole is a number of records; nil if it is not known, or 0.
func whole(x float64) *int64 {
	if !(x > 0 && x < math.MaxInt64/2) {
		return nil
	}
	n := int64(math.Ceil(x))
	return &n
}

// stepped takes note of a step of the releases, of which the history tells.
func (t *track) stepped(e *history.Entry) {
	r := e.Release
	one := board.Step{Kind: r.Step, Text: signoff.StepWords(r), Record: r.Record, Time: e.Time.UTC(), Actor: r.Actor, Reason: signoff.StepWhy(r)}
	if r.Version != nil {
		one.Version = r.Version.Version
	}
	if movesStable(one.Kind) {
		t.into = &one
	}
	if u := &t.untested; one.Kind != string(release.Superseded) {
		u.count = 0
	} else if u.count++; u.count == 1 {
		u.first = one.Version
	} else { // a learner publishes more versions than can be tested: one line tells of those in a row
		t.steps = t.steps[1:]
		first, last := board.Grouped(u.first), board.Grouped(one.Version)
		one.Text = fmt.Sprintf("Versions %s and %s were never tested: newer versions took their places", first, last)
		if u.count > 2 {
			one.Text = fmt.Sprintf("%d versions, from version %s to version %s, were never tested: newer versions took their places", u.count, first, last)
		}
	}
	t.steps = slices.Insert(t.steps, 0, one)
	t.steps = t.steps[:min(len(t.steps), board.MostSteps)]
}

// released are the steps, the newest first, and the one by which the version in use came into use; nil if that is not known.
func (t *track) released() (steps []board.Step, into *board.Step) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return slices.Clone(t.steps), t.into
}
