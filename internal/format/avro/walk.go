package avro

import (
	"encoding/base64"
	"errors"

	"github.com/fairstream/fairstream/internal/format"
	fields "github.com/fairstream/fairstream/pkg/record"
)

// walk gives the values of one message to a decoder of records.
type walk struct {
	format.Decoding[*shape]
	in    input
	steps int // that passing over values may still take
}

// maxSteps bounds the values of a message that are passed over: a message of few bytes can state very many that take none.
const maxSteps = 1 << 20

// start decodes what data holds from at on. The error is a *record.Rejection.
func (w *walk) start(dst *fields.Record, s *shape, data []byte, at int) error {
	w.in, w.steps = input{data, at}, maxSteps
	if err := w.Begin(dst, len(data)); err != nil {
		return err
	}
	err := w.Bind(s, s.names)
	for i := range s.fields {
		if err == nil {
			err = w.value(s.fields[i].shape, w.Nodes[i])
		}
	}
	if err == nil && w.in.at < len(data) {
		err = errors.New("bytes follow the record")
	}
	if err == nil {
		return w.End()
	}
	if rejection, ok := errors.AsType[*fields.Rejection](err); ok {
		return rejection
	}
	return &fields.Rejection{Reason: fields.MalformedMessage, Offset: w.in.at, Detail: err.Error() + ": the message is not what its schema says"}
}

// members are those of a record.
func (w *walk) members(s *shape, n *fields.Node) error {
	inside := n.Inside()
	for i := range s.fields {
		member, err := w.Next(&inside, s.fields[i].key)
		if err == nil {
			err = w.value(s.fields[i].shape, member)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// value gives the next value to n.
func (w *walk) value(s *shape, n *fields.Node) error {
	if n.Ignored() {
		if err := w.Skip(n); err != nil {
			return err
		}
		return w.pass(s)
	}
	at := w.in.at
	switch s.kind {
	case null:
		return w.PutNull(n, at)
	case integer, long:
		value, err := w.whole(s.kind)
		if err != nil {
			return err
		}
		return w.PutInt(n, value, at)
	case text:
		value, err := w.in.text()
		if err != nil {
			return err
		}
		return w.Put(n, value, at)
	case double:
		value, err := w.in.double()
		if err != nil {
			return err
		}
		return w.PutFloat(n, value, 64, at)
	case float:
		value, err := w.in.float()
		if err != nil {
			return err
		}
		return w.PutFloat(n, value, 32, at)
	case boolean:
		value, err := w.in.boolean()
		if err != nil {
			return err
		}
		return w.PutBool(n, value, at)
	case enum:
		symbol, err := w.choice(len(s.symbols))
		if err != nil {
			return err
		}
		return w.Put(n, s.symbols[symbol], at)
	case union:
		branch, err := w.choice(len(s.branches))
		if err != nil {
			return err
		}
		return w.value(s.branches[branch], n)
	case record, array, mapping:
		return w.container(s, n)
	}
	made, err := w.made(s)
	if err != nil {
		return err
	}
	return w.PutScratch(n, made, at)
}

// whole reads an int or a long.
func (w *walk) whole(k kind) (int64, error) {
	if k == integer || k == date || k == timeMillis {
		return w.in.int()
	}
	return w.in.long()
}

// choice reads which of n symbols or branches it is.
func (w *walk) choice(n int) (int, error) {
	i, err := w.in.int()
	if err == nil && (i < 0 || i >= int64(n)) {
		err = errors.New("a union or an enum refers to a branch or a symbol that the schema lacks")
	}
	return int(i), err
}

// made appends the text of a value to the scratch: one that the message does not hold as text.
func (w *walk) made(s *shape) (dst []byte, err error) {
	dst = w.Scratch()
	var b []byte
	switch s.kind {
	case octets, decimal:
		b, err = w.in.text()
	case fixed, fixedDecimal, fixedUUID, duration:
		b, err = w.in.cut(int64(s.size))
	default:
		value, err := w.whole(s.kind)
		if err != nil {
			return dst, err
		}
		return appendTime(dst, s.kind, value), nil
	}
	if err != nil {
		return dst, err
	}
	switch s.kind {
	case decimal, fixedDecimal:
		return format.AppendDecimal(dst, b, s.scale)
	case fixedUUID:
		return appendUUID(dst, b), nil
	case duration:
		return appendDuration(dst, b), nil
	}
	return base64.StdEncoding.AppendEncode(dst, b), nil
}

// container gives what is inside a record, an array or a map to places below n.
func (w *walk) container(s *shape, n *fields.Node) error {
	into, err := w.Open(n)
	if err != nil {
		return err
	}
	if !into {
		return w.pass(s)
	}
	if s.kind == record {
		err = w.members(s, n)
	} else {
		err = w.blocks(s, n)
	}
	w.Close()
	return err
}

// blocks are those of an array or a map.
func (w *walk) blocks(s *shape, n *fields.Node) error {
	inside := n.Inside()
	for {
		count, err := w.in.block()
		if err != nil || count == 0 {
			return err
		}
		for ; count > 0; count-- { // record.limits.fields bounds it
			var element *fields.Node
			if s.kind == array {
				element, err = w.NextElement(&inside)
			} else {
				var key []byte
				if key, err = w.in.text(); err == nil {
					element, err = w.Next(&inside, key)
				}
			}
			if err == nil {
				err = w.value(s.inside, element)
			}
			if err != nil {
				return err
			}
		}
	}
}

// pass passes over a value.
func (w *walk) pass(s *shape) (err error) {
	if w.steps--; w.steps < 0 {
		return errors.New("more than 1,048,576 values are skipped")
	}
	switch s.kind {
	case null:
	case boolean:
		_, err = w.in.boolean()
	case float:
		_, err = w.in.cut(4)
	case double:
		_, err = w.in.cut(8)
	case text, octets, decimal:
		_, err = w.in.text()
	case fixed, fixedDecimal, fixedUUID, duration:
		_, err = w.in.cut(int64(s.size))
	case enum:
		_, err = w.choice(len(s.symbols))
	case union:
		var branch int
		if branch, err = w.choice(len(s.branches)); err == nil {
			err = w.pass(s.branches[branch])
		}
	case record:
		for i := range s.fields {
			if err = w.pass(s.fields[i].shape); err != nil {
				return err
			}
		}
	case array, mapping:
		err = w.passBlocks(s)
	default:
		_, err = w.whole(s.kind)
	}
	return err
}

func (w *walk) passBlocks(s *shape) error {
	for {
		count, err := w.in.block()
		if err != nil || count == 0 {
			return err
		}
		for ; count > 0; count-- {
			if s.kind == mapping {
				_, err = w.in.text()
			}
			if err == nil {
				err = w.pass(s.inside)
			}
			if err != nil {
				return err
			}
		}
	}
}
