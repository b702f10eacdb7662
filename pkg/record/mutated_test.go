package record_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// mutations is how many messages are tried: few, or as many as FAIRSTREAM_MUTATIONS says.
func mutations(t *testing.T, few int) int {
	t.Helper()
	text, given := os.LookupEnv("FAIRSTREAM_MUTATIONS")
	if !given {
		return few
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// mutate gives wrong bytes to a message: bits, parts of other messages, lost and repeated parts, and what JSON has a meaning for.
func mutate(random *rand.Rand, good, other string) []byte {
	data := []byte(good)
	for range 1 + random.IntN(3) {
		at := random.IntN(len(data) + 1)
		end := min(len(data), at+1+random.IntN(8))
		switch random.IntN(7) {
		case 0:
			data = data[:at]
		case 1:
			data = slices.Delete(data, at, end)
		case 2:
			data = slices.Insert(data, at, slices.Clone(data[at:end])...)
		case 3:
			from := random.IntN(len(other))
			data = slices.Insert(data, at, []byte(other[from:min(len(other), from+random.IntN(16))])...)
		case 4:
			const marks = `{}[]":,\u0e-+.tfn ` + "\x00\xff"
			data = slices.Insert(data, at, marks[random.IntN(len(marks))])
		default:
			if at < len(data) {
				data[at] ^= 1 << random.IntN(8)
			}
		}
	}
	return data
}

const row = `{"y":1,"sex":"f","x":7.5e1,"deep":{"list":[1,{"b":null},"t\u00e9"],"ok":true},"text":"a \"b\""}`

// TestMutatedMessages: of messages with wrong bytes, none panics, takes memory or is read as another record than the standard library finds in it, in
// JSON without an envelope and in each envelope, with a registry's header and without.
func TestMutatedMessages(t *testing.T) {
	t.Parallel()
	envelopes := map[record.At][]string{
		"":                 {row},
		"a.b":              {`{"x":{"b":1},"a":{"c":[1],"b":` + row + `}}`},
		record.Debezium:    {`{"before":{"y":0},"after":` + row + `,"source":{"snapshot":"last","db":"a"},"op":"c"}`, `{"schema":{},"payload":{"op":"r","after":` + row + `}}`},
		record.Connect:     {`{"schema":{"type":"struct"},"payload":` + row + `}`},
		record.CloudEvents: {`{"specversion":"1.0","id":"7","source":"s","type":"t","data":` + row + `}`, row},
	}
	for at, good := range envelopes {
		t.Run("at "+string(at), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(uint64(len(at)), 29))
			decoder, plain := mutable(t, at).NewDecoder(), mutable(t, "").NewDecoder()
			taken := 0
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			n := mutations(t, 4000)
			for range n {
				message := mutate(random, good[random.IntN(len(good))], good[0])
				if random.IntN(4) == 0 {
					message = append([]byte{0, 0, 0, 0, 7}, message...)
				}
				if checkMutated(t, at, decoder, plain, message) {
					taken++
				}
			}
			if taken < n/50 || taken > n/2 {
				t.Errorf("%d of %d messages were records", taken, n)
			}
			if runtime.ReadMemStats(&after); after.HeapAlloc > before.HeapAlloc+64<<20 {
				t.Errorf("%d bytes are held", after.HeapAlloc-before.HeapAlloc)
			}
		})
	}
}

func mutable(t *testing.T, at record.At) *record.Schema {
	t.Helper()
	schema, err := record.NewSchema(record.Config{At: at, Label: record.Label{Field: "y", Positive: "1"}, Limits: record.Limits{RecordBytes: 2000}}, []string{"sex"})
	if err != nil {
		t.Fatal(err)
	}
	return schema.LabelOptional()
}

// checkMutated says whether a message is a record, and holds that to the standard library.
func checkMutated(t *testing.T, at record.At, decoder, plain *record.Decoder, message []byte) bool {
	t.Helper()
	var got, want record.Record
	if err := decoder.DecodeJSON(&got, message); err != nil {
		if rejection, ok := errors.AsType[*record.Rejection](err); !ok || rejection.Offset > len(message) {
			t.Fatalf("%q: %v", message, err)
		}
		return false
	}
	inside := message
	if message[0] == 0 {
		inside = message[5:]
	}
	if !json.Valid(inside) {
		t.Fatalf("%q is no JSON, and was taken", message)
	}
	inside = found(t, at, inside)
	if inside == nil {
		t.Fatalf("%q has no record, and was taken", message)
	}
	if err := plain.DecodeJSON(&want, inside); err != nil {
		t.Fatalf("%q was taken, and the record in it was not: %v", message, err)
	}
	if got.HasLabel != want.HasLabel || got.Positive != want.Positive || texts(&got) != texts(&want) {
		t.Fatalf("%q: %s in place of %s", message, texts(&got), texts(&want))
	}
	if at == "" {
		checkValues(t, inside, &got)
	}
	return true
}

// found is the record in an envelope, by the standard library; nil if there is none.
func found(t *testing.T, at record.At, message []byte) []byte {
	t.Helper()
	members := func(object []byte) (all map[string]json.RawMessage) {
		_ = json.Unmarshal(object, &all)
		return all
	}
	all := members(message)
	switch at {
	case "":
		return message
	case record.Debezium:
		if all["op"] == nil && all["payload"] != nil {
			all = members(all["payload"])
		}
		return all["after"]
	case record.Connect:
		return all["payload"]
	case record.CloudEvents:
		if all["specversion"] == nil {
			return message
		}
		return all["data"]
	}
	for name := range strings.SplitSeq(string(at), ".") {
		message = members(message)[name]
	}
	return message
}

// texts are the features and attributes of a record.
func texts(r *record.Record) string {
	var b strings.Builder
	for _, f := range r.Features {
		b.WriteString(f.Name + "=" + strconv.Quote(string(f.Text)) + strconv.FormatBool(f.Missing) + " ")
	}
	for _, a := range r.Attributes {
		b.WriteString(strconv.Quote(string(a.Text)) + strconv.FormatBool(a.Missing) + " ")
	}
	return b.String()
}

// checkValues holds members of the object that are plain texts, numbers or booleans to the features.
func checkValues(t *testing.T, object []byte, r *record.Record) {
	t.Helper()
	var members map[string]any
	decoder := json.NewDecoder(strings.NewReader(string(object)))
	decoder.UseNumber()
	if err := decoder.Decode(&members); err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Features {
		value, known := members[f.Name]
		var want string
		switch v := value.(type) {
		case json.Number:
			want = v.String()
		case string:
			want = v
		case bool:
			want = strconv.FormatBool(v)
		default:
			continue // below an object or an array, or null
		}
		if known && !f.Missing && string(f.Text) != want && !reflect.DeepEqual(asFloat(string(f.Text)), asFloat(want)) {
			t.Fatalf("%q: %s is %q in place of %q", object, f.Name, f.Text, want)
		}
	}
}

func asFloat(text string) any {
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return x
	}
	return text
}
