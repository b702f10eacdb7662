package fault

import "github.com/fairstream/fairstream/pkg/kafka"

// What is lost is public: whoever reads by this client from another module is told of it.
type (
	Bounds   = kafka.Bounds
	DataLoss = kafka.DataLoss
)
