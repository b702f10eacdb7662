package observe

import (
	"errors"
	"math"

	"github.com/fairstream/fairstream/pkg/release"
)

// pace chooses the share of the records that the frozen versions decide: release.share, halved as often as it takes to
// decide at most release.rate records in a second. Halves of a share are subsets of it (release.Sampled).
//
// Seconds are those of Kafka's timestamps, so the share is a pure function of the records. Whether a record is in the sample
// depends on its place and on the timestamps up to its own, never on what it says: the tests of pkg/release stay valid.
type pace struct {
	share float64 // without halvings, in (0, 1]
	most  float64 // records in a second
	paced
}

// paced is what a snapshot saves: the halvings, and the block of records that are measured now.
type paced struct {
	Halvings int   `json:"halvings,omitempty"`
	Records  int64 `json:"records,omitempty"`
	// First and Last are the least and the largest timestamp of the block, in milliseconds.
	First int64 `json:"first,omitempty"`
	Last  int64 `json:"last,omitempty"`
}

// A block ends after so many records, or with timestamps that span a second: a slow stream after a fast one is noticed within
// a second. Blocks are large, because the reader is further with one partition than with another. This makes the span longer
// and the rate smaller, so that more is decided: of 800,000 records, written at 770,000 a second to 4 partitions, the median
// block of 65,536 shows 610,000 a second, and the median block of 8,192 only 280,000. Besides, a load of fewer records, such
// as that of a tutorial, is decided whole.
const (
	paceRecords = 65_536
	paceMillis  = 1000
	// mostHalvings keeps a share of 1/1024: wrong timestamps must not end all tests.
	mostHalvings = 10
)

func newPace(c release.Config) pace { return pace{share: c.Share, most: float64(c.Rate)} }

// present is the share of the records that are decided at present.
func (p *pace) present() float64 { return math.Ldexp(p.share, -p.Halvings) }

// note takes the timestamp of a record, in milliseconds; 0 or less if it has none, which tells nothing. It says whether the
// share has changed, from this record on.
func (p *pace) note(timestamp int64) (changed bool) {
	if timestamp <= 0 {
		return false
	}
	if p.Records == 0 {
		p.First, p.Last = timestamp, timestamp
	}
	p.Records++
	p.First, p.Last = min(p.First, timestamp), max(p.Last, timestamp)
	span := p.Last - p.First
	if p.Records < paceRecords && span < paceMillis {
		return false
	}
	next := paced{Halvings: p.Halvings}
	if span > 0 { // else nobody knows how fast they came
		next.Halvings = p.halvings(float64(p.Records) * paceMillis / float64(span))
	}
	changed = next.Halvings != p.Halvings
	p.paced = next
	return changed
}

// halvings are those at a rate. They grow as soon as they must, and shrink only if they would be enough at twice the rate:
// a rate that varies a little does not change the share all the time.
func (p *pace) halvings(rate float64) int {
	return max(p.needed(rate), min(p.Halvings, p.needed(2*rate)))
}

// needed is how often the share is halved for a rate.
func (p *pace) needed(rate float64) (n int) {
	for decided := p.share * rate; decided > p.most && n < mostHalvings; n++ {
		decided /= 2
	}
	return n
}

// restore continues from a snapshot. One of an older program has the zero value.
func (p *pace) restore(saved paced) error {
	if saved.Halvings < 0 || saved.Halvings > mostHalvings || saved.Records < 0 || saved.Records >= paceRecords ||
		saved.First < 0 || saved.Last < saved.First || saved.Last-saved.First >= paceMillis {
		return errors.New("the releases: the share of the records, or how it is measured, is impossible")
	}
	p.paced = saved
	return nil
}
