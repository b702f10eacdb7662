package record_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// leaf is a scalar of a JSON object, as the slow plain oracle finds it.
type leaf struct {
	path, text string
	missing    bool
}

// oracle flattens data with the standard library. twice says that a path occurs twice.
func oracle(data []byte) (leaves []leaf, object, twice bool) {
	if !json.Valid(data) {
		return nil, false, false
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	seen := map[string]bool{}
	token := func() json.Token {
		t, err := d.Token()
		if err != nil {
			panic(err) // data is valid
		}
		return t
	}
	var value func(path string)
	member := func(path, key string, top bool) {
		if !top {
			key = path + "." + key
		}
		value(key)
	}
	value = func(path string) {
		text := ""
		switch t := token().(type) {
		case json.Delim:
			keys := map[string]bool{}
			for i := 0; d.More(); i++ {
				key := strconv.Itoa(i)
				if t == '{' {
					key = token().(string)
				}
				twice = twice || keys[key]
				keys[key] = true
				member(path, key, false)
			}
			token()
			return
		case string:
			text = t
		case json.Number:
			text = t.String()
		case bool:
			text = strconv.FormatBool(t)
		}
		twice = twice || seen[path]
		seen[path] = true
		leaves = append(leaves, leaf{path, text, text == "" || text == "?"})
	}
	if token() != json.Delim('{') {
		return nil, false, false
	}
	keys := map[string]bool{}
	for d.More() {
		key := token().(string)
		twice = twice || keys[key]
		keys[key] = true
		member("", key, true)
	}
	return leaves, true, twice
}

// everything reads all fields as features: its label is one that no test record has.
func everything(tb testing.TB) *record.Schema {
	tb.Helper()
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "no such field", Positive: "1"}}, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return schema.LabelOptional()
}

// checkAgainstOracle decodes data twice, and compares what it gives with the oracle.
func checkAgainstOracle(t *testing.T, decoder *record.Decoder, data []byte) {
	t.Helper()
	var rec record.Record
	for range 2 {
		err := decoder.DecodeJSON(&rec, data)
		leaves, object, twice := oracle(data)
		if err != nil {
			rejection, ok := errors.AsType[*record.Rejection](err)
			if !ok {
				t.Fatalf("%q: error %v is not a rejection", data, err)
			}
			switch rejection.Reason {
			case record.MalformedJSON:
				if json.Valid(data) {
					t.Fatalf("%q is valid: %v", data, err)
				}
			case record.NotAnObject:
				if object || !json.Valid(data) {
					t.Fatalf("%q: %v", data, err)
				}
			case record.DuplicateField:
				if object && !twice {
					t.Fatalf("%q: %v", data, err)
				}
			case record.InvalidUTF8, record.TooDeep, record.TooManyFields, record.NameTooLong, record.TooLong:
			default:
				t.Fatalf("%q: %v", data, err)
			}
			continue
		}
		if !object || twice {
			t.Fatalf("%q was taken: an object %v, a path twice %v", data, object, twice)
		}
		if len(rec.Features) != len(leaves) {
			t.Fatalf("%q has %d features, want %d", data, len(rec.Features), len(leaves))
		}
		for i, f := range rec.Features {
			got, want := leaf{f.Name, string(f.Text), f.Missing}, leaves[i]
			if want.missing {
				want.text = ""
			}
			// Libraries differ in how many U+FFFD broken surrogates become.
			if got != want && !strings.Contains(want.text+want.path, "\ufffd") {
				t.Fatalf("%q: feature %d is %+v, want %+v", data, i, got, want)
			}
			if !f.Missing && f.Hash != record.Hash(f.Text) {
				t.Fatalf("%q: feature %d has another hash", data, i)
			}
		}
	}
}

// TestRandomJSON compares random objects, whole and damaged, with the oracle.
func TestRandomJSON(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	decoder := everything(t).NewDecoder()
	for range 20000 {
		data := randomObject(random, 0)
		if random.IntN(3) == 0 {
			at := random.IntN(len(data))
			switch random.IntN(3) {
			case 0:
				data[at] = `{}[]",:\0-e. u`[random.IntN(14)]
			case 1:
				data = slices.Delete(data, at, at+1)
			case 2:
				data = slices.Insert(data, at, `{}[]",:\0-e. u`[random.IntN(14)])
			}
		}
		checkAgainstOracle(t, decoder, data)
	}
}

// randomObject is a JSON object of few keys, so that decoders meet them again.
func randomObject(random *rand.Rand, depth int) []byte {
	space := []string{"", "", "", " ", "\t", "\n"}[random.IntN(6)]
	data := []byte("{")
	keys := []string{"a", "b", "c", "a.b", "ключ", `q\"`, ""}
	random.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	for i, key := range keys[:random.IntN(5)] {
		if i > 0 {
			data = append(data, ',')
		}
		data = append(data, space+`"`+key+`"`+space+":"+space...)
		data = append(data, randomValue(random, depth)...)
		data = append(data, space...)
	}
	return append(append(data, '}'), space...)
}

func randomValue(random *rand.Rand, depth int) []byte {
	scalars := []string{`"x"`, `""`, `"?"`, `"é"`, `"\u00e9\n"`, `0`, `-1.5e+3`, `12`, `true`, `false`, `null`}
	switch kind := random.IntN(6); {
	case kind == 0 && depth < 3:
		return randomObject(random, depth+1)
	case kind == 1 && depth < 3:
		data := []byte("[")
		for i := range random.IntN(3) {
			if i > 0 {
				data = append(data, ',')
			}
			data = append(data, randomValue(random, depth+1)...)
		}
		return append(data, ']')
	default:
		return []byte(scalars[random.IntN(len(scalars))])
	}
}

// TestCSVEqualsJSON: a CSV row and the JSON object made from it give equal records.
func TestCSVEqualsJSON(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	alphabet := []string{"a", "1", "?", "", ",", `"`, "\n", "\\", "é", "<", "\t", " ", "日", "\u2028", "\x00"}
	schema, err := record.NewSchema(record.Config{
		Label: record.Label{Field: "y", Positive: "1"}, Ignore: []string{"skip"}, ID: "id",
	}, []string{"sex", "group.name"})
	if err != nil {
		t.Fatal(err)
	}
	header, err := record.NewHeader([]string{"x", "y", "sex", `q"`, "group.name", "skip", "id"})
	if err != nil {
		t.Fatal(err)
	}
	fromCSV, fromJSON := schema.NewDecoder(), schema.NewDecoder()
	var a, b record.Record
	for range 5000 {
		cells := make([][]byte, len(header.Names()))
		for i := range cells {
			for range random.IntN(4) {
				cells[i] = append(cells[i], alphabet[random.IntN(len(alphabet))]...)
			}
		}
		first := fromCSV.DecodeCSV(&a, header, cells)
		data := header.AppendJSON(nil, cells)
		second := fromJSON.DecodeJSON(&b, data)
		checkEqual(t, data, &a, &b, first, second)
	}
}

// checkEqual fails unless the CSV and the JSON form of a record gave the same.
func checkEqual(t *testing.T, data []byte, a, b *record.Record, first, second error) {
	t.Helper()
	if (first == nil) != (second == nil) {
		t.Fatalf("%s: CSV gives %v, JSON %v", data, first, second)
	}
	if first != nil {
		r1, ok1 := errors.AsType[*record.Rejection](first)
		r2, ok2 := errors.AsType[*record.Rejection](second)
		if !ok1 || !ok2 || r1.Reason != r2.Reason {
			t.Fatalf("%s: CSV gives %v, JSON %v", data, first, second)
		}
		return
	}
	if a.HasLabel != b.HasLabel || a.Positive != b.Positive || a.Weight != b.Weight || !bytes.Equal(a.ID, b.ID) ||
		!reflect.DeepEqual(a.Attributes, b.Attributes) || !reflect.DeepEqual(a.Features, b.Features) {
		t.Fatalf("%s: CSV gives %+v, JSON %+v", data, a, b)
	}
}

// TestAdultCSVEqualsJSON: so it is with every bundled record, whether its numbers are JSON numbers
// or strings, but for the ids, which belong to the schemas.
func TestAdultCSVEqualsJSON(t *testing.T) {
	decoders := [3]*record.Decoder{}
	readers := [3]*record.Reader{}
	for i, source := range []struct {
		text   []byte
		format record.Format
	}{{adultCSV(), record.CSV}, {adultStrings(), record.JSONLines}, {adultNumbers(), record.JSONLines}} {
		decoders[i] = adultSchema(t).NewDecoder()
		var err error
		if readers[i], err = record.NewReader(bytes.NewReader(source.text), source.format, record.Limits{}); err != nil {
			t.Fatal(err)
		}
	}
	var recs [3]record.Record
	for {
		var errs [3]error
		for i, reader := range readers {
			errs[i] = reader.Read(decoders[i], &recs[i])
		}
		if errs[0] == io.EOF && errs[1] == io.EOF && errs[2] == io.EOF {
			return
		}
		for i := 1; i < 3; i++ {
			checkEqual(t, readers[i].Raw(), &recs[0], &recs[i], errs[0], errs[i])
		}
	}
}

// plainCSV reads text with the standard library, which gives up at the first malformed row.
func plainCSV(text []byte) (rows [][]string, whole bool) {
	r := csv.NewReader(bytes.NewReader(text))
	for {
		row, err := r.Read()
		if err == io.EOF {
			return rows, true
		}
		if err != nil {
			return rows, false
		}
		rows = append(rows, row)
	}
}

// checkCSV reads text with a Reader: as far as the standard library reads it, the rows are the
// same, and every line is accounted for.
func checkCSV(t *testing.T, text []byte) {
	t.Helper()
	reader, err := record.NewReader(bytes.NewReader(text), record.CSV, record.Limits{RecordBytes: 1 << 12})
	if err != nil {
		return
	}
	names := reader.Header().Names()
	want, whole := plainCSV(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")))
	if len(want) > 0 && !slices.Equal(want[0], names) && !bytes.ContainsAny(text, "\r\x00 \t\v\f") {
		t.Fatalf("%q: header %q, want %q", text, names, want[0])
	}
	decoder := everything(t).NewDecoder()
	rows, last, rejections := 0, int64(0), 0
	var rec record.Record
	for {
		err := reader.Next()
		if err == io.EOF {
			break
		}
		if reader.Line() <= last || reader.Line() > int64(bytes.Count(text, []byte("\n"))+1) {
			t.Fatalf("%q: line %d after %d", text, reader.Line(), last)
		}
		last = reader.Line()
		if err != nil {
			if !isRejection(err) {
				t.Fatalf("%q: %v", text, err)
			}
			rejections++
			continue
		}
		rows++
		data := reader.AppendJSON(nil)
		var object map[string]string
		if err := json.Unmarshal(data, &object); err != nil || len(object) != len(names) {
			t.Fatalf("%q: row %d is rendered as %q: %v", text, rows, data, err)
		}
		if err := reader.Decode(decoder, &rec); err != nil && !isRejection(err) {
			t.Fatalf("%q: %v", text, err)
		}
		// Where white space makes lines blank or \r means something, the libraries differ.
		if rejections == 0 && rows < len(want) && !bytes.ContainsAny(text, "\r \t\v\f\u0085\u00a0\u2028") {
			for i, name := range names {
				if object[name] != want[rows][i] {
					t.Fatalf("%q: row %d has %q in %s, want %q", text, rows, object[name], name, want[rows][i])
				}
			}
		}
	}
	if whole && rejections == 0 && rows != len(want)-1 && !bytes.ContainsAny(text, "\r \t\v\f\u0085\u00a0\u2028") {
		t.Fatalf("%q: %d rows, want %d", text, rows, len(want)-1)
	}
}

// TestRandomCSV compares random files with the standard library.
func TestRandomCSV(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	alphabet := []string{"a", "b", ",", ",", "\n", "\n", `"`, `""`, "é", "\r\n", " "}
	for range 20000 {
		text := []byte("x,y\n")
		for range random.IntN(20) {
			text = append(text, alphabet[random.IntN(len(alphabet))]...)
		}
		checkCSV(t, text)
	}
}
