package statement

import (
	"maps"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"time"

	"github.com/fairstream/fairstream/internal/distinct"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

const (
	// A sample has at most mostRows, mostColumns, and mostCells of both, but leastRows; of further columns nothing is kept.
	mostRows    = 16384
	leastRows   = 1024
	mostColumns = 512
	mostCells   = 1 << 21
	// leastSaid is of how many records anything is said.
	leastSaid = 20
	// Of a column with at most fewTexts different texts, each of at most shortText bytes, the texts are kept.
	fewTexts  = 100
	shortText = 32
)

// Sample is an even selection of records: all of them, if they are few.
type Sample struct {
	config  model.Config
	grouper *fairness.Grouper
	levels  []fairness.Level
	members []fairness.Side

	columns []*column
	names   distinct.Names[column]
	omitted bool // there are more columns
	rows    []row
	sides   [][]fairness.Side // of the rows, by comparison
	least   int               // the rank of the records that are kept
	text    []byte

	records, known, positive int64 // all of them
	copies                   copies

	// Decision says what is decided where no label does, Settings which settings are not the defaults, and Left which columns are left out of the features.
	Decision       string
	Settings, Left []string
	// Ends are the smallest and the largest number of a column of all records, where they are known.
	Ends map[string][2]float64
}

// row is what a record is beside its values.
type row struct {
	rank               int
	labelled, positive bool
	label, propensity  float64
	delay              time.Duration // until the label was known; timeless if that is not known
}

// timeless is the delay of a label whose time is not known.
const timeless = time.Duration(math.MinInt64)

// column is a field of the rows.
type column struct {
	name   string
	id     uint64 // the same of the same name
	beside bool   // an attribute, the time, the weight or a field that is ignored
	values
	texts map[uint64]string // by hash; nil if there are many, or long ones
	times int               // values that were read as times
	given int               // values
}

// values are those of a column in some rows.
type values struct {
	hashes  []uint64  // 0 where there is none
	numbers []float64 // of times the seconds since 1970, NaN of other texts
	forms   []form
}

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
	s.copies.add(s.content(rec))
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
	attributes := s.grouper.Attributes()
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
	delay := timeless
	if !rec.Time.IsZero() && !rec.LabelTime.IsZero() {
		delay = rec.LabelTime.Sub(rec.Time)
	}
	s.rows = append(s.rows, row{rank, rec.HasLabel, rec.Positive, rec.Label, rec.Propensity, delay})
	for _, c := range s.columns {
		c.fill(len(s.rows))
	}
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

// mostContents is how many different contents are counted.
const mostContents = 1 << 14

// copies counts records by their content: of all contents, or of those whose mixed key has so many zeros at its end. All copies of one are then counted.
type copies struct {
	zeros int
	seen  map[uint64]int
}

func (c *copies) add(key uint64) {
	key = record.Mix(0, key)
	if bits.TrailingZeros64(key) < c.zeros {
		return
	}
	if c.seen == nil {
		c.seen = map[uint64]int{}
	}
	for c.seen[key]++; len(c.seen) > mostContents; {
		c.zeros++
		maps.DeleteFunc(c.seen, func(key uint64, _ int) bool { return bits.TrailingZeros64(key) < c.zeros })
	}
}

// share is that of the records that equal an earlier one.
func (c *copies) share() float64 {
	return 1 - float64(len(c.seen))/float64(max(1, sum(c.seen)))
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
	if c == nil || len(c.hashes) > len(s.rows) { // an attribute that is a feature, too
		return
	}
	c.fill(len(s.rows))
	c.beside = c.beside || beside
	c.given++
	x := table.Number(text)
	if math.IsNaN(x) {
		if at, ok := profile.ParseTime(text); ok {
			x = float64(at.Unix())
			c.times++
		}
	}
	c.hashes, c.numbers, c.forms = append(c.hashes, hash), append(c.numbers, x), append(c.forms, formOf(text))
	if _, known := c.texts[hash]; c.texts != nil && !known {
		if c.texts[hash] = string(text); len(c.texts) > fewTexts || len(text) > shortText {
			c.texts = nil
		}
	}
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
	c := &column{name: name, id: record.Hash([]byte(name)), texts: map[uint64]string{}}
	s.columns = append(s.columns, c)
	s.names.Make(name, c)
	return c
}

// room is how many rows there may be.
func (s *Sample) room() int {
	return max(leastRows, min(mostRows, mostCells/max(1, len(s.columns))))
}

// thin leaves out about every other row, and from now on as many of the records to come.
func (s *Sample) thin() {
	s.least++
	var kept []int
	rows := s.rows[:0]
	for r, of := range s.rows {
		if of.rank >= s.least {
			kept, rows = append(kept, r), append(rows, of)
		}
	}
	s.rows = rows
	for _, c := range s.columns {
		c.values = c.in(kept)
	}
	for k, sides := range s.sides {
		for to, from := range kept {
			sides[to] = sides[from]
		}
		s.sides[k] = sides[:len(kept)]
	}
}

// fill has no values up to a row.
func (v *values) fill(rows int) {
	for len(v.hashes) < rows {
		v.hashes, v.numbers, v.forms = append(v.hashes, 0), append(v.numbers, math.NaN()), append(v.forms, 0)
	}
}

// in are the values of some rows.
func (v *values) in(rows []int) (of values) {
	of.hashes, of.numbers, of.forms = make([]uint64, len(rows)), make([]float64, len(rows)), make([]form, len(rows))
	for to, from := range rows {
		of.hashes[to], of.numbers[to], of.forms[to] = v.hashes[from], v.numbers[from], v.forms[from]
	}
	return of
}

// known is how many there are, and how many of them are numbers.
func (v *values) known() (all, numbers int) {
	for r, hash := range v.hashes {
		if hash == 0 {
			continue
		}
		if all++; !math.IsNaN(v.numbers[r]) {
			numbers++
		}
	}
	return all, numbers
}

// nearlyNumbers is the share of the values of a column of numbers that are numbers.
const nearlyNumbers = .95

// numeric says whether a column is one of numbers or of times.
func (c *column) numeric() bool {
	all, numbers := c.known()
	return all > 0 && float64(numbers) >= nearlyNumbers*float64(all)
}

// isTime says whether the numbers are times.
func (c *column) isTime() bool { return c.given > 0 && 2*c.times > c.given }

func isAttribute(c *column, s *Sample) bool { return slices.Contains(s.grouper.Attributes(), c.name) }
