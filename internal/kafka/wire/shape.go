package wire

import (
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/segmentio/kafka-go/protocol/addoffsetstotxn"
	"github.com/segmentio/kafka-go/protocol/addpartitionstotxn"
	"github.com/segmentio/kafka-go/protocol/apiversions"
	"github.com/segmentio/kafka-go/protocol/createtopics"
	"github.com/segmentio/kafka-go/protocol/deletetopics"
	"github.com/segmentio/kafka-go/protocol/describeconfigs"
	"github.com/segmentio/kafka-go/protocol/endtxn"
	"github.com/segmentio/kafka-go/protocol/findcoordinator"
	"github.com/segmentio/kafka-go/protocol/initproducerid"
	"github.com/segmentio/kafka-go/protocol/listoffsets"
	layout "github.com/segmentio/kafka-go/protocol/metadata"
	"github.com/segmentio/kafka-go/protocol/offsetfetch"
	"github.com/segmentio/kafka-go/protocol/produce"
	"github.com/segmentio/kafka-go/protocol/saslauthenticate"
	"github.com/segmentio/kafka-go/protocol/saslhandshake"
	"github.com/segmentio/kafka-go/protocol/txnoffsetcommit"
)

// answersOfKafkaGo are the types that kafka-go decodes into. It allocates whatever length an answer claims: one bit
// flipped in a count asked for 36 GB. So each answer is first compared with the type's own description: the kafka tags
// of its fields.
var answersOfKafkaGo = map[protocol.ApiKey]reflect.Type{
	protocol.ApiVersions:      reflect.TypeFor[apiversions.Response](),
	protocol.Metadata:         reflect.TypeFor[layout.Response](),
	protocol.SaslHandshake:    reflect.TypeFor[saslhandshake.Response](),
	protocol.SaslAuthenticate: reflect.TypeFor[saslauthenticate.Response](),
	protocol.Produce:          reflect.TypeFor[produce.Response](),
	protocol.ListOffsets:      reflect.TypeFor[listoffsets.Response](),
	protocol.CreateTopics:     reflect.TypeFor[createtopics.Response](),
	protocol.DeleteTopics:     reflect.TypeFor[deletetopics.Response](),
	protocol.DescribeConfigs:  reflect.TypeFor[describeconfigs.Response](),

	protocol.FindCoordinator:    reflect.TypeFor[findcoordinator.Response](),
	protocol.InitProducerId:     reflect.TypeFor[initproducerid.Response](),
	protocol.AddPartitionsToTxn: reflect.TypeFor[addpartitionstotxn.Response](),
	protocol.AddOffsetsToTxn:    reflect.TypeFor[addoffsetstotxn.Response](),
	protocol.EndTxn:             reflect.TypeFor[endtxn.Response](),
	protocol.TxnOffsetCommit:    reflect.TypeFor[txnoffsetcommit.Response](),
	protocol.OffsetFetch:        reflect.TypeFor[offsetfetch.Response](),
}

// AnswerHead is the size before an answer.
const AnswerHead = 4

// Shape is an answer's type in one version.
type Shape struct {
	answer   reflect.Type
	version  int16
	flexible bool
	fields   map[reflect.Type][]reflect.Type // that the version has, of each struct
}

// shapes are those that were made, by kind and version: an answer of each comes many times.
var shapes sync.Map

// ShapeOf is nil for answers that kafka-go does not decode: ours are checked while they are read (Decoder).
func ShapeOf(api protocol.ApiKey, version int16) *Shape {
	type key struct {
		api     protocol.ApiKey
		version int16
	}
	if s, made := shapes.Load(key{api, version}); made {
		return s.(*Shape)
	}
	answer := answersOfKafkaGo[api]
	if answer == nil || version > api.MaxVersion() {
		return nil
	}
	s := &Shape{answer: answer, version: version, fields: map[reflect.Type][]reflect.Type{}}
	for field := range answer.Fields() {
		tag, present := tagFor(field, version)
		s.flexible = s.flexible || present && tag.flexible
	}
	s.describe(answer)
	shapes.Store(key{api, version}, s)
	return s
}

// describe notes the fields of all structs of a type.
func (s *Shape) describe(t reflect.Type) {
	switch t.Kind() {
	case reflect.Slice:
		s.describe(t.Elem())
	case reflect.Struct:
		var present []reflect.Type
		for field := range t.Fields() {
			if tag, has := tagFor(field, s.version); has && !tag.flexible {
				present = append(present, field.Type)
				s.describe(field.Type)
			}
		}
		s.fields[t] = present
	}
}

// Check reads over an answer, the bytes behind its size, as kafka-go would. It allocates nothing for what the answer holds.
func (s *Shape) Check(answer []byte) error {
	d := &Decoder{bytes: answer, flexible: s.flexible}
	d.Int32() // correlation id
	d.Tags()
	s.skip(d, s.answer)
	return d.Finish("an answer of kind " + s.answer.PkgPath()[strings.LastIndexByte(s.answer.PkgPath(), '/')+1:])
}

// skip reads over one value.
func (s *Shape) skip(d *Decoder, t reflect.Type) {
	switch t.Kind() {
	case reflect.Bool, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Float64:
		d.cut(int(t.Size()))
	case reflect.String:
		d.cut(max(0, d.length(func() int { return int(d.Int16()) })))
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			d.blob()
			return
		}
		for range d.Array(s.least(t.Elem())) {
			if s.skip(d, t.Elem()); d.Err != nil {
				return
			}
		}
	case reflect.Struct:
		for _, field := range s.fields[t] {
			s.skip(d, field)
		}
		d.Tags()
	default:
		panic("kafka: kafka-go decodes into a " + t.String())
	}
}

// least is the smallest number of bytes that a value takes.
func (s *Shape) least(t reflect.Type) int {
	switch t.Kind() {
	case reflect.String:
		if !s.flexible {
			return 2
		}
	case reflect.Slice:
		if !s.flexible {
			return 4
		}
	case reflect.Struct:
		sum := 0
		for _, field := range s.fields[t] {
			sum += s.least(field)
		}
		return max(1, sum)
	default:
		return int(t.Size())
	}
	return 1
}

// kafkaTag is the part of a field's tag that holds for a version.
type kafkaTag struct {
	flexible bool // no field, but the mark of a flexible message (KIP-482)
}

// tagFor reads a tag such as min=v0,max=v3,nullable|min=v4,max=v5,tag.
func tagFor(field reflect.StructField, version int16) (tag kafkaTag, present bool) {
	for part := range strings.SplitSeq(field.Tag.Get("kafka"), "|") {
		least, most, flexible := int16(0), int16(-1), false
		for option := range strings.SplitSeq(part, ",") {
			name, value, _ := strings.Cut(option, "=v")
			number, _ := strconv.Atoi(value) // kafka-go panics at its start if it is none
			switch name {
			case "min":
				least = int16(number)
			case "max":
				most = int16(number)
			case "tag":
				flexible = true
			}
		}
		if least <= version && version <= most {
			return kafkaTag{flexible}, true
		}
	}
	return tag, false
}
