package protobuf

import (
	"encoding/json"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// adult is a record of the bundled Adult data set.
const (
	adultType = `syntax = "proto3"; message Adult { int32 age = 1; string workclass = 2; string education = 3; string marital_status = 4; string occupation = 5;
		string relationship = 6; string race = 7; string sex = 8; int32 capital_gain = 9; int32 capital_loss = 10; int32 hours_per_week = 11; string native_country = 12; string income = 13; }`
	adultJSON = `{"age":39,"workclass":"State-gov","education":"Bachelors","marital_status":"Never-married","occupation":"Adm-clerical","relationship":"Not-in-family",
		"race":"White","sex":"Male","capital_gain":2174,"capital_loss":0,"hours_per_week":40,"native_country":"United-States","income":"<=50K"}`
)

// BenchmarkAdult decodes the same record from each format. In dynamicpb, a library decodes the message and its fields are read by reflection, as the texts
// of a record: what the walk takes the place of.
func BenchmarkAdult(b *testing.B) {
	parsed, err := parse(adultType, nil)
	if err != nil {
		b.Fatal(err)
	}
	m := dynamicpb.NewMessage(parsed.Messages().Get(0))
	if err := protojson.Unmarshal([]byte(adultJSON), m); err != nil {
		b.Fatal(err)
	}
	data, err := proto.Marshal(m)
	if err != nil {
		b.Fatal(err)
	}
	var object any
	if err := json.Unmarshal([]byte(adultJSON), &object); err != nil {
		b.Fatal(err)
	}
	text, err := json.Marshal(object)
	if err != nil {
		b.Fatal(err)
	}
	schema := schemaOf(b, record.Config{Label: record.Label{Field: "income", Positive: ">50K"}}, "sex")
	f, err := Bare(adultType)
	if err != nil {
		b.Fatal(err)
	}
	d, open := f.NewDecoder(schema), schema.NewDecoder()
	b.Run("protobuf", func(b *testing.B) {
		b.ReportAllocs()
		var r record.Record
		message := kafka.Record{Value: data}
		for b.Loop() {
			if err := d.Decode(&r, &message); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("dynamicpb", func(b *testing.B) {
		b.ReportAllocs()
		var texts []byte
		for b.Loop() {
			read := dynamicpb.NewMessage(parsed.Messages().Get(0))
			if err := proto.Unmarshal(data, read); err != nil {
				b.Fatal(err)
			}
			texts = texts[:0]
			read.Range(func(_ protoreflect.FieldDescriptor, v protoreflect.Value) bool {
				texts = append(texts, v.String()...)
				return true
			})
		}
	})
	b.Run("JSON", func(b *testing.B) {
		b.ReportAllocs()
		var r record.Record
		for b.Loop() {
			if err := open.DecodeJSON(&r, text); err != nil {
				b.Fatal(err)
			}
		}
	})
}
