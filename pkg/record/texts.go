package record

// The values of most columns repeat. A decoder remembers, by column, how short values stood in the JSON, or which texts a walk gave, and what they came
// to. A value that comes again need not be checked, compared with the texts that mean missing, or hashed.

const (
	// shortBytes is above the length of the longest text that is remembered.
	shortBytes = 24
	// textsOfColumn is how many texts of a column are remembered at most: a text displaces another with the same place.
	textsOfColumn = 1 << textsBits
	textsBits     = 8
	// textsColumns is of how many columns texts are remembered at the same time, so that a decoder takes at most 650 kB for them.
	textsColumns = 64
	// A column is given up when so many values were not known among fewer than twice as many records.
	textsMisses = 512
)

// knownTexts are texts that a column has had. The zero value remembers nothing.
type knownTexts struct {
	known  *[textsOfColumn]knownText
	misses int    // of the records since
	since  uint64 // the decoder's record of this number
	given  bool   // up: the values of the column do not repeat
}

// knownText is a value, and what it came to.
type knownText struct {
	words
	hash    uint64
	form    form
	missing bool
}

// words are the bytes of a short text and zeros after them.
type words struct{ a, b, c uint64 }

// form is how a text stands in the JSON: its length and one more, so that no form is 0, in quotes or without.
type form uint8

func newForm(size, quotes int) form { return form(size + 1 + quotes<<7) }

// size is that of a text of the form.
func (f form) size() int { return int(f&^(1<<7)) - 1 }

// placeOf is where a text is remembered: a multiplicative hash (Knuth, The Art of Computer Programming 3, 6.4) with multipliers of MurmurHash3.
func placeOf(a, b, c uint64) uint64 {
	return (a*0x87c37b91114253d5 ^ b*0x4cf5ad432745937f ^ c*0xff51afd7ed558ccd) >> (64 - textsBits)
}

// shortMasks have the bits of so many first bytes.
var shortMasks = func() (masks [1 << 6]words) {
	for n := range shortBytes + 1 {
		for i := range n {
			w := []*uint64{&masks[n].a, &masks[n].b, &masks[n].c}[i/8]
			*w |= 0xff << (8 * (i % 8))
		}
	}
	return masks
}()

// endOf has the highest bit set of the first byte of x that is in stop, or in other, and none below it; those above may be wrong.
func endOf(x, stop, other uint64) uint64 {
	a, b := x^stop, x^other
	return ((a-ones)&^a | (b-ones)&^b) & highs
}

// rememberTexts begins to remember the texts of the columns of the shape, as far as there is room.
func (d *Decoder) rememberTexts() {
	for i := range d.shape.members {
		if m := &d.shape.members[i]; !m.column.ignored {
			d.remember(m.column)
			m.texts = m.column.texts.known
		}
	}
}

// remember begins to remember the texts of a column, if there is room.
func (d *Decoder) remember(c *column) {
	if t := &c.texts; t.known == nil && !t.given && d.shape.tables < textsColumns {
		*t = knownTexts{known: new([textsOfColumn]knownText), since: d.sequence}
		d.shape.tables++
	}
}

// rememberColumns begins to remember the texts of the columns of a record that was walked over, if the next had the same.
func (d *Decoder) rememberColumns() {
	d.remembering = d.layout.id
	for _, c := range d.layout.features {
		d.remember(c)
	}
}

// meet finds out what a text comes to that was not known, and remembers it if it is short: w and f are then its words and its form. If the
// texts of a column seldom repeat, they are not remembered any more.
func (d *Decoder) meet(m *member, text []byte, null bool, w words, f form) (known *knownText) {
	known = &m.unknown
	t := &m.column.texts
	if t.known != nil && len(text) < shortBytes && len(text) == f.size() {
		known = &t.known[placeOf(w.a, w.b, w.c)]
	}
	*known = knownText{words: w, form: f, missing: null || d.schema.missing.has(text)}
	if !known.missing {
		known.hash = Hash(text)
	}
	if t.known != nil && d.missed(t) {
		d.rememberTexts() // those of another column, which now has its turn
	}
	return known
}

// missed counts a text that was not known, and says whether its column is given up.
func (d *Decoder) missed(t *knownTexts) bool {
	if t.misses++; t.misses < textsMisses {
		return false
	}
	if d.sequence-t.since >= 2*textsMisses {
		t.misses, t.since = 0, d.sequence
		return false
	}
	*t = knownTexts{given: true}
	d.shape.tables--
	return true
}
