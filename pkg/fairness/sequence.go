package fairness

import (
	"fmt"
	"math"
)

// The methods by which a confidence sequence is made.
const (
	MethodAsymptoticSequence = "asymptotic-confidence-sequence"
	MethodBernsteinSequence  = "empirical-bernstein-confidence-sequence"
	MethodWeighedSequence    = "asymptotic-confidence-sequence-on-effective-sizes"
)

// Trials are the decisions on one side of a comparison, in the order in which they were made.
type Trials struct {
	Records   int64
	Positives int64
	// Spread is Σ (x − x̂)², where x̂ = (½ + positives before)/(records before + 1) predicts each decision x, 0 or 1, from those
	// before. Only the exact sequence needs it.
	Spread float64
}

// Add counts one decision.
func (t *Trials) Add(positive bool) {
	x := 0.0
	if positive {
		x = 1
	}
	off := x - (0.5+float64(t.Positives))/float64(t.Records+1)
	t.Spread += float64(off * off)
	t.Records++
	if positive {
		t.Positives++
	}
}

// SequenceOptions of a confidence sequence.
type SequenceOptions struct {
	// Level is the probability, in (0, 1), that the sequence contains the true difference at every look, however many looks
	// there are. [ShareLevel] divides it among comparisons.
	Level float64
	// Exact asks for the empirical Bernstein sequence, which holds its level with few records too. It is about twice as wide,
	// and needs the Spread of its Trials.
	Exact bool
}

// ShareLevel is the level of each of several sequences that shall hold together with the given confidence: 1 − (1 − confidence)
// / comparisons (Bonferroni). The comparisons may depend on each other in any way.
func ShareLevel(confidence float64, comparisons int) float64 {
	checkLevel(confidence)
	return 1 - (1-confidence)/float64(max(1, comparisons))
}

// Shares divides a doubt, such as 1 − confidence, among the comparisons of a Grouper; the parts sum to 1. Each criterion of each declared
// comparison has the same part. Of those of Each, the place that the j-th value takes has a part in proportion to 1/j: a few values, as
// most attributes have, lose little for the places that stay empty.
//
// Sequences with these parts hold together (union bound), whatever values come when: which group a place is about is fixed before
// its decisions are made, so that a place is one comparison of which the records are chosen by what is known before.
func (g *Grouper) Shares() []float64 {
	harmonic := 0.0
	for j := range MostEach {
		harmonic += 1 / float64(j+1)
	}
	declared := float64(len(g.comparisons) - len(g.families)*(MostEach-1))
	shares := make([]float64, len(g.comparisons))
	for i := range shares {
		shares[i] = 1 / declared
	}
	for _, f := range g.families {
		for j := range MostEach {
			shares[f.first+j] = 1 / (declared * harmonic * float64(j+1))
		}
	}
	return shares
}

// SequenceMinimum is how many positive and how many negative decisions the asymptotic sequence needs on each side. With fewer, a
// rate near 0 or 1 makes it fail far more often than its level says.
const SequenceMinimum = 20

// sequenceInformation is where the asymptotic sequence is narrowest, on the clock of its variance. A verdict about 0.1 beyond tau
// needs about 40; elsewhere the sequence is a few per cent wider than the best one.
const sequenceInformation = 40

// Sequence is an anytime-valid confidence sequence at its present end: with the probability Level, the true difference lies
// within [Lo, Hi] at all looks at once.
//
// The true difference is that of two running means: the mean, over the records of each side so far, of the probability with
// which each was decided positively at its time. A model may therefore change on the way, also in answer to its records; the
// sequence then describes the decisions as they were made, and not the present model.
type Sequence struct {
	// Value is the rate of the group minus that of versus, in [−1, 1], or of an impact ratio the lower of the running means over the
	// higher, in [0, 1]. It is NaN while it is not estimable, as Lo and Hi.
	Value  float64
	Lo     float64
	Hi     float64
	Level  float64
	NGroup int64
	// NVersus and NGroup are records that meet the condition.
	NVersus int64
	Method  string
	Status  Status
	// Reason says why it is not estimable, or inconclusive whatever its ends; empty otherwise.
	Reason string
}

// Sequence is the confidence sequence of the difference of two rates, or of their ratio. A comparison within strata has none.
//
// The asymptotic one is that of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (Annals of Statistics 52, 2024, pp. 2613–2640)
// in the form for means that change, by Lyapunov's condition. With rates p, numbers n, α = 1 − level, the rates p̃ =
// (k + 2)/(n + 4) of Agresti and Coull, h = n1 n0/(n1 + n0) and the variance V = h² Σ p̃(1 − p̃)/n of h times the difference,
//
//	p1 − p0 ± √(2 (V + 1/ρ²) ln(√(V ρ² + 1)/α)) / h
//
// where ρ makes it narrowest at V = 40. The variance of a mean over probabilities that change is at most the one used. The
// formula assumes that the shares of both sides settle; bench/monitor measures what a share that moves does.
//
// The exact one is the empirical Bernstein sequence of Howard, Ramdas, McAuliffe and Sekhon (Annals of Statistics 49, 2021,
// pp. 1055–1080, theorem 4 with the stitched boundary), for each side with half of α. It holds for any changes of rates and
// shares, and with any number of records.
//
// The sequence of a ratio holds the θ at which that of 2 (p1 − θ p0)/(1 + θ) contains 0; the exact one is of the two sides' sequences.
func (c Comparison) Sequence(group, versus Trials, o SequenceOptions) Sequence {
	checkLevel(o.Level)
	absent := math.NaN()
	s := Sequence{Value: absent, Lo: absent, Hi: absent, Level: o.Level, NGroup: group.Records, NVersus: versus.Records,
		Method: MethodAsymptoticSequence, Status: NotEstimable}
	if o.Exact {
		s.Method = MethodBernsteinSequence
	}
	switch {
	case c.Criterion.OfMeans():
		s.Reason = "a mean difference has no confidence sequence: use a criterion of decisions"
	case c.Strata != "":
		s.Reason = "a comparison within strata of " + c.Strata + " has no confidence sequence: compare all records as well"
	}
	if s.Reason != "" {
		return s
	}
	for _, side := range [...]struct {
		label  string
		trials Trials
	}{{c.GroupLabel(), group}, {c.VersusLabel(), versus}} {
		if s.Reason = c.tooFew(side.label, side.trials, o.Exact); s.Reason != "" {
			return s
		}
	}
	if c.Criterion.OfRatio() {
		r := ratioSequence(group, versus, o)
		s.Value, s.Lo, s.Hi = r.Value, r.Lo, r.Hi
	} else {
		s.Value, s.Lo, s.Hi = sequenceOf(group, versus, o)
	}
	s.Status = c.verdict(s.Lo, s.Hi)
	return s
}

// WeighedSequence is Sequence for decisions that stand for different numbers of records, as those with a label do where labels come of some records
// rather than others. It is the asymptotic one, with Count.Worth in place of the number of records: the variance of a rate is then that of the
// ratio of two sums, to the first order. It is as right as the weights are. A ratio has none, nor has the exact sequence.
func (c Comparison) WeighedSequence(group, versus Count, o SequenceOptions) Sequence {
	checkLevel(o.Level)
	absent := math.NaN()
	s := Sequence{Value: absent, Lo: absent, Hi: absent, Level: o.Level, NGroup: group.Records, NVersus: versus.Records,
		Method: MethodWeighedSequence, Status: NotEstimable}
	if c.Criterion.OfMeans() || c.Criterion.OfRatio() || c.Strata != "" || o.Exact {
		s.Reason = "there is no confidence sequence of weighted decisions for a ratio, for means, within strata, or in an exact form"
		return s
	}
	var n, variance [2]float64
	for i, one := range [...]struct {
		label string
		Count
	}{{c.GroupLabel(), group}, {c.VersusLabel(), versus}} {
		n[i] = one.Worth()
		positives := float64(n[i] * one.Rate())
		if !(min(positives, n[i]-positives) >= SequenceMinimum) { // nor without decisions
			s.Reason = fmt.Sprintf("%s has weighted decisions%s that are worth %.3g, and needs %d of either kind", one.label, c.labelled(), n[i], SequenceMinimum)
			return s
		}
		p := (positives + 2) / (n[i] + 4)
		variance[i] = p * (1 - p) / n[i]
	}
	half := sequenceHalf(n[0]*n[1]/(n[0]+n[1]), variance[0]+variance[1], 1-o.Level)
	s.Value = group.Rate() - versus.Rate()
	s.Lo, s.Hi = max(-1, s.Value-half), min(1, s.Value+half)
	s.Status = c.verdict(s.Lo, s.Hi)
	return s
}

// labelled says which label decisions have that count.
func (c Comparison) labelled() string {
	return [...]string{"", " with a positive label", " with a negative label"}[c.Criterion.Condition()]
}

// settling is the share of its width by which a sequence must pass tau before a verdict is taken back.
const settling = 0.1

// Settled is the verdict that is told of a sequence, if before was told last. It is that of the sequence, but a verdict met or violated
// is not taken back while the sequence passes tau by less than a tenth of its width: else verdicts flap while an end lies at tau. Every
// verdict met or violated is told at once, so that the confidence is that of the sequence.
func (c Comparison) Settled(before Status, s Sequence) Status {
	if s.Status != Inconclusive || before != Met && before != Violated {
		return s.Status
	}
	slack := float64(settling * (s.Hi - s.Lo))
	if c.verdict(s.Lo+slack, s.Hi-slack) == before {
		return before
	}
	return s.Status
}

// tooFew says what a side lacks for a sequence; empty if it lacks nothing.
func (c Comparison) tooFew(label string, t Trials, exact bool) string {
	labelled := c.labelled()
	switch negatives := t.Records - t.Positives; {
	case t.Records == 0:
		return fmt.Sprintf("%s has no decisions%s", label, labelled)
	case exact:
		return ""
	case t.Positives < SequenceMinimum:
		return fmt.Sprintf("%s has %d positive decisions%s and needs %d", label, t.Positives, labelled, SequenceMinimum)
	case negatives < SequenceMinimum:
		return fmt.Sprintf("%s has %d negative decisions%s and needs %d", label, negatives, labelled, SequenceMinimum)
	}
	return ""
}

// sequenceOf computes the interval; both sides have records.
func sequenceOf(group, versus Trials, o SequenceOptions) (value, lo, hi float64) {
	n1, n0 := float64(group.Records), float64(versus.Records)
	value = float64(group.Positives)/n1 - float64(versus.Positives)/n0
	if o.Exact {
		l1, u1 := bernstein(group, (1-o.Level)/2)
		l0, u0 := bernstein(versus, (1-o.Level)/2)
		return value, l1 - u0, u1 - l0
	}
	h := n1 * n0 / (n1 + n0)
	half := sequenceHalf(h, float64(smoothedVariance(group)/n1)+float64(smoothedVariance(versus)/n0), 1-o.Level)
	return value, max(-1, value-half), min(1, value+half)
}

// ratioSequence is the sequence of the lower of two rates over the higher; both sides have records.
func ratioSequence(group, versus Trials, o SequenceOptions) Ratio {
	n1, n0 := float64(group.Records), float64(versus.Records)
	rate1, rate0 := float64(group.Positives)/n1, float64(versus.Positives)/n0
	if o.Exact {
		l1, u1 := bernstein(group, (1-o.Level)/2)
		l0, u0 := bernstein(versus, (1-o.Level)/2)
		return foldRatio(rate1, rate0, l1/u0, u1/l0) // u is above 0; l may be 0
	}
	h := n1 * n0 / (n1 + n0)
	v1, v0 := smoothedVariance(group)/n1, smoothedVariance(versus)/n0
	// θ = t/(1−t) as in Koopman; the factor 2 puts a ratio near 1 on the clock of a difference.
	inside := func(t float64) bool {
		s, t := 2*(1-t), 2*t
		return math.Abs(s*rate1-t*rate0) <= sequenceHalf(h, float64(s*s*v1)+float64(t*t*v0), 1-o.Level)
	}
	at, low, high := rate1/(rate1+rate0), 0.0, 1.0
	if !inside(0) {
		low = boundary(at, 0, inside)
	}
	if !inside(1) {
		high = boundary(at, 1, inside)
	}
	return foldRatio(rate1, rate0, low/(1-low), high/(1-high))
}

// smoothedVariance is p̃(1 − p̃) with p̃ = (k + 2)/(n + 4).
func smoothedVariance(t Trials) float64 {
	p := float64(t.Positives+2) / float64(t.Records+4)
	return p * (1 - p)
}

// sequenceHalf is the half width of the asymptotic sequence of a difference with the given variance, where h of both sides is
// their harmonic number n1 n0/(n1 + n0).
func sequenceHalf(h, variance, alpha float64) float64 {
	doubt := 2 * math.Log(1/alpha)
	rho2 := (doubt + math.Log(1+doubt)) / sequenceInformation // Waudby-Smith et al., appendix B.2
	v := float64(h * h * variance)
	return math.Sqrt(float64(2*(v+1/rho2))*(float64(0.5*math.Log(float64(v*rho2)+1))-math.Log(alpha))) / h
}

// bernstein is the empirical Bernstein sequence of one rate, at the probability alpha of ever failing.
func bernstein(t Trials, alpha float64) (lo, hi float64) {
	const (
		s     = 1.4                // how the probability is spread over the epochs of the variance: as 1/k^s,
		zeta  = 3.1055472779775810 // ζ(1.4), which sums to this; each epoch is
		eta   = 2.0                // twice as long as the one before
		start = 1.0                // the least variance
	)
	k1 := (math.Pow(eta, 0.25) + math.Pow(eta, -0.25)) / math.Sqrt2
	k2 := (math.Sqrt(eta) + 1) / 2
	v := max(start, t.Spread)
	l := s*math.Log(math.Log(eta*v/start)) + math.Log(zeta/math.Pow(math.Ln2, s)) + math.Log(2/alpha)
	half := (math.Sqrt(float64(k1*k1*v*l)+float64(k2*l*k2*l)) + float64(k2*l)) / float64(t.Records)
	rate := float64(t.Positives) / float64(t.Records)
	return max(0, rate-half), min(1, rate+half)
}
