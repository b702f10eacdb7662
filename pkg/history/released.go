package history

import "time"

// Released tells of a step of the releases: a version was frozen, promoted, rejected or withdrawn, or a person decided.
type Released struct {
	// Number counts the steps of the job's state from 1.
	Number int64 `json:"number"`
	// Step is its kind, as in pkg/release.
	Step string `json:"step"`
	// Record is the number of records that were observed for releases then, EventTime their time.
	Record    int64      `json:"record"`
	EventTime *time.Time `json:"event_time,omitempty"`
	// Version is what the step is about; nil for a pause, for example. From and To are the stable versions before and
	// after: equal, or both nil, if the step does not move the alias stable.
	Version *Weights `json:"version,omitempty"`
	From    *Weights `json:"from,omitempty"`
	To      *Weights `json:"to,omitempty"`
	// Reason says why, in the words of the rules or of the person who asked for the step.
	Reason string `json:"reason,omitempty"`
	// Actor and Request are the person and the ID of the request; empty for what the rules did.
	Actor   string `json:"actor,omitempty"`
	Request string `json:"request,omitempty"`
	// Gates are the evidence, at most MostGates; GatesLeftOut is how many more there were.
	Gates        []Gate `json:"gates,omitempty"`
	GatesLeftOut int    `json:"gates_left_out,omitempty"`
}

// MostGates bounds the gates of an entry.
const MostGates = 500

// Weights names a published document.
type Weights struct {
	Term          int64  `json:"term"`
	Version       int64  `json:"version"`
	WeightsSHA256 string `json:"weights_sha256"`
}

// Gate is one condition of a release, with the evidence at the time of the step. Value, Lo and Hi are nil where they are not
// known.
type Gate struct {
	// Name is what it requires, such as comparison or log_loss. A comparison of groups has Constraint and Criterion, a loss
	// what it is compared with: TERM/VERSION, or empty for the better constant.
	Name       string `json:"name"`
	Constraint string `json:"constraint,omitempty"`
	Criterion  string `json:"criterion,omitempty"`
	Against    string `json:"against,omitempty"`
	// Decides is whether the version has to meet it.
	Decides bool `json:"decides"`
	// Status is met, violated, inconclusive or not_estimable.
	Status string   `json:"status"`
	Value  *float64 `json:"value,omitempty"`
	Lo     *float64 `json:"lo,omitempty"`
	Hi     *float64 `json:"hi,omitempty"`
	Limit  *float64 `json:"limit,omitempty"`
	// Records is the number of records of the evidence.
	Records int64  `json:"records"`
	Reason  string `json:"reason,omitempty"`
}
