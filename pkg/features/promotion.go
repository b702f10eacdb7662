package features

import (
	"math"
	"math/bits"
)

// Which levels get a weight of their own:
//
//	value of a categorical column,      at its first record, while the vocabulary has room;
//	text in a numeric column            from then on such levels share the buckets
//
//	number of a binned column           once it has passed its score test, or once its column is trusted
//	combination of a cross              once it has passed its score test
//
// Numbers and combinations are candidates: the bins, or the columns, already predict from them, and a weight that adds
// nothing to that costs accuracy (on noisy data nearly 0.01 of error, research/learner.md). Room for an eighth more levels is
// for candidates, so that a flood of categories leaves them some.
type promotion struct {
	tests  scoreTests
	trials []trial // by column
}

// outcome is what becomes of a level that has no weight of its own.
type outcome uint8

const (
	own    outcome = iota // it gets a weight
	shares                // it shares one of the buckets
	waits                 // it goes on being tested
	never                 // there is no room, and never will be
)

// room is how many levels have a weight of their own, and the limit of categories.
type room struct{ levels, limit int }

func (r room) forCategory() bool { return r.levels < r.limit }

func (r room) forCandidate() bool { return r.levels-r.limit/8 < r.limit }

// rule is the table above.
func (p *promotion) rule(lacks lack, r room, slot Slot, key uint64) outcome {
	switch {
	case lacks == aCategory && r.forCategory():
		return own
	case lacks == aCategory:
		return shares
	case !r.forCandidate():
		return never
	case p.trusts(slot), p.tests.passed(key):
		return own
	}
	return waits
}

func (p *promotion) trusts(slot Slot) bool { return !slot.cross && p.trials[slot.index].trusted }

// learn takes in the residual of a record that has the candidate.
func (p *promotion) learn(slot Slot, key uint64, residual, variance, weight float64) {
	if square, tried := p.tests.learn(key, residual, variance, weight); tried && !slot.cross {
		p.trials[slot.index].end(square)
	}
}

const (
	// trustedValues and trustedDispersion are what it takes for a column to be trusted.
	trustedValues     = 20
	trustedDispersion = 2.0
)

// trial is what the first records of its candidates show about a column. A column whose single values matter, such as
// the capital gains of the Adult records, is trusted: all of its numbers get weights, at their first record.
type trial struct {
	values     int64   // whose trial is over
	dispersion float64 // sum of the squares of their deviations: values, on average, if single values do not matter
	trusted    bool
}

// end takes in how many standard deviations, squared, the residuals of a value lie from zero after its trial.
func (t *trial) end(square float64) {
	t.values++
	t.dispersion += square
	if t.values >= trustedValues && t.dispersion >= trustedDispersion*float64(t.values) {
		t.trusted = true
	}
}

// scoreTests hold the score test of each candidate: whether the residuals of its records (label less prediction, before
// the record is learnt) sum to passingDeviations standard deviations from zero (Rao 1948; Cox and Hinkley, Theoretical
// Statistics, 1974, sec. 9.3).
//
// Sums are kept in a table of fixed size. Candidates that meet in a slot contend for it by majority (Misra and
// Gries 1982): one that is frequent among those of its slot keeps it, a flood of rare ones holds none.
type scoreTests struct {
	slots []scoreTest // made for the first candidate
}

const (
	candidateSlots    = 4096
	passingDeviations = 3.0
	// trialRecords is after how many records a candidate counts for or against its column.
	trialRecords = 8
)

// scoreTest is a slot of the table, empty while patience is 0.
type scoreTest struct {
	key      uint64
	patience int64   // records of this candidate, less those of others since
	records  int64   // of this candidate
	sum      float64 // of weighted residuals
	variance float64 // of that sum, by the predictions
	largest  float64 // square of a weighted residual
}

func (t *scoreTests) slot(key uint64) *scoreTest {
	if t.slots == nil {
		t.slots = make([]scoreTest, candidateSlots)
	}
	return &t.slots[key%candidateSlots]
}

// deviation is the square of the sum in units of its variance. It is 0 while there is too little to take the sum for
// normal: no single residual may outweigh the variance. With a probability of 0.01, a first positive label shows
// nothing.
func (t *scoreTest) deviation() float64 {
	if t.variance <= 0 || t.variance < t.largest {
		return 0
	}
	return t.sum * t.sum / t.variance
}

// passed says whether a candidate has passed its test.
func (t *scoreTests) passed(key uint64) bool {
	s := t.slot(key)
	return s.key == key && s.patience > 0 && s.deviation() >= passingDeviations*passingDeviations
}

// forget makes room after a candidate has got its weight.
func (t *scoreTests) forget(key uint64) {
	if t.slots == nil {
		return
	}
	if s := t.slot(key); s.key == key {
		*s = scoreTest{}
	}
}

// learn adds a record's residual, and its variance, to a test. When the trial of the candidate is over, it returns the
// square of its deviation.
func (t *scoreTests) learn(key uint64, residual, variance, weight float64) (square float64, tried bool) {
	s := t.slot(key)
	if s.key != key && s.patience > 0 {
		s.patience--
		return 0, false
	}
	if s.key != key || s.patience == 0 {
		*s = scoreTest{key: key}
	}
	r := float64(weight * residual)
	s.patience++
	s.records++
	s.sum += r
	s.variance += float64(weight * weight * variance)
	s.largest = max(s.largest, float64(r*r))
	if s.records != trialRecords {
		return 0, false
	}
	return s.deviation(), true
}

// Whether the bins of a column earn weights.
//
// A number first has one weight, times the standardized number. The residuals of the records in each bin (label less
// prediction, before the record is learnt) show what this line leaves unexplained. The coarse bins get weights once these
// residuals deviate from a line through them by more than chance explains, and the fine bins once they deviate from one
// line within each coarse bin (score tests, as in promotion.go). So a column that says nothing, or nothing but a slope, has
// one weight and costs no more.
type evidence struct {
	bins    []binEvidence // by fine bin; nil where nothing is tested
	records int64
	next    int64         // how many records to have before the next look
	squares float64       // Σ (weighted residual)²
	total   float64       // Σ variance
	groups  []binEvidence // scratch: by coarse bin
	means   []binEvidence // scratch: by group of bins
}

// binEvidence sums over the records of a bin.
type binEvidence struct {
	residual float64 // weighted
	variance float64 // of that sum, by the predictions
	moment   float64 // of the standardized number, by variance
}

const (
	// firstLook is how many records of a column come before its first test. The next ones come when there are lookShare more.
	firstLook = 128
	lookShare = 8
	// leastVariance is that of a bin that takes part in a test: with less, its sum of residuals is not normal.
	leastVariance = 2.0
)

// open starts the tests of a column, if it has bins to test.
func (e *evidence) open(c *Column) {
	if n := c.Binning.count(); n > 1 {
		*e = evidence{bins: make([]binEvidence, n), next: firstLook}
	}
}

// learn takes in a record, and says whether it is time for a look.
func (e *evidence) learn(bin int32, z, residual, variance, weight float64) bool {
	r, v := float64(weight*residual), float64(float64(weight*weight)*variance)
	b := &e.bins[bin]
	b.residual += r
	b.variance += v
	b.moment += float64(v * z)
	e.squares += float64(r * r)
	e.total += v
	e.records++
	if e.records < e.next {
		return false
	}
	e.next += e.next / lookShare
	return true
}

// look says which bins of a column have earned their weights, by deviations in standard deviations.
func (e *evidence) look(c *Column, deviations float64) (coarse, fine bool) {
	// Where labels scatter more than the predictions say, so do the sums.
	dispersion := max(1, e.squares/e.total) // not a number without variance, where no bin takes part
	e.groups = cleared(e.groups, int(c.Binning.coarseCount()))
	for i, b := range e.bins {
		g := &e.groups[c.Binning.Coarse[i]]
		g.residual += b.residual
		g.variance += b.variance
		g.moment += b.moment
	}
	if c.FirstCoarse == 0 {
		e.means = cleared(e.means, 1)
		coarse = deviates(e.groups, func(int) int32 { return 0 }, e.means, dispersion, deviations)
	}
	if c.First == 0 {
		e.means = cleared(e.means, len(e.groups))
		fine = deviates(e.bins, func(i int) int32 { return c.Binning.Coarse[i] }, e.means, dispersion, deviations)
	}
	return coarse, fine
}

// fewTested is how many numeric columns are tested at passingDeviations.
const fewTested = 32

// passingOf is what takes the place of passingDeviations where so many columns are tested. Of 500 columns without effect,
// forty would pass at some look, and their weights add noise. The tail of a normal is about exp(−z²/2): so z² grows by
// 2 ln 2 with each doubling, and the number of columns that pass by chance stays the same.
func passingOf(columns int) float64 {
	return math.Sqrt(passingDeviations*passingDeviations + float64(2*math.Ln2*float64(bits.Len(uint(columns/fewTested)))))
}

// cleared is a list of so many zeros, in the room of another where there is enough.
func cleared(list []binEvidence, count int) []binEvidence {
	if cap(list) < count {
		return make([]binEvidence, count)
	}
	list = list[:count]
	clear(list)
	return list
}

// deviates says whether the residuals of bins deviate by more than so many standard deviations from a mean for each group and a
// common slope in the standardized number. Their squares, in units of their variances, are then χ² with a degree of freedom
// for each bin, less one for each group and one for the slope; the root of twice that is nearly normal (Fisher 1922).
// means has zeros, one for each group.
func deviates(bins []binEvidence, group func(bin int) int32, means []binEvidence, dispersion, least float64) bool {
	degrees, sum := 0, 0.0
	for i, b := range bins {
		if b.variance < leastVariance {
			continue
		}
		g := &means[group(i)]
		if g.variance == 0 {
			degrees--
		}
		degrees++
		sum += float64(b.residual*b.residual) / b.variance
		g.residual += b.residual
		g.variance += b.variance
		g.moment += b.moment
	}
	for _, g := range means {
		if g.variance > 0 {
			sum -= float64(g.residual*g.residual) / g.variance
		}
	}
	spread, product := 0.0, 0.0
	for i, b := range bins {
		if b.variance >= leastVariance {
			g := &means[group(i)]
			d := b.moment/b.variance - g.moment/g.variance
			spread += float64(b.variance * float64(d*d))
			product += float64(b.residual * d)
		}
	}
	if spread > 0 {
		degrees--
		sum -= float64(product*product) / spread
	}
	return math.Sqrt(2*max(0, sum)/dispersion)-math.Sqrt(float64(2*degrees-1)) >= least // no number, and false, without a degree
}
