package record

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
)

// Most records of a stream have the same members in the same order. shape is that order, of flat records. While records keep to it, none of
// their members need be looked for, counted or compared with those before it: what holds of one of these records holds of the next.
type shape struct {
	members []member
	columns []*column // of those that are features
	layout  uint64    // of such records; 0 while members are being noted
	text    []byte    // that is before the values

	strays   int // records in a row that had another order, and
	patience int // how many these may be
	tables   int // columns whose texts are remembered
	tail     [tailBytes + shapeRoom]byte
}

// member is one of a shape.
type member struct {
	before  prefix // what stands between the value of the member before and this one
	long    bool   // it has more bytes than are compared as words
	room    int    // how many bytes the record must have from there on
	node    *Node
	column  *column
	texts   *[textsOfColumn]knownText // those of column
	unknown knownText                 // room for one that is not remembered
}

const (
	// A shape is out of date when leastPatience records in a row had another order. Each one that never fits is given twice as many as the one
	// before, up to mostPatience.
	leastPatience, mostPatience = 8, 1024
	// shapeRoom is how many bytes are looked at, at most, that are before a short value, its own, and behind it.
	shapeRoom = 8*prefixWords + behindKey
	behindKey = shortBytes + 8
	// tailBytes are the last ones of a record, which are looked at in a copy with zeros behind it.
	tailBytes = 128
)

// begins says whether the next record may have the shape. If there is none, or it is out of date, the members of the record are noted
// instead.
func (s *shape) begins() bool {
	if s.layout != 0 && s.strays < s.patience {
		return true
	}
	if s.layout != 0 {
		s.patience = min(2*s.patience, mostPatience)
	}
	s.members, s.layout = s.members[:0], 0
	return false
}

// note takes note of the next member of the present record, and of what is before its value.
func (s *shape) note(n *Node, before []byte) {
	if s.layout == 0 {
		s.members = append(s.members, member{before: prefix{text: before}, node: n, column: n.column})
	}
}

// learnShape makes a shape of the members that were noted, if the record that has them was decoded.
func (d *Decoder) learnShape(good bool) {
	s := &d.shape
	if s.layout != 0 {
		return
	}
	if !good || len(s.members) == 0 || len(d.schema.config.Times) > 0 { // parts of times are features in another order
		s.members = s.members[:0]
		return
	}
	size := 0
	for i := range s.members {
		size += len(s.members[i].before.text)
	}
	s.columns, s.text = s.columns[:0], slices.Grow(s.text[:0], size)
	for i := range s.members {
		m := &s.members[i]
		s.text = append(s.text, m.before.text...)
		m.before = newPrefix(s.text[len(s.text)-len(m.before.text):])
		m.long = len(m.before.text) > 8*prefixWords
		m.room = max(len(m.before.text), 8*prefixWords) + behindKey
		if m.column.feature {
			s.columns = append(s.columns, m.column)
		}
	}
	d.rememberTexts()
	s.layout, s.strays, s.patience = d.record.Layout, 0, max(s.patience, leastPatience)
}

// decodeShape decodes data, whose first member begins at i, as far as it has the shape: count members, the value of the last of which ends at
// end. whole says that this is the record. If ok is false, the general path has to find out what is wrong.
func (d *Decoder) decodeShape(data []byte, i int) (count, end int, whole, ok bool) {
	s, r := &d.shape, d.record
	r.room(s.layout, s.columns)
	// What is behind the record is looked at, where memory goes on, so that the last members have room: a value that ends there is none.
	beyond := data[:min(cap(data), len(data)+shapeRoom)]
	if count, end, ok = d.scanShape(beyond, beyond, 0, i, 0); !ok || end > len(data) {
		return 0, 0, false, false
	}
	if count < len(s.members) && len(data)-end <= tailBytes {
		clear(s.tail[copy(s.tail[:], data[end:]):])
		rest, after, ok := d.scanShape(s.tail[:], beyond, count, 0, end)
		if !ok {
			return 0, 0, false, false
		}
		count, end = rest, after+end
	}
	if count == len(s.members) {
		if end, more := afterMember(data, end); !more && end == len(data) {
			r.Layout, s.strays, s.patience = s.layout, 0, leastPatience
			return count, end, true, true
		}
	}
	s.strays++
	return count, end, false, true
}

// scanShape finds the values of the members from the count-th on in data, where what is before the value of that one begins at i, as long as
// they come as in the shape and data has room, and gives them to the record. It returns where the last value ends. data is a copy of what record
// has from some byte on, or record itself.
func (d *Decoder) scanShape(data, record []byte, count, i, from int) (members, end int, ok bool) {
	s, r := &d.shape, d.record
	n := len(r.Features)
	features, hashes := r.Features[:cap(r.Features)], r.hashes[:cap(r.hashes)]
	for ; count < len(s.members); count++ {
		m := &s.members[count]
		if len(data)-i < m.room {
			break
		}
		if !m.before.startsWith((*[8 * prefixWords]byte)(data[i:])) || m.long && !bytes.HasPrefix(data[i:], m.before.text) {
			break
		}
		at := i + len(m.before.text)
		var w words
		var f form
		var known *knownText
		start, size := at, 0
		if m.texts != nil {
			stop, other, quotes := uint64('"'*ones), uint64('"'*ones), 1
			if data[at] != '"' {
				stop, other, quotes = ','*ones, '}'*ones, 0
			}
			text, place := (*[shortBytes]byte)(data[at+quotes:]), uint64(0)
			if w.a = binary.LittleEndian.Uint64(text[:]); endOf(w.a, stop, other) != 0 { // as in most columns
				size = bits.TrailingZeros64(endOf(w.a, stop, other)) / 8
				w.a &= 1<<(8*size) - 1
				place = placeOf(w.a, 0, 0)
			} else {
				w.b, w.c = binary.LittleEndian.Uint64(text[8:]), binary.LittleEndian.Uint64(text[16:])
				ends := gather(endOf(w.b, stop, other))<<8 | gather(endOf(w.c, stop, other))<<16
				size = bits.TrailingZeros64(ends | 1<<shortBytes) // no branch depends on it, since it cannot be foreseen
				mask := &shortMasks[size]
				w.b, w.c = w.b&mask.b, w.c&mask.c
				place = placeOf(w.a, w.b, w.c)
			}
			f = newForm(size, quotes)
			if k := &m.texts[place]; k.form == f && k.words == w {
				known, start, i = k, at+quotes, at+size+2*quotes
			}
		}
		c := m.column
		if known == nil {
			text, next, ok := flatValue(data, at)
			if !ok {
				return 0, 0, false
			}
			if i = next; c.ignored {
				continue
			}
			if size = len(text); data[at] == '"' {
				start++
			}
			known = d.meet(m, text, isNull(data, at, text), w, f)
		}
		var text []byte
		if !known.missing {
			text = record[start+from:][:size]
		}
		if c.feature {
			field := &features[n]
			field.Missing, field.Text, field.Hash = known.missing, text, known.hash
			hashes[n] = known.hash
			n++
		}
		if !c.plain && d.assignRest(c, text, known.missing, start+from) != nil {
			return 0, 0, false
		}
	}
	r.Features, r.hashes = features[:n], hashes[:n]
	return count, i, true
}

// leaveShape brings the decoder where it would be had it decoded the first members of the shape one by one, and returns where the guess at
// the next one is.
func (d *Decoder) leaveShape(count int) **Node {
	s := &d.shape
	link := &d.tree.root.first
	for i := range s.members[:count] {
		m := &s.members[i]
		m.node.seen, m.column.seen = d.sequence, d.sequence
		link = &m.node.next
	}
	d.members = count
	for i, c := range s.columns[:len(d.record.Features)] {
		d.layout.add(i, c)
	}
	return link
}
