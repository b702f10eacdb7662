package server

import (
	"fmt"
	"math"
	"slices"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/release"
	"github.com/fairstream/fairstream/pkg/stream"
)

// The releases.
var (
	releaseSteps    = describe("release_steps_total", "Steps of the releases that this process made, by kind.", "step")
	releaseVersion  = describe("release_version", "Number of records learnt in the version behind an alias of the releases; absent while the alias points to none.", "role")
	releaseGate     = describe("release_gate", "Estimate of a gate, with its confidence sequence; absent while not estimable.", "role", "gate", "constraint", "criterion", "against", "bound")
	releaseLimit    = describe("release_gate_limit", "Limit that the gate compares its estimate with.", "role", "gate", "constraint", "criterion", "against")
	releaseStatus   = describe("release_gate_status", "1 for the verdict of the gate: met, violated, inconclusive or not_estimable.", "role", "gate", "constraint", "criterion", "against", "status")
	releaseRecords  = describe("release_gate_records", "Number of records of the gate's evidence.", "role", "gate", "constraint", "criterion", "against")
	releaseObserved = describe("release_observed_records", "Records that the version decided since it was frozen (candidate) or became stable.", "role")
	releaseLabelled = describe("release_labelled_records", "Records with a label among those that the candidate decided.")
	releaseDeadline = describe("release_deadline_records", "Records with a label until the candidate is rejected, if it is not stable by then.")
	releaseCoolDown = describe("release_cool_down_records", "Records until a candidate may become stable.")
	releaseShare    = describe("release_share", "Share of the records that the versions decide at present. The other numbers of records of the releases count these only.")
	releaseEvidence = describe("release_withdrawal_evidence", "Evidence that the stable version is outside its limit, as a share of what is needed to say so.")
	releaseMarked   = describe("release_marked", "1 while the stable version is outside its limit and stays, because no earlier one is better, otherwise 0.")
	releasePaused   = describe("release_paused", "1 while no candidate becomes stable by itself, because somebody paused the releases or pinned the stable version, otherwise 0.")
	releaseGone     = describe("release_stable_gone", "1 while the document of the stable version is not on the model topic, otherwise 0.")
)

// released sends what the releases know. steps are those of this process, by kind.
func (o output) released(r *release.Report, steps map[release.StepKind]int64) {
	if r == nil {
		return
	}
	for _, kind := range release.StepKinds() { // all of them, so that a rate begins at 0
		o.counter(releaseSteps, float64(steps[kind]), string(kind))
	}
	for role, version := range map[string]release.Version{stream.StableAlias: r.Stable, stream.CandidateAlias: r.Candidate, stream.PreviousAlias: r.Previous} {
		if !version.IsZero() {
			o.gauge(releaseVersion, float64(version.Version), role)
		}
	}
	o.gauge(releaseShare, r.Share)
	o.gauge(releaseCoolDown, float64(r.CoolDown))
	o.gauge(releasePaused, truth(r.Paused || r.Pinned))
	if t := r.Trial; t != nil {
		o.gates(stream.CandidateAlias, r, t.Gates)
		o.gauge(releaseObserved, float64(t.Observed), stream.CandidateAlias)
		o.gauge(releaseLabelled, float64(t.Labelled))
		o.gauge(releaseDeadline, float64(t.Deadline))
	}
	if g := r.Guard; g != nil {
		o.gates(stream.StableAlias, r, g.Gates)
		o.gauge(releaseObserved, float64(g.Observed), stream.StableAlias)
		o.gauge(releaseEvidence, g.Evidence)
		o.gauge(releaseMarked, truth(g.Marked))
		o.gauge(releaseGone, truth(g.Gone))
	}
}

func (o output) gates(role string, r *release.Report, gates []release.Gate) {
	worst := map[[5]string]*release.Gate{} // the groups of a constraint of each value have one name
	for i := range gates {
		g := &gates[i]
		key := [5]string{role, string(g.Name), g.Comparison, string(g.Criterion), rivalOf(g, r)}
		if before := worst[key]; before == nil && len(worst) < mostGates || before != nil && badness(g.Verdict) > badness(before.Verdict) {
			worst[key] = g
		}
	}
	for key, g := range worst {
		o.between(releaseGate, g.Value, g.Lo, g.Hi, key[:])
		if !math.IsNaN(g.Limit) {
			o.gauge(releaseLimit, g.Limit, key[:]...)
		}
		for _, status := range []fairness.Status{fairness.Met, fairness.Violated, fairness.Inconclusive, fairness.NotEstimable} {
			o.gauge(releaseStatus, truth(g.Verdict == status), append(key[:], string(status))...)
		}
		o.gauge(releaseRecords, float64(g.Records), key[:]...)
	}
}

// badness orders verdicts.
func badness(s fairness.Status) int {
	return slices.Index([]fairness.Status{fairness.Met, fairness.Inconclusive, fairness.NotEstimable, fairness.Violated}, s)
}

// mostGates bounds the gates of a version that have series.
const mostGates = 100

// rivalOf says in a word what a loss is compared with; a version would make new series with every release.
func rivalOf(g *release.Gate, r *release.Report) string {
	switch {
	case g.Name == release.GateComparison || g.Name == release.GateIntegrity:
		return ""
	case g.Against.IsZero():
		return "constant"
	case g.Against == r.Stable:
		return "stable"
	}
	return "anchor"
}

// releaseConditions are facts about the releases that a person should know.
func releaseConditions(s *stream.Status) (all []board.Condition) {
	r := s.Releases
	add := func(code, format string, arguments ...any) {
		all = append(all, board.Condition{Code: code, Detail: fmt.Sprintf(format, arguments...)})
	}
	switch {
	case (r == nil || r.Stable.IsZero()) && s.Unmoved != nil:
		add("stable_not_moved", "%s", unmovedWords(r == nil, s.Unmoved.Term, s.Unmoved.Version))
	case r != nil && r.Stable.IsZero():
		add("no_stable_version", "No version is stable yet, so readers use the newest one. The first one becomes stable when it has passed every test.")
	case r != nil && r.Guard != nil && r.Guard.Gone:
		add("stable_gone", "The document of the stable version %v is not on the model topic. Use `fairstream models promote` to choose another one.", r.Stable)
	case r != nil && r.Guard != nil && r.Guard.Marked:
		add("stable_marked", "The stable version %v is outside release.limit (%s), and no earlier version is better. Use `fairstream models promote` if you know a better one.",
			r.Stable, r.Guard.Outside)
	}
	if r == nil {
		return all
	}
	if r.Paused {
		add("releases_paused", "No candidate becomes stable, because somebody paused the releases: `fairstream models resume` ends this.")
	}
	if r.Pinned {
		add("stable_pinned", "Version %v stays stable whatever happens, because somebody pinned it: `fairstream models unpin` ends this.", r.Stable)
	}
	return all
}

// rejections are the candidates that were rejected since one became stable, as far as this process saw.
type rejections struct {
	number int
	last   release.Version
	why    string
}

// manyRejections is how many candidates in a row make a condition: one or two may be rejected by chance.
const manyRejections = 3

func (r *rejections) step(s *release.Step) {
	switch s.Kind {
	case release.Promoted, release.Restarted:
		*r = rejections{}
	case release.Rejected:
		r.number, r.last, r.why = r.number+1, s.Version, s.Reason
	}
}

// conditions say that no version gets through, and why the last one did not.
func (r *rejections) conditions() []board.Condition {
	if r.number < manyRejections {
		return nil
	}
	return []board.Condition{{Code: "candidates_rejected", Detail: fmt.Sprintf("The last %d candidates were rejected, the last one, version %v, because of this: %s. "+
		"`fairstream audit` shows the tests of each.", r.number, r.last, r.why)}}
}

// unmovedWords tell that readers stay with a version that no present state moved the alias stable to.
func unmovedWords(off bool, term, number int64) string {
	if off {
		return fmt.Sprintf("release.enabled is false, so this process does not move the alias stable, which points to version %d/%d. Readers stay with this "+
			"version: set release.enabled: true, or read with --alias latest.", term, number)
	}
	return fmt.Sprintf("No version is stable in this state, which began again. The alias stable still points to version %d/%d, and readers stay with it "+
		"until a version has passed every test. Use `fairstream models promote` to choose one at once.", term, number)
}

// logReleased tells of a step of the releases.
func logReleased(logger *zap.Logger, s *release.Step) {
	write := logger.Info
	switch s.Kind {
	case release.Withdrawn, release.Marked, release.Gone, release.Alarm, release.Violated, release.RolledBack:
		write = logger.Warn
	}
	fields := []zap.Field{zap.Int64("step", s.Number), zap.String("kind", string(s.Kind)), zap.Int64("record", s.Record)}
	for name, version := range map[string]release.Version{"version": s.Version, "stable": s.To} {
		if !version.IsZero() {
			fields = append(fields, zap.Stringer(name, version))
		}
	}
	if s.From != s.To && !s.From.IsZero() {
		fields = append(fields, zap.Stringer("stable_before", s.From))
	}
	if s.Actor != "" {
		fields = append(fields, zap.String("actor", s.Actor), zap.String("request", s.Command))
	}
	fields = append(fields, zap.String("reason", s.Reason), zap.Array("gates", gates(s.Gates)))
	write("release: "+stepWords(s.Kind), fields...)
}

func stepWords(kind release.StepKind) string {
	switch kind {
	case release.Frozen:
		return "a version is tested as the candidate"
	case release.Promoted:
		return "a version is stable now"
	case release.Rejected:
		return "a version is rejected"
	case release.Superseded:
		return "a newer version waits in place of another"
	case release.Alarm:
		return "alarm, a difference of the stable version is beyond its limit"
	case release.AlarmEnded:
		return "the alarm about the stable version ended"
	case release.Violated:
		return "the verdict on the stable version is that a difference is beyond its limit"
	case release.ViolatedEnded:
		return "the verdict on the stable version is no longer that the difference is beyond its limit"
	case release.Withdrawn:
		return "the stable version is withdrawn, and an earlier one is stable again"
	case release.Marked:
		return "the stable version is beyond its tolerance, and stays because no earlier one is better"
	case release.Cleared:
		return "the stable version is within its tolerance again"
	case release.RolledBack:
		return "a person went back to an earlier version"
	case release.Gone:
		return "the document of a version is no longer on the model topic"
	case release.Restarted:
		return "the evidence begins again under other settings"
	}
	return string(kind)
}

// gates writes the gates that decide into a log entry, without names from records.
type gates []release.Gate

// MarshalLogArray is part of zapcore.ArrayMarshaler.
func (all gates) MarshalLogArray(to zapcore.ArrayEncoder) error {
	for i := range all {
		g := &all[i]
		if i == mostGates {
			break
		}
		err := to.AppendObject(zapcore.ObjectMarshalerFunc(func(o zapcore.ObjectEncoder) error {
			o.AddString("gate", string(g.Name))
			if g.Comparison != "" {
				o.AddString("constraint", g.Comparison)
			}
			if !g.Against.IsZero() {
				o.AddString("against", g.Against.String())
			}
			o.AddString("status", string(g.Verdict))
			o.AddInt64("records", g.Records)
			if !math.IsNaN(g.Value) && !math.IsNaN(g.Lo) {
				o.AddFloat64("value", g.Value)
				o.AddFloat64("lo", g.Lo)
				o.AddFloat64("hi", g.Hi)
				o.AddFloat64("limit", g.Limit)
			}
			return nil
		}))
		if err != nil {
			return err
		}
	}
	return nil
}
