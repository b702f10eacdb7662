package avro

import (
	"reflect"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/format"
	fields "github.com/fairstream/fairstream/pkg/record"
)

// TestWhatASchemaSays: types, logical types, symbols, docs and what may be null, by dotted path.
func TestWhatASchemaSays(t *testing.T) {
	t.Parallel()
	f, err := Bare(`{"type":"record","name":"loan","fields":[
	 {"name":"id","type":{"type":"string","logicalType":"uuid"},"doc":"of the application"},
	 {"name":"amount","type":["null",{"type":"bytes","logicalType":"decimal","precision":9,"scale":2}]},
	 {"name":"born","type":{"type":"int","logicalType":"date"}},
	 {"name":"at","type":{"type":"long","logicalType":"timestamp-millis"}},
	 {"name":"person","type":["null",{"type":"record","name":"person","fields":[
	   {"name":"sex","type":{"type":"enum","name":"sex","symbols":["F","M"]},"doc":"as stated"},{"name":"age","type":"int"}]}]},
	 {"name":"more","type":{"type":"map","values":"person"}},
	 {"name":"code","type":["int","string","null"]},
	 {"name":"ratio","type":["int","double"]},
	 {"name":"photo","type":"bytes"},
	 {"name":"y","type":"boolean"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	said, err := f.(format.Describer).Describe([]byte{0})
	if err != nil {
		t.Fatal(err)
	}
	want := []format.Field{
		{Name: "id", Kind: format.UUID, Doc: "of the application"},
		{Name: "amount", Kind: format.Number, Nullable: true},
		{Name: "born", Kind: format.Time},
		{Name: "at", Kind: format.Time},
		{Name: "person.sex", Kind: format.Symbol, Nullable: true, Symbols: []string{"F", "M"}, Doc: "as stated"},
		{Name: "person.age", Kind: format.Integer, Nullable: true},
		{Name: "more", Kind: format.Open},
		{Name: "code", Kind: format.Text, Nullable: true},
		{Name: "ratio", Kind: format.Number},
		{Name: "photo", Kind: format.Bytes},
		{Name: "y", Kind: format.Boolean},
	}
	if !reflect.DeepEqual(said.Fields, want) {
		t.Errorf("the schema says\n%+v, want\n%+v", said.Fields, want)
	}
	if inside := said.Within([]string{"person"}); len(inside) != 2 || inside[0].Name != "sex" || inside[1].Name != "age" {
		t.Errorf("within person it says %+v", inside)
	}
	if why := said.Unfit(schemaOf(t, fields.Config{Label: fields.Label{Field: "y", Positive: "1"}})); why == nil || !strings.Contains(why.Error(), `the label "y"`) {
		t.Errorf("of a boolean that is never 1: %v", why)
	}
}
