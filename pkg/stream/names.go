package stream

import (
	"context"

	"github.com/fairstream/fairstream/internal/chronicle"
	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/intake"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/internal/owner"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/signature"
)

// Cluster is what a stream asks of Kafka.
type Cluster = cluster.Cluster

// Kafka makes a cluster of a client.
func Kafka(client *kafka.Client) Cluster { return cluster.Kafka(client) }

// SchemaWait is a schema that records wait for.
type SchemaWait = format.Wait

// UnfitSchema is a schema whose records become dead letters.
type UnfitSchema = intake.UnfitSchema

// Held is a partition whose next record waits for its schema.
type Held = intake.Held

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
)

type (
	// Alias points to a document.
	Alias = modeltopic.Alias
	// Models is what the model topic holds of a job.
	Models = modeltopic.Models
	// Model is a weight document on the model topic.
	Model = modeltopic.Model
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

// What internal/observe defines, and callers of this package need.
type (
	// Monitoring configures how decisions are monitored.
	Monitoring = observe.Monitoring
	// Monitored is what the monitor of one model knows. It is a copy.
	Monitored = observe.Monitored
)

// Reasons why a record with a given decision is rejected.
const (
	MissingDecision = observe.MissingDecision
	BadScore        = observe.BadScore
	MissingModel    = observe.MissingModel
)

// OnlyModel is the id of the decisions on a topic of one model.
const OnlyModel = observe.OnlyModel

// Parts of a stream that learning does not need. A part that panics, hangs or cannot be restored is cut off until the process
// starts again.
const (
	PartMonitor  = observe.PartMonitor
	PartReleases = observe.PartReleases
	PartEvents   = chronicle.PartEvents
)

// DefaultMonitoring is the configuration of an empty section monitor.
func DefaultMonitoring() Monitoring { return observe.DefaultMonitoring() }

// What internal/intake defines, and callers of this package need.
type (
	// LabelStatus is how a label buffer stands.
	LabelStatus = intake.LabelStatus
	// Ledger accounts for the records of one partition.
	Ledger = intake.Ledger
)

// Reasons lists every reason for which a stream rejects records.
func Reasons() []record.Reason { return intake.Reasons() }

// What internal/owner defines, and callers of this package need.
type (
	// Claim is how an owner takes over a job.
	Claim = owner.Claim
	// Spread shares jobs among processes.
	Spread = owner.Spread
	// Superseded says that another process owns the job now.
	Superseded = owner.Superseded
	// Request asks the owner of a job for something about its releases.
	Request = owner.Request
	// Answer is what became of a request.
	Answer = owner.Answer
	// Asking says how Ask waits.
	Asking = owner.Asking
	// RequestRefused says that the owner refused a request. Nothing changed.
	RequestRefused = owner.RequestRefused
	// Unanswered says that nobody answered a request in time. It was withdrawn.
	Unanswered = owner.Unanswered
)

// What a person may ask for; see owner.Promote.
const (
	Promote  = owner.Promote
	Rollback = owner.Rollback
	Pause    = owner.Pause
	Resume   = owner.Resume
	Pin      = owner.Pin
	Unpin    = owner.Unpin
)
