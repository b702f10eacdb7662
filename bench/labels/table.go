package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// conditions are those about labels.
var conditions = [...]document.ConditionCode{document.LabelsSelective, document.LabelsNever, document.LabelsOpen, document.OneLabelRecently, document.Unreachable}

// table prints a line for each selection. Shares and means have their standard error in brackets.
type table struct {
	w   *tabwriter.Writer
	out io.Writer
	tau float64
}

func newTable(w io.Writer, tau float64) *table {
	t := &table{tabwriter.NewWriter(w, 0, 0, 2, ' ', 0), w, tau}
	fmt.Fprintln(t.w, "labels\tknown\teffective\tparity covered\thalf\tbeyond tau\tmet\tfalse met\topportunity covered\thalf\thalf/random\tnone\tbeyond tau\ttrue mean, SD, measured mean\tmet\taccuracy\t-random\taccuracy as made covered\thalf\tselective never open one unreachable\topportunity imprecise, below sampling error")
	return t
}

// line prints one. alike are the same streams with random labels that are worth as much, nil if there are none.
func (t *table) line(name string, outcomes, alike []outcome) error {
	share := func(of func(o *outcome) bool) string {
		return mean(outcomes, func(o *outcome) float64 { return hit(of(o)) }, "%.3f")
	}
	number := func(of func(o *outcome) float64) string { return mean(outcomes, of, "%.4f") }
	claim := func(o *outcome, i int) *fairness.Estimate { return &o.claims[i] }
	covered := func(i int) func(o *outcome) bool {
		return func(o *outcome) bool {
			return claim(o, i).Lo <= o.truths[i].Value && o.truths[i].Value <= claim(o, i).Hi
		}
	}
	beyond := func(i int) func(o *outcome) bool {
		return func(o *outcome) bool { return math.Abs(o.truths[i].Value) > t.tau }
	}
	met := func(i int) func(o *outcome) bool {
		return func(o *outcome) bool { return claim(o, i).Status == fairness.Met }
	}
	estimable := slices.DeleteFunc(slices.Clone(outcomes), func(o outcome) bool { return o.claims[1].Status == fairness.NotEstimable })
	fmt.Fprintf(t.w, "%s\t%.2f\t%.0f\t%s\t%.4f\t%s\t%s\t%s\t", name, average(outcomes, func(o *outcome) float64 { return float64(o.labels) / float64(o.labels+o.unlabelled) }),
		average(outcomes, func(o *outcome) float64 { return o.effective }), share(covered(0)), average(outcomes, half(0)), share(beyond(0)), share(met(0)),
		share(func(o *outcome) bool { return beyond(0)(o) && met(0)(o) }))
	ratio, behind := "-", "-"
	if alike != nil {
		known := slices.DeleteFunc(slices.Clone(alike), func(o outcome) bool { return o.claims[1].Status == fairness.NotEstimable })
		ratio = fmt.Sprintf("%.2f", average(estimable, half(1))/average(known, half(1)))
		at := -1
		behind = mean(outcomes, func(o *outcome) float64 {
			at++
			return o.accuracy - alike[at].accuracy
		}, "%.4f")
	}
	var truth fairness.Moments
	for i := range outcomes {
		truth.Add(outcomes[i].truths[1].Value, 1)
	}
	measured := average(estimable, func(o *outcome) float64 { return o.claims[1].Value })
	fmt.Fprintf(t.w, "%s\t%.4f\t%s\t%s\t%s\t%+.4f, %.4f, %+.4f\t%s\t", mean(estimable, func(o *outcome) float64 { return hit(covered(1)(o)) }, "%.3f"), average(estimable, half(1)), ratio,
		share(func(o *outcome) bool { return claim(o, 1).Status == fairness.NotEstimable }), share(beyond(1)), truth.Mean, math.Sqrt(truth.Squares/max(1, float64(truth.Records-1))), measured, share(met(1)))
	fmt.Fprintf(t.w, "%s\t%s\t%s\t%.4f\t", number(func(o *outcome) float64 { return o.accuracy }), behind,
		share(func(o *outcome) bool { return o.claimed.Lo <= o.made && o.made <= o.claimed.Hi }), average(outcomes, func(o *outcome) float64 { return (o.claimed.Hi - o.claimed.Lo) / 2 }))
	told := func(constraint string, code document.ConditionCode) float64 {
		return average(outcomes, func(o *outcome) float64 {
			return hit(slices.ContainsFunc(o.conditions, func(c document.Condition) bool { return c.Code == code && c.Constraint == constraint }))
		})
	}
	for _, code := range conditions {
		fmt.Fprintf(t.w, "%.2f ", told("", code))
	}
	fmt.Fprintf(t.w, "\t%.2f, %.2f\n", told("opportunity", document.Imprecise), told("opportunity", document.BelowSamplingError))
	if err := t.w.Flush(); err != nil {
		return err
	}
	t.watched(outcomes)
	return nil
}

// watched prints what monitors said of equal opportunity.
func (t *table) watched(outcomes []outcome) {
	for i, name := range []string{"monitor", "monitor without weights"} {
		of := func(of func(w *watched) bool) string {
			return mean(outcomes, func(o *outcome) float64 { return hit(of(&o.watched[i])) }, "%.3f")
		}
		estimable := slices.DeleteFunc(slices.Clone(outcomes), func(o outcome) bool { return o.watched[i].estimate.Status == fairness.NotEstimable })
		covered := mean(estimable, func(o *outcome) float64 {
			e := &o.watched[i].estimate
			return hit(e.Lo <= o.watched[i].truth && o.watched[i].truth <= e.Hi)
		}, "%.3f")
		half := average(estimable, func(o *outcome) float64 { return (o.watched[i].estimate.Hi - o.watched[i].estimate.Lo) / 2 })
		fmt.Fprintf(t.out, "    %s: estimate covered %s, half %.4f, none %.3f; sequence of %s, missed at some look %s, ever met %s, a verdict false %s; alarms %.2f\n",
			name, covered, half, 1-float64(len(estimable))/float64(len(outcomes)), of(func(w *watched) bool { return w.estimable }), of(func(w *watched) bool { return w.missed }),
			of(func(w *watched) bool { return w.met }), of(func(w *watched) bool { return w.falsely }), average(outcomes, func(o *outcome) float64 { return float64(o.watched[i].alarms) }))
	}
}

// half is the half-width of the interval of a constraint.
func half(i int) func(o *outcome) float64 {
	return func(o *outcome) float64 { return (o.claims[i].Hi - o.claims[i].Lo) / 2 }
}

func average(outcomes []outcome, of func(o *outcome) float64) (sum float64) {
	for i := range outcomes {
		sum += of(&outcomes[i]) / float64(len(outcomes))
	}
	return sum
}

// mean is an average with its standard error.
func mean(outcomes []outcome, of func(o *outcome) float64, format string) string {
	var m fairness.Moments
	for i := range outcomes {
		m.Add(of(&outcomes[i]), 1)
	}
	n := float64(m.Records)
	return fmt.Sprintf(format+" ("+format+")", m.Mean, math.Sqrt(m.Squares/max(1, n-1)/n))
}

func hit(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
