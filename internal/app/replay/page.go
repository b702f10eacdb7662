package replay

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/findings"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/appraise"
	"github.com/fairstream/fairstream/internal/report"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// newPage is what all pages have in common.
func (r *Replay) newPage(records, rejected int64) *report.Page {
	p := &report.Page{Job: r.config.Job, Program: "fairstream " + program.Version(), Input: r.train.Name + r.Orders.words(), Varied: "tau",
		Learnt: english.Sprintf("%s learnt, %d rejected.", english.Counted(records, "record"), rejected)}
	p.Made = time.Now().UTC().Format("2 Jan 2006, 15:04 UTC")
	if label := r.config.Record.Label; label.Field != "" && label.Positive != "" {
		p.Label = fmt.Sprintf("A label is positive if %s is %s. A positive decision predicts a positive label.", label.Field, label.Positive)
	}
	p.Files = r.files()
	var configuration bytes.Buffer
	encoder := json.NewEncoder(&configuration)
	encoder.SetEscapeHTML(false) // the page escapes it
	encoder.SetIndent("", "  ")
	if encoder.Encode(r.config.Model()) == nil {
		p.Configuration = configuration.String()
	}
	p.Job = cmp.Or(p.Job, "fairstream")
	if len(r.relaxations) > 0 {
		p.Varied = "relaxation"
	}
	return p
}

// writePage writes the page of models that were measured on a holdout.
func (r *Replay) writePage(results []*findings.Result) error {
	first := results[0]
	p := r.newPage(first.Records, first.Rejected)
	e := first.Measured()
	level := findings.LevelOf(e)
	p.Measured = english.Sprintf("Measured on %s held out.", english.Counted(e.Records, "record"))
	p.Spread = fmt.Sprintf("Each interval by itself has the level %v.", level)
	p.Constant = constantNumber(e.Measures)
	variant := func(name string, e, free *findings.Evaluation) report.Variant {
		v := newVariant(name, e.Appraisal, appraisalOf(free), level)
		for _, q := range e.Measures.Qualities() {
			v.Qualities = append(v.Qualities, report.Number{Name: q.Name, Value: q.Measure.Value, Lo: q.Measure.Lo, Hi: q.Measure.Hi})
		}
		for _, c := range e.Constraints {
			v.Constraints = append(v.Constraints, newConstraint(c, report.Number{Value: c.Value, Lo: c.Lo, Hi: c.Hi}, string(c.Status)))
		}
		return v
	}
	for _, result := range results {
		e := result.Measured()
		p.Variants = append(p.Variants, variant(r.nameOf(result.Tau, result.Relaxation), e, e.Unconstrained))
		for _, c := range result.Conditions {
			p.Notes = append(p.Notes, strings.TrimPrefix(findings.OfVariant(result.Tau, result.Relaxation)+": ", ", ")+findings.ConditionWords(c))
		}
	}
	if free := e.Unconstrained; free != nil {
		v := variant("none", free, nil)
		for i := range v.Constraints {
			v.Constraints[i].Status = ""
		}
		p.Unconstrained = &v
	}
	return r.savePage(p)
}

// writeFoldsPage writes the page of models that were measured on all holdouts.
func (r *Replay) writeFoldsPage(results []*folded) error {
	first := results[0]
	e := first.Holdouts[0]
	level := findings.LevelOf(e)
	p := r.newPage(first.Records, first.Rejected)
	p.Measured = english.Sprintf("Measured on %d holdouts of %s each.", len(first.Holdouts), english.Counted(first.Records/int64(r.Folds), "record"))
	p.Spread = fmt.Sprintf("Of accuracy and difference: mean over the holdouts and one standard deviation between them. Of groups: intervals of level %v.", level)
	p.Constant = constantNumber(e.Measures)
	p.Constant.Lo, p.Constant.Hi = math.NaN(), math.NaN()
	variant := func(v report.Variant, s Summary, status func(constraintSummary) string) report.Variant {
		for _, q := range s.Qualities {
			v.Qualities = append(v.Qualities, q.number())
		}
		for i, c := range s.Constraints {
			v.Constraints = append(v.Constraints, newConstraint(e.Constraints[i], c.number(), status(c)))
			v.Constraints[i].Tau = c.Tau
		}
		return v
	}
	for _, f := range results {
		v := newVariant(r.nameOf(f.Tau, f.Relaxation), f.pooled(r.Folds, false), f.pooled(r.Folds, true), level)
		p.Variants = append(p.Variants, variant(v, f.Summary, func(c constraintSummary) string {
			return fmt.Sprintf("within tau in %d of %d", c.Within, c.Holdouts)
		}))
		for _, c := range f.Conditions {
			p.Notes = append(p.Notes, strings.TrimPrefix(fmt.Sprintf("%s, in %d of %d folds: %s", findings.OfVariant(f.Tau, f.Relaxation), c.Folds, len(f.Holdouts), findings.ConditionWords(c.Condition)), ", "))
		}
	}
	if first.Unconstrained != nil {
		v := variant(newVariant("none", nil, nil, level), *first.Unconstrained, func(constraintSummary) string { return "" })
		p.Unconstrained = &v
	}
	return r.savePage(p)
}

// nameOf is the variant, or the bound that is configured.
func (r *Replay) nameOf(tau *float64, relaxation surrogate.Name) string {
	if words := findings.VariantWords(tau, relaxation); words != "" {
		return words
	}
	return r.configuredTau()
}

// configuredTau is the bound that is configured; empty without one.
func (r *Replay) configuredTau() string {
	for _, c := range r.config.Constraints {
		if c.Enforced() {
			return english.Number(c.Tau)
		}
	}
	return ""
}

func (s spread) number() report.Number {
	n := report.Number{Name: s.Name, Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
	if s.Mean != nil {
		n.Value = *s.Mean
	}
	if s.Mean != nil && s.SD != nil {
		n.Lo, n.Hi = *s.Mean-*s.SD, *s.Mean+*s.SD
	}
	return n
}

func constantNumber(m findings.Measures) report.Number {
	q := m.Qualities()[0]
	if q.Constant.Level == 0 {
		return report.Number{Name: m.ConstantWords(), Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
	}
	return report.Number{Name: m.ConstantWords(), Value: q.Constant.Value, Lo: q.Constant.Lo, Hi: q.Constant.Hi}
}

func newConstraint(c fairness.Estimate, difference report.Number, status string) report.Constraint {
	return report.Constraint{Name: c.Name, Criterion: string(c.Criterion), Group: c.Group, Versus: c.Versus, Difference: difference, Tau: c.Tau, Enforced: c.Enforced, Status: status}
}

func appraisalOf(e *findings.Evaluation) *appraise.Appraisal {
	if e == nil {
		return nil
	}
	return e.Appraisal
}

// newVariant takes over what an appraisal says of groups and columns, beside that of the model without constraints.
func newVariant(name string, with, without *appraise.Appraisal, level float64) report.Variant {
	v := report.Variant{Name: name}
	if with == nil {
		return v
	}
	for i := range with.Pairs {
		p := &with.Pairs[i]
		pair := report.Pair{Name: p.Name, Group: report.Side{Label: p.Group.Label}, Versus: report.Side{Label: p.Versus.Label}}
		if p.Group.Confusion.Records+p.Versus.Confusion.Records > 0 { // one of them may have none, and a regression decides nothing
			pair.Group, pair.Versus = newSide(&p.Group, level), newSide(&p.Versus, level)
		}
		ratio := p.ImpactRatio(level)
		pair.Ratio = report.Number{Value: ratio.Value, Lo: ratio.Lo, Hi: ratio.Hi}
		v.Pairs = append(v.Pairs, pair)
	}
	free := map[string][]float64{}
	if without != nil && len(without.Pairs) == len(with.Pairs) {
		for _, c := range without.Columns() {
			free[c.Name] = c.Differences
		}
	}
	for _, c := range with.Columns() {
		v.Columns = append(v.Columns, report.Column{Name: c.Name, Importance: c.Importance, Share: c.Share, With: c.Differences, Without: free[c.Name]})
	}
	return v
}

func newSide(g *appraise.Group, level float64) report.Side {
	s := findings.NewSideGroup(g, level)
	side := report.Side{Label: g.Label, Records: s.Records}
	side.RightPositive, side.WrongPositive = s.Confusion.TruePositive, s.Confusion.FalsePositive
	side.RightNegative, side.WrongNegative = s.Confusion.TrueNegative, s.Confusion.FalseNegative
	for _, row := range findings.GroupRows {
		m := row.Of(&s)
		side.Rates = append(side.Rates, report.Number{Name: strings.TrimSpace(row.Name), Value: m.Value, Lo: m.Lo, Hi: m.Hi})
	}
	for i := range g.Calibration {
		if b := &g.Calibration[i]; b.Records > 0 {
			m := b.Rate(level)
			side.Calibration = append(side.Calibration, report.CalibrationPoint{Score: b.MeanScore(), Rate: report.Number{Value: m.Value, Lo: m.Lo, Hi: m.Hi}, Records: b.Records})
		}
	}
	return side
}

// files are those that were read, with what tells whether they are the same.
func (r *Replay) files() (all []report.File) {
	add := func(name, role string) {
		if !slices.ContainsFunc(all, func(f report.File) bool { return f.Name == name }) {
			all = append(all, report.File{Name: name, Role: role, SHA256: sumOf(name)})
		}
	}
	for _, name := range r.Inputs {
		add(name, "input")
	}
	if r.test.Name != "" && !r.shared && !r.reads(input.Bundled) {
		add(r.Holdout, "holdout")
	}
	return all
}

// sumOf is the SHA-256 of a regular file; empty of anything else, which cannot be read twice.
func sumOf(name string) string {
	if about, err := os.Stat(name); err != nil || !about.Mode().IsRegular() {
		return ""
	}
	file, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }() // it was only read
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return ""
	}
	return hex.EncodeToString(sum.Sum(nil))
}

func (r *Replay) savePage(p *report.Page) error {
	for i, v := range p.Variants {
		if v.Name == r.configuredTau() {
			p.Open = i
		}
	}
	if r.config.Learner.Task == model.Regression {
		p.Constant.Name = "constant prediction"
	}
	var page bytes.Buffer
	if err := p.Write(&page); err != nil {
		return err
	}
	return r.paged().Write(page.Bytes())
}
