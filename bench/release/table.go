package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// tables are what the study prints, in this order.
var tables = []struct {
	name  string
	write func(study, *printer)
}{{"candidates", study.writeCandidates}, {"sequence", study.writeSequence}, {"stable", study.writeStable}, {"means", study.writeMeans}, {"edges", study.writeEdges}}

// write prints every table, or the one of a name.
func (s study) write(out io.Writer) error {
	p := &printer{out: out}
	for _, table := range tables {
		if s.only == "" || s.only == table.name {
			table.write(s, p)
		}
	}
	return p.err
}

// writeCandidates prints how many candidates of each kind become stable.
func (s study) writeCandidates(p *printer) {
	p.say("\n| candidate | promoted (95 %% interval) | within %s records | rejected | median records |\n|---|---|---|---|---|\n", thousands(soon))
	for _, kind := range slices.Concat(s.qualities(), s.atTheLimit()) {
		r := s.candidates(kind.version)
		p.say("| %s | %s | %s | %s | %s |\n", kind.name, interval(r.promoted, s.runs), percent(r.soon, s.runs), percent(r.rejected, s.runs), thousands(r.median))
	}
}

// writeSequence prints what became of many candidates on one stream.
func (s study) writeSequence(p *printer) {
	h := s.sequence()
	p.say("\n| candidates | number | promoted | rejected | median records |\n|---|---|---|---|---|\n")
	for _, line := range []struct {
		name string
		row
	}{{"good", h.good}, {"bad", h.bad}} {
		p.say("| %s | %d | %d | %d | %s |\n", line.name, line.promoted+line.rejected, line.promoted, line.rejected, thousands(line.median))
	}
	p.say("\n%s records; stable versions withdrawn: %d, marked: %d; largest log loss of a stable version above the first: %.3f\n",
		thousands(int(h.records)), h.withdrawn, h.marked, h.worst)
}

// writeStable prints what becomes of stable versions.
func (s study) writeStable(p *printer) {
	p.say("\n| difference of the stable version | alarm | median records | withdrawn | marked | median records | before the change |\n|---|---|---|---|---|---|---|\n")
	for _, f := range fates {
		l := s.lives(f)
		p.say("| %s | %s | %s | %s | %s | %s | %s |\n", f.name, percent(l.alarms, s.runs), some(l.alarms, l.alarm), interval(l.withdrawn, s.runs),
			percent(l.marked, s.runs), some(l.withdrawn+l.marked, l.delay), percent(l.early, s.runs))
	}
}

// writeMeans prints what becomes of stable versions of a regression.
func (s study) writeMeans(p *printer) {
	p.say("\n| deviation | group | difference of the stable version | alarm | median records | withdrawn | marked | median records | before the change |\n" +
		"|---|---|---|---|---|---|---|---|---|\n")
	for _, f := range meanFates() {
		l := s.meanLives(f)
		p.say("| %g | %g %% | %s | %s | %s | %s | %s | %s | %s |\n", f.spread, 100*f.share, f.name, percent(l.alarms, s.runs), some(l.alarms, l.alarm),
			interval(l.withdrawn, s.runs), percent(l.marked, s.runs), some(l.withdrawn+l.marked, l.delay), percent(l.early, s.runs))
	}
}

// writeEdges prints what happens in unusual cases.
func (s study) writeEdges(p *printer) {
	p.say("\n| case | candidate | promoted | rejected | median records |\n|---|---|---|---|---|\n")
	runs := max(4, s.runs/10)
	for _, e := range s.edges() {
		r := count(parallel(runs, func(i int) end { return s.edge(e, uint64(i)) }))
		p.say("| %s | %s | %s | %s | %s |\n", e.name, e.quality.name, percent(r.promoted, runs), percent(r.rejected, runs), thousands(r.median))
	}
}

// percent is a share of streams.
func percent(k, n int) string { return fmt.Sprintf("%.3g %%", 100*float64(k)/float64(n)) }

// interval is a share with Wilson's interval.
func interval(k, n int) string {
	lo, hi := fairness.Wilson(float64(k)/float64(n), float64(n), 0.95)
	return fmt.Sprintf("%s (%.2g to %.3g)", percent(k, n), 100*lo, 100*hi)
}

// some is a number of records, if there was a stream that it is of.
func some(streams, records int) string {
	if streams == 0 {
		return "–"
	}
	return thousands(records)
}

// thousands writes a number with commas.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return thousands(n/1000) + fmt.Sprintf(",%03d", n%1000)
}

type printer struct {
	out io.Writer
	err error
}

func (p *printer) say(format string, arguments ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.out, format, arguments...)
	}
}
