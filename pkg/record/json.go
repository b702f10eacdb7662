package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/go-faster/jx"
)

// place is where in a JSON record the decoder is.
type place struct {
	parent *Node
	link   **Node // where the guess for the next member is kept
	depth  int    // of parent, the record itself being 1
	index  int    // of the next element, in an array
}

// DecodeJSON fills dst from one JSON object, with nothing but white space around it, or from the one that Config.At names within it. The
// header of a schema registry may come before it. The texts of dst point into data. The error is a *Rejection, and dst is then not
// to be used. A nil data is a Kafka tombstone.
func (d *Decoder) DecodeJSON(dst *Record, data []byte) error {
	if data == nil {
		return tombstone("a record without a value")
	}
	if err := d.begin(dst, len(data)); err != nil {
		return err
	}
	if d.schema.at == "" && (len(data) == 0 || data[0] != 0) {
		return d.decodeObject(data)
	}
	return d.decodeMessage(data)
}

// decodeMessage decodes a record that has something around it.
func (d *Decoder) decodeMessage(message []byte) error {
	data := message
	if json, found := afterRegistryHeader(message); found {
		data = json
	} else if err := registryHeader(message); err != nil {
		return err
	}
	d.envelope.size = cap(message)
	inner, err := d.open(data)
	if err != nil {
		return err
	}
	return d.envelope.shifted(inner, d.decodeObject(inner))
}

// decodeObject decodes the object that is the record.
func (d *Decoder) decodeObject(data []byte) error {
	if d.flat {
		if d.decodeFlat(data) {
			err := d.finish()
			d.learnShape(err == nil)
			return err
		}
		d.learnShape(false)
		snapshot := d.record.Snapshot
		if err := d.begin(d.record, d.record.Size); err != nil { // once more
			return err
		}
		d.record.Snapshot = snapshot
	}
	if !utf8.Valid(data) {
		return notUTF8(invalidUTF8(data))
	}
	return d.decodeAny(data)
}

// decodeAny decodes any JSON object.
func (d *Decoder) decodeAny(data []byte) error {
	d.data = data
	d.escapes = bytes.IndexByte(data, '\\') >= 0
	d.flat = !d.escapes // nor will the next record be simple, most likely
	d.place = place{parent: d.tree.root, link: &d.tree.root.first, depth: 1}
	d.json.ResetBytes(data)
	if d.json.Next() != jx.Object {
		return notAnObject(data)
	}
	err := d.json.ObjBytes(d.member)
	if err == nil {
		// Anything but the end of data after the object is one thing too many.
		if err = d.json.Skip(); err == io.EOF {
			return d.finish()
		}
		return malformedJSON(data)
	}
	if rejection, ok := errors.AsType[*Rejection](err); ok {
		return rejection
	}
	return malformedJSON(data)
}

// decodeMember reads one member of the object at d.place.
func (d *Decoder) decodeMember(j *jx.Decoder, key []byte) error {
	n, err := d.tree.member(d.place.parent, d.place.link, key)
	if err != nil {
		return err
	}
	d.place.link = &n.next
	return d.decodeValue(j, n)
}

// decodeElement reads one element of the array at d.place.
func (d *Decoder) decodeElement(j *jx.Decoder) error {
	var digits [20]byte
	key := strconv.AppendInt(digits[:0], int64(d.place.index), 10)
	d.place.index++
	return d.decodeMember(j, key)
}

// enter counts a member and finds out whether its object had it already.
func (d *Decoder) enter(n *Node) error {
	if n.around {
		return d.enterAround(n)
	}
	d.members++
	if limit := d.schema.config.Limits.Fields; d.members > limit {
		return &Rejection{Reason: TooManyFields, Offset: -1, Detail: "more than record.limits.fields, which is " + strconv.Itoa(limit)}
	}
	if n.seen == d.sequence {
		return duplicate(n.column, -1)
	}
	n.seen = d.sequence
	return nil
}

func (d *Decoder) decodeValue(j *jx.Decoder, n *Node) error {
	if err := d.enter(n); err != nil {
		return err
	}
	c := n.column
	if c.ignored {
		return j.Skip()
	}
	switch j.Next() {
	case jx.String:
		text, err := d.decodeString(j)
		if err != nil {
			return err
		}
		return d.assign(c, text, false, d.offset(text, 1))
	case jx.Number, jx.Bool:
		text, err := j.Raw()
		if err != nil {
			return err
		}
		return d.assign(c, text, false, d.offset(text, 0))
	case jx.Null:
		if err := j.Null(); err != nil {
			return err
		}
		return d.assign(c, nil, true, -1)
	case jx.Object:
		return d.decodeContainer(j, n, false)
	case jx.Array:
		return d.decodeContainer(j, n, true)
	default:
		return errMalformed
	}
}

// errMalformed stands in for the parser's own error: see malformedJSON.
var errMalformed = errors.New("record: malformed JSON")

func (d *Decoder) decodeString(j *jx.Decoder) ([]byte, error) {
	if !d.escapes {
		return j.StrBytes()
	}
	start := len(d.record.unescaped)
	var err error
	d.record.unescaped, err = j.StrAppend(d.record.unescaped)
	end := len(d.record.unescaped)
	return d.record.unescaped[start:end:end], err
}

func (d *Decoder) decodeContainer(j *jx.Decoder, n *Node, array bool) error {
	d.flat = false // nor is the next record, most likely
	if into, err := d.into(n, d.place.depth); err != nil {
		return err
	} else if !into {
		return j.Skip()
	}
	outer := d.place
	d.place = place{parent: n, link: &n.first, depth: outer.depth + 1}
	var err error
	if array {
		err = j.Arr(d.element)
	} else {
		err = j.ObjBytes(d.member)
	}
	d.place = outer
	return err
}

// into says whether to read what is inside the object or array at n, which lies in one of the given depth.
func (d *Decoder) into(n *Node, depth int) (bool, error) {
	c := n.column
	if c.role&^clusterRole != 0 {
		return false, notScalar(c)
	}
	if (c.attribute >= 0 || c.role != 0) && !c.feature {
		return false, nil // an attribute or a cluster that is no text is missing
	}
	if limit := d.schema.config.Limits.Depth; depth >= limit {
		return false, &Rejection{Reason: TooDeep, Offset: -1, Detail: "nested deeper than record.limits.depth, which is " + strconv.Itoa(limit)}
	}
	return true, nil
}

func notScalar(c *column) error {
	const detail = "an object or an array, not a single value"
	reason := IdentityNotText
	switch {
	case c.role&labelRole != 0:
		reason = LabelNotScalar
	case c.role&weightRole != 0:
		reason = BadWeight
	case c.role&propensityRole != 0:
		reason = BadPropensity
	case c.role&(timeRole|labelTimeRole) != 0:
		reason = BadTime
	}
	return &Rejection{Reason: reason, Field: c.path, Offset: -1, Detail: detail}
}

// offset is where in the record's bytes the value begins whose text is quotes bytes further on; -1
// when text may be a copy.
func (d *Decoder) offset(text []byte, quotes int) int {
	if d.escapes {
		return -1
	}
	return cap(d.data) - cap(text) - quotes
}

func notAnObject(data []byte) error {
	if !json.Valid(data) {
		return malformedJSON(data)
	}
	detail := "a record is one JSON object"
	if text := bytes.TrimLeft(data, " \t"); bytes.HasPrefix(text, []byte(`"{`)) {
		detail += ", not a text that holds one: it was encoded twice"
	}
	return &Rejection{Reason: NotAnObject, Offset: 0, Detail: detail}
}

// malformedJSON finds out with the standard library where data stops being JSON: the fast parser
// does not tell. The library's messages quote the data, so only the place is taken from them.
func malformedJSON(data []byte) error {
	rejection := &Rejection{Reason: MalformedJSON, Offset: -1, Detail: "not JSON from here on"}
	var raw json.RawMessage
	syntax, ok := errors.AsType[*json.SyntaxError](json.Unmarshal(data, &raw))
	switch {
	case !ok:
	case syntax.Error() == "unexpected end of JSON input":
		rejection.Offset, rejection.Detail, rejection.file = len(data), "the object is not complete", cureLines
	default:
		rejection.Offset = int(syntax.Offset) - 1
		hint, file := jsonHint(data, max(0, rejection.Offset))
		rejection.Detail, rejection.file = rejection.Detail+hint, file
	}
	return rejection
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8.
func invalidUTF8(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}
