package record

import "strings"

// A walk goes over the whole message. What is around the record are nodes too, which lead to the record, or to what an envelope says of it;
// everything else around it is passed over.

// Within is the way from the message that a walk goes over to the record, from the outside in. It is shorter than that in JSON: Kafka Connect
// has its schema in the registry, and an event in binary mode its attributes in headers.
func (s *Schema) Within() []string { return s.within }

func (a At) within() []string {
	switch a {
	case Debezium:
		return []string{"after"}
	case Connect, CloudEvents:
		return nil
	}
	return a.path()
}

// surrounded makes the nodes around the root, and returns the outermost.
func (t *tree) surrounded() *Node {
	t.passed = &Node{column: &column{attribute: -1, ignored: true}, around: true}
	way := t.schema.Within()
	t.root.around = len(way) > 0
	inner := t.root
	for i := len(way) - 1; i >= 0; i-- {
		inner.key = way[i]
		inner = aroundOf(inner)
	}
	if t.schema.at == Debezium {
		op := &Node{key: "op", column: &column{path: "op", attribute: -1, role: opRole}, around: true}
		snapshot := &Node{key: "snapshot", column: &column{path: "source.snapshot", attribute: -1, role: snapshotRole}, around: true}
		source := aroundOf(snapshot)
		source.key = "source"
		inner.children[op.key], inner.children[source.key] = op, source
	}
	return inner
}

func aroundOf(inner *Node) *Node {
	return &Node{column: &column{attribute: -1}, around: true, children: map[string]*Node{inner.key: inner}}
}

// outsides is how deep the record lies in the message.
func (t *tree) outsides() int { return len(t.schema.within) }

// outside is the member of something around the record.
func (t *tree) outside(parent *Node, key []byte) *Node {
	if n, ok := parent.children[string(key)]; ok {
		return n
	}
	return t.passed
}

func (d *Decoder) enterAround(n *Node) error {
	if n == d.tree.passed {
		return nil
	}
	if n.seen == d.sequence {
		return &Rejection{Reason: DuplicateField, Field: n.key, Offset: -1, Detail: "the envelope has it twice"}
	}
	n.seen = d.sequence
	return nil
}

// assignAround takes note of what an envelope says of its record.
func (d *Decoder) assignAround(c *column, text []byte) {
	switch {
	case c.role == snapshotRole:
		d.record.Snapshot = d.record.Snapshot || string(text) != "false"
	case len(text) == 1:
		d.op = text[0]
	}
}

// unwrapped says whether the message that was walked over had a record.
func (d *Decoder) unwrapped() error {
	way := d.schema.Within()
	if d.schema.at == Debezium {
		switch d.op {
		case 'c', 'u':
		case 'r':
			d.record.Snapshot = true
		case 'd', 't':
			return deleted()
		default:
			return notEnveloped("op", "not c, r, u, d or t, so this is no event of Debezium about a row")
		}
	}
	if len(way) > 0 && !d.opened {
		return notEnveloped(strings.Join(way, "."), "absent or null")
	}
	return nil
}
