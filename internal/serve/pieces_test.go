package serve

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/follow"
	"github.com/fairstream/fairstream/pkg/scoring"
)

// TestBodiesAreCut as encoding/json reads them: the same elements and members, and no error where it has none.
func TestBodiesAreCut(t *testing.T) {
	for _, text := range []string{"", " ", "[", "[]", "[ ]", "[1]", "[1,2]", "[1, 2 ]", "[1,]", "[,1]", "[1 2]", "[1", "[1,", `["a,b]","c\"]"]`, `["a`, `["a\"`, "[[1,2],[3]]", `[{"a":[1]},{}]`, "[{]", "[}]", "[true , false\t,null\n]", `{"a":1}`,
		`["12345678"]`, `["1234567"]`, `["1234567\\"]`, `["123456\\\""]`, `["1234567\\\""]`} {
		var want []json.RawMessage
		valid := json.Unmarshal([]byte(text), &want) == nil
		var got []string
		end, err := elements([]byte(text), 0, func(element []byte) error {
			got = append(got, string(element))
			return nil
		})
		if valid != (err == nil) {
			t.Errorf("%q: %v, valid %v", text, err, valid)
			continue
		}
		if !valid {
			continue
		}
		if end != len(text) || len(got) != len(want) {
			t.Errorf("%q: %q up to %d", text, got, end)
			continue
		}
		for i := range want {
			if got[i] != string(want[i]) {
				t.Errorf("%q: element %d is %q, want %q", text, i, got[i], want[i])
			}
		}
	}
	for _, text := range []string{"", "{", "{}", "{ }", " {} ", `{"a":1}`, `{"a" : 1 , "b":{"c":[]}}`, `{"a":1,}`, `{"a"}`, `{"a":}`, `{"a":1 "b":2}`, `{"a":1}x`, `{"a":1`, `{a:1}`, `{"a`, `{"a"`, `{"a":`, "[]", `{"\x":1}`, `{"é":1}`, `{,}`, `{"a":1}}`} {
		var want map[string]json.RawMessage
		valid := json.Unmarshal([]byte(text), &want) == nil
		got := map[string]string{}
		err := members([]byte(text), func(name string, at int) (int, error) {
			end, err := value([]byte(text), at)
			got[name] = text[at:max(at, end)]
			return end, err
		})
		if valid != (err == nil) || valid && len(got) != len(want) {
			t.Errorf("%q: %v, %q, valid %v", text, err, got, valid)
			continue
		}
		for name, of := range want {
			if valid && got[name] != string(of) {
				t.Errorf("%q: %s is %q", text, name, got[name])
			}
		}
	}
	stop := errors.New("stop")
	if _, err := elements([]byte("[1,2]"), 0, func([]byte) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("an error of an element: %v", err)
	}
	if _, err := value(nil, 0); !errors.Is(err, errNotJSON) {
		t.Errorf("no value: %v", err)
	}
	if end, err := value([]byte("12"), 0); end != 2 || err != nil {
		t.Errorf("a value that ends with the body: %d, %v", end, err)
	}
}

// read is a tensor's elements as the record has them, or its error.
func read(datatype string, raw []byte, list string, n int) string {
	one := &tensor{field: "x", datatype: datatype}
	var err error
	if raw != nil {
		err = one.raw(raw, n)
	} else {
		err = one.list([]byte(list), n, 1)
	}
	if err != nil {
		return "! " + err.Error()
	}
	var parts []string
	for i := range one.ends {
		parts = append(parts, string(one.add(nil, i)))
	}
	return strings.Join(parts, " ")
}

// TestElementsOfTensors in bytes and as JSON, at the ends of their types.
func TestElementsOfTensors(t *testing.T) {
	little := binary.LittleEndian
	two := func(a, b uint64, size int) (raw []byte) {
		for _, x := range []uint64{a, b} {
			raw = append(raw, little.AppendUint64(nil, x)[:size]...)
		}
		return raw
	}
	f32 := func(x float32) uint64 { return uint64(math.Float32bits(x)) }
	for _, c := range []struct {
		datatype string
		raw      []byte
		want     string
	}{
		{"BOOL", []byte{0, 1}, "false true"}, {"BOOL", []byte{0, 2}, "! inference input \"x\": element 1 is neither 0 nor 1"},
		{"INT8", []byte{0x80, 0x7f}, "-128 127"}, {"UINT8", []byte{0, 0xff}, "0 255"}, {"INT16", two(0x8000, 0x7fff, 2), "-32768 32767"}, {"UINT16", two(0, 0xffff, 2), "0 65535"},
		{"INT32", two(1<<31, 1<<31-1, 4), "-2147483648 2147483647"}, {"UINT32", two(0, 1<<32-1, 4), "0 4294967295"},
		{"INT64", two(1<<63, 1<<63-1, 8), "-9223372036854775808 9223372036854775807"}, {"UINT64", two(0, 1<<64-1, 8), "0 18446744073709551615"},
		{"FP32", two(f32(0.5), f32(float32(math.NaN())), 4), "0.5 null"}, {"FP32", two(f32(1), f32(float32(math.Inf(-1))), 4), "! inference input \"x\": element 1 is infinite"},
		{"FP64", two(math.Float64bits(1e-6), math.Float64bits(9.9e-7), 8), "0.000001 9.9e-07"}, {"FP64", two(math.Float64bits(1e21), math.Float64bits(9e20), 8), "1e+21 900000000000000000000"},
		{"FP64", two(math.Float64bits(0), math.Float64bits(-1e22), 8), "0 -1e+22"},
		{"FP64", make([]byte, 15), "! inference input \"x\": 15 bytes are not the 2 elements of its shape"}, {"INT8", make([]byte, 3), "! inference input \"x\": 3 bytes are not the 2 elements of its shape"},
		{"BYTES", []byte("\x01\x00\x00\x00a\x00\x00\x00\x00"), `"a" null`}, {"BYTES", []byte("\x01\x00\x00\x00a\x02\x00\x00\x00b"), "! inference input \"x\": its bytes end within element 1"},
		{"BYTES", []byte("\x01\x00\x00\x00a\x02\x00\x00"), "! inference input \"x\": its bytes end within element 1"},
		{"BYTES", []byte("\x01\x00\x00\x00a\x01\x00\x00\x00bc"), "! inference input \"x\": 1 bytes are left behind its elements"}, {"BYTES", []byte("\x01\x00\x00\x00\xff\x00\x00\x00\x00"), "! inference input \"x\": element 0 is not UTF-8"},
	} {
		if got := read(c.datatype, c.raw, "", 2); got != c.want {
			t.Errorf("%s of %x: %s, want %s", c.datatype, c.raw, got, c.want)
		}
	}
	for _, c := range [][3]string{
		{"BOOL", "[true,false]", "true false"}, {"BOOL", "[true,1]", "! element 1 is not of type BOOL"}, {"INT8", "[-128,127]", "-128 127"}, {"INT8", "[128]", "! element 0 is not of type INT8"}, {"INT8", "[+1]", "! element 0 is not of type INT8"},
		{"INT8", "[1.0]", "! element 0 is not of type INT8"}, {"UINT8", "[0,255]", "0 255"}, {"UINT8", "[-1]", "! element 0 is not of type UINT8"}, {"UINT8", "[256]", "! element 0 is not of type UINT8"},
		{"FP32", "[1.5,NaN]", "1.5 null"}, {"FP32", "[null,-0.5e1]", "null -5"}, {"FP32", "[1e39]", "! element 0 is not of type FP32"}, {"FP64", "[0x1p4]", "! element 0 is not of type FP64"}, {"FP64", "[0X1p4]", "! element 0 is not of type FP64"},
		{"FP64", "[.5]", "! element 0 is not of type FP64"}, {"FP64", "[-.5]", "! element 0 is not of type FP64"}, {"FP64", "[-]", "! element 0 is not of type FP64"}, {"FP64", "[9,0]", "9 0"}, {"FP64", "[-9,-0]", "-9 -0"}, {"FP64", "[Inf]", "! element 0 is not of type FP64"},
		{"BYTES", `["a",""]`, `"a" null`}, {"BYTES", "[1]", "! element 0 is not a text"}, {"BYTES", "[[\"a\"],[\"b\"]]", `"a" "b"`}, {"BYTES", "[[[\"a\"]]]", "! its data is nested deeper than its shape"}, {"INT8", "[1,2,3]", "! there are more elements than the 2 of its shape"},
	} {
		want := strings.Replace(c[2], "! ", `! inference input "x": `, 1)
		if got := read(c[0], nil, c[1], 2); got != want {
			t.Errorf("%s of %s: %s, want %s", c[0], c[1], got, want)
		}
	}
}

// TestIdentifiersOfRequests are printable, and of 128 bytes at most; a request without a good one gets one.
func TestIdentifiersOfRequests(t *testing.T) {
	doc, lines := learnt(t, 1)
	s := newService(t, small(Fixed(doc)))
	for id, is := range map[string]bool{"a": true, "!~": true, "": false, "a b": false, "a\x7f": false, "é": false, strings.Repeat("x", longestID): true, strings.Repeat("x", longestID+1): false} {
		if isID(id) != is {
			t.Errorf("%q is an identifier: %v", id, !is)
		}
	}
	w := post(s, "/v1/score", []byte(bodyOf(lines)), "X-Request-Id", "mine")
	if got := w.Header().Get("X-Request-Id"); got != "" && got != "mine" {
		t.Errorf("%q", got)
	}
	for text, want := range map[string]string{strings.Repeat("x", 100): `"` + strings.Repeat("x", 100) + `"`, strings.Repeat("x", 101): `"` + strings.Repeat("x", 100) + `…"`} {
		if got := shown(text); got != want {
			t.Errorf("%d bytes are shown as %s", len(text), got)
		}
	}
}

// TestOptionsOfAService: what is wrong is refused, and what is not given has a default.
func TestOptionsOfAService(t *testing.T) {
	doc, _ := learnt(t, 0)
	for name, c := range map[string]struct {
		change func(o *Options)
		says   string
	}{
		"no documents":    {func(o *Options) { o.Models = nil }, "no documents"},
		"a split below 0": {func(o *Options) { o.Split, o.Shadow = -0.1, Fixed(doc) }, "outside [0, 1]"},
		"a split above 1": {func(o *Options) { o.Split, o.Shadow = 1.1, Fixed(doc) }, "outside [0, 1]"},
		"no split":        {func(o *Options) { o.Split, o.Shadow = math.NaN(), Fixed(doc) }, "outside [0, 1]"},
		"no shadow":       {func(o *Options) { o.Split = 0.5 }, "needs a shadow"},
		"exploring all":   {func(o *Options) { o.Explore = 2 }, "share"},
		"a split of 1":    {func(o *Options) { o.Split, o.Shadow = 1, Fixed(doc) }, ""},
		"good":            {func(*Options) {}, ""},
	} {
		o := small(Fixed(doc))
		c.change(&o)
		if _, err := New(o); (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for asked, want := range map[int]int{0: runtime.GOMAXPROCS(0), -1: runtime.GOMAXPROCS(0), 1: 1, 3: 3} {
		o := small(Fixed(doc))
		o.Workers = asked
		if s := newService(t, o); cap(s.workers) != want || len(s.workers) != want {
			t.Errorf("%d workers are %d", asked, cap(s.workers))
		}
	}
	o := small(Fixed(doc))
	o.BodyBytes = 1 << 30
	if s := newService(t, o); s.room.bytes != 4<<30 {
		t.Errorf("the room of bodies is %d", s.room.bytes)
	}
}

// TestProbesAndErrors of the second protocol, and the description of the first.
func TestProbesAndErrors(t *testing.T) {
	doc, _ := learnt(t, 0)
	s := newService(t, small(Fixed(doc)))
	ready := false
	probes := s.Public(func() bool { return ready })
	ask := func(h http.Handler, path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w
	}
	if w := ask(probes, "/v2/health/live"); w.Code != http.StatusOK {
		t.Errorf("alive: %d", w.Code)
	}
	if w := ask(probes, "/v2/health/ready"); w.Code != http.StatusServiceUnavailable || w.Body.String() != `{"error":"not ready: /readyz says why"}`+"\n" || w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("not ready: %d, %s", w.Code, w.Body)
	}
	if ready = true; ask(probes, "/v2/health/ready").Code != http.StatusOK {
		t.Error("ready, and it is not")
	}
	if w := ask(s.Handler(), "/v1/openapi.yaml"); w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/yaml" || !strings.HasPrefix(w.Body.String(), "openapi:") {
		t.Errorf("%d, %v, %.20s", w.Code, w.Header(), w.Body)
	}
	if w := ask(s.Handler(), "/v3"); w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), "does not answer GET") {
		t.Errorf("%d, %s", w.Code, w.Body)
	}
	for _, c := range []struct {
		err    error
		status int
		says   string
	}{{bad("x"), http.StatusBadRequest, "x"}, {fmt.Errorf("it is %w", context.DeadlineExceeded), http.StatusServiceUnavailable, "serve.timeout"}, {context.Canceled, http.StatusServiceUnavailable, "serve.timeout"}, {errors.New("other"), http.StatusServiceUnavailable, "other"}} {
		if got := refusalOf(c.err); got.status != c.status || !strings.Contains(got.reason, c.says) {
			t.Errorf("%v: %+v", c.err, got)
		}
	}
}

// TestWhatIsServed is told with how many records each alias has decided; those that cannot be decoded do not count.
func TestWhatIsServed(t *testing.T) {
	doc, lines := learnt(t, 3)
	main := &swapping{}
	o := small(main)
	o.Shadow = &swapping{&follow.Model{Document: doc, Alias: "candidate"}}
	s := newService(t, o)
	if all := s.Serving(); len(all) != 1 || all[0].Alias != "candidate" || all[0].Decisions != 0 {
		t.Errorf("before there is a document: %+v", all)
	}
	main.model = &follow.Model{Document: doc, Alias: "stable"}
	main.model.Term, main.model.Version = 3, 4
	score(t, s, bodyOf(append(slices.Clone(lines), "7")))
	all := s.Serving()
	if len(all) != 2 || all[0].Alias != "stable" || all[0].Term != 3 || all[0].Version != 4 || all[0].WeightsSHA256 != doc.WeightsSHA256 || all[0].Decisions != 3 || all[1].Alias != "candidate" || all[1].Decisions != 0 {
		t.Errorf("%+v", all)
	}
}

// TestOutputsDependOnTheShadow: a probability is listed if both documents have one, and what explores lists two outputs more; the metadata are made again for
// each shadow, and once where there is none.
func TestOutputsDependOnTheShadow(t *testing.T) {
	doc, _ := learnt(t, 0)
	without := *doc
	without.Probability = nil
	outputs := func(s *Service) (names []string) {
		m, err := s.describe()
		must(t, err)
		for _, o := range m.outputs {
			names = append(names, o.Name)
		}
		return names
	}
	has := func(names []string, name string) bool { return slices.Contains(names, name) }
	if doc.Probability == nil {
		t.Fatal("the document has no probability")
	}
	alone := newService(t, small(Fixed(doc)))
	if names := outputs(alone); !has(names, "probability") || has(names, "explored") || has(names, "propensity") || !has(names, "decision") || !has(names, "alias") {
		t.Errorf("%q", names)
	}
	first, _ := alone.describe()
	if again, _ := alone.describe(); again != first {
		t.Error("without a shadow, metadata are made again")
	}
	shadow := &swapping{&follow.Model{Document: doc, Alias: "candidate"}}
	o := small(Fixed(doc))
	o.Shadow, o.Split, o.Explore = shadow, 0.5, 0.1
	s := newService(t, o)
	if names := outputs(s); !has(names, "probability") || !has(names, "explored") || !has(names, "propensity") {
		t.Errorf("beside a shadow with probabilities: %q", names)
	}
	shadow.model = &follow.Model{Document: &without, Alias: "candidate"}
	if names := outputs(s); has(names, "probability") {
		t.Errorf("beside a shadow without: %q", names)
	}
	if names := outputs(newService(t, small(Fixed(&without)))); has(names, "probability") {
		t.Errorf("of a document without: %q", names)
	}
}

// TestOutputsAsBytes: numbers are little-endian, an alias has its length before it, and of no record there are no bytes, but an output.
func TestOutputsAsBytes(t *testing.T) {
	by := &judge{model: &follow.Model{Term: 3, Version: 258, Alias: "stable"}}
	all := []decided{{scoring.Outcome{Score: 0.5, Margin: -1, Probability: 0.25, Propensity: 1, Positive: true}, by}, {scoring.Outcome{Explored: true}, by}}
	for name, want := range map[string]string{
		"score": "000000000000e03f0000000000000000", "margin": "000000000000f0bf0000000000000000", "probability": "000000000000d03f0000000000000000", "propensity": "000000000000f03f0000000000000000",
		"version": "02010000000000000201000000000000", "term": "03000000000000000300000000000000", "decision": "01000000000000000000000000000000", "explored": "00000000000000000100000000000000", "alias": "06000000737461626c6506000000737461626c65",
	} {
		if got := hex.EncodeToString(appendRaw(nil, name, all)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if raw := appendRaw(nil, "score", nil); raw == nil || len(raw) != 0 {
		t.Errorf("of no record: %v", raw)
	}
}

// TestBodiesOfUnknownLength are taken up to serve.body_bytes, whatever is announced; an answer says how long it is.
func TestBodiesOfUnknownLength(t *testing.T) {
	doc, lines := learnt(t, 1)
	o := small(Fixed(doc))
	o.BodyBytes = 64 << 10
	s := newService(t, o)
	for extra, want := range map[int]int{0: http.StatusOK, 1: http.StatusRequestEntityTooLarge} {
		body := bodyOf(lines)
		body += strings.Repeat(" ", o.BodyBytes-len(body)+extra)
		for _, known := range []bool{true, false} {
			r := httptest.NewRequest(http.MethodPost, "/v1/score", strings.NewReader(body))
			if r.Header.Set("X-Request-Id", "mine"); !known {
				r.ContentLength = -1
			}
			w := httptest.NewRecorder()
			s.Handler().ServeHTTP(w, r)
			if w.Code != want {
				t.Errorf("%d bytes more, announced %v: %d, %s", extra, known, w.Code, w.Body)
			}
			if want == http.StatusOK && (w.Header().Get("Content-Length") != strconv.Itoa(w.Body.Len()) || w.Header().Get("X-Request-Id") != "mine") {
				t.Errorf("%v", w.Header())
			}
		}
	}
}

// TestRoomForAnswers: a small one takes none, and where there is no room for a large one, the request has none.
func TestRoomForAnswers(t *testing.T) {
	doc, _ := learnt(t, 0)
	s := newService(t, small(Fixed(doc)))
	s.room.bytes = smallBody
	b := &body{room: &s.room}
	if out, err := b.answer(smallBody); err != nil || len(out) != 0 || b.counts != 0 {
		t.Errorf("%d bytes, %v, %d", len(out), err, b.counts)
	}
	if out, err := b.answer(1); err == nil || out != nil || b.counts != 0 {
		t.Errorf("a byte more than is free: %v, %v, %d", out, err, b.counts)
	}
}

// TestRequestsWithoutRoomForTheirAnswers are refused, and hold nothing afterwards.
func TestRequestsWithoutRoomForTheirAnswers(t *testing.T) {
	doc, _ := learnt(t, 0)
	s := newService(t, small(Fixed(doc)))
	const records = 500 // whose answers are larger than they
	body := `{"records":[` + strings.Repeat(`{"age":39},`, records-1) + `{"age":39}]}`
	for bytes, want := range map[int64]int{1 << 20: http.StatusOK, int64(len(body)): http.StatusServiceUnavailable} {
		s.room.bytes = bytes
		w := post(s, "/v1/score", []byte(body))
		if w.Code != want || s.room.held.Load() != 0 {
			t.Errorf("room for %d bytes: %d, and %d are held: %.200s", bytes, w.Code, s.room.held.Load(), w.Body)
		}
	}
}
