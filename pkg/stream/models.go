package stream

import (
	"context"

	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/signature"
)

// Names of the aliases and of the headers on the model topic. internal/modeltopic reads and writes it.
const (
	// LatestAlias points to the newest document. A reader prefers a document of a higher term and version:
	// a process that lost its job may write its last alias late.
	LatestAlias = modeltopic.Latest
	// StableAlias, CandidateAlias and PreviousAlias point to the released version, the one that is tested, and the one that was
	// released before.
	StableAlias    = modeltopic.Stable
	CandidateAlias = modeltopic.Candidate
	PreviousAlias  = modeltopic.Previous

	HeaderJob     = modeltopic.HeaderJob
	HeaderVersion = modeltopic.HeaderVersion
	HeaderTerm    = modeltopic.HeaderTerm
	HeaderSHA256  = modeltopic.HeaderSHA256
)

type (
	// Alias points to a document.
	Alias = modeltopic.Alias
	// Models is what the model topic holds of a job.
	Models = modeltopic.Models
	// Model is a weight document on the model topic.
	Model = modeltopic.Model
	// Refused is a record of the model topic that does not count, and why: it is damaged, not signed by a trusted key, or late.
	Refused = modeltopic.Refused
)

// ReadModels reads the model topic to its end.
func ReadModels(ctx context.Context, cluster Cluster, topic, job string) (*Models, error) {
	return ReadSignedModels(ctx, cluster, topic, job, nil)
}

// ReadSignedModels is ReadModels that leaves out records without the signature of a key that the verifier trusts. A nil
// verifier trusts all.
func ReadSignedModels(ctx context.Context, cluster Cluster, topic, job string, verifier *signature.Verifier) (*Models, error) {
	return modeltopic.Topic{Cluster: cluster, Name: topic, Job: job, Verifier: verifier}.Models(ctx)
}

// PruneModels deletes what this program cannot read of a job on the model topic: documents of an older format, and keys
// and aliases that are damaged. It returns their keys, sorted. With dry it deletes nothing. Keys that are only unknown
// stay: a newer program may have written them.
func PruneModels(ctx context.Context, cluster Cluster, topic, job string, dry bool) ([]string, error) {
	return modeltopic.Topic{Cluster: cluster, Name: topic, Job: job}.Prune(ctx, dry)
}

// modelTopic is the model topic of the job.
func (o *Options) modelTopic(cluster Cluster) modeltopic.Topic {
	return modeltopic.Topic{Cluster: cluster, Name: o.Topics.Model, Job: o.Job, Verifier: o.Verifier}
}

// Published: a weight document is on the model topic.
type Published modeltopic.Published

// AliasRepaired: an alias was moved or overwritten by somebody else, and points again where the owner of the job wants it: latest to the
// newest document, those of releases to what the state says.
type AliasRepaired modeltopic.AliasRepaired

// Outranked: an alias was moved in the name of an owner with a higher term than this process has. Readers ignore what this process moves
// until it is started again, which takes a term above.
type Outranked modeltopic.Outranked

// ModelRefused: a record on the model topic does not count: it is damaged, late or not signed by a trusted key.
type ModelRefused modeltopic.Refused

// DocumentRestored: a late publication of an earlier owner, or somebody else, deleted or overwrote a document that an alias points to or that
// releases need, and the document was written again.
type DocumentRestored modeltopic.DocumentRestored

// AliasWithoutDocument: an alias points to a document that is not on the model topic.
type AliasWithoutDocument modeltopic.AliasWithoutDocument

// ModelsRemade: the model topic was deleted and made again, or cut. The owner wrote again what it holds: the newest document, those
// that aliases point to or releases need, and the aliases. Missing counts the other documents, which are gone.
type ModelsRemade modeltopic.Remade

func (Published) event()            {}
func (AliasRepaired) event()        {}
func (Outranked) event()            {}
func (ModelRefused) event()         {}
func (DocumentRestored) event()     {}
func (AliasWithoutDocument) event() {}
func (ModelsRemade) event()         {}

// tellOfModels passes on what happened to the model topic.
func (o *Options) tellOfModels(event modeltopic.Event) {
	switch e := event.(type) {
	case modeltopic.Published:
		o.Notify(Published(e))
	case modeltopic.Refused:
		o.Notify(ModelRefused(e))
	case modeltopic.AliasRepaired:
		o.Notify(AliasRepaired(e))
	case modeltopic.Outranked:
		o.Notify(Outranked(e))
	case modeltopic.DocumentRestored:
		o.Notify(DocumentRestored(e))
	case modeltopic.AliasWithoutDocument:
		o.Notify(AliasWithoutDocument(e))
	case modeltopic.Remade:
		o.Notify(ModelsRemade(e))
	}
}
