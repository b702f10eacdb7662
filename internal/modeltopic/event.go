package modeltopic

import "github.com/fairstream/fairstream/pkg/document"

// Event is something that happened to the topic. It holds no value of a record.
type Event interface{ event() }

// Published: a weight document is on the model topic.
type Published struct {
	Version int64
	Term    int64
	SHA256  string
	Bytes   int
	// Measurements are those of the document.
	Measurements document.Measurements
	// Document is what was published. Nobody may change it.
	Document *document.Document
}

// AliasRepaired: an alias was moved or overwritten by somebody else, and points again where the owner of the job wants it: latest to the
// newest document, those of releases to what the state says.
type AliasRepaired struct {
	Alias         string
	Version, Term int64 // 0: the alias was deleted
	// Late is the document to which latest pointed.
	Late Alias
}

// Outranked: an alias was moved in the name of an owner with a higher term than this process has. Readers ignore what this process moves
// until it is started again, which takes a term above.
type Outranked struct{ Term, Own int64 }

// DocumentRestored: a late publication of an earlier owner, or somebody else, deleted or overwrote a document that an alias points to or that
// releases need, and the document was written again.
type DocumentRestored struct {
	Alias         string // empty if no alias points to it
	Version, Term int64
}

// AliasWithoutDocument: an alias points to a document that is not on the model topic.
type AliasWithoutDocument struct {
	Alias         string
	Version, Term int64
}

// Remade: the model topic was deleted and made again, or cut. The owner wrote again what it holds: the newest document, those
// that aliases point to or releases need, and the aliases. Missing counts the other documents, which are gone.
type Remade struct {
	Topic                       string
	Documents, Aliases, Missing int
}

func (Published) event()            {}
func (Refused) event()              {}
func (AliasRepaired) event()        {}
func (Outranked) event()            {}
func (DocumentRestored) event()     {}
func (AliasWithoutDocument) event() {}
func (Remade) event()               {}
