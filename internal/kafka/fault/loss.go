package fault

import "github.com/fairstream/fairstream/pkg/kafka"

// What is lost is public: whoever reads by this client from another module is told of it.
type (
	Bounds     = kafka.Bounds
	DataLoss   = kafka.DataLoss
	LossKind   = kafka.LossKind
	LossPolicy = kafka.LossPolicy
)

// The policies and kinds, as pkg/kafka explains them.
const (
	LossFails         = kafka.LossFails
	LossEarliest      = kafka.LossEarliest
	LossLatest        = kafka.LossLatest
	LossBelowStart    = kafka.LossBelowStart
	LossAboveEnd      = kafka.LossAboveEnd
	LossReplaced      = kafka.LossReplaced
	LossRecreated     = kafka.LossRecreated
	LossPartitionGone = kafka.LossPartitionGone
)

// LossPolicies lists the policies, for messages.
var LossPolicies = kafka.LossPolicies
