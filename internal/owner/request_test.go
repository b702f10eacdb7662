package owner

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func aRequest() Request { return Request{Action: Pause, Reason: "the labels are late", Actor: "maria"} }

func TestRequestsAreBounded(t *testing.T) {
	q := requestLog{}
	write := func(id string, change func(*Request)) {
		r := aRequest()
		r.ID = id
		if change != nil {
			change(&r)
		}
		value := r.encode()
		q.request("job", requestKey("job", id), value)
	}
	write("long", func(r *Request) { r.Reason = strings.Repeat("x", MostReason+1) })
	write("none", func(r *Request) { r.Reason = " " })
	write("words", func(r *Request) { r.Action = "delete" })
	write("control", func(r *Request) { r.Actor = "maria\x1b[2J" })
	write("other", func(r *Request) { r.ID = "another" })
	q.request("job", requestKey("job", "damaged"), []byte(`{"format_version":1`))
	q.request("job", requestKey("job", "large"), make([]byte, mostRequest+1))
	if len(q.pending) != 0 || len(q.useless) != 7 {
		t.Fatalf("%d requests wait, and %d keys are useless", len(q.pending), len(q.useless))
	}
	for i := range requestsKept + 5 {
		write(fmt.Sprint("id", i), nil)
		write(fmt.Sprint("id", i), nil) // a late copy
	}
	if len(q.pending) != requestsKept || len(q.useless) != 7+5 {
		t.Errorf("%d requests wait, and %d keys are useless", len(q.pending), len(q.useless))
	}
	for i := range requestsKept {
		id := fmt.Sprint("id", i)
		q.answer("job", answerKey("job", id), fmt.Appendf(nil, `{"id":%q}`, id))
	}
	if len(q.pending) != 0 || len(q.answered) != answersKept {
		t.Errorf("%d requests wait, and %d answers are kept", len(q.pending), len(q.answered))
	}
	for i := range requestsKept { // the oldest answers are to be deleted, and no other one
		if old := i < requestsKept-answersKept; q.useless[string(answerKey("job", fmt.Sprint("id", i)))] != old {
			t.Errorf("answer %d of %d is to be deleted: %v", i, requestsKept, !old)
		}
	}
	for _, key := range q.keys("job") {
		q.remove("job", string(key))
	}
	if len(q.keys("job")) != 0 {
		t.Errorf("after their deletion there are %d keys", len(q.keys("job")))
	}
	q.answer("job", answerKey("job", "id1"), []byte(`{"id":"id1"}`))
	write("id1", nil)
	if len(q.pending) != 0 {
		t.Error("a late copy of an answered request waits")
	}
}

func FuzzDecodeRequest(f *testing.F) {
	r := aRequest()
	r.ID = "A"
	value := r.encode()
	f.Add([]byte("A"), value)
	f.Add([]byte("B"), []byte(`{"id":"B"}`))
	f.Fuzz(func(t *testing.T, id, value []byte) {
		r, err := decodeRequest("job", requestKey("job", string(id)), value)
		if err == nil && (len(r.Reason) > MostReason || len(r.Actor) > MostActor || r.ID != string(id) || !slices.Contains(RequestActions, r.Action)) {
			t.Errorf("accepted %+v", r)
		}
	})
}
