package replay

import (
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/findings"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/inspect/keys"
	"github.com/fairstream/fairstream/internal/inspect/seen"
	"github.com/fairstream/fairstream/internal/inspect/sequence"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// warn tells of what is not wrong but probably not meant: labels that are all alike, fields that the
// configuration names and the input has not, and groups of nobody.
func (r *Replay) warn(p *input.Pass, seen *labels) {
	warn := func(format string, arguments ...any) {
		english.Fprintf(r.Err, "Warning: "+format+"\n", arguments...)
	}
	if r.reads(r.Holdout) {
		warn("--holdout %s is the --input too, so what it measures was learnt: hold records out with --folds 5", r.Holdout)
	}
	if first, second, column := r.disordered(); column != "" {
		warn("--input: by %q, the first records of %s are later than those of %s, which is learnt after it. Records are learnt in their order, and the last count most: give the oldest file first", column, first, second)
	}
	look := r.lookAt(p.Source)
	r.look = look.seen
	if look.seen != nil && r.meaning != nil {
		r.meaning.Left = look.seen.LeftOut()
	}
	r.oneLabel = !seen.differ
	switch {
	case seen.differ:
	case r.config.Learner.Task == model.Regression:
		warn("every label is the same number: is record.label.field the one to predict?")
	case seen.first.Positive:
		warn("every record is positive: is record.label.positive written as in %s?%s", p.Source.Name, look.valuesOf(r.config.Record.Label.Field))
	default:
		warn("no record is positive: is record.label.positive written as in %s?%s", p.Source.Name, look.valuesOf(r.config.Record.Label.Field))
	}
	has := func(name string) bool {
		return slices.ContainsFunc(p.Fields, func(field string) bool { return field == name || strings.HasPrefix(field, name+".") })
	}
	for _, named := range keys.Named(r.config.Model()) {
		if len(p.Fields) > 0 && !has(named.Field) {
			warn("%s: %s has no field %q%s", named.Path, p.Source.Name, named.Field, english.DidYouMeanField(named.Field, p.Fields))
		}
	}
	r.warnGroups(has, warn, p.Source.Name, look)
	if r.config.Record.Key != "" && seen.without > 0 {
		warn("record.key: replay joins no labels to records: %d records have no label, and what was learnt is of those that bring one with them. Put a record and its label in one line, or let run join them", seen.without)
	}
	proxies := 0
	odd := look.columnFindings()
	ofFirst := len(odd)
	odd = append(odd, r.units.Changed(0)...)
	if r.config.Learner.Task == model.Classification {
		odd = append(odd, sequence.Labels(&seen.order, r.config.Record.Label.Field)...)
	}
	for at, finding := range odd {
		cost := ""
		if finding.Proxy != "" && proxies < mostProxies {
			proxies++
			cost = r.withoutProxy(p.Source, finding.Proxy)
		}
		warn("%s%s", finding, cost)
		if at == ofFirst-1 && int64(look.read) < seen.order.Known+seen.without {
			english.Fprintf(r.Err, "The warnings about columns count only the first %d records; fairstream check looks at all of them.\n", look.read)
		}
	}
	for _, condition := range r.learners[0].Measurements().Conditions {
		if findings.OfColumns(condition) {
			warn("%s", condition.Detail)
		}
	}
}

// warnGroups tells of attributes that are always missing, and of groups of which there is no record while there
// are records with values that no group has, as when a value is written in another way than in the input.
func (r *Replay) warnGroups(has func(field string) bool, warn func(format string, arguments ...any), input string, look firstRecords) {
	for _, e := range r.learners[0].Measurements().Prequential.Constraints {
		i := slices.IndexFunc(r.config.Constraints, func(c model.Constraint) bool { return c.Name == e.Name })
		if !slices.ContainsFunc(r.config.Constraints[i].Attribute, func(field string) bool { return !has(field) }) && e.NUnknown > 0 && e.NGroup+e.NVersus+e.NNeither == 0 {
			warn("constraints[%d].attribute: missing in all records that %s looks at, %d", i, e.Criterion, e.NUnknown)
		}
		if e.NNeither == 0 {
			continue
		}
		known := e.NGroup + e.NVersus + e.NNeither
		if e.NGroup == 0 {
			warn("constraints[%d].group: none of the %d records that %s looks at is %s: is it written as in %s?%s", i, known, e.Criterion, e.Group, input, look.valuesOf(r.config.Constraints[i].Attribute...))
		}
		if e.NVersus == 0 {
			warn("constraints[%d].versus: none of the %d records that %s looks at is %s: is it written as in %s?%s", i, known, e.Criterion, e.Versus, input, look.valuesOf(r.config.Constraints[i].Attribute...))
		}
	}
}

// labels knows whether there were different ones, and in which order.
type labels struct {
	order       seen.Labels
	any, differ bool
	without     int64
	first       struct {
		Positive bool
		Number   float64
	}
}

func (l *labels) add(rec *record.Record) {
	if !rec.HasLabel {
		l.without++
		return // it is counted without one
	}
	l.order.Add(rec.Positive)
	if !l.any {
		l.any = true
		l.first.Positive, l.first.Number = rec.Positive, rec.Label
	}
	l.differ = l.differ || rec.Positive != l.first.Positive || rec.Label != l.first.Number
}
