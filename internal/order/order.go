package order

import (
	"github.com/fairstream/fairstream/internal/persons"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

const (
	// every is how many records there are to one that is looked at. It is a prime, so that records of partitions that take turns are
	// all looked at.
	every = 11
	// newest and older are how many records looked at fade to 1/e in the two counts: 2,000 records, and 50,000.
	newest, older = 192, 4608
	// least is how many are looked at before anything is said: 7,000 records.
	least = 640
	// turn is how often, in records looked at, values that come and go are noted.
	turn = 32
	// largestWeight is when counts are divided by the weight of the next one, which grows in place of all counts fading.
	largestWeight = 1 << 20
)

// cells are those of a field, and one more for records without it.
const cells = features.Cells + 1

// together is the bit of all cells of a field.
const together = cells

// The two times that are counted.
const (
	recent = iota
	before
	times
)

var growth = [times]float32{newest / (newest - 1.), older / (older - 1.)}

// Order watches the values of attributes and columns, and whether records are copies of those just before them.
type Order struct {
	attributes int

	records int64          // that came
	seen    int64          // of them looked at
	weights [times]float32 // what the last one counted for
	totals  [times]float32 // of all counts
	fields  []field        // attributes first, then columns
	copies  persons.Repeats
	share   [cells]excess // scratch
	add     func(field, cell int)
}

// field is one attribute or column.
type field struct {
	counts [times][features.Cells]float32
	// up are the cells that are now more frequent than before, once and twice those that came and went so often: bits by cell, and one more for all
	// of them together.
	up, once, twice uint64
	// run is how many of the last records looked at, without a gap, had the value of the cell last; at is the number of the newest of these.
	run, at int64
	last    int
	// since is how many records had been looked at when the field began to be news, 0 if it is not; told is how many when it was for the last time, and had been
	// for as long as count for the newest, 0 if it never was.
	since, told int64
}

// New returns an Order of records with so many attributes.
func New(attributes int) *Order {
	o := &Order{attributes: attributes, weights: [times]float32{1, 1}, fields: make([]field, attributes)}
	o.add = func(column, cell int) { o.count(o.attributes+column, cell) }
	return o
}

// Observe takes in a record that came, with the levels of its attributes. encoder has learnt its columns.
func (o *Order) Observe(r *record.Record, levels []fairness.Level, encoder *features.Frozen) {
	var marks persons.Marks
	if o.copies.Due() {
		marks[persons.Content] = persons.ContentOf(r, levels)
	}
	o.copies.Add(marks)
	o.records++
	if o.records%every != 0 {
		return
	}
	o.seen++
	for t := range times {
		o.weights[t] *= growth[t]
		o.totals[t] += o.weights[t]
	}
	for i, level := range levels {
		o.count(i, int(uint32(level)%features.Cells))
	}
	encoder.VisitCells(r, o.add)
	if o.seen%turn == 0 && o.seen >= least {
		o.note()
	}
	if o.weights[recent] > largestWeight {
		o.rescale()
	}
}

func (o *Order) count(at, cell int) {
	for at >= len(o.fields) {
		o.fields = append(o.fields, field{})
	}
	f := &o.fields[at]
	for t := range times {
		f.counts[t][cell] += o.weights[t]
	}
	if cell != f.last || f.at != o.seen-1 {
		f.run = 0
	}
	f.run, f.at, f.last = f.run+1, o.seen, cell
}

// rescale divides all counts by the weight of the next one.
func (o *Order) rescale() {
	for t := range times {
		by := 1 / o.weights[t]
		o.weights[t] = 1
		o.totals[t] *= by
		for i := range o.fields {
			for cell := range o.fields[i].counts[t] {
				o.fields[i].counts[t][cell] *= by
			}
		}
	}
}

// Copies is what share of the records repeats one of the up to 31 before it, beyond chance; 0 if there are too few to tell.
func (o *Order) Copies() float64 { return o.copies.Found().Share }

// Shares are how the values of the columns, by their indices, were spread over their cells: shares of the records, the older ones faded. records is how many of
// equal weight they are worth.
func (o *Order) Shares() (records float64, columns [][features.Cells]float64) {
	if o.seen == 0 {
		return 0, nil
	}
	// With weights that fall by r, their sum S is that of the newest one times (1 - r^n) / (1 - r), and S²/Σw² is S (1 + r) / (1 + r^n).
	const r = (older - 1.) / older
	sum := float64(o.totals[before] / o.weights[before])
	records = float64(sum*(1+r)) / (2 - float64(sum*(1-r)))
	for i := o.attributes; i < len(o.fields); i++ {
		var shares [features.Cells]float64
		for cell, count := range o.fields[i].counts[before] {
			shares[cell] = float64(count / o.totals[before])
		}
		columns = append(columns, shares)
	}
	return records, columns
}
