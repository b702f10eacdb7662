package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/release"
)

const (
	tau      = 0.05
	limit    = 0.07
	baseRate = 0.25 // of positive decisions, and of positive labels
	share    = 0.3  // of the group
)

// The log odds of a positive label are normal. A version sees them with noise, of which a part is common to all versions, because they were
// learnt from the same records.
const (
	spread     = 1.5
	noise      = 0.6
	commonPart = 0.9
)

// version is how one version decides: how much noise it sees, and which difference of rates its thresholds make. The share of positive
// decisions is the same for all, so that versions with the same noise are about equally often wrong.
type version struct {
	noise      float64
	difference float64
}

// law is what is known of the world in advance, from many draws: the centre of the log odds, and what noise costs in log loss.
type law struct {
	centre float64
	draws  []draw
}

type draw struct {
	margin, uniform, common, own float64
}

func newLaw() *law {
	random := rand.New(rand.NewPCG(1, 1))
	l := &law{draws: make([]draw, 100_000)}
	for i := range l.draws {
		l.draws[i] = draw{random.NormFloat64(), random.Float64(), random.NormFloat64(), random.NormFloat64()}
	}
	l.centre = bisect(-5, 5, func(c float64) float64 {
		sum := 0.0
		for _, d := range l.draws {
			sum += sigmoid(c + spread*d.margin)
		}
		return sum/float64(len(l.draws)) - baseRate
	})
	return l
}

// threshold is where a version with so much noise has a rate of positive decisions.
func (l *law) threshold(rate, noise float64) float64 {
	return l.centre + math.Hypot(spread, noise)*fairness.NormalQuantile(1-rate)
}

// logLoss is that of versions with so much noise. They give the mean of the log odds given what they see, as probability.
func (l *law) logLoss(noise float64) float64 {
	sum := 0.0
	for _, d := range l.draws {
		margin := l.centre + spread*d.margin
		p := l.score(margin+noise*(math.Sqrt(commonPart)*d.common+math.Sqrt(1-commonPart)*d.own), noise)
		truth := sigmoid(margin)
		sum -= truth*math.Log(p) + (1-truth)*math.Log(1-p)
	}
	return sum / float64(len(l.draws))
}

func (l *law) score(seen, noise float64) float64 {
	shrink := spread * spread / (spread*spread + noise*noise)
	return sigmoid(l.centre + shrink*(seen-l.centre))
}

// worse is the noise that costs so much more log loss than the usual one.
func (l *law) worse(by float64) float64 {
	at := l.logLoss(noise) + by
	return bisect(noise, 5, func(n float64) float64 { return l.logLoss(n) - at })
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// bisect finds where an increasing function is 0.
func bisect(lo, hi float64, f func(float64) float64) float64 {
	for range 40 {
		if middle := (lo + hi) / 2; f(middle) < 0 {
			lo = middle
		} else {
			hi = middle
		}
	}
	return (lo + hi) / 2
}

// stream draws records, and the decisions of versions about them.
type stream struct {
	law      *law
	random   *rand.Rand
	share    float64
	groups   int  // 0 for the group and the others; else so many of equal size, of which only the first differs
	drift    bool // the log odds move by 0.3, and the share of the group by a fifth of itself
	number   int64
	versions map[release.Version]version
	record   release.Record
	bounds   map[version][2]float64 // thresholds of both groups
}

func newStream(l *law, seed uint64) *stream {
	return &stream{law: l, random: rand.New(rand.NewPCG(seed, 16)), share: share, versions: map[release.Version]version{}, bounds: map[version][2]float64{}}
}

// next is a record that the wanted versions decide.
func (s *stream) next(wanted []release.Version) *release.Record {
	s.number++
	r, in, moved := &s.record, s.share, 0.0
	if s.drift {
		in *= 1 + 0.2*math.Cos(2*math.Pi*float64(s.number)/70_000)
		moved = 0.3 * math.Sin(2*math.Pi*float64(s.number)/50_000)
	}
	side, level := 1, fairness.OtherLevel
	switch {
	case s.groups > 0:
		n := s.random.IntN(s.groups)
		level, side = fairness.OtherLevel+1+fairness.Level(n), min(n, 1)
	case s.random.Float64() < in:
		side, level = 0, fairness.OtherLevel+1
	}
	margin := s.law.centre + moved + spread*s.random.NormFloat64()
	common := math.Sqrt(commonPart) * s.random.NormFloat64()
	r.Number, r.Levels, r.Decisions = s.number, append(r.Levels[:0], level), r.Decisions[:0]
	r.Labelled, r.Label = true, s.random.Float64() < sigmoid(margin)
	for _, w := range wanted {
		v, known := s.versions[w]
		seen := margin + v.noise*(common+math.Sqrt(1-commonPart)*s.random.NormFloat64())
		r.Decisions = append(r.Decisions, release.Decision{Known: known, Positive: seen > s.thresholds(v)[side], Score: s.law.score(seen, v.noise)})
	}
	return r
}

// thresholds are those of a version for the group and for the others.
func (s *stream) thresholds(v version) [2]float64 {
	at, known := s.bounds[v]
	if !known {
		at = [2]float64{s.law.threshold(baseRate+(1-share)*v.difference, v.noise), s.law.threshold(baseRate-share*v.difference, v.noise)}
		s.bounds[v] = at
	}
	return at
}

// median is that of a list, which it sorts.
func median(n []int) int {
	if len(n) == 0 {
		return 0
	}
	slices.Sort(n)
	return n[len(n)/2]
}
