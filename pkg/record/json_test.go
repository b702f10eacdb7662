package record_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/record"
)

// fullSchema has every role: weight w, id, time at (unix), attributes sex and a.group; ignored is
// ignored.
func fullSchema(tb testing.TB) *record.Schema {
	tb.Helper()
	schema, err := record.NewSchema(record.Config{
		Label:  record.Label{Field: "y", Positive: "1"},
		Ignore: []string{"ignored"},
		Weight: "w", Propensity: "p",
		ID:     "id",
		Time:   record.Time{Field: "at", Format: record.UnixTime},
		Limits: record.Limits{RecordBytes: 1000, Fields: 20, Depth: 4},
	}, []string{"sex", "a.group"})
	if err != nil {
		tb.Fatal(err)
	}
	return schema
}

// flatten writes the features of rec as name=text, a missing one as name?.
func flatten(rec *record.Record) string {
	var parts []string
	for _, f := range rec.Features {
		if f.Missing {
			parts = append(parts, f.Name+"?")
		} else {
			parts = append(parts, f.Name+"="+string(f.Text))
		}
	}
	return strings.Join(parts, " ")
}

func TestDecodeJSON(t *testing.T) {
	const rest = `,"y":1,"w":1}`
	for _, c := range []struct{ name, json, features string }{
		{"scalars", `{"s":"t","n":-1.50e+3,"t":true,"f":false` + rest, "s=t n=-1.50e+3 t=true f=false"},
		{"missing", `{"a":null,"b":"","c":"?","d":" ","e":"null","f":"NaN","g":"nil"` + rest, "a? b? c? d=  e? f? g=nil"},
		{"nested", `{"a":{"b":{"c":1},"d":"x"},"e":2` + rest, "a.b.c=1 a.d=x e=2"},
		{"arrays", `{"a":[1,"x",null,[2],{"b":3}]` + rest, "a.0=1 a.1=x a.2? a.3.0=2 a.4.b=3"},
		{"empty containers", `{"a":{},"b":[],"c":1` + rest, "c=1"},
		{"dotted key", `{"a.b":1,"a":{"c":2}` + rest, "a.b=1 a.c=2"},
		{"escapes", `{"a":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"` + rest, "a=\"\\/\b\f\n\r\té😀"},
		{"escaped key", `{"\u0061\"":"\u0062"` + rest, `a"=b`},
		{"half a surrogate pair", `{"a":"\ud800"` + rest, "a=\ufffd"},
		{"not ASCII", `{"größe":"日本語"` + rest, "größe=日本語"},
		{"empty key", `{"":1` + rest, "=1"},
		{"white space", " \t\r\n{ \"a\" : 1 , \"b\":\t[ 2 , 3 ]\n" + rest + "\n ", "a=1 b.0=2 b.1=3"},
		{"blanks", ` { "a" : 1 , "b":  "x"  ` + rest + " ", "a=1 b=x"},
		{"ignored", `{"ignored":{"x":[[[[[[[1]]]]]]],"y":{"z":1,"z":1}},"a":1` + rest, "a=1"},
		{"attributes", `{"sex":"F","a":{"group":"g","b":1}` + rest, "a.b=1"},
		{"attribute not scalar", `{"sex":{"x":1},"a":1` + rest, "a=1"},
		{"empty", `{"y":1,"w":1}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var rec record.Record
			decoder := fullSchema(t).NewDecoder()
			for range 2 { // the second time the decoder expects these fields
				if err := decoder.DecodeJSON(&rec, []byte(c.json)); err != nil {
					t.Fatal(err)
				}
				if got := flatten(&rec); got != c.features {
					t.Errorf("features %q, want %q", got, c.features)
				}
				if !rec.HasLabel || !rec.Positive || rec.Size != len(c.json) {
					t.Errorf("label %v %v, size %d, want a positive one of %d bytes", rec.HasLabel, rec.Positive, rec.Size, len(c.json))
				}
			}
		})
	}
}

func TestRoles(t *testing.T) {
	decoder := fullSchema(t).NewDecoder()
	var rec record.Record
	if err := decoder.DecodeJSON(&rec, []byte(`{"a":{"group":7},"x":"v","id":"r1","at":1.5,"w":0.25,"y":0}`)); err != nil {
		t.Fatal(err)
	}
	if !rec.HasLabel || rec.Positive || rec.Weight != .25 || string(rec.ID) != "r1" || rec.Key != nil {
		t.Errorf("record %+v", rec)
	}
	if want := time.Unix(1, 5e8).UTC(); !rec.Time.Equal(want) || rec.Time.Location() != time.UTC {
		t.Errorf("time %v, want %v", rec.Time, want)
	}
	want := []record.Value{{Missing: true}, {Text: []byte("7")}}
	if !reflect.DeepEqual(rec.Attributes, want) {
		t.Errorf("attributes %v, want none and 7", rec.Attributes)
	}
	f := rec.Features[0]
	if len(rec.Features) != 1 || f.Name != "x" || f.Hash != record.Hash([]byte("v")) || f.Missing {
		t.Errorf("features %+v, want x alone", rec.Features)
	}
	if err := decoder.DecodeJSON(&rec, []byte(`{"w":1,"y":1}`)); err != nil {
		t.Fatal(err)
	}
	if len(rec.Features) != 0 || rec.ID != nil || !rec.Time.IsZero() || !rec.Attributes[1].Missing || rec.Attributes[1].Text != nil {
		t.Errorf("the record before shines through: %+v", rec)
	}
}

// TestHash pins the hash: it decides where a category beyond the vocabulary goes, in saved models
// too. The values are those of the reference MurmurHash3_x64_128 of Appleby, seed 0, first half.
func TestHash(t *testing.T) {
	for text, want := range map[string]uint64{
		"":             0,
		"hello":        0xcbd8a7b341bd9b02,
		"hello, world": 0x342fac623a5ebc8e,
	} {
		if got := record.Hash([]byte(text)); got != want {
			t.Errorf("hash of %q is %#x, want %#x", text, got, want)
		}
	}
}

func TestFeatureLists(t *testing.T) {
	const json = `{"a":{"b":1,"c":{"d":2}},"ab":3,"sex":"F","e":4,"y":1}`
	for _, c := range []struct {
		listed, ignored []string
		want            string
	}{
		{nil, nil, "a.b=1 a.c.d=2 ab=3 e=4"},
		{nil, []string{"a"}, "ab=3 e=4"},
		{nil, []string{"a.c", "e"}, "a.b=1 ab=3"},
		{[]string{"a"}, nil, "a.b=1 a.c.d=2"},
		{[]string{"a", "e"}, []string{"a.c"}, "a.b=1 e=4"},
		{[]string{"a.c.d", "sex"}, nil, "a.c.d=2 sex=F"},
		{[]string{"*"}, nil, "a.b=1 a.c.d=2 ab=3 e=4"},
		{[]string{"*", "sex"}, []string{"a"}, "ab=3 sex=F e=4"},
	} {
		schema, err := record.NewSchema(record.Config{
			Label: record.Label{Field: "y", Positive: "1"}, Features: c.listed, Ignore: c.ignored,
		}, []string{"sex"})
		if err != nil {
			t.Fatal(err)
		}
		var rec record.Record
		if err := schema.NewDecoder().DecodeJSON(&rec, []byte(json)); err != nil {
			t.Fatal(err)
		}
		if got := flatten(&rec); got != c.want || string(rec.Attributes[0].Text) != "F" {
			t.Errorf("features %q, ignore %q: %q with attribute %q, want %q with F", c.listed, c.ignored, got, rec.Attributes[0].Text, c.want)
		}
	}
}

func TestJSONRejections(t *testing.T) {
	const full = `,"y":1,"w":1}`
	deep := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	var wide strings.Builder
	for i := range 21 {
		fmt.Fprintf(&wide, `,"f%d":1`, i)
	}
	for _, c := range []struct {
		name, json string
		reason     record.Reason
		field      string
		offset     int
	}{
		{"nothing", ``, record.MalformedJSON, "", 0},
		{"blanks", `  `, record.MalformedJSON, "", 2},
		{"a string", `"x"`, record.NotAnObject, "", 0},
		{"an array", ` [1]`, record.NotAnObject, "", 0},
		{"null", `null`, record.NotAnObject, "", 0},
		{"not even an array", `[1`, record.MalformedJSON, "", 2},
		{"words", `hello`, record.MalformedJSON, "", 0},
		{"open object", `{"a":1`, record.MalformedJSON, "", 6},
		{"open string", `{"a":"b`, record.MalformedJSON, "", 7},
		{"open key", `{"a`, record.MalformedJSON, "", 3},
		{"no colon", `{"a" 1` + full, record.MalformedJSON, "", 5},
		{"two colons", `{"a"::1` + full, record.MalformedJSON, "", 5},
		{"no value", `{"a":` + full, record.MalformedJSON, "", 5},
		{"no comma", `{"a":1 "b":2` + full, record.MalformedJSON, "", 7},
		{"two commas", `{"a":1,` + full, record.MalformedJSON, "", 7},
		{"last comma", `{"y":1,"w":1,}`, record.MalformedJSON, "", 13},
		{"first comma", `{,"a":1` + full, record.MalformedJSON, "", 1},
		{"after the object", `{"y":1,"w":1}x`, record.MalformedJSON, "", 13},
		{"two objects", `{"y":1,"w":1}{}`, record.MalformedJSON, "", 13},
		{"two records", "{\"y\":1,\"w\":1}\n{}", record.MalformedJSON, "", 14},
		{"NUL after", "{\"y\":1,\"w\":1}\x00", record.MalformedJSON, "", 13},
		{"leading zero", `{"a":01` + full, record.MalformedJSON, "", 6},
		{"only a sign", `{"a":-` + full, record.MalformedJSON, "", 6},
		{"plus", `{"a":+1` + full, record.MalformedJSON, "", 5},
		{"no digit after the point", `{"a":1.` + full, record.MalformedJSON, "", 7},
		{"no digit before the point", `{"a":.5` + full, record.MalformedJSON, "", 5},
		{"no exponent", `{"a":1e` + full, record.MalformedJSON, "", 7},
		{"only the exponent's sign", `{"a":1e+` + full, record.MalformedJSON, "", 8},
		{"difference", `{"a":1-2` + full, record.MalformedJSON, "", 6},
		{"hexadecimal", `{"a":0x10` + full, record.MalformedJSON, "", 6},
		{"NaN", `{"a":NaN` + full, record.MalformedJSON, "", 5},
		{"Infinity", `{"a":Infinity` + full, record.MalformedJSON, "", 5},
		{"tru", `{"a":tru` + full, record.MalformedJSON, "", 8},
		{"truex", `{"a":truex` + full, record.MalformedJSON, "", 9},
		{"nul", `{"a":nul` + full, record.MalformedJSON, "", 8},
		{"single quotes", `{'a':1` + full, record.MalformedJSON, "", 1},
		{"bare key", `{a:1` + full, record.MalformedJSON, "", 1},
		{"comment", `{"a":1/**/` + full, record.MalformedJSON, "", 6},
		{"unknown escape", `{"a":"\x"` + full, record.MalformedJSON, "", 7},
		{"short escape", `{"a":"\u12"` + full, record.MalformedJSON, "", 10},
		{"odd escape", `{"a":"\u12g4"` + full, record.MalformedJSON, "", 10},
		{"escape in the key", `{"a\x":1` + full, record.MalformedJSON, "", 4},
		{"control character", "{\"a\":\"\x01\"" + full, record.MalformedJSON, "", 6},
		{"line feed in a string", "{\"a\":\"\n\"" + full, record.MalformedJSON, "", 6},
		{"array with a last comma", `{"a":[1,]` + full, record.MalformedJSON, "", 8},
		{"array without commas", `{"a":[1 2]` + full, record.MalformedJSON, "", 8},
		{"crossed brackets", `{"a":[1}` + full, record.MalformedJSON, "", 7},
		{"malformed and ignored", `{"ignored":[1,]` + full, record.MalformedJSON, "", 14},
		{"not UTF-8", "{\"a\":\"\xff\"" + full, record.InvalidUTF8, "", 6},
		{"half a rune", "{\"a\":\"\xe6\x97\"" + full, record.InvalidUTF8, "", 6},
		{"surrogate in UTF-8", "{\"a\":\"\xed\xa0\x80\"" + full, record.InvalidUTF8, "", 6},
		{"byte order mark", "\xef\xbb\xbf{\"a\":1" + full, record.MalformedJSON, "", 0},
		{"long", `{"a":"` + strings.Repeat("x", 1000) + `"` + full, record.TooLong, "", 1000},
		{"deep", `{"a":` + deep(4) + full, record.TooDeep, "", -1},
		{"deep array", `{"a":[[[[1]]]]` + full, record.TooDeep, "", -1},
		{"wide", `{"a":1` + wide.String() + full, record.TooManyFields, "", -1},
		{"wide array", `{"a":[1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0]` + full, record.TooManyFields, "", -1},
		{"long name", `{"` + strings.Repeat("a", 513) + `":1` + full, record.NameTooLong, "", -1},
		{"long path", `{"` + strings.Repeat("a", 300) + `":{"` + strings.Repeat("b", 300) + `":1}` + full, record.NameTooLong, "", -1},
		{"twice", `{"a":1,"a":1` + full, record.DuplicateField, "a", -1},
		{"twice, escaped", `{"a":1,"\u0061":1` + full, record.DuplicateField, "a", -1},
		{"twice, empty", `{"a":{},"a":{}` + full, record.DuplicateField, "a", -1},
		{"twice, ignored", `{"ignored":1,"ignored":1` + full, record.DuplicateField, "ignored", -1},
		{"twice as a path", `{"b":{"c":1},"b.c":2` + full, record.DuplicateField, "b.c", 19},
		{"label twice", `{"y":0,"y":1,"w":1}`, record.DuplicateField, "y", -1},
		{"no label", `{"a":1,"w":1}`, record.MissingLabel, "y", -1},
		{"null label", `{"y":null,"w":1}`, record.MissingLabel, "y", -1},
		{"missing label", `{"y":"?","w":1}`, record.MissingLabel, "y", -1},
		{"object as label", `{"y":{"a":1},"w":1}`, record.LabelNotScalar, "y", -1},
		{"array as label", `{"y":[],"w":1}`, record.LabelNotScalar, "y", -1},
		{"no weight", `{"y":1}`, record.MissingWeight, "w", -1},
		{"null weight", `{"y":1,"w":null}`, record.MissingWeight, "w", -1},
		{"negative weight", `{"y":1,"w":-0.5}`, record.BadWeight, "w", 11},
		{"huge weight", `{"y":1,"w":1000001}`, record.BadWeight, "w", 11},
		{"weight out of range", `{"y":1,"w":1e999}`, record.BadWeight, "w", 11},
		{"infinite weight", `{"y":1,"w":"inf"}`, record.BadWeight, "w", 11},
		{"infinite weight", `{"y":1,"w":"Inf"}`, record.BadWeight, "w", 11},
		{"hexadecimal weight", `{"y":1,"w":"0x1p-2"}`, record.BadWeight, "w", 11},
		{"boolean as weight", `{"y":1,"w":true}`, record.BadWeight, "w", 11},
		{"object as weight", `{"y":1,"w":{}}`, record.BadWeight, "w", -1},
		{"propensity of 0", `{"y":1,"w":1,"p":0}`, record.BadPropensity, "p", 17},
		{"propensity above 1", `{"y":1,"w":1,"p":1.01}`, record.BadPropensity, "p", 17},
		{"words as propensity", `{"y":1,"w":1,"p":"NaN "}`, record.BadPropensity, "p", 17},
		{"array as propensity", `{"y":1,"w":1,"p":[1]}`, record.BadPropensity, "p", -1},
		{"words as time", `{"y":1,"w":1,"at":"noon"}`, record.BadTime, "at", 18},
		{"time of the future", `{"y":1,"w":1,"at":1e300}`, record.BadTime, "at", 18},
		{"array as time", `{"y":1,"w":1,"at":[1]}`, record.BadTime, "at", -1},
		{"object as id", `{"y":1,"w":1,"id":{}}`, record.IdentityNotText, "id", -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			decoder := fullSchema(t).NewDecoder()
			var rec record.Record
			for range 2 { // also when the decoder expects these fields
				err := decoder.DecodeJSON(&rec, []byte(c.json))
				var r *record.Rejection
				if !errors.As(err, &r) {
					t.Fatalf("error %v, want a rejection", err)
				}
				if r.Reason != c.reason || r.Field != c.field || r.Offset != c.offset || r.Line != 0 {
					t.Errorf("%v (offset %d), want %s in %q at %d", r, r.Offset, c.reason, c.field, c.offset)
				}
				if err := decoder.DecodeJSON(&rec, []byte(`{"y":1,"w":1}`)); err != nil {
					t.Fatalf("the record after it: %v", err)
				}
			}
		})
	}
}

// TestPropensity: it is no feature, and 0 in a record that has none or a missing one, after others.
func TestPropensity(t *testing.T) {
	decoder := fullSchema(t).NewDecoder()
	var rec record.Record
	for _, c := range []struct {
		json string
		want float64
	}{
		{`{"y":1,"w":1,"p":0.02,"a":1}`, .02}, {`{"y":1,"w":1,"a":1}`, 0}, {`{"y":1,"w":1,"p":1,"a":1}`, 1}, {`{"y":1,"w":1,"p":null,"a":1}`, 0},
	} {
		if err := decoder.DecodeJSON(&rec, []byte(c.json)); err != nil {
			t.Fatal(err)
		}
		if rec.Propensity != c.want || flatten(&rec) != "a=1" {
			t.Errorf("%s: propensity %v, features %s", c.json, rec.Propensity, flatten(&rec))
		}
	}
}

func TestTombstone(t *testing.T) {
	var rec record.Record
	var r *record.Rejection
	if err := fullSchema(t).NewDecoder().DecodeJSON(&rec, nil); !errors.As(err, &r) || r.Reason != record.Tombstone {
		t.Errorf("error %v, want a tombstone", err)
	}
}

// TestUnescapedKeyIsNoPrefix: a decoder that knows the key a"b must not take the malformed
// {"a"b":1} for it.
func TestUnescapedKeyIsNoPrefix(t *testing.T) {
	decoder := fullSchema(t).NewDecoder()
	var rec record.Record
	if err := decoder.DecodeJSON(&rec, []byte(`{"a\"b":1,"y":1,"w":1}`)); err != nil || rec.Features[0].Name != `a"b` {
		t.Fatal(err, rec.Features)
	}
	var r *record.Rejection
	if err := decoder.DecodeJSON(&rec, []byte(`{"a"b":1,"y":1,"w":1}`)); !errors.As(err, &r) || r.Reason != record.MalformedJSON {
		t.Errorf("error %v, want malformed JSON", err)
	}
}

func TestLabelOptional(t *testing.T) {
	schema := fullSchema(t).LabelOptional()
	var rec record.Record
	if err := schema.NewDecoder().DecodeJSON(&rec, []byte(`{"a":1}`)); err != nil || rec.HasLabel || rec.Positive || rec.Weight != 1 {
		t.Errorf("error %v, record %+v, want one without label and with weight 1", err, rec)
	}
}

func TestJoinKey(t *testing.T) {
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "meta.y", Positive: "yes"}, Key: "id", ID: "id"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	decoder := schema.NewDecoder()
	var rec record.Record
	if err := decoder.DecodeJSON(&rec, []byte(`{"id":17,"a":1}`)); err != nil || rec.HasLabel || string(rec.Key) != "17" || string(rec.ID) != "17" {
		t.Errorf("error %v, record %+v, want one that waits for its label", err, rec)
	}
	if err := decoder.DecodeJSON(&rec, []byte(`{"id":"17","meta":{"y":"yes"}}`)); err != nil || !rec.Positive || string(rec.Key) != "17" || len(rec.Features) != 0 {
		t.Errorf("error %v, record %+v, want its label", err, rec)
	}
	var r *record.Rejection
	if err := decoder.DecodeJSON(&rec, []byte(`{"id":"?","a":1}`)); !errors.As(err, &r) || r.Reason != record.MissingKey || r.Field != "id" {
		t.Errorf("error %v, want a missing key", err)
	}
}

// TestFieldOrderIsIrrelevant: whatever the order, and whatever came before, the fields are the same.
func TestFieldOrderIsIrrelevant(t *testing.T) {
	decoder := fullSchema(t).NewDecoder()
	var rec record.Record
	for _, c := range []struct{ json, features string }{
		{`{"a":1,"b":2,"c":3,"y":1,"w":1}`, "a=1 b=2 c=3"},
		{`{"c":3,"b":2,"a":1,"w":1,"y":1}`, "c=3 b=2 a=1"},
		{`{"w":1,"y":1,"b":2}`, "b=2"},
		{`{"a":1,"c":3,"y":1,"w":1}`, "a=1 c=3"},
		{`{"a":1,"b":2,"c":3,"y":1,"w":1}`, "a=1 b=2 c=3"},
		{`{"a":{"b":1},"b":{"a":2},"y":1,"w":1}`, "a.b=1 b.a=2"},
		{`{"b":{"a":2},"a":{"b":1},"y":1,"w":1}`, "b.a=2 a.b=1"},
	} {
		if err := decoder.DecodeJSON(&rec, []byte(c.json)); err != nil || flatten(&rec) != c.features {
			t.Errorf("%s: error %v, features %q, want %q", c.json, err, flatten(&rec), c.features)
		}
	}
}

// TestFlatEqualsGeneral: white space other than blanks sends a record down the general path, which
// must give what the fast path for flat objects gives.
func TestFlatEqualsGeneral(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	schema := fullSchema(t)
	flat, general := schema.NewDecoder(), schema.NewDecoder()
	keys := []string{"y", "w", "id", "at", "sex", "a.group", "a", "b", "ignored"}
	values := []string{`1`, `0.5`, `"1"`, `""`, `"?"`, `null`, `true`, `-1`, `1e9`, `"x"`, `01`, `tru`, `"é"`, `1 `, `{}`}
	var a, b record.Record
	taken := 0
	for range 20000 {
		random.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		data := `{"y":1,"w":2`
		if random.IntN(2) == 0 {
			data = `{"z":1`
		}
		for _, key := range keys[:random.IntN(len(keys))] {
			data += `,"` + key + `": ` + values[random.IntN(min(len(values), 8+random.IntN(20)))]
		}
		data += "}"
		first, second := flat.DecodeJSON(&a, []byte(data)), general.DecodeJSON(&b, []byte("\n"+data))
		checkEqual(t, []byte(data), &a, &b, first, second)
		if first == nil {
			taken++
			continue
		}
		r1, _ := errors.AsType[*record.Rejection](first)
		r2, _ := errors.AsType[*record.Rejection](second)
		if r1.Field != r2.Field || r1.Offset >= 0 && r1.Offset != r2.Offset-1 {
			t.Fatalf("%s: %v and, a byte further on, %v", data, first, second)
		}
	}
	if taken < 1000 {
		t.Errorf("only %d records were taken: the test compares little", taken)
	}
}
