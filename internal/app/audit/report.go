package audit

import (
	"fmt"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/pkg/history"
)

// Report is an audit for people, within 80 columns: each thing is a block of lines.
func Report(a *history.Audit) string {
	var text strings.Builder
	fmt.Fprintf(&text, "Job %s from %s to %s UTC.\n", a.Job, moment(a.Since), moment(a.Until))
	writeChain(&text, a)
	writeClocks(&text, &a.Clocks)
	writeSignatures(&text, a)
	writeShares(&text, a)
	writeVersions(&text, a)
	section(&text, "Changes of the configuration", "no key was changed", a.Changes, func(c history.Changed) []string {
		return []string{english.Sprintf("%s  %s", moment(c.Time), c.Change), english.Sprintf("in term %d, after %s", c.Term, english.Counted(c.Version, "record")), whoWords(c.Who)}
	})
	section(&text, "Owners of the job", "nobody took the job over", a.Owners, func(o history.Takeover) []string {
		after := english.Sprintf("after term %d and %s", o.Before, english.Counted(o.Version, "record"))
		if o.Before == 0 {
			after = "the first owner"
		}
		lines := []string{english.Sprintf("%s  term %d, %s", moment(o.Time), o.Term, after)}
		if from := o.StartedFrom; from != "" {
			lines = append(lines, english.Sprintf("from a backfill of %s, %s…", english.Counted(o.Version, "record"), from[:min(12, len(from))]))
		}
		return append(lines, whoWords(o.Who))
	})
	section(&text, "Lost data", "none", a.Losses, func(l history.Lost) []string {
		lost := "an unknown number of offsets"
		if l.Lost >= 0 {
			lost = english.Counted(l.Lost, "offset")
		}
		return []string{fmt.Sprintf("%s  %s/%d: %s", moment(l.Time), l.Topic, l.Partition, strings.ReplaceAll(l.Kind, "_", " ")),
			fmt.Sprintf("%s lost: offset %d was due, and reading continued at offset %d", lost, l.Offset, l.Resume)}
	})
	section(&text, "Verdicts and alarms about the decisions as they were made", "none changed", a.Decisions, func(d history.Judgement) []string {
		return []string{english.Sprintf("%s  record %d, %s: %s − %s", moment(d.Time), d.Record, d.Constraint, d.Group, d.Versus), changeWords(d)}
	})
	if len(a.Releases) > 0 {
		section(&text, "Releases", "", a.Releases, func(r history.ReleaseStep) []string {
			head := english.Sprintf("%s  record %d, %s", moment(r.Time), r.Record, strings.ReplaceAll(r.Step, "_", " "))
			if version := releasedWords(r.Released); version != "" {
				head += ": " + version
			}
			return append(append([]string{head}, gateWords(r.Gates)...), causeWords(r.Released))
		})
	}
	if len(a.Resets) > 0 {
		section(&text, "Resets of the state", "", a.Resets, func(e history.Event) []string {
			return []string{fmt.Sprintf("%s  term %d", moment(e.Time), e.Term), whoWords(e.Who)}
		})
	}
	section(&text, "Gaps", "none", a.Gaps, func(g history.Gap) []string {
		return []string{fmt.Sprintf("%s to %s  %v: %s", moment(g.From), moment(g.To), g.To.Sub(g.From).Round(time.Second), g.Reason)}
	})
	return text.String()
}

func moment(t time.Time) string { return t.UTC().Format(time.DateTime) }

// section writes a heading and a block for each row, or what it means that there are none. The first line of a block is its
// head; empty lines are left out.
func section[Row any](text *strings.Builder, heading, none string, rows []Row, block func(Row) []string) {
	if len(rows) == 0 {
		fmt.Fprintf(text, "\n%s: %s.\n", heading, none)
		return
	}
	fmt.Fprintf(text, "\n%s:\n", english.Prose(heading))
	for _, row := range rows {
		indent := 2
		for _, line := range block(row) {
			if line != "" {
				fmt.Fprintln(text, english.Indented(indent, line))
			}
			indent = 4
		}
	}
}

func writeChain(text *strings.Builder, a *history.Audit) {
	c := a.Chain
	if c.Whole {
		fmt.Fprintln(text, english.Prose(english.Sprintf("The history is whole. Its last entry is %d, with SHA-256 %s.", c.Head.Sequence, c.Head.SHA256)))
	} else {
		fmt.Fprintf(text, "The history is broken in %s:\n", english.Counted(len(c.Breaks), "place"))
		for _, b := range c.Breaks {
			where := fmt.Sprintf("entry %d", b.Sequence)
			if b.Offset >= 0 {
				where += fmt.Sprintf(", offset %d", b.Offset)
			}
			if !b.Time.IsZero() {
				where += ", " + moment(b.Time)
			}
			fmt.Fprintln(text, english.Indented(2, where+": "+b.Problem))
		}
	}
	if n := c.Repeated + c.Superseded; n > 0 {
		fmt.Fprintln(text, english.Prose(english.Counted(n, "record")+" not counted: attempts that were repeated, or that another process was faster than."))
	}
}

// stepsShown bounds the list of clocks that went back; --json has all of them.
const stepsShown = 10

// writeClocks says by how much the clocks of the writers differ, as far as the history shows it.
func writeClocks(text *strings.Builder, c *history.Clocks) {
	seconds := func(s float64) string {
		return time.Duration(s * float64(time.Second)).Round(time.Millisecond).String()
	}
	if len(c.Back) > 0 {
		fmt.Fprintln(text, english.Prose(english.Sprintf("Clocks went back by up to %s between entries: the processes that wrote the history had different clocks. An entry counts as no earlier than "+
			"the one before it, which moves %d of them. Times, shares and gaps below are uncertain by as much.", seconds(c.Largest), c.Moved)))
		for _, step := range c.Back[:min(len(c.Back), stepsShown)] {
			fmt.Fprintln(text, english.Indented(2, english.Sprintf("entry %d of term %d on %s: %s, %s behind the entry before", step.Sequence, step.Term, step.Host, moment(step.Clock), seconds(step.Seconds))))
		}
		if more := len(c.Back) - stepsShown; more > 0 {
			english.Fprintf(text, "  and %d more (--json has all)\n", more)
		}
	}
	if c.Ahead >= 1 {
		fmt.Fprintln(text, english.Prose(fmt.Sprintf("The last entry is %s ahead of the clock of this machine.", seconds(c.Ahead))))
	}
}

// writeSignatures says what is unsigned or forged.
func writeSignatures(text *strings.Builder, a *history.Audit) {
	s := a.Signatures
	writeEntrySignatures(text, &s)
	switch {
	case !s.Checked:
		fmt.Fprint(text, "No signature was checked: signing.public_keys is not set.\n")
	case len(s.Refused) == 0:
		fmt.Fprintln(text, english.Prose(english.Sprintf("All %d documents and aliases on the model topic are signed by a trusted key.", s.Accepted)))
	default:
		english.Fprintf(text, "%d documents and aliases on the model topic are signed by a trusted key.\nThese are refused:\n", s.Accepted)
		for _, r := range s.Refused {
			fmt.Fprintln(text, english.Indented(2, fmt.Sprintf("offset %d, %s: %s", r.Offset, r.Key, r.Reason)))
		}
	}
}

// writeEntrySignatures says which entries of the history are unsigned or forged.
func writeEntrySignatures(text *strings.Builder, s *history.Signatures) {
	if !s.Checked {
		return
	}
	e := s.Entries
	words := english.Sprintf("Of the history, %d entries are signed by a trusted key.", e.Signed)
	if e.Before > 0 {
		words += english.Sprintf(" The %d entries before the first signature are protected by the chain alone.", e.Before)
	}
	if len(e.Refused) > 0 {
		words += " These are refused:"
	}
	fmt.Fprintln(text, english.Prose(words))
	for _, r := range e.Refused {
		which := english.Sprintf("entries %d to %d", r.First, r.Last)
		if r.First == r.Last {
			which = english.Sprintf("entry %d (%s)", r.First, strings.ReplaceAll(string(r.Kind), "_", " "))
		}
		fmt.Fprintln(text, english.Indented(2, which+": "+r.Reason))
	}
}

func writeShares(text *strings.Builder, a *history.Audit) {
	const heading = "Shares of the time in which a version was the newest, by its own tau and the interval that was published with it"
	percent := func(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }
	if len(a.Constraints) == 0 {
		fmt.Fprint(text, "\nNo constraint was measured in this period.\n")
		return
	}
	section(text, heading, "", a.Constraints, func(c history.ConstraintReport) []string {
		var taus []string
		for _, tau := range c.Taus {
			taus = append(taus, english.Number(tau))
		}
		largest := "none"
		if c.Largest != nil {
			largest = english.Sprintf("%+.3f [%+.3f, %+.3f], version %d of term %d", *c.Largest.Value, *c.Largest.Lo, *c.Largest.Hi, c.LargestVersion, c.LargestTerm)
		}
		return []string{
			fmt.Sprintf("%s: %s − %s (%s), tau %s", c.Name, c.Group, c.Versus, c.Criterion, strings.Join(taus, ", ")),
			fmt.Sprintf("time within tau: %s to %s", percent(c.Within.Lo), percent(c.Within.Hi)),
			fmt.Sprintf("met %s, inconclusive %s, violated %s, not estimable %s, no weights %s", percent(c.Share["met"]), percent(c.Share["inconclusive"]),
				percent(c.Share["violated"]), percent(c.Share["not_estimable"]), percent(c.Share["none"])),
			"largest difference: " + largest,
		}
	})
}

// versionsShown bounds the list of versions; --json has all of them.
const versionsShown = 20

func writeVersions(text *strings.Builder, a *history.Audit) {
	shown := a.Versions[max(0, len(a.Versions)-versionsShown):]
	heading := "Versions"
	if len(shown) < len(a.Versions) {
		heading = english.Sprintf("The last %d of %d versions (--json has all)", len(shown), len(a.Versions))
	}
	section(text, heading, "none was published", shown, func(v history.Version) []string {
		lines := []string{english.Sprintf("%s  version %d of term %d", moment(v.Time), v.Version, v.Term),
			fmt.Sprintf("weights %s…, in use for %v", v.WeightsSHA256[:min(12, len(v.WeightsSHA256))], time.Duration(v.InUse*float64(time.Second)).Round(time.Second))}
		for _, c := range v.Constraints {
			words := fmt.Sprintf("%s: not estimable", c.Name)
			if c.Value != nil {
				words = fmt.Sprintf("%s: %+.3f [%+.3f, %+.3f] of tau %s, %s", c.Name, *c.Value, *c.Lo, *c.Hi, english.Number(c.Tau), c.Status)
			}
			lines = append(lines, words)
		}
		return append(lines, whoWords(v.Who))
	})
}

// changeWords is what changed about decisions.
func changeWords(d history.Judgement) string {
	if d.To == "" {
		return strings.ReplaceAll(d.Change, "_", " ")
	}
	words := fmt.Sprintf("%s -> %s", d.From, d.To)
	if d.Lo != nil && d.Hi != nil {
		words += english.Sprintf(" [%+.3f, %+.3f], tau %s", *d.Lo, *d.Hi, english.Number(d.Tau))
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
func gateWords(gates []history.Gate) []string {
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
			words += ", limit " + english.Number(*g.Limit)
		}
		lines = append(lines, words)
	}
	return lines
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
	words := "by " + w.Service + " on " + w.Host
	if w.Actor != "" {
		words += ", for " + w.Actor
	}
	if w.Reason != "" {
		words += ": " + w.Reason
	}
	return words
}
