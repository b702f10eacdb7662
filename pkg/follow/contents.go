package follow

import (
	"errors"

	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/signature"
)

// contents is what the topic holds of the job. Of documents it keeps where they are, and the bytes of the last one alone.
type contents struct {
	rule      modeltopic.Rule
	documents map[modeltopic.Place]entry
	aliases   map[string]move
	// withheld is why the alias that is followed is not known: its last record was refused or, where signatures are required, deleted.
	withheld *Refused
	last     modeltopic.Place
	bytes    []byte
}

func newContents(job string, verifier *signature.Verifier) contents {
	return contents{rule: modeltopic.Rule{Job: job, Verifier: verifier}, documents: map[modeltopic.Place]entry{}, aliases: map[string]move{}}
}

// entry is a document on the topic.
type entry struct {
	offset  int64
	written int64 // in milliseconds since 1970; at most 0: not known
	bad     bool  // it was read, and refused
}

// move is the last move of an alias that counts.
type move struct {
	alias  modeltopic.Alias
	offset int64
	bad    bool // its document has other weights
}

// errDeleted is for the alias stable, which no owner deletes; owners delete others.
var errDeleted = errors.New("it was deleted, and a deletion cannot be signed")
