package features

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/pkg/record"
)

// lack is the level that a text has no weight for.
type lack uint8

const (
	nothing    lack = iota
	aCategory       // a value of a column that has nothing but levels
	aCandidate      // a number besides its bin, or a combination besides its columns
)

// text is what encoding a text came to.
type text struct {
	token uint64 // what it contributes to crosses
	lacks lack
	lasts bool // its non-zeros stay what they are once it lacks nothing, and are 1 but for that of Linear
	// numeric says that the text is a number x of a Binned column; bin and z are then those of the number.
	numeric bool
	bin     int32
	x, z    float64
}

const (
	// memorySize is how many texts an encoder remembers: a table in which a new text displaces an old one.
	memorySize = 4096
	// memoryMisses is how many texts of a column were not remembered, among fewer than twice as many records, when the column is given up.
	memoryMisses = 512
)

// memory is what texts were encoded to. It saves time and has no effect: an entry equals what encoding the text afresh
// would give.
type memory struct {
	entries *[memorySize]remembered // nil until the first text
	columns []repetition
}

// repetition is whether the texts of a column repeat: of numbers that never come again nothing is remembered.
type repetition struct {
	since   uint64 // the number of a record, and
	misses  int32  // how many texts were not known from there on
	givenUp bool
}

// remembered is the non-zeros of a text, of value 1 but for that of Linear, which is the first, and what the text
// contributes to crosses. It takes 64 bytes, a line of a processor's cache.
//
// An entry is valid until its column earns bins, when all are forgotten. One that waits has a level without a weight of its
// own, and is valid until the level is promoted.
type remembered struct {
	hash    uint64
	token   uint64
	z       float64
	weights [fewWeights]int32
	column  int32
	whole   int32   // the column and one more if these are all that there is to the text: it is no part of crosses, and its hash is not that of missing values
	first   float32 // the first value
	bin     int32
	count   int8
	used    bool
	numeric bool
	scaled  bool // the first value is z
	waits   bool
	cell    uint8 // see Cells
}

// at returns where a text of a column is remembered, which may hold another text now. It is nil if the column is given up.
func (m *memory) at(column int32, hash uint64) *remembered {
	if int(column) < len(m.columns) && m.columns[column].givenUp {
		return nil
	}
	if m.entries == nil {
		m.entries = new([memorySize]remembered)
	}
	return &m.entries[(hash^uint64(column)<<6)%memorySize] // the same text of neighbouring columns is kept apart
}

// missed takes in that a text of a column was not known. record is the number of its record.
func (m *memory) missed(column int32, record uint64) {
	for int(column) >= len(m.columns) {
		m.columns = append(m.columns, repetition{since: record})
	}
	c := &m.columns[column]
	if c.misses++; c.misses == memoryMisses {
		*c = repetition{since: record, givenUp: record-c.since < 2*memoryMisses}
	}
}

func (r *remembered) holds(column int32, hash uint64) bool {
	return r != nil && r.hash == hash && r.column == column && r.used
}

// Cells is how many cells VisitCells tells apart in a column.
const Cells = 32

// cellOf is the cell of a hash: of a text, or of the magnitude of a number.
func cellOf(hash uint64) uint8 {
	const golden, bits = 0x9e3779b97f4a7c15, 5 // Knuth, The Art of Computer Programming 3, 6.4: neighbours get cells far apart
	return uint8(hash * golden >> (64 - bits))
}

// CellOf is the cell of a text, the same that VisitCells gives.
func CellOf(text []byte) int { return int(cellOf(record.Hash(text))) }

// magnitude numbers quarters of powers of two, of negative numbers elsewhere.
func magnitude(x float64) uint64 {
	fraction, power := math.Frexp(math.Abs(x))
	number := uint64(power*4) + uint64(max(0, fraction-.5)*8)
	if x < 0 {
		return ^number
	}
	return number
}

// keep remembers a text of a column, whose non-zeros are those of a row from start on, fewWeights at most.
func (r *remembered) keep(index int32, c *Column, hash uint64, t *text, row *Row, start int, waits bool) {
	weights := row.Index[start:]
	*r = remembered{hash: hash, token: t.token, z: t.z, column: index, first: 1, bin: t.bin, count: int8(len(weights)), used: true,
		numeric: t.numeric, scaled: t.numeric && c.Linear != 0, waits: waits}
	copy(r.weights[:], weights)
	if r.scaled {
		r.first = float32(t.z)
	}
	if !c.crossed && hash != 0 {
		r.whole = index + 1
	}
	if r.cell = cellOf(hash); t.numeric {
		r.cell = cellOf(magnitude(t.x))
	}
}

// filling is a row that the non-zeros of remembered texts are written to, between fill and end with the ones of Value written out.
type filling struct {
	row   *Row
	open  bool      // between fill and end
	index []int32   // with room
	value []float32 // as long
	n     int       // non-zeros
	ones  int       // of value, which were written out before
	other bool      // a value is, or may be, other than 1
}

// fill goes on with the row, to which so many texts may be added.
func (f *filling) fill(texts int) {
	row := f.row
	n, value := len(row.Index), row.Value
	if f.other = len(value) > 0; !f.other {
		value = value[:f.ones]
	}
	room := n + fewWeights*texts
	if cap(row.Index) < room || cap(value) < room {
		row.Index, value = slices.Grow(row.Index, room-n), slices.Grow(value, room-len(value))
	}
	for len(value) < n {
		value = append(value, 1)
	}
	room = min(cap(row.Index), cap(value))
	f.index, f.value, f.n, f.open = row.Index[:room], value[:room], n, true
}

// add adds the non-zeros of a text. It copies all that there may be of them, and counts those that there are: a loop whose length cannot be predicted takes
// longer.
func (f *filling) add(known *remembered) {
	*(*[fewWeights]int32)(f.index[f.n:]) = known.weights
	*(*[fewWeights]float32)(f.value[f.n:]) = [fewWeights]float32{known.first, 1, 1, 1}
	f.n += int(known.count)
	f.other = f.other || known.scaled
}

// end makes the row what has been filled.
func (f *filling) end() {
	if !f.open {
		return
	}
	f.open = false
	f.row.Index, f.row.Value, f.ones = f.index[:f.n], f.value[:0], f.n
	if f.other {
		f.row.Value = f.value[:f.n]
	}
}
