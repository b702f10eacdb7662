package statement

import (
	"math"
	"math/bits"
	"slices"
	"strconv"
	"time"

	"github.com/fairstream/fairstream/internal/app/statement/form"
	"github.com/fairstream/fairstream/internal/distinct"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

const (
	// A sample has at most mostRows, mostColumns, and mostCells of both; of further columns nothing is kept.
	mostColumns = 512
	mostCells   = 3 << 18
	// A quick sample has at most quickCells of both, and quickRows of more records than it has room for. It looks for copies among the first records, as many as
	// have quickCompared values.
	quickCells    = 3 << 17
	quickRows     = 2048
	quickCompared = 3 << 16
	// leastSaid is of how many records anything is said.
	leastSaid = 20
)

// Sample is an even selection of records: all of them, if they are few.
type Sample struct {
	config  model.Config
	grouper *fairness.Grouper
	levels  []fairness.Level
	members []fairness.Side

	// Quick says that a long input is told of by fewer rows: it is to cost next to nothing beside learning.
	Quick bool

	columns []*column
	names   distinct.Names[column]
	omitted bool // there are more columns
	rows    []row
	cells   []cell            // of the rows, in turn; they become values of the columns when all records are there
	texts   []byte            // of the cells
	sides   [][]fairness.Side // of the rows, by comparison
	least   int               // the rank of the records that are kept
	text    []byte
	settled bool
	space   [2][]float64 // for the numbers of two parts

	records, known, positive int64 // all of them
	copies                   distinct.Contents
	ids                      distinct.Contents // by record.id
	compared                 int64             // the records that copies were looked for among
	comparedCells            int

	// Decision says what is decided where no label does, Settings which settings are not the defaults, and Left which columns are left out of the features.
	Decision       string
	Settings, Left []string
	// Age is the one at which labels are learnt (stream.labels.age), 0 if they are not held.
	Age time.Duration
	// Ends are the smallest and the largest number of a column of all records, where they are known.
	Ends map[string][2]float64
}

// row is what a record is beside its values.
type row struct {
	rank               int
	labelled, positive bool
	label, propensity  float64
	labelAt            int64         // when the label was known, in seconds since 1970
	delay              time.Duration // until the label was known; timeless if that is not known
	cells              int           // how many it has
}

// cell is a value as it came.
type cell struct {
	hash   uint64
	at     uint32 // where its text begins
	length uint16
	column uint16
}

// timeless is the delay of a label whose time is not known.
const timeless = time.Duration(math.MinInt64)

// New is an empty sample.
func New(config model.Config) (*Sample, error) {
	grouper, err := fairness.NewGrouper(config.Comparisons())
	if err != nil {
		return nil, err
	}
	n := len(grouper.Comparisons())
	return &Sample{config: config, grouper: grouper, levels: make([]fairness.Level, len(grouper.Attributes())), members: make([]fairness.Side, n), sides: make([][]fairness.Side, n)}, nil
}

// Add takes in a record, and all its fields if they are known; a Sample that is nil takes in none. It keeps the ones whose number has a high rank, which is k or more for one in 2^k records, in no pattern that records have.
func (s *Sample) Add(rec *record.Record, whole []record.Field) {
	if s == nil {
		return
	}
	s.records++
	if rec.HasLabel {
		s.known++
		if rec.Positive {
			s.positive++
		}
	}
	if len(rec.ID) > 0 {
		s.ids.Add(record.Hash(rec.ID))
	}
	if !s.Quick || s.comparedCells < quickCompared {
		s.copies.Add(s.content(rec))
		s.compared++
		s.comparedCells += len(rec.Features) + len(rec.Attributes)
	}
	rank := bits.TrailingZeros64(record.Mix(^uint64(0), uint64(s.records)))
	if rank < s.least {
		return
	}
	for len(s.rows) >= s.room() {
		s.thin()
	}
	if rank < s.least {
		return
	}
	attributes, before := s.grouper.Attributes(), len(s.cells)
	if most := len(attributes) + len(rec.Features) + others + len(whole); cap(s.cells)-before < most {
		s.cells = slices.Grow(s.cells, before+most) // twice as many: append would copy them more often
	}
	for a, name := range attributes {
		value := record.Value{Missing: true}
		if a < len(rec.Attributes) {
			value = rec.Attributes[a]
		}
		s.levels[a] = fairness.MissingLevel
		if !value.Missing {
			s.levels[a] = s.grouper.Level(a, value.Text)
			s.put(a, name, value.Text, record.Hash(value.Text), true)
		}
	}
	for f := range rec.Features {
		if field := &rec.Features[f]; !field.Missing {
			s.put(len(attributes)+f, field.Name, field.Text, field.Hash, false)
		} else {
			s.column(len(attributes)+f, field.Name)
		}
	}
	s.putOthers(rec, len(attributes)+len(rec.Features))
	for f := range whole {
		if field := &whole[f]; !field.Missing && field.Name != s.config.Record.Label.Field {
			s.put(len(attributes)+len(rec.Features)+others+f, field.Name, field.Text, field.Hash, true)
		}
	}
	s.grouper.Members(s.members, s.levels)
	for k, side := range s.members {
		s.sides[k] = append(s.sides[k], side)
	}
	of := row{rank: rank, labelled: rec.HasLabel, positive: rec.Positive, label: rec.Label, propensity: rec.Propensity, delay: timeless, cells: len(s.cells) - before}
	if !rec.Time.IsZero() && !rec.LabelTime.IsZero() {
		of.delay, of.labelAt = rec.LabelTime.Sub(rec.Time), rec.LabelTime.Unix()
	}
	s.rows = append(s.rows, of)
}

// content is the same of records that are the same in all that is read.
func (s *Sample) content(rec *record.Record) (key uint64) {
	if rec.Positive {
		key = 1
	}
	for f := range rec.Features {
		if field := &rec.Features[f]; !field.Missing {
			if c := s.column(len(rec.Attributes)+f, field.Name); c != nil {
				key += record.Mix(c.id, field.Hash)
			}
		}
	}
	for a := range rec.Attributes {
		if value := &rec.Attributes[a]; !value.Missing {
			key += record.Mix(uint64(a), record.Hash(value.Text))
		}
	}
	return key
}

// others is how many fields of a record have a role of their own.
const others = 2

// putOthers gives it the time and the weight of the record, if the configuration names them.
func (s *Sample) putOthers(rec *record.Record, at int) {
	if name := s.config.Record.Time.Field; name != "" && !rec.Time.IsZero() {
		s.text = rec.Time.AppendFormat(s.text[:0], time.DateTime)
		s.put(at, name, s.text, record.Hash(s.text), true)
	}
	if name := s.config.Record.Weight; name != "" {
		s.text = strconv.AppendFloat(s.text[:0], rec.Weight, 'f', -1, 64)
		s.put(at+1, name, s.text, record.Hash(s.text), true)
	}
}

// put gives the present row a value. beside says that no decision depends on it.
func (s *Sample) put(at int, name string, text []byte, hash uint64, beside bool) {
	c := s.column(at, name)
	if c == nil || c.last == s.records { // an attribute that is a feature, too
		return
	}
	c.last = s.records
	c.beside = c.beside || beside
	text = text[:min(len(text), mostText)]
	s.cells = append(s.cells, cell{hash, uint32(len(s.texts)), uint16(len(text)), c.place})
	if cap(s.texts)-len(s.texts) < len(text) {
		s.texts = slices.Grow(s.texts, len(s.texts)+mostText)
	}
	s.texts = append(s.texts, text...)
}

// column is the one of a name, whose field most records have in this place; nil if there are too many.
func (s *Sample) column(at int, name string) *column {
	if c := s.names.At(at, name); c != nil {
		return c
	}
	if len(s.columns) == mostColumns {
		s.omitted = true
		return nil
	}
	c := &column{name: name, place: uint16(len(s.columns)), id: record.Hash([]byte(name)), texts: map[uint64]string{}}
	s.columns = append(s.columns, c)
	s.names.Make(name, c)
	return c
}

// room is how many rows there may be.
func (s *Sample) room() int {
	if s.Quick && s.least > 0 {
		return min(quickRows, s.roomOfAll())
	}
	return s.roomOfAll()
}

func (s *Sample) roomOfAll() int {
	cells := mostCells
	if s.Quick {
		cells = quickCells
	}
	return min(mostRows, cells/max(1, len(s.columns)))
}

// thin leaves out about every other row, and from now on as many of the records to come.
func (s *Sample) thin() {
	s.least++
	var kept []int
	rows, cells, texts := s.rows[:0], s.cells[:0], s.texts[:0]
	from := 0
	for r, of := range s.rows {
		if of.rank >= s.least {
			kept, rows = append(kept, r), append(rows, of)
			for _, c := range s.cells[from : from+of.cells] {
				at := uint32(len(texts))
				texts = append(texts, s.texts[c.at:c.at+uint32(c.length)]...)
				c.at = at
				cells = append(cells, c)
			}
		}
		from += of.cells
	}
	s.rows, s.cells, s.texts = rows, cells, texts
	for k, sides := range s.sides {
		for to, from := range kept {
			sides[to] = sides[from]
		}
		s.sides[k] = sides[:len(kept)]
	}
}

// settle makes values of the cells. No more records come after that.
func (s *Sample) settle() {
	if s.settled {
		return
	}
	s.settled = true
	rows := len(s.rows)
	n := rows * len(s.columns)
	hashes, numbers, ways, codes := make([]uint64, n), make([]float64, n), make([]uint8, n), make([]uint16, n)
	for i := range numbers {
		numbers[i] = math.NaN()
	}
	for k, c := range s.columns {
		from, to := k*rows, (k+1)*rows
		c.values = values{hashes: hashes[from:to:to], numbers: numbers[from:to:to], ways: ways[from:to:to], codes: codes[from:to:to], forms: []form.Form{0}, of: []uint64{0}}
	}
	reads := make([]read, remembered*len(s.columns))
	at := 0
	for r := range s.rows {
		for _, cell := range s.cells[at : at+s.rows[r].cells] {
			c := s.columns[cell.column]
			known := &reads[remembered*int(cell.column)+int(cell.hash%remembered)]
			if known.hash != cell.hash {
				*known = c.read(s.texts[cell.at:cell.at+uint32(cell.length)], cell.hash)
			}
			c.hashes[r], c.numbers[r], c.ways[r] = cell.hash, known.number, known.way
			if known.time {
				c.times++
			}
		}
		at += s.rows[r].cells
	}
	s.cells, s.texts = nil, nil
	s.space = [2][]float64{make([]float64, 0, rows), make([]float64, 0, rows)}
	attributes := s.grouper.Attributes()
	coded, keys := map[uint64]uint16{}, make([]uint64, 0, rows)
	for _, c := range s.columns {
		c.finish(coded, keys)
		c.attribute = slices.Contains(attributes, c.name)
		c.feature = (!c.beside || slices.Contains(s.config.Record.Features, c.name)) && !slices.Contains(s.Left, c.name)
	}
}
