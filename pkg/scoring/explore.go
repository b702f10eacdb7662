package scoring

import (
	"errors"

	"github.com/fairstream/fairstream/pkg/record"
)

// explorationSlot is the place of exploration in record.Mix, beside those of columns and crosses. Readers in other languages repeat it.
const explorationSlot = 1 << 33

// Explore turns a share of the negative decisions to positive, so that labels of records are seen which the model turns down. id
// identifies the record: the same one is explored in every process, and a larger share explores those of every smaller one. A record
// without an id is never explored. With a share of 0 nothing changes, nor with one that CheckShare refuses.
//
// The outcome tells the propensity: the probability, over the ids, of the decision that it holds.
func Explore(share float64, id []byte, o Outcome) Outcome {
	if !(share > 0 && share <= 1) || o.Rejection != nil {
		return o
	}
	o.Explored, o.Propensity = false, 1
	if o.Positive || len(id) == 0 {
		return o
	}
	if o.Explored = float64(record.Mix(explorationSlot, record.Hash(id))>>11) < share*(1<<53); o.Explored {
		o.Positive, o.Propensity = true, share
	} else {
		o.Propensity = 1 - share
	}
	return o
}

// Anonymous says that a negative decision could not be explored, because nothing identifies its record.
func (o *Outcome) Anonymous() bool { return o.Propensity == 1 && !o.Positive }

// ErrNothingToExplore refuses exploration by a regression.
var ErrNothingToExplore = errors.New("explore: the model is a regression, and has no decisions of which a share could be turned to positive: leave --explore out")

// Explorable returns an error if the document makes no decisions, of which a share could be explored.
func (d *Decider) Explorable(share float64) error {
	if share > 0 && d != nil && !d.Decides() {
		return ErrNothingToExplore
	}
	return nil
}
