package serve

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzRequests: whatever the bytes are, the answer has a status that is meant, and is JSON or has the length of it in front.
func FuzzRequests(f *testing.F) {
	doc, lines := learnt(f, 1)
	o := small(Fixed(doc))
	o.Records, o.BodyBytes = 50, 1<<16
	s := newService(f, o)
	for _, line := range append(lines, hostile...) {
		f.Add([]byte(bodyOf([]string{line})), "")
	}
	f.Add([]byte(`{"inputs":[{"name":"age","shape":[1,1],"datatype":"BYTES","parameters":{"binary_data_size":6}}]}`+"\x02\x00\x00\x0039"), "95")
	f.Add([]byte(`{"records":["`+strings.Repeat(`\`, 9)), "1")
	f.Fuzz(func(t *testing.T, body []byte, length string) {
		for _, path := range []string{"/v1/score", inferPath} {
			w := post(s, path, body, headerLength, length)
			switch w.Code {
			case 200, 400, 413:
			default:
				t.Errorf("%s %q: %d %s", path, body, w.Code, w.Body)
			}
			if w.Header().Get(headerLength) == "" && !json.Valid(w.Body.Bytes()) {
				t.Errorf("%s %q: %s is not JSON", path, body, w.Body)
			}
		}
	})
}

// FuzzTensors: numbers and texts decide alike as tensors of JSON and of bytes, and as pkg/document decides them. What JSON cannot say is refused as
// bytes.
func FuzzTensors(f *testing.F) {
	doc, _ := learnt(f, 0)
	s := newService(f, small(Fixed(doc)))
	for _, number := range []float64{39, math.NaN(), math.Inf(1), math.Copysign(0, -1), 1e308, 5e-324, 1e21, 0.1, 13 * math.Pi} {
		f.Add(math.Float64bits(number), "Private")
	}
	for _, text := range []string{"", "NaN", "\xff", "\x00", "\u2028 \U0001f600", `\"{}`, "1e308", "<never seen>"} {
		f.Add(uint64(0), text)
	}
	f.Fuzz(func(t *testing.T, bits uint64, text string) {
		number := math.Float64frombits(bits)
		record, data := map[string]any{"age": number, "workclass": text}, map[string]any{"age": number, "workclass": text}
		if math.IsNaN(number) {
			record["age"], data["age"] = nil, nil
		}
		if text == "" {
			record["workclass"] = nil
		}
		var inputs []map[string]any
		var raw []byte
		add := func(name, datatype string, bytes []byte) {
			inputs = append(inputs, map[string]any{"name": name, "shape": []int{1}, "datatype": datatype, "parameters": map[string]int{"binary_data_size": len(bytes)}})
			raw = append(raw, bytes...)
		}
		add("age", "FP64", binary.LittleEndian.AppendUint64(nil, bits))
		add("workclass", "BYTES", append(binary.LittleEndian.AppendUint32(nil, uint32(len(text))), text...))
		body, err := json.Marshal(map[string]any{"inputs": inputs})
		must(t, err)
		asBytes := post(s, inferPath, append(body, raw...), headerLength, strconv.Itoa(len(body)))
		if math.IsInf(number, 0) || !utf8.ValidString(text) {
			if asBytes.Code != http.StatusBadRequest {
				t.Errorf("%v, %q: %d %s", number, text, asBytes.Code, asBytes.Body)
			}
			return
		}
		line, err := json.Marshal(record)
		must(t, err)
		want := math.Float64bits(decisions(t, doc, []string{string(line)})[0].Margin)
		if got := outputs(t, asBytes)["margin"][0]; got != want {
			t.Errorf("bytes of %v, %q: %x, want %x", number, text, got, want)
		}
		for _, input := range inputs {
			delete(input, "parameters")
			input["data"] = []any{data[input["name"].(string)]}
		}
		body, err = json.Marshal(map[string]any{"inputs": inputs})
		must(t, err)
		if got := outputs(t, post(s, inferPath, body))["margin"][0]; got != want {
			t.Errorf("JSON of %v, %q: %x, want %x", number, text, got, want)
		}
	})
}
