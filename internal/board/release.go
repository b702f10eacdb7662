package board

import (
	"math"
	"strconv"
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// Release is which published versions readers are to use, and on what evidence that changes.
type Release struct {
	// Stable, Candidate and Previous are where the aliases point. Waiting is the version that is tested next. nil: none.
	Stable    *Place `json:"stable"`
	Candidate *Place `json:"candidate"`
	Previous  *Place `json:"previous"`
	Waiting   *Place `json:"waiting"`
	// UnwatchedSince is since when versions are neither tested nor withdrawn, because the releases are stopped by a defect: Trial and Guard are nil
	// then. nil: they work.
	UnwatchedSince *time.Time `json:"unwatched_since"`
	// Paused: no version becomes stable by itself. Pinned: the stable one stays, whatever its evidence says.
	Paused bool `json:"paused"`
	Pinned bool `json:"pinned"`
	// CoolDown is how many records must pass until a candidate may become stable.
	CoolDown int64 `json:"cool_down"`
	// Barred is how many versions were withdrawn, and never become stable again.
	Barred int `json:"barred"`
	// Confidence is 1 minus the probability that one bad version becomes stable.
	Confidence float64 `json:"confidence"`
	// Share is the share of the records that the versions decide. The other numbers of records count these only.
	Share float64 `json:"share"`
	// Trial is the evidence about the candidate, Guard that about the stable version; nil without one.
	Trial *Trial `json:"trial"`
	Guard *Guard `json:"guard"`
	// Steps are what happened, the newest first, at most MostSteps.
	Steps []Step `json:"steps"`
	// Orders: POST /api/v1/release takes orders of a person, with the token.
	Orders bool `json:"orders"`
}

// MostSteps bounds Release.Steps.
const MostSteps = 30

// Place names a published version.
type Place struct {
	Term          int64  `json:"term"`
	Version       int64  `json:"version"`
	WeightsSHA256 string `json:"weights_sha256"`
}

// Trial is the evidence about the candidate since it was frozen.
type Trial struct {
	// Observed is how many records came, Undecided how many of these it did not decide, Labelled how many labels came.
	Observed  int64  `json:"observed"`
	Undecided int64  `json:"undecided"`
	Labelled  int64  `json:"labelled"`
	Gates     []Gate `json:"gates"`
	// RecordsNeeded is about how many more records the gates take; nil if that is not known.
	RecordsNeeded *int64 `json:"records_needed"`
	// Deadline is how many records with a label it has left, and Patience how many records, before it is rejected.
	Deadline int64 `json:"deadline"`
	Patience int64 `json:"patience"`
}

// Guard is the evidence about the stable version since it is watched.
type Guard struct {
	Observed int64  `json:"observed"`
	Gates    []Gate `json:"gates"`
	// Alarm: a difference has left tau. Evidence is that of a withdrawal, as a share of what it takes.
	Alarm    bool   `json:"alarm"`
	Evidence Number `json:"evidence"`
	// Marked: it is outside its limit, and stays, because no earlier version is better.
	Marked bool `json:"marked"`
	// Gone: its document is no longer on the model topic.
	Gone bool `json:"gone"`
	// Compared is on how many records it is compared with earlier versions; nil if it is not.
	Compared *int64 `json:"compared"`
}

// Gate is one requirement on a version.
type Gate struct {
	// Name is integrity, comparison, log_loss, error or squared_error.
	Name string `json:"name"`
	// Constraint and Criterion are those of a comparison; Against is the version that a loss is compared with, nil for the
	// better constant and for what is compared with nothing.
	Constraint string             `json:"constraint"`
	Criterion  fairness.Criterion `json:"criterion"`
	Against    *Place             `json:"against"`
	// Decides is whether the version has to meet it.
	Decides bool            `json:"decides"`
	Status  fairness.Status `json:"status"`
	Value   Number          `json:"value"`
	Lo      Number          `json:"lo"`
	Hi      Number          `json:"hi"`
	Limit   Number          `json:"limit"`
	// Tau is that of a comparison, which Limit is beyond; not known of other gates. Beyond says that the whole interval lies beyond it.
	Tau    Number `json:"tau"`
	Beyond bool   `json:"beyond"`
	// Text is the result in words: see Tell.
	Text string `json:"text"`
	// Records are those of the evidence, RecordsNeeded about how many more a verdict takes; nil if there is one or it is not
	// known.
	Records       int64  `json:"records"`
	RecordsNeeded *int64 `json:"records_needed"`
	Reason        string `json:"reason"`
}

// Step is something that happened to the versions.
type Step struct {
	// Kind is frozen, promoted, rejected, withdrawn, rolled_back and others; Text says it in words.
	Kind string `json:"kind"`
	Text string `json:"text"`
	// Version is the one that the step is about; 0 without one.
	Version int64 `json:"version"`
	// Record is the number of records then.
	Record int64     `json:"record"`
	Time   time.Time `json:"time"`
	// Actor is the person who asked for it; empty if the rules did it. Reason says why.
	Actor  string `json:"actor"`
	Reason string `json:"reason"`
}

// Tell fills in Beyond and Text. Limit is wider than Tau, by a tolerance, so that a version whose whole interval is beyond Tau may still pass, or not be
// known to fail: that is said. In words for people Tau is the limit.
func (g *Gate) Tell() {
	ratio := g.Criterion.OfRatio()
	g.Beyond = g.Name == "comparison" && g.Tau.Known() && g.Lo.Known() && g.Hi.Known() && (ratio && g.Hi < g.Tau || !ratio && (g.Lo > g.Tau || g.Hi < -g.Tau))
	limit, tolerance := "the limit "+places(g.Tau), "the tolerance ("+places(g.Limit)+")"
	switch {
	case g.Status == fairness.Met && g.Beyond:
		g.Text = "passed: beyond " + limit + ", but within " + tolerance
	case g.Status == fairness.Met:
		g.Text = "passed"
	case g.Status == fairness.Violated && g.Name == "comparison" && g.Limit.Known():
		g.Text = "failed: beyond " + tolerance
	case g.Status == fairness.Violated:
		g.Text = "failed"
	case g.Beyond:
		g.Text = "beyond " + limit + "; not known whether beyond " + tolerance
	case g.Status == fairness.Inconclusive:
		g.Text = "not known yet"
	default:
		g.Text = "cannot be estimated"
	}
}

// Within says whether the whole interval of a comparison lies within Tau.
func (g *Gate) Within() bool {
	if !g.Tau.Known() || !g.Lo.Known() || !g.Hi.Known() {
		return false
	}
	if g.Criterion.OfRatio() {
		return g.Lo >= g.Tau
	}
	return g.Lo >= -g.Tau && g.Hi <= g.Tau
}

// places are the digits of a limit, without those that arithmetic left.
func places(x Number) string {
	return strconv.FormatFloat(math.Round(float64(x)*1e4)/1e4, 'f', -1, 64)
}

// complete replaces lists that are nil.
func (r *Release) complete() {
	if r == nil {
		return
	}
	list(&r.Steps)
	if r.Trial != nil {
		list(&r.Trial.Gates)
	}
	if r.Guard != nil {
		list(&r.Guard.Gates)
	}
}
