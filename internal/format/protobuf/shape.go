package protobuf

import (
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"strings"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/pkg/record"
)

// special are types whose JSON is a single value.
type special uint8

const (
	ordinary special = iota
	timestamp
	duration
	wrapper
	decimal
)

var specials = map[protoreflect.FullName]special{
	"google.protobuf.Timestamp": timestamp, "google.protobuf.Duration": duration,
	"google.protobuf.DoubleValue": wrapper, "google.protobuf.FloatValue": wrapper, "google.protobuf.Int64Value": wrapper, "google.protobuf.UInt64Value": wrapper,
	"google.protobuf.Int32Value": wrapper, "google.protobuf.UInt32Value": wrapper, "google.protobuf.BoolValue": wrapper, "google.protobuf.StringValue": wrapper,
	"google.protobuf.BytesValue": wrapper,
	"confluent.type.Decimal":     decimal,
}

// shape is a type of messages as the walk needs it. It does not change, and all decoders share it.
type shape struct {
	special special
	height  int // how deep others lie in it
	fields  []field
	names   []string  // of the fields
	small   [64]int16 // 1 + the place in fields, by number; later numbers are in large
	large   map[protowire.Number]int16
}

type field struct {
	key      []byte
	kind     protoreflect.Kind
	wire     protowire.Type // of a single value
	alone    bool           // its last value is all that counts: a varint, or a text or bytes (of maps it does not matter, since they are read again)
	list     bool
	keys     *field // of a map; the rest describes its values
	presence bool
	oneof    int16 // 1 + its number, or 0
	inside   *shape
	names    map[protoreflect.EnumNumber][]byte
	doc      string
}

// index returns where the field with a number is, -1 if the type has none.
func (s *shape) index(number protowire.Number) int {
	if number < protowire.Number(len(s.small)) {
		return int(s.small[number]) - 1
	}
	return int(s.large[number]) - 1
}

// longestCommented bounds a schema whose comments are read: finding their places takes the square of the length of a line.
const longestCommented = 64 << 10

// parse compiles a file, or takes the last one of a descriptor set; its imports are those of the set, the references by name, Confluent's, and
// those that come with Protobuf or are Google's common types.
func parse(text string, references map[string]string) (protoreflect.FileDescriptor, error) {
	name := "fairstream.schema.proto"
	files := maps.Clone(confluent)
	maps.Copy(files, references)
	files[name] = text
	described := map[string]*descriptorpb.FileDescriptorProto{}
	for _, file := range descriptorSet(text) {
		name = file.GetName()
		described[name] = file
	}
	comments := protocompile.SourceInfoStandard
	if len(text) > longestCommented {
		comments = protocompile.SourceInfoNone
	}
	compiler := protocompile.Compiler{MaxParallelism: 1, SourceInfoMode: comments, Resolver: protocompile.WithStandardImports(protocompile.ResolverFunc(
		func(path string) (protocompile.SearchResult, error) {
			if file := described[path]; file != nil {
				return asProto(file)
			}
			content, known := files[path]
			if !known {
				common, err := protoregistry.GlobalFiles.FindFileByPath(path)
				return protocompile.SearchResult{Desc: common}, err
			}
			if file := descriptor(content, path); file != nil {
				return asProto(file)
			}
			if deep(content) {
				return protocompile.SearchResult{}, format.ErrDeep
			}
			return protocompile.SearchResult{Source: strings.NewReader(content)}, nil
		}))}
	compiled, err := compiler.Compile(context.Background(), name)
	if err != nil {
		return nil, fmt.Errorf("the Protobuf schema does not compile: %w", err)
	}
	return compiled[0], nil
}

// descriptorSet reads what protoc writes with --descriptor_set_out: the file that it was given comes last. It is nil if content is not that.
func descriptorSet(content string) []*descriptorpb.FileDescriptorProto {
	var set descriptorpb.FileDescriptorSet
	if proto.Unmarshal([]byte(content), &set) != nil || len(set.ProtoReflect().GetUnknown()) > 0 {
		return nil
	}
	for _, file := range set.File {
		if file.GetName() == "" || len(file.ProtoReflect().GetUnknown()) > 0 {
			return nil
		}
	}
	return set.File
}

// descriptor reads a file as serializers in Python register it: its FileDescriptorProto in base64. It is nil if content is not that.
func descriptor(content, path string) *descriptorpb.FileDescriptorProto {
	data, err := base64.StdEncoding.DecodeString(strings.TrimSpace(content))
	if err != nil || len(data) == 0 {
		return nil
	}
	var file descriptorpb.FileDescriptorProto
	if proto.Unmarshal(data, &file) != nil {
		return nil
	}
	file.Name = &path
	return &file
}

// asProto is a file for the compiler, unless its types nest too deep.
func asProto(file *descriptorpb.FileDescriptorProto) (protocompile.SearchResult, error) {
	if deepTypes(file.MessageType, 1) {
		return protocompile.SearchResult{}, format.ErrDeep
	}
	plainJSONNames(file.MessageType)
	return protocompile.SearchResult{Proto: file}, nil
}

// plainJSONNames gives fields their own names in JSON too: ours are not those of JSON, and absent ones would collide.
func plainJSONNames(types []*descriptorpb.DescriptorProto) {
	for _, t := range types {
		for _, f := range t.Field {
			f.JsonName = f.Name
		}
		plainJSONNames(t.NestedType)
	}
}

// making makes the shapes of types.
type making struct {
	known map[protoreflect.FullName]*shape
	open  map[protoreflect.FullName]bool // types that the present one lies in
}

func (m *making) shape(t protoreflect.MessageDescriptor) (*shape, error) {
	name := t.FullName()
	switch {
	case m.open[name]:
		return nil, fmt.Errorf("is recursive: %s contains itself, so its records have no fixed fields: let the producers leave that field out", name)
	case m.known[name] != nil:
		return m.known[name], nil
	case len(m.open) >= format.MaxDepth:
		return nil, format.ErrDeep
	}
	m.open[name] = true
	defer delete(m.open, name)
	s := &shape{special: specials[name], large: map[protowire.Number]int16{}}
	for i := range t.Fields().Len() {
		described := t.Fields().Get(i)
		f, err := m.field(described)
		if err != nil {
			return nil, err
		}
		s.fields, s.names = append(s.fields, f), append(s.names, string(f.key))
		if f.inside != nil {
			s.height = max(s.height, f.inside.height+1)
		}
		if number := described.Number(); number < protowire.Number(len(s.small)) {
			s.small[number] = int16(i + 1)
		} else {
			s.large[number] = int16(i + 1)
		}
	}
	if s.height > format.MaxDepth { // through types that were made before
		return nil, format.ErrDeep
	}
	if !s.fits() {
		s.special = ordinary
	}
	m.known[name] = s
	return s, nil
}

// fits says whether a type has the fields of the special one whose name it has: a registry may have another type of that name.
func (s *shape) fits() bool {
	single := func(i int) bool { f := &s.fields[i]; return !f.list && f.keys == nil && f.inside == nil }
	switch s.special {
	case wrapper:
		return len(s.fields) == 1 && single(0)
	case decimal:
		return len(s.fields) == 3 && single(0) && single(1) && single(2) && s.fields[0].kind == protoreflect.BytesKind && s.fields[2].kind == protoreflect.Int32Kind
	case timestamp, duration:
		return len(s.fields) == 2 && single(0) && single(1) && s.fields[0].kind == protoreflect.Int64Kind && s.fields[1].kind == protoreflect.Int32Kind
	}
	return true
}

func (m *making) field(t protoreflect.FieldDescriptor) (f field, err error) {
	doc := t.ParentFile().SourceLocations().ByDescriptor(t)
	f = field{key: []byte(t.Name()), kind: t.Kind(), list: t.IsList(), presence: t.HasPresence(), doc: doc.LeadingComments + doc.TrailingComments}
	if t.IsMap() {
		own := f.doc
		if f, err = m.field(t.MapValue()); err != nil {
			return f, err
		}
		keys, err := m.field(t.MapKey())
		f.key, f.keys, f.presence, f.doc = []byte(t.Name()), &keys, false, own
		return f, err
	}
	if one := t.ContainingOneof(); one != nil && !one.IsSynthetic() {
		f.oneof = int16(one.Index() + 1)
	}
	switch f.kind {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		f.inside, err = m.shape(t.Message())
	case protoreflect.EnumKind:
		f.names = map[protoreflect.EnumNumber][]byte{}
		for i := t.Enum().Values().Len() - 1; i >= 0; i-- { // of aliases the first counts
			value := t.Enum().Values().Get(i)
			f.names[value.Number()] = record.Short(string(value.Name()))
		}
	}
	f.wire = wireType(f.kind)
	f.alone = !f.list && f.oneof == 0 && f.inside == nil && (f.wire == protowire.VarintType || f.wire == protowire.BytesType)
	return f, err
}

// text says whether values of a field are a single text.
func (f *field) text() bool {
	return !f.list && f.keys == nil && (f.inside == nil || f.inside.special != ordinary)
}

// below finds a dotted path; nil if there is none. dynamic says that only messages show whether they have it.
func (s *shape) below(path string) (found *field, dynamic bool) {
	for i := range s.fields {
		f := &s.fields[i]
		if string(f.key) == path {
			return f, false
		}
		if rest, inside := strings.CutPrefix(path, string(f.key)+"."); inside {
			switch {
			case f.list || f.keys != nil:
				return f, true
			case f.inside != nil && f.inside.special == ordinary:
				return f.inside.below(rest)
			}
		}
	}
	return nil, false
}
