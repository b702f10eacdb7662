package main

import (
	"fmt"
	"io"
)

var (
	baseRates = []float64{0.01, 0.05, 0.14, 0.3, 0.5}
	shares    = []float64{0.01, 0.05, 0.1, 0.3, 0.5}
)

// populations are the streams that a calibration is about.
var populations = []struct {
	name          string
	rates, shares bool
}{
	{"steady rates", false, false},
	{"moving rates", true, false},
	{"moving rates and shares", true, true},
}

// tables are what the study prints, in this order.
var tables = []struct {
	name  string
	write func(study, *printer)
}{{"false", study.writeFalse}, {"pointwise", study.writePointwise}, {"power", study.writePower},
	{"changes", study.writeChanges}, {"alarms", study.writeAlarms}, {"runs", study.writeRuns}, {"equal", study.writeEqual}, {"dependent", study.writeDependent},
	{"cluster", study.writeCluster}, {"length", study.writeLength}}

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

// writeFalse prints how often sequences are wrong at a difference of tau.
func (s study) writeFalse(p *printer) {
	for _, population := range populations {
		what := "false violated, missed"
		if population.shares {
			what = "missed"
		}
		p.say("\n%s: %s; %d runs of %d records\n\n| base rate |", population.name, what, s.runs, s.records)
		for _, share := range shares {
			p.say(" share %v |", share)
		}
		p.say("\n|---|---|---|---|---|---|\n")
		for _, base := range baseRates {
			p.say("| %v |", base)
			for _, share := range shares {
				p.say(" %s |", s.worst(stream{base: base, share: share, rates: population.rates, shares: population.shares}))
			}
			p.say("\n")
		}
	}
}

// writePointwise prints how often a pointwise interval that is looked at after every record is wrong.
func (s study) writePointwise(p *printer) {
	p.say("\n| base rate | share of the group | pointwise interval ever violated | sequence ever violated |\n|---|---|---|---|\n")
	for _, from := range []stream{{base: 0.3, share: 0.5, difference: tau}, {base: 0.3, share: 0.1, difference: tau}, {base: 0.05, share: 0.1, difference: tau}} {
		violated, _ := s.calibration(from)
		p.say("| %v | %v | %.3f | %.3f |\n", from.base, from.share, s.pointwise(from).value, violated.value)
	}
}

// writePower prints how soon a difference is found.
func (s study) writePower(p *printer) {
	p.say("\n| base rate of versus | share of the group | difference | median records to violated |\n|---|---|---|---|\n")
	for _, share := range []float64{0.5, 0.3, 0.1} {
		for _, from := range []stream{{base: 0.14, difference: 0.15, share: share}, {base: 0.29, difference: -0.15, share: share}} {
			p.say("| %v | %v | %+v | %d |\n", from.base, share, from.difference, s.power(from))
		}
	}
}

// writeChanges prints how often verdicts change in 100,000 records, at differences near tau.
func (s study) writeChanges(p *printer) {
	p.say("\n| difference | changes of the sequence's verdict: mean | largest | events: mean | largest |\n|---|---|---|---|---|\n")
	for _, difference := range []float64{0.02, 0.03, 0.035, 0.04, 0.05, 0.06, 0.065, 0.07, 0.08} {
		c := s.changes(stream{base: 0.3, share: 0.3, difference: difference})
		p.say("| %v | %.1f | %d | %.1f | %d |\n", difference, c.mean[0], c.largest[0], c.mean[1], c.largest[1])
	}
}

// writeAlarms prints how soon a change is found, and what is raised before it.
func (s study) writeAlarms(p *printer) {
	p.say("\n| base rate | share of the group | difference from record 10,000 on | alarms before (95 %% interval) | median delay in records | without alarm |\n|---|---|---|---|---|---|\n")
	for _, from := range []stream{
		{base: 0.3, share: 0.3, difference: 0.15}, {base: 0.3, share: 0.3, difference: -0.15}, {base: 0.3, share: 0.1, difference: 0.15}, {base: 0.3, share: 0.5, difference: 0.15},
		{base: 0.05, share: 0.3, difference: 0.15}, {base: 0.3, share: 0.3, difference: 0.15, rates: true}, {base: 0.3, share: 0.3, difference: 0.25}, {base: 0.3, share: 0.3, difference: 0.1},
	} {
		from.changeAt = 10_000
		a := s.alarms(from)
		moving := ""
		if from.rates {
			moving = ", moving"
		}
		p.say("| %v%s | %v | %+v | %.3f (%.3f to %.3f) | %d | %d |\n", from.base, moving, from.share, from.difference, a.before.value, a.before.lo, a.before.hi, a.median, a.never)
	}
}

// writeLength prints how long detectors run within tau.
func (s study) writeLength(p *printer) {
	p.say("\n| base rate | share of the group | difference | promised run length | measured |\n|---|---|---|---|---|\n")
	for _, from := range []stream{{base: 0.3, share: 0.3, difference: tau}, {base: 0.3, share: 0.1, difference: tau}, {base: 0.3, share: 0.3, difference: 0.03}} {
		const promised = 2000
		p.say("| %v | %v | %v | %d | %.0f |\n", from.base, from.share, from.difference, promised, s.meanRunLength(from, promised))
	}
}

// worst is the cell of the direction with more false verdicts: the group's rate above that of versus by tau, or below it. If rates and
// shares move, the running means differ by more than tau where the rates never do, so that only misses are errors.
func (s study) worst(from stream) string {
	up, down := from, from
	up.difference = tau
	down.base, down.difference = from.base+tau, -tau
	if from.rates { // so that the rates of the group stay above 0
		down.base = from.base + 2*tau
	}
	violated, missed := s.calibration(up)
	if v, m := s.calibration(down); !from.shares && v.value > violated.value || from.shares && m.value > missed.value {
		violated, missed = v, m
	}
	switch {
	case violated.estimable == 0:
		return "not estimable"
	case from.shares:
		return fmt.Sprintf("%.4f (≤ %.4f)", missed.value, missed.hi)
	}
	return fmt.Sprintf("%.4f (≤ %.4f), %.4f", violated.value, violated.hi, missed.value)
}

// printer keeps the first error.
type printer struct {
	out io.Writer
	err error
}

func (p *printer) say(format string, values ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.out, format, values...)
	}
}
