package serve

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// TestBoundsOfTheProtocol: the longest id, as many records as a request may have, and a length of JSON up to that of the body are taken, and one more is not.
func TestBoundsOfTheProtocol(t *testing.T) {
	doc, _ := learnt(t, 0)
	o := small(Fixed(doc))
	o.Records = 5
	s := newService(t, o)
	body := func(id string, records int) string {
		return fmt.Sprintf(`{"id":%q,"inputs":[{"name":"age","shape":[%d],"datatype":"FP64","data":[%s]}]}`, id, records, strings.TrimSuffix(strings.Repeat("39,", records), ","))
	}
	plain := body("a", 1)
	for name, c := range map[string]struct {
		body   string
		length string // of the JSON; "" is not said
		want   int
	}{
		"the longest id":                {body(strings.Repeat("x", longestText-2), 1), "", 200}, // with its quotation marks
		"a longer id":                   {body(strings.Repeat("x", longestText-1), 1), "", 400},
		"five records":                  {body("a", 5), "", 200},
		"six records":                   {body("a", 6), "", 413},
		"the length of the body":        {plain, strconv.Itoa(len(plain)), 200},
		"more than the body":            {plain, strconv.Itoa(len(plain) + 1), 400},
		"less than the JSON":            {plain, strconv.Itoa(len(plain) - 1), 400},
		"a negative length":             {plain, "-1", 400},
		"a length that is not a number": {plain, "1x", 400},
	} {
		headers := []string{}
		if c.length != "" {
			headers = []string{headerLength, c.length}
		}
		if w := post(s, inferPath, []byte(c.body), headers...); w.Code != c.want {
			t.Errorf("%s: %d %.200s", name, w.Code, w.Body)
		}
	}
}
