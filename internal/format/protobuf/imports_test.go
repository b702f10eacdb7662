package protobuf

import (
	"math"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

const loans = `syntax = "proto3";
import "confluent/type/decimal.proto";
import "google/type/date.proto";
import "google/type/money.proto";
import "google/type/decimal.proto";
message Loan {
  confluent.type.Decimal amount = 1;
  google.type.Date born = 2;
  google.type.Money fee = 3;
  google.type.Decimal rate = 4;
  int32 y = 5;
}`

// TestCommonImports: types of Confluent and Google, whose files no serializer registers, are known; a decimal is the number that it stands for.
func TestCommonImports(t *testing.T) {
	number := func(field protowire.Number, n uint64) []byte {
		return protowire.AppendVarint(protowire.AppendTag(nil, field, protowire.VarintType), n)
	}
	within := func(field protowire.Number, parts ...[]byte) []byte {
		var all []byte
		for _, part := range parts {
			all = append(all, part...)
		}
		return protowire.AppendBytes(protowire.AppendTag(nil, field, protowire.BytesType), all)
	}
	loan := func(unscaled []byte, scale int32) *kafka.Record {
		data := []byte{0, 0, 0, 0, 7, 0}
		data = append(data, within(1, within(1, unscaled), number(2, 10), number(3, uint64(int64(scale))))...)
		data = append(data, within(2, number(1, 1984), number(2, 2), number(3, 29))...)
		data = append(data, within(3, within(1, []byte("EUR")), number(2, 12), number(3, 500_000_000))...)
		data = append(data, within(4, within(1, []byte("2.5")))...)
		return &kafka.Record{Value: append(data, number(5, 1)...)}
	}
	for _, imported := range []string{"confluent/type/", "confluent/types/"} {
		schema := strings.Replace(loans, "confluent/type/", imported, 1)
		d := decoderOf(t, schema, schemaOf(t, record.Config{}))
		var r record.Record
		const others = " born.year=1984 born.month=2 born.day=29 fee.currency_code=EUR fee.units=12 fee.nanos=500000000 rate.value=2.5"
		for _, c := range []struct {
			unscaled []byte
			scale    int32
			want     string
		}{{[]byte{0x04, 0xd2}, 2, "12.34"}, {[]byte{0xff}, 1, "-0.1"}, {nil, 0, "0"}, {[]byte{7}, -2, "700"}} {
			if err := d.Decode(&r, loan(c.unscaled, c.scale)); err != nil || flatten(&r) != "amount="+c.want+others || !r.Positive {
				t.Errorf("%s: %v, %s", imported, err, flatten(&r))
			}
		}
		rejected(t, d.Decode(&r, loan([]byte{7}, math.MaxInt32)), record.MalformedMessage, "scale")
	}
	s := parsed(t, loans)
	printed, err := (&printer{steps: 100}).members(nil, s, loan([]byte{0x04, 0xd2}, 2).Value[6:])
	if err != nil || !strings.HasPrefix(string(printed), `{"amount":12.34,"born":{"year":1984,`) {
		t.Errorf("%s, %v", printed, err)
	}
	if own := parsed(t, `syntax = "proto3"; package confluent.type; message Loan { Decimal amount = 1; } message Decimal { bytes value = 1; int32 scale = 2; }`); own.fields[0].inside.special != ordinary {
		t.Error("another type of that name was taken for a decimal")
	}
}

// TestEveryCommonFile: a schema may import each file of Google's common types and of Confluent that no registry has.
func TestEveryCommonFile(t *testing.T) {
	text := "syntax = \"proto3\";\n"
	for _, name := range []string{"calendar_period", "color", "date", "datetime", "dayofweek", "decimal", "expr", "fraction", "interval", "latlng",
		"localized_text", "money", "month", "phone_number", "postal_address", "quaternion", "timeofday"} {
		text += "import \"google/type/" + name + ".proto\";\n"
	}
	for path := range confluent {
		text += "import \"" + path + "\";\n"
	}
	s := parsed(t, text+"message Loan { google.type.Color colour = 1; google.type.LocalizedText words = 2; confluent.type.Variant more = 3; int32 y = 4; }")
	if len(s.fields) != 4 || len(s.fields[0].inside.fields) != 4 || len(s.fields[2].inside.fields) != 2 {
		t.Errorf("%+v", s.fields)
	}
}

func parsed(t *testing.T, text string) *shape {
	t.Helper()
	described, err := parse(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	making := making{known: map[protoreflect.FullName]*shape{}, open: map[protoreflect.FullName]bool{}}
	s, err := making.shape(described.Messages().Get(0))
	if err != nil {
		t.Fatal(err)
	}
	return s
}
