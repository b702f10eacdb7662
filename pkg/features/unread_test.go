package features

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// A value of another type than was learnt is told, time and again, and others are not: missing ones, numbers beyond those that were
// learnt, texts that were learnt among numbers, texts of a column of texts, columns that nobody learnt.
func TestUnread(t *testing.T) {
	t.Parallel()
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "y", Positive: "1"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	decoder, r, row := schema.NewDecoder(), record.Record{}, Row{}
	decode := func(text string) *record.Record {
		if err := decoder.DecodeJSON(&r, []byte(text)); err != nil {
			t.Fatal(err)
		}
		return &r
	}
	learning := NewLearning(Config{Vocabulary: VocabularyConfig{Columns: 10, Levels: 100, Buckets: 8}})
	people := func(i int) *record.Record {
		age := strconv.Itoa(20 + i%50)
		if i%25 == 0 {
			age = `"unknown"`
		}
		return decode(`{"y":1,"age":` + age + `,"town":"t` + strconv.Itoa(i%3) + `","pay":{"net":` + strconv.Itoa(i) + `}}`)
	}
	for i := range 600 {
		learning.Observe(people(i).Features)
	}
	learning.Infer()
	for i := range 600 {
		learning.Encode(&row, people(i))
		learning.Reveal(float64(i%10)/10, .2, 1)
	}
	columns := learning.Parts().Columns
	for range 2 {
		for _, test := range [][2]string{
			{`{"y":1,"age":30,"town":"t1","pay":{"net":5}}`, "[]"},
			{`{"y":1,"age":null,"pay":{"net":-1e300}}`, "[]"},
			{`{"y":1,"age":"30","town":"nowhere"}`, "[]"},
			{`{"y":1,"age":"thirty"}`, "[age]"},
			{`{"y":1,"age":true,"pay":{"net":"5 EUR"}}`, "[age pay.net]"},
			{`{"y":1,"age":[30,31],"other":[1]}`, "[age]"},
			{`{"y":1,"age":{"years":{"full":30}},"town":{"name":"t1"}}`, "[age town]"},
			{`{"y":1,"town":7}`, "[]"},
		} {
			learning.Frozen.Encode(&row, decode(test[0]))
			names := []string{}
			for _, i := range learning.Unread() {
				names = append(names, columns[i].Name)
			}
			if fmt.Sprint(names) != test[1] {
				t.Errorf("%s: %v, want %s", test[0], names, test[1])
			}
		}
	}
}
