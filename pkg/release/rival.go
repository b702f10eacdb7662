package release

import "math"

// rival is what a candidate is compared with, record by record: another version, or the better constant.
type rival struct {
	version Version // zero for the constant
	loss    pair    // log losses, or squared errors: see lost
	wrong   pair    // wrong decisions, 0 or 1
	scale   pair    // squared errors of the rival
}

// The largest probability of a decision by which log loss is counted is 1 − leastProbability: one record that a version is certain about,
// and wrong, must not decide.
const leastProbability = 0.001

func logLoss(probability float64, label bool) float64 {
	if !label {
		probability = 1 - probability
	}
	if !(probability >= leastProbability) { // nor not a number
		probability = leastProbability
	}
	return -math.Log(min(probability, 1-leastProbability))
}

// outcome is what one version lost on one record.
type outcome struct{ loss, wrong float64 }

// lost is what a decision loses on a labelled record.
func (m *Machine) lost(d Decision, r *Record) outcome {
	if m.config.Regression {
		off := bounded(d.Score - r.Target)
		return outcome{loss: float64(off * off)}
	}
	o := outcome{loss: logLoss(d.Score, r.Label)}
	if d.Positive != r.Label {
		o.wrong = 1
	}
	return o
}

// mostOff bounds an error, in units of the label, so that the sums stay finite.
const mostOff = 1e12

func bounded(off float64) float64 {
	if !(off > -mostOff && off < mostOff) { // nor not a number
		return math.Copysign(mostOff, off)
	}
	return off
}

// add compares what a candidate and the rival lost.
func (v *rival) add(candidate, other outcome) {
	v.loss.add(candidate.loss - other.loss)
	v.wrong.add(candidate.wrong - other.wrong)
	v.scale.add(other.loss)
}

// The sizes of the unseen differences: see pair.interval. They are about the largest that there are, since a log loss differs by up to 6.9. Squared errors have no
// largest difference, and theirs is in units of their mean.
const (
	unseenLoss  = 6
	unseenWrong = 1
)

// constant decides all records alike, by the labels before: it gives each record the share of positive labels as its probability, or
// their mean as its prediction.
type constant struct {
	labels int64
	sum    float64
}

// decide is its decision before a label is known.
func (k *constant) decide(regression bool) Decision {
	if regression {
		return Decision{Known: true, Score: k.sum / float64(max(1, k.labels))}
	}
	p := (k.sum + 0.5) / float64(k.labels+1)
	return Decision{Known: true, Positive: p > 0.5, Score: p}
}

func (k *constant) add(r *Record, regression bool) {
	k.labels++
	switch {
	case regression:
		k.sum += bounded(r.Target)
	case r.Label:
		k.sum++
	}
}
