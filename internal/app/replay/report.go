package replay

import (
	"fmt"
	"io"
	"strings"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/findings"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
)

// report tells people what was found.
func (r *Replay) report(results []*findings.Result) error {
	var text strings.Builder
	first := results[0]
	english.Fprintf(&text, "Learnt %s%s in %.2f s (%.0f a second); rejected %d.\n",
		english.Counted(first.Records, "record"), r.Orders.words(), first.Seconds, float64(first.Records)/first.Seconds, first.Rejected)
	if first.Unlabelled > 0 {
		english.Fprintf(&text, "%s more have no label, and count in constraints that need none.\n", english.Counted(first.Unlabelled, "record"))
	}
	if len(results) == 1 {
		findings.WriteSingle(&text, first)
	} else {
		findings.WriteFrontier(&text, results)
	}
	r.writeNext(&text, results)
	_, err := io.WriteString(r.Out, text.String())
	return err
}

// otherTaus are bounds to try: those of the rates of any classifier, or about the present one.
func (r *Replay) otherTaus(present *float64) string {
	if r.config.Learner.Task == model.Regression {
		for _, c := range r.config.Constraints {
			if present != nil {
				c.Tau = *present
			}
			if c.Enforced() {
				return fmt.Sprintf("%s,%s,%s", english.Number(c.Tau/2), english.Number(c.Tau), english.Number(2*c.Tau))
			}
		}
	}
	return "0.02,0.05,0.10"
}

// writeNext says what to try next.
func (r *Replay) writeNext(w io.Writer, results []*findings.Result) {
	var next []string
	add := func(format string, arguments ...any) { next = append(next, fmt.Sprintf(format, arguments...)) }
	status := map[fairness.Status]bool{}
	enforced := 0
	for _, result := range results {
		for _, c := range result.Measured().Constraints {
			if c.Enforced {
				enforced++
				status[c.Status] = true
			}
		}
	}
	notMet := status[fairness.Violated] || status[fairness.Inconclusive]
	switch {
	case len(r.config.Constraints) == 0:
		add("bound a difference: add an entry under constraints (fairstream config keys explains each key)")
	case status[fairness.NotEstimable]:
		add("more records of the groups, or versus: rest, so that each side has enough to be measured")
	case notMet && r.config.Learner.Mode == model.Unconstrained:
		add("the constraints enforced: --mode adaptive")
	case notMet && r.config.Learner.Mode == model.Paper:
		add("a smaller threshold (c*tau of the relaxation) of the constraint: tau has no effect in mode paper")
		add("a bound on the difference itself: --mode adaptive, without threshold and learner.paper")
	case notMet && r.config.Learner.Confidence < .99:
		add("a larger margin below tau: --set learner.confidence=0.99")
	}
	if enforced > 0 && len(results) == 1 && r.config.Learner.Mode != model.Paper && !r.reads(input.StandardInput) {
		add("other bounds side by side: --tau %s", r.otherTaus(results[0].Tau))
	}
	if learner := &r.config.Learner; learner.Mode == model.Paper && learner.Paper.Horizon == 0 {
		add("steps for the number of records, which lose less accuracy: --set learner.paper.horizon=%d --set learner.paper.a=0.75 --set learner.paper.k=0.02", results[0].Records)
	}
	if r.Holdout == "" && !r.reads(input.StandardInput) && r.Save == "" {
		add("for a more reliable estimate, use five holdouts: --folds 5")
	}
	if r.test.Name == "" {
		add("records that were not learnt from: --holdout FILE")
	}
	if r.Save == "" && len(results) == 1 {
		what := "decisions"
		if r.config.Learner.Task == model.Regression {
			what = "predictions"
		}
		add("%s for other records: --save weights.json, then fairstream score --model weights.json --input FILE", what)
	}
	if len(next) == 0 {
		return
	}
	fmt.Fprintln(w, "\nTry next:")
	for _, line := range next {
		fmt.Fprintf(w, "  %s\n", line)
	}
}
