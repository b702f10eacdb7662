package serve

import "time"

// Options say what decides, and within which limits.
type Options struct {
	// Program is the version of the program.
	Program string
	// Job is the name of the model under /v2.
	Job string
	// Models decide.
	Models Models
	// Shadow scores too, without effect on the decision; nil: none. With Split it decides the records whose key hashes into this share.
	Shadow Models
	Split  float64
	// Explore is the share of the negative decisions that are turned to positive; see scoring.Explore.
	Explore float64
	// ID is the field that identifies a record, for documents that name none.
	ID string
	// Log takes the decisions; nil: they are not logged. Attributes puts the fields that the constraints name into each.
	Log        *Log
	Attributes bool

	// BodyBytes, Records and Concurrency bound a request, and how many there are at a time.
	BodyBytes, Records, Concurrency int
	// Timeout bounds how long a request waits for its turn.
	Timeout time.Duration
	// Workers decide at a time; 0 means one for each processor.
	Workers int
}
