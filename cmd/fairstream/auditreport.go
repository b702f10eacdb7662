package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/fairstream/fairstream/pkg/history"
)

// auditReport is an audit for people.
func auditReport(a *history.Audit) string {
	var text strings.Builder
	fmt.Fprintf(&text, "Job %s from %s to %s UTC.\n", a.Job, moment(a.Since), moment(a.Until))
	writeChain(&text, a)
	writeSignatures(&text, a)
	writeShares(&text, a)
	writeVersions(&text, a)
	section(&text, "Changes of the configuration", "no key was changed", len(a.Changes), table.Row{"time", "term", "records learnt", "change", "who"}, func(i int) table.Row {
		c := a.Changes[i]
		return table.Row{moment(c.Time), c.Term, english.Sprintf("%d", c.Version), c.Change.String(), whoWords(c.Who)}
	})
	section(&text, "Owners of the job", "nobody took the job over", len(a.Owners), table.Row{"time", "term", "before", "records learnt", "who"}, func(i int) table.Row {
		o := a.Owners[i]
		return table.Row{moment(o.Time), o.Term, o.Before, english.Sprintf("%d", o.Version), whoWords(o.Who)}
	})
	section(&text, "Lost data", "none", len(a.Losses), table.Row{"time", "partition", "offsets lost", "from", "to", "kind"}, func(i int) table.Row {
		l := a.Losses[i]
		lost := "unknown"
		if l.Lost >= 0 {
			lost = english.Sprintf("%d", l.Lost)
		}
		return table.Row{moment(l.Time), fmt.Sprintf("%s/%d", l.Topic, l.Partition), lost, l.Offset, l.Resume, l.Kind}
	})
	section(&text, "Verdicts and alarms about the decisions as they were made", "none changed", len(a.Decisions), table.Row{"time", "record", "constraint", "change"}, func(i int) table.Row {
		d := a.Decisions[i]
		return table.Row{moment(d.Time), english.Sprintf("%d", d.Record), fmt.Sprintf("%s: %s − %s", d.Constraint, d.Group, d.Versus), changeWords(d)}
	})
	if len(a.Releases) > 0 {
		section(&text, "Releases", "", len(a.Releases), table.Row{"time", "record", "step", "version", "gates", "why"}, func(i int) table.Row {
			r := a.Releases[i]
			return table.Row{moment(r.Time), english.Sprintf("%d", r.Record), strings.ReplaceAll(r.Step, "_", " "), releasedWords(r.Released), gateWords(r.Gates), causeWords(r.Released)}
		})
	}
	if len(a.Resets) > 0 {
		section(&text, "Resets of the state", "", len(a.Resets), table.Row{"time", "term", "who"}, func(i int) table.Row {
			return table.Row{moment(a.Resets[i].Time), a.Resets[i].Term, whoWords(a.Resets[i].Who)}
		})
	}
	section(&text, "Gaps", "none", len(a.Gaps), table.Row{"from", "to", "for", "reason"}, func(i int) table.Row {
		g := a.Gaps[i]
		return table.Row{moment(g.From), moment(g.To), g.To.Sub(g.From).Round(time.Second), g.Reason}
	})
	return text.String()
}

func moment(t time.Time) string { return t.UTC().Format(time.DateTime) }

// section writes a heading and a table, or what it means that there are no rows.
func section(text *strings.Builder, heading, none string, rows int, header table.Row, row func(int) table.Row) {
	if rows == 0 {
		fmt.Fprintf(text, "\n%s: %s.\n", heading, none)
		return
	}
	t := table.NewWriter()
	t.SetStyle(plain)
	t.AppendHeader(header)
	for i := range rows {
		t.AppendRow(row(i))
	}
	fmt.Fprintf(text, "\n%s:\n%s\n", heading, trimLines(t.Render()))
}

func writeChain(text *strings.Builder, a *history.Audit) {
	c := a.Chain
	if c.Whole {
		english.Fprintf(text, "The history is whole. Its last entry is %d, with SHA-256 %s.\n", c.Head.Sequence, c.Head.SHA256)
	} else {
		fmt.Fprintf(text, "The history is broken in %s:\n", counted(len(c.Breaks), "place"))
		for _, b := range c.Breaks {
			where := fmt.Sprintf("  entry %d", b.Sequence)
			if b.Offset >= 0 {
				where += fmt.Sprintf(", offset %d", b.Offset)
			}
			if !b.Time.IsZero() {
				where += ", " + moment(b.Time)
			}
			fmt.Fprintf(text, "%s: %s\n", where, b.Problem)
		}
	}
	if n := c.Repeated + c.Superseded; n > 0 {
		fmt.Fprintf(text, "%s not counted: attempts that were repeated, or that another process was faster than.\n", counted(n, "record"))
	}
}

// writeSignatures says what is unsigned or forged.
func writeSignatures(text *strings.Builder, a *history.Audit) {
	s := a.Signatures
	switch {
	case !s.Checked:
		fmt.Fprint(text, "No signature was checked: signing.public_keys is not set.\n")
	case len(s.Refused) == 0:
		english.Fprintf(text, "All %d documents and aliases on the model topic are signed by a trusted key.\n", s.Accepted)
	default:
		english.Fprintf(text, "%d documents and aliases on the model topic are signed by a trusted key, and these are refused:\n", s.Accepted)
		for _, r := range s.Refused {
			fmt.Fprintf(text, "  offset %d, %s: %s\n", r.Offset, r.Key, r.Reason)
		}
	}
}

// versionsShown bounds the table of versions; --json has all of them.
const versionsShown = 20

func writeShares(text *strings.Builder, a *history.Audit) {
	if len(a.Constraints) == 0 {
		fmt.Fprint(text, "\nNo constraint was measured in this period.\n")
		return
	}
	percent := func(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }
	t := table.NewWriter()
	t.SetStyle(plain)
	t.AppendHeader(table.Row{"constraint", "tau", "time within tau", "met", "inconclusive", "violated", "not estimable", "no weights", "largest difference"})
	for _, c := range a.Constraints {
		var taus []string
		for _, tau := range c.Taus {
			taus = append(taus, written(tau))
		}
		largest := "none"
		if c.Largest != nil {
			largest = english.Sprintf("%+.3f [%+.3f, %+.3f], version %d of term %d", *c.Largest.Value, *c.Largest.Lo, *c.Largest.Hi, c.LargestVersion, c.LargestTerm)
		}
		t.AppendRow(table.Row{fmt.Sprintf("%s: %s − %s (%s)", c.Name, c.Group, c.Versus, c.Criterion), strings.Join(taus, ", "),
			fmt.Sprintf("%s to %s", percent(c.Within.Lo), percent(c.Within.Hi)), percent(c.Share["met"]), percent(c.Share["inconclusive"]), percent(c.Share["violated"]),
			percent(c.Share["not_estimable"]), percent(c.Share["none"]), largest})
	}
	fmt.Fprintf(text, "\nShares of the time in which a version was the newest, by its own tau and the interval that was published with it:\n%s\n", trimLines(t.Render()))
}

func writeVersions(text *strings.Builder, a *history.Audit) {
	shown := a.Versions[max(0, len(a.Versions)-versionsShown):]
	heading := "Versions"
	if len(shown) < len(a.Versions) {
		heading = english.Sprintf("The last %d of %d versions (--json has all)", len(shown), len(a.Versions))
	}
	section(text, heading, "none was published", len(shown), table.Row{"time", "term", "version", "weights", "in use", "differences", "who"}, func(i int) table.Row {
		v := shown[i]
		var rows []string
		for _, c := range v.Constraints {
			words := fmt.Sprintf("%s: not estimable", c.Name)
			if c.Value != nil {
				words = fmt.Sprintf("%s: %+.3f [%+.3f, %+.3f] of tau %s, %s", c.Name, *c.Value, *c.Lo, *c.Hi, written(c.Tau), c.Status)
			}
			rows = append(rows, words)
		}
		return table.Row{moment(v.Time), v.Term, english.Sprintf("%d", v.Version), v.WeightsSHA256[:min(12, len(v.WeightsSHA256))] + "…",
			time.Duration(v.InUse * float64(time.Second)).Round(time.Second), strings.Join(rows, "\n"), whoWords(v.Who)}
	})
}

// changeWords is what changed about decisions.
func changeWords(d history.Judgement) string {
	if d.To == "" {
		return strings.ReplaceAll(d.Change, "_", " ")
	}
	words := fmt.Sprintf("%s -> %s", d.From, d.To)
	if d.Lo != nil && d.Hi != nil {
		words += english.Sprintf(" [%+.3f, %+.3f], tau %s", *d.Lo, *d.Hi, written(d.Tau))
	}
	return words
}

// releasedWords names the version of a step, and how the alias stable moved.
func releasedWords(r history.Released) string {
	place := func(w *history.Weights) string { return english.Sprintf("%d/%d", w.Term, w.Version) }
	switch {
	case r.From != nil && r.To != nil && *r.From != *r.To:
		return place(r.From) + " -> " + place(r.To)
	case r.Version != nil:
		return place(r.Version)
	}
	return ""
}

// gateWords are the gates of a step, one a line.
func gateWords(gates []history.Gate) string {
	var lines []string
	for _, g := range gates {
		about := strings.ReplaceAll(g.Name, "_", " ")
		if g.Constraint != "" {
			about = g.Constraint
		}
		if g.Against != "" {
			about += " beside " + g.Against
		}
		words := fmt.Sprintf("%s: %s", about, strings.ReplaceAll(g.Status, "_", " "))
		if g.Value != nil && g.Lo != nil && g.Hi != nil {
			words += english.Sprintf(" %+.3f [%+.3f, %+.3f]", *g.Value, *g.Lo, *g.Hi)
		}
		if g.Limit != nil {
			words += ", limit " + written(*g.Limit)
		}
		lines = append(lines, words)
	}
	return strings.Join(lines, "\n")
}

// causeWords says why a step was made, and who asked for it.
func causeWords(r history.Released) string {
	if r.Actor != "" {
		return "for " + r.Actor + ": " + r.Reason
	}
	return r.Reason
}

// whoWords names who is responsible.
func whoWords(w history.Who) string {
	words := w.Service + " on " + w.Host
	if w.Actor != "" {
		words += ", for " + w.Actor
	}
	if w.Reason != "" {
		words += ": " + w.Reason
	}
	return words
}
