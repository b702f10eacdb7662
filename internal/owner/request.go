package owner

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/fairstream/fairstream/internal/modeltopic"
)

// What a person may ask for. Version names the document that is meant; where it may be missing, the state decides.
const (
	Promote  = "promote"  // make a version stable; without one, the candidate
	Rollback = "rollback" // go back to a version; without one, the previous stable
	Pause    = "pause"    // no candidate becomes stable by itself; the stable version may still be withdrawn
	Resume   = "resume"
	Pin      = "pin" // keep a version stable whatever the evidence says; without one, the present stable
	Unpin    = "unpin"
)

// RequestActions are all of them.
var RequestActions = []string{Promote, Rollback, Pause, Resume, Pin, Unpin}

// Bounds of a request, in bytes.
const (
	MostReason   = 1000
	MostActor    = 200
	mostRequest  = 8 << 10
	mostAnswer   = 16 << 10
	mostRefused  = 2000
	longestID    = 64
	requestsKept = 100 // unanswered
	answersKept  = 16
)

const requestVersion = 1

// Request asks the owner of a job for something about its releases. It says nothing about the owner's life: a standby does not count it.
type Request struct {
	// ID is unique. The owner handles an ID once.
	ID     string `json:"id"`
	Action string `json:"action"`
	// Term, Version and WeightsSHA256 name a document; 0 and empty: none.
	Term          int64  `json:"term,omitempty"`
	Version       int64  `json:"version,omitempty"`
	WeightsSHA256 string `json:"weights_sha256,omitempty"`
	// Default says that no version was named, and that this is the one that was meant when it was asked: two persons who ask for a rollback at once
	// get one. It is refused if another one would be meant now.
	Default bool `json:"default,omitempty"`
	// Reason and Actor are for the history.
	Reason string `json:"reason"`
	Actor  string `json:"actor,omitempty"`
	// Host and Program are those of the process that asks.
	Host    string `json:"host,omitempty"`
	Program string `json:"program,omitempty"`
	// At is when it was asked. After Until it is refused: nobody expects its effect any more.
	At    time.Time `json:"at"`
	Until time.Time `json:"until"`
}

// Answer is what became of a request.
type Answer struct {
	ID string `json:"id"`
	// Term is that of the owner, and Records the number of records learnt.
	Term    int64 `json:"term"`
	Records int64 `json:"records"`
	// Refused says why nothing was done; empty: it was done.
	Refused string `json:"refused,omitempty"`
	// Before and After are the aliases that releases move, by name.
	Before map[string]modeltopic.Alias `json:"before,omitempty"`
	After  map[string]modeltopic.Alias `json:"after,omitempty"`
}

// Refuse makes it the answer to a request that nothing was done for.
func (a *Answer) Refuse(reason string) {
	a.Refused = strings.ToValidUTF8(reason[:min(len(reason), mostRefused)], "")
}

// Validate says what is wrong with the words of a request.
func (r *Request) Validate() error {
	switch {
	case !slices.Contains(RequestActions, r.Action):
		return fmt.Errorf("action %q is unknown: use %s", shown(r.Action), strings.Join(RequestActions, ", "))
	case r.Version < 0 || r.Term < 0 || r.Version == 0 && r.Term > 0:
		return fmt.Errorf("version %d of term %d cannot exist", r.Version, r.Term)
	case r.Version > 0 && !slices.Contains([]string{Promote, Rollback, Pin}, r.Action):
		return fmt.Errorf("%s takes no version", r.Action)
	case strings.TrimSpace(r.Reason) == "":
		return fmt.Errorf("a reason is missing: the history keeps it beside the change")
	case strings.TrimSpace(r.Actor) == "":
		return fmt.Errorf("the actor is missing: the history keeps who asked for the change")
	}
	if err := plainText("reason", r.Reason, MostReason); err != nil {
		return err
	}
	return plainText("actor", r.Actor, MostActor)
}

// plainText checks what a person wrote for the history.
func plainText(name, value string, most int) error {
	switch {
	case len(value) > most:
		return fmt.Errorf("%s is %d bytes long: at most %d are kept", name, len(value), most)
	case !utf8.ValidString(value) || strings.ContainsFunc(value, unicode.IsControl):
		return fmt.Errorf("%s has characters that are not text", name)
	}
	return nil
}

// shown is a short form of a word that may be anything.
func shown(word string) string { return word[:min(len(word), 40)] }

func requestKey(job, id string) []byte { return fmt.Appendf(nil, "%s/%s/%s", job, requestKind, id) }

func answerKey(job, id string) []byte { return fmt.Appendf(nil, "%s/%s/%s", job, answerKind, id) }

// writtenRequest is a request as written.
type writtenRequest struct {
	Format int `json:"format_version"`
	Request
}

func (r *Request) encode() []byte { return written(writtenRequest{requestVersion, *r}) }

// decodeRequest reads what stands under a key. Everyone who may write to the state topic can ask, so it is bounded.
func decodeRequest(job string, key, value []byte) (Request, error) {
	var r writtenRequest
	if len(value) > mostRequest {
		return r.Request, fmt.Errorf("state topic: a request of %d bytes", len(value))
	}
	if err := json.Unmarshal(value, &r); err != nil {
		return r.Request, fmt.Errorf("state topic: not a request: %w", err)
	}
	if r.Format != requestVersion || r.ID == "" || len(r.ID) > longestID || string(key) != string(requestKey(job, r.ID)) {
		return r.Request, fmt.Errorf("state topic: a request of format %d under a key that is not its own", r.Format)
	}
	return r.Request, r.Validate()
}

func decodeAnswer(job string, key, value []byte) (a Answer, err error) {
	if len(value) > mostAnswer {
		return a, fmt.Errorf("state topic: an answer of %d bytes", len(value))
	}
	if err = json.Unmarshal(value, &a); err != nil {
		return a, fmt.Errorf("state topic: not an answer: %w", err)
	}
	if string(key) != string(answerKey(job, a.ID)) {
		err = fmt.Errorf("state topic: an answer under a key that is not its own")
	}
	return a, err
}
