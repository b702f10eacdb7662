package protobuf

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// setOf is a descriptor set of a file and its imports, as protoc --descriptor_set_out --include_imports writes it; without imports if alone.
func setOf(t *testing.T, text string, references map[string]string, alone bool) string {
	t.Helper()
	parsed, err := parse(text, references)
	if err != nil {
		t.Fatal(err)
	}
	var set descriptorpb.FileDescriptorSet
	var add func(file protoreflect.FileDescriptor)
	add = func(file protoreflect.FileDescriptor) {
		for i := range file.Imports().Len() {
			if !alone {
				add(file.Imports().Get(i).FileDescriptor)
			}
		}
		if !slices.ContainsFunc(set.File, func(f *descriptorpb.FileDescriptorProto) bool { return f.GetName() == file.Path() }) {
			set.File = append(set.File, protodesc.ToFileDescriptorProto(file))
		}
	}
	add(parsed)
	data, err := proto.Marshal(&set)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestDescriptorSets: messages of the first type of a descriptor set's last file are those of the .proto file. A set may lack what fairstream has.
func TestDescriptorSets(t *testing.T) {
	const person = `syntax = "proto3"; package people; message Person { int32 age = 1; }`
	const loan = `syntax = "proto3"; import "person.proto"; import "google/protobuf/timestamp.proto";
message Loan { people.Person who = 1; int32 y = 2; google.protobuf.Timestamp when = 3; string first_name = 4; } message Other { string z = 1; }`
	references := map[string]string{"person.proto": person}
	schema := schemaOf(t, record.Config{Label: record.Label{Field: "y", Positive: "1"}})
	message := []byte{0x0a, 2, 8, 39, 0x10, 1, 0x1a, 2, 8, 60, 0x22, 1, 'a'}
	for name, set := range map[string]string{
		"whole": setOf(t, loan, references, false),
		"alone": setOf(t, strings.Replace(strings.Replace(loan, `import "person.proto";`, "", 1), "people.Person", "P", 1)+"message P { int32 age = 1; }", nil, true),
	} {
		f, err := Bare(set)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var r record.Record
		if err := f.NewDecoder(schema).Decode(&r, &kafka.Record{Value: message}); err != nil || !r.Positive || flatten(&r) != "who.age=39 when=1970-01-01T00:01:00Z first_name=a" {
			t.Errorf("%s: %v, %s", name, err, flatten(&r))
		}
	}
	if _, err := Bare(setOf(t, loan, references, true)); err == nil || !strings.Contains(err.Error(), "person.proto") {
		t.Errorf("without an import: %v", err)
	}
	whole := setOf(t, loan, references, false)
	if len(descriptorSet(whole)) != 3 {
		t.Errorf("a set of three files has %d", len(descriptorSet(whole)))
	}
	for _, text := range []string{"\n\n" + person, "\n\x05hello", "\n\x00", whole + "\x10\x01", whole[:len(whole)-1], whole + "\n\x05\x0a\x01a\xf8\x01"} {
		if set := descriptorSet(text); set != nil {
			t.Errorf("%q is taken for a descriptor set", text)
		}
	}
	if _, err := Bare("\n\n" + person); err != nil {
		t.Errorf("a file that begins with an empty line: %v", err)
	}
	if _, err := Bare(setOf(t, loan, references, false)[:40]); err == nil {
		t.Error("half a descriptor set is taken")
	}
}
