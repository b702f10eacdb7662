package record

import (
	"math"

	"github.com/go-faster/jx"
)

// Decoder fills records from JSON objects and CSV rows. It remembers the fields of the records it
// has seen, and belongs to one goroutine.
type Decoder struct {
	schema *Schema
	record *Record // the one being decoded into

	weighed  bool      // it has a weight
	moments  []*moment // its fields of record.times
	sequence uint64    // number of the record being decoded, from 1
	tree     tree
	shape    shape
	layout   layout
	header   *Header   // of the last CSV row, and
	columns  []*column // what its columns are
	rows     rows

	json    *jx.Decoder
	member  func(*jx.Decoder, []byte) error // d.decodeMember and
	element func(*jx.Decoder) error         // d.decodeElement, made once: making one allocates
	data    []byte                          // the JSON being decoded
	escapes bool                            // it holds a backslash
	place   place                           // where in it the decoder is
	flat    bool                            // it is worth trying to read the next as a flat object
	members int                             // how many it has read
	depth   int                             // of what is walked over: see Begin
	opened  bool                            // what is walked over has a record
	named   bool                            // the record that is walked over has the names of layout
	small   [smallWhole]knownText           // what small numbers come to
	// remembering is the layout of the records that were walked over, whose columns remember texts.
	remembering uint64
	op          byte     // of the change event that is walked over; 0 if it has none
	envelope    envelope // around the record
}

// NewDecoder returns a decoder of s.
func (s *Schema) NewDecoder() *Decoder {
	d := &Decoder{schema: s, json: jx.DecodeBytes(nil), flat: true}
	d.member, d.element = d.decodeMember, d.decodeElement
	d.tree.clear(s)
	return d
}

// Forget drops what the decoder still refers to of the last JSON that it decoded, so that the memory can be given back.
// Records that were decoded stay as they are.
func (d *Decoder) Forget() {
	d.record, d.data, d.envelope.found = nil, nil, [4]span{}
	d.json.ResetBytes(nil)
}

// begin starts a record of size bytes.
func (d *Decoder) begin(dst *Record, size int) error {
	dst.reset(len(d.schema.attributes), size)
	d.record = dst
	d.weighed = false
	d.moments = d.moments[:0]
	d.members = 0
	d.sequence++
	if d.tree.nodes > maxNodes {
		d.tree.clear(d.schema)
		d.shape = shape{}
	}
	if limit := d.schema.config.Limits.RecordBytes; size > limit {
		return &Rejection{Reason: TooLong, Offset: limit, Detail: "longer than record.limits.record_bytes"}
	}
	return nil
}

func duplicate(c *column, offset int) error {
	return &Rejection{Reason: DuplicateField, Field: c.path, Offset: offset, Detail: "the record has it twice"}
}

// assign gives text, at the given byte of the record, to whatever c is. A null is an absent text.
func (d *Decoder) assign(c *column, text []byte, null bool, offset int) error {
	if c.seen == d.sequence {
		return duplicate(c, offset)
	}
	c.seen = d.sequence
	missing := null || d.schema.missing.has(text)
	if c.feature {
		if c.id == notYet {
			c.id = d.schema.names.ID(c.path)
		}
		d.layout.add(len(d.record.Features), c)
		d.record.addFeature(c, text, missing)
	}
	return d.assignRest(c, text, missing, offset)
}

// assignRest gives the text to what c is beside a feature.
func (d *Decoder) assignRest(c *column, text []byte, missing bool, offset int) error {
	if missing {
		if c.moment != nil {
			return d.assignMoment(c, nil, true, offset)
		}
		return nil
	}
	if c.attribute >= 0 {
		d.record.Attributes[c.attribute] = Value{Text: text}
	}
	if c.role != 0 {
		return d.assignRole(c, text, offset)
	}
	return nil
}

func (d *Decoder) assignRole(c *column, text []byte, offset int) error {
	config := &d.schema.config
	if c.role&(opRole|snapshotRole) != 0 {
		d.assignAround(c, text)
		return nil
	}
	if c.role&labelRole != 0 && !d.assignLabel(text) {
		return &Rejection{Reason: BadLabel, Field: c.path, Offset: offset, Detail: "not a number from -1e30 to 1e30"}
	}
	if c.role&weightRole != 0 {
		weight, ok := Decimal(text)
		if !ok || !(weight >= 0 && weight <= MaxWeight) {
			return &Rejection{Reason: BadWeight, Field: c.path, Offset: offset, Detail: "not a number from 0 to 1e6"}
		}
		d.record.Weight = weight
		d.weighed = true
	}
	if c.role&propensityRole != 0 {
		propensity, ok := Decimal(text)
		if !ok || !(propensity > 0 && propensity <= 1) {
			return &Rejection{Reason: BadPropensity, Field: c.path, Offset: offset, Detail: "not a number above 0 and at most 1"}
		}
		d.record.Propensity = propensity
	}
	if c.role&idRole != 0 {
		d.record.ID = text
	}
	if c.role&keyRole != 0 {
		d.record.Key = text
	}
	if c.role&clusterRole != 0 {
		d.record.Cluster = text
	}
	if c.role&(timeRole|labelTimeRole) != 0 {
		t, err := parseTime(config.Time.Format, text)
		if err != nil {
			return &Rejection{Reason: BadTime, Field: c.path, Offset: offset, Detail: notWritten(config.Time.Format, text)}
		}
		if c.role&timeRole != 0 {
			d.record.Time = t
		}
		if c.role&labelTimeRole != 0 {
			d.record.LabelTime = t
		}
	}
	if c.role&momentRole != 0 {
		return d.assignMoment(c, text, false, offset)
	}
	return nil
}

func (d *Decoder) assignLabel(text []byte) (ok bool) {
	d.record.HasLabel = true
	label := &d.schema.config.Label
	if !label.Numeric() {
		d.record.Positive = string(text) == string(label.Positive)
		return true
	}
	d.record.Label, ok = Decimal(text)
	return ok && math.Abs(d.record.Label) <= MaxLabel
}

// finish checks what only the whole record shows.
func (d *Decoder) finish() error {
	config := &d.schema.config
	d.addAges()
	if d.record.Layout == 0 {
		d.record.Layout = d.layout.of(len(d.record.Features))
	}
	if config.Key != "" && d.record.Key == nil {
		return absent(MissingKey, config.Key)
	}
	if d.schema.parts {
		return nil
	}
	if !d.record.HasLabel && !d.schema.labelOptional {
		return absent(MissingLabel, config.Label.Field)
	}
	if config.Weight != "" && !d.weighed {
		return absent(MissingWeight, config.Weight)
	}
	return nil
}

func absent(reason Reason, field string) error {
	return &Rejection{Reason: reason, Field: field, Offset: -1, Detail: "absent, null or a text that counts as missing"}
}
