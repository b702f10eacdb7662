package serve

import (
	"encoding/json"
	"strings"
	"testing"
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
