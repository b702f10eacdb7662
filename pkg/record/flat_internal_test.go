package record

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"unicode/utf8"
)

// TestNumbersOfFlatRecords: where a number of JSON ends, and what is none.
func TestNumbersOfFlatRecords(t *testing.T) {
	for text, want := range map[string]int{
		"0": 1, "7": 1, "-7": 2, "10": 2, "123,": 3, "0.5": 3, "-0.25}": 5, "1.5e3": 5, "1E5": 3, "1e+5": 4, "1e-10,": 5, "12.75e+12]": 9, "9.": 0, "9.e1": 0, ".5": 0, "-": 0, "-x": 0, "01": 0, "-01": 0, "00": 0,
		"1e": 0, "1e+": 0, "1e-,": 0, "1.x": 0, "0x": 1, "0,": 1, "5 ": 1, "1.0.0": 3, "1ee": 0, "-0": 2, "-.5": 0,
	} {
		if end, ok := afterNumber([]byte(text), 0); ok != (want > 0) || ok && end != want {
			t.Errorf("%q ends at %d, %t; want %d", text, end, ok, want)
		}
		if end, ok := afterNumber([]byte("x:"+text), 2); ok != (want > 0) || ok && end != want+2 {
			t.Errorf("%q behind a name ends at %d, %t; want %d", text, end, ok, want+2)
		}
	}
}

// TestStringsOfFlatRecords: a text ends at the next quote if it is UTF-8 without escapes and control characters.
func TestStringsOfFlatRecords(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 7))
	const alphabet = "abcdefgh, \x1f\x00\\\"é日\xff\x7f "
	for range 20_000 {
		var text []byte
		for range random.IntN(24) {
			i := random.IntN(8)
			if random.IntN(6) == 0 {
				i = random.IntN(len(alphabet))
			}
			text = append(text, alphabet[i])
		}
		text = append(text, []string{"\"", "\",\"b\":1}", ""}[random.IntN(3)]...)
		end := bytes.IndexAny(text, "\"")
		want := end >= 0 && utf8.Valid(text[:max(end, 0)]) && bytes.IndexFunc(text[:max(end, 0)], func(r rune) bool { return r < ' ' || r == '\\' }) < 0
		data := append([]byte("{\""), text...)
		if got, ok := flatString(data, 2); ok != want || ok && got != end+2 {
			t.Fatalf("%q: %d, %t; want %d, %t", data, got, ok, end+2, want)
		}
	}
}

// TestValuesOfFlatRecords: scalars have their text and their end, all else is for the general path.
func TestValuesOfFlatRecords(t *testing.T) {
	for data, want := range map[string]string{
		`"a"`: "a", `""`: "", `"a b",`: "a b", "true": "true", "true,": "true", "false}": "false", "null": "null", "-1.5e3,": "-1.5e3", "0": "0", "9]": "9",
		"": "none", "tru": "none", "fals": "none", "nul": "none", "nil": "none", "{": "none", "[1]": "none", `"a`: "none", `"\n"`: "none", "+1": "none", "-": "none", ":": "none", "/": "none", "01": "none", " 1": "none",
	} {
		for _, before := range []string{"", `{"x": `} {
			text, end, ok := flatValue([]byte(before+data), len(before))
			length := len(want)
			if len(data) > 0 && data[0] == '"' {
				length += 2
			}
			if ok != (want != "none") || ok && (string(text) != want || end != len(before)+length) {
				t.Errorf("%q: %q ends at %d, %t", before+data, text, end, ok)
			}
			if ok && isNull([]byte(before+data), len(before), text) != (want == "null" && data[0] == 'n') {
				t.Errorf("%q is null", data)
			}
		}
	}
	if data := []byte(`"null"`); isNull(data, 0, data[1:5]) || isNull([]byte("nul"), 0, []byte("nul")) || isNull([]byte("true"), 0, []byte("true")) {
		t.Error("a text is null")
	}
}

// TestKeysOfFlatRecords: a key in quotes and a colon, with blanks around it, and where its value begins.
func TestKeysOfFlatRecords(t *testing.T) {
	for data, want := range map[string]struct {
		key string
		end int
	}{`"a":1`: {"a", 4}, `"a" : 1`: {"a", 6}, `"":x`: {"", 3}, `"a b":`: {"a b", 6}, `"a"`: {"", -1}, `"a" `: {"", -1}, `"a"1`: {"", -1}, `a":1`: {"", -1}, ``: {"", -1}, `"a\n":1`: {"", -1}, `"a`: {"", -1}} {
		for _, before := range []string{"", "{ "} {
			key, end, ok := flatKey([]byte(before+data), len(before))
			if ok != (want.end >= 0) || ok && (string(key) != want.key || end != len(before)+want.end) {
				t.Errorf("%q: %q, its value at %d, %t", before+data, key, end, ok)
			}
		}
	}
}

// TestBehindMembersOfFlatRecords: a comma leads to the next member, a brace to the end of the record, and all else nowhere.
func TestBehindMembersOfFlatRecords(t *testing.T) {
	for data, want := range map[string]struct {
		next int
		more bool
	}{",\"a\"": {1, true}, " , \"a\"": {3, true}, "}": {1, false}, " }  ": {4, false}, "": {-1, false}, " ": {-1, false}, "} x": {-1, false}, "x": {-1, false}, "}}": {-1, false}, ",": {1, true}} {
		if next, more := afterMember([]byte(data), 0); next != want.next || more != want.more {
			t.Errorf("%q: %d, %t; want %+v", data, next, more, want)
		}
	}
}

// TestFlatRecordsAreReadFast: simple records are read without the general path, whatever their order, and with blanks; others are left to it.
func TestFlatRecordsAreReadFast(t *testing.T) {
	schema, err := NewSchema(Config{Label: Label{Field: "y", Positive: "1"}, Ignore: []string{"ignored"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{
		`{"y":1}`: true, `{"y":1,"a":"b"}`: true, `{ "y" : 1 , "a" : -0.5e3 }`: true, ` {"y":true} `: true, `{"a":null,"y":"1","ignored":false}`: true, `{}`: true, `{ } `: true, `{"a":"日本"}`: true,
		`{"y":[1]}`: false, `{"y":{"z":1}}`: false, `{"y":"\n"}`: false, "{\"y\":\n1}": false, `{"y":1}x`: false, `{"y":1`: false, `{"y":1,}`: false, `{"y":1,"y":2}`: false, `[1]`: false, ``: false, ` `: false,
		`{"y":01}`: false, `{"y" 1}`: false, `{y:1}`: false, "{\"a\":\"\xff\"}": false, `{} x`: false, `{"y":1}}`: false, `{"a":nulls}`: false,
	} {
		d := schema.NewDecoder()
		for again := range 3 { // of which the last one meets a shape
			var r Record
			if err := d.begin(&r, len(text)); err != nil {
				t.Fatal(err)
			}
			got := d.decodeFlat([]byte(text))
			if got != want {
				t.Errorf("%q, time %d: read fast %t", text, again+1, got)
				break
			}
			d.learnShape(got && d.finish() == nil)
		}
	}
}

// TestWhereTextStopsBeingUTF8: the first byte that is none.
func TestWhereTextStopsBeingUTF8(t *testing.T) {
	for text, want := range map[string]int{"\xff": 0, "\xffa": 0, "a\xff": 1, "é\xff": 2, "日本\xe6\x97": 6, "\ufffd\xff": 3, "": -1, "aé": -1} {
		if got := invalidUTF8([]byte(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// TestFormsOfShortTexts: each length, in quotes and without, has a form of its own, which is not 0, and a mask of so many bytes.
func TestFormsOfShortTexts(t *testing.T) {
	seen := map[form]bool{0: true}
	for size := range shortBytes {
		for quotes := range 2 {
			f := newForm(size, quotes)
			if seen[f] || f.size() != size {
				t.Errorf("%d bytes, %d quotes: form %d of %d bytes", size, quotes, f, f.size())
			}
			seen[f] = true
		}
		mask, want := shortMasks[size], [3]uint64{}
		for i := range size {
			want[i/8] |= 0xff << (8 * (i % 8))
		}
		if [3]uint64{mask.a, mask.b, mask.c} != want {
			t.Errorf("%d bytes: the mask is %x", size, mask)
		}
	}
	places := map[uint64]bool{}
	for i := range uint64(1000) {
		for _, p := range []uint64{placeOf(i, 0, 0), placeOf(0, i, 0), placeOf(0, 0, i)} {
			if p >= textsOfColumn {
				t.Fatalf("place %d", p)
			}
			places[p] = true
		}
	}
	if len(places) != textsOfColumn {
		t.Errorf("%d places are used", len(places))
	}
}

// TestPrefixes: what begins with a text is told alike from words and from bytes.
func TestPrefixes(t *testing.T) {
	data := []byte(`"a long name of a member":1,"and":"more than enough of it"}`)
	for length := range 40 {
		p := newPrefix(data[:length])
		for _, end := range []int{length, 30, len(data)} {
			if end < length {
				continue
			}
			if !p.begins(data[:end]) {
				t.Errorf("%d bytes of %d do not begin the same", length, end)
			}
			if length > 0 && p.begins(data[1:end]) {
				t.Errorf("%d bytes of %d begin another text", length, end)
			}
		}
		if length > 0 {
			changed := bytes.Clone(data)
			changed[length-1] ^= 1
			if p.begins(changed) {
				t.Errorf("%d bytes, of which the last differs, begin the same", length)
			}
			if p.begins(data[:length-1]) {
				t.Errorf("%d bytes begin what is shorter", length)
			}
		}
		if length <= 8*prefixWords && !p.startsWith((*[8 * prefixWords]byte)(data)) {
			t.Errorf("%d bytes are not in the words", length)
		}
	}
}

// TestLineEnds: one line end is removed, not two, and not more than there is.
func TestLineEnds(t *testing.T) {
	for line, want := range map[string]string{"": "", "\n": "", "\r": "", "\r\n": "", "a\n": "a", "a\r\n": "a", "a\r": "a", "a": "a", "\n\n": "\n", "\r\r": "\r", "a\n\r": "a\n"} {
		if got := chomp([]byte(line)); string(got) != want {
			t.Errorf("%q becomes %q", line, got)
		}
	}
}

// TestRowsUnderAHeaderAreReadFast: from the second row on, what a row has in common with the first is known; not where times become numbers, which come in
// another order.
func TestRowsUnderAHeaderAreReadFast(t *testing.T) {
	for _, times := range [][]Times{nil, {{Field: "at", Format: DateOnly}}} {
		schema, err := NewSchema(Config{Label: Label{Field: "y", Positive: "1"}, Times: times}, nil)
		if err != nil {
			t.Fatal(err)
		}
		header, err := NewHeader([]string{"y", "at", "x"})
		if err != nil {
			t.Fatal(err)
		}
		d := schema.NewDecoder()
		for range 3 {
			var r Record
			if err := d.DecodeCSV(&r, header, [][]byte{[]byte("1"), []byte("2026-11-21"), []byte("7")}); err != nil {
				t.Fatal(err)
			}
			if known := d.rows.layout != 0; known != (times == nil) || known && d.rows.layout != r.Layout {
				t.Errorf("with %d times a row is known: %t", len(times), known)
			}
		}
	}
}
