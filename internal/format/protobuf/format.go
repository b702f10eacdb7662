package protobuf

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/sr"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/format/registry"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// protobuf is the format of messages whose types are found somewhere.
type protobuf struct{ format.Source[*shape] }

// NewDecoder is part of format.Format.
func (f protobuf) NewDecoder(schema *record.Schema) format.Decoder {
	return &decoder{walk{Decoding: format.NewDecoding(schema, f.Source, unfit)}}
}

// decoder belongs to one goroutine.
type decoder struct{ walk }

// Decode is part of format.Decoder.
func (d *decoder) Decode(dst *record.Record, message *kafka.Record) error {
	s, at, err := d.Find(message)
	if err != nil {
		return err
	}
	return d.start(dst, s, message.Value[at:], len(message.Value))
}

// Forget is part of format.Decoder.
func (d *decoder) Forget() {
	d.Decoder.Forget()
	clear(d.values[:cap(d.values)])
}

// Registry is the format of messages behind the header of a registry.
func Registry(config registry.Config) (format.Printer, error) {
	known, err := registry.New(config, compile)
	if err != nil {
		return nil, err
	}
	return protobuf{registered{known}}, nil
}

// file is a schema: the shapes of its types by their indexes, as a serializer writes those.
type file struct{ types map[string]made }

type made struct {
	shape   *shape
	refused error
}

func compile(schema registry.Schema) (*file, error) {
	if schema.Type != sr.TypeProtobuf {
		return nil, fmt.Errorf("it is of type %v, and record.format is protobuf", schema.Type)
	}
	references := map[string]string{}
	for _, reference := range schema.References {
		references[reference.Name] = reference.Text
	}
	parsed, err := parse(schema.Text, references)
	if err != nil {
		return nil, err
	}
	f := &file{types: map[string]made{}}
	m := making{known: map[protoreflect.FullName]*shape{}, open: map[protoreflect.FullName]bool{}}
	f.add(&m, parsed.Messages(), nil)
	return f, nil
}

// add adds types and those that they define, by the indexes of all.
func (f *file) add(m *making, types protoreflect.MessageDescriptors, indexes []byte) {
	for i := range types.Len() {
		t := types.Get(i)
		if t.IsMapEntry() {
			continue
		}
		path := binary.AppendVarint(append([]byte(nil), indexes...), int64(i))
		s, err := m.shape(t)
		if err != nil {
			err = fmt.Errorf("the type %s %w", t.FullName(), err)
		}
		f.types[string(path)] = made{s, err}
		f.add(m, t.Messages(), path)
	}
}

// registered are the types of a registry.
type registered struct{ *registry.Schemas[*file] }

// maxIndexes bounds how deep a type is defined in others.
const maxIndexes = 100

var firstType = []byte{0}

// Find is part of format.Source.
func (r registered) Find(message *kafka.Record) (*shape, int, error) {
	f, named, err := r.Of(message)
	if err != nil {
		return nil, 0, err
	}
	return f.find(named)
}

// find gives the type that a message has, and where in its value the message begins.
func (f *file) find(named format.Named) (*shape, int, error) {
	indexes, size, err := typeIndexes(named.Rest)
	if err != nil {
		return nil, 0, &record.Rejection{Reason: record.MalformedMessage, Offset: named.At, Detail: err.Error()}
	}
	t, known := f.types[string(indexes)]
	if !known {
		t.refused = errors.New("has no type with the indexes of the message")
	}
	if t.refused != nil {
		return nil, 0, &record.Rejection{Reason: record.UnfitSchema, Offset: -1, Detail: fmt.Sprintf("%s: %v", named.ID.Name(), t.refused)}
	}
	if named.At == 0 { // the indexes are in a header, too
		return t.shape, 0, nil
	}
	return t.shape, named.At + size, nil
}

// typeIndexes reads which type of its file a message has, and returns how many bytes that takes: how many indexes there are, and they, zigzag; or 0
// for the first type.
func typeIndexes(rest []byte) (indexes []byte, size int, err error) {
	count, size := binary.Varint(rest)
	switch n := size; {
	case n <= 0 || count < 0 || count > maxIndexes:
		return nil, 0, errors.New("no type indexes follow the header")
	case count == 0:
		return firstType, size, nil
	}
	start := size
	for range count {
		_, n := binary.Varint(rest[size:])
		if n <= 0 {
			return nil, 0, errors.New("the type indexes of the message are incomplete")
		}
		size += n
	}
	return rest[start:size], size, nil
}

// Bare is the format of messages without any header, all of the first type of a schema.
func Bare(schema string) (format.Printer, error) {
	f, err := compile(registry.Schema{Text: schema, Type: sr.TypeProtobuf})
	if err != nil {
		return nil, err
	}
	first, known := f.types[string(firstType)]
	switch {
	case !known:
		return nil, errors.New("the schema defines no type of messages")
	case first.refused != nil:
		return nil, first.refused
	}
	return protobuf{format.One[*shape]{Schema: first.shape}}, nil
}
