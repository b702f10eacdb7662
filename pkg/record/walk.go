package record

import (
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
	return d.begin(dst, size)
}

// End checks what only the whole record shows.
func (d *Decoder) End() error {
	if err := d.unwrapped(); err != nil {
		return err
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

// Put gives a text to n. The record keeps the slice. offset is where in the message the value begins, -1 if that is unknown.
func (d *Decoder) Put(n *Node, text []byte, offset int) error {
	if err := d.enter(n); err != nil || n.column.ignored {
		return err
	}
	if !isASCII(text) && !utf8.Valid(text) {
		return notUTF8(offset)
	}
	return d.assign(n.column, text, false, offset)
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
	r := d.record
	start := len(r.unescaped)
	if uint64(value) < 100 { // most numbers are small
		if value >= 10 {
			r.unescaped = append(r.unescaped, byte('0'+value/10), byte('0'+value%10))
		} else {
			r.unescaped = append(r.unescaped, byte('0'+value))
		}
	} else {
		r.unescaped = strconv.AppendInt(r.unescaped, value, 10)
	}
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

var texts = [...][]byte{[]byte("false"), []byte("true")}

// PutBool gives true or false to n.
func (d *Decoder) PutBool(n *Node, value bool, offset int) error {
	text := texts[0]
	if value {
		text = texts[1]
	}
	return d.Put(n, text, offset)
}
