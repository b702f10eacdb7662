package release

import (
	"math"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// meanWatch is about mean predictions of a regression. It counts them itself: a monitor counts decisions.
type meanWatch struct {
	fairness.MeanDetector // about the limit
	seen                  means
	tau                   float64
	limit                 float64
	minimum               int64 // records of each side
	level                 float64
}

func (w *meanWatch) add(side fairness.Side, own Decision) bool {
	w.seen.add(side, own.Score)
	return w.Add(side, own.Score, w.limit)
}

func (w *meanWatch) unfair() bool { return w.within(w.tau) == fairness.Violated }

func (w *meanWatch) enough() bool { return w.seen.fewest() >= w.minimum }

func (w *meanWatch) status() fairness.Status { return w.within(w.limit) }

// within compares the sequence with a bound.
func (w *meanWatch) within(bound float64) fairness.Status {
	if !w.enough() {
		return fairness.NotEstimable
	}
	_, lo, hi := w.seen.interval(w.level)
	return within(fairness.Comparison{Tau: bound}, lo, hi)
}

func (w *meanWatch) gate(g *Gate, _ *fairness.Comparison, observed int64) {
	g.Records = w.seen.sides[0].records + w.seen.sides[1].records
	if !w.enough() {
		g.Reason = fewRecords
		return
	}
	g.Value, g.Lo, g.Hi = w.seen.interval(w.level)
	if g.Verdict = w.status(); g.Verdict == fairness.Inconclusive {
		g.Needed = neededMeans(g, observed)
	}
}

func (w *meanWatch) contrast() contrast { return new(meanContrast) }

func (w *meanWatch) fields(c *codec.Coder) {
	meanDetectorFields(c, &w.MeanDetector)
	w.seen.fields(c)
}

// meanAlarm says that a mean difference has left tau, as a monitor does for rates.
type meanAlarm struct {
	detector fairness.MeanDetector // about tau
	raised   bool
	told     bool  // what was told last
	recent   means // since it was raised last, or since the recent records were looked at
}

// alarmWindow is how many records an alarm looks at to end.
const alarmWindow = 10_000

// add counts a prediction. The alarm is raised if the evidence reaches at.
func (a *meanAlarm) add(side fairness.Side, prediction, tau, at float64) {
	if a.raised {
		a.recent.add(side, prediction)
	}
	if a.detector.Add(side, prediction, tau) && a.detector.Evidence() >= at {
		a.detector.Restart()
		a.raised, a.recent = true, means{}
	}
}

// changed ends the alarm if the recent records are within tau again, and says whether there is something to tell.
func (a *meanAlarm) changed(tau float64) bool {
	if a.raised && a.recent.sides[0].records+a.recent.sides[1].records >= alarmWindow {
		a.raised = !(a.recent.fewest() > 0 && math.Abs(a.recent.difference()) <= tau)
		a.recent = means{}
	}
	changed := a.raised != a.told
	a.told = a.raised
	return changed
}

func (a *meanAlarm) fields(c *codec.Coder) {
	meanDetectorFields(c, &a.detector)
	c.Bool(&a.raised)
	c.Bool(&a.told)
	a.recent.fields(c)
}

// meanContrast are the predictions of two versions for the same records of both sides.
type meanContrast struct {
	stable, earlier means
	gained          means // the prediction of the stable version above that of the earlier one
}

func (k *meanContrast) add(side fairness.Side, stable, earlier Decision) {
	k.stable.add(side, stable.Score)
	k.earlier.add(side, earlier.Score)
	k.gained.add(side, bounded(stable.Score)-bounded(earlier.Score))
}

func (k *meanContrast) enough() bool { return k.earlier.fewest() >= fairness.SequenceMinimum }

func (k *meanContrast) status(c *fairness.Comparison, level float64) fairness.Status {
	_, lo, hi := k.earlier.interval(level)
	return within(*c, lo, hi)
}

func (k *meanContrast) present() float64 { return k.stable.difference() }

func (k *meanContrast) gain(level float64) (value, lo, hi float64) { return k.gained.interval(level) }

func (k *meanContrast) fields(c *codec.Coder) {
	for _, one := range [...]*means{&k.stable, &k.earlier, &k.gained} {
		one.fields(c)
	}
}
