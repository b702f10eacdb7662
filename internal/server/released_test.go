package server

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/release"
	"github.com/fairstream/fairstream/pkg/stream"
)

// releasing has a stable version outside its limit, and a candidate.
func releasing() *release.Report {
	stable, candidate := release.Version{Term: 1, Version: 900, SHA256: "ab"}, release.Version{Term: 2, Version: 1000, SHA256: "cd"}
	gates := []release.Gate{
		{Name: release.GateIntegrity, Index: -1, Verdict: fairness.Met, Decides: true, Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Limit: math.NaN(), Records: 32},
		{Name: release.GateComparison, Comparison: "sex", Criterion: fairness.DemographicParity, Verdict: fairness.Met, Decides: true, Value: .02, Lo: .01, Hi: .03, Limit: .07, Records: 700},
		{Name: release.GateComparison, Comparison: "sex", Criterion: fairness.DemographicParity, Verdict: fairness.Violated, Decides: true, Value: .2, Lo: .1, Hi: .3, Limit: .07, Records: 800},
		{Name: release.GateLogLoss, Index: -1, Against: stable, Verdict: fairness.Inconclusive, Decides: true, Value: .01, Lo: -.01, Hi: .02, Limit: .005, Records: 600},
		{Name: release.GateError, Index: -1, Verdict: fairness.Met, Decides: true, Value: -.1, Lo: -.2, Hi: -.05, Limit: .005, Records: 600},
	}
	return &release.Report{Aliases: release.Aliases{Stable: stable, Candidate: candidate, Previous: release.Version{Term: 1, Version: 800, SHA256: "ef"}},
		CoolDown: 40, Pinned: true, Confidence: .95, Share: .125,
		Trial: &release.TrialReport{Version: candidate, Observed: 700, Labelled: 600, Gates: gates, Deadline: 99_400},
		Guard: &release.GuardReport{Version: stable, Observed: 2000, Gates: gates[1:2], Evidence: .5, Marked: true, Outside: "sex"}}
}

// TestReleaseMetrics: of several groups under one name, the worst verdict is served.
func TestReleaseMetrics(t *testing.T) {
	m := monitorOf(judging())
	m.Notify(stream.Released{Step: release.Step{Kind: release.Withdrawn}})
	_, text := get(t, m.Handler(zap.NewAtomicLevel(), nil, Access{}), "/metrics")
	text = withoutJob(text)
	for _, line := range []string{
		`fairstream_release_steps_total{step="withdrawn"} 1`,
		`fairstream_release_steps_total{step="promoted"} 0`,
		`fairstream_release_version{role="stable"} 900`,
		`fairstream_release_version{role="previous"} 800`,
		`fairstream_release_gate{against="",bound="lo",constraint="sex",criterion="demographic-parity",gate="comparison",role="candidate"} 0.1`,
		`fairstream_release_gate_status{against="",constraint="sex",criterion="demographic-parity",gate="comparison",role="candidate",status="violated"} 1`,
		`fairstream_release_gate_status{against="",constraint="sex",criterion="demographic-parity",gate="comparison",role="stable",status="met"} 1`,
		`fairstream_release_gate_limit{against="stable",constraint="",criterion="",gate="log_loss",role="candidate"} 0.005`,
		`fairstream_release_gate_records{against="constant",constraint="",criterion="",gate="error",role="candidate"} 600`,
		`fairstream_release_observed_records{role="candidate"} 700`,
		`fairstream_release_deadline_records 99400`,
		`fairstream_release_share 0.125`,
		`fairstream_release_cool_down_records 40`,
		`fairstream_release_withdrawal_evidence 0.5`,
		`fairstream_release_marked 1`,
		`fairstream_release_paused 1`,
		`fairstream_condition{code="stable_marked",constraint=""} 1`,
		`fairstream_condition{code="stable_pinned",constraint=""} 1`,
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("missing %s", line)
		}
	}
}

func TestReleaseConditions(t *testing.T) {
	for want, change := range map[string]func(*release.Report){
		"no_stable_version": func(r *release.Report) { r.Stable, r.Guard = release.Version{}, nil },
		"stable_gone":       func(r *release.Report) { r.Guard.Gone = true },
		"stable_marked":     func(*release.Report) {},
		"releases_paused":   func(r *release.Report) { r.Paused = true },
		"stable_pinned":     func(*release.Report) {},
	} {
		r := releasing()
		change(r)
		var codes []string
		for _, c := range releaseConditions(&stream.Status{Releases: r}) {
			codes = append(codes, c.Code)
			if !strings.HasSuffix(c.Detail, ".") || c.Constraint != "" {
				t.Errorf("%+v", c)
			}
		}
		if !slices.Contains(codes, want) {
			t.Errorf("%q, without %s", codes, want)
		}
	}
	unmoved := &stream.Alias{Term: 3, Version: 700}
	for want, s := range map[string]stream.Status{"release.enabled is false": {Unmoved: unmoved}, "began again": {Unmoved: unmoved, Releases: &release.Report{}}} {
		if all := releaseConditions(&s); len(all) != 1 || all[0].Code != "stable_not_moved" || !strings.Contains(all[0].Detail, want) || !strings.Contains(all[0].Detail, "3/700") {
			t.Errorf("%+v", all)
		}
	}
	if all := releaseConditions(&stream.Status{Unmoved: unmoved, Releases: &release.Report{Aliases: release.Aliases{Stable: release.Version{Term: 4, Version: 9}}}}); all != nil {
		t.Errorf("once a version is stable: %+v", all)
	}
	if all := releaseConditions(&stream.Status{}); all != nil {
		t.Errorf("without releases %v", all)
	}
}

// TestManyRejections: a job of which no version becomes stable says so, and which gate is the reason.
func TestManyRejections(t *testing.T) {
	m := monitorOf(judging())
	text := func() string {
		_, text := get(t, m.Handler(zap.NewAtomicLevel(), nil, Access{}), "/metrics")
		return withoutJob(text)
	}
	rejected := release.Step{Kind: release.Rejected, Version: release.Version{Term: 2, Version: 900}, Reason: "it failed a test: sex"}
	m.Notify(stream.Released{Step: rejected})
	m.Notify(stream.Released{Step: rejected})
	const line = `fairstream_condition{code="candidates_rejected",constraint=""} 1`
	if m.rejected.conditions() != nil || strings.Contains(text(), line) {
		t.Error("two rejections are a condition")
	}
	m.Notify(stream.Released{Step: release.Step{Kind: release.Frozen}})
	m.Notify(stream.Released{Step: rejected})
	all := m.rejected.conditions()
	if len(all) != 1 || !strings.Contains(all[0].Detail, "The last 3 candidates were rejected, the last one, version 2/900, because of this: it failed a test: sex.") || !strings.Contains(text(), line) {
		t.Errorf("%+v", all)
	}
	m.Notify(stream.Released{Step: release.Step{Kind: release.Promoted}})
	if m.rejected.conditions() != nil || strings.Contains(text(), line) {
		t.Error("a version is stable, and the condition stays")
	}
}

// TestEveryStepIsLogged with its evidence, and what goes wrong as a warning.
func TestEveryStepIsLogged(t *testing.T) {
	for _, kind := range release.StepKinds() {
		var text bytes.Buffer
		logger, _, err := NewLogger(&text, false, "info")
		if err != nil {
			t.Fatal(err)
		}
		r := releasing()
		Log(logger)(stream.Released{Step: release.Step{Number: 7, Kind: kind, Version: r.Candidate, From: r.Previous, To: r.Stable, Gates: r.Trial.Gates, Reason: "because", Actor: "ada", Command: "x"}})
		for _, want := range []string{`"kind":"` + string(kind) + `"`, `"version":"2/1000"`, `"stable":"1/900"`, `"stable_before":"1/800"`, `"actor":"ada"`, `"limit":0.07`, `"reason":"because"`} {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%s is missing in %s", want, text.String())
			}
		}
		if warned := strings.Contains(text.String(), `"level":"warn"`); warned != slices.Contains([]release.StepKind{release.Withdrawn, release.Marked, release.Gone, release.Alarm, release.Violated, release.RolledBack}, kind) {
			t.Errorf("%s: warned %v", kind, warned)
		}
	}
}
