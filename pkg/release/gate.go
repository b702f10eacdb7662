package release

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// Gate is one requirement on a candidate, with the evidence for its verdict.
type Gate struct {
	Name GateName
	// Comparison and Criterion name the comparison of a gate about groups, and Index its index in Grouper.Comparisons; −1 otherwise.
	Comparison string
	Criterion  fairness.Criterion
	Index      int
	// Against is the version that losses are compared with. It is zero for the better constant, and for gates that compare with nothing.
	Against Version
	// Verdict is met, violated, inconclusive or not_estimable.
	Verdict fairness.Status
	// Decides says whether the candidate has to meet this gate. One that does not is shown only.
	Decides bool
	// Value is the estimate, Lo and Hi its confidence sequence at the present end, and Limit what they are compared with: ±Limit for a
	// difference, at least Limit for a ratio, at most Limit for a loss. They are NaN if there is no estimate.
	Value, Lo, Hi float64
	Limit         float64
	// Bound is the tau of a comparison, which its limit is beyond; NaN of other gates.
	Bound float64
	// Records is how many records the verdict rests on: of a comparison those of both sides, of a loss those with a label.
	Records int64
	// Needed is about how many more decided records the verdict takes, at the rates so far; NaN if that is not known, or if there
	// is a verdict. Only a report has it.
	Needed float64
	// Reason says, in a report and in a step, why there is no verdict.
	Reason string
}

// GateName is the kind of a gate.
type GateName string

// The gates.
const (
	// GateIntegrity: the document is sound, golden rows give the same bits, and it is not too large.
	GateIntegrity GateName = "integrity"
	// GateComparison: the difference, or ratio, of two groups is within its limit.
	GateComparison GateName = "comparison"
	// GateLogLoss and GateError: the mean log loss, and the share of wrong decisions, are at most delta above those of another version.
	GateLogLoss GateName = "log_loss"
	GateError   GateName = "error"
	// GateSquaredError: the mean squared error of a regression is at most the share delta above that of another version.
	GateSquaredError GateName = "squared_error"
)

// verdict is that of all gates together: violated if one that decides is, met if all are.
func verdict(gates []Gate) fairness.Status {
	all := fairness.Met
	for i := range gates {
		switch {
		case !gates[i].Decides:
		case gates[i].Verdict == fairness.Violated:
			return fairness.Violated
		case gates[i].Verdict != fairness.Met:
			all = fairness.Inconclusive
		}
	}
	return all
}

// words are the gate for a person: the comparison by its name, a loss with what it is compared with.
func (g *Gate) words() string {
	switch {
	case g.Name == GateComparison:
		return g.Comparison
	case g.Name == GateIntegrity:
		return "the weights are not complete and unchanged"
	case g.Against.IsZero():
		return g.Name.words() + " compared with the same decision for everyone"
	}
	return g.Name.words() + " compared with version " + g.Against.String()
}

func (n GateName) words() string {
	switch n {
	case GateError:
		return "the share of wrong decisions"
	case GateLogLoss:
		return "the error of the scores (log loss)"
	}
	return "the " + strings.ReplaceAll(string(n), "_", " ")
}

// mostNamed bounds the gates that a reason names.
const mostNamed = 5

// open names the gates that decide and have this verdict; with an empty one those that are not met.
func open(gates []Gate, verdict fairness.Status) string {
	var names []string
	for i := range gates {
		g := &gates[i]
		if name := g.words(); g.Decides && (g.Verdict == verdict || verdict == "" && g.Verdict != fairness.Met) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > mostNamed {
		names = append(names[:mostNamed], fmt.Sprintf("and %d more", len(names)-mostNamed))
	}
	return strings.Join(names, ", ")
}

func newGate(name GateName) Gate {
	absent := math.NaN()
	return Gate{Name: name, Index: -1, Verdict: fairness.NotEstimable, Decides: true, Value: absent, Lo: absent, Hi: absent, Limit: absent, Bound: absent, Needed: absent}
}

// within compares an interval with a comparison's limit.
func within(c fairness.Comparison, lo, hi float64) fairness.Status {
	switch ratio := c.Criterion.OfRatio(); {
	case ratio && lo >= c.Tau, !ratio && lo >= -c.Tau && hi <= c.Tau:
		return fairness.Met
	case ratio && hi < c.Tau, !ratio && (lo > c.Tau || hi < -c.Tau):
		return fairness.Violated
	}
	return fairness.Inconclusive
}

// against compares the interval of a difference with what may be lost.
func against(lo, hi, delta float64) fairness.Status {
	switch {
	case hi <= delta:
		return fairness.Met
	case lo > delta:
		return fairness.Violated
	}
	return fairness.Inconclusive
}

const selectiveReason = "labels depend on the records, and those that have one do not stand for all"

const fewRecords = "a side has fewer records than release.minimum_records"
