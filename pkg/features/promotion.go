package features

// Which levels get a weight of their own:
//
//	value of a categorical column,      at its first record, while the vocabulary has room;
//	text in a numeric column            from then on such levels share the buckets
//
//	number of a binned column           once it has passed its score test, or once its column is trusted
//	combination of a cross              once it has passed its score test
//
// Numbers and combinations are candidates: the bins, or the columns, already predict from them, and a weight that adds
// nothing to that costs accuracy (on noisy data nearly 0.01 of error, docs/learner.md). Room for an eighth more levels is
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
