package fake

import (
	"time"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/fairness"
)

func place(version int64) *board.Place {
	return &board.Place{Term: 3, Version: version, WeightsSHA256: "8f2d1c5e0b9a47d6a1c3e5f70829bb64d1e2f3a4b5c6d7e8f90123456789abcd"}
}

// release is a candidate that misses two verdicts, beside a stable version that is watched.
func (j *Job) release() *board.Release {
	n, needed, third := j.names, int64(3400), int64(2100)
	comparison := func(name string, status fairness.Status, value, lo, hi float64, more *int64) board.Gate {
		return board.Gate{Name: "comparison", Constraint: name, Criterion: fairness.DemographicParity, Decides: true, Status: status, Value: board.Number(value),
			Lo: board.Number(lo), Hi: board.Number(hi), Limit: 0.07, Records: 3072, RecordsNeeded: more}
	}
	loss := func(name string, status fairness.Status, value, lo, hi float64, more *int64) board.Gate {
		return board.Gate{Name: name, Against: place(32000), Decides: true, Status: status, Value: board.Number(value), Lo: board.Number(lo), Hi: board.Number(hi),
			Limit: 0.005, Records: 2896, RecordsNeeded: more}
	}
	unknown := comparison(n.Attribute+" and "+n.Race, fairness.NotEstimable, 0, 0, 0, nil)
	unknown.Value, unknown.Lo, unknown.Hi, unknown.Decides, unknown.Reason = board.Unknown(), board.Unknown(), board.Unknown(), false, n.Female+" & Eskimo has 2 records and needs 100"
	sound := board.Gate{Name: "integrity", Decides: true, Status: fairness.Met, Value: board.Unknown(), Lo: board.Unknown(), Hi: board.Unknown(), Limit: board.Unknown()}
	r := &board.Release{Stable: place(32000), Candidate: place(36000), Previous: place(28000), Waiting: place(39000), CoolDown: 1800, Barred: 1, Confidence: 0.95, Share: 1, Orders: j.orders,
		Trial: &board.Trial{Observed: 3072, Undecided: 4, Labelled: 2896, RecordsNeeded: &needed, Deadline: 97104, Patience: 996928, Gates: []board.Gate{sound,
			comparison(n.Attribute, fairness.Met, 0.021, -0.028, 0.068, nil), comparison(n.Race, fairness.Inconclusive, -0.041, -0.118, 0.036, &needed), unknown,
			loss("log_loss", fairness.Met, -0.002, -0.006, 0.002, nil), loss("error", fairness.Inconclusive, 0.001, -0.006, 0.008, &third)}},
		Guard: &board.Guard{Observed: 7072, Evidence: 0.12, Gates: []board.Gate{comparison(n.Attribute, fairness.Met, 0.03, -0.005, 0.065, nil)}}}
	for i, s := range []board.Step{
		{Kind: "frozen", Text: "version 3/36000 is being tested on the records from here on"},
		{Kind: "promoted", Text: "version 3/32000 is in use", Reason: "it passed every test"},
		{Kind: "rolled_back", Text: "a person withdrew version 3/30000; version 3/28000 is in use", Actor: n.Column, Reason: n.Race},
		{Kind: "promoted", Text: "version 3/30000 is in use", Actor: "mira", Reason: "a trial"},
		{Kind: "promoted", Text: "version 3/28000 is in use", Reason: "it passed every test"},
		{Kind: "frozen", Text: "version 3/28000 is being tested on the records from here on"},
	} {
		s.Record = int64(36000 - 2000*i)
		s.Time = began.Add(time.Duration(s.Record) * 1800 * time.Millisecond)
		r.Steps = append(r.Steps, s)
	}
	switch j.state {
	case "first-version":
		r.Stable, r.Previous, r.Guard, r.Waiting, r.CoolDown, r.Barred, r.Steps = nil, nil, nil, nil, 0, 0, r.Steps[:1]
		r.Share = 0.125
	case "marked":
		r.Candidate, r.Trial, r.Waiting, r.Paused, r.Pinned, r.Guard.Alarm, r.Guard.Marked = nil, nil, nil, true, true, true, true
	case "unreleased":
		return nil
	}
	return r
}
