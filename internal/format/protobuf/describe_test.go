package protobuf

import (
	"reflect"
	"testing"

	"github.com/fairstream/fairstream/internal/format"
)

// TestWhatATypeSays: types, names of enums, comments and what may be missing, by dotted path.
func TestWhatATypeSays(t *testing.T) {
	t.Parallel()
	f, err := Bare(`syntax = "proto3";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
enum Sex { F = 0; M = 1; }
message Loan {
  Person person = 1;
  google.protobuf.Timestamp at = 2;
  google.protobuf.DoubleValue amount = 3; // in euros
  repeated string list = 4;
  map<string, Person> more = 5; /* of the
    household */
  bool y = 6;
  bytes photo = 7;
  string name = 8;
}
message Person {
  // as
  // stated
  Sex sex = 1;
  optional int32 age = 2;
}`)
	if err != nil {
		t.Fatal(err)
	}
	said, err := f.(format.Describer).Describe([]byte{})
	if err != nil {
		t.Fatal(err)
	}
	want := []format.Field{
		{Name: "person.sex", Kind: format.Symbol, Nullable: true, Symbols: []string{"F", "M"}, Doc: "as stated"},
		{Name: "person.age", Kind: format.Integer, Nullable: true},
		{Name: "at", Kind: format.Time, Nullable: true},
		{Name: "amount", Kind: format.Number, Nullable: true, Doc: "in euros"},
		{Name: "list", Kind: format.Open},
		{Name: "more", Kind: format.Open, Doc: "of the household"},
		{Name: "y", Kind: format.Boolean},
		{Name: "photo", Kind: format.Bytes},
		{Name: "name", Kind: format.Text},
	}
	if !reflect.DeepEqual(said.Fields, want) {
		t.Errorf("the type says\n%+v, want\n%+v", said.Fields, want)
	}
}
