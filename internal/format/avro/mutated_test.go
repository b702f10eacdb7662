package avro

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"unicode/utf8"

	"github.com/twmb/avro"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/format/formattest"
	"github.com/fairstream/fairstream/internal/kafka"
	fields "github.com/fairstream/fairstream/pkg/record"
)

// mutable has what messages may be wrong in: lengths, counts, branches, symbols, numbers, texts, depth.
const mutable = `{"type":"record","name":"r","fields":[{"name":"y","type":"int"},{"name":"s","type":"string"},{"name":"d","type":"double"},{"name":"f","type":"float"},
 {"name":"b","type":"boolean"},{"name":"raw","type":"bytes"},{"name":"quad","type":{"type":"fixed","name":"quad","size":4}},
 {"name":"e","type":{"type":"enum","name":"e","symbols":["one","two","three"]}},{"name":"u","type":["null","long","string"]},
 {"name":"a","type":{"type":"array","items":["null","int"]}},{"name":"m","type":{"type":"map","values":"string"}},
 {"name":"o","type":["null",{"type":"record","name":"o","fields":[{"name":"l","type":{"type":"array","items":{"type":"map","values":"int"}}}]}]},
 {"name":"skipped","type":{"type":"array","items":{"type":"map","values":"long"}}}]}`

// texts are the fields of a value that the library decoded, by path. A key twice in a map leaves one of two values there: it is left out.
func texts(into map[string]string, path string, value any) {
	under := func(key string) string {
		if path == "" {
			return key
		}
		return path + "." + key
	}
	switch v := value.(type) {
	case nil:
		into[path] = "?"
	case map[string]any:
		for key, inner := range v {
			texts(into, under(key), inner)
		}
	case []any:
		for i, inner := range v {
			texts(into, under(strconv.Itoa(i)), inner)
		}
	case []byte:
		into[path] = base64.StdEncoding.EncodeToString(v)
	case [4]byte:
		into[path] = base64.StdEncoding.EncodeToString(v[:])
	case float64:
		into[path] = string(fields.AppendNumber(nil, v, 64))
	case float32:
		into[path] = string(fields.AppendNumber(nil, float64(v), 32))
	default:
		into[path] = fmt.Sprint(v)
	}
}

func mutate(random *rand.Rand, good []byte) []byte {
	data := slices.Clone(good)
	for range 1 + random.IntN(4) {
		at := random.IntN(len(data) + 1)
		switch random.IntN(6) {
		case 0:
			data = data[:at]
		case 1:
			data = slices.Insert(data, at, byte(random.Uint32()))
		case 2:
			data = slices.Insert(data, at, 0xff, 0xff, 0xff, 0xff, byte(random.Uint32()))
		case 3:
			if at < len(data) {
				data = slices.Delete(data, at, min(len(data), at+1+random.IntN(3)))
			}
		default:
			if at < len(data) {
				data[at] ^= 1 << random.IntN(8)
			}
		}
	}
	return data
}

// TestMutatedMessages: 50,000 messages with wrong bytes, or as many as MUTATED says. None panics or takes memory, and what is decoded is what the
// library decodes, and what is read from the message as JSON. The library is the oracle of values alone: it takes texts that are not UTF-8, and bytes behind a record.
func TestMutatedMessages(t *testing.T) {
	t.Parallel()
	n := mutations(50_000)
	parsed := avro.MustParse(mutable)
	random := rand.New(rand.NewPCG(29, 1))
	var seeds [][]byte
	for i := range 20 {
		list := []any{}
		for k := range i % 4 {
			list = append(list, map[string]any{"k" + strconv.Itoa(k): int32(k)})
		}
		value := map[string]any{"y": int32(1), "s": "text", "d": 1.5, "f": float32(2.5), "b": i%2 == 0, "raw": []byte{1, 2}, "quad": []byte{1, 2, 3, 4}, "e": "two",
			"u": []any{nil, int64(i), "x"}[i%3], "a": []any{int32(i), nil}, "m": map[string]any{"k": "v"}, "o": nil, "skipped": []any{map[string]any{"z": int64(1)}}}
		if i%2 == 1 {
			value["o"] = map[string]any{"l": list}
		}
		data, err := parsed.Encode(value)
		if err != nil {
			t.Fatal(err)
		}
		seeds = append(seeds, data)
	}
	schema := schemaOf(t, fields.Config{Ignore: []string{"skipped"}, Missing: []fields.Text{}, Limits: fields.Limits{Fields: 200}})
	d, lines := decoderOf(t, mutable, schema), schema.NewDecoder()
	bare, err := Bare(mutable)
	if err != nil {
		t.Fatal(err)
	}
	var r, printed fields.Record
	var line []byte
	taken, reasons := 0, map[fields.Reason]int{}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range n {
		data := mutate(random, seeds[random.IntN(len(seeds))])
		var printing error
		line, printing = bare.AppendJSON(line[:0], data)
		if err := d.Decode(&r, &kafka.Record{Value: data}); err != nil {
			if printing == nil && lines.DecodeJSON(&printed, line) == nil {
				t.Fatalf("%x: %v, and as JSON it is taken: %s", data, err, line)
			}
			rejection, ok := errors.AsType[*fields.Rejection](err)
			if !ok {
				t.Fatalf("%x: %v", data, err)
			}
			reasons[rejection.Reason]++
			continue
		}
		taken++
		var value any
		rest, err := parsed.Decode(data, &value)
		if err != nil || len(rest) > 0 {
			t.Fatalf("%x is taken, and the library says %v, %d bytes remain", data, err, len(rest))
		}
		want := map[string]string{}
		texts(want, "", value)
		delete(want, "y")
		for path := range want {
			if len(path) > 7 && path[:8] == "skipped." {
				delete(want, path)
			}
		}
		got := map[string]string{}
		for i := range r.Features {
			f := &r.Features[i]
			if got[f.Name] = string(f.Text); f.Missing {
				got[f.Name] = "?"
			}
			if !utf8.ValidString(f.Name) || !utf8.Valid(f.Text) {
				t.Fatalf("%x: a text that is not UTF-8", data)
			}
		}
		if !maps.Equal(got, want) {
			t.Fatalf("%x: %v in place of %v", data, got, want)
		}
		if printing == nil && !utf8.Valid(line) { // in a field that is ignored: the JSON is rejected
			continue
		}
		if printing != nil || lines.DecodeJSON(&printed, line) != nil || !slices.EqualFunc(r.Features, printed.Features, sameFeature) {
			t.Fatalf("%x: as JSON it is another record, or none: %v, %s", data, printing, line)
		}
	}
	runtime.ReadMemStats(&after)
	t.Logf("%d of %d taken, rejected %v, heap grew by %d KiB", taken, n, reasons, (int64(after.HeapInuse)-int64(before.HeapInuse))>>10)
	if taken < n/50 || len(reasons) < 3 {
		t.Errorf("%d of %d taken, rejected %v: the mutations test too little", taken, n, reasons)
	}
	if grown := int64(after.HeapInuse) - int64(before.HeapInuse); grown > 64<<20 {
		t.Errorf("the heap grew by %d bytes", grown)
	}
}

func sameFeature(a, b fields.Field) bool {
	return a.Name == b.Name && a.Missing == b.Missing && string(a.Text) == string(b.Text)
}

// FuzzSchemas: no schema, reference or message makes the program panic, and what is decoded is what is printed.
func FuzzSchemas(f *testing.F) {
	f.Add(mutable, "", []byte{2, 2, 'x'})
	f.Add(everyType, "", []byte{2})
	f.Add(`{"type":"record","name":"a.r","fields":[{"name":"y","type":"s"},{"name":"b","type":["null","a.s"]}]}`, `{"type":"enum","name":"a.s","symbols":["x","z"]}`, []byte{2, 0})
	f.Fuzz(func(t *testing.T, schema, reference string, data []byte) {
		decodedAsPrinted(t, schema, reference, data)
	})
}

// decodedAsPrinted decodes a message of a schema, and says whether the schema is one.
func decodedAsPrinted(t *testing.T, schema, reference string, data []byte) bool {
	t.Helper()
	var references []string
	if reference != "" {
		references = append(references, reference)
	}
	s, err := parse(schema, references...)
	if err != nil {
		return false
	}
	bare := avroFormat{format.One[*shape]{Schema: s}}
	if d, err := bare.Describe(data); err != nil || len(d.Fields) > format.MaxFields {
		t.Errorf("%d fields are described, %v", len(d.Fields), err)
	}
	config := schemaOf(t, fields.Config{}).LabelOptional()
	_ = unfit(s, config)
	var r, printed fields.Record
	if bare.NewDecoder(config).Decode(&r, &kafka.Record{Value: data}) != nil {
		return true
	}
	line, err := bare.AppendJSON(nil, data)
	if err != nil {
		t.Fatalf("%s: %x is decoded, and not printed: %v", schema, data, err)
	}
	if err := config.NewDecoder().DecodeJSON(&printed, line); err != nil || flatten(&printed) != flatten(&r) {
		t.Fatalf("%s: %s is %s, printed %s (%v)", schema, line, flatten(&r), flatten(&printed), err)
	}
	return true
}

// TestMutatedSchemas: 3,000 schemas with wrong words, or a 25th of what MUTATED says, and a message of random bytes of each.
func TestMutatedSchemas(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(29, 2))
	seeds := []string{mutable, everyType, chained(3), `{"type":"record","name":"a.r","fields":[{"name":"y","type":"s"},{"name":"b","type":["null","a.s"]}]}`}
	taken, all := 0, mutations(75_000)/25
	for range all {
		schema := formattest.Mutate(random, seeds[random.IntN(len(seeds))])
		data := make([]byte, random.IntN(40))
		for i := range data {
			data[i] = byte(random.IntN(256) >> random.IntN(8)) // small ones are lengths and branches
		}
		if decodedAsPrinted(t, schema, formattest.Mutate(random, `{"type":"enum","name":"a.s","symbols":["x","z"]}`), data) {
			taken++
		}
	}
	if taken < all/50 {
		t.Errorf("%d of %d schemas were taken", taken, all)
	}
}

// mutations is how many, or what MUTATED says.
func mutations(n int) int {
	if given := os.Getenv("MUTATED"); given != "" {
		n, _ = strconv.Atoi(given)
	}
	return n
}
