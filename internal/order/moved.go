package order

import (
	"math"
	"math/bits"

	"github.com/fairstream/fairstream/pkg/features"
)

const (
	// moved is the share of the newest records whose values are news above which a field has moved.
	moved = .2
	// unlike is the distance of all cells together above which it has, too: as if so large a share of the records had values that the others never have.
	// Chance leaves 0.01 of it, as a standard deviation, and 0.031 at most in 120,000 looks at fields of 8 and 32 values.
	unlike = .04
	// A cell is up while its share exceeds that of before by so many standard deviations, and by leastExcess: by chance hardly ever.
	deviations, leastExcess = 6, .02
	// A value is alone while the share of all others is at most leftOver of what it was before, and it was leastOthers or more: the weight of
	// the newest records has room for 19 or more others then, and chance hardly ever leaves 4 of them.
	leastOthers, leftOver = .05, .2
	// longRun is how many others would have come among the last records, which had one value. Chance leaves such a run once in e¹² = 160,000 times. Of a
	// run only mostRun records count, so that it ends to be news while others were 0.012 of the records before.
	longRun, mostRun = 12, 1024
	// A field that was news for as long as count for the newest is told of for so many records looked at more, 4,224 records: see Moved.
	lately = 2 * newest
)

// excess is by how much the share of a cell among the newest records exceeds that among those before, and by how much it has to.
type excess struct{ before, share, least float64 }

func (e excess) up() bool { return e.share > e.least }

// excesses are those of the cells of a field.
func (o *Order) excesses(f *field) *[cells]excess {
	rest := [times]float32{1, 1}
	for cell := range cells {
		if cell < features.Cells && f.counts[recent][cell] == 0 && f.counts[before][cell] == 0 { // as most cells of most fields
			o.share[cell] = excess{least: leastExcess}
			continue
		}
		var share [times]float32
		for t := range times {
			if cell < len(f.counts[t]) {
				share[t] = f.counts[t][cell] / o.totals[t]
				rest[t] -= share[t]
			} else {
				share[t] = max(0, rest[t])
			}
		}
		q := float64(share[before])
		deviation := math.Sqrt(max(0, float64(q*(1-q))) / (2 * newest))
		o.share[cell] = excess{q, float64(share[recent]) - q, leastExcess + float64(deviations*deviation)}
	}
	return &o.share
}

// distance is how far the cells of a field are from what they were before: the sum of d²/(p + q), d being the excess of the share p of a cell over
// its share q, less what chance makes of it. It is 0 if all shares are the same, and 2 if no value is among both. Many small changes add up in it that
// none of the cells shows by itself, such as those of another unit. Cells that came and went twice do not count.
func (f *field) distance(all *[cells]excess) (distance float64) {
	const chance = (1/(2.*newest) + 1/(2.*older)) / 2
	for cell, e := range all {
		if sum := 2*e.before + e.share; sum > 0 && f.twice>>cell&1 == 0 {
			distance += float64(e.share*e.share)/sum - float64((1-e.before)*chance)
		}
	}
	return distance
}

// note takes in which cells have become more frequent since the last time, and which no longer are, and the same of the distance of all.
func (o *Order) note() {
	for i := range o.fields {
		f := &o.fields[i]
		all := o.excesses(f)
		only := o.onlyOne(f, all)
		for cell, e := range all {
			run := only && cell == f.last
			f.turn(cell, e.up() || run, e.share <= 0 && !run)
		}
		distance := f.distance(all)
		f.turn(together, distance > unlike, distance < unlike/2)
		switch {
		case !o.news(f, all, distance):
			f.since = 0
		case f.since == 0:
			f.since = o.seen
		case o.seen-f.since >= newest:
			f.told = o.seen
		}
	}
}

// news says whether the values of a field among the newest records are: more frequent than before, in a large share of the records, or nearly the only
// ones, or unlike those before all together, by the distance of all.
func (o *Order) news(f *field, all *[cells]excess, distance float64) bool {
	more := 0.0
	for cell, e := range all {
		switch {
		case f.twice>>cell&1 != 0:
		case e.alone():
			return true
		case e.up():
			more += e.share
		}
	}
	return more >= moved || f.twice>>together&1 == 0 && distance > unlike || o.onlyOne(f, all)
}

// turn takes in that a cell, or all of them together, are above what is news, or no longer.
func (f *field) turn(cell int, above, below bool) {
	bit := uint64(1) << cell
	switch up := f.up&bit != 0; {
	case !up && above:
		f.up |= bit
	case up && below:
		f.up &^= bit
		f.twice |= f.once & bit
		f.once |= bit
	}
}

// alone says whether the others have gone: nearly all of the newest records have the value of this cell, and before not all had.
func (e excess) alone() bool {
	others := 1 - e.before
	return others >= leastOthers && others-e.share <= leftOver*others
}

// onlyOne says whether the last records have all had one value, longer than chance explains, however few had others before: so it is at the start of
// records that are sorted, after some of a first value. Of fewer others than that, chance hardly ever puts all at the very beginning: at a share of 1/n of
// the records once in n^others times.
func (o *Order) onlyOne(f *field, all *[cells]excess) bool {
	if f.at != o.seen || f.twice>>f.last&1 != 0 {
		return false
	}
	others := 1 - all[f.last].before
	if others*float64(min(mostRun, f.run)) >= longRun {
		return true
	}
	early := o.seen - f.run // looked at before the run
	if early <= 0 || early >= longRun {
		return false
	}
	halvings := bits.Len64(uint64(o.seen/early)) - 1
	return float64(others*float64(o.seen))*float64(math.Ln2*float64(halvings)) >= longRun
}

// Moved returns the attributes and the columns, by their indices, whose values among the newest records are news, or lately were for long. While the values of a field that
// was broken and is whole again come back, they are for a time as frequent among the newest records as among those before. That is no news, but the models and
// their windows are still those of the broken field. What came and went twice is no news either, such as the hours of a day.
func (o *Order) Moved() (attributes, columns []int) {
	if o.seen < least {
		return nil, nil
	}
	for i := range o.fields {
		f := &o.fields[i]
		all := o.excesses(f)
		switch {
		case (f.told == 0 || o.seen-f.told > lately) && !o.news(f, all, f.distance(all)):
		case i < o.attributes:
			attributes = append(attributes, i)
		default:
			columns = append(columns, i-o.attributes)
		}
	}
	return attributes, columns
}

// whole is the share of the records above which all of them are meant: shares are rounded.
const whole = .9999

// OfOneCell returns the columns, by their indices, that all records so far have had values of one cell in: nothing is known of others.
func (o *Order) OfOneCell() (columns []int) {
	if o.seen < least {
		return nil
	}
	for i := o.attributes; i < len(o.fields); i++ {
		for _, count := range o.fields[i].counts[before] {
			if count > whole*o.totals[before] {
				columns = append(columns, i-o.attributes)
			}
		}
	}
	return columns
}
