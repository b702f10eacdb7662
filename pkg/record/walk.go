package record

import (
	"encoding/binary"
	"strconv"
	"unicode/utf8"
)

// A format of its own (Avro, Protobuf) walks over the bytes of a message and gives its values to a Decoder, which makes the same record of
// them as of JSON with those members:
//
//	n, err := d.Member(d.Root(), "age")   // once per schema
//
//	d.Begin(dst, len(message))            // once per record
//	d.Put(n, text, offset)
//	d.PutInt(n, 39, offset)
//	d.End()
//
// All errors are of type *Rejection, and dst is not to be used after one.

// Begin starts a record, decoded from size bytes, and forgets the names that it knows if there are too many: nodes are valid as long as
// Root returns the same node.
func (d *Decoder) Begin(dst *Record, size int) error {
	d.depth, d.opened, d.op = 1-d.tree.outsides(), false, 0
	if err := d.begin(dst, size); err != nil {
		return err
	}
	if d.named = d.layout.id != 0 && len(d.layout.features) > 0; d.named { // most records have the features of the one before
		features, hashes := dst.room(d.layout.id, d.layout.features)
		dst.Features, dst.hashes = features[:0], hashes[:0]
	}
	return nil
}

// End checks what only the whole record shows.
func (d *Decoder) End() error {
	if err := d.unwrapped(); err != nil {
		return err
	}
	if d.remembering != d.layout.id { // the columns of other records
		d.rememberColumns()
	}
	return d.finish()
}

// Root is the node of the message: the record itself, or what is around it as Config.At says.
func (d *Decoder) Root() *Node { return d.tree.message }

// Member returns the node of the member key of the object, or of the element whose number key is of the array, at parent.
func (d *Decoder) Member(parent *Node, key string) (*Node, error) {
	if !utf8.ValidString(key) {
		return nil, notUTF8(-1)
	}
	if n, ok := parent.children[key]; ok {
		return n, nil
	}
	if parent.around && parent != d.tree.root {
		return d.tree.passed, nil
	}
	return d.tree.add(parent, key)
}

// Ignored says that values at n are not read: a format may skip them, after it has called Skip.
func (n *Node) Ignored() bool { return n.column.ignored }

// Path is the dotted path of n, as the rest of the configuration names it; "" for the record itself.
func (n *Node) Path() string { return n.column.path }

// Cursor finds the members of one object, or the elements of one array, whose keys only the record shows. It expects those of the record before.
type Cursor struct {
	parent *Node
	link   **Node
	index  int64
}

// Inside returns a cursor for what is inside n.
func (n *Node) Inside() Cursor { return Cursor{parent: n, link: &n.first} }

// Next returns the node of the next member, whose key is given.
func (d *Decoder) Next(c *Cursor, key []byte) (*Node, error) {
	if !utf8.Valid(key) {
		return nil, notUTF8(-1)
	}
	n, err := d.tree.member(c.parent, c.link, key)
	if err != nil {
		return nil, err
	}
	c.link = &n.next
	return n, nil
}

// NextElement returns the node of the next element of an array.
func (d *Decoder) NextElement(c *Cursor) (*Node, error) {
	var digits [20]byte
	key := strconv.AppendInt(digits[:0], c.index, 10)
	c.index++
	return d.Next(c, key)
}

// Skip counts a value at n that is not read.
func (d *Decoder) Skip(n *Node) error { return d.enter(n) }

// Open begins an object or an array at n. If into is false, what is inside is to be passed over, and Close is not to be called.
func (d *Decoder) Open(n *Node) (into bool, err error) {
	if err := d.enter(n); err != nil || n.column.ignored {
		return false, err
	}
	if into, err = d.into(n, d.depth); into {
		d.depth++
		d.opened = d.opened || n == d.tree.root
	}
	return into, err
}

// Close ends what Open began.
func (d *Decoder) Close() { d.depth-- }

// Put gives a text to n. The record keeps the slice. offset is where in the message the value begins, -1 if that is unknown. A text is decoded
// fastest if shortBytes bytes can be read from its beginning on: within its capacity.
func (d *Decoder) Put(n *Node, text []byte, offset int) error {
	if err := d.enter(n); err != nil || n.column.ignored {
		return err
	}
	c := n.column
	if known := c.texts.known; known != nil && len(text) < shortBytes && cap(text) >= shortBytes {
		return d.recall(c, known, text, offset)
	}
	if !isASCII(text) && !utf8.Valid(text) {
		return notUTF8(offset)
	}
	return d.assign(c, text, false, offset)
}

// recall gives a short text to c, whose texts are remembered.
func (d *Decoder) recall(c *column, all *[textsOfColumn]knownText, text []byte, offset int) error {
	bytes, mask := (*[shortBytes]byte)(text[:shortBytes]), &shortMasks[len(text)]
	w := words{binary.LittleEndian.Uint64(bytes[:]) & mask.a, binary.LittleEndian.Uint64(bytes[8:]) & mask.b, binary.LittleEndian.Uint64(bytes[16:]) & mask.c}
	f, known := newForm(len(text), 1), &all[placeOf(w.a, w.b, w.c)]
	if known.form == f && known.words == w {
		return d.assignKnown(c, text, known, offset)
	}
	if !isASCII(text) && !utf8.Valid(text) {
		return notUTF8(offset)
	}
	*known = d.knownAs(text, w, f)
	err := d.assignKnown(c, text, known, offset)
	if d.missed(&c.texts) {
		d.rememberColumns() // those of another column, which now has its turn
	}
	return err
}

// knownAs is what a text comes to.
func (d *Decoder) knownAs(text []byte, w words, f form) knownText {
	known := knownText{words: w, form: f, missing: d.schema.missing.has(text)}
	if !known.missing {
		known.hash = Hash(text)
	}
	return known
}

// assignKnown is assign of a text of which it is known what it comes to.
func (d *Decoder) assignKnown(c *column, text []byte, known *knownText, offset int) error {
	if c.seen == d.sequence {
		return duplicate(c, offset)
	}
	c.seen = d.sequence
	if c.feature {
		r := d.record
		if n := len(r.Features); d.named && n < len(d.layout.features) && d.layout.features[n] == c {
			r.Features = r.Features[:n+1]
			f := &r.Features[n]
			if f.Text, f.Hash, f.Missing = text, known.hash, known.missing; known.missing {
				f.Text = nil
			}
			r.hashes = append(r.hashes, known.hash)
		} else {
			if c.id == notYet {
				c.id = d.schema.names.ID(c.path)
			}
			d.layout.add(n, c)
			r.addFeature(c, text, known.missing)
		}
	}
	if c.plain {
		return nil
	}
	return d.assignRest(c, text, known.missing, offset)
}

// PutNull says that the value at n is missing.
func (d *Decoder) PutNull(n *Node, offset int) error {
	if err := d.enter(n); err != nil || n.column.ignored {
		return err
	}
	return d.assign(n.column, nil, true, offset)
}

// Scratch is memory of the record, to which a format appends a text that is not in the message; PutScratch takes it back.
func (d *Decoder) Scratch() []byte { return d.record.unescaped }

// PutScratch gives n what was appended to the last Scratch: UTF-8.
func (d *Decoder) PutScratch(n *Node, scratch []byte, offset int) error {
	start := len(d.record.unescaped)
	d.record.unescaped = scratch
	if err := d.enter(n); err != nil || n.column.ignored {
		return err
	}
	return d.assign(n.column, scratch[start:], false, offset)
}

// PutInt gives a whole number to n.
func (d *Decoder) PutInt(n *Node, value int64, offset int) error {
	if err := d.enter(n); err != nil || n.column.ignored {
		return err
	}
	if uint64(value) < smallWhole { // most numbers are
		text, known := smallTexts[value], &d.small[value]
		if known.form == 0 {
			*known = d.knownAs(text, words{}, newForm(len(text), 0))
		}
		return d.assignKnown(n.column, text, known, offset)
	}
	r := d.record
	start := len(r.unescaped)
	r.unescaped = strconv.AppendInt(r.unescaped, value, 10)
	return d.assign(n.column, r.unescaped[start:], false, offset)
}

// PutUint gives a whole number to n.
func (d *Decoder) PutUint(n *Node, value uint64, offset int) error {
	return d.PutScratch(n, strconv.AppendUint(d.Scratch(), value, 10), offset)
}

// PutFloat gives a number of 32 or 64 bits to n, as AppendNumber writes it.
func (d *Decoder) PutFloat(n *Node, value float64, bits int, offset int) error {
	return d.PutScratch(n, AppendNumber(d.Scratch(), value, bits), offset)
}

var texts = [...][]byte{Short("false"), Short("true")}

// Short is a text with room behind it, as Put decodes fastest.
func Short(text string) []byte { return append(make([]byte, 0, len(text)+shortBytes), text...) }

// smallWhole is how many whole numbers from 0 on have their texts at hand.
const smallWhole = 128

var smallTexts = func() (texts [smallWhole][]byte) {
	for i := range texts {
		texts[i] = strconv.AppendInt(nil, int64(i), 10)
	}
	return texts
}()

// PutBool gives true or false to n.
func (d *Decoder) PutBool(n *Node, value bool, offset int) error {
	text := texts[0]
	if value {
		text = texts[1]
	}
	return d.Put(n, text, offset)
}
