package clue

import (
	"math"

	"github.com/fairstream/fairstream/internal/distinct"
	"github.com/fairstream/fairstream/pkg/record"
)

const (
	// Of a number it counts which half standard deviation it lies in, numberBins of them, after calibrated numbers have shown where they lie. Texts
	// share textBins, and missing values have one.
	calibrated = 200
	numberBins = 16
	textBins   = 47
	bins       = 1 + numberBins + textBins
	// associatedColumns bounds the columns that are counted.
	associatedColumns = 256
	// A column has to do with a class if chance brings a table like its own with a probability of at most exp(-chance): G² is below
	// df + 2 sqrt(df chance) + 2 chance else (Laurent and Massart, Annals of Statistics 28, 2000, lemma 1).
	chance = 12.
)

// table counts records with negative and with positive labels by the bin of a column.
type table [bins][2]int32

func (t *table) add(bin uint8, first bool) {
	if first {
		t[bin][1]++
	} else {
		t[bin][0]++
	}
}

// excess is how far G² of the table is above its mean under independence, and whether that is more than chance brings.
func (t *table) excess() (above float64, associated bool) {
	var classes [2]float64
	for _, row := range t {
		classes[0] += float64(row[0])
		classes[1] += float64(row[1])
	}
	n := classes[0] + classes[1]
	g, used := 0., 0
	for _, row := range t {
		of := float64(row[0]) + float64(row[1])
		if of > 0 {
			used++
		}
		for class, count := range row {
			if count > 0 {
				g += 2 * float64(count) * math.Log(float64(count)*n/(of*classes[class]))
			}
		}
	}
	if used < 2 || min(classes[0], classes[1]) == 0 {
		return 0, false
	}
	df := float64(used - 1)
	return g - df, g > df+2*math.Sqrt(df*chance)+2*chance
}

// Neighbours hold each column against the label of its own record, and against those of the records before and after. The zero value is ready.
type Neighbours struct {
	columns         distinct.Names[associated]
	before          []binned // of the newest record with a label
	known, positive bool     // of the same
}

type associated struct {
	numbers, mean, squares float64 // until calibrated
	own, previous, next    table
}

type binned struct {
	column *associated
	bin    uint8
}

// bin is where a value is counted; ok is false until it is known where the numbers of the column lie.
func (a *associated) bin(missing bool, hash uint64, x float64) (bin uint8, ok bool) {
	switch {
	case missing:
		return 0, true
	case math.IsNaN(x):
		return uint8(1 + numberBins + hash%textBins), true
	case a.numbers < calibrated:
		a.numbers++
		step := x - a.mean
		a.mean += step / a.numbers
		a.squares += step * (x - a.mean)
		return 0, false
	case !(a.squares > 0):
		return 1, true
	}
	z := (x - a.mean) / math.Sqrt(a.squares/calibrated)
	return uint8(1 + math.Floor(min(max(numberBins/2+2*z, 0), numberBins-1))), true
}

// Add counts the features of the next record with its label and with that of the record before, and the features of that one with this label.
// Of numbers, parsed has the features as such, and of others NaN.
func (a *Neighbours) Add(features []record.Field, parsed []float64, positive bool) {
	for _, b := range a.before {
		b.column.next.add(b.bin, positive)
	}
	a.before = a.before[:0]
	for f := range features {
		field := &features[f]
		column := a.columnOf(f, field.Name)
		if column == nil {
			continue
		}
		bin, ok := column.bin(field.Missing, field.Hash, parsed[f])
		if !ok {
			continue
		}
		column.own.add(bin, positive)
		if a.known {
			column.previous.add(bin, a.positive)
		}
		a.before = append(a.before, binned{column, bin})
	}
	a.known, a.positive = true, positive
}

// columnOf returns what is counted of the column of a field, which is in this place of a record; nil if there is no room.
func (a *Neighbours) columnOf(at int, name string) *associated {
	column := a.columns.At(at, name)
	if column == nil && a.columns.Len() < associatedColumns {
		column = &associated{}
		a.columns.Make(name, column)
	}
	return column
}

// Beside is whose label a column is held against.
type Beside int

// The records whose label a column is held against.
const (
	Own Beside = iota
	Before
	After
)

// Strongest is the sum of what the tables of some columns have above chance, and the column that has most; none if chance may bring all of it.
func (a *Neighbours) Strongest(columns []string, beside Beside) (sum float64, column string) {
	most := 0.
	for _, name := range columns {
		c := a.columns.Of(name)
		if c == nil {
			continue
		}
		above, associated := [...]*table{Own: &c.own, Before: &c.previous, After: &c.next}[beside].excess()
		if sum += max(above, 0); associated && above > most {
			most, column = above, name
		}
	}
	return sum, column
}

// Tells is what the values of a column tell of the label of a record beside it, by the majority of the labels that came with each.
func (a *Neighbours) Tells(column string, beside Beside) (t Told) {
	c := a.columns.Of(column)
	if c == nil {
		return t
	}
	for _, n := range [...]*table{Own: &c.own, Before: &c.previous, After: &c.next}[beside] {
		second, first := int64(n[0]), int64(n[1])
		t.Records += first + second
		t.First += first
		t.Wrong += min(first, second)
		if first <= second {
			t.WrongFirst += first
		}
	}
	return t
}
