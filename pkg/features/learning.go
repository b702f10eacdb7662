package features

import (
	"math"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/pkg/record"
)

// Learning is a Frozen encoder that grows. Encode and Reveal of a Learning learn; Encode of its Frozen encodes the same
// record without learning anything.
type Learning struct {
	// Resembles says whether a field was probably meant by a name that Refuse was given. nil: none was.
	Resembles func(name, field string) bool

	Frozen
	settings Config
	growth
	waiting []candidate // scratch: of the present record
	looking []number    // scratch: numbers of the present record whose bins are being tested
}

// growth is what a snapshot saves beside the Frozen encoder.
type growth struct {
	samples []sample   // by column: the first values of an Untyped one
	proofs  []evidence // by column: of a Binned one
	records int64      // observed and encoded
	ignored int64
	refused []string // what no column may be meant by: see Refuse
	left    []string // fields that are no columns: see LeaveOut
	promotion
}

// candidate is a level that waits for a weight of its own.
type candidate struct {
	slot Slot
	key  uint64
}

// number is one of the present record, in a column whose bins are being tested.
type number struct {
	column, bin int32
	z           float64
}

// NewLearning returns an encoder that has seen nothing.
func NewLearning(settings Config) *Learning {
	l := &Learning{settings: settings}
	l.size = Intercept + 1
	l.words.buckets = int32(settings.Vocabulary.Buckets)
	for _, names := range settings.Crosses {
		l.crosses = append(l.crosses, newCross(names))
	}
	return l
}

// Ignored is how many values were not encoded because there were as many columns as learner.vocabulary.columns allows.
func (l *Learning) Ignored() int64 { return l.ignored }

// Refuse keeps fields that resemble one of names from becoming columns. It is to be called before any record
// is observed.
func (l *Learning) Refuse(names []string) { l.refused = append(l.refused, names...) }

// LeaveOut keeps the fields of these names from becoming columns. It is to be called before any record is observed.
func (l *Learning) LeaveOut(names []string) { l.left = append(l.left, names...) }

// LeftOut returns the names that LeaveOut was given.
func (l *Learning) LeftOut() []string { return l.left }

// refuses says whether a field is left out, or resembles a refused name.
func (l *Learning) refuses(field string) bool {
	return slices.Contains(l.left, field) || l.Resembles != nil && slices.ContainsFunc(l.refused, func(name string) bool { return l.Resembles(name, field) })
}

// Observe looks at a record before any is encoded, for the types and bins of its columns.
func (l *Learning) Observe(fields []record.Field) {
	l.meet(fields, 0)
	for _, o := range l.layout.order {
		if f := &fields[o.field]; f.Missing {
			l.samples[o.column].nulls = true
		} else if l.columns[o.column].Kind == Untyped {
			l.observe(o.column, f.Text)
		}
	}
	l.records++
}

// observe adds a value to the sample of an Untyped column.
func (l *Learning) observe(column int32, text []byte) *sample {
	s := &l.samples[column]
	if s.size() == 0 {
		s.first = l.records
	}
	s.observe(text)
	return s
}

// Infer fixes the types of all columns that have been observed often enough. Others are inferred when they have had 256
// values.
func (l *Learning) Infer() {
	for i := range l.columns {
		if l.columns[i].Kind == Untyped && l.samples[i].size() >= leastSample {
			l.infer(int32(i))
		}
	}
}

func (l *Learning) infer(column int32) {
	c, s := &l.columns[column], &l.samples[column]
	if l.size = s.infer(c, l.settings.Columns[c.Name], l.size, s.share(l.records, c.Missing != 0)); c.Kind == Binned {
		l.proofs[column].open(c)
	}
}

// meet finds the column of every field, and makes new ones.
func (l *Learning) meet(fields []record.Field, layout uint64) {
	l.layout.arrange(fields, layout)
	if len(l.layout.fresh) > 0 && l.takeColumns(l.layout.fresh) {
		l.layout.arrange(fields, 0)
	}
}

// takeColumns makes new columns, by name, as far as there is room, and says whether it made any.
func (l *Learning) takeColumns(names []string) bool {
	slices.Sort(names)
	made := false
	for _, name := range slices.Compact(names) {
		if l.refuses(name) {
			if len(l.layout.byName) < 2*l.settings.Vocabulary.Columns { // which bounds what is remembered
				l.layout.name(strings.Clone(name), noColumn)
				made = true
			}
			continue
		}
		if len(l.columns) >= l.settings.Vocabulary.Columns {
			l.ignored++
			continue
		}
		c := Column{Name: strings.Clone(name)}
		if l.settings.Columns[name].Type == Categorical {
			c.Kind = Levelled
		}
		l.addColumn(c)
		made = true
	}
	return made
}

func (l *Learning) addColumn(c Column) {
	l.Frozen.addColumn(c)
	l.samples, l.proofs, l.trials = append(l.samples, sample{}), append(l.proofs, evidence{}), append(l.trials, trial{})
}

// Encode takes in what is new in a record, and replaces row by its non-zeros, as Frozen.Encode does. Unless something is new it allocates nothing.
func (l *Learning) Encode(row *Row, r *record.Record) {
	l.meet(r.Features, r.Layout)
	l.begin(row)
	l.waiting, l.looking = l.waiting[:0], l.looking[:0]
	hashes, order := l.hashesOf(r), l.layout.order
	to := filling{row: row}
	for i, o := range order {
		hash := hashes[o.field]
		if known := l.memory.at(o.column, hash); known != nil && known.hash == hash && known.whole == o.column+1 && !known.waits {
			if !to.open {
				to.fill(len(order) - i)
			}
			to.add(known)
			if known.numeric {
				l.look(o.column, known.bin, known.z)
			}
			continue
		}
		to.end()
		l.encodeField(row, o.column, &r.Features[o.field], hash)
	}
	to.end()
	for i := range l.crosses {
		l.encodeCross(row, i, r.Features)
	}
	l.records++
}

func (l *Learning) encodeField(row *Row, index int32, field *record.Field, hash uint64) {
	c := &l.columns[index]
	if missing(field, hash) {
		if c.Missing == 0 {
			c.Missing = l.take()
		}
		l.encodeMissing(row, c, index)
		return
	}
	slot := ColumnSlot(int(index))
	key := slot.Key(hash)
	known := l.memory.at(index, hash)
	if known.holds(index, hash) && (!known.waits || l.stillWaits(slot, key)) {
		l.repeat(row, c, known)
		if known.numeric {
			l.look(index, known.bin, known.z)
		}
		return
	}
	start := len(row.Index)
	t := l.encodeText(row, c, index, key, field)
	became := own
	if t.lacks != nothing {
		became = l.supply(row, t.lacks, slot, key, field.Text)
	}
	if t.lasts && known != nil {
		l.keep(known, index, hash, &t, row, start, became == waits)
	}
	if t.numeric {
		l.look(index, t.bin, t.z)
	}
	if c.sampling() {
		l.sample(index, field.Text, key)
	}
}

// look notes a number that is evidence on the bins of its column.
func (l *Learning) look(column, bin int32, z float64) {
	if l.proofs[column].bins != nil {
		l.looking = append(l.looking, number{column, bin, z})
	}
}

// stillWaits says whether a remembered candidate goes on waiting, and notes that the present record has it.
func (l *Learning) stillWaits(slot Slot, key uint64) bool {
	if l.rule(aCandidate, l.room(), slot, key) != waits {
		return false
	}
	l.wait(slot, key)
	return true
}

func (l *Learning) wait(slot Slot, key uint64) { l.waiting = append(l.waiting, candidate{slot, key}) }

// supply does for a level without a weight of its own what the rule says.
func (l *Learning) supply(row *Row, lacks lack, slot Slot, key uint64, text []byte) outcome {
	became := l.rule(lacks, l.room(), slot, key)
	switch became {
	case own:
		l.give(row, slot, key, text)
	case shares:
		if l.words.shared == 0 {
			l.words.shared = l.size
			l.size += l.words.buckets
		}
		row.Add(l.words.bucket(key), 1)
	case waits:
		l.wait(slot, key)
	}
	return became
}

// give adds a new weight for a level.
func (l *Learning) give(row *Row, slot Slot, key uint64, text []byte) {
	weight := l.take()
	l.words.add(Level{Slot: slot, Weight: weight, Key: key, Text: shorten(text)})
	l.tests.forget(key)
	row.Add(weight, 1)
}

func (l *Learning) room() room { return room{len(l.words.levels), l.settings.Vocabulary.Levels} }

// take returns the next free weight.
func (l *Learning) take() int32 {
	l.size++
	return l.size - 1
}

// sample adds a value, whose level has a key, to the sample of its column, and infers the type and the bins from enough of them.
func (l *Learning) sample(column int32, text []byte, key uint64) {
	c, s := &l.columns[column], l.observe(column, text)
	switch {
	case s.size() >= lateSample:
		l.infer(column)
		c.keepLevels()
	case c.Kind == Untyped && !c.crossed && l.settings.Columns[c.Name].counts():
		if x, _ := readNumber(text); s.rareCounts(x, s.share(l.records, c.Missing != 0)) {
			c.countFrom(x, l.words.find(key))
		}
	}
}

func (l *Learning) encodeCross(row *Row, i int, fields []record.Field) {
	slot := CrossSlot(i)
	key, complete := l.tokens.key(slot, &l.crosses[i])
	if !complete || l.addLevel(row, key) {
		return
	}
	switch l.rule(aCandidate, l.room(), slot, key) {
	case own:
		l.give(row, slot, key, l.crossText(i, fields))
	case waits:
		l.wait(slot, key)
	}
}

// largestResidual keeps sums of squares of weighted residuals finite.
const largestResidual = 1e15

// Reveal takes in how far the label of the record just encoded was off its prediction, and the variance that this has by
// the prediction, both in units in which the residual is about 1 at most. weight is the record's. Levels that wait for a
// weight of their own are tested with it, and so are bins, which may get weights at once.
func (l *Learning) Reveal(residual, variance, weight float64) {
	if !(math.Abs(residual) <= largestResidual && variance <= largestResidual) {
		return // of a model that diverges
	}
	for _, w := range l.waiting {
		l.learn(w.slot, w.key, residual, variance, weight)
	}
	for _, n := range l.looking {
		if l.proofs[n.column].learn(n.bin, n.z, residual, variance, weight) {
			l.earn(n.column)
		}
	}
	l.waiting, l.looking = l.waiting[:0], l.looking[:0]
}

// binned is the number of columns with bins.
func (l *Learning) binned() (count int) {
	for i := range l.columns {
		if c := &l.columns[i]; c.Kind == Binned && !c.sampling() {
			count++
		}
	}
	return count
}

// earn gives a column the weights of the bins that have earned them.
func (l *Learning) earn(column int32) {
	c, e := &l.columns[column], &l.proofs[column]
	coarse, fine := e.look(c, passingOf(l.binned()))
	if fine {
		c.First, l.size = l.size, l.size+c.Binning.count()
	}
	if coarse {
		c.FirstCoarse, l.size = l.size, l.size+c.Binning.coarseCount()
	}
	if c.First != 0 && c.FirstCoarse != 0 {
		*e = evidence{}
	}
	if coarse || fine {
		l.memory = memory{}
	}
}
