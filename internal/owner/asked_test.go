package owner

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestWordsOfARequest: what is said of a request and what the history keeps of it are bounded, and each bound is still allowed.
func TestWordsOfARequest(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(*Request)
		refused bool
	}{
		"nothing changed":           {func(*Request) {}, false},
		"the longest reason":        {func(r *Request) { r.Reason = strings.Repeat("x", MostReason) }, false},
		"the longest actor":         {func(r *Request) { r.Actor = strings.Repeat("x", MostActor) }, false},
		"too long an actor":         {func(r *Request) { r.Actor = strings.Repeat("x", MostActor+1) }, true},
		"no actor":                  {func(r *Request) { r.Actor = " " }, true},
		"not text":                  {func(r *Request) { r.Reason = "\xff" }, true},
		"promote the candidate":     {func(r *Request) { r.Action = Promote }, false},
		"promote a version":         {func(r *Request) { r.Action, r.Version = Promote, 7 }, false},
		"go back to one of a term":  {func(r *Request) { r.Action, r.Version, r.Term = Rollback, 7, 1 }, false},
		"pause a version":           {func(r *Request) { r.Version = 7 }, true},
		"a term without a version":  {func(r *Request) { r.Action, r.Term = Pin, 1 }, true},
		"a version below 0":         {func(r *Request) { r.Action, r.Version = Pin, -1 }, true},
		"a term below 0":            {func(r *Request) { r.Action, r.Version, r.Term = Pin, 7, -1 }, true},
		"an action that is unknown": {func(r *Request) { r.Action = "delete" }, true},
	} {
		r := aRequest()
		c.change(&r)
		if err := r.Validate(); (err != nil) != c.refused {
			t.Errorf("%s: %v", name, err)
		}
	}
	r := aRequest()
	r.Action = strings.Repeat("a", 40) + "b"
	if err := r.Validate(); err == nil || !strings.Contains(err.Error(), strings.Repeat("a", 40)) || strings.Contains(err.Error(), "ab") {
		t.Errorf("a long action: %v", err)
	}
	var a Answer
	a.Refuse(strings.Repeat("x", mostRefused-1) + "é")
	if len(a.Refused) != mostRefused-1 || !utf8.ValidString(a.Refused) {
		t.Errorf("a refusal of %d bytes", len(a.Refused))
	}
}

// TestSizesOnTheStateTopic: everyone who may write to the state topic can ask and answer, so both are bounded, however well written.
func TestSizesOnTheStateTopic(t *testing.T) {
	request := func(id string, size int) error {
		r := aRequest()
		r.ID = id
		value := r.encode()
		got, err := decodeRequest("job", requestKey("job", id), fmt.Appendf(nil, "%-*s", size, value))
		if err == nil && got != r {
			t.Errorf("%+v was read as %+v", r, got)
		}
		return err
	}
	answer := func(id string, size int) error {
		got, err := decodeAnswer("job", answerKey("job", "A"), fmt.Appendf(nil, "%-*s", size, fmt.Sprintf(`{"id":%q,"term":2}`, id)))
		if err == nil && (got.ID != id || got.Term != 2) {
			t.Errorf("an answer was read as %+v", got)
		}
		return err
	}
	for name, c := range map[string]struct {
		err     error
		refused bool
	}{
		"the largest request":   {request("A", mostRequest), false},
		"too large a request":   {request("A", mostRequest+1), true},
		"the longest id":        {request(strings.Repeat("A", longestID), 0), false},
		"too long an id":        {request(strings.Repeat("A", longestID+1), 0), true},
		"a request without id":  {request("", 0), true},
		"the largest answer":    {answer("A", mostAnswer), false},
		"too large an answer":   {answer("A", mostAnswer+1), true},
		"the answer of another": {answer("B", 0), true},
	} {
		if (c.err != nil) != c.refused {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	value := []byte(`{"format_version":2,"id":"A","action":"pause","reason":"r","actor":"a"}`)
	if _, err := decodeRequest("job", requestKey("job", "A"), value); err == nil {
		t.Error("a request of a later format is taken")
	}
}
