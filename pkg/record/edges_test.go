package record_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"go.yaml.in/yaml/v4"

	"github.com/fairstream/fairstream/pkg/record"
)

// walked is what a walk over decoded JSON makes of a message: the record in words, or why there is none.
func walked(t *testing.T, decoder *record.Decoder, text string) string {
	t.Helper()
	var value any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		t.Fatal(err)
	}
	var rec record.Record
	err := decoder.Begin(&rec, len(text))
	if err == nil {
		err = putInside(decoder, decoder.Root(), value)
	}
	if err == nil {
		err = decoder.End()
	}
	if err != nil {
		rejection, ok := errors.AsType[*record.Rejection](err)
		if !ok {
			t.Fatalf("%s: %v", text, err)
		}
		return strings.TrimSuffix(fmt.Sprintf("%s %s: %s", rejection.Reason, rejection.Field, rejection.Detail), ": ")
	}
	return fmt.Sprintf("%s positive %t snapshot %t", flatten(&rec), rec.Positive, rec.Snapshot)
}

// TestAWalkUnwrapsEnvelopes: the record within a message of another format than JSON, what the envelope says of it, and what is no such message.
func TestAWalkUnwrapsEnvelopes(t *testing.T) {
	const row = `{"y":1,"x":7,"op":"d"}`
	for _, c := range []struct {
		at            record.At
		message, want string
	}{
		{record.Debezium, `{"after":ROW,"op":"c","source":{"snapshot":"false","db":{"a":[1]}},"ts":{"z":1}}`, "op=d x=7 positive true snapshot false"},
		{record.Debezium, `{"after":ROW,"op":"u","before":{"y":0,"x":9}}`, "op=d x=7 positive true snapshot false"},
		{record.Debezium, `{"after":ROW,"op":"r"}`, "op=d x=7 positive true snapshot true"},
		{record.Debezium, `{"after":ROW,"op":"c","source":{"snapshot":"first"}}`, "op=d x=7 positive true snapshot true"},
		{record.Debezium, `{"after":ROW,"op":"c","source":{"snapshot":"true","other":"false"}}`, "op=d x=7 positive true snapshot true"},
		{record.Debezium, `{"after":null,"op":"d"}`, "deleted : the event deletes rows, and what was learnt from them stays"},
		{record.Debezium, `{"op":"t"}`, "deleted : the event deletes rows, and what was learnt from them stays"},
		{record.Debezium, `{"after":ROW,"op":"x"}`, "not_enveloped op: not c, r, u, d or t, so this is no event of Debezium about a row"},
		{record.Debezium, `{"after":ROW,"op":"cc"}`, "not_enveloped op: not c, r, u, d or t, so this is no event of Debezium about a row"},
		{record.Debezium, `{"after":ROW}`, "not_enveloped op: not c, r, u, d or t, so this is no event of Debezium about a row"},
		{record.Debezium, `{"op":"c"}`, "not_enveloped after: absent or null"},
		{record.Debezium, `{"after":null,"op":"u"}`, "not_enveloped after: absent or null"},
		{"a.b", `{"x":{"b":1},"a":{"c":[1],"b":ROW}}`, "op=d x=7 positive true snapshot false"},
		{"a.b", `{"a":{"c":ROW}}`, "not_enveloped a.b: absent or null"},
		{"a.b", `{"b":ROW}`, "not_enveloped a.b: absent or null"},
		{record.Connect, row, "op=d x=7 positive true snapshot false"},
		{record.CloudEvents, row, "op=d x=7 positive true snapshot false"},
	} {
		decoder := within(t, c.at)
		for range 2 { // the second message meets what the first has left
			got := walked(t, decoder, strings.ReplaceAll(c.message, "ROW", row))
			if cut, found := strings.CutSuffix(got, "; record.at says where a message holds its record"); found != strings.HasPrefix(c.want, "not_enveloped") || cut != c.want {
				t.Errorf("%s: %s\nis     %s\nwanted %s", c.at, c.message, got, c.want)
			}
		}
	}
	decoder := within(t, record.Debezium)
	var rec record.Record
	if err := decoder.Begin(&rec, 10); err != nil {
		t.Fatal(err)
	}
	op, err := decoder.Member(decoder.Root(), "op")
	if err != nil {
		t.Fatal(err)
	}
	twice := errors.Join(decoder.Put(op, []byte("c"), -1), decoder.Put(op, []byte("c"), -1))
	if rejection, ok := errors.AsType[*record.Rejection](twice); !ok || rejection.Reason != record.DuplicateField || rejection.Field != "op" {
		t.Errorf("op twice: %v", twice)
	}
	inside, err := decoder.Member(decoder.Root(), "unknown")
	if err != nil || !inside.Ignored() {
		t.Errorf("what is beside the record is read: %v", err)
	}
	if _, err := decoder.Member(decoder.Root(), "\xff"); err == nil {
		t.Error("a name that is not UTF-8")
	}
	next := decoder.Root().Inside()
	if _, err := decoder.Next(&next, []byte("\xff")); err == nil {
		t.Error("the next name that is not UTF-8")
	}
	if err := decoder.Begin(&rec, 401); err == nil {
		t.Error("a message that is too long")
	}
}

// TestMoreThatIsRefused: settings of the record section with a value that cannot be, at their keys, and at the bounds of what can.
func TestMoreThatIsRefused(t *testing.T) {
	long := strings.Repeat("a", record.MaxNameBytes)
	for name, c := range map[string]struct {
		change     func(c *record.Config)
		path, hint string
	}{
		"unlabelled":               {func(c *record.Config) { c.Unlabelled = "skip" }, "record.unlabelled", "is not known"},
		"counted":                  {func(c *record.Config) { c.Unlabelled = record.Count }, "", ""},
		"rejected":                 {func(c *record.Config) { c.Unlabelled = record.Reject }, "", ""},
		"a long id":                {func(c *record.Config) { c.ID = long }, "", ""},
		"a longer id":              {func(c *record.Config) { c.ID = long + "a" }, "record.id", "longer"},
		"at a long path":           {func(c *record.Config) { c.At = record.At(long) }, "", ""},
		"at a longer path":         {func(c *record.Config) { c.At = record.At(long + "a") }, "record.at", "longer"},
		"at no name":               {func(c *record.Config) { c.At = "a..b" }, "record.at", "empty name"},
		"a long earlier name":      {func(c *record.Config) { c.Renamed = []record.Rename{{Field: "b", Was: long}} }, "", ""},
		"a longer earlier name":    {func(c *record.Config) { c.Renamed = []record.Rename{{Field: "b", Was: long + "a"}} }, "record.renamed[0].was", "longer"},
		"no name":                  {func(c *record.Config) { c.Renamed = []record.Rename{{Was: "a"}} }, "record.renamed[0].field", "required"},
		"no earlier name":          {func(c *record.Config) { c.Renamed = []record.Rename{{Field: "b"}} }, "record.renamed[0].was", "required"},
		"renamed to itself":        {func(c *record.Config) { c.Renamed = []record.Rename{{Field: "b", Was: "b"}} }, "record.renamed[0].was", "is renamed too"},
		"renamed twice":            {func(c *record.Config) { c.Renamed = []record.Rename{{Field: "b", Was: "a"}, {Field: "b", Was: "c"}} }, "record.renamed[1].field", "twice"},
		"a format":                 {func(c *record.Config) { c.Format = "xml" }, "record.format", "is unknown"},
		"no schema":                {func(c *record.Config) { c.Format = record.AvroSingle }, "record.schema", "required"},
		"no schema of Protobuf":    {func(c *record.Config) { c.Format = record.ProtobufBare }, "record.schema", "required"},
		"no schema of bare Avro":   {func(c *record.Config) { c.Format = record.AvroBare }, "record.schema", "required"},
		"a schema":                 {func(c *record.Config) { c.Format, c.Schema = record.AvroBare, record.OneOrMore{"a"} }, "", ""},
		"two schemas":              {func(c *record.Config) { c.Format, c.Schema = record.AvroBare, record.OneOrMore{"a", "b"} }, "record.schema", "name one file"},
		"two of Protobuf":          {func(c *record.Config) { c.Format, c.Schema = record.ProtobufBare, record.OneOrMore{"a", "b"} }, "record.schema", "name one file"},
		"two that are named":       {func(c *record.Config) { c.Format, c.Schema = record.AvroSingle, record.OneOrMore{"a", "b"} }, "", ""},
		"a schema beside a regist": {func(c *record.Config) { c.Format, c.Schema = record.Avro, record.OneOrMore{"a"} }, "record.schema", "remove it"},
		"a schema of JSON":         {func(c *record.Config) { c.Schema = record.OneOrMore{"a"} }, "record.schema", "remove it"},
		"a separator":              {func(c *record.Config) { c.CSV.Separator = ":" }, "record.csv.separator", `is none of ",", ";"`},
		"a decimal mark":           {func(c *record.Config) { c.CSV.Decimal = ";" }, "record.csv.decimal", `is none of ".", ","`},
		"thousands":                {func(c *record.Config) { c.CSV.Thousands = "_" }, "record.csv.thousands", "is none of"},
		"thousands as decimals":    {func(c *record.Config) { c.CSV.Decimal, c.CSV.Thousands = ",", "," }, "record.csv.thousands", "is the decimal mark, too"},
		"thousands by default":     {func(c *record.Config) { c.CSV.Thousands = "." }, "record.csv.thousands", "is the decimal mark, too"},
		"thousands with points":    {func(c *record.Config) { c.CSV.Decimal, c.CSV.Thousands = ",", "." }, "", ""},
		"an encoding":              {func(c *record.Config) { c.CSV.Encoding = "ascii" }, "record.csv.encoding", "is none of"},
		"a field of times twice": {func(c *record.Config) {
			c.Times = []record.Times{{Field: "t", Format: record.RFC3339}, {Field: "t", Format: record.RFC3339}}
		}, "record.times[1].field", "twice"},
	} {
		config := validConfig()
		c.change(&config)
		problems := config.WithDefaults().Validate(nil)
		if len(problems) != map[bool]int{true: 0, false: 1}[c.path == ""] || len(problems) == 1 && (problems[0].Path != c.path || !strings.Contains(problems[0].Message, c.hint)) {
			t.Errorf("%s: %v, want one at %q", name, problems, c.path)
		}
	}
	for encoding, want := range map[record.Encoding]bool{record.Avro: true, record.Protobuf: true, record.AvroSingle: false, record.AvroBare: false, record.ProtobufBare: false, record.EncodedJSON: false, "": false} {
		if encoding.FromRegistry() != want {
			t.Errorf("schemas of %q come from a registry: %t", encoding, !want)
		}
	}
	for i, c := range []struct {
		of             record.Dialect
		plain, changes bool
	}{
		{record.Dialect{}, true, false}, {record.Dialect{Separator: ",", Decimal: ".", Encoding: record.UTF8}, true, false}, {record.Dialect{Separator: ";"}, false, false},
		{record.Dialect{Decimal: ","}, false, true}, {record.Dialect{Thousands: "'"}, false, true}, {record.Dialect{Symbols: true}, false, true}, {record.Dialect{Encoding: record.Latin1}, false, false},
	} {
		if c.of.IsPlain() != c.plain || c.of.ChangesNumbers() != c.changes {
			t.Errorf("dialect %d: plain %t, other numbers %t", i, c.of.IsPlain(), c.of.ChangesNumbers())
		}
	}
}

// TestHeadersOfFiles: what is wrong with the first line of a CSV file, and what is not.
func TestHeadersOfFiles(t *testing.T) {
	long := strings.Repeat("a", record.MaxNameBytes)
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{"a"}, ""}, {[]string{"a;b", "c"}, ""}, {[]string{"a;b"}, "semicolons"}, {[]string{"a\tb"}, "tabs"}, {[]string{"a|b"}, "bars"}, {[]string{"a,b"}, "there is one column"},
		{[]string{"a,b", "c"}, ""}, {[]string{"a", ""}, "column 2 has no name"}, {[]string{"a", "", ""}, "2 of 3 columns have no name"}, {[]string{"a", "b", ""}, "column 3 has no name"},
		{[]string{"a", "", "", "b"}, "2 of 4 columns have no name"}, {[]string{"", "a", "b"}, "column 1 has no name"}, {[]string{long}, ""}, {[]string{long + "a"}, "has more than"},
		{[]string{"a", "b", "a"}, "columns 1 and 3 have the same name"}, {[]string{"\xff"}, "is not UTF-8"},
	} {
		if _, err := record.NewHeader(c.names); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: %v, want %q", c.names, err, c.want)
		}
	}
	h, err := record.NewHeader([]string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if said := fmt.Sprint(recover()); !strings.HasPrefix(said, "record: ") {
			t.Error(said)
		}
	}()
	h.AppendJSON(nil, make([][]byte, 1))
}

// TestShortDecimals: what is read as a number in a few instructions, and what is left to the long way.
func TestShortDecimals(t *testing.T) {
	for text, want := range map[string]float64{
		"0": 0, "9": 9, "-9": -9, "123456789012345": 123456789012345, "-123456789012345": -123456789012345, "1.5": 1.5, ".5": .5, "5.": 5, "-.25": -.25, "0.0000000000001": 1e-13, "10.0": 10,
	} {
		if x, ok := record.ShortDecimal([]byte(text)); !ok || x != want {
			t.Errorf("%s: %v, %t", text, x, ok)
		}
	}
	for _, text := range []string{"", "-", ".", "-.", "1234567890123456", "1.2.3", "1e5", "+1", "/1", "1:", "--1", " 1"} {
		if x, ok := record.ShortDecimal([]byte(text)); ok {
			t.Errorf("%q: %v", text, x)
		}
	}
}

// TestFilesThatHoldSomethingElse: what is told of a file by its first bytes.
func TestFilesThatHoldSomethingElse(t *testing.T) {
	for _, c := range []struct {
		format     record.Format
		text, want string
	}{
		{record.CSV, "<!DOCTYPE html>", "HTML or XML"}, {record.CSV, " \n<html>", "HTML or XML"}, {record.JSONLines, "<?xml?>", "HTML or XML"}, {record.CSV, "<a,y\n1,1\n", ""}, {record.CSV, "{\"a\":1}\n", "JSON objects"},
		{record.JSONLines, "[{\"a\":1}]", "array"}, {record.JSONLines, " [ {\"a\":1}]", "array"}, {record.CSV, "a,y\r1,1\r", "a carriage return alone"}, {record.CSV, "PK\x03\x04", "a ZIP archive"},
		{record.CSV, "\x1f\x8b", "gzip"}, {record.CSV, "PAR1", "Parquet"},
	} {
		rows, err := readAll(t, strings.NewReader(c.text), c.format, record.Limits{RecordBytes: 50})
		said := fmt.Sprint(rows, err)
		if c.want == "" && err != nil || !strings.Contains(said, c.want) {
			t.Errorf("%q as %s: %s, want %q", c.text, c.format, said, c.want)
		}
	}
}

// TestLinesOfAnySource: a source may give nothing for a while, or fail, within a line and within one that is too long.
func TestLinesOfAnySource(t *testing.T) {
	long := "a,y\n" + strings.Repeat("x", 70_000) + ",1\n2,0\n"
	for name, c := range map[string]struct {
		source io.Reader
		rows   string
		err    error
	}{
		"never anything":      {&stubborn{}, "[]", io.ErrNoProgress},
		"at first nothing":    {&stubborn{after: 100, text: "a,y\n1,1\n"}, "[2: a=1]", nil},
		"for too long":        {&stubborn{after: 101, text: "a,y\n1,1\n"}, "[]", io.ErrNoProgress},
		"a long line":         {strings.NewReader(long), "[2! too_long 3: a=2]", nil},
		"by bytes":            {iotest.OneByteReader(strings.NewReader(long)), "[2! too_long 3: a=2]", nil},
		"fails":               {io.MultiReader(strings.NewReader("a,y\n1,1\n2,"), iotest.ErrReader(io.ErrClosedPipe)), "[2: a=1]", io.ErrClosedPipe},
		"fails in a long one": {io.MultiReader(strings.NewReader(long[:60_000]), iotest.ErrReader(io.ErrClosedPipe)), "[]", io.ErrClosedPipe},
	} {
		rows, err := readAll(t, c.source, record.CSV, record.Limits{RecordBytes: 50})
		if fmt.Sprint(rows) != c.rows || !errors.Is(err, c.err) {
			t.Errorf("%s: %v, %v", name, rows, err)
		}
	}
}

// stubborn gives nothing so many times, and then a text.
type stubborn struct {
	after int
	text  string
}

func (s *stubborn) Read(p []byte) (int, error) {
	if s.text == "" && s.after > 0 {
		return 0, io.EOF
	}
	if s.after > 1 || s.text == "" {
		s.after--
		return 0, nil
	}
	s.after = 1
	n := copy(p, s.text)
	s.text = s.text[n:]
	return n, nil
}

// TestOneIsWrittenAsOne: a list of one text is written as the text, in JSON and in YAML.
func TestOneIsWrittenAsOne(t *testing.T) {
	for want, o := range map[string]record.OneOrMore{`"a"`: {"a"}, `["a","b"]`: {"a", "b"}, `[]`: {}} {
		text, err := json.Marshal(o)
		if err != nil || string(text) != want {
			t.Errorf("%s, %v, want %s", text, err, want)
		}
		written, err := yaml.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		var again record.OneOrMore
		if err := yaml.Unmarshal(written, &again); err != nil || fmt.Sprint(again) != fmt.Sprint(o) || bytes.Contains(written, []byte("- ")) != (len(o) > 1) {
			t.Errorf("%v is written as %q: %v", o, written, err)
		}
	}
	for _, text := range []string{`"a`, `{}`, `["a",{}]`, `[`} {
		var o record.OneOrMore
		if err := json.Unmarshal([]byte(text), &o); err == nil {
			t.Errorf("%s is read as %v", text, o)
		}
	}
}

// TestARecordThatIsKept depends on no buffer of the decoder, and a rejection names its file and line.
func TestARecordThatIsKept(t *testing.T) {
	decoder := fullSchema(t).NewDecoder()
	var rec record.Record
	text := []byte(`{"a":"\u0041b","c":"x","sex":"F","y":1,"w":0.5,"at":1700000000,"id":"r"}`)
	if err := decoder.DecodeJSON(&rec, text); err != nil {
		t.Fatal(err)
	}
	kept, before := rec.Clone(), flatten(&rec)
	for i := range text {
		text[i] = 'z'
	}
	for range 3 {
		if err := decoder.DecodeJSON(&rec, []byte(`{"a":"other","c":"another","sex":"M","y":0,"w":2,"at":1800000000,"id":"another"}`)); err != nil {
			t.Fatal(err)
		}
	}
	decoder.Forget()
	if after := flatten(&kept); after != before || string(kept.ID) != "r" {
		t.Errorf("what was kept changes from %s to %s", before, after)
	}
	for want, r := range map[string]*record.Rejection{
		"b.csv, line 7: ": {File: "b.csv", Line: 7, Offset: -1, Reason: record.TooLong}, "line 7: ": {Line: 7, Offset: -1, Reason: record.TooLong}, "b.csv, ": {File: "b.csv", Offset: -1, Reason: record.TooLong},
	} {
		if got := r.Error(); !strings.HasPrefix(got, want) || strings.Contains(got, "line") != strings.Contains(want, "line") {
			t.Errorf("%q, want it to begin with %q", got, want)
		}
	}
}

// TestReadersOfFiles: formats by the names of files, and what cannot be opened or closed.
func TestReadersOfFiles(t *testing.T) {
	directory := t.TempDir()
	for name, want := range map[string]string{"a.csv": "2: a=1", "a.tsv": "2: a=1", "a.jsonl": "1: a=1", "a.txt": "cannot tell the format", "csv": "cannot tell the format"} {
		path := filepath.Join(directory, name)
		text := "a,y\n1,1\n"
		if strings.HasSuffix(name, "jsonl") {
			text = `{"a":1,"y":1}` + "\n"
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		reader, err := record.Open(path, record.Limits{})
		if err != nil {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		var rec record.Record
		if err := reader.Read(yesNo(t).NewDecoder(), &rec); err != nil || fmt.Sprintf("%d: %s", reader.Line(), flatten(&rec)) != want {
			t.Errorf("%s: %d: %s, %v", name, reader.Line(), flatten(&rec), err)
		}
		if read, total := reader.Progress(); read != total || total != int64(len(text)) {
			t.Errorf("%s: %d of %d bytes", name, read, total)
		}
		if err := reader.Close(); err != nil {
			t.Error(err)
		}
	}
	reader, err := record.NewReader(strings.NewReader("a,y\n"), record.CSV, record.Limits{})
	if err != nil || reader.Close() != nil {
		t.Errorf("a reader of no file: %v", err)
	}
}

// TestSchemasOfScores: what a schema says of itself, and a copy that says something else.
func TestSchemasOfScores(t *testing.T) {
	schema := yesNo(t)
	groups := map[string][]string{"sex": {"f"}}
	scored, grouped := schema.Scored(), schema.WithGroups(groups)
	if schema.OnlyScored() || !scored.OnlyScored() || scored.LabelRequired() || !schema.LabelRequired() || fmt.Sprint(grouped.Groups("sex")) != "[f]" || schema.Groups("sex") != nil || grouped.OnlyScored() {
		t.Error("a schema changes with a copy")
	}
	for share, want := range map[float64]int{0: 0, 1: 1000} {
		chosen := 0
		for i := range 1000 {
			if record.Sampled(share, fmt.Append(nil, i)) {
				chosen++
			}
		}
		if chosen != want {
			t.Errorf("of a share of %v, %d are chosen", share, chosen)
		}
	}
	for x, want := range map[float64]string{1e-7: "1e-7", 1e-10: "1e-10", 1.5e300: "1.5e+300", math.MaxFloat64: "1.7976931348623157e+308", 5e-324: "5e-324", 1e-6: "0.000001"} {
		if got := string(record.AppendNumber(nil, x, 64)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestMayBeCode: letters with up to three digits right behind them.
func TestMayBeCode(t *testing.T) {
	for text, want := range map[string]bool{"RM1": true, "TRY12": true, "CAD101": true, "a1": true, "RM1000": false, "RM": false, "12": false, "RM 12": false, "RM1.5": false, "$12": false, "": false} {
		if got := record.MayBeCode(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestWhatIsNoDecimal is 0: of notations that Go has and records have not, of halves of a number, and of numbers that are too large.
func TestWhatIsNoDecimal(t *testing.T) {
	for text, want := range map[string]float64{"": 0, "x": 0, "0x1p-2": 0, "1_000": 0, "Inf": 0, "nan": 0, "1e": 0, "--1": 0, "1.2.3": 0, "1e400": math.Inf(1), "-1e400": math.Inf(-1)} {
		if x, ok := record.Decimal([]byte(text)); ok || x != want {
			t.Errorf("%q is %v, %v", text, x, ok)
		}
	}
	for text, want := range map[string]float64{"-1.5e3": -1500, "+.5E-1": .05, "12345678901234567890": 12345678901234567890, "1e-400": 0} {
		if x, ok := record.Decimal([]byte(text)); !ok || x != want {
			t.Errorf("%q is %v, %v", text, x, ok)
		}
	}
}
