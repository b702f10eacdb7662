package serve

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
)

// allocated gives the bytes that are allocated while do runs.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestASmallRequestTakesLittle: no body of a megabyte makes the server allocate many times as much, however its names, shapes and outputs are chosen.
func TestASmallRequestTakesLittle(t *testing.T) {
	doc, _ := learnt(t, 0)
	o := small(Fixed(doc))
	o.Records = 10_000
	s := newService(t, o)
	zeros := strings.TrimSuffix(strings.Repeat("0,", 10_000), ",")
	long := strings.Repeat("<", 900_000)
	age := `{"name":"age","shape":[10000],"datatype":"FP64","data":[` + zeros + `]}`
	var ignored []string
	for i := range 12_000 {
		ignored = append(ignored, fmt.Sprintf(`{"name":"income.%d","shape":[0],"datatype":"FP64","data":[]}`, i))
	}
	for name, c := range map[string]struct {
		path, body string
		status     int
	}{
		"a long name that is ignored": {inferPath, `{"inputs":[{"name":"income.` + long[:90_000] + `","shape":[10000],"datatype":"FP64","data":[` + zeros + `]}]}`, 200},
		"many names that are ignored": {inferPath, `{"inputs":[` + strings.Join(ignored, ",") + `]}`, 200},
		"an output many times":        {inferPath, `{"inputs":[` + age + `],"outputs":[` + strings.TrimSuffix(strings.Repeat(`{"name":"score"},`, 40_000), ",") + `]}`, 400},
		"outputs without a name":      {inferPath, `{"inputs":[` + age + `],"outputs":[` + strings.TrimSuffix(strings.Repeat(`{},`, 300_000), ",") + `]}`, 400},
		"a shape of many dimensions":  {inferPath, `{"inputs":[{"name":"age","shape":[` + strings.Repeat("1,", 400_000) + `1],"datatype":"FP64","data":[1]}]}`, 400},
		"a long identifier":           {inferPath, `{"id":"` + long + `","inputs":[` + age + `]}`, 400},
		"a long name that is unknown": {inferPath, `{"inputs":[{"name":"` + long + `","shape":[1],"datatype":"FP64","data":[1]}]}`, 400},
		"a long datatype":             {inferPath, `{"inputs":[{"name":"age","shape":[1],"datatype":"` + long + `","data":[1]}]}`, 400},
		"a long output":               {inferPath, `{"inputs":[` + age + `],"outputs":[{"name":"` + long + `"}]}`, 400},
		"a long member":               {"/v1/score", `{"` + long + `":[]}`, 400},
		"long fields, twice":          {"/v1/score", `{"records":[{"` + long[:400_000] + `":1,"` + long[:400_000] + `":1}]}`, 200},
		"nested deeply":               {"/v1/score", `{"records":[{"a":` + strings.Repeat(`{"a":`, 90_000) + "1" + strings.Repeat("}", 90_000) + `}]}`, 200},
		"nested in parameters":        {inferPath, `{"parameters":` + strings.Repeat(`{"a":`, 90_000) + "1" + strings.Repeat("}", 90_000) + `,"inputs":[` + age + `]}`, 400},
		"brackets":                    {"/v1/score", `{"records":` + strings.Repeat("[", 1_000_000), 400},
		"many records of a byte":      {"/v1/score", `{"records":[` + zeros + `]}`, 200},
		"many keys":                   {"/v1/score", `{"records":[` + zeros + `],"keys":[` + strings.ReplaceAll(zeros, "0", "null") + `]}`, 200},
	} {
		var code int
		var answer string
		took := allocated(func() {
			w := post(s, c.path, []byte(c.body))
			code, answer = w.Code, w.Body.String()
		})
		if code != c.status {
			t.Errorf("%s: status %d, want %d: %.300s", name, code, c.status, answer)
		}
		if most := uint64(24 << 20); took > most {
			t.Errorf("%s: %d MiB were allocated for a body of %d KiB", name, took>>20, len(c.body)>>10)
		}
		if code != http.StatusOK && len(answer) > 1000 {
			t.Errorf("%s: an error of %d bytes", name, len(answer))
		}
	}
	if held := s.room.held.Load(); held != 0 {
		t.Errorf("%d bytes are still held", held)
	}
}

// TestRequestsShareTheRoom: what all requests need until they are answered has one bound, and is given back.
func TestRequestsShareTheRoom(t *testing.T) {
	doc, _ := learnt(t, 0)
	o := small(Fixed(doc))
	o.BodyBytes = 8 << 20
	s := newService(t, o)
	const each = 64 << 20
	var all []*body
	for s.room.held.Load()+each <= s.room.bytes {
		b := &body{room: &s.room}
		must(t, b.hold(each))
		all = append(all, b)
	}
	if len(all) != bodyRoom/each {
		t.Errorf("%d requests of %d MiB have room", len(all), each>>20)
	}
	last := &body{room: &s.room}
	if err := last.hold(each); refusalOf(err).status != http.StatusServiceUnavailable {
		t.Errorf("one more: %v", err)
	}
	large := []byte(`{"records":[{"age":` + strings.Repeat(" ", 4<<20) + `1}]}`) // more than a buffer that is used again
	if w := post(s, "/v1/score", large); w.Code != http.StatusServiceUnavailable {
		t.Errorf("a request without room: status %d", w.Code)
	}
	for _, b := range all {
		b.release()
	}
	if w := post(s, "/v1/score", large); w.Code != http.StatusOK {
		t.Errorf("afterwards: status %d: %s", w.Code, w.Body)
	}
	if held := s.room.held.Load(); held != 0 {
		t.Errorf("%d bytes are still held", held)
	}
}

// TestManySmallPartsTakeRoom: what a request needs is bounded whole, however small its parts are.
func TestManySmallPartsTakeRoom(t *testing.T) {
	b := &body{room: &room{bytes: 8 * smallBody}}
	parts := 0
	for b.hold(smallBody/4) == nil {
		if parts++; parts == 100 {
			t.Fatalf("%d parts of %d bytes fit into a room of %d", parts, smallBody/4, b.room.bytes)
		}
	}
	if parts < 8*4 {
		t.Errorf("only %d parts of %d bytes fit into a room of %d", parts, smallBody/4, b.room.bytes)
	}
	if b.release(); b.room.held.Load() != 0 {
		t.Errorf("%d bytes are still held", b.room.held.Load())
	}
}

// TestLinesOfTensorsTakeRoom, as many bytes as they have at most, and what is inferred of each record; without that room there are none.
func TestLinesOfTensorsTakeRoom(t *testing.T) {
	for _, records := range []int{0, 1, 10_000} {
		q := &inference{records: records}
		for _, field := range []string{"age", "sex"} {
			one := &tensor{field: field, datatype: "INT64"}
			for range records {
				one.values = append(one.values, "17"...)
				one.ends = append(one.ends, len(one.values))
			}
			q.tensors = append(q.tensors, one)
		}
		const line = len(`{"age":17,"sex":17}`)
		most := records * (line + 1 + inferred) // with a comma behind each value
		for _, c := range []struct {
			room int
			fits bool
		}{{most, true}, {most - 1, most == 0}} {
			b := &body{room: &room{bytes: int64(c.room)}}
			lines, err := q.lines(b)
			if taken := b.few + int(b.counts); c.fits && taken != most {
				t.Errorf("%d records take room for %d bytes, not %d", records, taken, most)
			}
			if most > smallBody && (err == nil) != c.fits {
				t.Errorf("%d records in a room of %d bytes: %v", records, c.room, err)
			}
			if err == nil && (len(lines) != records || records > 0 && string(lines[records-1]) != `{"age":17,"sex":17}`) {
				t.Errorf("%d records are %q", records, lines)
			}
		}
	}
}
