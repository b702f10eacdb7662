package protobuf

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/sr"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/format/formattest"
	"github.com/fairstream/fairstream/internal/format/registry"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

const proto3 = `syntax = "proto3"; `

// chained is a schema in which type i has two fields of type i-1. The last is the first of its file.
func chained(levels int) string {
	text := strings.Builder{}
	for i := levels; i > 0; i-- {
		fmt.Fprintf(&text, "message M%d { M%d a = 1; M%d b = 2; int32 y = 3; }\n", i, i-1, i-1)
	}
	return proto3 + text.String() + "message M0 {}"
}

// TestSchemasAreBounded: in how deep types lie in others, in what a description lists, and in the time that it takes to compile them.
func TestSchemasAreBounded(t *testing.T) {
	t.Parallel()
	refused := func(levels int, back bool) error {
		text := chained(levels)
		if back { // so that each type is made before those that have it
			lines := strings.Split(strings.TrimPrefix(text, proto3), "\n")
			text = proto3
			for i := range lines {
				text += lines[len(lines)-1-i] + "\n"
			}
		}
		f, err := compile(registry.Schema{Type: sr.TypeProtobuf, Text: text})
		if err != nil {
			t.Fatal(err)
		}
		for _, made := range f.types {
			if made.refused != nil {
				err = made.refused
			}
		}
		return err
	}
	for _, back := range []bool{false, true} {
		if err := refused(format.MaxDepth-1, back); err != nil {
			t.Errorf("%v: %v", back, err)
		}
		if err := refused(format.MaxDepth+1, back); !errors.Is(err, format.ErrDeep) {
			t.Errorf("%v: %v", back, err)
		}
	}
	if d := describedBy(t, chained(60)); len(d.Fields) == 0 || len(d.Fields) > format.MaxFields {
		t.Errorf("%d fields are described", len(d.Fields))
	}
	for name, text := range map[string]string{
		"types":    strings.Repeat("message a{", 100_000),
		"options":  "option (a) = " + strings.Repeat("{a: ", 100_000),
		"lists":    "option (a) = " + strings.Repeat("[", 100_000),
		"angles":   "option (a) = {" + strings.Repeat("a <", 100_000),
		"in a set": strings.Repeat("message a{", format.MaxDepth+1) + strings.Repeat("}", format.MaxDepth+1),
	} {
		if _, err := compile(registry.Schema{Type: sr.TypeProtobuf, Text: proto3 + text}); !errors.Is(err, format.ErrDeep) {
			t.Errorf("%s: %.200v", name, err)
		}
	}
	inner := &descriptorpb.DescriptorProto{Name: proto.String("M")}
	for range 1000 {
		inner = &descriptorpb.DescriptorProto{Name: proto.String("M"), NestedType: []*descriptorpb.DescriptorProto{inner}}
	}
	set, err := proto.Marshal(&descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{{Name: proto.String("a.proto"), Syntax: proto.String("proto3"), MessageType: []*descriptorpb.DescriptorProto{inner}}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parse(string(set), nil); err == nil {
		t.Error("a set with 1,000 levels was taken")
	}
	many := strings.Builder{}
	for i := range 20_000 {
		fmt.Fprintf(&many, "message m%d{int32 y=1;}", i)
	}
	if _, err := parse(proto3+many.String(), nil); err != nil { // of a line of 500 KiB; with comments it takes minutes
		t.Error(err)
	}
}

// TestBracketsInTextsAndComments do not count.
func TestBracketsInTextsAndComments(t *testing.T) {
	t.Parallel()
	open := strings.Repeat("{", 300)
	for _, text := range []string{"// " + open + "\n", "/* " + open + " */", `option java_package = "` + open + `";`, `option java_package = '\'` + open + `';`, "//" + open + "\n//" + open + "\n", strings.Repeat("message A {}", 300)} {
		if deep(text) {
			t.Errorf("%.40s nests", text)
		}
	}
	for _, text := range []string{"/ " + open, `"a" ` + open, "/**/" + open, "//\n" + open, `"\\"` + open} {
		if !deep(text) {
			t.Errorf("%.40s does not nest", text)
		}
	}
	if _, err := parse(proto3+"// "+open+"\nmessage Loan { int32 y = 1; /* "+open+" */ }", nil); err != nil {
		t.Error(err)
	}
}

func describedBy(t *testing.T, text string) *format.Described {
	t.Helper()
	f, err := Bare(text)
	if err != nil {
		t.Fatal(err)
	}
	d, err := f.(format.Describer).Describe([]byte{24, 1})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// FuzzSchemas: no schema, reference or message makes the program panic, and what is decoded is what is printed.
func FuzzSchemas(f *testing.F) {
	f.Add(everyType, "", []byte{8, 1})
	f.Add(proto3+`import "a"; message Loan { optional int32 y = 1; other.A a = 2; map<string, other.A> m = 3; }`, proto3+"package other; message A { repeated sint64 x = 1; }", []byte{8, 1, 18, 2, 8, 1})
	f.Add(`edition = "2023"; message Loan { int32 y = 1; Loan.In a = 2 [features.message_encoding = DELIMITED]; message In { string s = 5; } }`, "", []byte{19, 42, 1, 'x', 20})
	f.Add(`syntax = "proto2"; message Loan { required int32 y = 1; oneof o { group G = 2 { optional bytes b = 1; } string s = 3; } }`, "", []byte{8, 1, 26, 1, 'a'})
	f.Fuzz(func(t *testing.T, schema, reference string, data []byte) {
		decodedAsPrinted(t, schema, reference, data)
	})
}

// decodedAsPrinted decodes a message as each type of a schema, and says whether the schema is one.
func decodedAsPrinted(t *testing.T, schema, reference string, data []byte) bool {
	t.Helper()
	compiled, err := compile(registry.Schema{Type: sr.TypeProtobuf, Text: schema, References: []registry.Reference{{Name: "a", Text: reference}}})
	if err != nil {
		return false
	}
	for _, made := range compiled.types {
		if made.refused != nil {
			continue
		}
		all := protobuf{format.One[*shape]{Schema: made.shape}}
		if d, err := all.Describe(data); err != nil || len(d.Fields) > format.MaxFields {
			t.Errorf("%d fields are described, %v", len(d.Fields), err)
		}
		config := schemaOf(t, record.Config{}).LabelOptional()
		_ = unfit(made.shape, config)
		var r, printed record.Record
		if all.NewDecoder(config).Decode(&r, &kafka.Record{Value: data}) != nil {
			continue
		}
		line, err := all.AppendJSON(nil, data)
		if err != nil {
			t.Fatalf("%s: %x is decoded, and not printed: %v", schema, data, err)
		}
		if err := config.NewDecoder().DecodeJSON(&printed, line); err != nil || flatten(&printed) != flatten(&r) {
			t.Fatalf("%s: %s is %s, printed %s (%v)", schema, line, flatten(&r), flatten(&printed), err)
		}
	}
	return true
}

// TestMutatedSchemas: 2,000 schemas with wrong words, or a 25th of what FAIRSTREAM_MUTATIONS says, and a message of random bytes of each.
func TestMutatedSchemas(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(29, 3))
	seeds := []string{everyType, loans, chained(3), `edition = "2023"; import "a"; message Loan { int32 y = 1; Loan.In a = 2 [features.message_encoding = DELIMITED]; message In { string s = 5; } }`,
		`syntax = "proto2"; message Loan { required int32 y = 1; oneof o { group G = 2 { optional bytes b = 1; } string s = 3; } }`}
	taken, all := 0, mutations(t)/25
	for range all {
		data := make([]byte, random.IntN(30))
		for i := range data {
			data[i] = byte(random.IntN(256) >> random.IntN(8))
		}
		if decodedAsPrinted(t, formattest.Mutate(random, seeds[random.IntN(len(seeds))]), formattest.Mutate(random, proto3+"package other; message A { repeated sint64 x = 1; }"), data) {
			taken++
		}
	}
	if taken < all/50 {
		t.Errorf("%d of %d schemas were taken", taken, all)
	}
}

// TestDurationsInSeconds have no zeros at their end, and one sign.
func TestDurationsInSeconds(t *testing.T) {
	for _, c := range []struct {
		seconds, nanos int64
		want           string
	}{{0, 0, "0s"}, {1, 250_000_000, "1.25s"}, {1, 500_000_000, "1.5s"}, {0, 1, "0.000000001s"}, {0, 10, "0.00000001s"}, {0, -1, "-0.000000001s"}, {-3, -120_000_000, "-3.12s"}, {-3, 0, "-3s"}} {
		if got := string(appendDuration(nil, c.seconds, c.nanos)); got != c.want {
			t.Errorf("%d s and %d ns: %s in place of %s", c.seconds, c.nanos, got, c.want)
		}
	}
}

// TestTheLastValueOfARecord is printed, and the one behind it is not.
func TestTheLastValueOfARecord(t *testing.T) {
	p := &printer{steps: 1}
	if err := p.step(nil); err != nil {
		t.Error(err)
	}
	if err := p.step(nil); !errors.Is(err, errTooMany) {
		t.Error(err)
	}
	if text, err := (&printer{}).members(nil, &shape{}, nil); err != nil || string(text) != "{}" {
		t.Errorf("%s, %v", text, err)
	}
	line := make([]byte, maxLine+1)
	if err := (&printer{steps: 9}).step(line[:maxLine]); err != nil {
		t.Error(err)
	}
	if err := (&printer{steps: 9}).step(line); !errors.Is(err, errTooMany) {
		t.Error(err)
	}
}
