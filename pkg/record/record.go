package record

import (
	"slices"
	"time"
)

// Record is one decoded record. Its slices and texts belong to the buffer it was decoded from or
// to the Record itself: they are valid until that buffer changes or the Record is decoded into
// again. The zero value is ready to be decoded into; reusing one saves every allocation.
//
// What a learner reads stands first, so that another processor takes few cache lines to read it.
type Record struct {
	// HasLabel is false only where a record may come without one: see [Schema.LabelOptional].
	HasLabel bool
	// Positive says whether the label equals Config.Label.Positive.
	Positive bool
	// Label is the label if it is a number, in [-MaxLabel, MaxLabel]; otherwise 0.
	Label float64
	// Weight is in [0, MaxWeight], and 1 when no weight field is configured. A weight of 0 contributes nothing.
	Weight float64
	// Propensity is the probability with which the label would become known, in (0, 1]; 0 if nobody knows it.
	Propensity float64
	// Layout stands for the names of Features in their order: records of the same Layout have the same. 0
	// stands for none, as when Features were changed. It is a shortcut, and differs from run to run.
	Layout  uint64
	hashes  []uint64 // see Hashes
	decoded *Field   // the first of the Features that they are of
	// Features are in the order of the record.
	Features []Field
	// Attributes holds one value per attribute, in the order given to [NewSchema].
	Attributes []Value
	// ID is the configured identifier, nil when missing.
	ID []byte
	// Key joins a record with a label that comes later; nil when none is configured.
	Key []byte
	// Cluster names the person or household that the record is about; nil when missing or without [Schema.WithCluster].
	Cluster []byte
	// Time is the event time in UTC; the zero time when missing.
	Time time.Time
	// LabelTime is when the label became known, in UTC; the zero time when missing.
	LabelTime time.Time
	// Size is the length in bytes of what the record was decoded from.
	Size int
	// Snapshot says that an event of Debezium brought the record from a snapshot: the row was read, and did not change then.
	Snapshot bool

	named     uint64 // the layout whose names stand in the room of Features; 0: none is known to
	unescaped []byte // holds the texts whose JSON escapes had to be undone
}

// Value is the text of an attribute. Missing is set when the record has none, or one that counts
// as missing; Text is then nil.
type Value struct {
	Text    []byte
	Missing bool
}

// Field is one feature.
type Field struct {
	// Name is the dotted path. It is always set.
	Name string
	// ID is the id of Name in the schema's [Names], or [NoName] when that table was full.
	ID int32
	// Missing is set for null and for the texts in Config.Missing; Text is then nil and Hash 0.
	Missing bool
	// Text is the value.
	Text []byte
	// Hash is Hash(Text).
	Hash uint64
}

// reset empties r but keeps its memory.
func (r *Record) reset(attributes, size int) {
	if cap(r.Attributes) < attributes {
		r.Attributes = make([]Value, attributes)
	}
	r.Attributes = r.Attributes[:attributes]
	for i := range r.Attributes {
		r.Attributes[i] = Value{Missing: true}
	}
	// One by one: assigning a whole Record costs four times as much.
	r.HasLabel, r.Positive, r.Label, r.Weight, r.Propensity = false, false, 0, 1, 0
	r.Features, r.hashes, r.Layout, r.Size = r.Features[:0], r.hashes[:0], 0, size
	r.Snapshot = false
	r.ID, r.Key, r.Cluster, r.Time, r.LabelTime = nil, nil, nil, time.Time{}, time.Time{}
	r.unescaped = r.unescaped[:0]
}

// Hashes are those of Features in their order, side by side: an encoder then need not read the fields themselves. They are nil if
// Features is another slice than the one that was decoded into; fields must not be changed in that one.
func (r *Record) Hashes() []uint64 {
	if len(r.Features) == 0 || len(r.hashes) != len(r.Features) || r.decoded != &r.Features[0] {
		return nil
	}
	return r.hashes
}

// Keep moves the texts of r to the end of memory, which it returns. r is then valid for as long as memory is not reused, whatever it
// was decoded from. A rejected record may be given.
func (r *Record) Keep(memory []byte) []byte {
	keep := func(text []byte) []byte {
		if text == nil {
			return nil
		}
		from := len(memory)
		memory = append(memory, text...)
		return memory[from:len(memory):len(memory)]
	}
	for i := range r.Features {
		r.Features[i].Text = keep(r.Features[i].Text)
	}
	for i := range r.Attributes {
		r.Attributes[i].Text = keep(r.Attributes[i].Text)
	}
	r.ID, r.Key, r.Cluster = keep(r.ID), keep(r.Key), keep(r.Cluster)
	return memory
}

// Clone is a copy that depends on no buffer.
func (r *Record) Clone() Record {
	c := *r
	c.Features, c.Attributes = slices.Clone(r.Features), slices.Clone(r.Attributes)
	c.hashes, c.decoded, c.unescaped = nil, nil, nil
	c.Keep(nil)
	return c
}

// roomForFields is for how many fields more a record gets room at least.
const roomForFields = 16

// addFeature fills the next feature in place: copying a Field costs as much as hashing one.
func (r *Record) addFeature(c *column, text []byte, missing bool) {
	n := len(r.Features)
	if n == cap(r.Features) {
		r.Features, r.hashes = slices.Grow(r.Features, roomForFields), slices.Grow(r.hashes, roomForFields)
	}
	r.Features = r.Features[:n+1]
	r.decoded, r.named = &r.Features[0], 0
	f := &r.Features[n]
	f.Name, f.ID, f.Missing = c.path, c.id, missing
	if f.Text, f.Hash = text, 0; missing {
		f.Text = nil
	} else {
		f.Hash = Hash(text)
	}
	r.hashes = append(r.hashes, f.Hash)
}

// room makes room for the features of a layout, whose columns are given, with their names in it. Most records have the layout of the one
// that was decoded into r before, and then the names are there.
func (r *Record) room(layout uint64, columns []*column) ([]Field, []uint64) {
	n := len(columns)
	if n == 0 {
		return nil, nil
	}
	if cap(r.Features) < n || cap(r.hashes) < n {
		r.Features, r.hashes, r.named = slices.Grow(r.Features[:0], n), slices.Grow(r.hashes[:0], n), 0
	}
	features := r.Features[:n]
	if r.named != layout || r.decoded != &features[0] {
		for i, c := range columns {
			features[i].Name, features[i].ID = c.path, c.id
		}
		r.named, r.decoded = layout, &features[0]
	}
	return features, r.hashes[:n]
}
