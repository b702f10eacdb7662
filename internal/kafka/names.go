package kafka

import (
	"context"

	"github.com/fairstream/fairstream/internal/kafka/batches"
	"github.com/fairstream/fairstream/internal/kafka/fault"
	"github.com/fairstream/fairstream/internal/kafka/link"
	"github.com/fairstream/fairstream/internal/kafka/wire"
	public "github.com/fairstream/fairstream/pkg/kafka"
)

// How to reach a cluster, and what it tells of a topic.
type (
	Config    = link.Config
	Secret    = link.Secret
	Problem   = link.Problem
	Options   = link.Options
	Outage    = link.Outage
	TopicID   = wire.TopicID
	TopicInfo = link.TopicInfo
	Bounds    = fault.Bounds
)

// What is read and written.
type (
	Record  = batches.Record
	Header  = batches.Header
	Message = batches.Message
	Chunk   = batches.Chunk
)

// What fails.
type (
	Class        = fault.Class
	Error        = fault.Error
	CorruptError = fault.CorruptError
	DataLoss     = fault.DataLoss
	LossKind     = public.LossKind
	LossPolicy   = public.LossPolicy
	Fenced       = public.Fenced
)

// The classes of failures, as package fault explains them, and what is lost, as pkg/kafka does.
const (
	Retry = fault.Retry
	Fatal = fault.Fatal

	LossFails    = public.LossFails
	LossEarliest = public.LossEarliest
	LossLatest   = public.LossLatest

	LossBelowStart    = public.LossBelowStart
	LossAboveEnd      = public.LossAboveEnd
	LossReplaced      = public.LossReplaced
	LossRecreated     = public.LossRecreated
	LossPartitionGone = public.LossPartitionGone
)

// LossPolicies lists the policies, for messages.
var LossPolicies = public.LossPolicies

// ErrClosed is what every call gives once Close was called.
var ErrClosed = fault.ErrClosed

// ClassOf is the class of any error of this package.
func ClassOf(err error) Class { return fault.ClassOf(err) }

// DefaultConfig has every default and no broker.
func DefaultConfig() Config { return link.DefaultConfig() }

// Aside marks what the work of the process does not need, such as reading for a page: its outages have Aside set.
func Aside(ctx context.Context) context.Context { return link.Aside(ctx) }

// Problems lists everything that is wrong with a configuration.
func Problems(c Config) []Problem { return link.Problems(c) }
