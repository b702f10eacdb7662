package record

import (
	"bytes"
	"encoding/binary"

	"github.com/go-faster/jx"
)

// tree remembers the shape of the records a decoder has seen: a node per member of every object,
// each with the column it stands for and a guess at the member that follows it.
type tree struct {
	schema  *Schema
	root    *Node
	columns map[string]*column // by path: {"a":{"b":1}} and {"a.b":1} are one column
	nodes   int

	message *Node // what a walk begins at: root, or what is around it
	passed  *Node // stands for whatever around the record is not read
}

// Node is a place in the records that a decoder has seen: the record itself, a member of an object, or an element of an array. A format
// resolves the nodes of its schema once, and puts values there: see [Decoder.Root].
type Node struct {
	key      string
	prefix   prefix // the key as it begins a member in JSON: quoted, escaped, with its colon
	column   *column
	seen     uint64           // the last record of the decoder that had it
	first    *Node            // its first member in the last record that had one
	next     *Node            // the member that followed it in the last record
	children map[string]*Node // its members by key
	around   bool             // it is around the record, or the record in it: the limits of a record do not count it
}

// maxNodes bounds what a decoder remembers. A tree that has outgrown it is forgotten between two
// records: a flood of new names costs time, never memory.
const maxNodes = MaxNames

func (t *tree) clear(s *Schema) {
	*t = tree{schema: s, columns: make(map[string]*column)}
	t.root = &Node{column: &column{attribute: -1}}
	t.message = t.surrounded()
}

// member returns the node of parent's member key. link is where the guess for this position is
// kept; a wrong guess is replaced.
func (t *tree) member(parent *Node, link **Node, key []byte) (*Node, error) {
	if parent.around && parent != t.root {
		return t.outside(parent, key), nil
	}
	guess := *link
	if guess != nil {
		if guess.key == string(key) {
			return guess, nil
		}
		// The guessed member may merely be absent this time: its own successor is the next guess.
		if guess.next != nil && guess.next.key == string(key) {
			return guess.next, nil
		}
	}
	n, ok := parent.children[string(key)]
	if !ok {
		var err error
		if n, err = t.add(parent, string(key)); err != nil {
			return nil, err
		}
	}
	*link = n
	return n, nil
}

func (t *tree) add(parent *Node, key string) (*Node, error) {
	path := key
	if parent != t.root {
		path = parent.column.path + "." + key
	}
	if len(path) > MaxNameBytes {
		return nil, &Rejection{Reason: NameTooLong, Offset: -1, Detail: "a field name, as a dotted path, has more than 512 bytes"}
	}
	n := &Node{key: key, prefix: newPrefix(beginningOf(key)), column: t.column(path)}
	if parent.children == nil {
		parent.children = make(map[string]*Node)
	}
	parent.children[key] = n
	t.nodes++
	return n, nil
}

// prefix is a text that is often compared with what data begins with.
type prefix struct {
	text []byte
	// words are the text and zeros, if it is not longer; masks tell one from the other.
	words, masks [prefixWords]uint64
}

const prefixWords = 3

// beginningOf is how the member of a key begins.
func beginningOf(key string) []byte {
	var w jx.Writer
	w.FieldStart(key)
	return w.Buf
}

func newPrefix(text []byte) prefix {
	p := prefix{text: text}
	for i, c := range p.text[:min(len(p.text), 8*prefixWords)] {
		p.words[i/8] |= uint64(c) << (8 * (i % 8))
		p.masks[i/8] |= 0xff << (8 * (i % 8))
	}
	return p
}

// begins says whether data begins with the text.
func (p *prefix) begins(data []byte) bool {
	if len(p.text) > 8*prefixWords || len(data) < 8*prefixWords {
		return bytes.HasPrefix(data, p.text)
	}
	return p.startsWith((*[8 * prefixWords]byte)(data))
}

// startsWith says whether data begins with the text, or with so much of it.
func (p *prefix) startsWith(data *[8 * prefixWords]byte) bool {
	return (binary.LittleEndian.Uint64(data[:])^p.words[0])&p.masks[0]|
		(binary.LittleEndian.Uint64(data[8:])^p.words[1])&p.masks[1]|
		(binary.LittleEndian.Uint64(data[16:])^p.words[2])&p.masks[2] == 0
}

func (t *tree) column(path string) *column {
	path = t.schema.config.learntAs(path)
	c, ok := t.columns[path]
	if !ok {
		c = t.schema.column(path)
		t.columns[path] = c
	}
	return c
}
