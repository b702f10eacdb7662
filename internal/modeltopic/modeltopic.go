package modeltopic

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/cloudevents"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/signature"
)

// Names of aliases.
const (
	// Latest points to the newest document. A reader prefers a document of a higher term and version: a process that
	// lost its job may write its last alias late.
	Latest = "latest"
	// Stable points to the document that was released.
	Stable = "stable"
	// Candidate points to the document that is tested, and Previous to the one that was released before.
	Candidate = "candidate"
	Previous  = "previous"
)

// Headers say, of a document and of an alias, what a reader can know without decoding the value.
const (
	HeaderJob     = "fairstream.job"
	HeaderVersion = "fairstream.version"
	HeaderTerm    = "fairstream.term"
	HeaderSHA256  = "fairstream.weights_sha256"
	// HeaderOwnerTerm is, on an alias, the term of the owner who moved it. An alias that an earlier owner moves late is
	// told by it.
	HeaderOwnerTerm = "fairstream.owner_term"
)

// Types of the CloudEvents that the messages are (internal/cloudevents).
const (
	DocumentEvent = "io.fairstream.model.published.v1"
	AliasEvent    = "io.fairstream.model.alias.v1"

	documentsWord = "v"
)

// Place is where a document stands: the term of the owner who published it, and its version in it.
type Place struct{ Term, Version int64 }

// Compare orders places by term, then by version.
func (p Place) Compare(q Place) int {
	return cmp.Or(cmp.Compare(p.Term, q.Term), cmp.Compare(p.Version, q.Version))
}

// valid says whether a document can have this place.
func (p Place) valid() bool {
	return p.Term >= 0 && p.Version >= 0 && p.Term <= MostTerm && p.Version <= MostTerm
}

// Alias points to a document.
type Alias struct {
	// Term is that of the owner who published the document.
	Term          int64  `json:"term"`
	Version       int64  `json:"version"`
	WeightsSHA256 string `json:"weights_sha256"`
	// Key of the document.
	Key string `json:"key"`
	// OwnerTerm is the term of the owner who moved the alias, as in the header: a signature covers the value only. 0 in one of an older program.
	OwnerTerm int64 `json:"owner_term,omitempty"`
	// UnwatchedSince is since when nobody withdraws the version if it leaves its limits, because the releases of the owner are cut off. Zero: it is
	// watched.
	UnwatchedSince time.Time `json:"unwatched_since,omitzero"`
}

// Target is what an alias is to say. The zero target is no document. Targets are compared with ==.
type Target struct {
	Place
	SHA256         string    // of the weights
	UnwatchedSince time.Time // in whole Seconds; zero: the version is watched
}

// Seconds cuts a moment to whole seconds of UTC.
func Seconds(at time.Time) time.Time {
	if at.IsZero() {
		return time.Time{}
	}
	return time.Unix(at.Unix(), 0).UTC()
}

// ParseAlias reads the value of an alias. A place that cannot be, or a key that is not that of the place, is an error.
func ParseAlias(job string, value []byte) (a Alias, err error) {
	if err := json.Unmarshal(value, &a); err != nil {
		return a, fmt.Errorf("it is not an alias of a weight document: %w", err)
	}
	if key := DocumentKey(job, a.Place()); a.Key != key || !a.Place().valid() || a.OwnerTerm < 0 || a.OwnerTerm > MostTerm {
		return a, fmt.Errorf("it is not an alias of a weight document: its key is not %s, the one of its term and version, or these cannot be", key)
	}
	return a, nil
}

// Place is that of the document.
func (a Alias) Place() Place { return Place{a.Term, a.Version} }

// target is what the alias says.
func (a Alias) target() Target { return Target{a.Place(), a.WeightsSHA256, Seconds(a.UnwatchedSince)} }

// DocumentKey is the key of a document.
func DocumentKey(job string, p Place) string {
	return fmt.Sprintf("%s/%s/%d/%d", job, documentsWord, p.Term, p.Version)
}

// AliasKey is the key of an alias.
func AliasKey(job, name string) string { return job + "/" + name }

// Kind is what a key stands for.
type Kind int

// Kinds of keys.
const (
	Foreign    Kind = iota // of another job
	Unknown                // of a newer program
	OldFormat              // of a document in an older format
	Unreadable             // of a document, with a damaged place
	IsDocument
	IsAlias
)

// ParseKey tells what a key of the topic stands for: a document with its place, or an alias with its name.
func ParseKey(job string, key []byte) (kind Kind, at Place, alias string) {
	rest, ours := strings.CutPrefix(string(key), job+"/")
	words := strings.Split(rest, "/")
	switch {
	case !ours:
		return Foreign, at, ""
	case len(words) == 1:
		return IsAlias, at, words[0]
	case words[0] != documentsWord || len(words) > 3:
		return Unknown, at, ""
	case len(words) == 2:
		return OldFormat, at, ""
	}
	term, err := strconv.ParseInt(words[1], 10, 64)
	version, err2 := strconv.ParseInt(words[2], 10, 64)
	if err != nil || err2 != nil || !(Place{term, version}).valid() {
		return Unreadable, at, ""
	}
	return IsDocument, Place{term, version}, ""
}

// Document is the message of a document. signer may be nil.
func Document(job string, at Place, sha256 string, value []byte, signer *signature.Signer) kafka.Message {
	key := DocumentKey(job, at)
	return finish(job, DocumentEvent, key, kafka.Message{Key: []byte(key), Value: value, Headers: headers(job, at, sha256)}, signer)
}

// MoveAlias is the message that points an alias to a document. owner is the term of who moves it; signer may be nil.
func MoveAlias(job, name string, owner int64, to Target, signer *signature.Signer) kafka.Message {
	at := to.Place
	value, _ := json.Marshal(Alias{at.Term, at.Version, to.SHA256, DocumentKey(job, at), owner, to.UnwatchedSince}) // only a year of five digits could fail
	key := AliasKey(job, name)
	message := kafka.Message{Key: []byte(key), Value: value, Headers: headers(job, at, to.SHA256)}
	message.Headers = append(message.Headers, kafka.Header{Key: HeaderOwnerTerm, Value: strconv.AppendInt(nil, owner, 10)})
	return finish(job, AliasEvent, fmt.Sprintf("%s@%d/%d", key, at.Term, at.Version), message, signer)
}

func headers(job string, at Place, sha256 string) []kafka.Header {
	return []kafka.Header{
		{Key: HeaderJob, Value: []byte(job)},
		{Key: HeaderVersion, Value: strconv.AppendInt(nil, at.Version, 10)},
		{Key: HeaderTerm, Value: strconv.AppendInt(nil, at.Term, 10)},
		{Key: HeaderSHA256, Value: []byte(sha256)},
	}
}

// finish adds the headers of CloudEvents and the signature.
func finish(job, event, id string, message kafka.Message, signer *signature.Signer) kafka.Message {
	message.Headers = append(message.Headers, cloudevents.Event{ID: id, Type: event, Source: cloudevents.Source(job)}.Headers()...)
	if keyID, sum := signer.Sign(message.Key, message.Value); keyID != "" {
		message.Headers = append(message.Headers, kafka.Header{Key: signature.HeaderKeyID, Value: []byte(keyID)},
			kafka.Header{Key: signature.HeaderSignature, Value: sum})
	}
	return message
}

// Verify returns an error if a record is not signed by a key that the verifier trusts; a nil verifier accepts all.
func Verify(v *signature.Verifier, r *kafka.Record) error {
	if v == nil || r.Value == nil { // a deletion takes away, and adds nothing
		return nil
	}
	all := r.Headers()
	return v.Verify(r.Key, r.Value, string(Header(all, signature.HeaderKeyID)), Header(all, signature.HeaderSignature))
}

// Header is the value of the last header of a name, nil if there is none.
func Header(all []kafka.Header, name string) (value []byte) {
	for _, h := range all {
		if h.Key == name {
			value = h.Value
		}
	}
	return value
}

// owner is the term of who moved an alias: that of its value; of an alias by an older program, that of its header, which only counts if no
// signature is asked for; else that of the document.
func owner(v *signature.Verifier, all []kafka.Header, a Alias) int64 {
	if a.OwnerTerm > 0 {
		return a.OwnerTerm
	}
	if term, err := strconv.ParseInt(string(Header(all, HeaderOwnerTerm)), 10, 64); err == nil && v == nil && term <= MostTerm {
		return term
	}
	return a.Term
}
